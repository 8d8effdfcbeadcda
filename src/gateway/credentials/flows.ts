import { hash, randomBytes } from 'node:crypto';
import { AuditLog } from '../../audit/audit.ts';
import { setConnectionStatus } from '../../store/connections.ts';
import type { ConnectionKey } from '../../store/connectionSecrets.ts';
import type { Sql } from '../../store/database.ts';
import {
  bindOAuthFlow, insertOAuthFlow, takeOAuthFlow, type OAuthFlowRow,
} from '../../store/oauthFlows.ts';
import { DecryptionFailed, type Secrets } from '../vault/secrets.ts';
import type { ConnectionCredentials } from './connectionCredentials.ts';
import { NeedsReconnect } from './credentialStore.ts';
import {
  digestOf, type OAuth2Client, type OAuth2Tokens, type StoredClient,
} from './credentials.ts';
import {
  authorize, ERROR_CODE, exchangeCode, GrantRefused, TokenRequestFailed,
} from './oauthClient.ts';
import { isForgotten } from './ownClients.ts';
import { revokeTokens } from './revocation.ts';
import { scrubOf } from './withoutSecrets.ts';

/** How long an address opens, and then how long a person may take with the other service. */
export const FLOW_LIFETIME_S = 600;
const TIMEOUT_MS = 10_000;
const SECRET_BYTES = 32;

/** An authorization that came to nothing; the message is for the person who tried. */
export class AuthorizationFailed extends Error {
  readonly reason:
    'not_oauth' | 'unknown_ticket' | 'unknown_state' | 'wrong_issuer' | 'denied' | 'refused'
    | 'unreachable' | 'changed';
  /**
   * Whose it was, where the browser is to be sent, if anywhere, and whether the account goes on by
   * what it had; null: not known.
   */
  of: { connection_id: string; return_url: string | null; stays: boolean } | null = null;

  constructor(reason: AuthorizationFailed['reason'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'AuthorizationFailed';
    this.reason = reason;
  }
}

export interface StartedFlow {
  /** Opens the authorization, once. */
  ticket: string;
  expires_at: string;
}

export interface OpenedFlow {
  /** Where to send the browser. */
  url: string;
  /** The browser comes back with it. */
  state: string;
  /** A secret of this browser, which it has to show when it comes back. */
  session: string;
}

/** The sealed part of an authorization. */
interface SealedFlow {
  url: string;
  state: string;
  code_verifier: string;
  redirect_uri: string;
  /** Where the browser goes at the end, if anywhere. */
  return_url?: string | undefined;
  /** As which client it was begun. */
  client_sha256: string;
  /** Absent: the client is stored already. */
  awaited?: AwaitedChange & {
    /** What is stored until then. */
    before_sha256: string;
  } | undefined;
}

/** What a connection becomes once somebody has consented; until then it stays as it is. */
export interface AwaitedChange {
  client: StoredClient;
  /** Absent: its label stays too. */
  account_label?: string | null | undefined;
}

/** An authorization that came to its end: the connection is connected. */
export interface FinishedFlow extends ConnectionKey {
  id_token: string | null;
  /** Where the browser is to be sent, if anywhere. */
  return_url: string | null;
}

export interface OAuthFlowsOptions {
  sql: Sql;
  secrets: Secrets;
  credentials: ConnectionCredentials;
  timeout_ms?: number;
}

/**
 * Authorizations by a person: the person's browser opens a ticket, goes to the other service with
 * PKCE, and comes back with a code. It must be the browser that opened the ticket. Otherwise
 * somebody could have another person's browser finish an authorization that they began, and connect
 * an account that its owner does not mean.
 */
export class OAuthFlows {
  readonly #options: OAuthFlowsOptions;

  constructor(options: OAuthFlowsOptions) {
    this.#options = options;
  }

  /**
   * Begins an authorization of a connection whose OAuth client is stored, or of a change that is
   * made once somebody has consented.
   */
  async start(
    key: ConnectionKey, { redirect_uri, return_url, awaited }: {
      redirect_uri: string; return_url?: string | undefined; awaited?: AwaitedChange | undefined;
    },
  ): Promise<StartedFlow> {
    const { sql, secrets, credentials } = this.#options;
    const stored = await credentials.stored(key);
    const client = awaited?.client ?? stored;
    if (stored === null || client?.type !== 'oauth2' || client.grant !== 'authorization_code'
      || client.authorize_url === null) {
      throw new AuthorizationFailed('not_oauth',
        'The connection is not of the kind that a person authorizes.');
    }
    const [ticket, state] = [newSecret(), newSecret()];
    const { url, code_verifier } = await authorize(client, { redirect_uri, state });
    const flow = { ...key, state_sha256: digest(state) };
    const sealed = await secrets.seal(key.workspace_id, sealContextOf(flow),
      { url, state, code_verifier, redirect_uri, return_url, client_sha256: digestOf(client),
        awaited: awaited && { ...awaited, before_sha256: digestOf(stored) },
      } satisfies SealedFlow);
    const expires_at = await insertOAuthFlow(sql, {
      ...flow, sealed, ticket_sha256: digest(ticket), lifetime_s: FLOW_LIFETIME_S,
    });
    return { ticket, expires_at };
  }

