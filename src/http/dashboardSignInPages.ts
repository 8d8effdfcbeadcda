/**
 * Signing in to the dashboard by an identity provider: the first page sends the browser there, and
 * it comes back to the second. A cookie shows that both are the same browser.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { objectOf, parseJson, textOf } from '../json.ts';
import { prefixOf } from '../origin.ts';
import type { Services } from '../operations/services.ts';
import { FlowCookie, flowMessage, flowPage, seeOther } from './browserFlow.ts';
import type { DashboardCookie } from './dashboardCookie.ts';
import { requestId } from './exchange.ts';
import type { PageMaker, WebPage } from './pages.ts';

const HOME = '/dashboard';
const OIDC_START_PATH = `${HOME}/oidc`;
/** Known to the identity provider. */
export const OIDC_CALLBACK_PATH = `${OIDC_START_PATH}/callback`;
const COOKIE_NAME = 'gatehouse_oidc_';
/** As long as somebody may take at the provider. */
const FLOW_LIFETIME_S = 600;
/** It is kept in a cookie, which has to be small. */
const RETURN_CHARS = 1_000;

/** The pages by their paths. */
export function dashboardSignInPages(
  services: Services, cookie: DashboardCookie): Map<string, PageMaker> {
  const { public_url } = services.config;
  const prefix = prefixOf(public_url);
  const kept = new FlowCookie(public_url, COOKIE_NAME, OIDC_START_PATH);
  const page = (make: PageMaker) => flowPage(services, {
    what: 'a sign-in', told: (error) => told(error as Error, prefix),
    failed: (status, why) => failed(status, prefix, why),
  }, async (request) => services.oidc ? await make(request)
    : failed(404, prefix, 'No identity provider is configured: an admin token or a link of'
      + ' `gatehouse dashboard` signs you in.'));
  const start = page(async ({ query, headers }) => {
    const return_to = pathWithin(new URLSearchParams(query).get('return_to'), prefix);
    if (isFromElsewhere(headers)) return asked(prefix, return_to);
    const { url, flow } = await services.oidc!.begin();
    const value = Buffer.from(JSON.stringify({ ...flow, return_to })).toString('base64url');
    return seeOther(url, [kept.setting(flow.state, value, FLOW_LIFETIME_S)]);
  });
  const finish = page(async ({ query, headers }) => {
    const state = new URLSearchParams(query).get('state') ?? '';
    const flow = flowOf(kept.valueOf(headers, state));
    if (flow === null) {
      return failed(400, prefix, 'This sign-in was not begun in this browser, or took longer than'
        + ' ten minutes. Begin again.');
    }
    const { secret } = await services.oidc!.finish(query, flow,
      // The provider's page has led here, so that the browser keeps its session's cookie back.
      { request_id: requestId(headers), user_agent: headers['user-agent'] ?? null,
        cookie_secret: null });
    return seeOther(prefix + pathWithin(flow.return_to, prefix),
      [cookie.setting(headers, secret), kept.setting(state, '', 0)]);
  });
  return new Map([[OIDC_START_PATH, start], [OIDC_CALLBACK_PATH, finish]]);
}

/**
 * Whether a page of another origin has sent the browser here. Browsers say so (`Sec-Fetch-Site`)
 * where this page's address is safe: https, or the machine itself. `none` is an address that a
 * person has typed, or that another program has opened.
 */
function isFromElsewhere({ 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  return site !== undefined && site !== 'none' && site !== 'same-origin';
}

/**
 * Asks the person before a sign-in begins to which a page of another origin has led. The provider
 * may know them and ask nothing: then that page could sign them in as somebody else unnoticed.
 */
function asked(prefix: string, return_to: string): WebPage {
  // The same page, at whatever address a proxy has put it.
  const begin = `?${new URLSearchParams({ return_to: prefix + return_to })}`;
  return flowMessage(200, 'Sign in to Gatehouse?',
    'Another page has led here. Go on only if you want to sign in to the dashboard.',
    { href: begin, text: 'Sign in' });
}

/** Only these errors have a message for the person who tried. */
function told({ name, message }: Error, prefix: string): WebPage | null {
  return name === 'SignInFailed' ? failed(400, prefix, message)
    : name === 'SignInRefused' ? failed(403, prefix, message) : null;
}

/**
 * The path within the dashboard to which somebody wants to return, without the prefix of a proxy.
 * Anything else leads to the first screen: an address of somebody else must not be what a person
 * comes to by signing in.
 */
function pathWithin(wanted: string | null, prefix: string): string {
  const own = 'http://own.invalid';
  const url = wanted !== null && wanted.startsWith('/') && wanted.length <= RETURN_CHARS
    ? URL.parse(wanted, own) : null;
  if (url?.origin !== own) return `${HOME}/`;
  const path = url.pathname.startsWith(`${prefix}/`)
    ? url.pathname.slice(prefix.length) : url.pathname;
  // From the page that signs in, it would all begin again.
  const isWithin = path.startsWith(`${HOME}/`) && !path.startsWith(OIDC_START_PATH);
  return isWithin ? path + url.search + url.hash : `${HOME}/`;
}

/** What the browser has kept of a sign-in; null if it has not begun one. */
function flowOf(value: string | null) {
  const kept = objectOf(parseJson(Buffer.from(value ?? '', 'base64url').toString()));
  const [state, nonce, code_verifier] =
    [textOf(kept.state), textOf(kept.nonce), textOf(kept.code_verifier)];
  if (!state || !nonce || !code_verifier) return null;
  return { state, nonce, code_verifier, return_to: textOf(kept.return_to) ?? null };
}

function failed(status: number, prefix: string, why: string): WebPage {
  return flowMessage(status, 'You are not signed in', why,
    { href: `${prefix}${HOME}/`, text: 'To the sign-in of the dashboard' });
}
