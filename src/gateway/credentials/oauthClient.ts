/** OAuth 2.0 as a client. The one file that knows openid-client. */
import {
  allowInsecureRequests, authorizationCodeGrant, buildAuthorizationUrl, calculatePKCECodeChallenge,
  ClientSecretPost, clientCredentialsGrant, Configuration, customFetch, None,
  randomPKCECodeVerifier, refreshTokenGrant, tokenRevocation, type TokenEndpointResponse,
} from 'openid-client';
import { clientSecretBasic } from '../../clientSecretBasic.ts';
import { withoutOwnParameters } from './authorizeUrl.ts';
import type { OAuth2Client } from './credentials.ts';
import { readTokenResponse } from './tokenResponse.ts';
import { scrubOf } from './withoutSecrets.ts';

/** What a token endpoint gave. */
export interface Tokens {
  access_token: string;
  /** Null if none came; an earlier one stays valid. */
  refresh_token: string | null;
  /** Null if the endpoint did not say. */
  lifetime_s: number | null;
  scopes: string[] | null;
  /** Of OpenID Connect, as it came; nobody has verified it. */
  id_token?: string | null;
}

/** How the token endpoint is reached. */
export interface TokenTransport {
  fetch: typeof fetch;
  timeout_ms: number;
}

/** The grant is no longer valid (`invalid_grant`): only a person can give another one. */
export class GrantRefused extends Error {
  constructor() {
    super('The authorization was withdrawn, used up or has expired (invalid_grant).');
    this.name = 'GrantRefused';
  }
}

/**
 * No token came, and that says nothing about the grant. The message is for everybody, the cause for
 * the log; neither holds the answer of the endpoint, in which there may be tokens.
 */
export class TokenRequestFailed extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'TokenRequestFailed';
  }
}

/**
 * How a server refuses a client. The second is meant for one that may not have tokens in this way;
 * Keycloak says it of a wrong secret, and Microsoft of a client that it does not know.
 */
export type ClientRefusal = 'invalid_client' | 'unauthorized_client';

/** The server does not know the client, not by this secret, or gives it no tokens in this way. */
export class ClientRefused extends TokenRequestFailed {
  override name = 'ClientRefused';
  readonly code: ClientRefusal;

  constructor(message: string, code: ClientRefusal) {
    super(message);
    this.code = code;
  }
}

/** Where to send a person, and what to keep until they come back. */
export interface Authorization {
  url: string;
  code_verifier: string;
}

/** Of an error of OAuth, as it may be told. */
export const ERROR_CODE = /^[A-Za-z0-9_.-]{1,64}$/;

/** Begins an authorization with PKCE. The address to come back to has no query of its own. */
export async function authorize(
  client: OAuth2Client, { redirect_uri, state }: { redirect_uri: string; state: string },
): Promise<Authorization> {
  const code_verifier = randomPKCECodeVerifier();
  const { audience, ...target } = targetOf(client);
  // Operators have written it there, as what else a server wants to be asked.
  const isInUrl = URL.parse(client.authorize_url ?? '')?.searchParams.has('audience');
  const url = buildAuthorizationUrl(configuration(client), {
    ...scopeOf(client), ...target, ...(audience !== undefined && !isInUrl && { audience }),
    redirect_uri: new URL(redirect_uri).href, // As the library will repeat it.
    state,
    code_challenge: await calculatePKCECodeChallenge(code_verifier),
    code_challenge_method: 'S256',
  });
  return { url: url.href, code_verifier };
}

/** Exchanges the code that a person came back with. Throws GrantRefused, TokenRequestFailed. */
export function exchangeCode(
  client: OAuth2Client,
  came: { code: string; redirect_uri: string; code_verifier: string }, reach: TokenTransport,
): Promise<Tokens> {
  // Only the code is passed on: the flow has checked the state and the server's name.
  const url = new URL(came.redirect_uri);
  url.searchParams.set('code', came.code);
  const sent = { code: came.code, code_verifier: came.code_verifier };
  return request(client, sent, reach, (settings) => authorizationCodeGrant(settings, url,
    { pkceCodeVerifier: came.code_verifier }, targetOf(client)));
}

/** Gets new tokens for a refresh token. Throws GrantRefused, TokenRequestFailed. */
export function refresh(
  client: OAuth2Client, refresh_token: string, reach: TokenTransport): Promise<Tokens> {
  const { token_url, refresh_url = token_url } = client;
  return request({ ...client, token_url: refresh_url }, { refresh_token }, reach, (settings) =>
    refreshTokenGrant(settings, refresh_token, targetOf(client)));
}

/** Gets a token for the client itself. Throws GrantRefused, TokenRequestFailed. */
export function fetchClientToken(client: OAuth2Client, reach: TokenTransport): Promise<Tokens> {
  return request(client, {}, reach, (settings) =>
    clientCredentialsGrant(settings, { ...scopeOf(client), ...targetOf(client) }));
}

function scopeOf({ scopes }: OAuth2Client): Record<string, string> {
  return scopes.length === 0 ? {} : { scope: scopes.join(' ') };
}

