/** Connecting accounts: what an operator does, and the person who consents in a browser. */
import type { Schemas } from '../../../generated/types.ts';
import { AuditLog } from '../../audit/audit.ts';
import { within } from '../../deadline.ts';
import { GatehouseError, notFound } from '../../errors.ts';
import { newId } from '../../ids.ts';
import { expireApprovalsOf } from '../../store/approvals.ts';
import {
  deleteConnectionRow, getConnectionRow, insertConnection, updateConnectionRow, type ConnectionRow,
} from '../../store/connections.ts';
import type { Sql, Transaction } from '../../store/database.ts';
import {
  getIntegrationRow, holdIntegration, type IntegrationRow,
} from '../../store/integrations.ts';
import { endOAuthFlows, hasOAuthFlow } from '../../store/oauthFlows.ts';
import { getWorkspaceRow } from '../../store/workspaces.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import {
  needsConsent, type ConnectionCredentials,
} from '../credentials/connectionCredentials.ts';
import { settingsOf, type StoredCredentials } from '../credentials/credentials.ts';
import {
  AuthorizationFailed, type AwaitedChange, type OAuthFlows, type OpenedFlow,
} from '../credentials/flows.ts';
import type { OwnClients } from '../credentials/ownClients.ts';
import { revokeTokens } from '../credentials/revocation.ts';
import { reachOf } from '../egress/egress.ts';
import { labelAccount } from './accountLabel.ts';
import type { Actor } from './administration.ts';
import { probeConnection, type ConnectionCheck } from './connectionCheck.ts';
import { completeCredentials, type GivenCredentials } from './givenCredentials.ts';
import { noAddress } from './reachable.ts';
import type { ServerClientOptions } from './serverClient.ts';

/**
 * Where a browser begins an authorization and comes back to, below the public address. Integrations
 * have an address of their own to come back to, below the second: where a browser comes back then
 * says which server sent it, so that one server cannot pass off its answer as another's.
 */
export const OAUTH_START_PATH = '/oauth/start';
export const OAUTH_CALLBACK_PATH = '/oauth/callback';
/** Below it the service describes itself as the OAuth client of each integration. */
export const OAUTH_CLIENT_PATH = '/oauth/client';

/** What only the answer to the request tells that has set a connection up. */
export type SetUp = Pick<Schemas['Connection'],
  'settings' | 'authorization_url' | 'authorization_expires_at'>;
export type ConnectionAnswer = ConnectionRow & SetUp;

export interface ConnectionAdministrationOptions {
  sql: Sql;
  credentials: ConnectionCredentials;
  flows: OAuthFlows;
  clients: OwnClients;
  catalogue: Pick<Catalogue, 'visible'>;
  builtin: readonly string[];
  fetchFor(options: { egress_allow: readonly string[] }): typeof fetch;
  publicUrl(): string;
  /** How many tools an MCP server lists to the account of a connection. Throws ActionFailure. */
  countTools(row: IntegrationRow, connection: ConnectionRow, signal: AbortSignal): Promise<number>;
  /**
   * An account is connected to an integration whose server has listed no tools to anybody yet.
   * Resolves when the server was asked for them, whatever came of it.
   */
  onFirstAccount(slug: string): Promise<void>;
}

/** Somebody waits, to be told whether the server takes the account. It is asked all the same. */
const FIRST_LISTING_MS = 3_000;

export class ConnectionAdministration {
  readonly #options: ConnectionAdministrationOptions;

  constructor(options: ConnectionAdministrationOptions) {
    this.#options = options;
  }

