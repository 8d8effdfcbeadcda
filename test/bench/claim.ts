/**
 * What a claim costs with a long queue: 16 of 100,000 queued runs, of which every second one waits
 * behind another of its session, against the same with 1,000 queued. In a third database one
 * workspace has queued 100,000, and another a single run, which each claim has to find; in a fourth
 * 1,000 others have one each. The sides are databases on one server and take turns. The aim is for
 * the statement on the server (EXPLAIN ANALYZE of the call, commit not included); the round trip
 * through the driver, commit included, is told too, and what the writes alone take, which any claim
 * has to do: 16 rows by their keys and 16 events. A claim of one run is what a busy worker does.
 *
 * Usage: node test/bench/claim.ts
 */
import { readConfig } from '../../src/config.ts';
import { newId } from '../../src/ids.ts';
import { ClaimPlanner } from '../../src/runs/claimPlanner.ts';
import { connect, type Sql, type Transaction } from '../../src/store/database.ts';
import { createRuns } from '../../src/store/runCreation.ts';
import { claimRuns } from '../../src/store/runs.ts';
import { renewWorker } from '../../src/store/workers.ts';
import { newRun } from '../support/storedRuns.ts';
import { column, quantile, runBench, timed, type Bench } from './bench.ts';

/** How many runs one workspace has queued, and how many others have one each. */
const SIDES = {
  long: { queued: 100_000, others: 0 }, short: { queued: 1_000, others: 0 },
  one: { queued: 100_000, others: 1 }, many: { queued: 100_000, others: 1_000 },
};
const CLAIM = 16;
/** Of other workspaces, as a worker of 16 places kept for long: the figures stay comparable. */
const RESERVE = 2;
const ROUNDS = 100;
const ANALYZE_EVERY = 10;
const RUNS_PER_SESSION = 2;
const FILL_LIMIT_MS = 60_000;

interface Side {
  sql: Sql;
  worker_id: string;
  /** What its claims go by, which the claim before has moved on. */
  planner: ClaimPlanner;
  others: number;
  server_ms: number[];
  one_ms: number[];
  writes_ms: number[];
  round_trip_ms: number[];
}

await runBench(async (bench) => {
  const sides: Record<string, Side> = {};
  for (const [name, { queued, others }] of Object.entries(SIDES)) {
    sides[name] = await openSide(bench, name, queued, others);
  }
  for (let i = 0; i < ROUNDS; i++) {
    for (const side of Object.values(sides)) {
      // As autovacuum does within a minute: until then a table that was small is read as one.
      if (i % ANALYZE_EVERY === 0) await side.sql`analyze runs`;
      await claimOnce(side);
    }
  }
  bench.say('                        server p50   server p99   of one p50   writes p50'
    + '   round trip p50');
  for (const [name, side] of Object.entries(sides)) {
    const { queued, others } = SIDES[name as keyof typeof SIDES];
    bench.say(`  ${String(queued).padStart(7)} and ${String(others).padEnd(5)}  `
      + `${column(quantile(side.server_ms, 0.5), 3, 10)} ms`
      + `${column(quantile(side.server_ms, 0.99), 3, 10)} ms`
      + `${column(quantile(side.one_ms, 0.5), 3, 10)} ms`
      + `${column(quantile(side.writes_ms, 0.5), 3, 10)} ms`
      + `${column(quantile(side.round_trip_ms, 0.5), 3, 14)} ms`);
  }
  const { long, short, one, many } = sides as Record<keyof typeof SIDES, Side>;
  const server_ms = quantile(long.server_ms, 0.5);
  const claims = {
    [`${SIDES.long.queued} queued`]: long, 'beside one run of another workspace': one,
    'beside 1,000 other workspaces': many,
  };
  for (const [place, side] of Object.entries(claims)) {
    bench.figure({
      name: `claim of ${CLAIM}, ${place}, on the server, p50`, unit: 'ms', at_most: 1,
      value: quantile(side.server_ms, 0.5),
    });
    bench.figure({
      name: `claim of one, ${place}, on the server, p50`, unit: 'ms', at_most: 1,
      value: quantile(side.one_ms, 0.5),
    });
  }
  bench.figure({
    name: `claim of ${CLAIM}, to its writes alone`, unit: '×',
    value: server_ms / quantile(long.writes_ms, 0.5),
  });
  bench.figure({
    name: `claim of ${CLAIM}, to a short queue`, unit: '×',
    value: server_ms / quantile(short.server_ms, 0.5),
  });
});

/** Claims for good, so that the next claim finds others; the queues are filled up again. */
async function claimOnce(side: Side): Promise<void> {
  const { sql, worker_id, planner } = side;
  for (const [limit, kept, figures] of [
    [CLAIM + RESERVE, RESERVE, side.server_ms], [1, 0, side.one_ms]] as const) {
    const { pivot, running_limit, max_losses, key_running_limit } = planner.terms([]);
    await sql.begin(async (tx) => {
      figures.push(await onServer(tx`
        explain (analyze, timing off, format json)
        select * from claim_next(${worker_id}, ${limit}, ${pivot}, '{}', ${kept},
          ${running_limit}, ${max_losses}, ${key_running_limit})`));
    });
    await release(sql, worker_id);
  }
  side.writes_ms.push(await writeAlone(sql, worker_id));
  await release(sql, worker_id);
  side.round_trip_ms.push(await timed(async () => {
    const terms = { ...planner.terms([]), reserve: RESERVE };
    const runs = await claimRuns(sql, worker_id, CLAIM + RESERVE, terms);
    planner.claimed(runs);
    const found = new Set(runs.map(({ workspace_id }) => workspace_id)).size;
    if (runs.length < CLAIM || found < 1 + Math.min(side.others, 1)) {
      throw new Error(`a claim found ${runs.length} runs of ${found} workspaces`);
    }
  }));
  await release(sql, worker_id);
}

