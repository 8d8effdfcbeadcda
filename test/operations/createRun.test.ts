/** POST /sessions/{session_id}/runs: how it answers, and what it takes. */
import t from 'tap';
import { collect, prompt } from '../support/client.ts';
import { testServer } from '../support/server.ts';
import {
  completeRun, ENDLESS, endlessRun, eventsOf, newSession, outputText, queueRun, untilEvent,
} from '../support/runs.ts';

const server = await testServer(t);
const { client } = server;
const create = (session_id: string, body: unknown) =>
  client.call('createRun', { path: { session_id }, body });

t.test('without wait and stream: 202 with the run as it is', async (t) => {
  const session_id = await newSession(client);
  const blocker = await endlessRun(client, session_id);
  const told = { metadata: { ticket: '4711' }, instructions: 'Be brief.', max_steps: 7,
    timeout_s: 60, max_total_tokens: 9_000 };
  const body = prompt('@rehearsal words=3', told);
  const answer = await create(session_id, body);
  t.equal(answer.status, 202);
  t.match(answer.body, {
    id: /^run_[0-9a-z]{26}$/, object: 'run', session_id, status: 'queued', source: 'api',
    model: 'rehearsal', input: body.input, output: [], tool_calls: [], error: null, usage: null,
    attempts: 0, ...told, started_at: null, finished_at: null,
  });
  if (answer.status !== 202) return;
  const { id } = answer.body;
  t.equal(answer.headers.get('location'), `/v1/runs/${id}`);
  t.equal(answer.headers.get('retry-after'), null, 'nobody has waited');
  t.strictSame(await client.expect(200, 'getRun', { path: { run_id: id } }), answer.body);
  await client.expect(200, 'cancelRun', { path: { run_id: blocker.id } });
  await untilEvent(client, id, 'run.completed');
});

t.test('wait: 200 with the run that has ended', async (t) => {
  const session_id = await newSession(client);
  const run = await completeRun(client, session_id, '@rehearsal words=5');
  t.match(run, { status: 'completed', error: null, started_at: String, finished_at: String,
    output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text' }] }],
    usage: { input_tokens: Number, output_tokens: Number } });
  t.equal(outputText(run).trim().split(/\s+/).length, 5);
  t.equal(run.usage!.total_tokens, run.usage!.input_tokens + run.usage!.output_tokens);
  t.ok(run.created_at <= run.started_at! && run.started_at! <= run.finished_at!);
});

t.test('wait answers 200 for a run that failed or was cancelled, too', async (t) => {
  const session_id = await newSession(client);
  t.match(await completeRun(client, session_id, '@rehearsal fail=model_error'), {
    status: 'failed', output: [],
    error: { code: 'model_error', message: String, retryable: Boolean },
  });
  const waiting = completeRun(client, session_id, ENDLESS, { metadata: { is: 'waited for' } });
  const { data: [open] } = await openRun(session_id);
  await client.expect(200, 'cancelRun', { path: { run_id: open!.id } });
  t.match(await waiting, { id: open!.id, status: 'cancelled', output: [], error: null });
});

/** The session's one open run, as soon as it is running. */
async function openRun(session_id: string) {
  for (;;) {
    const list = await client.expect(200, 'listRuns', { query: { session_id, status: 'running' } });
    if (list.data.length > 0) return list;
  }
}

t.test('a wait that runs out: 202 with the run as it is, and when to ask again', async (t) => {
  const session_id = await newSession(client);
  const answer = await create(session_id, prompt(ENDLESS, { wait: true, wait_timeout_s: 3 }));
  t.equal(answer.status, 202);
  t.match(answer.body, { status: 'running', output: [], finished_at: null });
  t.equal(answer.headers.get('retry-after'), '1');
  if (answer.status !== 202) return;
  t.match(await client.expect(200, 'cancelRun', { path: { run_id: answer.body.id } }),
    { status: 'cancelled' }, 'the run went on');
});

