import type { LogScrubber } from '../../log.ts';
import {
  putConnectionSecret, readConnectionSecret, replaceConnectionSecret, takeConnectionSecret,
  type ConnectionKey, type ConnectionSecretRow, type NewSecret,
} from '../../store/connectionSecrets.ts';
import { setConnectionStatus, type ConnectionStatus } from '../../store/connections.ts';
import type { Sql, Transaction } from '../../store/database.ts';
import { LiveSecrets } from '../vault/liveSecrets.ts';
import { Scrubber } from '../vault/scrubber.ts';
import { DecryptionFailed, type Secrets } from '../vault/secrets.ts';
import { secretsIn, type StoredCredentials } from './credentials.ts';

/** A connection that works again only when a person has connected it anew. */
export class NeedsReconnect extends Error {
  /** A sentence for a person and for an agent. */
  readonly reason: string;

  constructor(reason: string) {
    super(`The connection must be reconnected: ${reason}`);
    this.name = 'NeedsReconnect';
    this.reason = reason;
  }
}

/** A connection as it is kept. */
export interface KeptConnection
  extends Pick<ConnectionSecretRow, 'status' | 'status_reason' | 'due' | 'expired'> {
  granted_scopes: string[] | null;
  /** Null, like the version, if it has none and calls go without. */
  credentials: StoredCredentials | null;
  version: string | null;
}

/** Credentials to be kept, with what is known of the access token in them. */
export interface NewCredentials {
  credentials: StoredCredentials;
  granted_scopes: string[] | null;
  /** Seconds it lives from now on; null: not known to expire. */
  lifetime_s: number | null;
}

const UNREADABLE = 'Its stored credentials cannot be opened; they were changed or moved.';

/** Keeps the credentials of connections, sealed, and the status that follows from them. */
export class CredentialStore {
  readonly #sql: Sql;
  readonly #secrets: Secrets;
  readonly #live: LiveSecrets;

  constructor(options: { sql: Sql; secrets: Secrets; log_scrubber?: LogScrubber | undefined }) {
    this.#sql = options.sql;
    this.#secrets = options.secrets;
    this.#live = new LiveSecrets(options.log_scrubber ?? new Scrubber());
  }

  /**
   * A connection with its credentials. Throws NeedsReconnect if there is no such connection, or if
   * its credentials do not open; the status then says so.
   */
  async read(key: ConnectionKey): Promise<KeptConnection> {
    const row = await readConnectionSecret(this.#sql, key);
    if (row === undefined) throw new NeedsReconnect('It was removed.');
    const { sealed, type: _type, expires_at: _expires, ...rest } = row;
    if (sealed === null || row.version === null) {
      this.#live.forget(key);
      return { ...rest, credentials: null, version: null };
    }
    const credentials = await this.#open(key, sealed, row.version);
    this.#live.hold(key, row.version, secretsIn(credentials));
    return { ...rest, credentials };
  }

  /** Whether the connection is there still. */
  async exists(key: ConnectionKey): Promise<boolean> {
    return await readConnectionSecret(this.#sql, key) !== undefined;
  }

  /**
   * Seals credentials (null: it has none) and answers a function that stores them in a transaction.
   * Sealing comes first because it may need a connection, and a transaction must not wait for a
   * second one.
   */
  async seal(
    key: ConnectionKey, given: NewCredentials | null, status: ConnectionStatus,
  ): Promise<(tx: Transaction) => Promise<void>> {
    const secret = given && await this.#sealed(key, given);
    return async (tx) => {
      if (secret) await putConnectionSecret(tx, key, secret);
      else {
        await takeConnectionSecret(tx, key);
        this.#live.forget(key);
      }
      await this.#become(tx, key, status);
    };
  }

  /**
   * Replaces the credentials of a version; the connection becomes `connected`, or `needs_reconnect`
   * if `broken` gives a reason. What `within` does commits with it. Answers false if the connection
   * has newer ones by now.
   */
  async replace(
    key: ConnectionKey, version: string, given: NewCredentials, broken: string | null = null,
    within?: (tx: Transaction) => Promise<void>,
  ): Promise<boolean> {
    const secret = await this.#sealed(key, given);
    return await this.#sql.begin(async (tx) => {
      if (!await replaceConnectionSecret(tx, key, version, secret)) return false;
      await this.#become(tx, key, broken === null ? 'connected' : 'needs_reconnect', broken);
      await within?.(tx);
      return true;
    });
  }

  /**
   * Removes them, and answers what opens them as they were stored last, once the transaction is
   * over: what was read before it may have been renewed since. That rejects as `read` does.
   */
  async take(
    tx: Transaction, key: ConnectionKey): Promise<() => Promise<StoredCredentials | null>> {
    const taken = await takeConnectionSecret(tx, key);
    return async () => {
      if (taken === undefined) return null;
      const credentials = await this.#open(key, taken.sealed, taken.version);
      this.#live.hold(key, taken.version, secretsIn(credentials));
      return credentials;
    };
  }

  /** Notes that credentials no longer work. Answers false if these are not the current ones. */
  async broken(key: ConnectionKey, version: string | null, reason: string): Promise<boolean> {
    return await setConnectionStatus(this.#sql, key, {
      from: ['connected', 'needs_reconnect'], to: 'needs_reconnect', reason,
      ...(version !== null && { secret_version: version }),
    });
  }

  /** A disabled connection stays disabled, whatever happens to its credentials. */
  async #become(
    tx: Transaction, key: ConnectionKey, to: ConnectionStatus, reason: string | null = null,
  ): Promise<void> {
    await setConnectionStatus(
      tx, key, { from: ['pending', 'connected', 'needs_reconnect'], to, reason });
  }

  async #sealed(
    key: ConnectionKey, { credentials, ...rest }: NewCredentials): Promise<NewSecret> {
    const sealed = await this.#secrets.seal(key.workspace_id, sealContextOf(key), credentials);
    return { ...rest, type: credentials.type, sealed };
  }

  async #open(key: ConnectionKey, sealed: string, version: string): Promise<StoredCredentials> {
    try {
      return await this.#secrets.open(key.workspace_id, sealContextOf(key), sealed);
    } catch (error) {
      if (!(error instanceof DecryptionFailed)) throw error;
      await this.broken(key, version, UNREADABLE);
      throw new NeedsReconnect(UNREADABLE);
    }
  }
}

const sealContextOf = ({ connection_id }: ConnectionKey) =>
  ({ table: 'connection_secrets', row: connection_id, field: 'credentials' });