  /** Binds an authorization to the browser that shows its ticket. Throws AuthorizationFailed. */
  async open(ticket: string): Promise<OpenedFlow> {
    const session = newSecret();
    const flow = await bindOAuthFlow(this.#options.sql, { ticket_sha256: digest(ticket),
      session_sha256: digest(session), lifetime_s: FLOW_LIFETIME_S });
    if (flow === undefined) throw unknownTicket();
    const { url, state } = await this.#unseal(flow, unknownTicket);
    return { url, state, session };
  }

  /**
   * Ends an authorization by the query and the `session` that the browser comes back with, and
   * answers the connection, which is connected then. A state counts once, whatever the result.
   * Throws AuthorizationFailed; the connection then stays as it was, and tokens that have come are
   * given back.
   */
  async finish(
    query: URLSearchParams, { session, path, fetchFor }: {
      session: string | null;
      /** Where the browser came back to. */
      path: string;
      fetchFor: (key: ConnectionKey) => Promise<typeof fetch>;
    }): Promise<FinishedFlow> {
    const flow = await this.#take(query, session);
    const opened = await this.#unseal(flow, unknownState);
    // Behind a proxy the service may be in a folder that it does not see.
    if (!isEndOf(path, new URL(opened.redirect_uri).pathname)) throw unknownState();
    const key = { workspace_id: flow.workspace_id, connection_id: flow.connection_id };
    const stored = await this.#options.credentials.stored(key);
    const { return_url = null, awaited } = opened;
    const client = awaited?.client ?? stored;
    // Others may have been put in while it was begun: its code is nothing for their server.
    if (stored === null || client?.type !== 'oauth2' || digestOf(stored) !== beforeOf(opened)) {
      throw unknownState();
    }
    try {
      const id_token = await this.#tokensOf(key, client, opened, query, await fetchFor(key));
      return { ...key, id_token, return_url };
    } catch (error) {
      if (!(error instanceof AuthorizationFailed)) throw error;
      error.of = { connection_id: key.connection_id, return_url,
        stays: awaited !== undefined && error.reason !== 'changed' };
      await this.#noteFailure(key, error);
      throw error;
    }
  }

