/**
 * What the pages share by which a browser is sent to another service and comes back: a cookie shows
 * that both are the same browser.
 */
import { createHash } from 'node:crypto';
import { prefixOf } from '../origin.ts';
import type { WebPage } from './pages.ts';

/** Of every page of a flow. */
export const FLOW_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  // The addresses hold tickets and codes.
  'Referrer-Policy': 'no-referrer',
};

/** For the person who waits, when the database is away. */
export const AWAY = 'The service cannot reach its database at the moment. Wait for a few seconds,'
  + ' then load this page again; if that does not help, begin again.';

/** The page, with the word for programs when to try again. */
export function away(page: WebPage): WebPage {
  return { ...page, headers: { ...page.headers, 'Retry-After': '1' } };
}

/** As narrow as possible: sent only to the pages below `path`, and hidden from scripts. */
export function flowCookieAttributes(public_url: string | null, path: string): string {
  return `; Path=${prefixOf(public_url)}${path}; HttpOnly; SameSite=Lax${secureOf(public_url)}`;
}

/** A cookie is sent by https alone where that is how the service is reached. */
export function secureOf(public_url: string | null): string {
  return isHttps(public_url) ? '; Secure' : '';
}

export function isHttps(public_url: string | null): boolean {
  return URL.parse(public_url ?? '')?.protocol === 'https:';
}

/** A cookie for each flow, so that several in one browser do not disturb each other. */
export function flowCookieName(prefix: string, state: string): string {
  return prefix + createHash('sha256').update(state).digest('hex').slice(0, 16);
}
