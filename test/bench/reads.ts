/**
 * Lists and events over HTTP, with a million events in the tables, against the same with ten
 * thousand: two services on one server, which take turns. What reads by an index hardly notices.
 *
 * Usage: node test/bench/reads.ts
 */
import { createFirstCredentials } from '../../src/accounts/accounts.ts';
import { readConfig } from '../../src/config.ts';
import { BUILTIN_SLUGS } from '../../src/gateway/gateway.ts';
import { newId } from '../../src/ids.ts';
import { writeCursor } from '../../src/operations/reads.ts';
import { startService } from '../../src/service.ts';
import { connect, type Sql } from '../../src/store/database.ts';
import { column, quantile, runBench, timed, UNREACHED, type Bench } from './bench.ts';

const RUNS = { large: 10_000, small: 100 };
const EVENTS_PER_RUN = 100;
const RUNS_PER_SESSION = 10;
const SPAN_MS = 3 * 86_400_000;
const ROUNDS = 150;
const WARM_UP = 100;
/** So many runs are read, spread over all: what differs is then the tables and not the caches. */
const READ_RUNS = 100;
const FILL_LIMIT_MS = 180_000;
/** More than this, and a read has noticed that the tables are a hundred times as large. */
const AT_MOST = 2;

interface Side {
  workspace_id: string;
  runs: string[];
  sessions: string[];
  get(path: string): Promise<void>;
}

const READS: Record<string, (side: Side, round: number) => string> = {
  'first page of runs': () => '/runs?limit=20',
  'page of runs in the middle': (side, round) => `/runs?limit=20&cursor=${cursor(side, round)}`,
  'runs older than a day': () =>
    `/runs?limit=20&created_before=${new Date(Date.now() - 86_400_000).toISOString()}`,
  'completed runs': () => '/runs?status=completed&limit=20',
  'failed runs, of which there are none': () => '/runs?status=failed&limit=20',
  'runs of a session': ({ sessions }, round) => `/runs?session_id=${pick(sessions, round)}`,
  'first page of sessions': () => '/sessions?limit=20',
  'one run': ({ runs }, round) => `/runs/${pick(runs, round)}`,
  'first 50 events of a run': ({ runs }, round) => `/runs/${pick(runs, round)}/events?limit=50`,
  'last 50 events of a run': ({ runs }, round) =>
    `/runs/${pick(runs, round)}/events?limit=50&starting_after=50`,
};

await runBench(async (bench) => {
  const sides = {
    large: await openSide(bench, 'large', RUNS.large),
    small: await openSide(bench, 'small', RUNS.small),
  };
  bench.say('                                        large p50      p99   small p50    ratio');
  const worst = { name: '', ratio: 0 };
  for (const [name, path] of Object.entries(READS)) {
    const times = { large: [] as number[], small: [] as number[] };
    for (let i = 0; i < WARM_UP + ROUNDS; i++) {
      for (const size of ['large', 'small'] as const) {
        const took_ms = await timed(() => sides[size].get(path(sides[size], i)));
        if (i >= WARM_UP) times[size].push(took_ms);
      }
    }
    const [large, small] = [quantile(times.large, 0.5), quantile(times.small, 0.5)];
    bench.say(`  ${name.padEnd(38)}${column(large, 2, 6)} ms${column(quantile(times.large, 0.99))}`
      + `${column(small)} ms${column(large / small)}`);
    if (large / small > worst.ratio) Object.assign(worst, { name, ratio: large / small });
  }
  bench.figure({
    name: `reads with 1,000,000 events to 10,000, the worst (${worst.name})`, value: worst.ratio,
    unit: '×', at_most: AT_MOST });
});

function pick(ids: string[], round: number): string {
  const step = Math.max(1, Math.floor(ids.length / READ_RUNS));
  return ids[(round % READ_RUNS) * step % ids.length]!;
}

/** The cursor that the page before a run ends with. */
function cursor({ workspace_id, runs }: Side, round: number): string {
  return writeCursor('runs', workspace_id, pick(runs, round));
}

async function openSide(bench: Bench, name: string, runs: number): Promise<Side> {
  const database_url = await bench.database(name);
  const sql = connect(database_url, { max: 1 });
  bench.teardown(() => sql.end({ timeout_ms: 1_000 }));
  const { workspace_id, api_key } = await createFirstCredentials(sql, BUILTIN_SLUGS);
  bench.say(`  filling in ${(runs * EVENTS_PER_RUN).toLocaleString('en')} events`);
  const ids = await fill(sql, workspace_id, runs);
  const config = readConfig({}, { port: 0, database_url, log_level: 'warn', concurrency: 0,
    ...UNREACHED });
  const service = await startService({ config, log: bench.log });
  bench.teardown(() => service.stop());
  const headers = { authorization: `Bearer ${api_key}` };
  return {
    ...ids, workspace_id,
    get: async (path) => {
      const response = await fetch(`${service.base_url}${path}`, { headers });
      const body = await response.text();
      if (response.status !== 200) throw new Error(`${path}: ${response.status} ${body}`);
    },
  };
}

/** Completed runs, spread over the last days as far as their ids say. */
async function fill(
  sql: Sql, workspace_id: string, count: number): Promise<{ runs: string[]; sessions: string[] }> {
  const start_ms = Date.now() - SPAN_MS;
  const made = (prefix: 'run' | 'ses', n: number) => Array.from({ length: n }, (_, i) =>
    newId(prefix, start_ms + Math.floor(i * SPAN_MS / n)));
  const runs = made('run', count);
  const sessions = made('ses', count / RUNS_PER_SESSION);
  await sql.begin(async (tx) => {
    await tx`insert into sessions (workspace_id, id)
      select ${workspace_id}, id from unnest(${sessions}::text[]) id`;
    await tx`
      insert into runs (workspace_id, id, session_id, status, head, attempt, worker_id, last_seq,
        source, model, max_steps, timeout_s, input, output, created_at, started_at, finished_at)
      select ${workspace_id}, id, (${sessions}::text[])[1 + n % ${sessions.length}::int],
        'completed', false, 1, 'wrk_gone', ${EVENTS_PER_RUN}, 'api', 'rehearsal', 3, 600,
        '[{"role":"user","content":[{"type":"input_text","text":"hello"}]}]',
        '[{"type":"message","role":"assistant","content":
          [{"type":"output_text","text":"Hello."}]}]',
        created_at, created_at, created_at
      from unnest(${runs}::text[]) with ordinality r (id, n), to_timestamp(
        ${start_ms / 1_000}::float8 + n * ${SPAN_MS / 1_000 / count}::float8) created_at`;
    await tx`
      insert into run_events (workspace_id, run_id, seq, type, data)
      select ${workspace_id}, id, seq, 'message.output.delta',
        json_build_object('message_id', 'msg_bench', 'delta', repeat('words of an answer ', 3))
      from unnest(${runs}::text[]) id, generate_series(1, ${EVENTS_PER_RUN}) seq`;
    await tx`analyze`;
  }, { limit_ms: FILL_LIMIT_MS });
  return { runs, sessions };
}