/** Answers how long the statement took, which EXPLAIN ANALYZE tells. */
async function onServer(
  explained: PromiseLike<{ 'QUERY PLAN': { 'Execution Time': number }[] }[]>): Promise<number> {
  const [row] = await explained;
  return row!['QUERY PLAN'][0]!['Execution Time'];
}

/** What a claim writes, of runs that are known beforehand. */
function writeAlone(sql: Sql, worker_id: string): Promise<number> {
  return sql.begin(async (tx) => {
    const runs = await tx<{ workspace_id: string; id: string }[]>`
      select workspace_id, id from runs where status = 'queued' and head order by seq
      limit ${CLAIM} for update`;
    return onServer(tx`
      explain (analyze, timing off, format json)
      with claimed as (
        update runs r set status = 'running', head = false, attempt = r.attempt + 1,
          worker_id = ${worker_id}, last_seq = r.last_seq + 1, updated_at = clock_timestamp(),
          started_at = clock_timestamp()
        from unnest(${runs.map(({ workspace_id }) => workspace_id)}::text[],
          ${runs.map(({ id }) => id)}::text[]) as c (workspace_id, id)
        where r.workspace_id = c.workspace_id and r.id = c.id
        returning r.workspace_id, r.id, r.last_seq, r.attempt)
      insert into run_events (workspace_id, run_id, seq, type, data)
      select workspace_id, id, last_seq, 'run.started', json_build_object('attempt', attempt)
      from claimed`);
  });
}

/** Ends what was claimed, as its worker would, and queues as many anew. */
async function release(sql: Sql, worker_id: string): Promise<void> {
  const rows = await sql<{ workspace_id: string; session_id: string }[]>`
    update runs set status = 'completed', finished_at = clock_timestamp()
    where status = 'running' and worker_id = ${worker_id} returning workspace_id, session_id`;
  for (const { workspace_id, session_id } of rows) {
    await sql`select promote_next_run(${workspace_id}, ${session_id})`;
    await createRuns(sql, [newRun(session_id, { workspace_id, api_key_id: 'key' })]);
  }
}

async function openSide(
  bench: Bench, name: string, queued: number, others: number): Promise<Side> {
  const url = await bench.database(name);
  const sql = connect(url, { max: 2 });
  bench.teardown(() => sql.end({ timeout_ms: 1_000 }));
  await fillQueue(sql, queued, others);
  const lock = connect(url, { max: 1 });
  bench.teardown(() => lock.end({ timeout_ms: 1_000 }));
  const worker_id = newId('wrk');
  await renewWorker(lock, { id: worker_id, host: 'bench', lease_ms: 3_600_000 });
  const planner = new ClaimPlanner(readConfig({}, { concurrency: CLAIM }));
  return {
    sql, worker_id, planner, others, server_ms: [], one_ms: [], writes_ms: [],
    round_trip_ms: [],
  };
}

async function fillQueue(sql: Sql, queued: number, others: number): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`insert into workspaces (id, name) values ('wsp_0500a', 'large')`;
    await queue(tx, queued);
    await tx`
      insert into workspaces (id, name)
      select 'wsp_' || lpad(n::text, 4, '0'), 'small' from generate_series(1, ${others}) n`;
    await tx`
      insert into sessions (workspace_id, id)
      select id, 'ses_' || id from workspaces where name = 'small'`;
    await tx`
      insert into runs (workspace_id, id, session_id, head, last_seq, source, api_key_id, model,
        max_steps, timeout_s, input)
      select id, 'run_' || id, 'ses_' || id, true, 1, 'api', 'key', 'rehearsal', 3, 600, '[]'
      from workspaces where name = 'small'`;
    await tx`analyze`;
  }, { limit_ms: FILL_LIMIT_MS });
}

/** Queues so many runs of the large workspace. */
async function queue(tx: Transaction, queued: number): Promise<void> {
  const sessions = queued / RUNS_PER_SESSION;
  await tx`
    insert into sessions (workspace_id, id)
    select 'wsp_0500a', 'ses_' || lpad(n::text, 26, '0') from generate_series(1, ${sessions}) n`;
  await tx`
    insert into runs (workspace_id, id, session_id, head, last_seq, source, api_key_id, model,
      max_steps, timeout_s, input)
    select 'wsp_0500a', ${newId('run').slice(0, 14)} || lpad(n::text, 16, '0'),
      'ses_' || lpad((1 + n % ${sessions}::int)::text, 26, '0'), n < ${sessions}::int, 1, 'api',
      'key', 'rehearsal', 3, 600, '[]'
    from generate_series(0, ${queued - 1}) n`;
}
