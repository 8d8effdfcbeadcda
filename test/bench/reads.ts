/**
 * Lists and events over HTTP, with a million events in the tables, against the same with ten
 * thousand: two services on one server, which take turns. What reads by an index hardly notices.
 *
 * Usage: node test/bench/reads.ts
 */
import { createFirstCredentials } from '../../src/accounts/accounts.ts';
import { readConfig } from '../../src/config.ts';
import { writeCursor } from '../../src/operations/reads.ts';
import { startService } from '../../src/service.ts';
import { connect } from '../../src/store/database.ts';
import { column, quantile, runBench, timed, UNREACHED, type Bench } from './bench.ts';
import { fillRuns, unhurried } from './history.ts';

const RUNS = { large: 10_000, small: 100 };
const EVENTS_PER_RUN = 100;
const RUNS_PER_SESSION = 10;
const SPAN_MS = 3 * 86_400_000;
const ROUNDS = 150;
const WARM_UP = 100;
/** So many runs are read, spread over all: what differs is then the tables and not the caches. */
const READ_RUNS = 100;
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
  const { workspace_id, api_key } = await createFirstCredentials(sql);
  bench.say(`  filling in ${(runs * EVENTS_PER_RUN).toLocaleString('en')} events`);
  const ids = await fillRuns(sql, workspace_id, { runs, events_per_run: EVENTS_PER_RUN,
    sessions: runs / RUNS_PER_SESSION, start_ms: Date.now() - SPAN_MS, span_ms: SPAN_MS });
  await unhurried(sql, (tx) => tx`analyze`);
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
