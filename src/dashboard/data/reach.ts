/**
 * How the service is asked, by the generated functions of `#client` and else, with the cookie; and
 * whether it answers. A 401 leads to the sign-in; a node that does not answer, or has no database,
 * shows the bar of the frame until it is well again.
 */
import { client } from '#client/client.gen.ts';
import { asApiError, SERVICE, Signal } from './api.ts';

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
export async function watchedFetch(request: Request): Promise<Response> {
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
