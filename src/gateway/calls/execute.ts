import { setTimeout, clearTimeout } from 'node:timers';
import type { Caller } from '../../caller.ts';
import { ActionFailure } from '../action/action.ts';
import type { FailedOutcome, Outcome } from '../action/outcome.ts';
import type { Departure } from '../egress/departure.ts';
import { perform, type CredentialSource } from './perform.ts';
import type { Plan } from './plan.ts';

export interface ExecuteOptions {
  credentials: CredentialSource;
  invocation_id: string;
  idempotency_key: string | null;
  departure: Departure;
  timeout_ms: number;
  signal: AbortSignal | undefined;
}

const TIMED_OUT = Symbol('timed out');

/**
 * Performs a plan within its time. An action that does not heed its signal is left behind: the
 * answer never waits for it. Throws what no caller caused.
 */
export async function execute(
  { definition, integration, request }: Plan, caller: Caller, options: ExecuteOptions,
): Promise<Outcome> {
  const { credentials, invocation_id, idempotency_key, departure, timeout_ms } = options;
  const clock = new AbortController();
  const timer = setTimeout(() => clock.abort(TIMED_OUT), timeout_ms);
  const signal = options.signal === undefined
    ? clock.signal : AbortSignal.any([options.signal, clock.signal]);
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  aborted.promise.catch(() => {}); // it may come when nobody waits any more
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    signal.throwIfAborted();
    const { result, next_cursor, truncated = false } = await Promise.race([
      perform(credentials, { definition, integration,
        request: { ...request, invocation_id, idempotency_key, departure } }, caller, signal),
      aborted.promise,
    ]);
    return { status: 'completed', result, truncated, next_cursor };
  } catch (error) {
    if (signal.aborted) {
      // An action that is left behind may still send something.
      departure.mark();
      // Whatever an aborted action throws on its way out, the abort is why.
      return aborting(signal, definition.integration, timeout_ms);
    }
    if (!(error instanceof ActionFailure)) throw error;
    return error.outcome;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

function aborting(signal: AbortSignal, integration: string, timeout_ms: number): FailedOutcome {
  return { status: 'failed', error: signal.reason === TIMED_OUT
    ? { code: 'upstream_timeout',
      message: `${integration} did not answer within ${timeout_ms / 1000} seconds.` }
    : { code: 'cancelled', message: 'The call was cancelled before it was answered.' } };
}
