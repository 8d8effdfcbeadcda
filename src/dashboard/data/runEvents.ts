/** A run's events, live, by the same stream as everybody's. */
import { useEffect, useMemo } from 'react';
import { streamRunEvents } from '#client/sdk.gen.ts';
import type { RunEvent } from '#client/types.gen.ts';
import { ApiError, asApiError, isPassing, Signal, useSignal } from './api.ts';
import { signed_in, watchedFetch } from './reach.ts';

export interface RunEvents {
  /** In order, without gaps, each once. The list is another one whenever there are more. */
  events: readonly RunEvent[];
  /** `reading`: from the stream. `waiting`: it broke, and is tried again. `ended`: all are here. */
  state: 'reading' | 'waiting' | 'ended' | 'refused';
  /** Why it is refused: not found, expired, not permitted. */
  error: ApiError | null;
}

const END = /^run\.(completed|failed|cancelled)$/;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;

/**
 * The events of a run from the first on, read while the page is in sight. After a cut it goes on
 * behind the last event it has, as often as it takes, with at most five seconds between two tries;
 * after the last event it stops.
 */
export function useRunEvents(run_id: string): RunEvents {
  const reader = useMemo(() => new Reader(run_id), [run_id]);
  useEffect(() => reader.start(), [reader]);
  return useSignal(reader.shown);
}

class Reader {
  readonly shown = new Signal<RunEvents>({ events: [], state: 'reading', error: null });
  readonly #run_id: string;
  readonly #events: RunEvent[] = [];
  #drawing = 0;

  constructor(run_id: string) {
    this.#run_id = run_id;
  }

  /** Reads until the end, or until what it answers is called. */
  start(): () => void {
    const leaving = new AbortController();
    void this.#read(leaving.signal);
    return () => {
      leaving.abort();
      cancelAnimationFrame(this.#drawing);
      this.#drawing = 0;
    };
  }

  async #read(signal: AbortSignal): Promise<void> {
    for (let wait_ms = FIRST_WAIT_MS; !signal.aborted;) {
      const before = this.#events.length;
      const met = signed_in.get();
      const error = await whileInSight(signal, (in_sight) => this.#readOnce(in_sight));
      if (signal.aborted) return;
      if (END.test(this.#events.at(-1)?.type ?? '')) return this.#show('ended');
      if (document.hidden) continue;
      // With 401 it is hidden below the sign-in, and goes on when the same person is there again.
      if (error && !isPassing(error) && error.status !== 401) return this.#show('refused', error);
      if (this.#events.length > before) wait_ms = FIRST_WAIT_MS;
      this.#show('waiting');
      if (error?.status === 401) await signedInAfter(met, signal);
      await paused(wait_ms, signal);
      wait_ms = Math.min(wait_ms * 2, LONGEST_WAIT_MS);
    }
  }

  /** One connection; answers why it ended, or null if the service closed it in order. */
  async #readOnce(signal: AbortSignal): Promise<ApiError | null> {
    let fault: unknown = null;
    let refusal: Response | undefined;
    try {
      const { stream } = await streamRunEvents({
        path: { run_id: this.#run_id }, signal, sseMaxRetryAttempts: 1,
        query: { starting_after: this.#events.length },
        headers: { Accept: 'text/event-stream' },
        fetch: (async (request: Request) => {
          const response = await watchedFetch(request);
          if (!response.ok) refusal = response.clone();
          else if (this.shown.get().state === 'waiting') this.#show('reading');
          return response;
        }) as never,
        onSseError: (error) => { fault = error; },
      });
      for await (const event of stream) {
        if (signal.aborted) break;
        if (event.sequence_number !== this.#events.length + 1) continue;
        this.#events.push(event);
        this.#drawing ||= requestAnimationFrame(() => this.#show('reading'));
      }
    } catch (error) {
      fault = error;
    }
    if (refusal) return asApiError(await refusal.json().catch(() => null), refusal);
    return fault === null ? null : new ApiError(0, 'unreachable', String(fault), {});
  }

  /** Once for each picture: a replay of thousands is drawn a few times. */
  #show(state: RunEvents['state'], error: ApiError | null = null): void {
    cancelAnimationFrame(this.#drawing);
    this.#drawing = 0;
    this.shown.set({ events: [...this.#events], state, error });
  }
}

/**
 * Reads as soon as the page is in sight, and breaks it off when it is not: a browser has six
 * connections to an HTTP/1.1 service, and six tabs in the background would leave none.
 */
async function whileInSight<T>(
  signal: AbortSignal, read: (signal: AbortSignal) => Promise<T>): Promise<T | null> {
  const hiding = new AbortController();
  const done = new AbortController();
  try {
    await new Promise<void>((resolve) => {
      const look = () => (document.hidden ? hiding.abort() : resolve());
      if (!document.hidden) resolve();
      signal.addEventListener('abort', () => resolve(), { signal: done.signal });
      document.addEventListener('visibilitychange', look, { signal: done.signal });
    });
    return signal.aborted ? null : await read(AbortSignal.any([signal, hiding.signal]));
  } finally {
    done.abort();
  }
}

/** Waits until somebody was found signed in, if nobody was since `met` was read of `signed_in`. */
async function signedInAfter(met: number, signal: AbortSignal): Promise<void> {
  if (signed_in.get() === met) await heard(signal, signed_in.subscribe);
}

async function paused(wait_ms: number, signal: AbortSignal): Promise<void> {
  await heard(signal, (onOver) => {
    const timer = setTimeout(onOver, wait_ms);
    return () => clearTimeout(timer);
  });
}

/** Waits until what it listens to has called, or until the signal; then it listens no more. */
function heard(signal: AbortSignal, listen: (onCall: () => void) => () => void): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      leave();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const leave = listen(end);
    signal.addEventListener('abort', end);
  });
}
