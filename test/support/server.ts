/** A real service on a database of its own, for one test file. */
import { randomBytes } from 'node:crypto';
import type { Test } from 'tap';
import { createFirstCredentials } from '../../src/accounts/accounts.ts';
import { readConfig, type Config } from '../../src/config.ts';
import type { ActionSource } from '../../src/gateway/action/action.ts';
import { createLog } from '../../src/log.ts';
import { startService, type Service, type ServiceOptions } from '../../src/service.ts';
import type { Sql } from '../../src/store/database.ts';
import { Client } from './client.ts';
import { testDatabase } from './database.ts';
import { DATA_DIR, SERVER_COMMANDS } from './mcpProcesses.ts';

export interface TestServer {
  client: Client;
  service: Service;
  sql: Sql;
  url: string;
  workspace_id: string;
  config: Config;
}

export interface TestServerOptions {
  config?: Partial<Config>;
  sources?: readonly ActionSource[];
  /** A database that exists already, such as that of another server. */
  database?: { url: string; sql: Sql };
  /** Instead of one by `config.log_level`. */
  log?: Pick<ServiceOptions, 'log' | 'log_scrubber'>;
  refresh_interval_ms?: number;
  /** Between two anchors of the audit log. By default there is none before the end. */
  anchor_interval_ms?: number;
}

/** Servers of one database need the same. */
const MASTER_KEYS = `test:${randomBytes(32).toString('base64')}`;

/** Starts a service on a free port; it is stopped, and its database dropped, at teardown. */
export async function testServer(
  t: Pick<Test, 'teardown'>, options: TestServerOptions = {}): Promise<TestServer> {
  const { url, sql } = options.database ?? await testDatabase(t as Test);
  const config = readConfig({}, {
    port: 0, database_url: url, log_level: process.env.TEST_LOG_LEVEL ?? 'silent',
    model_retry_ms: 1, drain_ms: 2_000, database_connections: 6, master_keys: MASTER_KEYS,
    data_dir: DATA_DIR, mcp_stdio: SERVER_COMMANDS,
    ...options.config,
  });
  const service = await startService({
    config, sources: options.sources ?? [], refresh_interval_ms: options.refresh_interval_ms ?? 0,
    anchor_interval_ms: options.anchor_interval_ms ?? 2 ** 31 - 1,
    ...(options.log ?? { log: createLog(config.log_level) }),
  });
  t.teardown(() => service.stop());
  const first = await createFirstCredentials(sql);
  const client = new Client({ base_url: service.base_url, ...first });
  return { client, service, sql, url, config, workspace_id: first.workspace_id };
}

/** Another workspace of the same service, as a client. */
export async function otherWorkspace({ sql, client }: TestServer): Promise<Client> {
  return client.as((await createFirstCredentials(sql)).api_key);
}
