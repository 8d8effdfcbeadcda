/**
 * The two pages of an authorization: the first sends the browser to the other service, and the
 * browser comes back to the second. A cookie shows that both are the same browser. A third page
 * says who asks, to services that want to know.
 */
import {
  AuthorizationFailed, clientMetadata, FLOW_LIFETIME_S, OAUTH_CALLBACK_PATH, OAUTH_CLIENT_PATH,
  OAUTH_START_PATH,
} from '../gateway/face.ts';
import type { Log } from '../log.ts';
import type { Services } from '../operations/services.ts';
import { FlowCookie, flowMessage, flowPage, seeOther } from './browserFlow.ts';
import type { PageMaker, WebPage } from './pages.ts';

const COOKIE_NAME = 'gatehouse_oauth_';
const SLUG = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** The pages by their paths. */
export function authorizationPages(services: Services): Map<string, PageMaker> {
  const { connections, config, log } = services;
  const cookie = new FlowCookie(config.public_url, COOKIE_NAME, '/oauth');
  const page = (make: PageMaker) => flowPage(services, {
    what: 'an authorization', told: (error) => told(error, log), failed: notConnected }, make);
  const start = page(async ({ query }) => {
    const ticket = new URLSearchParams(query).get('ticket') ?? '';
    const { url, state, session } = await connections.openAuthorization(ticket);
    return seeOther(url, [cookie.setting(state, session, FLOW_LIFETIME_S)]);
  });
  const finish = page(async ({ path, query, headers }) => {
    const { connection: { id, integration }, return_url } = await connections.authorized(
      new URLSearchParams(query), { session: cookie.valueOf(headers, stateOf(query)), path });
    return return_url !== null
      ? leadBack(return_url, { connection_id: id, status: 'connected' })
      : flowMessage(200, 'The account is connected',
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
    if (!SLUG.test(slug)) {
      return flowMessage(404, 'There is no such client', 'The address is not known.');
    }
    const client_uri = publicUrl();
    return { status: 200, type: 'application/json', content: JSON.stringify({
      client_id: `${client_uri}${OAUTH_CLIENT_PATH}/${slug}`,
      ...clientMetadata(
        { client_uri, redirect_uri: `${client_uri}${OAUTH_CALLBACK_PATH}/${slug}` }),
      token_endpoint_auth_method: 'none',
    }) };
  };
}

/** Only this error has a message for the person who tried. */
function told(error: unknown, log: Log): WebPage | null {
  if (!(error instanceof AuthorizationFailed)) return null;
  const { reason, message, of, cause } = error;
  // Anybody can open the address with a state that there is not: that fills no log. Mostly it is
  // the page of an account that was connected, which is loaded again.
  if (of === null) {
    return flowMessage(400, 'The account is not connected by this address', `${message}${
      reason === 'unknown_state' ? ' If it said before that the account is connected, loading it'
        + ' again changes nothing.' : ''}`);
  }
  const { connection_id, return_url, stays } = of;
  log.warn({ connection_id, reason, message, cause },
    'an account was not connected: its authorization failed');
  return return_url === null ? notConnected(400, message, stays)
    : leadBack(return_url, { connection_id, status: 'failed', reason });
}

/** To the application that has begun the authorization, which is told how it went. */
function leadBack(return_url: string, told: Record<string, string>): WebPage {
  const url = new URL(return_url);
  for (const [name, value] of Object.entries(told)) url.searchParams.set(name, value);
  return seeOther(url.href, []);
}

function notConnected(status: number, why: string, stays = false): WebPage {
  return flowMessage(status, stays ? 'The account stays as it was' : 'The account is not connected',
    why);
}

function stateOf(query: string): string {
  return new URLSearchParams(query).get('state') ?? '';
}
