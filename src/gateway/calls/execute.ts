import type { Caller } from '../../caller.ts';
import { deadline, untilAborted } from '../../deadline.ts';
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

/**
 * Performs a plan within its time. An action that does not heed its signal is left behind: the
 * answer never waits for it. Throws what no caller caused.
 */
export async function execute(
  { definition, integration, request }: Plan, caller: Caller, options: ExecuteOptions,
): Promise<Outcome> {
  const { credentials, invocation_id, idempotency_key, departure, timeout_ms } = options;
  const clock = deadline(timeout_ms, options.signal);
  const { signal } = clock;
  try {
    signal.throwIfAborted();
    const given = { ...request, invocation_id, idempotency_key, departure };
    const { result, next_cursor, truncated = false } = await untilAborted(
      perform(credentials, { definition, integration, request: given }, caller, signal), signal);
    return { status: 'completed', result, truncated, next_cursor };
  } catch (error) {
    if (signal.aborted) {
      // An action that is left behind may still send something.
      departure.mark();
      // Whatever an aborted action throws on its way out, the abort is why.
      const cancelled = signal.reason === options.signal?.reason;
      return aborted(cancelled, definition.integration, timeout_ms);
    }
    if (!(error instanceof ActionFailure)) throw error;
    return error.outcome;
  } finally {
    clock.end();
  }
}

function aborted(cancelled: boolean, integration: string, timeout_ms: number): FailedOutcome {
  return { status: 'failed', error: cancelled
    ? { code: 'cancelled', message: 'The call was cancelled before it was answered.' }
    : { code: 'upstream_timeout',
      message: `${integration} did not answer within ${timeout_ms / 1000} seconds.` } };
}
