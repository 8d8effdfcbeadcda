/**
 * Steps with very many calls: two runs with a step of 5,000 reading calls each, while 30 clients
 * have ordinary runs made one after the other, of one call each; before, the latter alone. Through
 * HTTP, with a model provider in a process of its own that answers at once.
 *
 * Usage: node test/bench/calls.ts [calls]
 */
import { createFirstCredentials } from '../../src/accounts/accounts.ts';
import { readConfig } from '../../src/config.ts';
import { startService } from '../../src/service.ts';
import { connect } from '../../src/store/database.ts';
import { column, median, quantile, runBench, UNREACHED, type Bench } from './bench.ts';
import { nextMessage, startProcess } from './processes.ts';
import { agent, send, type Target } from './requests.ts';

const CALLS = Number(process.argv[2] ?? 5_000);
const LARGE = 2;
const CLIENTS = 30;
const ALONE_MS = 10_000;

await runBench(async (bench) => {
  const target = await startTarget(bench);
  await Promise.all(Array.from({ length: CLIENTS }, () => timeRun(target, 1))); // warms up
  const alone = await beside(target, new Promise((resolve) => setTimeout(resolve, ALONE_MS)));
  const large: number[] = [];
  const both = await beside(target, Promise.all(Array.from({ length: LARGE }, async () =>
    large.push(await timeRun(target, CALLS)))));
  bench.say(`  ${LARGE} runs with a step of ${CALLS} calls took`
    + ` ${large.map((ms) => `${(ms / 1_000).toFixed(1)} s`).join(' and ')}`);
  bench.say('  ordinary runs          p50 ms   p99 ms    of them');
  for (const [name, times] of [['alone', alone], ['beside these', both]] as const) {
    bench.say(`  ${name.padEnd(19)}${column(median(times))}${column(quantile(times, 0.99))}`
      + `${column(times.length, 0, 11)}`);
  }
  bench.figure({
    name: `calls/s of ${LARGE} steps of ${CALLS}, beside ${CLIENTS} ordinary runs`, unit: '/s',
    value: LARGE * CALLS / Math.max(...large) * 1_000 });
  bench.figure({
    name: 'ordinary runs beside these, to alone, p50', unit: '×',
    value: median(both) / median(alone) });
});

async function startTarget(bench: Bench): Promise<Target> {
  const port = await nextMessage<number>(
    startProcess(bench, new URL('stepsPeer.ts', import.meta.url), ['1']));
  const database_url = await bench.database('calls');
  const sql = connect(database_url, { max: 1 });
  const { api_key } = await createFirstCredentials(sql);
  await sql.end();
  const config = readConfig({}, {
    ...UNREACHED, port: 0, database_url, log_level: 'warn', model: 'compatible/m',
    compatible_base_url: `http://127.0.0.1:${port}/v1`,
    // The calls of one step and what they return are in the prompt of the next.
    model_context_tokens: 10_000_000,
  });
  const service = await startService({ config, log: bench.log });
  bench.teardown(() => service.stop());
  bench.teardown(() => agent.destroy());
  return { port: service.port, api_key };
}

/** How long ordinary runs take until the work is done. */
async function beside(target: Target, work: Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  let isOver = false;
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!isOver) times.push(await timeRun(target, 1));
  });
  await work.finally(() => { isOver = true; });
  await Promise.all(clients);
  return times;
}

/** How long a run takes, in a session of its own, from its request to its last event. */
async function timeRun(target: Target, calls: number): Promise<number> {
  const { id } = JSON.parse(await send(target, 'POST', '/v1/sessions', '{}')) as { id: string };
  const start = performance.now();
  const text = await send(target, 'POST', `/v1/sessions/${id}/runs`, JSON.stringify({
    stream: true,
    input: [{ role: 'user', content: [{ type: 'input_text', text: `calls=${calls}` }] }],
  }));
  if (!text.includes('event: run.completed')) {
    throw new Error(`a run did not complete: ${text.slice(-1_000)}`);
  }
  return performance.now() - start;
}
