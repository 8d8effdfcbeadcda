/** What the gateway keeps, as the document shows it to the operator: never a secret. */
import type { components } from '../../generated/types.ts';
import type { ApprovalRow } from '../store/approvals.ts';
import type { AuditEntry } from '../store/auditEntries.ts';
import type { ConnectionRow } from '../store/connections.ts';
import type { Sql } from '../store/database.ts';
import type { Grant } from '../store/grants.ts';
import { countActions, type IntegrationRow } from '../store/integrations.ts';

type Schemas = components['schemas'];

const NO_ACTIONS = { read: 0, write: 0, destructive: 0, quarantined: 0 };

/** Integrations with the numbers of their actions. */
export async function presentIntegrations(
  sql: Sql, rows: readonly IntegrationRow[]): Promise<Schemas['Integration'][]> {
  const counts = await countActions(sql, rows.map(({ slug }) => slug));
  return rows.map((row) => {
    const { slug, kind, title, base_url, document_url, document_sha256, mcp, auth_methods } = row;
    const { egress_allow, overrides, workspace_ids, revision, report } = row;
    return {
      slug, object: 'integration', kind, title, base_url, document_url, document_sha256, mcp,
      auth_methods, egress_allow, overrides, workspace_ids, revision,
      actions: counts.get(slug) ?? NO_ACTIONS, report, created_at: row.created_at,
      updated_at: row.updated_at,
    };
  });
}

export function presentConnection(
  row: ConnectionRow & { authorization_url?: string | null }): Schemas['Connection'] {
  const { id, workspace_id, integration, name, account_label, auth_type, status } = row;
  const { status_reason, granted_scopes, expires_at, authorization_url = null } = row;
  return {
    id, object: 'connection', workspace_id, integration, name, account_label, auth_type, status,
    status_reason, granted_scopes, expires_at, authorization_url, created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

export function presentGrant(row: Grant): Schemas['Grant'] {
  const { id, workspace_id, api_key_id, actions, decision, connection_id, expires_at } = row;
  return {
    id, object: 'grant', workspace_id, api_key_id, actions, decision, connection_id, expires_at,
    created_at: row.created_at,
  };
}

export function presentApproval(row: ApprovalRow): Schemas['Approval'] {
  const { id, workspace_id, api_key_id, run_id, action, effect, connection_id, input } = row;
  const { status, reason, created_at, decided_at, expires_at } = row;
  return {
    id, object: 'approval', workspace_id, api_key_id, run_id, action, effect, connection_id, input,
    status, reason, created_at, decided_at, expires_at,
  };
}

export function presentAuditEntry(row: AuditEntry): Schemas['AuditEntry'] {
  const { workspace_id, actor, event, target, outcome, reason, details, request_id } = row;
  return {
    sequence_number: row.seq, object: 'audit_entry', workspace_id, actor, event, target, outcome,
    reason, details, request_id, hash: row.hash, created_at: row.created_at,
  };
}
