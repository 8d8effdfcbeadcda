import type { AuditEvent } from '../../audit/audit.ts';
import type { NewActionInvocation } from '../../store/actionInvocations.ts';
import type { Effect } from '../action/action.ts';
import type { Missing } from '../action/outcome.ts';

const REFUSALS: readonly Missing['code'][] =
  ['not_permitted', 'action_not_read_only', 'approval_required'];

/** What was to change may have changed. */
const UNKNOWN = ['outcome_unknown', 'upstream_timeout'];

/** What is known of a call that was to change something, and failed with this code. */
export function outcomeOfWrite(code: string): 'unknown' | 'failed' {
  return UNKNOWN.includes(code) ? 'unknown' : 'failed';
}

/**
 * What the audit log keeps of a call: what changed something, or was to, and what was refused. What
 * only reads is on record as an invocation. `effect`: null if the call did not get as far as that;
 * `request_id`: null for a run, which is the actor.
 */
export function auditedCall(
  row: NewActionInvocation, effect: Effect | null, missing: readonly Missing[] | null,
  request_id: string | null): AuditEvent | null {
  const refused = missing !== null && REFUSALS.includes(missing[0]!.code);
  const acted = missing === null && effect !== null && effect !== 'read';
  if (!refused && !acted) return null;
  const outcome = refused ? 'refused' : row.error === null ? 'ok'
    : outcomeOfWrite(row.error.code);
  return {
    workspace_id: row.workspace_id,
    actor: row.source === 'run' ? { type: 'run', id: row.run_id }
      : { type: 'api_key', id: row.api_key_id },
    event: refused ? 'action.refused' : 'action.called',
    target: row.action,
    outcome,
    reason: row.error?.code ?? null,
    details: {
      invocation_id: row.id, connection_id: row.connection_id, api_key_id: row.api_key_id,
    },
    request_id,
  };
}
