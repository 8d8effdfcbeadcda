/**
 * Calls that change something, across crashes: the intent is written down before the call leaves,
 * and an intent whose outcome was never recorded is reported as such and not acted on again.
 */
import { wholeWorkspace, type Caller } from '../../caller.ts';
import { gatherByName } from '../../gather.ts';
import { isObject } from '../../json.ts';
import { getInvocation } from '../../store/actionInvocations.ts';
import type { Sql, Transaction } from '../../store/database.ts';
import { isExecuting, type RunOfWorker } from '../../store/runs.ts';
import { loneEndReason } from '../../store/revocations.ts';
import {
  deleteWriteIntent, findWriteIntent, insertLoneWriteIntent, insertWriteIntent, NO_RUN,
  recordUnknownWrites,
} from '../../store/writeIntents.ts';
import {
  MAY_HAVE_TAKEN_EFFECT, type ActionError, type ActionOutcome, type CallContext, type FailedOutcome,
  type Missing,
} from '../action/outcome.ts';
import type { CallRequest, CallServices, PlannedCall } from './call.ts';

/** Nothing has left: the run was cancelled or taken over, or its worker stops. */
export const NOT_BEGUN: FailedOutcome = { status: 'failed', error: {
  code: 'cancelled', message: 'The call was cancelled before it was made.',
} };

/** What is said of a call that may or may not have taken effect. */
export function outcomeUnknown(action: string): ActionError {
  return {
    code: 'outcome_unknown',
    message: `${action} was called, and the call was interrupted before its outcome was known.`
      + ` ${MAY_HAVE_TAKEN_EFFECT}`,
  };
}

/**
 * Clears a call on behalf of an agent, unless that is over: for what changes something, this
 * attempt of the run may still act, or the key of the MCP client is still good, and its intent is
 * committed with the answer.
 */
export async function mayLeave(
  sql: Sql | Transaction, { caller, context, invocation_id }: CallRequest,
  { definition, request, approval_scope }: PlannedCall): Promise<boolean> {
  if (context.signal?.aborted || context.windDown?.aborted) return false;
  const { run_id, attempt, tool_call_id } = context;
  const { workspace_id, api_key_id } = caller;
  const intent = {
    workspace_id, invocation_id, action: definition.name, connection_id: request.connection.id,
    api_key_id, input: request.input,
  };
  if (run_id === undefined || attempt === undefined || tool_call_id === undefined) {
    return definition.effect === 'read' || await insertLoneWriteIntent(sql, { ...intent,
      person: caller.person ?? null, request_id: context.request_id ?? null });
  }
  if (definition.effect === 'read') {
    // It is asked for when it leaves (mayStillLeave); before, only if it would use up an approval.
    return approval_scope === null
      || await isExecuting(sql, { workspace_id, id: run_id, attempt });
  }
  return await insertWriteIntent(sql, { ...intent, run_id, tool_call_id }, attempt);
}

/** Takes back what `mayLeave` wrote down, of a call of which nothing has left, nor ever will. */
export async function withdrawIntent(
  sql: Sql, { caller: { workspace_id }, context, invocation_id }: CallRequest): Promise<void> {
  const { run_id = NO_RUN, tool_call_id } = context;
  await deleteWriteIntent(sql, { workspace_id, run_id, invocation_id,
    tool_call_id: run_id === NO_RUN ? invocation_id : tool_call_id! });
}

/** Asks once for the calls of a step that want to leave in the same turn of the event loop. */
export function askingTogether(sql: Sql): CallServices['isExecuting'] {
  return gatherByName(
    ({ workspace_id, id, attempt }: RunOfWorker) => `${workspace_id} ${id} ${attempt}`,
    (run) => isExecuting(sql, run));
}

/**
 * Asked in the last moment before a call leaves, when its credentials are there: whether this
 * attempt of its run may still act, or the key that makes it is still good. Credentials may have
 * taken seconds to be renewed, in which the run was cancelled and its worker was not told.
 */
export async function mayStillLeave(
  { sql, isExecuting }: Pick<CallServices, 'sql' | 'isExecuting'>,
  { caller: { workspace_id, api_key_id }, context }: CallRequest): Promise<boolean> {
  const { source, run_id, attempt, signal } = context;
  if (signal?.aborted) return false;
  if (run_id !== undefined && attempt !== undefined) {
    return await isExecuting({ workspace_id, id: run_id, attempt });
  }
  return source !== 'mcp' || await loneEndReason(sql, workspace_id, api_key_id) === null;
}

/**
 * What an earlier attempt of the run had made of this very call, if that was to change something:
 * its recorded outcome or, where there is none, that nobody knows. Undefined if nothing had left.
 */
export async function outcomeOfEarlierAttempt(
  { sql, meters }: Pick<CallServices, 'sql' | 'meters'>, { workspace_id }: Caller,
  { run_id, attempt = 1, tool_call_id }: CallContext,
): Promise<ActionOutcome | undefined> {
  if (attempt === 1 || run_id === undefined || tool_call_id === undefined) return undefined;
  const call = { workspace_id, run_id, tool_call_id };
  const invocation_id = await findWriteIntent(sql, call);
  if (invocation_id === undefined) return undefined;
  for (const { integration } of await recordUnknownWrites(sql, [call])) {
    meters.outcomes_unknown_total.add(1, { integration });
  }
  // Either what was just recorded, or what had been before; none if it was withdrawn meanwhile.
  return await recordedOutcome(sql, workspace_id, invocation_id);
}

/** The outcome that is on record; undefined if none is. */
export async function recordedOutcome(
  sql: Sql, workspace_id: string, invocation_id: string): Promise<ActionOutcome | undefined> {
  const row = await getInvocation(sql, wholeWorkspace(workspace_id), invocation_id);
  if (row === undefined) return undefined;
  const { action, connection_id, result, truncated, duration_ms, error } = row;
  const invocation = { invocation_id, action, connection_id, duration_ms };
  if (error === null) {
    return { ...invocation, status: 'completed', result, truncated, next_cursor: null };
  }
  const missing = isObject(error.details) ? error.details.missing as Missing[] : undefined;
  return missing?.[0]?.code === error.code ? { ...invocation, status: 'missing', missing: missing! }
    : { ...invocation, status: 'failed', error: error as ActionError };
}
