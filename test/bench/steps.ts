/**
 * Our own time per model step: from the request's arrival at a model provider that answers at once
 * to the durable event of the step at a reader of the run's stream, over HTTP; against the bare
 * call of the provider's package, from the same arrival to the end of its stream. Both in turns.
 * Besides, the time between two requests of a run: a commit, an action call and its commit are in
 * it, and the bare call.
 *
 * Usage: node test/bench/steps.ts [runs]
 */
import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createFirstCredentials } from '../../src/accounts/accounts.ts';
import { readConfig } from '../../src/config.ts';
import { startService } from '../../src/service.ts';
import { connect } from '../../src/store/database.ts';
import { column, median, quantile, runBench, type Bench } from './bench.ts';
import { nextMessage, startProcess } from './processes.ts';
import { agent, send, type Target } from './requests.ts';

const RUNS = Number(process.argv[2] ?? 100);
const WARM_UP = 10;
const RUN = JSON.stringify({
  stream: true, input: [{ role: 'user', content: [{ type: 'input_text', text: 'hello' }] }],
});

const PROMPT: LanguageModelV4Prompt = [
  { role: 'user', content: [{ type: 'text', text: 'hello' }] }];

const COMPLETED = /event: message\.output\.completed\ndata: .*"text":"([\d.]+)"/g;
const now = () => performance.timeOrigin + performance.now();
type Times = Record<'step' | 'bare' | 'between', number[]>;

await runBench(async (bench) => {
  const port = await nextMessage<number>(
    startProcess(bench, new URL('stepsPeer.ts', import.meta.url), ['4']));
  const base_url = `http://127.0.0.1:${port}/v1`;
  const target = await startTarget(bench, base_url);
  const model = createOpenAICompatible({
    name: 'compatible', baseURL: base_url, includeUsage: true }).chatModel('m');
  const times: Times = { step: [], bare: [], between: [] };
  for (let i = 0; i < WARM_UP + RUNS; i++) {
    const { steps, requests } = await timeRun(target);
    const bare = [];
    for (const _ of steps) bare.push(await timeBareCall(model));
    if (i < WARM_UP) continue;
    times.step.push(...steps);
    times.bare.push(...bare);
    times.between.push(...requests.slice(1).map((at, nth) => at - requests[nth]!));
  }
  report(bench, times);
});

async function startTarget(bench: Bench, compatible_base_url: string): Promise<Target> {
  const database_url = await bench.database('steps');
  const sql = connect(database_url, { max: 1 });
  const { api_key } = await createFirstCredentials(sql);
  await sql.end();
  const config = readConfig({}, {
    port: 0, database_url, log_level: 'warn', model: 'compatible/m', compatible_base_url });
  const service = await startService({ config, log: bench.log });
  bench.teardown(() => service.stop());
  bench.teardown(() => agent.destroy());
  return { port: service.port, api_key };
}

/** One run, in a session of its own: for each step, how late its event came, and its request. */
async function timeRun(target: Target): Promise<{ steps: number[]; requests: number[] }> {
  const { id } = JSON.parse(await send(target, 'POST', '/v1/sessions', '{}')) as { id: string };
  const steps: number[] = [];
  const requests: number[] = [];
  const text = await send(target, 'POST', `/v1/sessions/${id}/runs`, RUN, (seen) => {
    const arrived = now();
    const told = [...seen.matchAll(COMPLETED)];
    for (const [, at] of told.slice(steps.length)) {
      steps.push(arrived - Number(at));
      requests.push(Number(at));
    }
  });
  if (!text.includes('event: run.completed')) throw new Error(`the run did not complete: ${text}`);
  return { steps, requests };
}

async function timeBareCall(
  model: ReturnType<ReturnType<typeof createOpenAICompatible>['chatModel']>): Promise<number> {
  const { stream } = await model.doStream({ prompt: PROMPT });
  let at = '';
  for await (const part of stream) if (part.type === 'text-delta') at += part.delta;
  return now() - Number(at);
}

function report(bench: Bench, times: Times): void {
  bench.say(`  ${times.step.length} steps of ${RUNS} runs, one after the other`);
  bench.say('                          p50 ms   p99 ms');
  const rows = {
    'request to event': times.step, 'bare call': times.bare, 'request to request': times.between };
  for (const [name, values] of Object.entries(rows)) {
    bench.say(`  ${name.padEnd(21)}${column(median(values))}${column(quantile(values, 0.99))}`);
  }
  bench.figure({
    name: 'a step\'s event at a reader, over the bare provider call, p50', unit: 'ms',
    value: median(times.step) - median(times.bare), at_most: 5 });
  bench.figure({
    name: 'from one request of a run to the next, over the bare call, p50', unit: 'ms',
    value: median(times.between) - median(times.bare) });
}