  /**
   * Adds a connection. `within` gives its transaction: what it adds commits with the connection,
   * and it may answer one that there is instead.
   */
  async create(
    request: Schemas['CreateConnectionRequest'], by: Actor, within: (
      make: (tx: Transaction) => Promise<ConnectionRow>) => Promise<ConnectionRow>,
  ): Promise<ConnectionAnswer> {
    const { sql, credentials } = this.#options;
    const { workspace_id, integration, name, account_label = null, return_url } = request;
    requireAddress(return_url);
    if (!await getWorkspaceRow(sql, workspace_id)) throw notFound('workspace', workspace_id);
    const stored = await this.#stored(request.credentials, integration, by);
    const key = { workspace_id, connection_id: newId('con') };
    const storeIn = await credentials.prepare(key, stored);
    const row = await within(async (tx) => {
      // The integration may have been removed meanwhile, and must stay until this commits.
      if (!await holdIntegration(tx, integration)) throw notFound('integration', integration);
      const made = await insertConnection(tx, {
        id: key.connection_id, workspace_id, integration, name, account_label, status: 'pending',
      });
      if (!made) throw notFound('workspace', workspace_id);
      await storeIn(tx);
      await AuditLog.within(tx, {
        ...by, workspace_id, event: 'connection.created', target: key.connection_id,
        details: { integration, auth_type: stored.type },
      });
      return (await getConnectionRow(tx, key.connection_id))!;
    });
    // A repeated request gets the connection that the first one made, and has given its label.
    const isMade = row.id === key.connection_id;
    const labelled = isMade ? await this.#labelled(row, await this.#integration(integration)) : row;
    return await this.#answer(labelled, { settings: true, begin: true, return_url });
  }

