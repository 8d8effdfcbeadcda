/** Rows as the document shows them: what is internal stays behind. */
import { actorOf } from '../accounts/dashboardSessions.ts';
import { storageLimit } from '../accounts/storage.ts';
import type { Config } from '../config.ts';
import type { StepUsage } from '../models/model.ts';
import type { RunWithToolCalls } from '../runs/lifecycle.ts';
import type {
  ActionInvocationRow, ActionInvocationSummaryRow,
} from '../store/actionInvocations.ts';
import type { AdminTokenRow } from '../store/adminTokens.ts';
import type { ApiKeyRow, ListedApiKeyRow } from '../store/apiKeys.ts';
import type { DashboardSessionRow } from '../store/dashboardSessions.ts';
import type { MessageRow } from '../store/messages.ts';
import type { Schemas } from '../store/rows.ts';
import type { RunSummaryRow } from '../store/runs.ts';
import type { SessionRow } from '../store/sessions.ts';
import type { WorkspaceRow } from '../store/workspaces.ts';

/** A row as an object of the document: its id, what kind of object it is, and these fields. */
export function shownAs<O extends string, R extends { id: string }, K extends keyof R>(
  object: O, row: R, ...fields: K[]): { id: string; object: O } & Pick<R, K> {
  return { id: row.id, object, ...pick(row, ...fields) };
}

/** These fields of a row, in this order. */
export function pick<R, K extends keyof R>(row: R, ...fields: K[]): Pick<R, K> {
  return Object.fromEntries(fields.map((field) => [field, row[field]])) as Pick<R, K>;
}

export function presentSession(row: SessionRow): Schemas['Session'] {
  return shownAs('session', row,
    'status', 'title', 'metadata', 'active_run_id', 'created_at', 'updated_at');
}

export function presentMessage(row: MessageRow): Schemas['Message'] {
  const { provider, created_at } = row;
  return {
    ...pick(row, 'id', 'run_id', 'role', 'content'),
    ...(provider && { model: provider.model }),
    ...(provider?.usage && { usage: presentUsage(provider.usage) }),
    created_at,
  };
}

export function presentRunSummary(row: RunSummaryRow): Schemas['RunSummary'] {
  return {
    ...shownAs('run', row, 'session_id', 'status', 'source', 'model', 'input'),
    ...(row.input_truncated && { input_truncated: true }),
    error: row.error,
    usage: row.started_at === null ? null : presentUsage(row),
    attempts: row.attempt,
    ...pick(row, 'metadata', 'created_at', 'updated_at', 'started_at', 'finished_at'),
  };
}

function presentUsage({ input_tokens, output_tokens }: StepUsage): Schemas['Usage'] {
  return { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens };
}

export function presentRun(run: RunWithToolCalls): Schemas['Run'] {
  return {
    ...presentRunSummary(run),
    ...pick(run, 'instructions', 'max_steps', 'timeout_s', 'max_total_tokens', 'output',
      'tool_calls'),
  };
}

export function presentInvocationSummary(
  row: ActionInvocationSummaryRow): Schemas['ActionInvocationSummary'] {
  return {
    invocation_id: row.id, object: 'action_invocation', action: row.action,
    ...(row.connection_id !== null && { connection_id: row.connection_id }),
    ...pick(row, 'status', 'error', 'source', 'run_id', 'duration_ms', 'truncated', 'created_at'),
  };
}

export function presentInvocation(row: ActionInvocationRow): Schemas['ActionInvocation'] {
  return { ...presentInvocationSummary(row), result: row.result ?? null };
}

/** `config`: the operator's limit of what it may store holds where it has none of its own. */
export function presentWorkspace(
  row: WorkspaceRow, config: Pick<Config, 'workspace_storage_bytes'>): Schemas['Workspace'] {
  return {
    ...shownAs('workspace', row,
      'status', 'name', 'model', 'allowed_models', 'instructions', 'limits'),
    storage: {
      bytes: row.storage_bytes, limit_bytes: storageLimit(config, row.limits.max_storage_bytes),
    },
    ...pick(row, 'created_at', 'updated_at'),
  };
}

/** A new key, without what is in its name: that is nothing yet. */
export function presentNewApiKey(row: ApiKeyRow): Omit<Schemas['ApiKeyWithSecret'], 'api_key'> {
  return shownAs('api_key', row, 'workspace_id', 'name', 'hint', 'identities', 'status',
    'created_at', 'last_used_at', 'expires_at', 'revoked_at');
}

export function presentApiKey(row: ListedApiKeyRow): Schemas['ApiKey'] {
  return { ...presentNewApiKey(row), ...pick(row, 'dashboard', 'open_runs', 'pending_approvals') };
}

export function presentAdminToken(row: AdminTokenRow): Schemas['AdminToken'] {
  return shownAs('admin_token', row, 'name', 'hint', 'status', 'created_at', 'last_used_at',
    'expires_at', 'revoked_at');
}

/** `current`: the id of the session that asks, if one does. */
export function presentDashboardSession(
  row: DashboardSessionRow, current: string | undefined): Schemas['DashboardSession'] {
  return {
    ...shownAs('dashboard_session', row, 'role', 'name', 'method'), actor: actorOf(row),
    current: row.id === current,
    ...pick(row, 'created_at', 'last_used_at', 'expires_at', 'user_agent'),
  };
}
