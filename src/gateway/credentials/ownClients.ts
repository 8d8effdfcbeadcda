import type { Sql } from '../../store/database.ts';
import {
  findOAuthClient, putOAuthClient, removeOAuthClient, type ClientPlace,
} from '../../store/oauthClients.ts';
import { DecryptionFailed, SERVICE, type Secrets } from '../vault/secrets.ts';
import type { OAuth2Client } from './credentials.ts';
import { ClientRefused } from './oauthClient.ts';

/** A client as its server knows it, and what it may ask for. */
export type OwnClient =
  Pick<OAuth2Client, 'client_id' | 'client_secret' | 'client_auth' | 'scopes'>;

/** A client that a server has just registered. */
export interface Registered extends OwnClient {
  /** Seconds since 1970 when its secret expires; null: never. */
  expires_at_s: number | null;
}

/** Keeps the clients that this service registers at other services, sealed. */
export class OwnClients {
  readonly #sql: Sql;
  readonly #secrets: Secrets;

  constructor({ sql, secrets }: { sql: Sql; secrets: Secrets }) {
    this.#sql = sql;
    this.#secrets = secrets;
  }

  /** The client of a place if it may ask for these scopes; null if there is none. */
  async find(place: ClientPlace, scopes: readonly string[]): Promise<OwnClient | null> {
    const sealed = await findOAuthClient(this.#sql, place);
    if (sealed === undefined) return null;
    const client = await this.#secrets.open<OwnClient>(SERVICE, sealContextOf(place), sealed)
      .catch((error: unknown) => {
        if (error instanceof DecryptionFailed) return null;
        throw error;
      });
    return client !== null && scopes.every((one) => client.scopes.includes(one)) ? client : null;
  }

  /** Keeps a client in the place of any other there; answers it. */
  async keep(place: ClientPlace, { expires_at_s, ...client }: Registered): Promise<OwnClient> {
    const sealed = await this.#secrets.seal(SERVICE, sealContextOf(place), client);
    const { client_id } = client;
    await putOAuthClient(this.#sql, { ...place, client_id, sealed, expires_at_s });
    return client;
  }
}

/**
 * Whether `error` says that a server has forgotten a client that the service brought itself. Then
 * it is not used again: whoever connects the next time brings another.
 */
export async function isForgotten(
  sql: Sql, { is_own = false, issuer, client_id }: OAuth2Client, error: unknown): Promise<boolean> {
  if (!is_own || issuer === undefined || !(error instanceof ClientRefused)
    || error.code !== 'invalid_client') return false;
  await removeOAuthClient(sql, { issuer, client_id });
  return true;
}

function sealContextOf({ integration, issuer }: ClientPlace) {
  // A `|` separates the parts of what a sealed value belongs to.
  const field = `client:${issuer.replaceAll('|', '%7C')}`;
  return { table: 'oauth_clients', row: integration, field };
}
