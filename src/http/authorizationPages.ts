/**
 * The two pages of an authorization: the first sends the browser to the other service, and the
 * browser comes back to the second. A cookie shows that both are the same browser. A third page
 * says who asks, to services that want to know.
 */
import {
  AuthorizationFailed, clientMetadata, FLOW_LIFETIME_S, OAUTH_CALLBACK_PATH, OAUTH_CLIENT_PATH,
  OAUTH_START_PATH,
} from '../gateway/face.ts';
import { asHtml } from '../html.ts';
import type { Services } from '../operations/services.ts';
import { AWAY, away, FLOW_HEADERS, FlowCookie } from './browserFlow.ts';
import type { PageMaker, WebPage } from './pages.ts';

const COOKIE_NAME = 'gatehouse_oauth_';
const SLUG = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const NOT_CONNECTED = 'The account is not connected';

/** The pages by their paths. */
export function authorizationPages(services: Services): Map<string, PageMaker> {
  const { connections, config } = services;
  const cookie = new FlowCookie(config.public_url, COOKIE_NAME, '/oauth');
  const start = page(services, async ({ query }) => {
    const ticket = new URLSearchParams(query).get('ticket') ?? '';
    const { url, state, session } = await connections.openAuthorization(ticket);
    return {
      status: 303, type: 'text/plain; charset=utf-8', content: 'See there.\n',
      headers: {
        ...FLOW_HEADERS, Location: url,
        'Set-Cookie': cookie.setting(state, session, FLOW_LIFETIME_S),
      },
    };
  });
  const finish = page(services, async ({ path, query, headers }) => {
    const { integration } = await connections.authorized(new URLSearchParams(query),
      { session: cookie.valueOf(headers, stateOf(query)), path });
    return text(200, 'The account is connected',
      `Agents can use the connection to ${integration} now. You can close this window.`);
  });
  const end: PageMaker = async (request) => {
    const made = await finish(request);
    const state = stateOf(request.query);
    if (request.method === 'HEAD' || cookie.valueOf(request.headers, state) === null) return made;
    // The cookie is cleared once the state is used up. After a fault of ours the state may still be
    // valid, and a second try needs the cookie.
    if (made.status >= 500) return made;
    const cleared = { 'Set-Cookie': cookie.setting(state, '', 0) };
    return { ...made, headers: { ...made.headers, ...cleared } };
  };
  return new Map<string, PageMaker>([
    [OAUTH_START_PATH, start], [OAUTH_CALLBACK_PATH, end], [`${OAUTH_CALLBACK_PATH}/{slug}`, end],
    [`${OAUTH_CLIENT_PATH}/{slug}`, client(services)],
  ]);
}

/**
 * What authorization servers are told of this service that know clients by an address of theirs. It
 * is the same for every slug, whether or not there is such an integration.
 */
function client({ publicUrl }: Services): PageMaker {
  return async ({ path }) => {
    const slug = path.slice(path.lastIndexOf('/') + 1);
    if (!SLUG.test(slug)) return text(404, 'There is no such client', 'The address is not known.');
    const client_uri = publicUrl();
    return { status: 200, type: 'application/json', content: JSON.stringify({
      client_id: `${client_uri}${OAUTH_CLIENT_PATH}/${slug}`,
      ...clientMetadata(
        { client_uri, redirect_uri: `${client_uri}${OAUTH_CALLBACK_PATH}/${slug}` }),
      token_endpoint_auth_method: 'none',
    }) };
  };
}

/** A page that says what went wrong, if something does. */
function page({ log, isUnavailable }: Services, make: PageMaker): PageMaker {
  return async (request) => {
    // Programs that preview links send HEAD requests, which must not use an address up.
    if (request.method === 'HEAD') return text(200, '', '');
    try {
      return await make(request);
    } catch (error) {
      // Only this error has a message for the person who tried.
      if (error instanceof AuthorizationFailed) {
        const { reason, message, connection_id, cause } = error;
        // Anybody can open the address with a state that there is not: that fills no log.
        if (connection_id !== null) {
          log.warn({ connection_id, reason, message, cause },
            'an account was not connected: its authorization failed');
        }
        return text(400, NOT_CONNECTED, message);
      }
      if (isUnavailable(error)) {
        log.warn({ err: error }, 'the database was away during an authorization');
        return away(text(503, NOT_CONNECTED, AWAY));
      }
      log.error({ err: error }, 'an authorization failed by a fault of ours');
      return text(500, NOT_CONNECTED,
        'Something went wrong in the service. Try again, or ask its operator.');
    }
  };
}

function stateOf(query: string): string {
  return new URLSearchParams(query).get('state') ?? '';
}

function text(status: number, title: string, paragraph: string): WebPage {
  const content = '<!doctype html><html lang="en"><meta charset="utf-8">'
    + '<meta name="viewport" content="width=device-width, initial-scale=1">'
    + '<meta name="color-scheme" content="light dark">'
    + `<title>${asHtml(title)}</title><main><h1>${asHtml(title)}</h1>`
    + `<p>${asHtml(paragraph)}</p></main></html>\n`;
  return { status, type: 'text/html; charset=utf-8', content, headers: FLOW_HEADERS };
}
