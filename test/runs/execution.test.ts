import t from 'tap';
import { connectTo, heldAction, testSource } from '../support/actions.ts';
import { collect, prompt, type RunEvent } from '../support/client.ts';
import { soundLogs } from '../support/log.ts';
import { testServer } from '../support/server.ts';

const held = heldAction();
const endless = heldAction();
const server = await testServer(t, {
  config: { tool_result_limit_chars: 1_500 },
  sources: [testSource('lab', {
    held: held.action,
    endless: endless.action,
    large: { perform: async () => ({ text: 'x'.repeat(2_000) }) },
    poisoned: { perform: async () => ({ text: 'a\u0000b\ud800c' }) },
    broken: { perform: async () => { throw new Error('secret detail'); } },
  })],
});
const { client, sql, workspace_id } = server;
await connectTo(sql, workspace_id, 'lab');

async function newSession(): Promise<string> {
  return (await client.expect(201, 'createSession')).id;
}

/** Runs a prompt in a new session and answers its events. */
async function play(text: string, rest = {}): Promise<RunEvent[]> {
  const path = { session_id: await newSession() };
  const body = prompt(text, { stream: true, ...rest });
  return await collect(client.events('createRun', { path, body }));
}

const types = (events: RunEvent[]) => [...new Set(events.map((event) => event.type))];
const ofType = <T extends RunEvent['type']>(events: RunEvent[], type: T) =>
  events.filter((event): event is Extract<RunEvent, { type: T }> => event.type === type);

t.test('a run with a tool call, from the first event to the last', async (t) => {
  const events = await play('call gatehouse.sessions.list {"query": {"limit": 1}}');
  t.same(events.map((event) => event.sequence_number), events.map((_, index) => index + 1));
  t.same(types(events), ['run.created', 'run.started', 'reasoning.summary.delta',
    'tool_call.started', 'tool_call.arguments.delta', 'tool_call.completed',
    'message.output.delta', 'message.output.completed', 'run.completed']);
  const [completed] = ofType(events, 'tool_call.completed');
  const joined = ofType(events, 'tool_call.arguments.delta').map((e) => e.data.delta).join('');
  t.same(JSON.parse(joined), completed!.data.arguments);
  const text = ofType(events, 'message.output.delta').map((e) => e.data.delta).join('');
  const [message] = ofType(events, 'message.output.completed');
  t.equal(message!.data.message.content.map((part) => part.text).join(''), text);
  const last = events.at(-1)!;
  if (last.type !== 'run.completed') throw new Error('not completed');
  t.same(last.data.output, [message!.data.message]);
  const run = await client.expect(200, 'getRun', { path: { run_id: last.run_id } });
  t.same(run.output, last.data.output);
  t.same(run.usage, last.data.usage);
  t.equal(run.tool_calls.length, 1);
  t.equal(run.tool_calls[0]!.status, 'completed');
  const invocation = await client.expect(200, 'getActionInvocation',
    { path: { invocation_id: run.tool_calls[0]!.invocation_id! } });
  t.match(invocation, { source: 'run', run_id: run.id, status: 'completed' });
});

t.test('the same prompt gives the same events, but for ids and times', async (t) => {
  const text = '@rehearsal words=30\ncall gateway.connections.list';
  const shape = (events: RunEvent[]) => events.map((event) =>
    JSON.stringify([event.type, event.data])
      .replace(/\b(run|ses|msg|call|inv|con|evt)_[0-9a-z_]+/g, '$1')
      .replace(/"duration_ms":\d+/, ''));
  t.same(shape(await play(text)), shape(await play(text)));
});

t.test('a failing model fails the run, with the calls before it kept', async (t) => {
  const events = await play('@rehearsal fail=model_error at_step=2\ncall gateway.connections.list');
  const last = events.at(-1)!;
  t.match(last, { type: 'run.failed', data: { error: { code: 'model_error' } } });
  const run = await client.expect(200, 'getRun', { path: { run_id: last.run_id } });
  t.match(run, { status: 'failed', output: [], error: { code: 'model_error' } });
  t.equal(run.tool_calls[0]!.status, 'completed');
});

t.test('a passing fault is retried; the calls of a broken stream are closed', async (t) => {
  const events = await play('@rehearsal fail=cut_stream\ncall gateway.connections.list');
  t.equal(events.at(-1)!.type, 'run.failed');
  const started = ofType(events, 'tool_call.started').map((e) => e.data.tool_call_id);
  const failed = ofType(events, 'tool_call.failed');
  t.same(failed.map((e) => e.data.tool_call_id), started);
  t.ok(failed.every((e) => e.data.error.code === 'superseded'));
  t.equal(new Set(started).size, started.length, 'ids are never used again');
  t.ok(ofType(events, 'reasoning.summary.delta').length > 1, 'it was tried more than once');
});

