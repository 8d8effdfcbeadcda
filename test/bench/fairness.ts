/**
 * One workspace asks as much as it can, another one does ordinary things: how long those take, and
 * the pages of health. Then honest uses of one key, none of which may be refused.
 *
 * The service, its PostgreSQL, who asks much and this process share the machine.
 *
 * Usage: node test/bench/fairness.ts [--seconds 6] [--only "pages|tiny runs"]
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { connect, type Sql } from '../../src/store/database.ts';
import { column, quantile, runBench, type Bench } from './bench.ts';
import { ask, endProcess, nextMessage, startProcess } from './processes.ts';
import type { Answers, Asked } from './fairnessAsker.ts';
import { gatewayAttacks } from './fairnessGateway.ts';
import { agent, send, type Target } from './requests.ts';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '6' }, only: { type: 'string' } },
});
const SECONDS = Number(values.seconds);
const ONLY = new RegExp(values.only ?? '');
const WARM_UP_MS = 1_000;
const CHECKPOINT_MS = 60_000;

/** Of the neighbour, p99 in ms. */
const AIMS = { healthz: 100, readyz: 100, get: 250, run: 1_000 };
type Probe = keyof typeof AIMS;
/** Between two requests of a kind, in ms. */
const PAUSES: Record<Probe, number> = { healthz: 20, readyz: 40, get: 15, run: 120 };

const input = (text: string) => [{
  role: 'user', content: [{ type: 'input_text', text }] }];
const TINY = JSON.stringify({ wait: true, input: input('@rehearsal words=1') });
const ENDLESS = '@rehearsal words=1000 delay_ms=60000';
const LARGE = JSON.stringify({ input: input('%') });

/** What there is of the workspace that asks much. */
interface Place {
  /** A connection to the database of the service. */
  sql: Sql;
  hostile: Target;
  session_id: string;
  /** One without long messages: a session is answered with its newest ones. */
  quiet_id: string;
  /** Empty ones. */
  sessions: string[];
  /** Sessions whose runs have inputs of so much. */
  large: Record<string, string>;
  of_gateway: Record<string, Attack>;
}
type Attack = Omit<Asked, 'port' | 'api_key'>;

await runBench(async (bench) => {
  bench.teardown(() => agent.destroy());
  const url = await bench.database('fairness');
  const sql = connect(url, { max: 1 });
  bench.teardown(() => sql.end());
  const { port, api_key, admin_token } = await start(bench, url);
  const neighbour = { port, api_key };
  const place = { ...await prepare(bench, { port, api_key: admin_token }), sql };
  bench.say(`  p99 in ms ${Object.keys(AIMS).map((name) => name.padStart(9)).join('')}   answers`);
  await measure(bench, 'nobody else', neighbour, place, null);
  for (const [name, attack] of Object.entries(attacksOf(place))) {
    if (ONLY.test(name)) {
      await measure(bench, name, neighbour, place, attack);
    }
  }
  const { id: run_id } = JSON.parse(await send(place.hostile, 'POST',
    `/v1/sessions/${place.quiet_id}/runs`, JSON.stringify({ input: input(ENDLESS) }))) as
    { id: string };
  for (const [name, use] of Object.entries(honestUsesOf(place, run_id))) {
    if (ONLY.test(name)) {
      await honest(bench, name, place, use);
    }
  }
});

async function start(bench: Bench, url: string) {
  return await nextMessage<Target & { admin_token: string }>(
    startProcess(bench, new URL('fairnessTarget.ts', import.meta.url), [url]));
}

