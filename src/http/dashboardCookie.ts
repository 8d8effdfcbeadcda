/** The cookie of who is signed in to the dashboard, and for which requests it counts. */
import type { IncomingHttpHeaders } from 'node:http';
import { prefixOf } from '../origin.ts';
import { cookieOf, hostNameOf, secureOf } from './browserFlow.ts';

const NAME = 'gatehouse_dashboard';
/** As long as a session may live; the service ends most of them sooner. */
const MAX_AGE_S = 7 * 24 * 3_600;

export class DashboardCookie {
  readonly #public_url: string | null;

  constructor(public_url: string | null) {
    this.#public_url = public_url;
  }

  /**
   * The header that gives the browser of this request the secret of a session; an empty one takes
   * it away. Where nobody has said how the service is reached, the browser does: its Origin.
   */
  setting(headers: IncomingHttpHeaders, secret: string): string {
    const url = this.#public_url ?? headers.origin ?? null;
    const max_age_s = secret === '' ? 0 : MAX_AGE_S;
    const secure = secureOf(url);
    const name = this.#namesFor(headers).at(secure === '' ? -1 : 0)!;
    return `${name}=${secret}; Max-Age=${max_age_s}; Path=${this.#path}; HttpOnly; SameSite=Strict${
      secure}`;
  }

  /** The secret that a request came with, if it counts; null otherwise. */
  secretOf(method: string, headers: IncomingHttpHeaders): string | null {
    if (headers.cookie === undefined) return null;
    const secret = this.#namesFor(headers).map((name) => cookieOf(headers, name)).find(Boolean);
    return secret !== undefined && this.isOwn(method, headers) ? secret : null;
  }

  /**
   * Whether a page of our own has made the request. A browser says so by Sec-Fetch-Site where the
   * address is safe (https, localhost), and by Origin with whatever is not GET or HEAD. By plain
   * http to another host a GET has neither: it changes nothing, and no other origin can read what
   * it answers.
   */
  isOwn(method: string, headers: IncomingHttpHeaders): boolean {
    const { 'sec-fetch-site': site, origin } = headers;
    if (site !== undefined) return site === 'same-origin';
    if (origin !== undefined) return this.#isOwnOrigin(origin, headers.host);
    return method === 'GET' || method === 'HEAD';
  }

  /** Whether a browser says that a page of another origin has made the request. */
  isForeign(headers: IncomingHttpHeaders): boolean {
    return (headers['sec-fetch-site'] !== undefined || headers.origin !== undefined)
      && !this.isOwn('POST', headers);
  }

  /**
   * What an operator may have to set where a request counts as that of another origin; empty where
   * the browser itself says that it is.
   */
  adviceOn({ 'sec-fetch-site': site, origin, host }: IncomingHttpHeaders): string {
    if (site !== undefined || origin === undefined) return '';
    const known = this.#public_url === null ? `the request is for ${host} (its Host)`
      : `GATEHOUSE_PUBLIC_URL is ${this.#public_url}`;
    return ` If it is the dashboard: it was opened at ${origin}, while ${known}. Open it there, or`
      + ' set GATEHOUSE_PUBLIC_URL to where browsers reach it.';
  }

  #isOwnOrigin(origin: string, host: string | undefined): boolean {
    const { protocol, host: named } = URL.parse(origin) ?? {};
    if (this.#public_url !== null) return origin === new URL(this.#public_url).origin;
    return (protocol === 'http:' || protocol === 'https:') && named === host;
  }

  get #path(): string {
    return prefixOf(this.#public_url) || '/';
  }

  /**
   * Browsers send a cookie to every port of a host, where each may be another service. The port is
   * that of the browser's address: nodes behind a proxy may have others, each its own. Where nobody
   * has said how the service is reached there are two names, that by https first: one of http could
   * not be set beside it, and a neighbour could set it.
   */
  #namesFor({ host }: IncomingHttpHeaders): string[] {
    if (this.#public_url !== null) return [hostNameOf(this.#public_url, NAME)];
    const name = `${NAME}_${/:(\d+)$/.exec(host ?? '')?.[1] ?? 80}`;
    return [`__Host-${name}`, name];
  }
}
