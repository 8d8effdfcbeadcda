/**
 * A worker is killed at each point around a call that changes something: the call is made at most
 * once, and where nobody can know whether it was, that is what the model is told (G5).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { connectTo, heldAction, testSource } from '../support/actions.ts';
import { soundLogs } from '../support/log.ts';
import { eventsOf, newSession, queueRun } from '../support/runs.ts';
import { testServer } from '../support/server.ts';
import {
  countingSource, POINTS, startWriteNode, wrapped, type Point,
} from '../support/writeNode.ts';

const NODE = fileURLToPath(new URL('../support/writeNode.ts', import.meta.url));
const api = await testServer(t, { config: { role: 'api' } });
const { client, sql, url, workspace_id } = api;
await connectTo(sql, workspace_id, 'lab');
await sql`create table upstream (idempotency_key text)`;

/** What each kill leaves: how often the upstream service was called, and what becomes of it. */
const EXPECTED: Record<Point, { calls: number; outcome: 'completed' | 'outcome_unknown' }> = {
  before_intent: { calls: 1, outcome: 'completed' },
  after_intent: { calls: 0, outcome: 'outcome_unknown' },
  in_call: { calls: 1, outcome: 'outcome_unknown' },
  after_call: { calls: 1, outcome: 'outcome_unknown' },
  after_record: { calls: 1, outcome: 'completed' },
};

for (const point of POINTS) {
  t.test(`killed ${point}`, async (t) => {
    const { calls, outcome } = EXPECTED[point];
    await sql`truncate upstream`;
    const run = await queueRun(client, await newSession(client), 'call lab.test.write {"a": 1}');
    const node = spawn(process.execPath, [NODE, url, point], { stdio: 'inherit' });
    t.teardown(() => node.kill('SIGKILL'));
    const [, signal] = await once(node, 'exit') as [number | null, string];
    t.equal(signal, 'SIGKILL');
    const stop = await startWriteNode(url, [countingSource(url)]);
    t.teardown(stop);
    const events = await eventsOf(client, run.id);
    await stop();

    const keys = await sql<{ idempotency_key: string }[]>`select idempotency_key from upstream`;
    const call = events.find((event) => event.type === 'tool_call.started')!.data;
    t.same(keys.map((row) => row.idempotency_key),
      Array.from({ length: calls }, () => call.tool_call_id));
    t.equal(events.at(-1)!.type, 'run.completed', 'the run went on');
    const [end, ...others] = events.filter(({ type }) =>
      type === 'tool_call.completed' || type === 'tool_call.failed');
    t.same(others, []);
    const { invocation_id } = end!.data as { invocation_id: string };
    const invocation = await client.expect(200, 'getActionInvocation', { path: { invocation_id } });
    t.match(invocation, { run_id: run.id, action: 'lab.test.write' });
    const { messages } = await client.expect(200, 'getSession',
      { path: { session_id: run.session_id } });
    const told = messages.find(({ role }) => role === 'tool')!.content[0];
    if (outcome === 'completed') {
      t.match(end, { type: 'tool_call.completed', data: { result: { ok: true } } });
      t.match(invocation, { status: 'completed', result: { written: true } });
    } else {
      t.match(end, { type: 'tool_call.failed', data: { error: { code: outcome } } });
      t.match(invocation, { status: 'failed', error: { code: outcome } });
      t.match(told, { type: 'tool_result', error: { code: outcome } }, 'the model is told');
    }
    const listed = await client.expect(200, 'listActionInvocations', { query: { run_id: run.id } });
    t.equal(listed.data.length, 1, 'one record of the one call');
  });
}

t.test('a worker that stops lets a write end, and commits its outcome', async (t) => {
  const [write, next] = [heldAction(), heldAction()];
  const source = (read: ReturnType<typeof heldAction>) => testSource('lab', {
    write: { ...write.action, effect: 'write' as const }, read: read.action });
  const broken = heldAction();
  const stopFirst = await startWriteNode(url, [source(broken)]);
  const run = await queueRun(client, await newSession(client),
    'call lab.test.write & call lab.test.read');
  const [signal] = await Promise.all([write.begun, broken.begun]);
  const reads = await broken.begun;
  const brokenOff = once(reads, 'abort');
  const stopped = stopFirst();
  await brokenOff;
  t.notOk(signal.aborted, 'the read is broken off, the write is not');
  write.release();
  await stopped;
  t.equal((await client.expect(200, 'getRun', { path: { run_id: run.id } })).status, 'running');
  next.release();
  const stop = await startWriteNode(url, [source(next)]);
  t.teardown(stop);
  const events = await eventsOf(client, run.id);
  t.same(events.filter(({ type }) => type === 'tool_call.completed')
    .map(({ data }) => (data as { name: string }).name), ['lab.test.write', 'lab.test.read']);
  t.same([write.calls, next.calls], [1, 1]);
  t.equal(events.at(-1)!.type, 'run.completed');
});

/** What a call asks when it is cleared, and once more when it leaves. */
const ASKED = { intent: 'insert into write_intents', leaving: 'select from runs' };

for (const [asks, held] of [
  [{ read: 'leaving', write: 'intent' }, 2], [{ write: 'leaving' }, 1]] as const) {
  const names = Object.keys(asks);
  t.test(`after a cancel, which no worker was told of, no call leaves: ${names.join()}`,
    async (t) => {
      let [calls, asking] = [0, 0];
      const count = async () => { calls += 1; };
      const [all, cancelled] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const stop = await startWriteNode(url, [testSource('lab', {
        read: { perform: count }, write: { effect: 'write', perform: count },
      })], (pool) => wrapped(pool, (statement, send) => {
        if (!Object.values(asks).some((asked) => statement.startsWith(ASKED[asked]))) return send();
        asking += 1;
        if (asking === held) all.resolve();
        return cancelled.promise.then(send);
      }));
      t.teardown(stop);
      const run = await queueRun(client, await newSession(client),
        names.map((name) => `call lab.test.${name}`).join(' & '));
      await all.promise;
      await sql`select cancel_run(${workspace_id}, ${run.id}, 'requested')`;
      cancelled.resolve();
      t.equal((await eventsOf(client, run.id)).at(-1)!.type, 'run.cancelled');
      await stop();
      t.equal(calls, 0);
      // The cancel found the intent of the write, and said what it knew; the call then withdrew it.
      const settled = !names.includes('read');
      t.same(await sql`select from write_intents where run_id = ${run.id}`, []);
      const recorded = await sql<{ code: string }[]>`
        select error->>'code' as code from action_invocations where run_id = ${run.id}`;
      t.same(recorded.map(({ code }) => code),
        settled ? ['outcome_unknown'] : ['cancelled', 'cancelled']);
    });
}

t.test('every log in this database is sound', async (t) => await soundLogs(t, sql));