/** A workspace of its own for who asks much, with what it asks for. */
async function prepare(bench: Bench, operator: Target): Promise<Omit<Place, 'sql'>> {
  const made = async (to: Target, path: string, body: object) =>
    JSON.parse(await send(to, 'POST', path, JSON.stringify(body))) as
      { id: string; api_key: string; code?: string };
  const { id: workspace_id } = await made(operator, '/v1/admin/workspaces', { name: 'much' });
  const { api_key } = await made(operator, '/v1/admin/api_keys', { workspace_id, name: 'much' });
  const hostile = { port: operator.port, api_key };
  const { id: session_id } = await made(hostile, '/v1/sessions', {});
  const { id: quiet_id } = await made(hostile, '/v1/sessions', {});
  const sessions = await Promise.all(Array.from({ length: 60 }, async () =>
    (await made(hostile, '/v1/sessions', {})).id));
  const large: Place['large'] = {};
  for (const [name, chars, count] of [['8 KB', 8_000, 101], ['64 KB', 64_000, 101],
    ['1 MB', 900_000, 101]] as const) {
    const { id } = await made(hostile, '/v1/sessions', {});
    large[name] = id;
    const text = `@rehearsal words=1 ${'x'.repeat(chars)}`;
    for (let i = 0; i < count; i++) {
      const run = await made(hostile, `/v1/sessions/${id}/runs`,
        { wait: true, concurrency: 'enqueue', input: input(text) });
      if (run.code) throw new Error(`no run of ${name}: ${JSON.stringify(run)}`);
    }
    bench.say(`  ${count} runs with inputs of ${name}`);
  }
  const of_gateway = await gatewayAttacks(
    bench, operator, workspace_id, hostile, sessions);
  return { hostile, session_id, quiet_id, sessions, large, of_gateway };
}

function attacksOf(
  { session_id, sessions, large, of_gateway }: Place): Record<string, Attack> {
  const pages = (id: string): Attack => ({
    method: 'GET', paths: [`/v1/runs?limit=100&session_id=${id}`], per_second: 100, at_once: 200 });
  return {
    'pages of 8 KB': pages(large['8 KB']!),
    'pages of 64 KB': pages(large['64 KB']!),
    'pages of 1 MB': pages(large['1 MB']!),
    'transcripts of 1 MB': { ...pages(''), paths: [
      `/v1/sessions/${large['1 MB']!}/messages?limit=100`] },
    'runs with 1 MB': {
      method: 'POST', paths: [`/v1/sessions/${session_id}/runs`], bodies: [LARGE], chars: 1_000_000,
      per_second: 100, at_once: 200 },
    'invalid bodies of 0.8 MB': {
      method: 'POST', paths: [`/v1/sessions/${session_id}/runs`],
      bodies: [`{"input":[${'{},'.repeat(250_000)}{}]}`], per_second: 100, at_once: 200 },
    'invalid inputs of 0.8 MB': {
      method: 'POST', paths: ['/v1/action_invocations'],
      bodies: [`{"action":"gatehouse.sessions.list","input":{${Array.from({ length: 60_000 },
        (_, i) => `"k${i}":1`).join(',')}}}`], per_second: 100, at_once: 200 },
    'tiny runs': { method: 'POST', paths: sessions.map((id) => `/v1/sessions/${id}/runs`),
      bodies: [TINY.replace('"wait"', '"concurrency":"enqueue","wait"')], at_once: 50 },
    'searches': {
      method: 'POST', paths: ['/v1/actions/search'], per_second: 300, at_once: 200,
      bodies: [JSON.stringify({ query: 'create a run in a session of the workspace' })] },
    'guesses in a pipeline': {
      method: 'GET', paths: ['/v1/sessions', '/v1/nothing'], at_once: 20, pipelined: true },
    'quick requests': { method: 'GET', paths: ['/v1/sessions?limit=1'], at_once: 200 },
    ...of_gateway,
  };
}

function honestUsesOf(place: Place, run_id: string): Record<string, Attack> {
  return {
    '1000 subscribers of a run': {
      method: 'GET', paths: [`/v1/runs/${run_id}/events`], at_once: 1_000, holds: true },
    '50 clients that wait for runs': attacksOf(place)['tiny runs']!,
    '200 quick requests at once': {
      method: 'GET', paths: [`/v1/sessions/${place.quiet_id}`], at_once: 200 },
  };
}

