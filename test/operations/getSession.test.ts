/** GET /sessions/{session_id} */
import t from 'tap';
import { testServer } from '../support/server.ts';
import { completeRun, endlessRun, newSession } from '../support/runs.ts';

const { client } = await testServer(t);
const get = (session_id: string) => client.expect(200, 'getSession', { path: { session_id } });

t.test('the transcript holds what was asked, called, returned and said', async (t) => {
  const session_id = await newSession(client);
  const text = 'call gateway.connections.list\ncall gatehouse.sessions.create {"body": {}}';
  const run = await completeRun(client, session_id, text);
  const { messages } = await get(session_id);
  t.strictSame(messages.map(({ role }) => role),
    ['user', 'assistant', 'tool', 'assistant', 'tool', 'assistant']);
  t.ok(messages.every((message) => message.run_id === run.id));
  const [asked, calling, returned, , refused, said] = messages.map(({ content }) => content);
  t.strictSame(asked, [{ type: 'input_text', text }]);
  const [done, failed] = run.tool_calls;
  t.match(calling, [{
    type: 'tool_call', tool_call_id: done!.tool_call_id, name: 'gateway.connections.list',
    arguments: { action: 'gateway.connections.list' },
  }]);
  t.match(returned, [{
    type: 'tool_result', tool_call_id: done!.tool_call_id, name: 'gateway.connections.list',
    result: { ok: true, invocation_id: done!.invocation_id },
  }]);
  t.match(refused, [{
    type: 'tool_result', tool_call_id: failed!.tool_call_id,
    error: { code: 'not_permitted', missing: [{ code: 'not_permitted' }] },
  }]);
  t.strictSame(said, run.output[0]!.content);
});

t.test('runs follow each other, and the session says which one is on', async (t) => {
  const session_id = await newSession(client);
  const first = await completeRun(client, session_id, '@rehearsal words=2');
  t.equal((await get(session_id)).active_run_id, null);
  const second = await endlessRun(client, session_id);
  const { active_run_id, messages } = await get(session_id);
  t.equal(active_run_id, second.id);
  t.strictSame(messages.map(({ role, run_id }) => [role, run_id]),
    [['user', first.id], ['assistant', first.id], ['user', second.id]]);
  await client.expect(200, 'cancelRun', { path: { run_id: second.id } });
  const after = await get(session_id);
  t.equal(after.active_run_id, null);
  t.strictSame(after.messages, messages, 'what was not committed never happened');
});

t.test('an unknown session', async (t) => {
  t.match(await client.expect(404, 'getSession', { path: { session_id: 'ses_none' } }),
    { code: 'not_found', error: /No session has the id "ses_none"/ });
});
