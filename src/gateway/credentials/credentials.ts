/** Credentials as they are kept. */
import type { Schemas } from '../../../generated/types.ts';
import { canonicalSha256 } from '../../canonicalJson.ts';
import type { ApiKey, Basic, BearerToken, Credentials, WithKeys } from '../action/credentials.ts';

export type ConnectionSettings = Schemas['ConnectionSettings'] | null;

/** How an OAuth 2.0 server is spoken to, and as which client. */
export interface OAuth2Client {
  type: 'oauth2';
  grant: 'authorization_code' | 'client_credentials';
  client_id: string;
  client_secret: string | null;
  /** How the client proves who it is: in a header, in the body, or not at all. */
  client_auth: 'basic' | 'post' | 'none';
  token_url: string;
  /** For an authorization code; what else a server wants to be asked, its query holds. */
  authorize_url: string | null;
  /** Where tokens are renewed, if that is not `token_url`. */
  refresh_url?: string;
  /** Where the server says whose account it is (OpenID Connect), if it is known. */
  userinfo_url?: string;
  /** Where tokens are revoked, if it is known. */
  revoke_url?: string;
  /** What the server calls itself, if it is known. */
  issuer?: string;
  /** Its metadata says that it names itself when a browser comes back (RFC 9207). */
  sends_issuer?: boolean;
  /** Which resource the tokens are for (RFC 8707), if the server has to be told. */
  resource?: string;
  /** Whom they are for, where the server has to be told by this name. */
  audience?: string;
  /** The service brought the client itself, and can bring another if the server forgets it. */
  is_own?: boolean;
  scopes: string[];
}

export interface OAuth2Tokens {
  /** Null until somebody has authorized it, or the first one has been fetched. */
  access_token: string | null;
  refresh_token: string | null;
}

/** What is sealed in `connection_secrets`. */
export type StoredCredentials =
  (BearerToken | ApiKey | Basic | OAuth2Client & OAuth2Tokens) & WithKeys;

/** Those of an account that a person authorizes, or of a client. */
export type StoredClient = Extract<StoredCredentials, { type: 'oauth2' }>;

/** The same for a client and whatever tokens it has. */
export function digestOf(credentials: StoredCredentials): string {
  return canonicalSha256(credentials.type === 'oauth2'
    ? { ...credentials, access_token: null, refresh_token: null } : credentials).toString('hex');
}

/** So short a password is no secret. The user name is one then: some APIs take the key as it. */
const MERE_FORM = /^.{0,3}$/s;

/** The secrets among credentials, for a scrubber. */
export function secretsIn(credentials: StoredCredentials): string[] {
  return [...ownSecrets(credentials), ...(credentials.also ?? []).map(({ value }) => value)];
}

function ownSecrets(credentials: StoredCredentials): string[] {
  switch (credentials.type) {
    case 'bearer': return [credentials.token];
    case 'api_key': return [credentials.value];
    // Also as it is sent: the base64 of the pair holds neither part in a form that is looked for.
    case 'basic': return [
      credentials.password, `${credentials.username}:${credentials.password}`,
      ...(MERE_FORM.test(credentials.password) ? [credentials.username] : [])];
    case 'oauth2': return [
      credentials.access_token, credentials.refresh_token, credentials.client_secret,
    ].filter((value) => value !== null);
  }
}

/** What may be seen of credentials; null if their type says it all. */
export function settingsOf(credentials: StoredCredentials | null): ConnectionSettings {
  if (credentials === null) return null;
  const own = ownSettings(credentials);
  const { also = [] } = credentials;
  return also.length === 0 ? own : { ...own, also: also.map(placementOf) };
}

function ownSettings(credentials: StoredCredentials): ConnectionSettings {
  if (credentials.type === 'api_key') return placementOf(credentials);
  if (credentials.type !== 'oauth2') return null;
  const {
    grant, client_id, client_auth, token_url, authorize_url, refresh_url, revoke_url, issuer,
    audience, resource, is_own, scopes,
  } = credentials;
  return {
    grant, client_auth, token_url, authorize_url: authorize_url ?? undefined, refresh_url,
    revoke_url, issuer, client_id: is_own ? client_id : undefined, audience, resource, scopes,
  };
}

function placementOf({ in: place, name }: ApiKey): Pick<ApiKey, 'in' | 'name'> {
  return { in: place, name };
}

/** The credentials that a call applies; null while OAuth has no access token yet. */
export function applicable(credentials: StoredCredentials): Credentials | null {
  if (credentials.type !== 'oauth2') return credentials;
  const { access_token, scopes, also } = credentials;
  return access_token === null ? null : { type: 'oauth2', access_token,
    ...(scopes.length > 0 && { scopes }), ...(also && { also }) };
}
