/** A plan is performed within its time, an action with the credentials of its connection. */
import type { Caller } from '../../caller.ts';
import { deadline, firstOf, untilAborted } from '../../deadline.ts';
import type {
  ActionDefinition, Integration, Performed, PerformRequest,
} from '../action/action.ts';
import { ActionFailure } from '../action/failure.ts';
import type { FailedOutcome, Outcome } from '../action/outcome.ts';
import { withCredentials, type CredentialSource } from '../credentials/withCredentials.ts';
import { withoutSecrets } from '../credentials/withoutSecrets.ts';
import { DepartureRefused } from '../egress/departure.ts';
import type { CallRequest, CallServices, PlannedCall } from './call.ts';
import { keepOutcome } from './keep.ts';
import { NOT_BEGUN } from './writes.ts';

export interface PerformOptions
  extends Pick<PerformRequest, 'invocation_id' | 'idempotency_key' | 'departure'> {
  credentials: CredentialSource;
  timeout_ms: number;
  signal: AbortSignal | undefined;
}

/** Performs a plan; answers what is kept of its outcome. Throws what no caller caused. */
export async function perform(
  { config, credentials }: Pick<CallServices, 'config' | 'credentials'>,
  { caller, context, departure, invocation_id }: CallRequest, plan: PlannedCall,
): Promise<Outcome> {
  const reads = plan.definition.effect === 'read';
  const outcome = await performInTime(plan, actingBy(plan, caller), {
    credentials, invocation_id, departure, timeout_ms: config.action_timeout_ms,
    signal: reads ? firstOf(context.signal, context.windDown) : context.signal,
    idempotency_key: reads ? null : context.tool_call_id ?? invocation_id,
  });
  return await keepOutcome(plan, outcome, config.action_result_limit_bytes);
}

/**
 * The caller as the action sees it. An agent is confined to its own session unless a grant covers
 * this very action: what a wider action calls in turn (action_invocations.create) is judged anew.
 */
function actingBy({ granted }: PlannedCall, caller: Caller): Caller {
  return caller.agent === null
    ? caller : { ...caller, agent: { ...caller.agent, confined: !granted } };
}

/**
 * Performs a plan within its time. An action that does not heed its signal is left behind: the
 * answer never waits for it. Throws what no caller caused.
 */
export async function performInTime(
  { definition, integration, request, fields }: PlannedCall, caller: Caller,
  { credentials, timeout_ms, signal: cancel, ...given }: PerformOptions,
): Promise<Outcome> {
  const clock = deadline(timeout_ms, cancel);
  const { signal } = clock;
  try {
    signal.throwIfAborted();
    const performing = performAction(
      credentials, definition, integration, { ...request, ...given, fields }, caller,
      signal);
    const performed = await untilAborted(performing, signal);
    return { status: 'completed', truncated: false, ...performed };
  } catch (error) {
    if (signal.aborted) {
      // Whatever an aborted action throws on its way out, the abort is why.
      const cancelled = signal.reason === cancel?.reason;
      // An action that is left behind may still send something, once it has its credentials.
      given.departure.close();
      if (given.departure.left) {
        return abortedOutcome(cancelled, definition.integration, timeout_ms);
      }
      return cancelled ? NOT_BEGUN : notReady(definition.integration, timeout_ms);
    }
    if (error instanceof DepartureRefused) return NOT_BEGUN;
    if (!(error instanceof ActionFailure)) throw error;
    return error.outcome;
  } finally {
    clock.end();
  }
}

function abortedOutcome(
  cancelled: boolean, integration: string, timeout_ms: number): FailedOutcome {
  return { status: 'failed', error: cancelled
    ? { code: 'cancelled', message: 'The call was cancelled before it was answered.' }
    : { code: 'upstream_timeout',
      message: `${integration} did not answer within ${timeout_ms / 1000} seconds.` } };
}

/** Its time was over before its credentials were there. */
function notReady(integration: string, timeout_ms: number): FailedOutcome {
  return { status: 'failed', error: { code: 'upstream_error',
    message: `The credentials for ${integration} could not be had within ${timeout_ms / 1000}`
      + ' seconds. The call was not made.' } };
}

/**
 * Has an action performed with the credentials of its connection, whatever its protocol. No secret
 * of them is in what comes back. Throws as `ActionDefinition.perform` does, and DepartureRefused if
 * the call may not leave any more once they are there.
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
  return await withCredentials(source, target, connection, async (issued) => {
    const { credentials, secrets } = issued;
    await departure.grant();
    return await withoutSecrets(secrets, (scrub) => definition.perform(
      { ...request, credentials, scrub, secrets }, caller, signal));
  }, signal);
}