  /** Whoever has tried sees it in a browser; the operator may be somebody else. */
  async #noteFailure(
    { workspace_id, connection_id }: ConnectionKey, { message, reason, of }: AuthorizationFailed,
  ): Promise<void> {
    const { sql } = this.#options;
    if (of?.stays !== true) {
      await setConnectionStatus(sql, { workspace_id, connection_id },
        { from: ['pending'], to: 'pending', reason: `Its authorization failed: ${message}` });
      return;
    }
    await new AuditLog(sql).append({
      workspace_id, actor: { type: 'system', id: null }, event: 'connection.authorized',
      target: connection_id, outcome: 'failed', reason: message, details: { reason },
    });
  }

  async #tokensOf(
    key: ConnectionKey, client: StoredClient, opened: SealedFlow,
    query: URLSearchParams, fetch: typeof globalThis.fetch): Promise<string | null> {
    checkIssuer(client, query.getAll('iss'));
    const error = scrubOf([client.client_secret ?? ''])(query.get('error'));
    const code = query.get('code');
    if (error !== null || code === null) {
      throw new AuthorizationFailed('denied', 'The other service did not authorize the connection'
        + ` (${error !== null && ERROR_CODE.test(error) ? error : 'no code came'}).`);
    }
    const reach = { fetch, timeout_ms: this.#options.timeout_ms ?? TIMEOUT_MS };
    const tokens = await exchangeCode(client, { ...opened, code }, reach)
      .catch((error: unknown) => this.#failed(client, error));
    const { access_token, refresh_token } = tokens;
    const { account_label } = opened.awaited ?? {};
    await this.#options.credentials.authorized(
      key, { client, before: beforeOf(opened), account_label }, tokens).catch((error: unknown) =>
      this.#giveBack(key, { ...client, access_token, refresh_token }, reach.fetch, error));
    return tokens.id_token ?? null;
  }

  /** Nobody else knows tokens whose connection was removed or changed while they were fetched. */
  async #giveBack(
    { workspace_id, connection_id }: ConnectionKey, credentials: OAuth2Client & OAuth2Tokens,
    fetch: typeof globalThis.fetch, error: unknown): Promise<never> {
    if (!(error instanceof NeedsReconnect)) throw error;
    const told = (await revokeTokens(credentials, fetch))!;
    await new AuditLog(this.#options.sql).append({
      workspace_id, actor: { type: 'system', id: null }, event: 'connection.revoked',
      target: connection_id, outcome: told.outcome,
      details: { ...told.details, authorized_meanwhile: true },
    });
    throw new AuthorizationFailed('changed', 'The connection was removed or changed while it was'
      + ` being authorized. What the other service has given ${told.outcome === 'ok'
        ? 'was given back' : 'could not be given back, and can be withdrawn there'}. If the account`
      + ' is still to be connected, ask for another address.', error);
  }

  async #failed(client: OAuth2Client, error: unknown): Promise<never> {
    if (await isForgotten(this.#options.sql, client, error)) {
      throw new AuthorizationFailed('refused', 'The other service does not know the client any more'
        + ' that was registered there. Begin again: then another is registered.', error);
    }
    if (error instanceof GrantRefused) {
      throw new AuthorizationFailed('refused', 'The other service refused the code it had given.');
    }
    if (error instanceof TokenRequestFailed) {
      throw new AuthorizationFailed('unreachable', error.message, error.cause);
    }
    throw error;
  }

  async #take(query: URLSearchParams, session: string | null): Promise<OAuthFlowRow> {
    const [state, ...more] = query.getAll('state');
    if (state === undefined || more.length > 0 || session === null) throw unknownState();
    const flow = await takeOAuthFlow(this.#options.sql,
      { state_sha256: digest(state), session_sha256: digest(session) });
    if (flow === undefined) throw unknownState();
    return flow;
  }

  /** A row that was moved here from another workspace does not open: it counts as unknown. */
  async #unseal(flow: OAuthFlowRow, unknown: () => AuthorizationFailed): Promise<SealedFlow> {
    const { secrets } = this.#options;
    return await secrets.open<SealedFlow>(flow.workspace_id, sealContextOf(flow), flow.sealed)
      .catch((error: unknown) => {
        throw error instanceof DecryptionFailed ? unknown() : error;
      });
  }
}

function beforeOf({ client_sha256, awaited }: SealedFlow): string {
  return awaited?.before_sha256 ?? client_sha256;
}

/** One answer for a ticket that never was, has expired, or was opened before. */
function unknownTicket(): AuthorizationFailed {
  return new AuthorizationFailed('unknown_ticket', 'This address opens once, within ten minutes:'
    + ' it was opened before, or has expired. Ask whoever gave it to you for another one.');
}

/** One answer for a state that never was, has expired, was used, or is of another session. */
function unknownState(): AuthorizationFailed {
  return new AuthorizationFailed('unknown_state', 'This authorization is not known, or no longer.'
    + ' It has to be begun again, and ended in the browser that opened it, within ten minutes.');
}

/** `/oauth/callback` is the end of `/folder/oauth/callback`, but not of `/oauth/callback/slug`. */
function isEndOf(path: string, of: string): boolean {
  return of.replace(/\/+$/, '').endsWith(path.replace(/\/+$/, ''));
}

/**
 * Throws AuthorizationFailed if the browser was sent back by another server than the one that was
 * asked (mix-up attack, RFC 9207): one server would be given the code of another. A server whose
 * name is not known has to be at the origin of the address that the person was sent to.
 */
function checkIssuer(
  { issuer, sends_issuer = false, authorize_url }: OAuth2Client, came: readonly string[]): void {
  const [iss, ...more] = came;
  const isRight = iss === undefined ? !sends_issuer
    : issuer !== undefined ? iss === issuer
      : authorize_url !== null && URL.parse(iss)?.origin === new URL(authorize_url).origin;
  if (isRight && more.length === 0) return;
  throw new AuthorizationFailed('wrong_issuer', 'The answer is not of the service that was asked'
    + ' (iss). If that is wrong, the operator can give its name: --issuer.');
}

function sealContextOf(
  { connection_id, state_sha256 }: Pick<OAuthFlowRow, 'connection_id' | 'state_sha256'>) {
  const field = `flow:${state_sha256.toString('hex')}`;
  return { table: 'oauth_flows', row: connection_id, field };
}

function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
