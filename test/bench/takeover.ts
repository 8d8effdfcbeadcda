/**
 * Takeover: a worker is killed with -9 while it executes a run, and an idle one goes on with it.
 * From the kill to the next event of the run, as a reader on a third node has it over HTTP, and to
 * the first word of the new attempt. Every node is a process of its own.
 *
 * Usage: node test/bench/takeover.ts [kills]
 */
import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { createFirstCredentials } from '../../src/accounts/accounts.ts';
import { connect } from '../../src/store/database.ts';
import { ServiceNode } from '../torture/serviceNode.ts';
import { column, median, quantile, runBench, type Bench } from './bench.ts';
import { agent, send, type Target } from './requests.ts';

const KILLS = Number(process.argv[2] ?? 20);
/** Goes on until it is cancelled, and has a word every 20 ms. */
const PROMPT = JSON.stringify({
  stream: true,
  input: [{ role: 'user',
    content: [{ type: 'input_text', text: '@rehearsal words=10000 delay_ms=20' }] }],
});
const AGAIN = '"attempt":2';

await runBench(async (bench) => {
  const database_url = await bench.database('takeover');
  const sql = connect(database_url, { max: 1 });
  bench.teardown(() => sql.end({ timeout_ms: 1_000 }));
  const { api_key } = await createFirstCredentials(sql);
  const start = starter(bench, database_url);
  const api = await start('api');
  const target = { port: Number(new URL(api.base_url).port), api_key };
  bench.teardown(() => agent.destroy());
  let victim = await start('all');
  const times = { next_event: [] as number[], next_word: [] as number[] };
  for (let kill = 0; kill < KILLS; kill++) {
    const round = follow(target, await newSession(target));
    await round.begun;
    // It comes when the run is executed already, and so has nothing to do but to wait.
    const spare = await start('all');
    // At any moment between two looks.
    await delay(Math.random() * 400);
    const killed_ms = performance.now();
    await victim.kill();
    times.next_event.push(await round.again - killed_ms);
    times.next_word.push(await round.said - killed_ms);
    await send(target, 'POST', `/v1/runs/${await round.begun}/cancel`);
    await round.ended;
    victim = spare;
  }
  report(bench, times);
});

/** Starts nodes, which do not outlive the bench. */
function starter(bench: Bench, database_url: string) {
  const processes = new Set<ChildProcess>();
  bench.teardown(() => { for (const child of processes) child.kill('SIGKILL'); });
  return (role: string) => ServiceNode.start(
    { database_url, env: { GATEHOUSE_ROLE: role } }, processes);
}

async function newSession(target: Target): Promise<string> {
  return JSON.parse(await send(target, 'POST', '/v1/sessions', '{}')).id;
}

/** Starts a run and reads its stream: the moments when something of it arrived. */
function follow(target: Target, session_id: string) {
  const begun = Promise.withResolvers<string>();
  const again = Promise.withResolvers<number>();
  const said = Promise.withResolvers<number>();
  const ended = send(target, 'POST', `/v1/sessions/${session_id}/runs`, PROMPT, (seen) => {
    const now_ms = performance.now();
    if (seen.includes('message.output.delta')) begun.resolve(/"run_id":"(\w+)"/.exec(seen)![1]!);
    const place = seen.indexOf(AGAIN);
    if (place < 0) return;
    again.resolve(now_ms);
    if (seen.includes('message.output.delta', place)) said.resolve(now_ms);
  });
  return { begun: begun.promise, again: again.promise, said: said.promise, ended };
}

function report(bench: Bench, times: Record<'next_event' | 'next_word', number[]>): void {
  bench.say(`  ${KILLS} kills of the worker that executes a run, with an idle one beside it`);
  bench.say('                  p50 ms   min ms   max ms');
  for (const [name, all] of Object.entries(times)) {
    bench.say(`  ${name.padEnd(13)}${column(median(all), 0)}${column(quantile(all, 0), 0)}`
      + column(quantile(all, 1), 0));
  }
  bench.figure({
    name: 'kill -9 to the next event, with an idle spare, p50', value: median(times.next_event),
    unit: 'ms', at_most: 500 });
  bench.figure({
    name: 'the same, the longest', value: quantile(times.next_event, 1), unit: 'ms' });
}
