import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AuditLog } from '../../audit/audit.ts';
import { untilAborted } from '../../deadline.ts';
import type { Log } from '../../log.ts';
import { unhurried } from '../../patience.ts';
import {
  releaseRefreshLease, takeRefreshLease, type ConnectionKey,
} from '../../store/connectionSecrets.ts';
import type { Sql } from '../../store/database.ts';
import { whileAway } from '../../store/whileAway.ts';
import { NeedsReconnect, type CredentialStore, type KeptConnection } from './credentialStore.ts';
import type { OAuth2Client, OAuth2Tokens, StoredCredentials } from './credentials.ts';
import {
  type ClientRefusal, ClientRefused, fetchClientToken, GrantRefused, refresh, TokenRequestFailed,
  type Tokens,
} from './oauthClient.ts';
import { isForgotten } from './ownClients.ts';
import { revokeTokens } from './revocation.ts';

/** A connection, and what the operator allows it to reach besides public addresses. */
export interface ConnectionTarget extends ConnectionKey {
  egress_allow: readonly string[];
}

export interface TokenRefresherOptions {
  sql: Sql;
  store: CredentialStore;
  log: Log;
  /** The fetch for requests to token endpoints. */
  fetchFor: (options: { egress_allow: readonly string[] }) => typeof fetch;
  /** For one request to a token endpoint. */
  timeout_ms?: number;
  /** A process that refreshes and is silent for this long counts as dead. */
  lease_ms?: number;
}

const TIMEOUT_MS = 10_000;
// Enough for the request. While the database is away, nobody else gets the lease either; a node
// that alone is cut off from it for longer may lose its new token to one that uses the old one.
const LEASE_MS = 30_000;
const FIRST_POLL_MS = 25;
const LONGEST_POLL_MS = 400;
const FORGOTTEN = 'The other service does not know the client any more that was registered there'
  + ' (invalid_client). Connecting again registers another.';
const CLIENT_REFUSED: Record<ClientRefusal, string> = {
  invalid_client: 'The token endpoint does not know the client, or not by this secret'
    + ' (invalid_client).',
  unauthorized_client: 'The token endpoint does not know the client, or not by this secret, or'
    + ' gives it no tokens in this way (unauthorized_client).',
};
/** So long it is tried to store new tokens: a refresh token that is lost asks for a person. */
const STORE_LIMIT_MS = 120_000;

/** Whether new tokens can be had without a person. */
export function isRefreshable(credentials: StoredCredentials | null): boolean {
  return credentials?.type === 'oauth2'
    && (credentials.grant === 'client_credentials' || credentials.refresh_token !== null);
}

/**
 * Whether what refused the tokens may have been mended over there, so that to ask once more, for
 * which nothing is used up, may give new ones: the client was refused, or it is the account itself.
 */
function mayBeMended({ credentials, status_reason }: KeptConnection): boolean {
  return Object.values<string | null>(CLIENT_REFUSED).includes(status_reason)
    || (credentials?.type === 'oauth2' && credentials.grant === 'client_credentials');
}

/**
 * Renews access tokens, once for all who need it. Within the process they share one promise. Among
 * processes, the one that takes the lease in the row asks the token endpoint, and the others look
 * now and then whether the version has changed. A transaction with the row locked would be simpler,
 * but a request may take ten seconds, the database ends transactions that stand still for five, and
 * fifty waiters would hold fifty connections.
 */
export class TokenRefresher {
  readonly #options: Required<TokenRefresherOptions>;
  readonly #running = new Map<string, Promise<KeptConnection>>();

  constructor(options: TokenRefresherOptions) {
    const { timeout_ms = TIMEOUT_MS, lease_ms = LEASE_MS } = options;
    this.#options = { ...options, timeout_ms, lease_ms };
  }

  /**
   * Answers the connection with newer credentials than those of `version`. An abort of `signal`
   * ends the wait, not the renewal: the old token may be used up, so the new one must be kept.
   * Throws NeedsReconnect, and TokenRequestFailed for errors that may pass.
   */
  async refresh(
    target: ConnectionTarget, version: string, signal?: AbortSignal): Promise<KeptConnection> {
    return await untilAborted(this.start(target, version), signal);
  }

