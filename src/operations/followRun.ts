import type { Batch, RunReference } from '../runs/runEvents.ts';
import type { Caller } from '../caller.ts';
import type { Services } from './services.ts';

/**
 * A run's events after a number until its end, for as long as the caller's key is valid: the stream
 * of both streamRunEvents and createRun. `signal`: the client is gone, or the server drains.
 */
export function followRun(
  services: Services, caller: Caller, run: RunReference, starting_after: number,
  signal: AbortSignal): AsyncGenerator<Batch> {
  return services.runs.reader.follow(
    run, starting_after, signal, () => services.whileValid(caller));
}
