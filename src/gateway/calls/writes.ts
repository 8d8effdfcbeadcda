/**
 * Calls that change something, across crashes: the intent is written down before the call leaves,
 * and an intent whose outcome was never recorded is reported as such and not acted on again.
 */
import { wholeWorkspace, type Caller } from '../../caller.ts';
import { isObject } from '../../json.ts';
import {
  getInvocation, insertInvocation, type ActionInvocationRow,
} from '../../store/actionInvocations.ts';
import type { Sql, Transaction } from '../../store/database.ts';
import { isExecuting } from '../../store/runs.ts';
import { findWriteIntent, insertWriteIntent } from '../../store/writeIntents.ts';
import type { Meters } from '../../telemetry/metrics.ts';
import type {
  ActionError, ActionOutcome, CallContext, FailedOutcome, Missing,
} from '../action/outcome.ts';
import type { Asked, Plan } from './plan.ts';

/** Nothing has left: the run was cancelled or taken over, or its worker stops. */
export const NOT_BEGUN: FailedOutcome = { status: 'failed', error: {
  code: 'cancelled', message: 'The call was cancelled before it was made.',
} };

/** What is said of a call that may or may not have taken effect. */
export function outcomeUnknown(action: string): ActionError {
  return {
    code: 'outcome_unknown',
    message: `${action} was called, and the call was interrupted before its outcome was known. It`
      + ' may have taken effect, and was not repeated. Find out before you call it again.',
  };
}

/**
 * Asked right before a call leaves, on behalf of a run: whether this attempt of it may still act.
 * For what changes something, its intent is committed with the answer.
 */
export async function mayLeave(
  sql: Sql | Transaction, { caller, context, invocation_id }: Asked, { definition, request }: Plan,
): Promise<boolean> {
  if (context.signal?.aborted || context.windDown?.aborted) return false;
  const { run_id, attempt, tool_call_id } = context;
  if (run_id === undefined || attempt === undefined || tool_call_id === undefined) return true;
  const { workspace_id, api_key_id } = caller;
  if (definition.effect === 'read') {
    return await isExecuting(sql, { workspace_id, id: run_id, attempt });
  }
  return await insertWriteIntent(sql, {
    workspace_id, run_id, tool_call_id, invocation_id, action: definition.name,
    connection_id: request.connection.id, api_key_id, input: request.input,
  }, attempt);
}

/**
 * What an earlier attempt of the run had made of this very call, if that was to change something:
 * its recorded outcome or, where there is none, that nobody knows. Undefined if nothing had left.
 */
export async function outcomeOfEarlierAttempt(
  { sql, meters }: { sql: Sql; meters: Meters }, { workspace_id }: Caller,
  { run_id, attempt = 1, tool_call_id }: CallContext,
): Promise<ActionOutcome | undefined> {
  if (attempt === 1 || run_id === undefined || tool_call_id === undefined) return undefined;
  const intent = await findWriteIntent(sql, workspace_id, run_id, tool_call_id);
  if (intent === undefined) return undefined;
  const { invocation_id, ...rest } = intent;
  // False if the outcome had been recorded.
  const isNews = await insertInvocation(sql, {
    ...rest, id: invocation_id, source: 'run', result: null, error: outcomeUnknown(intent.action),
    truncated: false, duration_ms: 0,
  });
  if (isNews) {
    const [integration] = intent.action.split('.');
    meters.outcomes_unknown_total.add(1, { integration: integration! });
  }
  // Either what was just recorded, or what had been before.
  return outcomeOf((await getInvocation(sql, wholeWorkspace(workspace_id), invocation_id))!);
}

function outcomeOf(row: ActionInvocationRow): ActionOutcome {
  const { id: invocation_id, action, connection_id, result, truncated, duration_ms, error } = row;
  const invocation = { invocation_id, action, connection_id, duration_ms };
  if (error === null) {
    return { ...invocation, status: 'completed', result, truncated, next_cursor: null };
  }
  const missing = isObject(error.details) ? error.details.missing as Missing[] : undefined;
  return missing?.[0]?.code === error.code ? { ...invocation, status: 'missing', missing: missing! }
    : { ...invocation, status: 'failed', error: error as ActionError };
}