  /** As `refresh`, for callers that do not wait: failures are logged and count as handled. */
  start(target: ConnectionTarget, version: string): Promise<KeptConnection> {
    const name = `${target.workspace_id}|${target.connection_id}|${version}`;
    const known = this.#running.get(name);
    if (known !== undefined) return known;
    // For all who need it, and so without the patience of whoever comes first.
    const running = unhurried(() => this.#refresh(target, version))
      .finally(() => this.#running.delete(name));
    this.#running.set(name, running);
    running.catch((error: unknown) => this.#options.log.warn(
      { err: error, connection_id: target.connection_id }, 'an access token was not renewed'));
    return running;
  }

  /** Waits for renewals under way, so that new tokens are stored. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }

  async #refresh(target: ConnectionTarget, version: string): Promise<KeptConnection> {
    const { sql, store, lease_ms, timeout_ms } = this.#options;
    const holder = randomUUID();
    const give_up_ms = performance.now() + lease_ms + timeout_ms;
    let status_before: KeptConnection['status'] | undefined;
    for (let pause_ms = FIRST_POLL_MS; ; pause_ms = Math.min(pause_ms * 2, LONGEST_POLL_MS)) {
      const kept = await store.read(target);
      if (kept.version !== version) return kept;
      status_before ??= kept.status;
      // Who began when it was so is a check, which asks once more. A call does not come this far
      // then: while it waited, another process was refused.
      if (kept.status === 'needs_reconnect'
        && !(status_before === 'needs_reconnect' && mayBeMended(kept))) {
        throw new NeedsReconnect(kept.status_reason ?? 'It was found not to work.');
      }
      if (await takeRefreshLease(sql, target, version, { holder, lease_ms })) {
        return await this.#asHolder(target, kept, version, holder);
      }
      if (performance.now() > give_up_ms) {
        throw new TokenRequestFailed('Other processes have tried for too long to renew the token.');
      }
      await delay(pause_ms);
    }
  }

  async #asHolder(
    target: ConnectionTarget, kept: KeptConnection, version: string, holder: string,
  ): Promise<KeptConnection> {
    const { sql, store } = this.#options;
    const credentials = kept.credentials as OAuth2Client & OAuth2Tokens;
    try {
      const tokens = await this.#request(target, credentials);
      return await this.#keep(target, { ...kept, credentials, version }, tokens);
    } catch (error) {
      // If the lease cannot be released, it runs out by itself.
      await releaseRefreshLease(sql, target, holder).catch(() => {});
      const reason = error instanceof GrantRefused ? error.message
        : await isForgotten(sql, credentials, error) ? FORGOTTEN
          : error instanceof ClientRefused ? CLIENT_REFUSED[error.code] : null;
      if (reason === null) throw error;
      // If there are newer credentials, the refused grant is an old one.
      if (!await store.broken(target, version, reason)) return await store.read(target);
      throw new NeedsReconnect(reason);
    }
  }

  async #request(
    target: ConnectionTarget, credentials: OAuth2Client & OAuth2Tokens): Promise<Tokens> {
    const { fetchFor, timeout_ms } = this.#options;
    const reach = { fetch: fetchFor(target), timeout_ms };
    const { grant, refresh_token } = credentials;
    if (grant === 'client_credentials' || refresh_token === null) {
      return await fetchClientToken(credentials, reach);
    }
    return await refresh(credentials, refresh_token, reach);
  }

  async #keep(
    target: ConnectionTarget,
    kept: KeptConnection & { credentials: OAuth2Client & OAuth2Tokens; version: string },
    tokens: Tokens,
  ): Promise<KeptConnection> {
    const { store } = this.#options;
    const { access_token, lifetime_s } = tokens;
    const refresh_token = tokens.refresh_token ?? kept.credentials.refresh_token;
    const renewed = {
      credentials: { ...kept.credentials, access_token, refresh_token },
      granted_scopes: tokens.scopes ?? kept.granted_scopes, lifetime_s,
    };
    const lost = (kept.granted_scopes ?? []).filter((scope) =>
      tokens.scopes !== null && !tokens.scopes.includes(scope));
    const broken = lost.length === 0 ? null
      : `It was granted less than before; it lost ${lost.join(', ')}.`;
    // Only these new tokens still work. If the first try was stored after all, the second answers
    // false, and the row holds them.
    const isFirst = await whileAway(STORE_LIMIT_MS, () =>
      store.replace(target, kept.version, renewed, broken));
    if (isFirst && broken !== null) throw new NeedsReconnect(broken);
    if (!isFirst) await this.#giveBackUnlessKept(target, renewed.credentials);
    return await store.read(target);
  }

  /**
   * Revokes new tokens if their connection was removed while they were fetched: whoever removed it
   * could only revoke the old ones.
   */
  async #giveBackUnlessKept(
    target: ConnectionTarget, credentials: OAuth2Client & OAuth2Tokens): Promise<void> {
    const { sql, store, log, fetchFor } = this.#options;
    if (await store.exists(target)) return;
    const told = await revokeTokens(credentials, fetchFor(target));
    if (told === null) return;
    const { workspace_id, connection_id } = target;
    log[told.outcome === 'failed' ? 'warn' : 'info']({ connection_id, ...told },
      'tokens of a connection that was removed while they were renewed are given back');
    // The actor is the system: whoever's call had the tokens renewed has not asked for this.
    await whileAway(STORE_LIMIT_MS, () => new AuditLog(sql).append({
      workspace_id, actor: { type: 'system', id: null }, event: 'connection.revoked',
      target: connection_id, outcome: told.outcome,
      details: { ...told.details, renewed_meanwhile: true },
    }));
  }
}
