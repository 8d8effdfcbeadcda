/** How a server has its clients authorized: what it says of that, and its authorization server. */
import {
  checkResourceAllowed, discoverAuthorizationServerMetadata, extractWWWAuthenticateParams,
  IssuerMismatchError, LATEST_PROTOCOL_VERSION, type AuthorizationServerMetadata,
} from '@modelcontextprotocol/client';
import { deadline } from '../../deadline.ts';
import { isObject, objectOf, parseJson, textOf, textsOf, type JsonObject } from '../../json.ts';
import type { OAuth2Client } from '../credentials/credentials.ts';
import { scopesAmong } from '../credentials/tokenResponse.ts';
import { EgressRefused } from '../egress/egress.ts';
import { AnswerTooLarge, boundedBody } from '../egress/guardedFetch.ts';
import { UpstreamUnreachable } from '../egress/unreachable.ts';
import { brief } from '../schema/brief.ts';

type Fetch = typeof globalThis.fetch;

/** A fetch that passes the egress guard. */
export interface Asking {
  fetch: Fetch;
  signal: AbortSignal;
}

/** What there is to know before a person is sent to the authorization server of an MCP server. */
export interface ServerAuthorization
  extends Required<Pick<OAuth2Client, 'issuer' | 'sends_issuer' | 'resource' | 'token_url'>> {
  authorize_url: string;
  scopes: string[];
  /** How clients with a secret prove who they are; the server takes no secret if it is `none`. */
  client_auth: OAuth2Client['client_auth'];
  /** It takes the https address of a document about the client as its id. */
  takes_client_url: boolean;
  registration_url: string | null;
  metadata: AuthorizationServerMetadata;
}

/** It cannot be known, and the message says why; it goes behind the address of the server. */
export class AuthorizationUnknown extends Error {
  override name = 'AuthorizationUnknown';
}

/** It names none itself, as servers do that take keys alone; its address may say something. */
export class AuthorizationUnsaid extends AuthorizationUnknown {
  override name = 'AuthorizationUnsaid';

  constructor(message = 'does not say which authorization server it has') {
    super(message);
  }
}

/** What is said of a server that did not say what it was asked for, by what that was. */
const SAYS_HOW = {
  late: 'did not say in time how it is authorized',
  large: 'says more of its authorization than is read',
  unclear: 'says nothing of its authorization that could be understood',
};
const TIMEOUT_MS = 15_000;
const END_MS = 5_000;
const ANSWER_LIMIT_BYTES = 262_144;
const ADDRESS_LIMIT_CHARS = 2_048;
const ADDRESS_SHOWN_CHARS = 300;
const WELL_KNOWN = '/.well-known/oauth-protected-resource';
/** How a client may prove who it is, by the names that servers have for it; the best first. */
export const CLIENT_AUTH_METHODS = {
  client_secret_basic: 'basic', client_secret_post: 'post', none: 'none',
} as const;

/**
 * Asks the server at `url` without credentials, and then the authorization server that it names; of
 * several the first, or the one that is called `issuer`. Throws AuthorizationUnknown, EgressRefused
 * and UpstreamUnreachable.
 */
export async function discoverAuthorization(
  url: string, { issuer, ...asking }: Asking & { issuer?: string | undefined },
): Promise<ServerAuthorization> {
  return await inBounds(asking, SAYS_HOW, async (fetch) => {
    const challenge = await challengeOf(url, fetch, asking.fetch);
    const said = await resourceMetadata(url, challenge?.resourceMetadataUrl, fetch);
    // Servers of the protocol's first authorization, 2025-03-26, are their own.
    const issuers = textsOf(said?.authorization_servers);
    const is_its_own = said === null && challenge !== null;
    if (is_its_own) issuers.push(new URL(url).origin);
    const chosen = issuer === undefined ? issuers[0] : issuers.find((one) => isSame(one, issuer));
    if (chosen === undefined) throw noServer(issuers, issuer);
    const metadata = await serverMetadata(chosen, fetch).catch((error: unknown) => {
      throw is_its_own && !(error instanceof UpstreamUnreachable)
        ? new AuthorizationUnsaid(inWords(error, SAYS_HOW).message) : error;
    });
    if (metadata === null) {
      throw is_its_own ? new AuthorizationUnsaid()
        : new AuthorizationUnknown(`names ${shown(chosen)}, which says nothing of itself there`);
    }
    const scopes = scopesAmong(challenge?.scope?.split(' ') ?? textsOf(said?.scopes_supported));
    return {
      ...read(metadata),
      resource: textOf(said?.resource) ?? withoutFragment(url),
      scopes: asked(scopes, metadata),
    };
  });
}