async function asking(bench: Bench, { hostile }: Place, attack: Attack) {
  const child = startProcess(bench, new URL('fairnessAsker.ts', import.meta.url));
  await ask(child, { ...hostile, ...attack } satisfies Asked);
  return async () => {
    const found = await ask<Answers>(child, 'stop');
    await endProcess(child);
    return found;
  };
}

/** Ends what is left of an attack, so that the next one is measured by itself. */
async function settle({ hostile, sql }: Place): Promise<void> {
  for (const status of ['queued', 'running']) {
    for (;;) {
      const { data = [] } = JSON.parse(
        await send(hostile, 'GET', `/v1/runs?status=${status}&limit=100`)) as
        { data?: { id: string }[] };
      if (data.length === 0) break;
      await Promise.all(data.map(({ id }) => send(hostile, 'POST', `/v1/runs/${id}/cancel`, '{}')));
      await delay(100);
    }
  }
  // What was written is on the disk then, and not on its way there during the next attack.
  await sql.together((one) => one`checkpoint`, { limit_ms: CHECKPOINT_MS });
  await delay(WARM_UP_MS);
}

async function measure(
  bench: Bench, name: string, neighbour: Target, place: Place, attack: Attack | null) {
  const stop = attack && await asking(bench, place, attack);
  await delay(WARM_UP_MS);
  const session = JSON.parse(await send(neighbour, 'POST', '/v1/sessions', '{}')) as { id: string };
  const times: Record<Probe, number[]> = { healthz: [], readyz: [], get: [], run: [] };
  const refused: Record<string, number> = {};
  const until_ms = performance.now() + SECONDS * 1_000;
  const probe = async (kind: Probe, ask: () => Promise<string>, is_good: RegExp) => {
    while (performance.now() < until_ms) {
      const began_ms = performance.now();
      const text = await ask();
      times[kind].push(performance.now() - began_ms);
      if (!is_good.test(text)) refused[kind] = (refused[kind] ?? 0) + 1;
      await delay(PAUSES[kind]);
    }
  };
  await Promise.all([
    probe('healthz', () => send(neighbour, 'GET', '/healthz'), /"ok"/),
    probe('readyz', () => send(neighbour, 'GET', '/readyz'), /"ready"|"ok"/),
    probe('get', () => send(neighbour, 'GET', `/v1/sessions/${session.id}`), /"id"/),
    probe('run', async () => {
      const { id } = JSON.parse(await send(neighbour, 'POST', '/v1/sessions', '{}')) as
        { id: string };
      return await send(neighbour, 'POST', `/v1/sessions/${id}/runs`, TINY);
    }, /"completed"/),
  ]);
  const answers = await stop?.() ?? {};
  await settle(place);
  const p99 = (kind: Probe) => quantile(times[kind], 0.99);
  const probes = Object.keys(AIMS) as Probe[];
  bench.say(`  ${name.padEnd(26)}${probes.map((kind) => column(p99(kind), 0)).join('')}   `
    + `${JSON.stringify(answers)}${Object.keys(refused).length > 0
      ? `, of the neighbour not: ${JSON.stringify(refused)}` : ''}`);
  for (const kind of probes) {
    bench.figure({ name: `${kind} beside ${name}, p99`, value: p99(kind), unit: 'ms',
      at_most: AIMS[kind] });
  }
}

async function honest(bench: Bench, name: string, place: Place, use: Attack): Promise<void> {
  const stop = await asking(bench, place, use);
  await delay(SECONDS * 1_000);
  const answers = await stop();
  await settle(place);
  bench.say(`  ${name.padEnd(36)}${JSON.stringify(answers)}`);
  const refusals = Object.entries(answers).filter(([status]) => Number(status) >= 400)
    .reduce((sum, [, count]) => sum + count, 0);
  bench.figure({ name: `refusals of ${name}`, value: refusals, unit: '/s', at_most: 0 });
}
