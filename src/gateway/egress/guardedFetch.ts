import { TransformStream, type ReadableStream } from 'node:stream/web';
import { fetch as exchange, type Dispatcher, type RequestInit as Init } from 'undici';
import { checkUpstreamUrl, EgressRefused } from './egress.ts';
import { redirected, REDIRECTS_LIMIT, tooManyRedirects } from './redirect.ts';
import { afterAnswer } from './unreachable.ts';

export interface GuardedFetchOptions {
  dispatcher: Dispatcher;
  egress_allow: readonly string[];
  /** A body that is larger fails when it is read; also an event stream's. */
  response_limit_bytes: number;
}

/**
 * A fetch that goes where requests may go. It follows redirects itself, for the library's own would
 * keep custom headers when it leaves the origin; `redirect: 'manual'` and `'error'` are heeded. An
 * answer's body is bounded after it is decompressed. A refusal is thrown as it is.
 */
export function guardedFetch(options: GuardedFetchOptions): typeof fetch {
  return async (input, init) => {
    const asked = input instanceof Request ? input : undefined;
    const given = { ...(asked === undefined ? {} : await initOf(asked)), ...init };
    let request = {
      method: (given.method ?? 'GET').toUpperCase(),
      url: new URL(asked?.url ?? String(input)),
      headers: Object.fromEntries(new Headers(given.headers)),
      body: given.body,
    };
    for (let redirects = 0; ; redirects++) {
      checkUpstreamUrl(request.url, options.egress_allow);
      const response = await exchange(request.url, {
        method: request.method,
        headers: request.headers,
        // The types of Node and of undici differ in name only.
        body: (request.body ?? null) as Init['body'],
        signal: given.signal ?? null,
        redirect: 'manual',
        dispatcher: options.dispatcher,
      }).catch((error) => refusalWithin(redirects === 0 ? error : afterAnswer(error)));
      const next = given.redirect === 'manual' ? null
        : redirected(request, response.status, response.headers.get('location') ?? undefined);
      if (next === null) return bounded(response, request.url, options.response_limit_bytes);
      await response.body?.cancel();
      if (given.redirect === 'error') throw new TypeError('a redirect was answered');
      if (redirects === REDIRECTS_LIMIT) throw tooManyRedirects();
      request = next;
    }
  };
}

async function initOf(request: Request): Promise<RequestInit> {
  const { method, headers, signal, redirect } = request;
  const body = request.body === null ? undefined : await request.arrayBuffer();
  return { method, headers, signal, redirect, body };
}

/** fetch hides the reason in the cause of a TypeError; whoever called needs to know it. */
function refusalWithin(error: unknown): never {
  throw error instanceof Error && error.cause instanceof EgressRefused ? error.cause : error;
}

type Answer = Awaited<ReturnType<typeof exchange>>;

function bounded(response: Answer, url: URL, limit_bytes: number): Response {
  let bytes = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes <= limit_bytes) controller.enqueue(chunk);
      else controller.error(new EgressRefused('The answer is larger than what is read of one.'));
    },
  });
  const body = response.body as ReadableStream<Uint8Array> | null;
  const { status, statusText } = response;
  // A response of Node's own class: libraries look whether they got one.
  type Body = ConstructorParameters<typeof Response>[0];
  const answer = new Response(body === null ? null : body.pipeThrough(counter) as Body, {
    status, statusText, headers: [...response.headers] });
  return Object.defineProperty(answer, 'url', { value: url.href });
}
