/**
 * Reads at most once in `lifetime_ms`, however many ask, and waits at most `limit_ms`: undefined if
 * that was not enough, or the reading failed. Who asks must neither burden nor wait for what is
 * asked.
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
    const { promise: late, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => resolve(undefined), limit_ms);
    try {
      return await Promise.race([reading, late]);
    } finally {
      clearTimeout(timer);
    }
  };
}
