/** The OAuth client of a connection to an MCP server, which says itself how it is authorized. */
import type { Schemas } from '../../../generated/types.ts';
import { GatehouseError } from '../../errors.ts';
import type { IntegrationRow } from '../../store/integrations.ts';
import type { StoredCredentials } from '../credentials/credentials.ts';
import type { OwnClient, OwnClients } from '../credentials/ownClients.ts';
import { UpstreamUnreachable } from '../egress/unreachable.ts';
import {
  AuthorizationUnknown, discoverAuthorization, type ServerAuthorization,
} from '../mcp/authorization.ts';
import { registerAt } from '../mcp/registration.ts';
import { asRefusal, requireAuthorizable, requireReachable } from './reachable.ts';

type GivenOAuth = Schemas['OAuth2Credentials'];

/** What a connection is made with, and for which integration. */
export interface ServerClientOptions {
  integration: IntegrationRow;
  /** Goes where requests of the integration may go. */
  fetch: typeof fetch;
  signal: AbortSignal;
  clients: OwnClients;
  /** Where a browser comes back to. */
  redirect_uri: string;
  /** Where browsers reach this service. */
  client_uri: string;
  /** Where this service describes itself as a client of the integration; null: nowhere by https. */
  client_url: string | null;
  /** What was registered is not used again: nobody has come back from there. */
  anew: boolean;
  /** What the connection has already; null: it is new, or nothing of that can be read. */
  kept: StoredCredentials | null;
}

/**
 * What is kept of an account that a person authorizes, or of a client that the operator gives.
 * Throws `upstream_error` if the server does not say how, `egress_refused` for an address that is
 * not called, `invalid_request` if the operator has to register a client by hand.
 */
export async function serverClient(
  given: GivenOAuth, url: string, options: ServerClientOptions): Promise<StoredCredentials> {
  const { integration: { slug, egress_allow } } = options;
  const grant = given.grant ?? 'authorization_code';
  if (grant === 'client_credentials' && given.client_id === undefined) {
    throw noClient(`Give client_id: ${slug} is used without a person only by a client that is`
      + ' known to its authorization server.');
  }
  const found = await inWords(url, () => discoverAuthorization(url,
    { fetch: options.fetch, signal: options.signal, issuer: given.issuer }));
  const { issuer, sends_issuer, token_url } = found;
  requireIssuer(given, issuer, slug);
  const authorize_url = given.authorize_url ?? found.authorize_url;
  const { refresh_url, revoke_url, scopes = found.scopes, audience } = given;
  const { resource = found.resource } = given;
  const { access_token = null, refresh_token = null } = given;
  for (const [field, address] of Object.entries(
    { token_url, authorize_url, refresh_url, revoke_url })) {
    if (address !== undefined) requireReachable(address, egress_allow, `/credentials/${field}`);
  }
  requireAuthorizable(authorize_url);
  const client = given.client_id === undefined ? await ownClient(found, scopes, options)
    : givenClient({ ...given, client_id: given.client_id }, found);
  return {
    type: 'oauth2', grant, ...client, token_url, authorize_url, refresh_url, revoke_url, issuer,
    sends_issuer, audience, resource, scopes, access_token, refresh_token,
  };
}

/** What is secret goes to the server that the operator means, whatever the MCP server says. */
function requireIssuer(given: GivenOAuth, issuer: string, slug: string): void {
  const { client_secret, refresh_token, authorize_url } = given;
  const is_bound = (client_secret ?? refresh_token ?? authorize_url) !== undefined;
  if (given.issuer !== undefined || !is_bound) return;
  throw new GatehouseError('invalid_request', `Give issuer: ${slug} says that it is authorized by`
    + ` ${issuer}. Give that, if what you give is for it: it is sent there.`,
    { param: '/credentials/issuer' });
}

type ServerClient = Omit<OwnClient, 'scopes'> & { is_own?: true };

function givenClient(
  given: GivenOAuth & { client_id: string }, found: ServerAuthorization): ServerClient {
  const { client_id, client_secret } = given;
  if (client_secret === undefined) return { client_id, client_secret: null, client_auth: 'none' };
  const client_auth = given.client_auth ?? (found.client_auth === 'post' ? 'post' : 'basic');
  return { client_id, client_secret, client_auth };
}

/** By the address of a document, if the server takes that, else registered: once, and kept. */
async function ownClient(
  found: ServerAuthorization, scopes: string[], options: ServerClientOptions,
): Promise<ServerClient> {
  const { integration: { slug, egress_allow, mcp }, clients, client_url, ...asking } = options;
  const { redirect_uri, client_uri, anew } = asking;
  if (found.takes_client_url && client_url !== null) {
    return { client_id: client_url, client_secret: null, client_auth: 'none', is_own: true };
  }
  const { issuer, registration_url } = found;
  if (registration_url === null) {
    throw noClient(`Give client_id: ${issuer} registers no clients by itself. Register one there by`
      + ` hand, with the redirect URI ${redirect_uri}.`);
  }
  const place = { integration: slug, issuer, redirect_uri };
  const { scopes: _, ...known } = (anew ? null : await clients.find(place, scopes))
    ?? await register();
  return { ...known, is_own: true };

  async function register(): Promise<OwnClient> {
    requireReachable(registration_url!, egress_allow, '/credentials/client_id');
    return await clients.keep(place, await inWords(mcp!.url!, () =>
      registerAt(found, { redirect_uri, client_uri, scopes }, asking)));
  }
}

async function inWords<T>(url: string, work: () => Promise<T>): Promise<T> {
  const param = '/credentials/type';
  try {
    return await work();
  } catch (error) {
    if (error instanceof AuthorizationUnknown) {
      throw new GatehouseError('upstream_error', `${url} ${error.message}. Connect it in another`
        + ' way, or give client_id and issuer, where a client is registered by hand, or client_id,'
        + ' token_url and authorize_url.', { param, cause: error });
    }
    if (error instanceof UpstreamUnreachable) {
      throw new GatehouseError('upstream_error', `How ${url} is authorized could not be read:`
        + ` ${error.message}.`, { param, cause: error });
    }
    throw asRefusal(error, param);
  }
}

function noClient(message: string): GatehouseError {
  return new GatehouseError('invalid_request', message, { param: '/credentials/client_id' });
}
