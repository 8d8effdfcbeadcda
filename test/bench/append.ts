/**
 * Durable events per second: as many runs as are given append one event each, wait until it is
 * committed, and append the next. Gatehouse does so through its Appender, with the event hub and
 * its notifications open. The other side is the same rows in the same table by as many connections
 * of their own, one prepared insert for each row, as pgbench does it. The sides take turns.
 *
 * Usage: node test/bench/append.ts
 */
import { newId } from '../../src/ids.ts';
import { column, median, runBench } from './bench.ts';
import { claimedRuns, openProduct, type Product, type RunAttempt } from './product.ts';
import { RawClient } from './rawClient.ts';

const LEVELS = [
  { runs: 1 }, { runs: 8, at_least: 0.7 }, { runs: 32, at_least: 1.5 }, { runs: 128, at_least: 2 },
];
const MOST = 128;
const ROUNDS = 7;
const WINDOW_MS = 700;
const WARM_UP_MS = 1_500;
const TYPE = 'message.output.delta';
const DATA = JSON.stringify({
  message_id: newId('msg'), delta: 'About forty characters, as deltas are in joined pieces.',
});

await runBench(async (bench) => {
  const url = await bench.database('append');
  const product = await openProduct(bench, url);
  const attempts = await claimedRuns(bench, product, url, MOST);
  const clients = await openClients(url);
  bench.teardown(() => clients.forEach((client) => client.close()));
  const writers = clients.map((client) => rawWriter(client, product.workspace_id));
  const sides = {
    gatehouse: (runs: number, window_ms: number) =>
      keepWriting(attempts.slice(0, runs).map((run) => productWriter(product, run)), window_ms),
    raw: (runs: number, window_ms: number) => keepWriting(writers.slice(0, runs), window_ms),
  };
  await sides.gatehouse(MOST, WARM_UP_MS);
  await sides.raw(MOST, WARM_UP_MS);
  bench.say('    runs  gatehouse/s    raw/s    ratio');
  for (const { runs, at_least } of LEVELS) {
    const rounds = [];
    for (let i = 0; i < ROUNDS; i++) {
      rounds.push({
        gatehouse: await sides.gatehouse(runs, WINDOW_MS), raw: await sides.raw(runs, WINDOW_MS) });
    }
    const ratio = median(rounds.map(({ gatehouse, raw }) => gatehouse / raw));
    bench.say(`${column(runs, 0, 8)}${column(median(rounds.map((r) => r.gatehouse)), 0, 13)}`
      + `${column(median(rounds.map((r) => r.raw)), 0)}${column(ratio)}`);
    bench.figure({
      name: `durable events/s at ${runs} runs, to raw inserts`,
      value: ratio, unit: '×', at_least });
  }
});

type Writer = () => Promise<unknown>;

/** Events per second of all writers together, each writing one after the other. */
async function keepWriting(writers: Writer[], window_ms: number): Promise<number> {
  const start = performance.now();
  let events = 0;
  await Promise.all(writers.map(async (write) => {
    while (performance.now() - start < window_ms) {
      await write();
      events += 1;
    }
  }));
  return events / (performance.now() - start) * 1_000;
}

function productWriter({ appender }: Product, run: RunAttempt): Writer {
  return () => appender.append({ ...run, events: [{ type: TYPE, data: DATA }] });
}

function rawWriter(client: RawClient, workspace_id: string): Writer {
  const run_id = newId('run');
  let seq = 0;
  return () => client.execute([workspace_id, run_id, String(seq += 1), TYPE, DATA]);
}

async function openClients(url: string): Promise<RawClient[]> {
  const clients: RawClient[] = [];
  for (let i = 0; i < MOST; i++) {
    clients.push(await RawClient.open(url, `
      insert into run_events (workspace_id, run_id, seq, type, data)
      values ($1, $2, $3, $4, $5)`));
  }
  return clients;
}
