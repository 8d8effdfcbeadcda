import type { Dispatcher, RequestInit as Init, Response as Answer } from 'undici';
import { Departure, marking } from './departure.ts';
import { exchange } from './redirect.ts';
import { undici } from './undici.ts';
import { UpstreamUnreachable } from './unreachable.ts';

export interface GuardedFetchOptions {
  /** `confidential`: for requests with credentials. */
  dispatcherFor(confidential: boolean): Dispatcher;
  egress_allow: readonly string[];
  /** A body that is larger fails when it is read; also an event stream's. */
  response_limit_bytes: number;
}

/**
 * As `fetch`. `departure` is marked once something of the request has left. `confidential`: it
 * holds credentials, and is not sent to public addresses by plain http.
 */
export type GuardedFetch = (
  input: string | URL | Request,
  init?: RequestInit & { departure?: Departure | undefined; confidential?: boolean },
) => Promise<Response>;

/** Thrown where a body is read. */
export class AnswerTooLarge extends Error {
  override name = 'AnswerTooLarge';

  constructor() {
    super('The answer is larger than what is read of one.');
  }
}

/**
 * A fetch that goes where requests may go. It follows redirects itself, for the library's own would
 * keep custom headers when it leaves the origin; `redirect: 'manual'` and `'error'` are heeded. An
 * answer's body is bounded after it is decompressed. Rejects with EgressRefused and
 * UpstreamUnreachable; when the signal aborts, as fetch does.
 */
export function guardedFetch(
  { dispatcherFor, egress_allow, response_limit_bytes }: GuardedFetchOptions): GuardedFetch {
  return async (
    input, { departure = new Departure(), confidential = false, ...init } = {}) => {
    const dispatcher = dispatcherFor(confidential);
    const asked = input instanceof Request ? input : undefined;
    const given = { ...(asked === undefined ? {} : await initOf(asked)), ...init };
    const signal = given.signal ?? null;
    const { request, answer } = await exchange({
      method: (given.method ?? 'GET').toUpperCase(),
      url: new URL(asked?.url ?? String(input)),
      headers: writable(given.headers),
      body: given.body,
    }, {
      egress_allow, departure, signal, follow: given.redirect !== 'manual',
      async send({ url, method, headers, body }, hop) {
        const response = await undici().fetch(url, {
          method, headers, signal, redirect: 'manual', dispatcher: dispatcher.compose(marking(hop)),
          // The types of Node and of undici differ in name only.
          body: (body ?? null) as Init['body'],
        });
        return {
          response, status: response.status,
          location: response.headers.get('location') ?? undefined,
          async discard() {
            await response.body?.cancel();
            if (given.redirect === 'error') throw new TypeError('a redirect was answered');
          },
        };
      },
    });
    return bounded(answer.response, request.url, response_limit_bytes);
  };
}

function writable(headers: RequestInit['headers']): Record<string, string> {
  try {
    return Object.fromEntries(new Headers(headers));
  } catch (error) {
    throw new UpstreamUnreachable('the request cannot be written as HTTP', error);
  }
}

async function initOf(request: Request): Promise<RequestInit> {
  const { method, headers, signal, redirect } = request;
  const body = request.body === null ? undefined : await request.arrayBuffer();
  return { method, headers, signal, redirect, body };
}

function bounded(response: Answer, url: URL, limit_bytes: number): Response {
  const { status, statusText } = response;
  // A response of Node's own class: libraries look whether they got one.
  const answer = new Response(boundedBody(response.body as Response['body'], limit_bytes), {
    status, statusText, headers: [...response.headers] });
  return Object.defineProperty(answer, 'url', { value: url.href });
}

/**
 * A body that fails with AnswerTooLarge beyond the limit. (No generator: of one that nobody has
 * asked for a part yet, a cancelled stream would not end the body.)
 */
export function boundedBody(body: Response['body'], limit_bytes: number): Response['body'] {
  let bytes = 0;
  return body && body.pipeThrough(new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes <= limit_bytes) controller.enqueue(chunk);
      else controller.error(new AnswerTooLarge());
    },
  }));
}
