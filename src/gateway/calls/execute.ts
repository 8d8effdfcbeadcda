import { setTimeout, clearTimeout } from 'node:timers';
import type { Caller } from '../../caller.ts';
import { ActionFailure, type Performed } from '../action/action.ts';
import type { ActionError, Missing } from '../action/outcome.ts';
import type { Plan } from './plan.ts';

/** `unsent`: it is known that nothing of the call has left. */
export type Execution =
  | { performed: Performed }
  | { missing: Missing[], unsent?: true }
  | { error: ActionError, unsent?: true }
  /** Something that no caller caused: for the log, or for whoever knows what it is. */
  | { fault: unknown };

export interface ExecuteOptions {
  invocation_id: string;
  idempotency_key: string | null;
  timeout_ms: number;
  signal: AbortSignal | undefined;
}

const TIMED_OUT = Symbol('timed out');

/**
 * Performs a plan within its time. An action that does not heed its signal is left behind: the
 * answer never waits for it.
 */
export async function execute(
  { definition, request }: Plan, caller: Caller, options: ExecuteOptions): Promise<Execution> {
  const { invocation_id, idempotency_key, timeout_ms } = options;
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
    const performed = await Promise.race([
      definition.perform({ ...request, invocation_id, idempotency_key }, caller, signal),
      aborted.promise,
    ]);
    return { performed };
  } catch (error) {
    // Whatever an aborted action throws on its way out, the abort is why.
    if (signal.aborted) return { error: abortError(signal, definition.integration, timeout_ms) };
    if (!(error instanceof ActionFailure)) return { fault: error };
    const unsent = error.sent ? {} : { unsent: true as const };
    if (error.missing !== null) return { missing: error.missing, ...unsent };
    const { code, message, details, retry_after_s } = error;
    return { error: { code, message, ...(details === undefined ? {} : { details }),
      ...(retry_after_s === null ? {} : { retry_after_s }) }, ...unsent };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

function abortError(signal: AbortSignal, integration: string, timeout_ms: number): ActionError {
  return signal.reason === TIMED_OUT
    ? { code: 'upstream_timeout',
      message: `${integration} did not answer within ${timeout_ms / 1000} seconds.` }
    : { code: 'cancelled', message: 'The call was cancelled before it was answered.' };
}