/** Whom the tokens are for. */
function targetOf({ audience, resource }: OAuth2Client): Record<string, string> {
  return {
    ...(audience !== undefined && { audience }), ...(resource !== undefined && { resource }),
  };
}

/** Revokes a token. Throws if the server does not say that it has. */
export async function revoke(
  client: OAuth2Client, { token, kind }: { token: string; kind: string }, reach: TokenTransport,
): Promise<void> {
  const settings = configuration(client);
  settings.timeout = reach.timeout_ms / 1_000;
  settings[customFetch] = (url, options) => passOn(reach.fetch, url, options);
  await tokenRevocation(settings, token, { token_type_hint: kind });
}

function configuration(client: OAuth2Client): Configuration {
  const { token_url, authorize_url, revoke_url, client_id, client_secret, client_auth } = client;
  const authentication = client_auth === 'none' || !client_secret ? None()
    : client_auth === 'post' ? ClientSecretPost(client_secret) : clientSecretBasic(client_secret);
  const settings = new Configuration({
    issuer: new URL(token_url).origin,
    token_endpoint: token_url,
    // The library appends to the query what a request says.
    ...(authorize_url !== null
      && { authorization_endpoint: withoutOwnParameters(authorize_url) }),
    ...(revoke_url !== undefined && { revocation_endpoint: revoke_url }),
  }, client_id, {}, authentication);
  // The egress guard decides whether plain HTTP is allowed.
  allowInsecureRequests(settings);
  return settings;
}

/** What is secret of a request, besides the client's. */
interface Sent {
  code?: string;
  code_verifier?: string;
  refresh_token?: string;
}

/** What was seen of an exchange, for saying afterwards why it failed. */
interface Seen {
  thrown?: unknown;
  status?: number;
  error?: unknown;
  id_token?: string;
}

/** What is told of the answer, an error or scopes, is without secrets. */
async function request(
  client: OAuth2Client, sent: Sent, reach: TokenTransport,
  grant: (settings: Configuration) => Promise<TokenEndpointResponse>): Promise<Tokens> {
  const seen: Seen = {};
  const secrets = [client.client_secret ?? '', ...Object.values(sent)];
  const asked = sent.refresh_token === undefined ? undefined : 'refresh_token';
  try {
    const settings = configuration(client);
    settings.timeout = reach.timeout_ms / 1_000;
    settings[customFetch] = (url, options) => exchange(reach.fetch, url, options, seen, asked);
    const { access_token, refresh_token = null, ...answer } = await grant(settings);
    const scrub = scrubOf([...secrets, access_token, refresh_token ?? '']);
    return {
      access_token, refresh_token,
      lifetime_s: answer.expires_in ?? null,
      scopes: scrub(answer.scope?.split(' ') ?? null),
      id_token: seen.id_token ?? null,
    };
  } catch (error) {
    throw failure({ ...seen, error: scrubOf(secrets)(seen.error) }, error);
  }
}

type RequestOptions = Parameters<NonNullable<Configuration[typeof customFetch]>>[1];

/** Sends a request of the library, which is led nowhere: there is a secret in it. */
function passOn(
  send: typeof fetch, url: string, { method, headers, body, signal }: RequestOptions,
): Promise<Response> {
  return send(url, {
    method, headers, body: String(body), redirect: 'manual', ...(signal && { signal }) });
}

/** One request to a token endpoint; its answer in the form that the library takes. */
async function exchange(
  send: typeof fetch, url: string, options: RequestOptions, seen: Seen,
  asked: 'refresh_token' | undefined): Promise<Response> {
  try {
    const answer = await passOn(send, url, options);
    seen.status = answer.status;
    const { status, body, id_token } = readTokenResponse(
      answer.status, answer.headers.get('content-type'), await answer.text(), asked);
    seen.error = body?.error;
    if (id_token !== undefined) seen.id_token = id_token;
    // Other headers are left out: a challenge would hide the error in the body.
    return Response.json(body ?? {}, { status: usable(status) });
  } catch (error) {
    seen.thrown = error;
    throw error;
  }
}

/** Response refuses other statuses, and a body with some of these. */
function usable(status: number): number {
  return status < 200 || status === 204 || status === 205 || status === 304 ? 502 : status;
}

function failure({ thrown, status, error }: Seen, reason: unknown): Error {
  if (error === 'invalid_grant' && status !== undefined && status < 500) return new GrantRefused();
  if (thrown !== undefined) {
    const late = (thrown as Error | null)?.name === 'TimeoutError';
    return new TokenRequestFailed(late ? 'The token endpoint did not answer in time.'
      : 'The token endpoint could not be reached.', thrown);
  }
  if (typeof error === 'string') {
    const code = ERROR_CODE.test(error) ? error : 'an error of its own';
    const message = `The token endpoint answered ${status} with ${code}.`;
    const isRefusal = error === 'invalid_client' || error === 'unauthorized_client';
    return isRefusal && (status ?? 500) < 500
      ? new ClientRefused(message, error) : new TokenRequestFailed(message);
  }
  if (status !== undefined) {
    return new TokenRequestFailed(`The token endpoint answered ${status}, and no token.`);
  }
  return new TokenRequestFailed('The OAuth settings of the connection cannot be used.', reason);
}
