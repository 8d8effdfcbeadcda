/**
 * Runs through HTTP while 1,800,000 of 3,000,000 events go because they have expired: 1,200,000 in
 * four partitions, which are dropped, and 600,000 that are in none, deleted batch by batch. Such
 * runs before it, in the same process, are what that is held against.
 *
 * Usage: node test/bench/retention.ts
 */
import { createFirstCredentials } from '../../src/accounts/accounts.ts';
import { readConfig } from '../../src/config.ts';
import { startService } from '../../src/service.ts';
import { connect, type Sql } from '../../src/store/database.ts';
import { keepHouse } from '../../src/store/maintenance.ts';
import { ensurePartitions } from '../../src/store/partitions.ts';
import { quantile, runBench, UNREACHED, type Bench } from './bench.ts';
import { fillRuns, unhurried } from './history.ts';
import { agent, send, type Target } from './requests.ts';

const WEEK_MS = 7 * 86_400_000;
/** Of each week: 300,000 events. The two oldest weeks have no partition. */
const WEEKS = 10;
const WEEKS_IN_PARTITIONS = 8;
const WEEKS_KEPT = 4;
const RUNS_PER_WEEK = 3_000;
const EVENTS_PER_RUN = 100;
const RUNS_PER_SESSION = 10;
const CLIENTS = 4;
const BEFORE_MS = 8_000;
const BODY = JSON.stringify({ model: 'rehearsal', wait: true,
  input: [{ role: 'user', content: [{ type: 'input_text', text: '@rehearsal words=20' }] }] });

await runBench(async (bench) => {
  const { sql, target } = await openService(bench);
  await whole(target); // what the first one loads is not to be measured
  const before = await runsDuring(target, () =>
    new Promise((resolve) => { setTimeout(resolve, BEFORE_MS); }));
  const events = await countEvents(sql);
  let took_ms = 0;
  const during = await runsDuring(target, async () => {
    const start_ms = performance.now();
    await keepHouse(sql, { log: bench.log, event_retention_days: WEEKS_KEPT * 7 });
    took_ms = performance.now() - start_ms;
  });
  const gone = events - await countEvents(sql);
  bench.say(`  ${gone.toLocaleString('en')} events went in ${(took_ms / 1_000).toFixed(1)} s`);
  for (const [name, times] of Object.entries({ before, during })) {
    bench.say(`  ${name.padEnd(8)}${String(times.length).padStart(6)} runs, p50`
      + ` ${quantile(times, 0.5).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms, the`
      + ` longest ${Math.max(...times).toFixed(0)} ms`);
  }
  for (const [name, share] of [['p50', 0.5], ['p99', 0.99]] as const) {
    bench.figure({ name: `whole runs while 1,800,000 events expire, to before, ${name}`, unit: '×',
      value: quantile(during, share) / quantile(before, share) });
  }
  bench.figure({ name: '… the longest', unit: 'ms', value: Math.max(...during) });
});

async function openService(bench: Bench): Promise<{ sql: Sql; target: Target }> {
  const database_url = await bench.database('retention');
  const sql = connect(database_url, { max: 2 });
  bench.teardown(() => sql.end({ timeout_ms: 1_000 }));
  const { workspace_id, api_key } = await createFirstCredentials(sql);
  const now_ms = Date.now();
  for (let ago = WEEKS_IN_PARTITIONS - 1; ago > 0; ago--) {
    await ensurePartitions(sql, now_ms - ago * WEEK_MS);
  }
  bench.say('  filling in 3,000,000 events');
  for (let ago = WEEKS; ago > 0; ago--) {
    await fillRuns(sql, workspace_id, { runs: RUNS_PER_WEEK, events_per_run: EVENTS_PER_RUN,
      sessions: RUNS_PER_WEEK / RUNS_PER_SESSION, start_ms: now_ms - ago * WEEK_MS,
      span_ms: WEEK_MS });
  }
  await unhurried(sql, (tx) => tx`analyze`);
  const config = readConfig({}, { ...UNREACHED, port: 0, database_url, log_level: 'warn',
    event_retention_days: 0 });
  const service = await startService({ config, log: bench.log });
  bench.teardown(() => service.stop());
  bench.teardown(() => agent.destroy());
  return { sql, target: { port: service.port, api_key } };
}

/** How long each run took that clients had while the work was done, one after the other. */
async function runsDuring(target: Target, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  let over = false;
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!over) times.push(await whole(target));
  });
  await work();
  over = true;
  await Promise.all(clients);
  return times;
}

/** A session and a run in it. */
async function whole(target: Target): Promise<number> {
  const start_ms = performance.now();
  const { id } = JSON.parse(await send(target, 'POST', '/v1/sessions', '{}')) as { id: string };
  const text = await send(target, 'POST', `/v1/sessions/${id}/runs`, BODY);
  if (!text.includes('"status":"completed"')) throw new Error(`a run did not complete: ${text}`);
  return performance.now() - start_ms;
}

async function countEvents(sql: Sql): Promise<number> {
  const [row] = await unhurried(sql, (tx) => tx<{ count: number }[]>`
    select count(*)::int as count from run_events where data->>'message_id' = 'msg_bench'`);
  return row!.count;
}