  async update(
    id: string, change: Schemas['UpdateConnectionRequest'], by: Actor,
  ): Promise<ConnectionAnswer> {
    const { sql, credentials } = this.#options;
    const before = await this.#find(id);
    const { credentials: given, status, return_url, account_label, ...rest } = change;
    requireAddress(return_url);
    if (status === 'connected' && given === undefined && before.status !== 'disabled'
      && before.status !== 'connected') {
      throw new GatehouseError('invalid_request', `This connection is ${before.status}: only new`
        + ' credentials can make it connected.', { param: '/status' });
    }
    const key = { workspace_id: before.workspace_id, connection_id: id };
    // New credentials do not enable a connection that an operator has disabled, also meanwhile.
    const enabling = before.status === 'disabled' && status === 'connected';
    const kept = given || enabling ? await credentials.stored(key) : null;
    const stored = given && await this.#stored(given, before.integration, by, {
      // Where nobody has come back, a new client is registered: if the server has forgotten the
      // former one, nobody ever does.
      anew: before.status === 'pending' || await hasOAuthFlow(sql, key), kept,
    });
    // What is used stays until somebody has consented to the other: they may refuse, or never come.
    const stays = kept !== null
      && (before.status === 'connected' || before.status === 'needs_reconnect');
    const awaited = stays && stored?.type === 'oauth2' && needsConsent(stored)
      ? { client: stored, account_label } : undefined;
    const storeIn = stored && !awaited && await credentials.prepare(key, stored);
    // Those that do not open count as usable: the first call says what is wrong with them.
    const enabled = !stored && enabling && !needsConsent(kept) ? 'connected' : 'pending';
    const row = await sql.begin(async (tx) => {
      const changed = await updateConnectionRow(tx, id, {
        ...rest, ...(!awaited && { account_label }), ...(enabling && { status: enabled }),
      });
      if (!changed) throw notFound('connection', id);
      if (storeIn) {
        await storeIn(tx);
        // They were given for the account that was connected before; this may be another one.
        await expireApprovalsOf(tx, key);
      }
      if (awaited) await endOAuthFlows(tx, key);
      if (status === 'disabled') await updateConnectionRow(tx, id, { status });
      await AuditLog.within(tx, {
        ...by, workspace_id: before.workspace_id, target: id,
        event: stored ? 'connection.reconnected' : 'connection.changed',
        details: { fields: Object.keys(change), ...(awaited && { awaits_consent: true }) },
      });
      return (await getConnectionRow(tx, id))!;
    });
    const labelled = storeIn
      ? await this.#labelled(row, await this.#integration(row.integration)) : row;
    return await this.#answer(labelled, {
      settings: stored !== undefined, begin: stored !== undefined || enabling, awaited,
      return_url });
  }

  /** Removes it, and then gives its tokens back to the server that has given them, if it can. */
  async remove(id: string, by: Actor): Promise<void> {
    const { sql, credentials } = this.#options;
    const { workspace_id } = await this.#find(id);
    const { integration, open } = await sql.begin(async (tx) => {
      const open = await credentials.take(tx, { workspace_id, connection_id: id });
      const gone = await deleteConnectionRow(tx, id);
      if (!gone) throw notFound('connection', id);
      await expireApprovalsOf(tx, { workspace_id, connection_id: id });
      await AuditLog.within(tx, {
        ...by, workspace_id, event: 'connection.removed', target: id,
        details: { integration: gone.integration },
      });
      return { ...gone, open };
    });
    // What cannot be opened is removed all the same.
    const tokens = await open().catch(() => null);
    if (tokens === null) return;
    const row = await getIntegrationRow(sql, integration);
    const told = row && await revokeTokens(tokens, this.#options.fetchFor(
      { egress_allow: reachOf(row) }));
    if (!told) return;
    await new AuditLog(sql).append({ ...by, workspace_id, event: 'connection.revoked', target: id,
      outcome: told.outcome, details: { integration, ...told.details } });
  }

  /** Uses the connection for a reading action that needs no input. */
  async check(id: string, by: Actor): Promise<ConnectionCheck> {
    const { sql, catalogue, credentials } = this.#options;
    const checked = await probeConnection({ sql, catalogue, credentials,
      countTools: async (row, signal) => {
        const integration = await getIntegrationRow(sql, row.integration);
        return integration?.mcp?.url === undefined ? null
          : await this.#options.countTools(integration, row, signal);
      } }, id, by);
    const row = await getConnectionRow(sql, id);
    // What is built in has no row.
    const integration = row && await getIntegrationRow(sql, row.integration);
    if (row && integration) await this.#heed(row, integration);
    return checked;
  }

  /** Sends the first browser with this ticket to the other service. Throws AuthorizationFailed. */
  async openAuthorization(ticket: string): Promise<OpenedFlow> {
    return await this.#options.flows.open(ticket);
  }

  /**
   * Ends an authorization by the query that the browser brings, the path that it comes back to, and
   * the session that it was given when it opened it; `return_url`: where the browser goes, if
   * anywhere. Throws AuthorizationFailed.
   */
  async authorized(
    query: URLSearchParams, { session, path }: { session: string | null; path: string },
  ): Promise<{ connection: ConnectionRow; return_url: string | null }> {
    const { sql, flows, fetchFor } = this.#options;
    const { workspace_id, connection_id, id_token, return_url } = await flows.finish(query, {
      session, path,
      fetchFor: async (key) => {
        const { integration } = await this.#stillThere(key.connection_id);
        return fetchFor({ egress_allow: reachOf(integration) });
      },
    });
    const { row: authorized, integration } = await this.#stillThere(
      connection_id, { connection_id, return_url, stays: false });
    await new AuditLog(sql).append({
      workspace_id, actor: { type: 'system', id: null }, event: 'connection.authorized',
      target: connection_id, details: { integration: authorized.integration },
    });
    const row = await this.#labelled(authorized, integration, id_token);
    return { connection: await this.#heed(row, integration), return_url };
  }

  /**
   * A connection that is being authorized, and its integration. Throws AuthorizationFailed, with
   * whose authorization it is, if they are gone: its tokens were given back then.
   */
  async #stillThere(
    connection_id: string, of: AuthorizationFailed['of'] = null,
  ): Promise<{ row: ConnectionRow; integration: IntegrationRow }> {
    const { sql } = this.#options;
    const row = await getConnectionRow(sql, connection_id);
    const integration = row && await getIntegrationRow(sql, row.integration);
    if (row && integration) return { row, integration };
    throw Object.assign(new AuthorizationFailed('changed', 'The connection was removed while it was'
      + ' being authorized.'), { of });
  }

  /** With the label that the other service has for the account, once it can be used. */
  async #labelled(
    row: ConnectionRow, integration: IntegrationRow, id_token: string | null = null,
  ): Promise<ConnectionRow> {
    if (row.status !== 'connected') return row;
    await labelAccount(this.#options, row, integration, id_token);
    return await getConnectionRow(this.#options.sql, row.id) ?? row;
  }

  /** Connections to built-in integrations are made with the workspace, and stay. */
  async #find(id: string): Promise<ConnectionRow> {
    const row = await getConnectionRow(this.#options.sql, id);
    if (!row) throw notFound('connection', id);
    if (this.#options.builtin.includes(row.integration)) {
      throw new GatehouseError('integration_in_use', `${row.integration} is built in; its`
        + ' connection stays as it is. A grant with the decision "deny" keeps agents from it.',
      { param: 'connection_id' });
    }
    return row;
  }

  async #integration(slug: string): Promise<IntegrationRow> {
    const row = await getIntegrationRow(this.#options.sql, slug);
    if (!row) throw notFound('integration', slug);
    return row;
  }

  async #answer(
    row: ConnectionRow,
    tell: {
      settings: boolean; begin: boolean; return_url: string | undefined;
      awaited?: AwaitedChange | undefined;
    },
  ): Promise<ConnectionAnswer> {
    const { credentials, flows, publicUrl } = this.#options;
    const key = { workspace_id: row.workspace_id, connection_id: row.id };
    const { awaited, begin, return_url } = tell;
    const kept = tell.settings
      ? settingsOf(awaited?.client ?? await credentials.stored(key)) : null;
    const integration = await this.#integration(row.integration);
    if (!begin || (row.status !== 'pending' && !awaited)) {
      const now = await this.#heed(row, integration);
      return { ...now, settings: kept, authorization_url: null, authorization_expires_at: null };
    }
    const redirect_uri = this.#redirectUri(integration);
    const { ticket, expires_at } = await flows.start(
      key, { redirect_uri, return_url, awaited });
    return {
      ...row, settings: kept && { ...kept, redirect_uri },
      authorization_url: `${publicUrl()}${OAUTH_START_PATH}?ticket=${ticket}`,
      authorization_expires_at: expires_at,
    };
  }

  async #stored(
    given: GivenCredentials, slug: string, { signal }: Actor,
    before: Pick<ServerClientOptions, 'anew' | 'kept'> = { anew: false, kept: null },
  ): Promise<StoredCredentials | { type: 'none' }> {
    const { clients, fetchFor, publicUrl } = this.#options;
    const integration = await this.#integration(slug);
    const client_uri = publicUrl();
    const isPublic = client_uri.startsWith('https:') && integration.own_redirect;
    return await completeCredentials(given, {
      integration, signal, clients, client_uri, ...before,
      redirect_uri: this.#redirectUri(integration),
      client_url: isPublic ? `${client_uri}${OAUTH_CLIENT_PATH}/${slug}` : null,
      fetch: fetchFor({ egress_allow: reachOf(integration) }),
    });
  }

  #redirectUri({ slug, own_redirect }: IntegrationRow): string {
    return this.#options.publicUrl() + OAUTH_CALLBACK_PATH + (own_redirect ? `/${slug}` : '');
  }

  /** The connection as it is once the server was asked for its tools, if that has not been done. */
  async #heed(
    row: ConnectionRow, { slug, kind, report }: IntegrationRow): Promise<ConnectionRow> {
    if (row.status !== 'connected' || kind !== 'mcp' || report.operations > 0) return row;
    await within(FIRST_LISTING_MS, this.#options.onFirstAccount(slug), () => {});
    return await getConnectionRow(this.#options.sql, row.id) ?? row;
  }
}

/** Throws `invalid_request` for what the document's pattern takes and no browser can open. */
function requireAddress(return_url: string | undefined): void {
  if (return_url === undefined || URL.canParse(return_url)) return;
  throw noAddress('/return_url', 'must be an address such as https://app.example/accounts');
}
