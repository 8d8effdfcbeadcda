/** A step with many calls: so many at once, committed in their order, each write made once. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { connectTo, testSource } from '../support/actions.ts';
import { soundLogs } from '../support/log.ts';
import { completeRun, eventsOf, newSession, queueRun } from '../support/runs.ts';
import { testServer } from '../support/server.ts';
import { untilSeen } from '../support/until.ts';
import { countingSource, startWriteNode } from '../support/writeNode.ts';
import { callOf, modelServer, says } from './modelServer.ts';

const NODE = fileURLToPath(new URL('../support/writeNode.ts', import.meta.url));
const CONCURRENCY = 4;
const CALLS = 3 * CONCURRENCY;
const { client, sql, url, workspace_id } = await testServer(t, { config: { role: 'api' } });
await connectTo(sql, workspace_id, 'lab');

/** One step with so many calls, numbered from 0. */
const manyCalls = (count: number) =>
  Array.from({ length: count }, (_, nth) => `call lab.test.write {"nth": ${nth}}`).join(' & ');

/** Writes of an upstream that answers none of them before it is told to. */
function heldWrites() {
  const held = new Map<number, () => void>();
  const begun: number[] = [];
  const keys = new Set<string | null>();
  let onBegun: (nth: number) => Promise<void> | void = () => {};
  return {
    held, begun, keys,
    /** Answers the call, which has begun. */
    answer(nth: number) {
      held.get(nth)!();
      held.delete(nth);
    },
    whenBegun(then: typeof onBegun) { onBegun = then; },
    source: testSource('lab', { write: { effect: 'write', async perform(request) {
      const { nth } = request.input as { nth: number };
      begun.push(nth);
      keys.add(request.idempotency_key);
      const answered = Promise.withResolvers<void>();
      held.set(nth, answered.resolve);
      await onBegun(nth);
      await answered.promise;
      return { nth };
    } } }),
  };
}

/** The numbers of the calls that completed, in the order of the log. */
async function completedCalls(run_id: string): Promise<number[]> {
  return (await eventsOf(client, run_id)).filter((event) => event.type === 'tool_call.completed')
    .map(({ data }) => (data.result as { result: { nth: number } }).result.nth);
}

const committed = async (run_id: string) => (await sql`
  select from messages where run_id = ${run_id} and role = 'tool'`).length;

t.test('as many are under way or wait for an earlier one as the setting says', async (t) => {
  const lab = heldWrites();
  const run = await queueRun(client, await newSession(client), manyCalls(CALLS));
  const ahead: number[] = [];
  lab.whenBegun(async (nth) => { ahead.push(nth - await committed(run.id)); });
  const stop = await startWriteNode(url, [lab.source], undefined,
    { call_concurrency: CONCURRENCY });
  t.teardown(stop);
  for (let first = 0; first < CALLS; first += CONCURRENCY) {
    await untilSeen('a window of calls', () => lab.held.size, (size) => size === CONCURRENCY);
    const newest = [...lab.held.keys()].sort((a, b) => b - a);
    for (const nth of newest.slice(0, -1)) lab.answer(nth);
    await untilSeen('their records', async () => (await sql`
      select from action_invocations where run_id = ${run.id}`).length,
    (count) => count === first + CONCURRENCY - 1);
    t.equal(lab.begun.length, first + CONCURRENCY, 'none begins before the oldest is committed');
    lab.answer(newest.at(-1)!);
  }
  t.strictSame(await completedCalls(run.id), Array.from({ length: CALLS }, (_, nth) => nth));
  t.equal(lab.begun.length, CALLS);
  t.ok(ahead.every((calls) => calls < CONCURRENCY), `${ahead}`);
});

t.test('a worker that stops ends the writes under way and begins no other', async (t) => {
  const lab = heldWrites();
  const settings = { call_concurrency: CONCURRENCY };
  const stopFirst = await startWriteNode(url, [lab.source], undefined, settings);
  const run = await queueRun(client, await newSession(client), manyCalls(CALLS));
  await untilSeen('a window of calls', () => lab.held.size, (size) => size === CONCURRENCY);
  const stopped = stopFirst();
  for (const nth of [...lab.held.keys()]) lab.answer(nth);
  await stopped;
  t.equal(lab.begun.length, CONCURRENCY);
  t.equal(await committed(run.id), CONCURRENCY);
  lab.whenBegun((nth) => lab.answer(nth));
  t.teardown(await startWriteNode(url, [lab.source], undefined, settings));
  t.strictSame(await completedCalls(run.id), Array.from({ length: CALLS }, (_, nth) => nth));
  t.equal(lab.begun.length, CALLS);
  t.equal(lab.keys.size, CALLS);
});

t.test('a worker is killed in the middle: no write is made twice', async (t) => {
  const [calls, killed_in] = [40, 24];
  await sql`create table upstream (idempotency_key text)`;
  const run = await queueRun(client, await newSession(client), manyCalls(calls));
  const node = spawn(process.execPath, [NODE, url, String(killed_in)], { stdio: 'inherit' });
  t.teardown(() => node.kill('SIGKILL'));
  t.equal((await once(node, 'exit'))[1], 'SIGKILL');
  const before = await committed(run.id);
  t.ok(before > 0 && before < killed_in, `${before} results were committed`);
  t.teardown(await startWriteNode(url, [countingSource(url)]));
  const events = await eventsOf(client, run.id);
  t.equal(events.at(-1)!.type, 'run.completed');
  const ends = events.filter(({ type }) => /^tool_call\.(completed|failed)$/.test(type));
  t.equal(new Set(ends.map(({ data }) => (data as { tool_call_id: string }).tool_call_id)).size,
    calls);
  t.equal(ends.length, calls);
  const unknown = ends.filter(({ type }) => type === 'tool_call.failed');
  t.ok(unknown.length < 16, `${unknown.length} of those under way are unknown`);
  for (const { data } of unknown) t.match(data, { error: { code: 'outcome_unknown' } });
  const keys = await sql<{ idempotency_key: string }[]>`select idempotency_key from upstream`;
  t.equal(new Set(keys.map((row) => row.idempotency_key)).size, keys.length, 'no write twice');
  t.ok(keys.length >= calls - unknown.length, `${keys.length} were made`);
});

t.test('every log in this database is sound', async (t) => await soundLogs(t, sql));

t.test('a step of 1,000 calls ends', async (t) => {
  const count = 1_000;
  const server = await modelServer(t, { model_context_tokens: 1_000_000 });
  server.provider.script(
    says({ calls: Array.from({ length: count }, () => callOf('gateway.connections.list')) }),
    says({ text: ['done'] }));
  const run = await completeRun(server.client, await newSession(server.client), 'go');
  t.match(run, { status: 'completed', attempts: 1 });
  t.equal(run.tool_calls.filter(({ status }) => status === 'completed').length, count);
  t.equal((await server.sql`select from action_invocations`).length, count, 'none was made again');
});
