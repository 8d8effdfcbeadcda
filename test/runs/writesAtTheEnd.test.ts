/**
 * A run ends while it makes a call that changes something, whatever ends it and wherever the call
 * is: log, run, transcript and invocation say one thing of it, at once and for good (G5).
 */
import t, { type Test } from 'tap';
import { failure, lacks } from '../../src/gateway/action/failure.ts';
import type { Sql } from '../../src/store/database.ts';
import { heldAction, connectTo, testSource, type TestAction } from '../support/actions.ts';
import type { Client } from '../support/client.ts';
import { untilCondemned, untilGivenUp } from '../support/condemned.ts';
import { soundLogs } from '../support/log.ts';
import { refusePoison } from '../support/poison.ts';
import { eventsOf, newSession, OFFLINE, queueRun, type Run } from '../support/runs.ts';
import { otherWorkspace, testServer } from '../support/server.ts';
import { startWriteNode, wrapped, grantEverything } from '../support/writeNode.ts';

const api = await testServer(t, { config: { role: 'api' } });
const { client, sql, url, workspace_id } = api;
await connectTo(sql, workspace_id, 'lab');

const GAP = { code: 'invalid_input' as const, message: 'No.', violations: [], schema: {} };

type Told = 'completed' | 'outcome_unknown' | 'cancelled';

/** What the audit log says of a call, oldest first. */
async function audited(invocation_id: string) {
  const rows = await sql<{ entry: string }[]>`
    select entry from audit_entries where event like 'action.%' order by seq`;
  return rows.map(({ entry }) => JSON.parse(entry))
    .filter(({ details }) => details.invocation_id === invocation_id);
}

/** What everybody says of the write of a run, once it has ended. */
async function told(by: Client, run: Run, name = 'lab.test.write') {
  const events = await eventsOf(by, run.id);
  const ends = events.filter(({ type, data }) => /^tool_call\.(completed|failed)$/.test(type)
    && (data as { name: string }).name === name);
  const { data } = ends[0] as { data: Record<string, any> };
  const { tool_calls } = await by.expect(200, 'getRun', { path: { run_id: run.id } });
  const { messages } = await by.expect(200, 'getSession', { path: { session_id: run.session_id } });
  const part = messages.filter(({ role }) => role === 'tool').flatMap(({ content }) => content)
    .find((each) => 'tool_call_id' in each && each.tool_call_id === data.tool_call_id);
  const invocation = data.invocation_id === undefined ? undefined
    : await by.expect(200, 'getActionInvocation', {
      path: { invocation_id: data.invocation_id } });
  const call = tool_calls.find(({ tool_call_id }) => tool_call_id === data.tool_call_id)!;
  return { ends, last: events.at(-1)!, call, part: part as Record<string, any> | undefined,
    invocation };
}

/** Holds the four against each other and against what is expected. */
async function oneTruth(t: Test, by: Client, run: Run, expected: Told): Promise<unknown> {
  const all = await told(by, run);
  const { ends: [end, ...others], call, part, invocation } = all;
  t.same(others, [], 'the call ends once');
  if (expected === 'cancelled') {
    t.match(end, { type: 'tool_call.failed', data: { error: { code: 'cancelled' } } });
    t.match(call, { status: 'cancelled', invocation_id: null });
    t.equal(part, undefined);
    return all;
  }
  const id = invocation!.invocation_id;
  const { connection_id } = invocation!;
  t.match((await audited(id))[0], { event: 'action.called', actor: { type: 'run', id: run.id },
    target: 'lab.test.write', details: {
      invocation_id: id, connection_id, api_key_id: /^key_/, source: 'run' },
    ...(expected === 'completed' ? { outcome: 'ok', reason: null }
      : { outcome: 'unknown', reason: 'outcome_unknown' }) });
  t.match(invocation, { run_id: run.id, action: 'lab.test.write' });
  if (expected === 'completed') {
    t.match(end, { type: 'tool_call.completed',
      data: { invocation_id: id, result: { ok: true, result: { written: true } } } });
    t.match(call, { status: 'completed', invocation_id: id, error: null });
    t.same(part!.result, (end!.data as { result: unknown }).result);
    t.match(invocation, { status: 'completed', result: { written: true } });
  } else {
    const error = { code: 'outcome_unknown', message: /may have taken effect/ };
    t.match(end, { type: 'tool_call.failed', data: { invocation_id: id, error } });
    t.match(call, { status: 'failed', invocation_id: id, error });
    t.match(part, { error });
    t.match(invocation, { status: 'failed', error });
  }
  return all;
}

