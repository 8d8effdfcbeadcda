/** A token endpoint that answers as it is told, and credentials that use it. */
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Test } from 'tap';
import {
  ConnectionCredentials, type ConnectionCredentialsOptions,
} from '../../../src/gateway/credentials/connectionCredentials.ts';
import type { OAuth2Client, OAuth2Tokens } from '../../../src/gateway/credentials/credentials.ts';
import { OAuthFlows, type OpenedFlow } from '../../../src/gateway/credentials/flows.ts';
import type { MasterKeys } from '../../../src/gateway/vault/dataKeys.ts';
import { createSecrets } from '../../../src/gateway/vault/secrets.ts';
import { createLog } from '../../../src/log.ts';
import type { ConnectionKey } from '../../../src/store/connectionSecrets.ts';
import type { Sql } from '../../../src/store/database.ts';
import { testDatabase } from '../../support/database.ts';
import { listen } from '../../support/listen.ts';
import { addConnection, addWorkspaces, masterKeys } from '../vault/support.ts';

export interface Asked {
  form: Record<string, string>;
  headers: IncomingMessage['headers'];
  url: string;
}

export interface Answer {
  status?: number;
  headers?: Record<string, string>;
  /** An object is written as JSON, text as it is. */
  body: object | string;
}

/** A server whose every answer is `answer`'s; `asked` are the requests so far. */
export async function tokenServer(
  t: Test, answer: (asked: Asked, number: number) => Answer | Promise<Answer>) {
  const asked: Asked[] = [];
  const server = createServer((request, response) => void (async () => {
    const form = Object.fromEntries(new URLSearchParams(await text(request)));
    const one = { form, headers: request.headers, url: request.url! };
    asked.push(one);
    const { status = 200, headers = {}, body } = await answer(one, asked.length);
    response.writeHead(status, typeof body === 'string' ? headers
      : { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  })());
  return { url: `http://127.0.0.1:${await listen(t, server)}`, asked };
}

export function oauthClient(changes: Partial<OAuth2Client & OAuth2Tokens>) {
  return {
    type: 'oauth2', grant: 'authorization_code', client_id: 'client 1',
    client_secret: 'client-secret-1', client_auth: 'basic', token_url: 'http://127.0.0.1:1/token',
    authorize_url: null, scopes: [], access_token: null, refresh_token: null, ...changes,
  } satisfies OAuth2Client & OAuth2Tokens as OAuth2Client & OAuth2Tokens;
}

/** Stores credentials in the place of any others; `known`: as if their tokens had just come. */
export async function store(
  sql: Sql, credentials: ConnectionCredentials, key: ConnectionKey,
  given: Parameters<ConnectionCredentials['prepare']>[1],
  known?: { lifetime_s: number; granted_scopes?: string[] | null }): Promise<void> {
  const storeIn = await credentials.prepare(key, given);
  await sql.begin(async (tx) => {
    await storeIn(tx);
    if (known === undefined) return;
    const { lifetime_s, granted_scopes = null } = known;
    await tx`
      update connection_secrets set granted_scopes = ${granted_scopes}::text[],
        expires_at = now() + ${lifetime_s} * interval '1 second',
        refresh_at = now() + ${lifetime_s - 60} * interval '1 second'
      where workspace_id = ${key.workspace_id} and connection_id = ${key.connection_id}
        -- A missing token counts as expired, whatever is known.
        and expires_at is null`;
  });
}

/** What a process has: its own pool, secrets and credentials. */
export function processWith(
  t: Test, sql: Sql, keys: MasterKeys, options: Partial<ConnectionCredentialsOptions> = {}) {
  const secrets = createSecrets({ sql, keys });
  const credentials = new ConnectionCredentials({
    sql, secrets, log: createLog('silent'), fetchFor: () => fetch,
    identities: { accepts: async () => false }, ...options,
  });
  t.teardown(() => credentials.close());
  return { secrets, credentials };
}

/** Lets an access token be that old: about to expire, or expired. */
export async function age(
  sql: Sql, { workspace_id, connection_id }: ConnectionKey, state: 'due' | 'expired') {
  await sql`
    update connection_secrets set refresh_at = now() - interval '1 second',
      expires_at = now() + ${state === 'due' ? 30 : -1} * interval '1 second'
    where workspace_id = ${workspace_id} and connection_id = ${connection_id}`;
}

export const REDIRECT_URI = 'http://127.0.0.1:3000/oauth/callback';
export const PATH = '/oauth/callback';

/** A connection that a person has yet to authorize, and what begins and ends that. */
export async function pending(t: Test, changes: Partial<OAuth2Client>) {
  const { sql } = await testDatabase(t);
  await addWorkspaces(sql, 'wsp_1', 'wsp_2');
  const key = await addConnection(sql, 'wsp_1', 'con_1');
  const { secrets, credentials } = processWith(t, sql, masterKeys('a'));
  await store(sql, credentials, key, oauthClient(changes));
  const flows = new OAuthFlows({ sql, secrets, credentials });
  const target = { ...key, egress_allow: [] };
  /** Begins one, and opens it in a browser of its own. */
  const begin = async () => {
    const { ticket, expires_at } = await flows.start(key, { redirect_uri: REDIRECT_URI });
    return { expires_at, ...await flows.open(ticket) };
  };
  /** Comes back to what was opened, with this query. */
  const finish = ({ state, session }: OpenedFlow, query: Record<string, string>) =>
    flows.finish(new URLSearchParams({ ...query, state }),
      { fetchFor: async () => fetch, session, path: PATH });
  return { sql, key, target, secrets, credentials, flows, begin, finish };
}
