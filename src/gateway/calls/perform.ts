/**
 * A plan is performed within its time, an action with the credentials of its connection. What is
 * kept of an outcome is what was asked for of it, storable, and bounded.
 */
import type { Caller } from '../../caller.ts';
import { deadline, firstOf, untilAborted } from '../../deadline.ts';
import { jsonChars } from '../../json.ts';
import { inOwnTurn } from '../../patience.ts';
import { sanitizeJson, sanitizeText } from '../../sanitize.ts';
import { truncateResult } from '../../truncate.ts';
import type {
  ActionDefinition, Integration, Performed, PerformRequest,
} from '../action/action.ts';
import { type ActionFailure, failure } from '../action/failure.ts';
import { keptOf } from '../action/kept.ts';
import type {
  ActionError, CompletedOutcome, FailedOutcome, MissingOutcome,
} from '../action/outcome.ts';
import { withCredentials, type CredentialSource } from '../credentials/withCredentials.ts';
import { withoutSecrets } from '../credentials/withoutSecrets.ts';
import { type Departure, DepartureRefused } from '../egress/departure.ts';
import { LARGE_CHARS, type CallRequest, type CallServices, type PlannedCall } from './call.ts';
import { outcomeUnknown } from './writes.ts';

/**
 * Performs a plan within its time; answers what is kept of it. An action that does not heed its
 * signal is left behind: the answer never waits for it. Throws ActionFailure for what the caller is
 * to be told, DepartureRefused if the call was not begun, and what no caller caused.
 */
export async function perform(
  { config, credentials }: Pick<CallServices, 'config' | 'credentials'>,
  { caller, context, departure, invocation_id }: CallRequest, plan: PlannedCall,
): Promise<CompletedOutcome> {
  const { definition, integration, fields, granted } = plan;
  const { action_timeout_ms: timeout_ms, action_result_limit_bytes } = config;
  const reads = definition.effect === 'read';
  // An agent is confined to its own session unless a grant covers this very action: what a wider
  // action calls in turn (action_invocations.create) is judged anew.
  const acting = caller.agent === null
    ? caller : { ...caller, agent: { ...caller.agent, confined: !granted } };
  const cancel = reads ? firstOf(context.signal, context.windDown) : context.signal;
  const clock = deadline(timeout_ms, cancel);
  const { signal } = clock;
  let performed: Performed;
  try {
    signal.throwIfAborted();
    performed = await untilAborted(performAction(credentials, definition, integration, {
      ...plan.request, fields, invocation_id, departure,
      idempotency_key: reads ? null : context.tool_call_id ?? invocation_id,
    }, acting, signal), signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    // Whatever an aborted action throws on its way out, the abort is why. An action that is left
    // behind may still send something, once it has its credentials.
    departure.close();
    const cancelled = signal.reason === cancel?.reason;
    if (cancelled && !departure.left) throw new DepartureRefused();
    throw cancelled
      ? failure('The call was cancelled before it was answered.', { code: 'cancelled' })
      : timeIsOver(definition.integration, timeout_ms, departure);
  } finally {
    clock.end();
  }
  return await keepResult(plan, performed, action_result_limit_bytes);
}

function timeIsOver(integration: string, timeout_ms: number, { left }: Departure): ActionFailure {
  const limit = `within ${timeout_ms / 1000} seconds`;
  return left
    ? failure(`${integration} did not answer ${limit}.`, { code: 'upstream_timeout' })
    : failure(`Nothing could be sent to ${integration} ${limit}: its credentials could not be had,`
      + ' or it was not ready. The call was not made.');
}

/**
 * Has an action performed with the credentials of its connection, whatever its protocol. No secret
 * of them is in what comes back. Throws as `ActionDefinition.perform` does, and DepartureRefused if
 * the call may not leave any more.
 */
export async function performAction(
  source: CredentialSource, definition: ActionDefinition, { egress_allow }: Integration,
  request: Omit<PerformRequest, 'credentials' | 'scrub' | 'secrets'>, caller: Caller,
  signal: AbortSignal): Promise<Performed> {
  const { connection, departure } = request;
  if (egress_allow === undefined) {
    await departure.grant();
    return await definition.perform(
      { ...request, credentials: { type: 'none' }, scrub: (value) => value, secrets: [] },
      caller, signal);
  }
  const target = {
    workspace_id: caller.workspace_id, connection_id: connection.id, egress_allow,
    action: definition.name,
  };
  return await withCredentials(source, target, connection, async ({ credentials, secrets }) =>
    await withoutSecrets(secrets, (scrub) => definition.perform(
      { ...request, credentials, scrub, secrets }, caller, signal)), signal);
}

/** No service takes as much in the address of a request. */
const SOURCE_CURSOR_LIMIT_CHARS = 16_384;

/** What was performed as it is recorded and told; `limit_bytes`: of the result. */
async function keepResult(
  { fields }: PlannedCall, performed: Performed, limit_bytes: number): Promise<CompletedOutcome> {
  const { result, is_kept = false, truncated = false, source_cursor, ...rest } = performed;
  // A call whose next page cannot be recorded has a result that is not whole.
  const is_storable = source_cursor === null || source_cursor.length <= SOURCE_CURSOR_LIMIT_CHARS;
  const outcome = { ...rest, status: 'completed' as const, truncated: truncated || !is_storable,
    source_cursor: is_storable ? source_cursor : null };
  if (is_kept) return { ...outcome, result };
  const options = { fields, limit_bytes, is_cut: outcome.truncated };
  const kept = await inOwnTurn(() => keptOf(result, options), jsonChars(result, LARGE_CHARS));
  return { ...outcome, ...kept };
}

/** The same for a call that lacks something or has failed; `plan`: null if it has none. */
export function keepFailure(
  plan: PlannedCall | null, outcome: MissingOutcome | FailedOutcome,
): MissingOutcome | FailedOutcome {
  if (outcome.status === 'missing') {
    return { ...outcome, missing: sanitizeJson(outcome.missing) };
  }
  const { error } = outcome;
  return { ...outcome, error: boundedError(plan === null ? error : sayWhatIsUnknown(plan, error)) };
}

/** A write that was broken off before its answer came may have taken effect: the error says so. */
function sayWhatIsUnknown(
  { definition: { name, effect } }: PlannedCall, error: ActionError): ActionError {
  if (effect === 'read') return error;
  if (error.code === 'cancelled') return outcomeUnknown(name);
  if (error.code !== 'upstream_timeout') return error;
  return { ...error, message: `${error.message} The call may have taken effect all the same.` };
}

const ERROR_MESSAGE_LIMIT_CHARS = 2_000;
const ERROR_DETAILS_LIMIT_BYTES = 8_192;

/** What an upstream service says of its error is of any size, too. */
function boundedError({ code, message, details, ...rest }: ActionError): ActionError {
  const text = sanitizeText(message.slice(0, ERROR_MESSAGE_LIMIT_CHARS));
  if (details === undefined) return { code, message: text, ...rest };
  const bounded = truncateResult(sanitizeJson(details), ERROR_DETAILS_LIMIT_BYTES).result;
  return { code, message: text, details: bounded, ...rest };
}
