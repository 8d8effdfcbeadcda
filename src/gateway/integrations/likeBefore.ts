/** New credentials of a connection that say nothing of how they are used: as those before were. */
import type { Schemas } from '../../../generated/types.ts';
import type { StoredCredentials } from '../credentials/credentials.ts';

type Given = Schemas['Credentials'];

/** What may be given without saying where tokens come from, or where a key goes. */
const OF_A_CLIENT = ['type', 'grant', 'client_id', 'client_secret', 'client_auth', 'scopes',
  'audience', 'resource', 'access_token', 'refresh_token'];
const OF_A_KEY = ['type', 'value', 'prefix'];

/**
 * The given credentials with what else those before had; null if they are of another kind, say it
 * all themselves, or are of a client that the service registers by itself. Tokens are never kept:
 * they are what is given anew.
 */
export function likeBefore(
  given: Given, kept: StoredCredentials | null): StoredCredentials | null {
  if (kept?.type === 'api_key' && given.type === 'api_key' && holdsOnly(given, OF_A_KEY)) {
    const { also: _, value: __, ...place } = kept;
    const { value, prefix = place.prefix } = given;
    return { ...place, value, ...(prefix !== undefined && { prefix }) };
  }
  if (kept?.type !== 'oauth2' || given.type !== 'oauth2' || kept.is_own === true
    || !holdsOnly(given, OF_A_CLIENT)) return null;
  const { also: _, ...client } = kept;
  const { grant = client.grant, client_id = client.client_id } = given;
  if (grant !== client.grant || client_id !== client.client_id) return null;
  const { audience, resource } = given;
  const client_secret = given.client_secret ?? client.client_secret;
  return {
    ...client, client_secret, scopes: given.scopes ?? client.scopes,
    client_auth: client_secret === null ? 'none' : given.client_auth
      ?? (client.client_auth === 'none' ? 'basic' : client.client_auth),
    ...(audience !== undefined && { audience }), ...(resource !== undefined && { resource }),
    access_token: given.access_token ?? null, refresh_token: given.refresh_token ?? null,
  };
}

function holdsOnly(given: Given, fields: readonly string[]): boolean {
  return Object.entries(given).every(([field, value]) =>
    value === undefined || fields.includes(field));
}
