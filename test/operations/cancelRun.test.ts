/** POST /runs/{run_id}/cancel */
import t from 'tap';
import { createLab, connectLab } from '../support/lab.ts';
import { testServer } from '../support/server.ts';
import {
  completeRun, endlessRun, eventsOf, newSession, queueRun, untilEvent,
} from '../support/runs.ts';
import { untilSeen } from '../support/until.ts';

const lab = createLab();
const server = await testServer(t, { sources: [lab.source] });
const { client } = server;
await connectLab(server.sql, server.workspace_id);
const cancel = (run_id: string) => client.expect(200, 'cancelRun', { path: { run_id } });

t.test('a queued run', async (t) => {
  const session_id = await newSession(client);
  const first = await endlessRun(client, session_id);
  const queued = await queueRun(client, session_id, 'hello');
  const run = await cancel(queued.id);
  t.match(run, { id: queued.id, status: 'cancelled', started_at: null, finished_at: String,
    output: [], tool_calls: [], error: null, usage: null });
  t.match(await eventsOf(client, queued.id), [
    { type: 'run.created' },
    { type: 'run.cancelled', sequence_number: 2,
      data: { previous_status: 'queued', reason: 'requested' } },
  ]);
  await cancel(first.id);
});

t.test('a running run, with a reader', async (t) => {
  const session_id = await newSession(client);
  const run = await endlessRun(client, session_id);
  const reader = eventsOf(client, run.id);
  t.match(await cancel(run.id), { status: 'cancelled', started_at: String, finished_at: String });
  const events = await reader;
  t.match(events.at(-1), { type: 'run.cancelled',
    data: { previous_status: 'running', reason: 'requested' } });
  t.match(await completeRun(client, session_id, '@rehearsal words=1'), { status: 'completed' },
    'the session goes on');
  t.strictSame(await eventsOf(client, run.id), events, 'the log keeps what happened, and no more');
});

t.test('a run whose call is under way', async (t) => {
  const run = await queueRun(client, await newSession(client), 'call lab.gate.hold');
  await lab.held;
  const cancelled = await cancel(run.id);
  t.match(cancelled, { status: 'cancelled', tool_calls: [
    { name: 'lab.gate.hold', status: 'cancelled', error: { code: 'cancelled' },
      finished_at: String },
  ] });
  t.match((await eventsOf(client, run.id)).slice(-2), [
    { type: 'tool_call.failed', data: { name: 'lab.gate.hold', error: { code: 'cancelled' } } },
    { type: 'run.cancelled', data: { previous_status: 'running' } },
  ]);
  await lab.aborted;
  const invocations = async () =>
    (await client.expect(200, 'listActionInvocations', { query: { run_id: run.id } })).data;
  t.match(await untilSeen('the record of the call', invocations, ({ length }) => length > 0),
    [{ action: 'lab.gate.hold', status: 'failed', error: { code: 'cancelled' } }]);
  t.strictSame(await client.expect(200, 'getRun', { path: { run_id: run.id } }), cancelled,
    'what the call came to changes nothing any more');
});

t.test('a run that has ended stays as it is', async (t) => {
  const session_id = await newSession(client);
  const ended = [
    await completeRun(client, session_id, '@rehearsal words=1'),
    await completeRun(client, session_id, '@rehearsal fail=model_error'),
    await cancel((await endlessRun(client, session_id)).id),
  ];
  t.strictSame(ended.map(({ status }) => status), ['completed', 'failed', 'cancelled']);
  for (const run of ended) {
    const events = await eventsOf(client, run.id);
    t.strictSame(await cancel(run.id), run);
    t.strictSame(await eventsOf(client, run.id), events);
  }
});

t.test('several at once cancel once', async (t) => {
  const run = await endlessRun(client, await newSession(client));
  const answers = await Promise.all(Array.from({ length: 8 }, () => cancel(run.id)));
  for (const answer of answers) t.strictSame(answer, answers[0]);
  const types = (await eventsOf(client, run.id)).map(({ type }) => type);
  t.equal(types.filter((type) => type === 'run.cancelled').length, 1);
  t.equal(types.at(-1), 'run.cancelled');
});

t.test('the next run of the session starts', async (t) => {
  const session_id = await newSession(client);
  const first = await endlessRun(client, session_id);
  const second = await queueRun(client, session_id, '@rehearsal words=1');
  await cancel(first.id);
  t.match(await untilEvent(client, second.id, 'run.completed'), { run_id: second.id });
});

t.test('an unknown run', async (t) => {
  t.match(await client.expect(404, 'cancelRun', { path: { run_id: 'run_none' } }),
    { code: 'not_found' });
});
