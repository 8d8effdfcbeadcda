/**
 * Time to first event over HTTP: from sending POST …/runs with `stream: true` to the first bytes
 * of an event, and to the first delta that the model produced after a worker had claimed the run.
 * Both are held against what cannot be avoided, measured in the same run in alternation: a bare
 * HTTP round trip to the same server (/healthz), and one durable commit on the same database.
 *
 * Usage: node test/bench/firstEvent.ts [samples]
 */
import { createFirstCredentials } from '../../src/accounts/accounts.ts';
import { readConfig } from '../../src/config.ts';
import { startService } from '../../src/service.ts';
import { connect } from '../../src/store/database.ts';
import {
  column, median, quantile, runBench, timed, UNREACHED, type Bench,
} from './bench.ts';
import { agent, send, type Target } from './requests.ts';

const SAMPLES = Number(process.argv[2] ?? 300);
const WARM_UP = 30;
const PROMPT = JSON.stringify({
  stream: true,
  input: [{ role: 'user', content: [{ type: 'input_text', text: '@rehearsal words=5' }] }],
});

type Times = Record<
  'round_trip' | 'commit' | 'first_event' | 'first_delta' | 'whole_run', number[]>;

await runBench(async (bench) => {
  const database_url = await bench.database('first_event');
  const sql = connect(database_url, { max: 1 });
  bench.teardown(() => sql.end({ timeout_ms: 1_000 }));
  const { api_key } = await createFirstCredentials(sql);
  await sql`create table commits (n int)`;
  const config = readConfig({}, { port: 0, database_url, log_level: 'warn', ...UNREACHED });
  const service = await startService({ config, log: bench.log });
  bench.teardown(() => service.stop());
  bench.teardown(() => agent.destroy());
  const target = { port: service.port, api_key };
  const { id: session_id } = JSON.parse(await send(target, 'POST', '/v1/sessions', '{}'));
  const times: Times = {
    round_trip: [], commit: [], first_event: [], first_delta: [], whole_run: [] };
  for (let i = 0; i < WARM_UP + SAMPLES; i++) {
    const sample = {
      round_trip: await timed(() => send(target, 'GET', '/healthz')),
      commit: await timed(() => sql`insert into commits values (1)`),
      ...await timeRun(target, session_id),
    };
    if (i < WARM_UP) continue;
    for (const [name, ms] of Object.entries(sample)) times[name as keyof Times].push(ms);
  }
  report(bench, times);
});

async function timeRun(target: Target, session_id: string) {
  const start = performance.now();
  let first_event = 0;
  let first_delta = 0;
  const text = await send(target, 'POST', `/v1/sessions/${session_id}/runs`, PROMPT, (seen) => {
    const now = performance.now() - start;
    if (first_event === 0 && seen.includes('event: run.created')) first_event = now;
    if (first_delta === 0 && seen.includes('event: message.output.delta')) first_delta = now;
  });
  if (!text.includes('event: run.completed')) throw new Error(`the run did not complete: ${text}`);
  return { first_event, first_delta, whole_run: performance.now() - start };
}

function report(bench: Bench, times: Times): void {
  const floor = median(times.round_trip) + median(times.commit);
  bench.say(`  ${SAMPLES} runs, one after the other;`
    + ' ratio: p50 against one round trip and one commit');
  bench.say('                  p50 ms   p99 ms    ratio');
  for (const name of Object.keys(times) as (keyof Times)[]) {
    const p50 = median(times[name]);
    bench.say(`  ${name.padEnd(13)}${column(p50)}${column(quantile(times[name], 0.99))}`
      + column(p50 / floor));
  }
  bench.figure({
    name: 'first event over HTTP, p50', value: median(times.first_event), unit: 'ms', at_most: 5 });
  bench.figure({
    name: 'the same, to one round trip and one commit', value: median(times.first_event) / floor,
    unit: '×' });
}
