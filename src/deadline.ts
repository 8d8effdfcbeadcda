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

/** Waits until all have ended, and only then throws what the first of them failed by, if any. */
export async function allEnded(works: readonly Promise<unknown>[]): Promise<void> {
  const ends = await Promise.allSettled(works);
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
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

const listening = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back when the signal aborts, unless it has; answers the undo. For a signal that thousands
 * listen to: removeEventListener looks through all of them, and this does not.
 */
export function whenAborted(signal: AbortSignal, listener: () => void): () => void {
  const listeners = listening.get(signal) ?? listenOnce(signal);
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function listenOnce(signal: AbortSignal): Set<() => void> {
  const listeners = new Set<() => void>();
  listening.set(signal, listeners);
  signal.addEventListener('abort', () => {
    for (const each of listeners) each();
  }, { once: true });
  return listeners;
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
  return new Limit(limit_ms, signals);
}

/** A class: a literal with a getter keeps what it holds until the next full collection. */
class Limit implements Deadline {
  readonly signal: AbortSignal;
  readonly #late = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(limit_ms: number, signals: (AbortSignal | null | undefined)[]) {
    this.#timer = setTimeout(() => this.#late.abort(
      new DOMException(`${limit_ms} ms are over`, 'TimeoutError')), limit_ms);
    this.signal = firstOf(this.#late.signal, ...signals);
  }

  get is_over(): boolean {
    return this.#late.signal.aborted;
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