/**
 * What the server answers to who shows no credentials; null: it does not ask for any. Some let
 * everybody begin, and ask for them where their tools are asked for. One of the protocol without
 * sessions may refuse to begin one before it looks at credentials.
 */
async function challengeOf(url: string, fetch: Fetch, unbounded: Fetch) {
  const begun = await answerOf('initialize', {
    protocolVersion: LATEST_PROTOCOL_VERSION, capabilities: {},
    clientInfo: { name: 'gatehouse', version: '1' } });
  const session_id = begun.headers.get('mcp-session-id');
  try {
    const response = begun.status === 401 ? begun : await answerOf('tools/list', {},
      session_id === null ? {} : { 'mcp-session-id': session_id });
    return response.status === 401 ? extractWWWAuthenticateParams(response) : null;
  } finally {
    if (session_id !== null) endSession(url, session_id, unbounded);
  }

  async function answerOf(
    method: string, params: object, headers: Record<string, string> = {}): Promise<Response> {
    const answer = await fetch(url, {
      method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      headers: { ...headers,
        'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    });
    await answer.body?.cancel();
    return answer;
  }
}

/**
 * Some servers keep a process for each session until it is ended. Nobody waits for that, and it is
 * led nowhere: what deletes something elsewhere is not for the server to choose.
 */
function endSession(url: string, session_id: string, fetch: Fetch): void {
  void fetch(url, { method: 'DELETE', headers: { 'mcp-session-id': session_id },
    redirect: 'manual', signal: AbortSignal.timeout(END_MS) })
    .then((answer) => answer.body?.cancel()).catch(() => {});
}

/** RFC 9728: where the challenge says, else at the well-known places. Null: there is none. */
async function resourceMetadata(
  url: string, said: URL | undefined, fetch: Fetch): Promise<JsonObject | null> {
  const { origin, pathname, search } = new URL(url);
  const path = pathname.replace(/\/$/, '');
  const places = said === undefined
    ? [...new Set([`${origin}${WELL_KNOWN}${path}${search}`, `${origin}${WELL_KNOWN}`])]
    : [said.href];
  for (const place of places) {
    const response = await fetch(place, { headers: { accept: 'application/json' } });
    if (!response.ok) {
      await response.body?.cancel();
      continue;
    }
    const metadata = objectOf(parseJson(await response.text()));
    requireOwn(metadata, url, place);
    return metadata;
  }
  if (said === undefined) return null;
  throw new AuthorizationUnknown(
    `names ${shown(said.href)}, and there is no metadata of a resource`);
}

/**
 * Throws if the metadata are of another resource: this server would get tokens that are meant for
 * that one.
 */
function requireOwn({ resource }: JsonObject, url: string, place: string): void {
  const isOwn = typeof resource === 'string' && URL.canParse(resource)
    && checkResourceAllowed({ requestedResource: url, configuredResource: resource });
  if (isOwn) return;
  throw new AuthorizationUnknown(`has metadata of another resource at ${shown(place)}`);
}

/**
 * RFC 8414 or OpenID Connect Discovery, whose issuer has to be the one that was asked, but for a
 * slash at the end: the official SDKs write one, and it is often left out where they are named.
 * Null: there is none.
 */
async function serverMetadata(
  issuer: string, fetch: Fetch): Promise<AuthorizationServerMetadata | null> {
  if (!isAddress(issuer)) throw new AuthorizationUnknown('names no authorization server by URL');
  // By an address with a slash the library takes both.
  const metadata = await discoverAuthorizationServerMetadata(issuer.replace(/\/?$/, '/'),
    { fetchFn: fetch });
  if (metadata === undefined) return null;
  for (const field of ['authorization_endpoint', 'token_endpoint', 'registration_endpoint']) {
    const address = objectOf(metadata)[field];
    if (address !== undefined && !isAddress(address)) {
      throw new AuthorizationUnknown(
        `has the authorization server ${shown(issuer)}, whose ${field} is no http or https URL`);
    }
  }
  // MCP requires clients to stop where a server does not say that it supports PKCE.
  if (metadata.code_challenge_methods_supported?.includes('S256') !== true) {
    throw new AuthorizationUnknown(`has the authorization server ${shown(issuer)}, which does not`
      + ' say that it knows PKCE (S256)');
  }
  return metadata;
}

function read(
  metadata: AuthorizationServerMetadata): Omit<ServerAuthorization, 'resource' | 'scopes'> {
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const known = (Object.keys(CLIENT_AUTH_METHODS) as (keyof typeof CLIENT_AUTH_METHODS)[])
    .find((method) => methods.includes(method));
  return {
    metadata, issuer: metadata.issuer,
    sends_issuer: metadata.authorization_response_iss_parameter_supported === true,
    authorize_url: metadata.authorization_endpoint, token_url: metadata.token_endpoint,
    registration_url: metadata.registration_endpoint ?? null,
    client_auth: known === undefined ? 'basic' : CLIENT_AUTH_METHODS[known],
    takes_client_url: metadata.client_id_metadata_document_supported === true,
  };
}

/** What an account would need to do what it was refused; none if that is not why, or not said. */
export function neededScopes(response: Response): string[] {
  const { error, scope = '' } = extractWWWAuthenticateParams(response);
  return error === 'insufficient_scope' ? scopesAmong(scope.split(' ')) : [];
}

/** Adds `offline_access` if the server knows it: without it, it gives no refresh token. */
function asked(
  scopes: string[], { scopes_supported = [] }: AuthorizationServerMetadata): string[] {
  const offline = scopes.length > 0 && scopes_supported.includes('offline_access');
  return [...new Set([...scopes, ...offline ? ['offline_access'] : []])];
}

/** Has `work` ask in bounded time and size; what it fails by is in words for an operator. */
export async function inBounds<T>(
  { fetch, signal }: Asking, words: typeof SAYS_HOW, work: (fetch: Fetch) => Promise<T>,
): Promise<T> {
  const clock = deadline(TIMEOUT_MS, signal);
  try {
    return await work(async (input, init) => {
      const { status, headers, body } = await fetch(input, { ...init, signal: clock.signal });
      const answer = new Response(boundedBody(body, ANSWER_LIMIT_BYTES), { status, headers });
      return init?.method === undefined ? await withoutPage(answer) : answer;
    });
  } catch (error) {
    signal.throwIfAborted();
    if (clock.is_over) throw new AuthorizationUnknown(words.late);
    throw error instanceof EgressRefused || error instanceof UpstreamUnreachable
      ? error : inWords(error, words);
  } finally {
    clock.end();
  }
}

/**
 * The answer to a question for metadata. Many servers have a page for each address that they do not
 * know: that is told as 404. It goes by the body, for some send their JSON as `text/html`.
 */
async function withoutPage(answer: Response): Promise<Response> {
  if (!answer.ok) return answer;
  const is_html = answer.headers.get('content-type')?.startsWith('text/html') === true;
  const text = await answer.text().catch((error: unknown) => {
    if (is_html && error instanceof AnswerTooLarge) return '';
    throw error;
  });
  const said = withoutNulls(text);
  return said === null ? new Response(null, { status: 404 }) : new Response(said, answer);
}

/**
 * Some servers have null for what they do not say, as Ory Hydra of a client's contacts. Null: it is
 * no object in JSON.
 */
export function withoutNulls(text: string): string | null {
  const said = parseJson(text);
  return !isObject(said) ? null : JSON.stringify(
    Object.fromEntries(Object.entries(said).filter(([, value]) => value !== null)));
}

function inWords(error: unknown, { large, unclear }: typeof SAYS_HOW): AuthorizationUnknown {
  if (error instanceof AuthorizationUnknown) return error;
  return new AuthorizationUnknown(error instanceof IssuerMismatchError
    ? `has the authorization server ${shown(error.expected!)}, which calls itself ${
      isAddress(error.received) ? shown(error.received) : 'otherwise'}`
    : error instanceof AnswerTooLarge ? large : unclear, { cause: error });
}

function noServer(
  issuers: readonly string[], issuer: string | undefined): AuthorizationUnknown {
  return issuer === undefined || issuers.length === 0 ? new AuthorizationUnsaid()
    : new AuthorizationUnknown(`does not name the authorization server ${issuer}, but ${
      issuers.filter(isAddress).slice(0, 10).map(shown).join(', ') || 'others'}`);
}

/** An address in a message: without user and query, and no longer than one can read. */
function shown(address: string): string {
  const { origin, pathname } = new URL(address);
  return brief(`${origin}${pathname === '/' ? '' : pathname}`, ADDRESS_SHOWN_CHARS);
}

function isAddress(value: unknown): value is string {
  return typeof value === 'string' && value.length <= ADDRESS_LIMIT_CHARS
    && !/[\s\p{C}]/u.test(value) && /^https?:$/.test(URL.parse(value)?.protocol ?? '');
}

function isSame(one: string, other: string): boolean {
  return one.replace(/\/$/, '') === other.replace(/\/$/, '');
}

function withoutFragment(url: string): string {
  const address = new URL(url);
  address.hash = '';
  return address.href;
}
