/**
 * What the pages share by which a browser is sent to another service and comes back: a cookie shows
 * that both are the same browser.
 */
import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { hasNoRoom } from '../errors.ts';
import { asHtml } from '../html.ts';
import type { Services } from '../operations/services.ts';
import { prefixOf } from '../origin.ts';
import type { PageMaker, WebPage } from './pages.ts';

/** Of every page of a flow. */
const FLOW_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  // The addresses hold tickets and codes.
  'Referrer-Policy': 'no-referrer',
};

/** For the person who waits, when the database has no room, or is away. */
const FULL = 'The service has no room left in its database. Begin again once its operator has made'
  + ' room.';
const AWAY = 'The service cannot reach its database at the moment. Wait for a few seconds,'
  + ' then load this page again; if that does not help, begin again.';

/** What goes wrong on the pages of a flow, and how a person is told so. */
interface FlowFaults {
  /** What has failed, for the log: "a sign-in". */
  what: string;
  /** The page for an error whose message is for the person who tried; null for any other. */
  told(error: unknown): WebPage | null;
  failed(status: number, why: string): WebPage;
}

/** A page of a flow that says what went wrong, if something does. */
export function flowPage(
  { log, isUnavailable }: Services, { what, told, failed }: FlowFaults, make: PageMaker,
): PageMaker {
  return async (request) => {
    // Programs that preview links send HEAD requests, which must not use an address up.
    if (request.method === 'HEAD') return flowHtml(200, '');
    try {
      return await make(request);
    } catch (error) {
      const telling = told(error);
      if (telling !== null) return telling;
      if (isUnavailable(error)) {
        const is_full = hasNoRoom(error);
        log.warn({ err: error },
          `the database ${is_full ? 'had no room' : 'was away'} during ${what}`);
        const page = failed(503, is_full ? FULL : AWAY);
        return { ...page, headers: { ...page.headers, 'Retry-After': '1' } };
      }
      log.error({ err: error }, `${what} failed by a fault of ours`);
      return failed(500, 'Something went wrong in the service. Try again, or ask its operator.');
    }
  };
}

/** A page with a few words for the person who waits, and a link to go on by, if there is one. */
export function flowMessage(
  status: number, title: string, words: string, link?: { href: string; text: string }): WebPage {
  const goOn = link ? `<p><a href="${asHtml(link.href)}">${asHtml(link.text)}</a></p>` : '';
  return flowHtml(status, '<!doctype html><html lang="en"><meta charset="utf-8">'
    + '<meta name="viewport" content="width=device-width, initial-scale=1">'
    + '<meta name="color-scheme" content="light dark">'
    + `<title>${asHtml(title)}</title><main><h1>${asHtml(title)}</h1>`
    + `<p>${asHtml(words)}</p>${goOn}</main></html>\n`);
}

function flowHtml(status: number, content: string): WebPage {
  return { status, type: 'text/html; charset=utf-8', content, headers: FLOW_HEADERS };
}

/** Sends the browser on, with these cookies. */
export function seeOther(location: string, cookies: string[]): WebPage {
  return {
    status: 303, type: 'text/plain; charset=utf-8', content: 'See there.\n',
    headers: { ...FLOW_HEADERS, Location: location, 'Set-Cookie': cookies },
  };
}

/** A cookie for each flow, by its state: several in one browser do not disturb each other. */
export class FlowCookie {
  readonly #public_url: string | null;
  readonly #name: string;
  readonly #attributes: string;

  /** `name`: how the names of these cookies begin. `path`: below it are the pages that need it. */
  constructor(public_url: string | null, name: string, path: string) {
    this.#public_url = public_url;
    this.#name = name;
    // As narrow as possible, and hidden from scripts. What is bound to the host needs the path `/`.
    const narrow = isHostAlone(public_url) ? '/' : prefixOf(public_url) + path;
    this.#attributes = `; Path=${narrow}; HttpOnly; SameSite=Lax${secureOf(public_url)}`;
  }

  /** The header that keeps a value for the way; one without a value takes it away. */
  setting(state: string, value: string, max_age_s: number): string {
    return `${this.#nameOf(state)}=${value}; Max-Age=${value === '' ? 0 : max_age_s}`
      + this.#attributes;
  }

  /** What the browser has kept; null if it has not begun this flow. */
  valueOf(headers: IncomingHttpHeaders, state: string): string | null {
    return cookieOf(headers, this.#nameOf(state));
  }

  #nameOf(state: string): string {
    const digest = hash('sha256', state, 'hex').slice(0, 16);
    return hostNameOf(this.#public_url, this.#name + digest);
  }
}

/**
 * The name of a cookie, with `__Host-` where a browser takes that: such a cookie comes from this
 * very host by https, so that no neighbour below the same domain can put one of its own in its
 * place. Browsers want the path `/` with it, which a service below a prefix does not have.
 */
export function hostNameOf(public_url: string | null, name: string): string {
  return isHostAlone(public_url) ? `__Host-${name}` : name;
}

function isHostAlone(public_url: string | null): boolean {
  return isHttps(public_url) && prefixOf(public_url) === '';
}

/** The value of the cookie with this name; null if the request has none. */
export function cookieOf({ cookie = '' }: IncomingHttpHeaders, name: string): string | null {
  const found = cookie.split(';').map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`));
  return found?.slice(name.length + 1) ?? null;
}

/** A cookie is sent by https alone where that is how the service is reached. */
export function secureOf(public_url: string | null): string {
  return isHttps(public_url) ? '; Secure' : '';
}

function isHttps(public_url: string | null): boolean {
  return URL.parse(public_url ?? '')?.protocol === 'https:';
}
