import { setTimeout as delay } from 'node:timers/promises';
import { isContention, isUnavailable } from './database.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/**
 * Does `work` again while the database is away, for at most `limit_ms`: for what is known here
 * alone and lost if it is not stored. It must do no harm twice, for it may have been committed when
 * it fails. Throws its last error: at once if that is another, or if the pool has ended. The
 * process may end meanwhile.
 */
export async function whileAway<T>(
  limit_ms: number, work: () => Promise<T>): Promise<T> {
  const until_ms = performance.now() + limit_ms;
  for (let pause_ms = FIRST_PAUSE_MS; ; pause_ms = Math.min(pause_ms * 2, LONGEST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error) || hasEnded(error)
        || performance.now() + pause_ms > until_ms) throw error;
    }
    await delay(pause_ms, undefined, { ref: false });
  }
}

/** So often is done what met others. */
const CONTENTION_TRIES = 3;

/**
 * Does `work` again that waited for a lock in vain, or lost a deadlock: nothing of it was
 * committed. A node that is frozen holds its locks for twice as long as others wait for one.
 */
export async function despiteOthers<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!isContention(error) || tries === CONTENTION_TRIES) throw error;
    }
  }
}

/** Whether it is the error of a pool that was ended: that serves nobody any more. */
function hasEnded(error: unknown): boolean {
  return (error as { code?: string }).code === 'CONNECTION_ENDED';
}
