/**
 * Many event streams at once: one node executes 100 runs, each of which says a word every two
 * seconds, and streams of them are open. Three questions: what a stream holds in memory beyond its
 * socket (what a bare node:http server needs for an open response), how much longer appends take
 * than without streams, and how long SIGTERM takes while all are open. Appends are timed by turns,
 * without and with the streams. The bare server inserts and writes as much to as many, so that it
 * shows how much of the difference is the machine's. The node, the bare server and the readers are
 * processes of their own.
 *
 * Usage: node test/bench/streams.ts [STREAMS [ROUNDS]]
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { column, median, quantile, runBench, type Bench } from './bench.ts';
import { ask, nextMessage, startProcess } from './processes.ts';
import type { Seen } from './streamsReaders.ts';
import type { Memory, StreamsTarget } from './streamsTarget.ts';

const STREAMS = Number(process.argv[2] ?? 10_000);
const ROUNDS = Number(process.argv[3] ?? 3);
const TURN_MS = 8_000;
/**
 * For streams that have just been opened, to read what there was before, and for what is left to do
 * after thousands were closed, or after a full collection that was asked for: that is not timed.
 */
const SETTLE_MS = 3_000;
const AT_MOST_KB = 16;
const TARGET = new URL('streamsTarget.ts', import.meta.url);

/** What one side came to. */
interface Outcome { memory: Memory; p99_none_ms: number; p99_all_ms: number }

await runBench(async (bench) => {
  const readers = startProcess(bench, new URL('streamsReaders.ts', import.meta.url));
  bench.say('              streams  appends   p50 ms   p99 ms   events/s to readers');
  const bare = startProcess(bench, TARGET, ['bare', await bench.database('bare')], ['--expose-gc']);
  const floor = await measure(bench, 'bare', bare, readers);
  await ask(readers, { ask: 'close' });
  bare.disconnect();

  const node = startProcess(
    bench, TARGET, ['gatehouse', await bench.database('streams')], ['--expose-gc']);
  const ours = await measure(bench, 'gatehouse', node, readers);
  tellMemory(bench, ours.memory, floor.memory);
  bench.figure({
    name: `append, p99, with ${STREAMS} streams open to none`,
    value: ours.p99_all_ms / ours.p99_none_ms, unit: '×', at_most: 2 });
  bench.figure({
    name: 'the same of the bare server\'s inserts',
    value: floor.p99_all_ms / floor.p99_none_ms, unit: '×' });
  await stop(bench, node, readers);
});

/** Times appends without and with streams, by turns; leaves all streams open. */
async function measure(
  bench: Bench, name: string, child: ChildProcess, readers: ChildProcess): Promise<Outcome> {
  const target = await nextMessage<StreamsTarget>(child);
  await warmUp(readers, target);
  const [none, all, memory]: [number[], number[], Memory[]] = [[], [], []];
  for (let round = 0; round < ROUNDS; round++) {
    await ask(readers, { ask: 'close' });
    await delay(SETTLE_MS);
    none.push(await timeAppends(bench, name, 0, child, readers));
    memory.push(await openAll(child, readers, target));
    all.push(await timeAppends(bench, name, STREAMS, child, readers));
  }
  return {
    memory: {
      heap_bytes: median(memory.map((of) => of.heap_bytes)),
      rss_bytes: median(memory.map((of) => of.rss_bytes)),
    },
    p99_none_ms: median(none), p99_all_ms: median(all),
  };
}

function tellMemory(bench: Bench, node: Memory, bare: Memory): void {
  bench.say('                 JavaScript heap and buffers    whole process');
  for (const [name, { heap_bytes, rss_bytes }] of Object.entries({ gatehouse: node, bare })) {
    bench.say(`  ${name.padEnd(12)}${column(heap_bytes / 1_024, 1, 20)} kB`
      + `${column(rss_bytes / 1_024, 1, 18)} kB`);
  }
  const beyond = (kind: keyof Memory) => (node[kind] - bare[kind]) / 1_024;
  bench.figure({
    name: `memory per open stream, ${STREAMS} open, beyond a bare response`,
    value: beyond('heap_bytes'), unit: 'kB', at_most: AT_MOST_KB });
  bench.figure({
    name: 'the same of the whole process', value: beyond('rss_bytes'), unit: 'kB',
    at_most: AT_MOST_KB });
}

/** What the first streams load and compile is not theirs alone. */
async function warmUp(readers: ChildProcess, target: StreamsTarget): Promise<void> {
  await ask(readers, { ask: 'open', target, count: STREAMS / 10 });
}

/** Opens all streams; answers what each adds to the memory of the process. */
async function openAll(
  child: ChildProcess, readers: ChildProcess, target: StreamsTarget): Promise<Memory> {
  const before = await ask<Memory>(child, 'memory');
  await ask(readers, { ask: 'open', target, count: STREAMS });
  await delay(SETTLE_MS);
  const after = await ask<Memory>(child, 'memory');
  await delay(SETTLE_MS);
  return {
    heap_bytes: (after.heap_bytes - before.heap_bytes) / STREAMS,
    rss_bytes: (after.rss_bytes - before.rss_bytes) / STREAMS,
  };
}

/** The 99th percentile of the appends of one turn. */
async function timeAppends(
  bench: Bench, name: string, streams: number, node: ChildProcess, readers: ChildProcess,
): Promise<number> {
  await ask(node, 'appends');
  const before = await ask<Seen>(readers, { ask: 'seen' });
  await delay(TURN_MS);
  const times_ms = await ask<number[]>(node, 'appends');
  const after = await ask<Seen>(readers, { ask: 'seen' });
  const p99 = quantile(times_ms, 0.99);
  const per_s = (after.events - before.events) / (TURN_MS / 1_000);
  bench.say(`  ${name.padEnd(10)}${column(streams, 0)}${column(times_ms.length, 0)}`
    + `${column(median(times_ms))}`
    + `${column(p99)}${column(per_s, 0, 22)}`);
  return p99;
}

/** Ends the node by SIGTERM, with all streams open. */
async function stop(bench: Bench, node: ChildProcess, readers: ChildProcess): Promise<void> {
  const ended = ask<Seen>(readers, { ask: 'ended' });
  const start_ms = performance.now();
  node.kill('SIGTERM');
  const [code] = await once(node, 'exit');
  const took_ms = performance.now() - start_ms;
  const { farewells } = await ended;
  bench.say(`  SIGTERM: exit ${code} after ${(took_ms / 1_000).toFixed(2)} s, and ${farewells} of`
    + ` ${STREAMS} streams were told to resume`);
  if (code !== 0 || farewells !== STREAMS) throw new Error('the node did not end as it should');
  bench.figure({
    name: `SIGTERM with ${STREAMS} streams open`, value: took_ms, unit: 'ms', at_most: 2_000 });
}
