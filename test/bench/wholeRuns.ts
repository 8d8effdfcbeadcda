/**
 * Whole runs through HTTP: each a new session, a run that answers 20 words, and its end, against
 * the plain design (`wholeRunsPlain.ts`) in turns. Each side is a process of its own, this one is
 * their clients over loopback, and both write to the same PostgreSQL.
 *
 * - runs/s: so many clients at once, each of which waits for its run.
 * - CPU: what the side's process takes for a run, and PostgreSQL (where there is a /proc).
 * - commits: how many transactions that write something PostgreSQL commits for a run, NOTIFY too.
 * - streamed: one run after the other with `stream: true`; from the request to its first event, to
 *   the first text of the answer and to the end.
 *
 * Usage: node test/bench/wholeRuns.ts [--rounds 5] [--runs 400] [--only gatehouse]
 */
import type { ChildProcess } from 'node:child_process';
import { parseArgs } from 'node:util';
import { connect, type Sql } from '../../src/store/database.ts';
import { only } from '../../src/store/rows.ts';
import { column, median, runBench, type Bench } from './bench.ts';
import { ask, nextMessage, startProcess } from './processes.ts';
import { agent, send, type Target } from './requests.ts';
import { serverCpu_ms } from './serverCpu.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    runs: { type: 'string', default: '400' },
    only: { type: 'string', default: 'gatehouse,plain' },
  },
});
const ROUNDS = Number(values.rounds);
const RUNS = Number(values.runs);
const CLIENTS = [10, 50];
const STREAMED = 60;
const INPUT = [{
  role: 'user', content: [{ type: 'input_text', text: '@rehearsal words=20' }] }];
const WAIT = JSON.stringify({ wait: true, input: INPUT });
const STREAM = JSON.stringify({ stream: true, input: INPUT });

interface Side extends Target { name: string; child: ChildProcess; sql: Sql }
/** One round of a side; CPU and commits are those of a run. */
interface Load { per_second: number; cpu_ms: number; server_ms: number; commits: number }
interface Streamed { first_event: number; first_text: number; whole: number }

await runBench(async (bench) => {
  bench.teardown(() => agent.destroy());
  const sides: Side[] = [];
  for (const name of values.only.split(',')) sides.push(await start(bench, name));
  for (const side of sides) await load(side, 50, RUNS);
  for (const { sql } of sides) await sql`analyze`;
  for (const clients of CLIENTS) reportLoad(bench, clients, await inTurns(
    sides, (side) => load(side, clients, RUNS)));
  reportStreamed(bench, await inTurns(sides, streamed));
});

async function start(bench: Bench, name: string): Promise<Side> {
  const url = await bench.database(`whole_runs_${name}`);
  const sql = connect(url, { max: 1 });
  bench.teardown(() => sql.end({ timeout_ms: 1_000 }));
  const script = name === 'plain' ? new URL('wholeRunsPlain.ts', import.meta.url)
    : new URL('wholeRunsTarget.ts', import.meta.url);
  const child = startProcess(bench, script, [url]);
  return { ...await nextMessage<Target>(child), name, child, sql };
}

/** Each side once in a round; by the side's name. */
async function inTurns<T>(
  sides: Side[], measure: (side: Side) => Promise<T>): Promise<Map<string, T[]>> {
  const measured = new Map(sides.map(({ name }) => [name, [] as T[]]));
  for (let round = 0; round < ROUNDS; round++) {
    for (let i = 0; i < sides.length; i++) {
      const side = sides[(i + round) % sides.length]!;
      measured.get(side.name)!.push(await measure(side));
    }
  }
  return measured;
}

async function load(side: Side, clients: number, runs: number): Promise<Load> {
  const before = await used(side);
  const start_ms = performance.now();
  let left = runs;
  await Promise.all(Array.from({ length: clients }, async () => {
    while (left-- > 0) await waitedRun(side);
  }));
  const elapsed_ms = performance.now() - start_ms;
  const after = await used(side);
  return {
    per_second: runs / elapsed_ms * 1_000,
    cpu_ms: (after.cpu_ms - before.cpu_ms) / runs,
    server_ms: (after.server_ms - before.server_ms) / runs,
    commits: (after.commits - before.commits) / runs,
  };
}

