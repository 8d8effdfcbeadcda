/**
 * An authorization server as strict as the protocols have it: RFC 8414, RFC 7591, PKCE, resource
 * indicators, client id metadata documents. Everybody who asks it consents.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Test } from 'tap';
import { listen } from './listen.ts';

interface KnownClient {
  client_secret?: string;
  redirect_uris: string[];
  token_endpoint_auth_method: string;
}

interface Grant {
  client_id: string;
  redirect_uri: string;
  challenge: string;
  resource: string;
  scope: string;
}

export interface AuthorizationServer {
  issuer: string;
  host: string;
  /** What it says of itself; a test may change it. */
  metadata: Record<string, unknown>;
  /** What else it says of a client that it registers; with an `error` it registers none. */
  registered: Record<string, unknown>;
  /** By id. A test may take some away: then the server has forgotten them. */
  clients: Map<string, KnownClient>;
  /** Tokens that are good, with what they are for. */
  tokens: Map<string, { resource: string; scope: string }>;
  /** Requests by path, in order. */
  asked: { path: string; params: Record<string, string> }[];
  /** Reads the document of a client that is an address. */
  readClient(client_id: string): Promise<Record<string, unknown>>;
  pathsAsked(): string[];
}

/** `path`: where its issuer is on its host, such as `/tenant`. */
export async function authorizationServer(
  t: Pick<Test, 'teardown'>, path = '',
  well_known = `/.well-known/oauth-authorization-server${path}`,
): Promise<AuthorizationServer> {
  const server = createServer((request, response) => {
    answer(made, well_known, request, response)
      .catch((error: Error) => refuse(response, 500, error.message));
  });
  const host = `127.0.0.1:${await listen(t, server)}`;
  const issuer = `http://${host}${path}`;
  const made: AuthorizationServer = {
    issuer, host, registered: {}, clients: new Map(), tokens: new Map(), asked: [],
    metadata: {
      issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token`,
      registration_endpoint: `${issuer}/register`, response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'], scopes_supported: ['read', 'offline_access'],
      // As many do, it looks for the id in the body alone, also of a client that it knows by Basic.
      token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
      authorization_response_iss_parameter_supported: true,
    },
    readClient: () => Promise.reject(new Error('no client is an address')),
    pathsAsked: () => made.asked.map((one) => one.path.slice(path.length)),
  };
  return made;
}

const grants = new WeakMap<AuthorizationServer, Map<string, Grant>>();

function grantsOf(server: AuthorizationServer): Map<string, Grant> {
  if (!grants.has(server)) grants.set(server, new Map());
  return grants.get(server)!;
}

async function answer(
  server: AuthorizationServer, well_known: string, request: IncomingMessage,
  response: ServerResponse): Promise<void> {
  const url = new URL(request.url!, server.issuer);
  const path = url.pathname;
  if (path === well_known) return json(response, 200, server.metadata);
  const at = (name: string) => `${new URL(server.issuer).pathname.replace(/\/$/, '')}/${name}`;
  const body = await text(request);
  if (path === at('register')) {
    server.asked.push({ path, params: JSON.parse(body) as Record<string, string> });
    return register(server, JSON.parse(body) as Partial<KnownClient>, response);
  }
  const params = Object.fromEntries(path === at('token')
    ? new URLSearchParams(body) : url.searchParams);
  if (path === at('authorize') || path === at('token')) server.asked.push({ path, params });
  if (path === at('authorize')) return await authorize(server, params, response);
  if (path === at('token')) return await token(server, params, response);
  response.writeHead(404).end();
}

function register(
  { clients, registered }: AuthorizationServer, wanted: Partial<KnownClient>,
  response: ServerResponse): void {
  const { redirect_uris = [], token_endpoint_auth_method = 'client_secret_basic' } = wanted;
  if (redirect_uris.length === 0) return refuse(response, 400, 'invalid_redirect_uri');
  if ('error' in registered) return json(response, 403, registered);
  const client_id = `client-${randomUUID()}`;
  const secret = token_endpoint_auth_method === 'none' ? {}
    : { client_secret: `secret-${randomUUID()}` };
  clients.set(client_id, { redirect_uris, token_endpoint_auth_method, ...secret });
  json(response, 201, { ...wanted, client_id, ...secret,
    ...('client_secret' in secret && { client_secret_expires_at: 0 }), ...registered });
}

async function clientOf(
  server: AuthorizationServer, id: string): Promise<KnownClient | undefined> {
  if (!id.startsWith('https:')) return server.clients.get(id);
  const document = await server.readClient(id);
  if (document.client_id !== id) return undefined;
  return document as unknown as KnownClient;
}

async function authorize(
  server: AuthorizationServer, params: Record<string, string>, response: ServerResponse,
): Promise<void> {
  const { client_id = '', redirect_uri = '', state = '', resource = '', scope = '' } = params;
  const client = await clientOf(server, client_id);
  if (!client?.redirect_uris.includes(redirect_uri)) return refuse(response, 400, 'who are you?');
  const back = new URL(redirect_uri);
  back.searchParams.set('state', state);
  back.searchParams.set('iss', server.issuer);
  if (params.code_challenge_method !== 'S256' || resource === '' || state === ''
    || params.response_type !== 'code') {
    back.searchParams.set('error', 'invalid_request');
  } else {
    const code = randomUUID();
    grantsOf(server).set(code,
      { client_id, redirect_uri, challenge: params.code_challenge!, resource, scope });
    back.searchParams.set('code', code);
  }
  response.writeHead(302, { location: back.href }).end();
}

async function token(
  server: AuthorizationServer, params: Record<string, string>, response: ServerResponse,
): Promise<void> {
  const { client_id = '', client_secret, code = '', refresh_token = '' } = params;
  const client = await clientOf(server, client_id);
  if (client === undefined || client.client_secret !== client_secret) {
    return refuse(response, 401, 'invalid_client');
  }
  const key = params.grant_type === 'refresh_token' ? refresh_token : code;
  const grant = grantsOf(server).get(key);
  grantsOf(server).delete(key);
  const proof = createHash('sha256').update(params.code_verifier ?? '').digest('base64url');
  const isProven = key === refresh_token
    || (grant?.challenge === proof && grant.redirect_uri === params.redirect_uri);
  if (grant?.client_id !== client_id || grant.resource !== params.resource || !isProven) {
    return refuse(response, 400, 'invalid_grant');
  }
  const [access_token, next] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`];
  server.tokens.set(access_token, grant);
  grantsOf(server).set(next, grant);
  json(response, 200, { access_token, token_type: 'Bearer', expires_in: 3_600, scope: grant.scope,
    refresh_token: next });
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function refuse(response: ServerResponse, status: number, error: string): void {
  json(response, status, { error });
}
