/**
 * How the service is asked, by the generated functions of `#client` and else, with the cookie;
 * whether it answers; and the events of a run, live, by the same stream as everybody's. A 401 leads
 * to the sign-in; a node that does not answer, or has no database, shows the bar of the frame until
 * it is well again.
 */
import { useEffect, useMemo } from 'react';
import { client } from '#client/client.gen.ts';
import { streamRunEvents } from '#client/sdk.gen.ts';
import type { RunEvent } from '#client/types.gen.ts';
import { ApiError, asApiError, isPassing, SERVICE, Signal, useSignal } from './api.ts';

/** `gone`: the node, or what stands before it, does not answer. `unwell`: it has no database. */
export type Reach = 'here' | 'gone' | 'unwell';
export const reach = new Signal<Reach>('here');
/** Counts the answers that said that nobody is signed in any more. */
export const signed_out = new Signal(0);
/** Counts the times that somebody was found to be signed in. */
export const signed_in = new Signal(0);

/** How many ms the clock of the service is ahead of the one here, as its answers tell. */
export const clock_ahead_ms = new Signal(0);
/** Answers tell whole seconds, and are on their way for a while: less is no difference. */
const CLOCK_DIFFERS_MS = 5_000;

function compareClocks({ headers }: Response, asked_ms: number): void {
  const now_ms = Date.now();
  // What was on its way for long, such as over a sleep, tells of then.
  if (now_ms - asked_ms >= CLOCK_DIFFERS_MS - 1_000) return;
  const ahead_ms = Date.parse(headers.get('Date') ?? '') - now_ms;
  if (Math.abs(ahead_ms - clock_ahead_ms.get()) > CLOCK_DIFFERS_MS) clock_ahead_ms.set(ahead_ms);
}

const GONE: ReadonlySet<number> = new Set([502, 504]);

/** So long an answer may keep silent. The service has a stream say something each 15 s. */
const SILENT_MS = 45_000;
/** As long as a proxy is told to wait for it: what is done, and the walk through the audit log. */
const DONE_MS = 300_000;
const isLong = ({ method, url }: Request) =>
  method !== 'GET' || /\/audit_log\/verification(\?|$)/.test(url);

/**
 * Asks, and gives up what keeps silent. The connection of a computer that has slept, or is in
 * another network, is dead without a word: it would be waited for for good.
 */
async function fetchUnlessSilent(request: Request, silent_ms: number): Promise<Response> {
  const silence = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const listen = (for_ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(new TypeError('Nothing came any more.')), for_ms);
  };
  const stop = () => clearTimeout(timer);
  listen(silent_ms);
  const signal = AbortSignal.any([request.signal, silence.signal]);
  const response = await fetch(request, { signal });
  if (!response.headers.get('Content-Type')?.startsWith('text/event-stream')) {
    // A long answer takes its time on a slow line.
    listen(DONE_MS);
    const whole = await response.arrayBuffer();
    stop();
    // With 204 there may be none.
    return new Response(whole.byteLength > 0 ? whole : null, response);
  }
  listen(SILENT_MS);
  const heard = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, told) {
      listen(SILENT_MS);
      told.enqueue(part);
    },
    flush: stop,
  });
  return new Response(response.body!.pipeThrough(heard), response);
}

/** Every request of the app, streams too, goes through here. */
async function watchedFetch(request: Request): Promise<Response> {
  const asked_ms = Date.now();
  try {
    const response = await fetchUnlessSilent(request, isLong(request) ? DONE_MS : SILENT_MS);
    compareClocks(response, asked_ms);
    if (GONE.has(response.status)) reach.set('gone');
    // One thing may be held up alone: the node says whether it is well.
    else if (response.status === 503) void lookAround();
    else if (reach.get() === 'gone') reach.set('here');
    // Signing in answers 401 as well, to a wrong token, and so does asking who is signed in.
    if (response.status === 401 && !/\/dashboard_sessions(\/current)?$/.test(request.url)) {
      signed_out.set(signed_out.get() + 1);
    }
    return response;
  } catch (error) {
    if (error instanceof TypeError) reach.set('gone');
    throw error;
  }
}

/** A node that takes longer to say whether it is well is not. */
const LOOK_MS = 10_000;
let looking: Promise<Reach> | undefined;

/** Asks the node whether it is well; those who ask at the same time share the answer. */
export function lookAround(): Promise<Reach> {
  const request = new Request(new URL('readyz', SERVICE), { cache: 'no-store' });
  return looking ??= fetchUnlessSilent(request, LOOK_MS)
    .then(({ ok, status }): Reach => (ok ? 'here' : GONE.has(status) ? 'gone' : 'unwell'),
      (): Reach => 'gone')
    .then((found) => {
      looking = undefined;
      reach.set(found);
      return found;
    });
}

client.setConfig({
  baseUrl: new URL('v1', SERVICE).href, credentials: 'same-origin', fetch: watchedFetch as never,
});
client.interceptors.error.use((error, response) =>
  (error instanceof DOMException && error.name === 'AbortError' ? error
    : asApiError(error, response)));

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