t.test('too many steps', async (t) => {
  const events = await play('@rehearsal steps=9', { max_steps: 3 });
  t.match(events.at(-1), { type: 'run.failed', data: { error: { code: 'max_steps_exceeded' } } });
  t.equal(ofType(events, 'tool_call.completed').length, 3);
});

t.test('out of time, in the middle of a call', async (t) => {
  const events = await play('call lab.test.endless', { timeout_s: 5 });
  t.match(events.at(-1), { type: 'run.failed', data: { error: { code: 'timeout' } } });
  t.match(ofType(events, 'tool_call.failed'), [{ data: { error: { code: 'timeout' } } }]);
  t.ok((await endless.begun).aborted, 'the call was told to stop');
});

t.test('a refused call tells exactly what is missing, and the run goes on', async (t) => {
  const events = await play('call gatehouse.sessions.create {"body": {"title": "x"}}');
  const [failed] = ofType(events, 'tool_call.failed');
  t.match(failed!.data, { name: 'gatehouse.sessions.create', invocation_id: /^inv_/,
    error: { code: 'not_permitted', missing: [{ code: 'not_permitted' }] } });
  t.equal(events.at(-1)!.type, 'run.completed');
});

t.test('several calls of one step', async (t) => {
  const events = await play('call gateway.connections.list & call gatehouse.runs.list');
  t.same(ofType(events, 'tool_call.completed').map((e) => e.data.name),
    ['gateway.connections.list', 'gatehouse.runs.list'], 'results in the order of the calls');
  t.ok(ofType(events, 'tool_call.started').every((started) =>
    started.sequence_number < ofType(events, 'tool_call.completed')[0]!.sequence_number));
});

t.test('a large result is cut for the model and the log, and kept whole', async (t) => {
  const [completed] = ofType(await play('call lab.test.large'), 'tool_call.completed');
  t.equal(completed!.data.truncated, true);
  t.match(completed!.data.result, { result: { truncated: true } });
  const invocation = await client.expect(200, 'getActionInvocation',
    { path: { invocation_id: completed!.data.invocation_id } });
  t.same(invocation.result, { text: 'x'.repeat(2_000) });
});

t.test('what the database refuses cannot poison a run', async (t) => {
  const events = await play('call lab.test.poisoned');
  t.equal(events.at(-1)!.type, 'run.completed');
  t.match(ofType(events, 'tool_call.completed')[0]!.data.result,
    { result: { text: 'a\ufffdb\ufffdc' } });
  t.equal((await play('say \u0000 and \ud800')).at(-1)!.type, 'run.completed');
});

t.test('a fault inside an action stays inside', async (t) => {
  const events = await play('call lab.test.broken');
  t.match(ofType(events, 'tool_call.failed'), [{ data: { error: { code: 'internal_error' } } }]);
  t.notOk(JSON.stringify(events).includes('secret detail'));
});

t.test('cancel, while a call is under way', async (t) => {
  const path = { session_id: await newSession() };
  const run = await client.expect(202, 'createRun', { path, body: prompt('call lab.test.held') });
  const next = await client.expect(202, 'createRun', { path, body: prompt('@rehearsal words=3') });
  const signal = await held.begun;
  const cancelled = await client.expect(200, 'cancelRun', { path: { run_id: run.id } });
  t.equal(cancelled.status, 'cancelled');
  t.same(cancelled.tool_calls.map((call) => call.status), ['cancelled']);
  const events = await collect(client.events('streamRunEvents', { path: { run_id: run.id } }));
  t.match(events.slice(-2), [
    { type: 'tool_call.failed', data: { error: { code: 'cancelled' } } },
    { type: 'run.cancelled', data: { previous_status: 'running', reason: 'requested' } }]);
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
  t.equal(held.calls, 1);
  const rest = await collect(client.events('streamRunEvents', { path: { run_id: next.id } }));
  t.equal(rest.at(-1)!.type, 'run.completed', 'the next run of the session goes on');
});

t.test('a session remembers: transcript and tool results of earlier runs', async (t) => {
  const path = { session_id: await newSession() };
  const body = prompt('call gateway.connections.list', { wait: true });
  await client.expect(200, 'createRun', { path, body });
  const second = await client.expect(200, 'createRun', {
    path,
    body: prompt('call gateway.actions.search {"query": "$last.data.0.integration"}',
      { wait: true }),
  });
  t.equal(second.status, 'completed');
  t.match(second.tool_calls[0]!.arguments,
    { input: { query: 'gatehouse' } }, 'a value of the first run\'s result');
  const session = await client.expect(200, 'getSession', { path });
  t.same(session.messages.map((message) => message.role),
    ['user', 'assistant', 'tool', 'assistant', 'user', 'assistant', 'tool', 'assistant']);
});

t.test('every log in this database is sound', async (t) => await soundLogs(t, sql));