async function waitedRun(side: Side): Promise<void> {
  const session = JSON.parse(await send(side, 'POST', '/v1/sessions', '{}')) as { id: string };
  const answer = await send(side, 'POST', `/v1/sessions/${session.id}/runs`, WAIT);
  const { status } = JSON.parse(answer) as { status?: string };
  if (status !== 'completed') throw new Error(`the run did not complete: ${answer}`);
}

async function used({ child, sql }: Side) {
  const own = ask<{ cpu_ms: number }>(child, 'cpu');
  // Each transaction that writes takes the next number; the other side does nothing meanwhile.
  const { commits } = await only(sql<{ commits: number }[]>`
    select pg_snapshot_xmax(pg_current_snapshot())::text::float8 as commits`);
  return { ...await own, server_ms: await serverCpu_ms(sql), commits };
}

async function streamed(side: Side): Promise<Streamed> {
  const runs: Streamed[] = [];
  for (let i = 0; i < STREAMED; i++) runs.push(await streamedRun(side));
  const p50 = (name: keyof Streamed) => median(runs.map((run) => run[name]));
  return { first_event: p50('first_event'), first_text: p50('first_text'), whole: p50('whole') };
}

async function streamedRun(side: Side): Promise<Streamed> {
  const session = JSON.parse(await send(side, 'POST', '/v1/sessions', '{}')) as { id: string };
  const start_ms = performance.now();
  let [first_event, first_text] = [0, 0];
  const text = await send(side, 'POST', `/v1/sessions/${session.id}/runs`, STREAM, (seen) => {
    const now_ms = performance.now() - start_ms;
    if (first_event === 0 && seen.includes('event: run.created')) first_event = now_ms;
    if (first_text === 0 && seen.includes('event: message.output.delta')) first_text = now_ms;
  });
  if (!text.includes('event: run.completed')) throw new Error(`the run did not complete: ${text}`);
  return { first_event, first_text, whole: performance.now() - start_ms };
}

function reportLoad(bench: Bench, clients: number, measured: Map<string, Load[]>): void {
  bench.say(`  ${clients} clients       runs/s   CPU ms  PostgreSQL ms   commits`);
  for (const [name, rounds] of measured) {
    const p50 = (of: keyof Load) => median(rounds.map((round) => round[of]));
    bench.say(`  ${name.padEnd(12)}${column(p50('per_second'), 0)}${column(p50('cpu_ms'))}`
      + `${column(p50('server_ms'), 2, 15)}${column(p50('commits'), 1, 10)}`);
  }
  const ours = measured.get('gatehouse') ?? [];
  bench.figure({ name: `whole runs/s, ${clients} clients`, unit: '/s',
    value: median(ours.map((round) => round.per_second)) });
  bench.figure({ name: `CPU of a whole run, ${clients} clients, ours and PostgreSQL's`, unit: 'ms',
    value: median(ours.map((round) => round.cpu_ms + round.server_ms)) });
  const plain = measured.get('plain');
  if (!plain) return;
  bench.figure({
    name: `whole runs/s, ${clients} clients, to one insert for each event`, unit: '×', at_least: 2,
    value: median(ours.map((round, i) => round.per_second / plain[i]!.per_second)) });
}

function reportStreamed(bench: Bench, measured: Map<string, Streamed[]>): void {
  bench.say('  streamed, ms   first event  first text     whole');
  for (const [name, rounds] of measured) {
    const p50 = (of: keyof Streamed) => median(rounds.map((round) => round[of]));
    bench.say(`  ${name.padEnd(12)}${column(p50('first_event'), 2, 14)}`
      + `${column(p50('first_text'), 2, 12)}${column(p50('whole'), 2, 10)}`);
    if (name !== 'gatehouse') continue;
    bench.figure({ name: 'first text of a streamed run, p50', value: p50('first_text'),
      unit: 'ms', at_most: 5 });
    bench.figure({ name: 'a streamed run whole, p50', value: p50('whole'),
      unit: 'ms', at_most: 8 });
  }
}
