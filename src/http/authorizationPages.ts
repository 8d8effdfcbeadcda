/**
 * The two pages of an authorization: the first sends the browser to the other service, and the
 * browser comes back to the second. A cookie shows that both are the same browser.
 */
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { FLOW_LIFETIME_S } from '../gateway/credentials/flows.ts';
import { CALLBACK_PATH, START_PATH } from '../gateway/integrations/connections.ts';
import type { Services } from '../operations/services.ts';
import type { PageMaker, WebPage } from './pages.ts';

const COOKIE_PREFIX = 'gatehouse_oauth_';
const HEADERS = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  // The addresses hold the ticket and the code.
  'Referrer-Policy': 'no-referrer',
};
const NOT_CONNECTED = 'The account is not connected';

/** The pages by their paths. */
export function authorizationPages(services: Services): Map<string, PageMaker> {
  const { connections, config } = services;
  const attributes = cookieAttributes(config.public_url);
  const start = page(services, async ({ query }) => {
    const ticket = new URLSearchParams(query).get('ticket') ?? '';
    const { url, state, session } = await connections.openAuthorization(ticket);
    return {
      status: 303, type: 'text/plain; charset=utf-8', content: 'See there.\n',
      headers: {
        ...HEADERS, Location: url,
        'Set-Cookie': `${cookieName(state)}=${session}; Max-Age=${FLOW_LIFETIME_S}${attributes}`,
      },
    };
  });
  const finish = page(services, async ({ path, query, headers }) => {
    const { integration } = await connections.authorized(new URLSearchParams(query),
      { session: cookieOf(headers, nameOf(query)), path });
    return text(200, 'The account is connected',
      `Agents can use the connection to ${integration} now. You can close this window.`);
  });
  const end: PageMaker = async (request) => {
    const made = await finish(request);
    const name = nameOf(request.query);
    if (request.method === 'HEAD' || cookieOf(request.headers, name) === null) return made;
    // The cookie is cleared once the state is used up. After a fault of ours the state may still be
    // valid, and a second try needs the cookie.
    if (made.status === 500) return made;
    const cleared = { 'Set-Cookie': `${name}=; Max-Age=0${attributes}` };
    return { ...made, headers: { ...made.headers, ...cleared } };
  };
  return new Map<string, PageMaker>([
    [START_PATH, start], [CALLBACK_PATH, end], [`${CALLBACK_PATH}/{slug}`, end],
  ]);
}

/** A page that says what went wrong, if something does. */
function page({ log }: Services, make: PageMaker): PageMaker {
  return async (request) => {
    // Programs that preview links send HEAD requests, which must not use an address up.
    if (request.method === 'HEAD') return text(200, '', '');
    try {
      return await make(request);
    } catch (error) {
      const { name, message } = error as Error;
      // Only this error has a message for the person who tried.
      if (name === 'AuthorizationFailed') return text(400, NOT_CONNECTED, message);
      log.error({ err: error }, 'an authorization failed by a fault of ours');
      return text(500, NOT_CONNECTED,
        'Something went wrong in the service. Try again, or ask its operator.');
    }
  };
}

/** As narrow as possible: sent only to these pages, and hidden from scripts. */
function cookieAttributes(public_url: string | null): string {
  const { protocol, pathname } = new URL(public_url ?? 'http://localhost');
  return `; Path=${pathname.replace(/\/+$/, '')}/oauth; HttpOnly; SameSite=Lax`
    + (protocol === 'https:' ? '; Secure' : '');
}

/** A cookie for each authorization, so that several in one browser do not disturb each other. */
function cookieName(state: string): string {
  return COOKIE_PREFIX + createHash('sha256').update(state).digest('hex').slice(0, 16);
}

function nameOf(query: string): string {
  return cookieName(new URLSearchParams(query).get('state') ?? '');
}

function cookieOf({ cookie = '' }: IncomingHttpHeaders, name: string): string | null {
  const found = cookie.split(';').map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`));
  return found?.slice(name.length + 1) ?? null;
}

function text(status: number, title: string, paragraph: string): WebPage {
  const content = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escaped(title)}`
    + `</title><h1>${escaped(title)}</h1><p>${escaped(paragraph)}</p></html>\n`;
  return { status, type: 'text/html; charset=utf-8', content, headers: HEADERS };
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
