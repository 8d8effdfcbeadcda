/** Services whose database is broken or away. */
import { randomBytes } from 'node:crypto';
import type { Test } from 'tap';
import type { OperationId } from '../../generated/operations.ts';
import { Client } from './client.ts';
import { signedIn } from './dashboard.ts';
import { testDatabase } from './database.ts';
import { startProxy } from './proxy.ts';
import { testServer } from './server.ts';

export interface FaultyServers {
  /** A service whose database lacks a table that this operation needs: a fault of ours. */
  broken(id: OperationId): Client;
  /** A service that has lost its database. */
  unreachable: Client;
  /** All of them. */
  clients: Client[];
  /** Of each, a browser in which somebody was signed in before. */
  browsers: Map<Client, Client>;
}

/** What these need are the tables of keys and tokens, which the others need to be let in. */
const KEY_OPERATIONS: ReadonlySet<OperationId> =
  new Set(['listApiKeys', 'updateApiKey', 'revokeApiKey', 'listAdminTokens',
    'revokeAdminToken', 'getOpenapiDocument']);
const KEY_TABLES = ['api_keys', 'admin_tokens'];

/** Starts three services, none of which executes runs, and breaks their databases. */
export async function faultyServers(t: Pick<Test, 'teardown'>): Promise<FaultyServers> {
  const config = { concurrency: 0 };
  const noTables = await testServer(t, { config });
  const noTablesBrowser = await signedIn(noTables, 'admin');
  const tables = await noTables.sql<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public'`;
  for (const { name } of tables) {
    if (KEY_TABLES.includes(name)) continue;
    await noTables.sql.unsafe(`drop table if exists ${name} cascade`);
  }
  // The token of the configuration opens it without a table.
  const admin_token = randomBytes(32).toString('hex');
  const noKeys = await testServer(t, { config: { ...config, admin_token } });
  const noKeysBrowser = await signedIn(noKeys, 'admin');
  await noKeys.sql`drop table api_keys, admin_tokens`;
  const keyless = new Client({ ...noKeys.client, admin_token });

  const database = await testDatabase(t as Test);
  const proxy = await startProxy(database.url);
  const away = await testServer(t, { config, database: { url: proxy.url, sql: database.sql } });
  const awayBrowser = await signedIn(away, 'admin');
  await proxy.close();
  return {
    broken: (id) => (KEY_OPERATIONS.has(id) ? keyless : noTables.client),
    unreachable: away.client,
    clients: [noTables.client, keyless, away.client],
    browsers: new Map([[noTables.client, noTablesBrowser], [keyless, noKeysBrowser],
      [away.client, awayBrowser]]),
  };
}