/** Holds the gateway's statements with these words, before they are sent or after their answer. */
function holding(words: string, after = false) {
  const [there, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const hold = async () => {
    there.resolve();
    await goOn.promise;
  };
  return {
    there: there.promise,
    goOn: goOn.resolve,
    hold,
    wrap: (pool: Sql) => wrapped(pool, (said, send) => {
      if (words === '' || !said.includes(words)) return send();
      return after ? send().then(async (answer) => {
        await hold();
        return answer;
      }) : hold().then(send);
    }),
  };
}

const RECORD = 'insert into action_invocations';

const CANCEL = (run: Run, by = client) =>
  by.expect(200, 'cancelRun', { path: { run_id: run.id } });

/** Where the worker stands still, and what is to be told of the write then, and in the end. */
const POINTS: Record<string, {
  statement?: string, after?: true, calls: number, told: Told, audit: string[] }> = {
  'before its intent': { statement: 'insert into write_intents', calls: 0, told: 'cancelled',
    audit: [] },
  'after its intent': {
    statement: 'insert into write_intents', after: true, calls: 0, told: 'outcome_unknown',
    audit: ['unknown', 'failed'] },
  'in flight': { calls: 1, told: 'outcome_unknown', audit: ['unknown'] },
  'before its record': {
    statement: RECORD, calls: 1, told: 'outcome_unknown', audit: ['unknown', 'ok'] },
  'after its record': {
    statement: RECORD, after: true, calls: 1, told: 'completed', audit: ['ok'] },
};

for (const [point, { statement, after, calls, told: expected, audit }] of Object.entries(POINTS)) {
  t.test(`cancelled ${point}`, async (t) => {
    const held = holding(statement ?? '', after);
    let made = 0;
    const stop = await startWriteNode(url, [testSource('lab', { write: {
      effect: 'write', async perform() {
        made += 1;
        // It does not heed its signal: the answer comes, when nobody waits for it any more.
        if (statement === undefined) await held.hold();
        return { written: true };
      } } })], held.wrap);
    t.teardown(stop);
    const run = await queueRun(client, await newSession(client), 'call lab.test.write', OFFLINE);
    await held.there;
    const cancelled = await CANCEL(run);
    t.equal(cancelled.status, 'cancelled');
    const at_once = await oneTruth(t, client, run, expected);
    held.goOn();
    await stop();
    t.equal(made, calls);
    t.strictSame(await oneTruth(t, client, run, expected), at_once, 'and it stays so');
    const { invocation } = await told(client, run);
    const entries = invocation ? await audited(invocation.invocation_id) : [];
    t.strictSame(entries.map(({ outcome }) => outcome), audit, 'the audit log may say more');
  });
}

t.test('the next run of the session reads it', async (t) => {
  const write = heldAction();
  const stop = await startWriteNode(url, [testSource('lab', {
    write: { ...write.action, effect: 'write' } })]);
  t.teardown(stop);
  const session_id = await newSession(client);
  const run = await queueRun(client, session_id, 'call lab.test.write', OFFLINE);
  await write.begun;
  const next = await queueRun(client, session_id, '@rehearsal words=1',
    { ...OFFLINE, concurrency: 'interrupt' });
  t.match((await eventsOf(client, next.id)).at(-1), { type: 'run.completed' });
  t.match((await eventsOf(client, run.id)).at(-1), { data: { reason: 'interrupted' } });
  await oneTruth(t, client, run, 'outcome_unknown');
  const { messages } = await client.expect(200, 'getSession', { path: { session_id } });
  t.same(messages.map(({ role, run_id }) => [role, run_id === run.id]), [['user', true],
    ['assistant', true], ['tool', true], ['user', false], ['assistant', false]]);
});

t.test('a key that is revoked, a workspace that is archived', async (t) => {
  for (const how of ['key', 'workspace'] as const) {
    const write = heldAction();
    const stop = await startWriteNode(url, [testSource('lab', {
      write: { ...write.action, effect: 'write' } })]);
    t.teardown(stop);
    const other = await otherWorkspace(api);
    const { workspace_id } = await sql`select workspace_id from api_keys
      order by created_at desc limit 1`.then(([row]) => row as { workspace_id: string });
    await connectTo(sql, workspace_id, 'lab');
    await grantEverything(sql);
    const { id: api_key_id, api_key } = await client.expect(201, 'createApiKey',
      { body: { workspace_id, name: 'to be revoked' } });
    const run = await queueRun(other.as(api_key), await newSession(other), 'call lab.test.write',
      OFFLINE);
    await write.begun;
    if (how === 'key') {
      await client.expect(204, 'revokeApiKey', { path: { api_key_id } });
      await oneTruth(t, other, run, 'outcome_unknown');
    } else {
      const status = async (status: 'active' | 'archived') => await client.expect(200,
        'updateWorkspace', { path: { workspace_id }, body: { status } });
      await status('archived');
      await write.begun.then((signal) => signal.aborted || new Promise((resolve) =>
        signal.addEventListener('abort', resolve, { once: true })));
      await status('active');
      await oneTruth(t, other, run, 'outcome_unknown');
    }
    await stop();
  }
});

t.test('its time is over, with a write in flight and one that is done', async (t) => {
  const write = heldAction();
  const done: TestAction = {
    effect: 'write', perform: async () => ({ written: 'x'.repeat(3_000) }) };
  const cut: TestAction = { ...done, perform: async () => ({ written: 'x'.repeat(1_100_000) }) };
  const stop = await startWriteNode(url, [testSource('lab', {
    write: { ...write.action, effect: 'write' }, done, cut, read: heldAction().action })],
  undefined, { tool_result_limit_chars: 1_000 });
  t.teardown(stop);
  // Results are committed in the order of the calls: the second one is known, and not committed.
  const run = await queueRun(client, await newSession(client),
    'call lab.test.write & call lab.test.done & call lab.test.cut & call lab.test.read',
    { ...OFFLINE, timeout_s: 8 });
  const { last } = await told(client, run);
  t.match(last, { type: 'run.failed', data: { error: { code: 'timeout' } } });
  await oneTruth(t, client, run, 'outcome_unknown');
  const other = await told(client, run, 'lab.test.done');
  t.match(other.invocation, { status: 'completed' });
  const { invocation_id } = other.invocation!;
  const result = { head: /^{"written":"x+$/, tail: /^x+"}$/, total_chars: 3_014 };
  t.match(other.ends, [{ type: 'tool_call.completed', data: {
    invocation_id, truncated: true, arguments: { action: 'lab.test.done' },
    result: { ok: true, invocation_id, truncated: true, result } } }]);
  t.match(other.part, { result: { ok: true, invocation_id } });
  t.match((await told(client, run, 'lab.test.cut')).ends, [{ data: { truncated: true,
    result: { result: { truncated: { bytes: 1_100_014, returned: 1_000, hint: String },
      head: /^{"written":"x+$/ } } } }]);
  t.match((await told(client, run, 'lab.test.read')).call, { error: { code: 'timeout' } },
    'a read is told as before');
});

t.test('its worker is lost, and the run is given up', async (t) => {
  let made = 0;
  const lab = testSource('lab', { write: { effect: 'write', perform: async () => made += 1 } });
  const held = holding(RECORD);
  const stopFirst = await startWriteNode(url, [lab], held.wrap);
  t.teardown(stopFirst);
  const run = await queueRun(client, await newSession(client), 'call lab.test.write', OFFLINE);
  await held.there;
  await sql`update workers set lease_until = '-infinity'`;
  const stop = await startWriteNode(url, [lab], undefined, { max_attempts: 1 });
  t.teardown(stop);
  await untilCondemned(sql, run.id);
  await untilGivenUp(sql, run.id);
  const { last } = await told(client, run);
  t.match(last, { type: 'run.failed', data: { error: { code: 'worker_lost' } } });
  const at_once = await oneTruth(t, client, run, 'outcome_unknown');
  held.goOn();
  await stopFirst();
  t.strictSame(await oneTruth(t, client, run, 'outcome_unknown'), at_once);
  t.equal(made, 1);
});

t.test('what could not be stored in the log is told without its words', async (t) => {
  await refusePoison(t, sql);
  for (const works of [true, false]) {
    const stop = await startWriteNode(url, [testSource('lab', { write: {
      effect: 'write', async perform() {
        if (works) return { written: 'poison' };
        throw failure('poison');
      } } })]);
    t.teardown(stop);
    const run = await queueRun(client, await newSession(client), 'call lab.test.write', OFFLINE);
    const { ends, last, part, invocation } = await told(client, run);
    t.match(last, { type: 'run.failed', data: { error: { code: 'internal_error' } } });
    const { invocation_id } = invocation!;
    t.match(invocation, works ? { status: 'completed', result: { written: 'poison' } }
      : { status: 'failed', error: { code: 'upstream_error', message: 'poison' } });
    const error = { code: 'upstream_error', message: String };
    t.match(ends, [{ data: works
      ? { invocation_id, truncated: true, result: { ok: true, result: { head: '' } } }
      : { invocation_id, error } }]);
    t.match(part, works ? { result: { ok: true, invocation_id } } : { error });
    await stop();
  }
});

t.test('what a call on its way found missing is told as such', async (t) => {
  const held = holding(RECORD, true);
  const stop = await startWriteNode(url, [testSource('lab', { write: {
    effect: 'write', perform: async () => { throw lacks(GAP); } } })], held.wrap);
  t.teardown(stop);
  const run = await queueRun(client, await newSession(client), 'call lab.test.write', OFFLINE);
  await held.there;
  await CANCEL(run);
  held.goOn();
  t.match((await told(client, run)).ends, [{ type: 'tool_call.failed', data: {
    error: { code: GAP.code, message: GAP.message, missing: [GAP] } } }]);
});

t.test('every log in this database is sound', async (t) => await soundLogs(t, sql));
