import { textOfHeader } from '../../textOfBytes.ts';
import { Departure } from './departure.ts';
import { checkUpstreamUrl, EgressRefused } from './egress.ts';
import { unreachable } from './unreachable.ts';

const REDIRECTS_LIMIT = 3;

/** What a redirect is decided by, and what it changes. */
export interface Redirectable {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body?: unknown;
}

// All other headers may be credentials, or were meant for nobody but the first origin.
const KEPT_ACROSS_ORIGINS = new Set(['accept', 'accept-encoding', 'user-agent', 'content-type']);

/** What a request was answered with. */
export interface Answered {
  status: number;
  location: string | undefined;
  /** Gives the body up. */
  discard(): unknown;
}

export interface ExchangeOptions<R, A> {
  egress_allow: readonly string[];
  /** Of the whole, over all redirects. */
  departure: Departure;
  signal: AbortSignal | null;
  /** Whether redirects are followed; else the first answer is the last. */
  follow: boolean;
  /** Makes one request and marks its departure. */
  send(request: R, departure: Departure): Promise<A>;
}

/**
 * Sends a request, and what redirects make of it. Checks where each one goes before it is sent.
 * Rejects with EgressRefused, UpstreamUnreachable or, once `signal` has aborted, whatever comes.
 * `strayed`: the answer is of another request than the first, or of another origin, to which its
 * credentials were not sent; so it says nothing of them, and the first may have been carried out.
 * `rewritten`: a redirect has made another method of it, so that what was asked for may never have
 * been looked at. A 303 within the origin has not: it says where to read what came of the first.
 */
export async function exchange<R extends Redirectable, A extends Answered>(
  first: R, { egress_allow, departure, signal, follow, send }: ExchangeOptions<R, A>,
): Promise<{ request: R, answer: A, strayed: boolean, rewritten: boolean }> {
  let request = first;
  let [strayed, rewritten] = [false, false];
  for (let redirects = 0; ; redirects++) {
    checkUpstreamUrl(request.url, egress_allow);
    const hop = new Departure(departure);
    const answer = await send(request, hop).catch((error: unknown) => {
      throw signal?.aborted ? error : refusalIn(error) ?? unreachable(error, hop.left);
    });
    if (!follow || !isRedirect(answer)) return { request, answer, strayed, rewritten };
    await answer.discard();
    if (redirects === REDIRECTS_LIMIT) {
      throw new EgressRefused(`There are more than ${REDIRECTS_LIMIT} redirects.`);
    }
    const next = redirected(request, answer.status, answer.location!);
    const [turned, away] =
      [next.method !== request.method, next.url.origin !== request.url.origin];
    strayed ||= turned || away;
    rewritten ||= turned && (away || answer.status !== 303);
    request = next;
  }
}

/** fetch hides the reason in the cause of a TypeError. */
function refusalIn(error: unknown): EgressRefused | null {
  if (error instanceof EgressRefused) return error;
  return error instanceof Error && error.cause instanceof EgressRefused ? error.cause : null;
}

function isRedirect({ status, location }: Answered): boolean {
  return [301, 302, 303, 307, 308].includes(status) && location !== undefined;
}

/**
 * The request that follows `request`. Where it leads is not checked here. A body is not sent to
 * another origin: it may hold a client secret or data that were meant for the first one.
 */
function redirected<R extends Redirectable>(request: R, status: number, location: string): R {
  const url = URL.parse(textOfHeader(location), request.url.href);
  if (url === null) throw new EgressRefused('A redirect leads to something that is no URL.');
  url.hash = '';
  const { method } = request;
  const becomesGet = (status === 303 && method !== 'HEAD' && method !== 'GET')
    || (status < 303 && method === 'POST');
  const next = { ...request, url, headers: { ...request.headers } };
  if (becomesGet) {
    next.method = 'GET';
    delete next.body;
    for (const name of Object.keys(next.headers)) {
      if (name.startsWith('content-')) delete next.headers[name];
    }
  }
  if (url.origin === request.url.origin) return next;
  if (next.body !== undefined && next.body !== null) {
    throw new EgressRefused('A redirect to another origin asks for the request\'s body.');
  }
  next.headers = Object.fromEntries(Object.entries(next.headers)
    .filter(([name]) => KEPT_ACROSS_ORIGINS.has(name)));
  return next;
}
