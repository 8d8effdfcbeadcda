/**
 * Runs that do nothing: three events each, of being created, started and completed. Gatehouse
 * executes them through its Worker and Appender, against the plain claim design on the same server,
 * with as many at once. The sides take turns.
 *
 * - drained: all are queued, each in a session of its own, then the workers start.
 * - whole life: they are created, several at once, while the workers run.
 * - enqueue to start: one run after the other on an idle service, from before it is created until
 *   its execution begins.
 *
 * Usage: node test/bench/runs.ts
 */
import { readConfig } from '../../src/config.ts';
import { Worker } from '../../src/runs/worker.ts';
import { connect } from '../../src/store/database.ts';
import type { ClaimedRun } from '../../src/store/runs.ts';
import { column, median, quantile, runBench, type Bench } from './bench.ts';
import { PlainQueue } from './plainQueue.ts';
import { CONNECTIONS, newSessions, openProduct, queueRun } from './product.ts';

const CONCURRENCY = 32;
const CREATORS = 16;
const RUNS = 1_500;
const ROUNDS = 5;
const SAMPLES = 300;
const WARM_UP = 50;

/** One of the two designs. */
interface Side {
  /** Makes what `enqueue` needs for so many runs. */
  prepare(runs: number): Promise<void>;
  enqueue(): Promise<unknown>;
  start(): Promise<void>;
  stop(): Promise<void>;
  onStart: () => void;
  onEnd: () => void;
}

await runBench(async (bench) => {
  const url = await bench.database('runs');
  const sides = { gatehouse: await gatehouseSide(bench, url), plain: await plainSide(bench, url) };
  for (const side of Object.values(sides)) await wholeLife(side, RUNS);
  await analyze(url);
  bench.say('                gatehouse      plain    ratio');
  for (const [name, measure] of Object.entries({ 'drained': drained, 'whole life': wholeLife })) {
    const rounds = [];
    for (let i = 0; i < ROUNDS; i++) {
      rounds.push({
        gatehouse: await measure(sides.gatehouse, RUNS), plain: await measure(sides.plain, RUNS) });
    }
    const ratio = median(rounds.map(({ gatehouse, plain }) => gatehouse / plain));
    bench.say(`  ${name.padEnd(12)}${column(median(rounds.map((r) => r.gatehouse)), 0, 9)}/s`
      + `${column(median(rounds.map((r) => r.plain)), 0)}/s${column(ratio)}`);
    bench.figure({
      name: `no-op runs/s, ${name}, to the plain claim design`, value: ratio, unit: '×',
      at_least: 1 });
  }
  await startLatency(bench, sides);
});

/** What was planned for empty tables is planned anew, as autovacuum sees to within a minute. */
async function analyze(url: string): Promise<void> {
  const sql = connect(url, { max: 1 });
  await sql`analyze`;
  await sql.end();
}

/** Runs per second from the workers' start to the last end. */
async function drained(side: Side, runs: number): Promise<number> {
  await side.prepare(runs);
  await create(side, runs);
  const ended = countEnds(side, runs);
  const start = performance.now();
  await side.start();
  await ended;
  const elapsed_ms = performance.now() - start;
  await side.stop();
  return runs / elapsed_ms * 1_000;
}

/** Runs per second from the first creation to the last end. */
async function wholeLife(side: Side, runs: number): Promise<number> {
  await side.prepare(runs);
  await side.start();
  const ended = countEnds(side, runs);
  const start = performance.now();
  await create(side, runs);
  await ended;
  const elapsed_ms = performance.now() - start;
  await side.stop();
  return runs / elapsed_ms * 1_000;
}

async function create(side: Side, runs: number): Promise<void> {
  let left = runs;
  await Promise.all(Array.from({ length: CREATORS }, async () => {
    while (left-- > 0) await side.enqueue();
  }));
}

function countEnds(side: Side, runs: number): Promise<void> {
  return new Promise((resolve) => {
    let left = runs;
    side.onEnd = () => {
      left -= 1;
      if (left === 0) resolve();
    };
  });
}

async function startLatency(
  bench: Bench, sides: { gatehouse: Side; plain: Side }): Promise<void> {
  const times = { gatehouse: [] as number[], plain: [] as number[] };
  for (const side of Object.values(sides)) {
    await side.prepare(WARM_UP + SAMPLES);
    await side.start();
  }
  for (let i = 0; i < WARM_UP + SAMPLES; i++) {
    for (const name of ['gatehouse', 'plain'] as const) {
      const start_ms = await oneStart(sides[name]);
      if (i >= WARM_UP) times[name].push(start_ms);
    }
  }
  for (const side of Object.values(sides)) await side.stop();
  for (const [name, share] of [['p50', 0.5], ['p99', 0.99]] as const) {
    const gatehouse = quantile(times.gatehouse, share);
    const plain = quantile(times.plain, share);
    bench.say(`  start ${name}   ${column(gatehouse)} ms${column(plain)} ms`
      + `${column(gatehouse / plain)}`);
    bench.figure({
      name: `enqueue to start ${name}, to the plain claim design`,
      value: gatehouse / plain, unit: '×' });
    bench.figure({ name: `enqueue to start ${name}`, value: gatehouse, unit: 'ms' });
  }
}

/** Milliseconds until the execution of a new run begins; waits for its end too. */
async function oneStart(side: Side): Promise<number> {
  const ended = countEnds(side, 1);
  const started = new Promise<number>((resolve) => {
    side.onStart = () => resolve(performance.now());
  });
  const start = performance.now();
  await side.enqueue();
  await ended;
  return await started - start;
}

async function gatehouseSide(bench: Bench, url: string): Promise<Side> {
  const product = await openProduct(bench, url);
  const config = readConfig({}, { concurrency: CONCURRENCY });
  let sessions: string[] = [];
  let worker: Worker | undefined;
  const side: Side = {
    onStart: () => {}, onEnd: () => {},
    prepare: async (runs) => { sessions = await newSessions(product, runs); },
    enqueue: () => queueRun(product, sessions.pop()!),
    start: async () => {
      const { sql, hub, meters } = product;
      const lock = connect(url, { max: 1 });
      worker = new Worker({ sql, lock, hub, meters, config, log: bench.log, execute });
      await worker.start();
    },
    stop: async () => { await worker?.stop(); },
  };
  return side;

  async function execute({ workspace_id, id, attempt }: ClaimedRun): Promise<void> {
    side.onStart();
    await product.appender.append({
      workspace_id, run_id: id, attempt,
      events: [{ type: 'run.completed', data: '{"output":[]}' }],
      end: { status: 'completed', output: [], error: null },
    });
    side.onEnd();
  }
}

async function plainSide(bench: Bench, url: string): Promise<Side> {
  const queue = await PlainQueue.open(url, CONNECTIONS);
  bench.teardown(() => queue.close());
  const side: Side = {
    onStart: () => {}, onEnd: () => {},
    prepare: async () => {},
    enqueue: () => queue.enqueue(),
    start: async () => queue.start(CONCURRENCY),
    stop: () => queue.stop(),
  };
  queue.onStart = () => side.onStart();
  queue.onEnd = () => side.onEnd();
  return side;
}
