import { within } from '../deadline.ts';

/**
 * Reads at most once in `lifetime_ms`, however many ask, and waits at most `limit_ms`: undefined if
 * that was not enough, or the reading failed. So askers neither burden a slow source nor wait long.
 */
export function remembered<T>(
  read: () => Promise<T>, { lifetime_ms, limit_ms }: { lifetime_ms: number; limit_ms: number },
): () => Promise<T | undefined> {
  let reading: Promise<T | undefined> | undefined;
  let done_ms = -Infinity;
  return async () => {
    if (reading === undefined || performance.now() - done_ms >= lifetime_ms) {
      done_ms = Infinity;
      reading = read().catch(() => undefined).finally(() => { done_ms = performance.now(); });
    }
    return await within(limit_ms, reading, () => undefined);
  };
}
