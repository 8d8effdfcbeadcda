/** What the gateway keeps, as the document shows it to the operator: never a secret. */
import type { SetUp } from '../gateway/face.ts';
import type { ApprovalRow } from '../store/approvals.ts';
import type { AuditEntry } from '../store/auditEntries.ts';
import type { ConnectionRow } from '../store/connections.ts';
import type { Sql } from '../store/database.ts';
import type { Grant } from '../store/grants.ts';
import { countActions, type ActionCounts, type IntegrationRow } from '../store/integrations.ts';
import type { Schemas } from '../store/rows.ts';
import { pick, shownAs } from './present.ts';

const NO_ACTIONS = { read: 0, write: 0, destructive: 0, quarantined: 0 };

/** Integrations with the numbers of their actions. */
export async function withCounts(
  sql: Sql, rows: readonly IntegrationRow[]): Promise<CountedIntegration[]> {
  const counts = await countActions(sql, rows.map(({ slug }) => slug));
  return rows.map((row) => ({ ...row, actions: counts.get(row.slug) ?? NO_ACTIONS }));
}

type CountedIntegration = IntegrationRow & { actions: ActionCounts };

export async function countAndPresent(
  sql: Sql, row: IntegrationRow): Promise<Schemas['Integration']> {
  const [counted] = await withCounts(sql, [row]);
  return presentIntegration(counted!);
}

export function presentIntegration(row: CountedIntegration): Schemas['Integration'] {
  return {
    slug: row.slug, object: 'integration',
    ...pick(row, 'kind', 'title', 'base_url', 'document_url', 'document_sha256', 'mcp',
      'auth_methods', 'egress_allow', 'insecure_http', 'other_origins', 'new_actions',
      'own_redirect', 'overrides', 'workspace_ids', 'revision', 'actions', 'report', 'created_at',
      'updated_at'),
  };
}

export function presentConnection(
  row: ConnectionRow & Partial<SetUp>): Schemas['Connection'] {
  return {
    ...shownAs('connection', row, 'workspace_id', 'integration', 'name', 'account_label',
      'auth_type', 'status', 'status_reason', 'granted_scopes', 'expires_at'),
    settings: row.settings ?? null,
    authorization_url: row.authorization_url ?? null,
    authorization_expires_at: row.authorization_expires_at ?? null,
    ...pick(row, 'authorized_at', 'created_at', 'updated_at'),
  };
}

export function presentGrant(row: Grant): Schemas['Grant'] {
  return shownAs('grant', row, 'workspace_id', 'api_key_id', 'actions', 'decision',
    'approval_scope', 'connection_id', 'expires_at', 'created_at');
}

export function presentApproval(row: ApprovalRow): Schemas['Approval'] {
  return shownAs('approval', row, 'workspace_id', 'api_key_id', 'scope', 'run_id', 'action',
    'effect', 'connection_id', 'connection_name', 'account_label', 'input', 'status', 'reason',
    'created_at', 'decided_at', 'expires_at');
}

export function presentAuditEntry(row: AuditEntry): Schemas['AuditEntry'] {
  return {
    sequence_number: row.seq, object: 'audit_entry',
    ...pick(row, 'workspace_id', 'actor', 'event', 'target', 'outcome', 'reason', 'details',
      'request_id', 'hash', 'created_at'),
  };
}
