/**
 * The one way out: HTTP requests to other systems, within bounds. Where a request may go is checked
 * at every step (`egress.ts`), what comes back is bounded in bytes and in time.
 */
import type { LookupFunction } from 'node:net';
import type { Dispatcher } from 'undici';
import { deadline } from '../../deadline.ts';
import { createAgents } from './agents.ts';
import { Departure, marking } from './departure.ts';
import { EgressRefused } from './egress.ts';
import { guardedFetch, type GuardedFetch } from './guardedFetch.ts';
import { exchange } from './redirect.ts';
import {
  ACCEPT_ENCODING, readResponseBody, type LargeBody, type Overflow,
} from './responseBody.ts';
import { undici } from './undici.ts';
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
  /** It holds credentials: it is not sent to public addresses by plain http. */
  confidential?: boolean;
  /** Is marked once something of the request has left. */
  departure?: Departure;
  /** What takes an answer that is larger than the limit; null: it is cut. */
  overflow?(answer: Pick<UpstreamResponse, 'status' | 'headers'>): Overflow | null;
  /** Where an answer waits that turns out to be large. */
  large?: LargeBody;
}

export interface UpstreamResponse {
  status: number;
  /** By lower-case name; the values of a repeated header are joined by commas. */
  headers: Record<string, string>;
  /** Where the answer came from in the end, after redirects. */
  url: string;
  /** See exchange: what it says of credentials is not of those that were sent. */
  strayed: boolean;
  /** See exchange: it is no answer to what was asked for. */
  rewritten: boolean;
  body: Buffer;
  /** The body is larger than the limit; the rest is not here. */
  cut: boolean;
}

export interface Upstream {
  /** Rejects with EgressRefused, UpstreamUnreachable, or the reason of `signal`. */
  send(request: UpstreamRequest, signal: AbortSignal): Promise<UpstreamResponse>;
  /** A fetch for libraries (OAuth, MCP) that passes the same guard. */
  fetchFor(options: { egress_allow: readonly string[] }): GuardedFetch;
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

// These belong to the transport: a caller who sets them could make another request of it.
const TRANSPORT_HEADERS = new Set(['host', 'connection', 'content-length', 'transfer-encoding',
  'keep-alive', 'upgrade', 'te', 'trailer', 'expect', 'proxy-connection', 'proxy-authorization']);

export function createUpstream(options: UpstreamOptions): Upstream {
  const { response_limit_bytes, timeout_ms = TIMEOUT_MS, lookup } = options;
  const agents = createAgents({
    connect_timeout_ms: options.connect_timeout_ms ?? CONNECT_TIMEOUT_MS, timeout_ms, lookup,
  });

  async function send(
    { departure = new Departure(), ...request }: UpstreamRequest, signal: AbortSignal,
  ): Promise<UpstreamResponse> {
    const clock = deadline(timeout_ms, signal);
    try {
      return await sendWithin(request, departure, clock.signal);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (clock.is_over) throw new UpstreamUnreachable('it did not answer in time', error);
      throw error instanceof EgressRefused || error instanceof UpstreamUnreachable
        ? error : unreachable(error, departure.left);
    } finally {
      clock.end();
    }
  }

  async function sendWithin(
    given: UpstreamRequest, departure: Departure, signal: AbortSignal): Promise<UpstreamResponse> {
    const { egress_allow, confidential = false } = given;
    const agent = agents.for({ egress_allow, confidential });
    const { request, answer, strayed, rewritten } = await exchange(withOwnHeaders(given), {
      egress_allow, departure, signal, follow: true,
      async send({ url, method, headers, body = null }, hop) {
        const response = await undici().request(url, {
          dispatcher: agent.compose(marking(hop)), signal, headers, body,
          method: method as Dispatcher.HttpMethod,
        });
        // Errors of a body that is given up, or broke off before, are of no interest.
        const discard = () => response.body.on('error', () => {}).destroy();
        const answered = joined(response.headers);
        return { ...response, headers: answered, status: response.statusCode,
          location: answered.location, discard };
      },
    });
    const { status, headers, discard } = answer;
    try {
      // By HTTP this status has no body. Some services send one nevertheless, which the parser
      // takes for a broken answer, although the status has said that all is done.
      const read = status === 204 ? { body: Buffer.alloc(0), cut: false }
        : await readResponseBody(answer.body, headers['content-encoding'], response_limit_bytes,
          given.overflow?.({ status, headers }), given.large);
      return { status, headers, url: request.url.href, strayed, rewritten, ...read };
    } finally {
      discard();
    }
  }

  return {
    send,
    fetchFor: ({ egress_allow }) => guardedFetch({
      dispatcherFor: (confidential) => agents.for({ egress_allow, confidential }), egress_allow,
      response_limit_bytes,
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
