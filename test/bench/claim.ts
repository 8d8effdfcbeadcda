/**
 * What a claim costs with a long queue: 16 of 100,000 queued runs, of which every second one waits
 * behind another of its session, against the same with 1,000 queued. The sides are two databases on
 * one server and take turns. The aim is for the statement on the server (EXPLAIN ANALYZE of the
 * call, commit not included); the round trip through the driver, commit included, is told too.
 *
 * Usage: node test/bench/claim.ts
 */
import { createFirstCredentials } from '../../src/accounts/accounts.ts';
import { newId } from '../../src/ids.ts';
import { connect, type Sql } from '../../src/store/database.ts';
import { claimRuns } from '../../src/store/runs.ts';
import { renewWorker } from '../../src/store/workers.ts';
import { column, quantile, runBench, timed, type Bench } from './bench.ts';

const QUEUED = { long: 100_000, short: 1_000 };
const CLAIM = 16;
const ROUNDS = 100;
const ANALYZE_EVERY = 10;
const RUNS_PER_SESSION = 2;
const FILL_LIMIT_MS = 60_000;

interface Side { sql: Sql; worker_id: string; server_ms: number[]; round_trip_ms: number[] }

await runBench(async (bench) => {
  const sides = {
    long: await openSide(bench, 'long', QUEUED.long),
    short: await openSide(bench, 'short', QUEUED.short),
  };
  for (let i = 0; i < ROUNDS; i++) {
    for (const side of Object.values(sides)) {
      // As autovacuum does within a minute: until then a table that was small is read as one.
      if (i % ANALYZE_EVERY === 0) await side.sql`analyze runs`;
      await claimOnce(side);
    }
  }
  bench.say('                        server p50   server p99   round trip p50');
  for (const [name, side] of Object.entries(sides)) {
    bench.say(`  ${String(QUEUED[name as keyof typeof QUEUED]).padStart(7)} queued   `
      + `${column(quantile(side.server_ms, 0.5), 3, 12)} ms`
      + `${column(quantile(side.server_ms, 0.99), 3, 10)} ms`
      + `${column(quantile(side.round_trip_ms, 0.5), 3, 14)} ms`);
  }
  const server_ms = quantile(sides.long.server_ms, 0.5);
  bench.figure({
    name: `claim of ${CLAIM} of ${QUEUED.long} queued, on the server, p50`,
    value: server_ms, unit: 'ms', at_most: 1,
  });
  bench.figure({
    name: 'the same, to a short queue', value: server_ms / quantile(sides.short.server_ms, 0.5),
    unit: '×',
  });
});

/** Claims for good, so that the next claim finds others; the short queue is filled up again. */
async function claimOnce(side: Side): Promise<void> {
  const { sql, worker_id } = side;
  await sql.begin(async (tx) => {
    const [row] = await tx<{ 'QUERY PLAN': { 'Execution Time': number }[] }[]>`
      explain (analyze, timing off, format json)
      select * from claim_runs(${worker_id}, ${CLAIM})`;
    side.server_ms.push(row!['QUERY PLAN'][0]!['Execution Time']);
  });
  await release(sql, worker_id);
  side.round_trip_ms.push(await timed(() => claimRuns(sql, worker_id, CLAIM)));
  await release(sql, worker_id);
}

/** Ends what was claimed, as its worker would, and queues as many anew. */
async function release(sql: Sql, worker_id: string): Promise<void> {
  const rows = await sql<{ workspace_id: string; session_id: string }[]>`
    update runs set status = 'completed', finished_at = clock_timestamp()
    where status = 'running' and worker_id = ${worker_id} returning workspace_id, session_id`;
  for (const { workspace_id, session_id } of rows) {
    await sql`select promote_next_run(${workspace_id}, ${session_id})`;
    await sql`select create_run(${workspace_id}, ${session_id}, ${newId('run')}, 'enqueue', 'api',
      'key', 'rehearsal', null, 3, 600, '[]', '{}', '[]')`;
  }
}

async function openSide(bench: Bench, name: string, queued: number): Promise<Side> {
  const url = await bench.database(name);
  const sql = connect(url, { max: 2 });
  bench.teardown(() => sql.end({ timeout_ms: 1_000 }));
  const { workspace_id } = await createFirstCredentials(sql, []);
  await fillQueue(sql, workspace_id, queued);
  const lock = connect(url, { max: 1 });
  bench.teardown(() => lock.end({ timeout_ms: 1_000 }));
  const worker_id = newId('wrk');
  await renewWorker(lock, { id: worker_id, host: 'bench', lease_ms: 3_600_000 });
  return { sql, worker_id, server_ms: [], round_trip_ms: [] };
}

async function fillQueue(sql: Sql, workspace_id: string, queued: number): Promise<void> {
  const sessions = queued / RUNS_PER_SESSION;
  await sql.begin(async (tx) => {
    await tx`
      insert into sessions (workspace_id, id)
      select ${workspace_id}, 'ses_' || lpad(n::text, 26, '0')
      from generate_series(1, ${sessions}) n`;
    await tx`
      insert into runs (workspace_id, id, session_id, head, last_seq, source, model, max_steps,
        timeout_s, input)
      select ${workspace_id}, ${newId('run').slice(0, 14)} || lpad(n::text, 16, '0'),
        'ses_' || lpad((1 + n % ${sessions}::int)::text, 26, '0'), n < ${sessions}::int, 1, 'api',
        'rehearsal', 3, 600, '[]'
      from generate_series(0, ${queued - 1}) n`;
    await tx`analyze`;
  }, { limit_ms: FILL_LIMIT_MS });
}
