/** What is written down of a call that has ended: its invocation, its audit entry, its metrics. */
import type { AuditEvent } from '../../audit/audit.ts';
import { gather } from '../../gather.ts';
import { isObject, type JsonObject } from '../../json.ts';
import {
  insertInvocation, insertInvocations, type ActionInvocationError, type NewActionInvocation,
} from '../../store/actionInvocations.ts';
import { isContention, isUnavailable, type Sql } from '../../store/database.ts';
import type { Meters } from '../../telemetry/metrics.ts';
import type { ActionSummary, Effect } from '../action/action.ts';
import type { ActionOutcome, Missing } from '../action/outcome.ts';
import type { CallRequest } from './plan.ts';

/** Records an attempt as insertInvocation does. */
export type RecordCall = (invocation: NewActionInvocation) => Promise<boolean>;

/**
 * Records the calls that end in the same turn of the event loop by one statement: a step with
 * thousands of calls spends most of its time in statements. One that cannot be stored does not keep
 * the others from it, nor does one whose record somebody else has locked.
 */
export function recordingTogether(sql: Sql): RecordCall {
  return gather(async (all: NewActionInvocation[]): Promise<(boolean | Promise<boolean>)[]> => {
    try {
      return await insertInvocations(sql, all);
    } catch (error) {
      if (all.length === 1 || (isUnavailable(error) && !isContention(error))) throw error;
      return all.map((one) => insertInvocation(sql, one));
    }
  }) as RecordCall;
}

/** Every attempt is on record. `input`: as the action takes it, if it got so far. */
export function invocationOf(
  outcome: ActionOutcome, { caller, call, context }: CallRequest, input: JsonObject | null,
): NewActionInvocation {
  const completed = outcome.status === 'completed';
  return {
    workspace_id: caller.workspace_id,
    id: outcome.invocation_id,
    action: outcome.action,
    connection_id: outcome.connection_id,
    source: context.source,
    api_key_id: caller.api_key_id,
    run_id: context.run_id ?? null,
    tool_call_id: context.tool_call_id ?? null,
    input: input ?? (isObject(call) ? call.input : call) ?? {},
    result: completed ? outcome.result : null,
    error: errorOf(outcome),
    truncated: completed && outcome.truncated,
    duration_ms: outcome.duration_ms,
  };
}

function errorOf(outcome: ActionOutcome): ActionInvocationError | null {
  if (outcome.status === 'completed') return null;
  if (outcome.status === 'failed') return outcome.error;
  const { missing } = outcome;
  return { code: missing[0]!.code, message: missing[0]!.message, details: { missing } };
}

const REFUSALS: readonly Missing['code'][] =
  ['not_permitted', 'action_not_read_only', 'approval_required', 'approvals_full'];

/**
 * What the audit log keeps of a call: what changed something, or was to, and what was refused. What
 * only reads is on record as an invocation. `effect`: null if the call did not get as far as that.
 */
export function auditEntryOf(
  outcome: ActionOutcome, { caller, context }: CallRequest, effect: Effect | null,
): AuditEvent | null {
  const missing = outcome.status === 'missing';
  const refused = missing && REFUSALS.includes(outcome.missing[0]!.code);
  // Whatever a person calls: the invocation names the key alone.
  const acted = effect !== null && (!missing || isAnswerRequired(outcome))
    && (effect !== 'read' || caller.operator !== undefined || caller.person !== undefined);
  if (!refused && !acted) return null;
  const { workspace_id, api_key_id } = caller;
  const { source, run_id = null, request_id = null } = context;
  const { invocation_id, action, connection_id } = outcome;
  return {
    workspace_id,
    actor: source === 'run' ? { type: 'run', id: run_id }
      : caller.operator?.actor ?? (caller.person === undefined
        ? { type: 'api_key', id: api_key_id } : { type: 'person', id: caller.person }),
    event: refused ? 'action.refused' : 'action.called',
    target: action,
    outcome: resultOf(outcome, effect),
    reason: errorOf(outcome)?.code ?? null,
    details: { invocation_id, connection_id, api_key_id, source },
    request_id,
  };
}

/** The entry of a call that had left when its key was revoked. */
export function late(entry: AuditEvent): AuditEvent {
  return { ...entry, details: { ...entry.details, left_before_revocation: true } };
}

/** The call has left, and the other system asked a person before it went on. */
function isAnswerRequired(outcome: ActionOutcome): boolean {
  return outcome.status === 'missing' && outcome.missing[0]!.code === 'answer_required';
}

/** After these, what a call was to change may have changed. */
const UNKNOWN = ['outcome_unknown', 'upstream_timeout'];

function resultOf(
  outcome: ActionOutcome, effect: Effect | null): 'ok' | 'refused' | 'failed' | 'unknown' {
  if (outcome.status === 'completed') return 'ok';
  if (isAnswerRequired(outcome)) return effect === 'read' ? 'failed' : 'unknown';
  if (outcome.status === 'missing') return 'refused';
  return effect !== 'read' && UNKNOWN.includes(outcome.error.code) ? 'unknown' : 'failed';
}

/** `definition`: of the action, if there is one of that name for the caller. */
export function measure(
  meters: Meters, made: ActionOutcome, definition: ActionSummary | undefined): void {
  const integration = definition?.integration ?? 'none';
  const outcome = resultOf(made, definition?.effect ?? null);
  if (made.status === 'missing' && made.missing[0]!.code === 'approvals_full') {
    meters.limits_reached_total.add(1, { limit: 'approvals' });
  }
  meters.action_duration_seconds.record(made.duration_ms / 1_000, { integration, outcome });
  if (outcome === 'unknown') meters.outcomes_unknown_total.add(1, { integration });
}
