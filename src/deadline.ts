/** Waiting for no longer than a time or a signal allows, with nothing left behind. */

/** `work`, or what `late` returns or throws, if `work` takes longer than `limit_ms`. */
export async function within<T, L>(
  limit_ms: number, work: Promise<T>, late: () => L): Promise<T | L> {
  const over = Promise.withResolvers<void>();
  const timer = setTimeout(over.resolve, limit_ms);
  try {
    return await Promise.race([work, over.promise.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * `work`, or a rejection with the reason of `signal` as soon as that aborts. Nobody hears then what
 * becomes of `work`, nor that it fails.
 */
export async function untilAborted<T>(
  work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await work;
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([aborted.promise, work]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Aborts with the first of the signals that are given. */
export function firstOf(...signals: (AbortSignal | null | undefined)[]): AbortSignal {
  return AbortSignal.any(signals.filter((signal) => signal != null));
}

export interface Deadline {
  /** Aborts when the time is over, or with the first of the other signals. */
  readonly signal: AbortSignal;
  /** Whether the time was over before `end`. */
  readonly is_over: boolean;
  end(): void;
}

/**
 * A limit for several steps of work. The caller ends it with the work: AbortSignal.timeout would
 * keep everything that listens to it until its time is over.
 */
export function deadline(
  limit_ms: number, ...signals: (AbortSignal | null | undefined)[]): Deadline {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(
    new DOMException(`${limit_ms} ms are over`, 'TimeoutError')), limit_ms);
  return {
    signal: firstOf(late.signal, ...signals),
    get is_over() {
      return late.signal.aborted;
    },
    end: () => clearTimeout(timer),
  };
}
