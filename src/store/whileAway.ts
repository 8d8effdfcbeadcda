import { setTimeout as delay } from 'node:timers/promises';
import { isUnavailable } from './database.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/**
 * Does `work` again while the database is away, for at most `limit_ms`: for what is known here
 * alone and lost if it is not stored. It must do no harm twice, for it may have been committed when
 * it fails. Throws its last error: at once if that is another, if the pool has ended, or if
 * `signal` has aborted. The process may end meanwhile.
 */
export async function whileAway<T>(
  limit_ms: number, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const until_ms = performance.now() + limit_ms;
  for (let pause_ms = FIRST_PAUSE_MS; ; pause_ms = Math.min(pause_ms * 2, LONGEST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error) || hasEnded(error) || signal?.aborted
        || performance.now() + pause_ms > until_ms) throw error;
    }
    await delay(pause_ms, undefined, { ref: false });
  }
}

/** Whether it is the error of a pool that was ended: that serves nobody any more. */
function hasEnded(error: unknown): boolean {
  return (error as { code?: string }).code === 'CONNECTION_ENDED';
}
