/**
 * The one way out: HTTP requests to other systems, within bounds. Where a request may go is checked
 * at every step (`egress.ts`), what comes back is bounded in bytes and in time.
 */
import type { LookupFunction } from 'node:net';
import { request as exchange, type Dispatcher } from 'undici';
import { Agents } from './agents.ts';
import { checkUpstreamUrl, EgressRefused } from './egress.ts';
import { guardedFetch } from './guardedFetch.ts';
import { redirected, REDIRECTS_LIMIT, tooManyRedirects } from './redirect.ts';
import { ACCEPT_ENCODING, readBody } from './responseBody.ts';
import { unreachable, UpstreamUnreachable } from './unreachable.ts';

export interface UpstreamRequest {
  method: string;
  url: URL;
  /** By lower-case name. */
  headers: Record<string, string>;
  /** Already serialised. */
  body?: Buffer | string;
  /** `cidr:port` entries that the operator allows besides public addresses. */
  egress_allow: readonly string[];
}

export interface UpstreamResponse {
  status: number;
  /** By lower-case name; of repeated ones the values are joined by commas. */
  headers: Record<string, string>;
  /** Where the answer came from in the end, after redirects. */
  url: string;
  body: Buffer;
  /** The body is larger than the limit; the rest was not read. */
  cut: boolean;
}

export interface Upstream {
  /** Rejects with EgressRefused, UpstreamUnreachable, or the reason of `signal`. */
  send(request: UpstreamRequest, signal: AbortSignal): Promise<UpstreamResponse>;
  /** A fetch for libraries (OAuth, MCP) that passes the same guard. */
  fetchFor(options: { egress_allow: readonly string[] }): typeof fetch;
  close(): Promise<void>;
}

export interface UpstreamOptions {
  response_limit_bytes: number;
  connect_timeout_ms?: number;
  /** How long one exchange may take with all its redirects, whatever `signal` says. */
  timeout_ms?: number;
  /** How names are resolved; tests lead them where they like. */
  lookup?: LookupFunction;
}

const CONNECT_TIMEOUT_MS = 10_000;
const TIMEOUT_MS = 120_000;
const USER_AGENT = 'gatehouse';

// They belong to the transport. Whoever could set them could speak for another request.
const TRANSPORT_HEADERS = new Set(['host', 'connection', 'content-length', 'transfer-encoding',
  'keep-alive', 'upgrade', 'te', 'trailer', 'expect', 'proxy-connection', 'proxy-authorization']);

export function createUpstream(options: UpstreamOptions): Upstream {
  const { response_limit_bytes, timeout_ms = TIMEOUT_MS, lookup } = options;
  const agents = new Agents({
    connect_timeout_ms: options.connect_timeout_ms ?? CONNECT_TIMEOUT_MS, timeout_ms, lookup,
  });

  async function send(request: UpstreamRequest, signal: AbortSignal): Promise<UpstreamResponse> {
    const clock = AbortSignal.timeout(timeout_ms);
    const progress = { answered: false };
    try {
      return await follow(withOwnHeaders(request), AbortSignal.any([signal, clock]), progress);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (clock.aborted) {
        throw new UpstreamUnreachable('it did not answer in time', { reached: true, cause: error });
      }
      const failure = error instanceof EgressRefused || error instanceof UpstreamUnreachable
        ? error : unreachable(error);
      // Where a redirect leads is not reached, but who answered with it was.
      if (progress.answered) failure.reached = true;
      throw failure;
    }
  }

  async function follow(
    first: UpstreamRequest, signal: AbortSignal, progress: { answered: boolean },
  ): Promise<UpstreamResponse> {
    const dispatcher = agents.for(first.egress_allow);
    let request = first;
    for (let redirects = 0; ; redirects++) {
      const url = checkUpstreamUrl(request.url, request.egress_allow);
      const response = await exchange(url, {
        dispatcher, signal, method: request.method as Dispatcher.HttpMethod,
        headers: request.headers, body: request.body ?? null,
      });
      progress.answered = true;
      const headers = joined(response.headers);
      try {
        const next = redirected(request, response.statusCode, headers.location);
        if (next === null) {
          const encoding = headers['content-encoding'];
          const read = await readBody(response.body, encoding, response_limit_bytes);
          return { status: response.statusCode, headers, url: url.href, ...read };
        }
        if (redirects === REDIRECTS_LIMIT) throw tooManyRedirects();
        request = next;
      } finally {
        // A redirect's body is nobody's concern, nor is what follows a failure; read ones are done.
        response.body.on('error', () => {}).destroy();
      }
    }
  }

  return {
    send,
    fetchFor: ({ egress_allow }) => guardedFetch({
      dispatcher: agents.for(egress_allow), egress_allow, response_limit_bytes,
    }),
    close: () => agents.close(),
  };
}

function withOwnHeaders(request: UpstreamRequest): UpstreamRequest {
  const given = Object.entries(request.headers)
    .filter(([name]) => !TRANSPORT_HEADERS.has(name.toLowerCase()));
  return { ...request, headers: { 'user-agent': USER_AGENT, ...Object.fromEntries(given),
    'accept-encoding': ACCEPT_ENCODING } };
}

function joined(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]]));
}