t.test('stream: the events from the first one on', async (t) => {
  const session_id = await newSession(client);
  const events = await collect(client.events('createRun',
    { path: { session_id }, body: prompt('@rehearsal words=3', { stream: true }) }));
  t.strictSame(events.map(({ sequence_number }) => sequence_number),
    events.map((_, index) => index + 1), 'numbers without a gap');
  t.equal(events[0]!.type, 'run.created');
  t.equal(events[1]!.type, 'run.started');
  t.equal(events.at(-1)!.type, 'run.completed');
  t.ok(events.every((event) => event.session_id === session_id));
  t.strictSame(events, await eventsOf(client, events[0]!.run_id), 'streamRunEvents sends the same');
});

t.test('stream does not depend on the Accept header', async (t) => {
  const session_id = await newSession(client);
  const response = await client.fetch('createRun', { path: { session_id },
    headers: { accept: 'application/json' },
    body: prompt('@rehearsal words=1', { stream: true }) });
  t.equal(response.status, 200);
  t.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
  t.match(response.headers.get('location'), /^\/v1\/runs\/run_/);
  t.match(await response.text(), /^retry: 1000\nevent: run\.created\ndata: \{.*\nid: 1\n\n/);
});

t.test('a client that goes away does not cancel', async (t) => {
  const session_id = await newSession(client);
  let run_id = '';
  const body = prompt('@rehearsal words=20 delay_ms=2', { stream: true });
  for await (const event of client.events('createRun', { path: { session_id }, body })) {
    run_id = event.run_id;
    break;
  }
  t.match(await untilEvent(client, run_id, 'run.completed'), { data: { output: [{}] } });
});

t.test('wait and stream together are refused', async (t) => {
  const session_id = await newSession(client);
  t.match(await create(session_id, prompt('x', { wait: true, stream: true })),
    { status: 400, body: { code: 'invalid_request', param: '/stream' } });
  t.strictSame((await client.expect(200, 'listRuns', { query: { session_id } })).data, []);
});

t.test('a run sees the transcript and the tool results of those before it', async (t) => {
  const session_id = await newSession(client, 'found again');
  await completeRun(client, session_id, 'call gatehouse.sessions.list {"query": {"limit": 1}}');
  const text = 'call gatehouse.sessions.get {"path": {"session_id": "$last.data.0.id"}}';
  const run = await completeRun(client, session_id, text);
  t.match(run.tool_calls, [{ name: 'gatehouse.sessions.get', status: 'completed',
    arguments: { input: { path: { session_id } } } }]);
  const thoughts = (await eventsOf(client, run.id))
    .map((event) => event.type === 'reasoning.summary.delta' ? event.data.delta : '').join('');
  t.match(thoughts, /This session holds 3 earlier messages/);
  const elsewhere = await completeRun(client, await newSession(client), text);
  t.strictSame(elsewhere.tool_calls, [], 'another session knows nothing of it');
});

t.test('limits of the body', async (t) => {
  const session_id = await newSession(client);
  const part = { type: 'input_text', text: 'x' };
  const item = { role: 'user', content: [part] };
  const bad: [body: unknown, param: string][] = [
    [{}, '/input'], [{ input: [] }, '/input'], [{ input: Array(65).fill(item) }, '/input'],
    [{ input: [{ role: 'assistant', content: [part] }] }, '/input/0/role'],
    [{ input: [{ role: 'user', content: [] }] }, '/input/0/content'],
    [{ input: [{ role: 'user', content: Array(65).fill(part) }] }, '/input/0/content'],
    [{ input: [{ role: 'user', content: [{ type: 'input_text', text: '' }] }] },
      '/input/0/content/0/text'],
    [{ input: [{ role: 'user', content: [{ type: 'image' }] }] }, '/input/0/content/0/type'],
    [{ input: [item], prompt: 'x' }, '/prompt'],
    [{ input: [item], wait: 'yes' }, '/wait'],
    [{ input: [item], wait_timeout_s: 281 }, '/wait_timeout_s'],
    [{ input: [item], concurrency: 'parallel' }, '/concurrency'],
    [{ input: [item], metadata: Object.fromEntries(Array(17).keys().map((k) => [k, 'v'])) },
      '/metadata'],
    [{ input: [item], metadata: { key: 'v'.repeat(513) } }, '/metadata/key'],
    [{ input: [item], instructions: 'x'.repeat(32_769) }, '/instructions'],
    [{ input: [item], model: 'nobody/nothing' }, 'model'],
  ];
  for (const [body, param] of bad) {
    const answer = await create(session_id, body);
    t.equal(answer.status, 400, JSON.stringify(body).slice(0, 80));
    t.match(answer.body, { code: 'invalid_request', param });
  }
  t.strictSame((await client.expect(200, 'listRuns', { query: { session_id } })).data, []);
  t.match(await create(session_id, { input: [item], model: 'nobody/nothing' }),
    { body: { details: { models: ['rehearsal'] } } }, 'the models that there are');
});

t.test('what a run may use: what it asks, within the workspace and the operator', async (t) => {
  const session_id = await newSession(client);
  const steps = (max_steps: number) => create(session_id, prompt('x', { max_steps }));
  t.match(await steps(33), { status: 400, body: { param: '/max_steps', error: /at most 32/ } });
  t.match(await create(session_id, prompt('x', { timeout_s: 901 })),
    { status: 400, body: { param: '/timeout_s', error: /at most 900/ } });
  t.match(await completeRun(client, session_id, '@rehearsal steps=3', { max_steps: 2 }),
    { status: 'failed', error: { code: 'max_steps_exceeded', retryable: false } });
  t.match(await completeRun(client, session_id, ENDLESS, { timeout_s: 1 }),
    { status: 'failed', error: { code: 'timeout', retryable: true } });
  const path = { workspace_id: server.workspace_id };
  const limit = (limits: object) =>
    client.expect(200, 'updateWorkspace', { path, body: { limits } });
  await limit({ max_steps: 4 });
  t.match(await steps(5), { status: 400, body: { param: '/max_steps', error: /at most 4/ } });
  t.match(await completeRun(client, session_id, '@rehearsal steps=5'),
    { status: 'failed', error: { code: 'max_steps_exceeded' } }, 'the default is the limit');
  t.match(await completeRun(client, session_id, '@rehearsal steps=4'), { status: 'completed' });
  await limit({});
});

t.test('text that cannot be stored is mended, not a fault', async (t) => {
  const session_id = await newSession(client);
  t.match(await completeRun(client, session_id, '@rehearsal words=1\na\0b',
    { metadata: { k: '\0' }, instructions: 'x\0' }), {
    status: 'completed', metadata: { k: '\uFFFD' },
    input: [{ content: [{ text: '@rehearsal words=1\na\uFFFDb' }] }],
  });
});

t.test('an unknown session', async (t) => {
  for (const mode of [{}, { wait: true }, { stream: true }]) {
    t.match(await create('ses_none', prompt('x', mode)),
      { status: 404, body: { code: 'not_found' } });
  }
});

t.test('too many streams: refused before anything is made', async (t) => {
  const few = await testServer(t, { config: { streams_per_key: 1 } });
  const session_id = await newSession(few.client);
  const run = await endlessRun(few.client, session_id);
  const open = few.client.events('streamRunEvents', { path: { run_id: run.id } });
  await open.next();
  const body = prompt('x', { stream: true });
  const answer = await few.client.call('createRun', { path: { session_id }, body });
  t.match([answer.status, answer.body], [429, { code: 'rate_limited' }]);
  t.equal(answer.headers.get('retry-after'), '1');
  t.equal((await few.client.expect(200, 'listRuns')).data.length, 1, 'no second run');
  t.match(await queueRun(few.client, session_id, 'x'), { status: 'queued' }, 'it needs no stream');
  await open.return(undefined);
});
