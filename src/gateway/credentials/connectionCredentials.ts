import type { LogScrubber } from '../../log.ts';
import { expireApprovalsOf } from '../../store/approvals.ts';
import type { ConnectionKey } from '../../store/connectionSecrets.ts';
import { setAuthorized } from '../../store/connections.ts';
import type { Transaction } from '../../store/database.ts';
import { endOAuthFlows } from '../../store/oauthFlows.ts';
import { whileAway } from '../../store/whileAway.ts';
import type { Credentials } from '../action/credentials.ts';
import type { Secrets } from '../vault/secrets.ts';
import { CredentialStore, NeedsReconnect, type KeptConnection } from './credentialStore.ts';
import {
  applicable, digestOf, secretsIn, type OAuth2Client, type OAuth2Tokens, type StoredClient,
  type StoredCredentials,
} from './credentials.ts';
import type { Tokens } from './oauthClient.ts';
import {
  isRefreshable, TokenRefresher, type ConnectionTarget, type TokenRefresherOptions,
} from './tokenRefresher.ts';
import { RefusedAlone } from './unauthorized.ts';
import { unsendableIn } from './unsendable.ts';

export type { ConnectionTarget } from './tokenRefresher.ts';

/** Credentials as a call got them. */
export interface Issued {
  credentials: Credentials;
  /** All secrets of this connection: for the scrubber of the call. */
  secrets: readonly string[];
  version: string | null;
  /** They were renewed because the integration had refused others. */
  after_refusal: boolean;
}

/** A connection, and the action that was refused in a call by it; null: tools were asked for. */
export interface RefusedTarget extends ConnectionTarget {
  action: string | null;
  /** The document asks for other credentials there. Absent: it does not, or there is none. */
  asks_otherwise?: boolean;
}

/** Who finds out whether an integration takes credentials elsewhere that it refused in one call. */
export interface Identities {
  accepts(target: RefusedTarget, issued: Issued, signal?: AbortSignal): Promise<boolean>;
}

export interface ConnectionCredentialsOptions extends Omit<TokenRefresherOptions, 'store'> {
  secrets: Secrets;
  identities: Identities;
  /** Told every secret that this process opens: for the log alone, see Scrubber. */
  log_scrubber?: LogScrubber;
}

const OUTLIVED = ' Its access token has ended, and the server gave no refresh token with it. Some'
  + ' give one only for a scope (offline_access) or a query of the authorize URL'
  + ' (?prompt=consent).';
const AGAIN_LIMIT = 5;
/** A person waits for it. */
const STORE_LIMIT_MS = 3_000;

/**
 * The credentials of connections: for a call, after a refusal, and when they are given or removed.
 * All its errors but NeedsReconnect, such as TokenRequestFailed, may pass and leave the connection
 * as it is.
 */
export class ConnectionCredentials {
  readonly #store: CredentialStore;
  readonly #refresher: TokenRefresher;
  readonly #identities: Identities;

  constructor({ log_scrubber, identities, ...options }: ConnectionCredentialsOptions) {
    this.#identities = identities;
    this.#store = new CredentialStore({ ...options, log_scrubber });
    this.#refresher = new TokenRefresher({ ...options, store: this.#store });
  }

  /**
   * Credentials for a call. An access token that has expired is renewed first; one that will expire
   * soon is renewed while the call goes on. An expired token that cannot be renewed is used all the
   * same: only the integration knows whether it still accepts it.
   */
  async for(target: ConnectionTarget, signal?: AbortSignal): Promise<Issued> {
    let kept = await this.#store.read(target);
    if (kept.due && kept.version !== null && isRefreshable(kept.credentials)) {
      if (kept.expired) kept = await this.#refresher.refresh(target, kept.version, signal);
      else void this.#refresher.start(target, kept.version);
    }
    return await this.#issue(target, kept, false);
  }

  /**
   * Other credentials after the integration answered 401 to `issued`. Throws NeedsReconnect, and
   * sets the status of the connection, if they cannot be renewed or were already renewed because of
   * a refusal; RefusedAlone if there are none, if others were asked for, or if the integration
   * accepts them elsewhere.
   */
  async refused(target: RefusedTarget, issued: Issued, signal?: AbortSignal): Promise<Issued> {
    const kept = await this.#store.read(target);
    // Others were quicker.
    if (kept.version !== issued.version) return await this.#issue(target, kept, true);
    if (!issued.after_refusal && kept.version !== null && isRefreshable(kept.credentials)) {
      const renewed = await this.#refresher.refresh(target, kept.version, signal);
      return await this.#issue(target, renewed, true);
    }
    if (kept.credentials === null || target.asks_otherwise === true
      || await this.#identities.accepts(target, issued, signal)) {
      throw new RefusedAlone();
    }
    // If one call alone is refused, and nobody could find out, its name tells the operator so.
    const reason = `The integration refused its credentials ${target.action === null
      ? 'when it was asked for its tools' : `in a call of ${target.action}`}.`
      + (hasOutlived(kept) ? OUTLIVED : '');
    if (!await this.#store.broken(target, kept.version, reason)) {
      const now = await this.#store.read(target);
      if (now.version !== issued.version) return await this.#issue(target, now, true);
    }
    throw new NeedsReconnect(reason);
  }

