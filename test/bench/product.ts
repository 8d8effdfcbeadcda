/** The parts of a service that execute runs, wired as src/service.ts does, without HTTP. */
import { createFirstCredentials } from '../../src/accounts/accounts.ts';
import { readConfig } from '../../src/config.ts';
import { newId } from '../../src/ids.ts';
import type { Log } from '../../src/log.ts';
import { Appender, type AppendRequest } from '../../src/runs/appender.ts';
import { EventHub } from '../../src/runs/eventHub.ts';
import { Runs } from '../../src/runs/lifecycle.ts';
import { connect, type Sql } from '../../src/store/database.ts';
import { claimRuns } from '../../src/store/runs.ts';
import { insertSessions } from '../../src/store/sessions.ts';
import { renewWorker } from '../../src/store/workers.ts';
import type { Meters } from '../../src/telemetry/metrics.ts';
import { createTelemetry } from '../../src/telemetry/telemetry.ts';
import type { Bench } from './bench.ts';

/** As many connections as a service has by default. */
export const CONNECTIONS = 10;

export interface Product {
  sql: Sql;
  hub: EventHub;
  runs: Runs;
  appender: Appender;
  meters: Meters;
  workspace_id: string;
}

export type RunAttempt = Pick<AppendRequest, 'workspace_id' | 'run_id' | 'attempt'>;

/** What a process that only reads has of it. */
export async function openReading(
  url: string, log: Log): Promise<{ sql: Sql; hub: EventHub; close(): Promise<void> }> {
  const sql = connect(url, { max: CONNECTIONS });
  const hub = new EventHub(sql, log);
  await hub.open();
  return {
    sql, hub,
    close: async () => {
      await hub.close();
      await sql.end({ timeout_ms: 1_000 });
    },
  };
}

/** Opens a new database's product, with a workspace. */
export async function openProduct(bench: Bench, url: string): Promise<Product> {
  const { sql, hub, close } = await openReading(url, bench.log);
  bench.teardown(close);
  const { workspace_id } = await createFirstCredentials(sql);
  const { meters } = await createTelemetry({ config: readConfig({}), log: bench.log });
  return {
    sql, hub, workspace_id, meters,
    runs: new Runs(sql, hub, meters), appender: new Appender(sql, hub, bench.log, meters),
  };
}

/** Ids of that many new sessions. */
export async function newSessions(
  { sql, workspace_id }: Product, count: number): Promise<string[]> {
  const sessions = Array.from({ length: count }, () =>
    ({ workspace_id, id: newId('ses'), title: null, metadata: {} }));
  await insertSessions(sql, sessions);
  return sessions.map(({ id }) => id);
}

/** Queues a run in the session; answers its id. */
export async function queueRun(
  { sql, runs, workspace_id }: Product, session_id: string): Promise<string> {
  const { run_id, announce } = await runs.create(sql, {
    workspace_id, session_id, api_key_id: 'key', concurrency: 'enqueue', source: 'api',
    model: 'rehearsal', instructions: null, max_steps: 3, timeout_s: 600, metadata: {},
    input: [{ role: 'user', content: [{ type: 'input_text', text: 'hello' }] }],
  });
  announce();
  return run_id;
}

/** Runs that are being executed, by a worker that lives as long as the bench. */
export async function claimedRuns(
  bench: Bench, product: Product, url: string, count: number): Promise<RunAttempt[]> {
  const lock = connect(url, { max: 1 });
  bench.teardown(() => lock.end({ timeout_ms: 1_000 }));
  const worker_id = newId('wrk');
  await renewWorker(lock, { id: worker_id, host: 'bench', lease_ms: 3_600_000 });
  for (const session_id of await newSessions(product, count)) await queueRun(product, session_id);
  const claimed = await claimRuns(product.sql, worker_id, count);
  return claimed.map(({ workspace_id, id, attempt }) => ({ workspace_id, run_id: id, attempt }));
}
