import { EgressRefused } from './egress.ts';

export const REDIRECTS_LIMIT = 3;

/** What a redirect is decided by, and what it changes. */
export interface Redirectable {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body?: unknown;
}

// All other headers may be credentials, or were meant for nobody but the first origin.
const KEPT_ACROSS_ORIGINS = new Set(['accept', 'accept-encoding', 'user-agent', 'content-type']);

/**
 * The request that follows `request`, or null: the response is the answer. Where it leads is not
 * checked here. A body is not sent to another origin: it may hold a client secret or data that were
 * meant for the first one.
 */
export function redirected<R extends Redirectable>(
  request: R, status: number, location: string | undefined): R | null {
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return null;
  const url = targetOf(location, request.url);
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

function targetOf(location: string, base: URL): URL {
  try {
    const url = new URL(location, base);
    url.hash = '';
    return url;
  } catch {
    throw new EgressRefused('A redirect leads to something that is no URL.');
  }
}

export function tooManyRedirects(): EgressRefused {
  return new EgressRefused(`There are more than ${REDIRECTS_LIMIT} redirects.`);
}
