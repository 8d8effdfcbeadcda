/**
 * The two pages of an authorization: the one that it begins with, which sends the browser on to the
 * other service, and the one that it comes back to. A cookie says that both are the same browser.
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
  const finish = page(services, async ({ query, headers }) => {
    const { integration } = await connections.authorized(
      new URLSearchParams(query), cookieOf(headers, nameOf(query)));
    return text(200, 'The account is connected',
      `Agents can use the connection to ${integration} now. You can close this window.`);
  });
  return new Map<string, PageMaker>([
    [START_PATH, start],
    [CALLBACK_PATH, async (request) => {
      const made = await finish(request);
      const name = nameOf(request.query);
      if (request.method === 'HEAD' || cookieOf(request.headers, name) === null) return made;
      // Else the state is used up, or was not this browser's. By a fault of ours it may be there
      // still, and whoever tries again needs the cookie.
      if (made.status === 500) return made;
      const cleared = { 'Set-Cookie': `${name}=; Max-Age=0${attributes}` };
      return { ...made, headers: { ...made.headers, ...cleared } };
    }],
  ]);
}

/** A page that says what went wrong, if something does. */
function page({ log }: Services, make: PageMaker): PageMaker {
  return async (request) => {
    // Programs that look at links send these, and must not use an address up.
    if (request.method === 'HEAD') return text(200, '', '');
    try {
      return await make(request);
    } catch (error) {
      const { name, message } = error as Error;
      // The one error whose message is for the person who tried.
      if (name === 'AuthorizationFailed') return text(400, NOT_CONNECTED, message);
      log.error({ err: error }, 'an authorization failed by a fault of ours');
      return text(500, NOT_CONNECTED,
        'Something went wrong in the service. Try again, or ask its operator.');
    }
  };
}

/** As narrow as can be: where these pages are in the eyes of a browser, and not in scripts. */
function cookieAttributes(public_url: string | null): string {
  const { protocol, pathname } = new URL(public_url ?? 'http://localhost');
  return `; Path=${pathname.replace(/\/+$/, '')}/oauth; HttpOnly; SameSite=Lax`
    + (protocol === 'https:' ? '; Secure' : '');
}

/** One for each authorization, so that several in one browser do not get in each other's way. */
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
