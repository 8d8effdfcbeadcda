/**
 * From an append to its readers: events are appended one at a time at a steady pace, spread over
 * some runs, and every run is followed by as many readers (EventReader.follow, no HTTP). Each
 * reader says how long an event took from the call that appended it, its commit included. The
 * readers are in the appending process, or in another one, which NOTIFY wakes. The floor in the
 * same run is one durable commit on the same server.
 *
 * Usage: node test/bench/subscribers.ts
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { RunReference } from '../../src/runs/runEvents.ts';
import { column, median, quantile, runBench, timed, type Bench } from './bench.ts';
import { ask, endProcess, startProcess } from './processes.ts';
import { claimedRuns, openProduct, type Product, type RunAttempt } from './product.ts';
import { startReaders, stamp } from './subscribersReaders.ts';

interface Shape { readers: number; runs: number; pace_ms: number; at_most?: number }

// The aims are those of many readers; one reader alone shows what is spent in any case.
const SHAPES: Shape[] = [
  { readers: 1, runs: 1, pace_ms: 10 },
  { readers: 100, runs: 100, pace_ms: 10 },
  { readers: 1_000, runs: 100, pace_ms: 10, at_most: 35 },
  { readers: 1_000, runs: 1, pace_ms: 50, at_most: 35 },
];
const EVENTS = 500;
const WARM_UP = 50;

/** Some readers, wherever they are. */
interface Readers {
  /** Resolves when so many events have arrived, all readers together. */
  arrived(events: number): Promise<void>;
  /** Ends them; answers how long each event took, in milliseconds. */
  stop(): Promise<number[]>;
}

await runBench(async (bench) => {
  const url = await bench.database('subscribers');
  const product = await openProduct(bench, url);
  const runs = await claimedRuns(bench, product, url, 100);
  await product.sql`create table commits (n integer)`;
  bench.say('  readers    runs  process        p50 ms   p99 ms   to a commit');
  for (const shape of SHAPES) {
    for (const place of ['same', 'another'] as const) {
      const references = runs.slice(0, shape.runs).map(({ workspace_id, run_id }) =>
        ({ workspace_id, run_id, session_id: 'ses_bench' }));
      const readers = place === 'same'
        ? await readersHere(product, references, shape.readers)
        : await readersThere(bench, url, references, shape.readers);
      await report(bench, product, shape, place, runs, readers);
    }
  }
});

async function report(
  bench: Bench, product: Product, shape: Shape, place: string, runs: RunAttempt[],
  readers: Readers): Promise<void> {
  const perEvent = shape.readers / shape.runs;
  await appendSteadily(product, runs.slice(0, shape.runs), WARM_UP, shape.pace_ms);
  await readers.arrived(WARM_UP * perEvent);
  const commits_ms = await appendSteadily(
    product, runs.slice(0, shape.runs), EVENTS, shape.pace_ms);
  await readers.arrived((WARM_UP + EVENTS) * perEvent);
  const times = (await readers.stop()).slice(WARM_UP * perEvent);
  const [p50, p99] = [median(times), quantile(times, 0.99)];
  bench.say(`${column(shape.readers, 0)}${column(shape.runs, 0, 8)}  ${place.padEnd(10)}`
    + `${column(p50)}${column(p99)}${column(p50 / median(commits_ms), 2, 14)}`);
  bench.figure({
    name: `append to ${shape.readers} readers of ${shape.runs} runs, ${place} process, p99`,
    value: p99, unit: 'ms', at_most: shape.at_most,
  });
}

/** Appends to one run after the other; answers what a bare commit took in between. */
async function appendSteadily(
  { appender, sql }: Product, runs: RunAttempt[], events: number, pace_ms: number,
): Promise<number[]> {
  const commits_ms: number[] = [];
  const appends: Promise<unknown>[] = [];
  const start = performance.now();
  for (let i = 0; i < events; i++) {
    appends.push(appender.append({
      ...runs[i % runs.length]!, events: [{ type: 'message.output.delta', data: stamp() }] }));
    if (i % 10 === 0) commits_ms.push(await timed(() => sql`insert into commits values (1)`));
    await delay(Math.max(0, start + (i + 1) * pace_ms - performance.now()));
  }
  await Promise.all(appends);
  return commits_ms;
}

async function readersHere(
  product: Product, runs: RunReference[], count: number): Promise<Readers> {
  return await startReaders(product, runs, count);
}

async function readersThere(
  bench: Bench, url: string, runs: RunReference[], count: number): Promise<Readers> {
  const child = startProcess(bench, new URL('subscribersTarget.ts', import.meta.url), [url]);
  await ask(child, { ask: 'start', runs, count });
  return {
    arrived: async (events) => { await ask(child, { ask: 'arrived', events }); },
    stop: async () => {
      const times = await ask<number[]>(child, { ask: 'stop' });
      await endProcess(child);
      return times;
    },
  };
}