  /**
   * Answers what stores credentials in the place of any others, in the transaction that also
   * creates or changes the connection. It is connected then, or pending if somebody has to
   * authorize it first: by an authorization that is begun after that.
   */
  async prepare(
    key: ConnectionKey, credentials: StoredCredentials | { type: 'none' },
  ): Promise<(tx: Transaction) => Promise<void>> {
    const kept = credentials.type === 'none' ? null : credentials;
    const is_authorized = !needsConsent(kept);
    const put = await this.#store.seal(key, kept && {
      credentials: kept, granted_scopes: null,
      // A missing token counts as expired: the first call gets one.
      lifetime_s: applicable(kept) === null ? 0 : null,
    }, is_authorized ? 'connected' : 'pending');
    return async (tx) => {
      await put(tx);
      await setAuthorized(tx, key, { auth_type: credentials.type, is_authorized });
      await endOAuthFlows(tx, key);
    };
  }

  /** What is stored; null: nothing that can be read. */
  async stored(key: ConnectionKey): Promise<StoredCredentials | null> {
    try {
      return (await this.#store.read(key)).credentials;
    } catch (error) {
      if (error instanceof NeedsReconnect) return null;
      throw error;
    }
  }

  /** The OAuth client of a connection, and its tokens; null if it is connected in another way. */
  async oauthClient(key: ConnectionKey): Promise<OAuth2Client & OAuth2Tokens | null> {
    const { credentials } = await this.#store.read(key);
    return credentials?.type === 'oauth2' ? credentials : null;
  }

  /**
   * Removes the credentials in a transaction, and answers what gives the OAuth client with its
   * tokens once that is over; null if it was connected in another way.
   */
  async take(
    tx: Transaction, key: ConnectionKey,
  ): Promise<() => Promise<OAuth2Client & OAuth2Tokens | null>> {
    const open = await this.#store.take(tx, key);
    return async () => {
      const credentials = await open();
      return credentials?.type === 'oauth2' ? credentials : null;
    };
  }

  /**
   * Puts `client`, with the tokens of an authorization that a person has given to it, in the place
   * of what is stored and has the digest `before`: that may be another account's, its refresh token
   * too. The connection is connected, and gets the label that was asked for with it.
   */
  async authorized(
    key: ConnectionKey, { client, before, account_label }: {
      client: StoredClient; before: string; account_label?: string | null | undefined;
    },
    { access_token, refresh_token, scopes: granted_scopes, lifetime_s }: Tokens): Promise<void> {
    const store = async () => {
      const { credentials, version } = await this.#store.read(key);
      if (credentials === null || version === null || digestOf(credentials) !== before) {
        throw new NeedsReconnect('Its credentials were changed while it was being authorized.');
      }
      return await this.#store.replace(key, version, {
        credentials: { ...client, access_token, refresh_token }, granted_scopes, lifetime_s,
      }, null, async (tx) => {
        await setAuthorized(
          tx, key, { auth_type: client.type, is_authorized: true, account_label });
        await expireApprovalsOf(tx, key);
        await endOAuthFlows(tx, key);
      });
    };
    // The code is used up: what is not stored now, the person has to consent to once more.
    for (let times = 0; times < AGAIN_LIMIT; times++) {
      if (await whileAway(STORE_LIMIT_MS, store)) return;
    }
    throw new NeedsReconnect('Its credentials were changed again and again meanwhile.');
  }

  /**
   * For a call. What no request can carry breaks the connection before anything is sent: the other
   * side has refused nothing.
   */
  async #issue(
    target: ConnectionTarget, { credentials: stored, version }: KeptConnection,
    after_refusal: boolean): Promise<Issued> {
    if (stored === null) {
      return { credentials: { type: 'none' }, secrets: [], version, after_refusal };
    }
    const credentials = applicable(stored);
    if (credentials === null) throw new NeedsReconnect('Nobody has authorized it yet.');
    const unsendable = unsendableIn(credentials);
    if (unsendable === null) {
      return { credentials, secrets: secretsIn(stored), version, after_refusal };
    }
    const reason = `${unsendable.reason} Nothing was sent.`;
    await this.#store.broken(target, version, reason);
    throw new NeedsReconnect(reason);
  }

  /** Waits for what is being renewed. */
  async close(): Promise<void> {
    await this.#refresher.close();
  }
}

/** Nobody has taken it back: it has ended, and there is nothing to renew it by. */
function hasOutlived({ credentials, expired }: KeptConnection): boolean {
  return expired && credentials?.type === 'oauth2' && !isRefreshable(credentials);
}

/** Whether somebody has to authorize it before it can be used. */
export function needsConsent(credentials: StoredCredentials | null): boolean {
  return credentials !== null && applicable(credentials) === null && !isRefreshable(credentials);
}
