/** GET /action_invocations/{invocation_id} */
import t from 'tap';
import { testServer } from '../support/server.ts';
import { completeRun, newSession } from '../support/runs.ts';

const { client } = await testServer(t);
const get = (invocation_id: string) =>
  client.expect(200, 'getActionInvocation', { path: { invocation_id } });

t.test('a completed call, with its result', async (t) => {
  const made = await client.expect(201, 'createActionInvocation',
    { body: { action: 'gateway.connections.list' } });
  t.strictSame(await get(made.invocation_id), made);
});

t.test('a failed call, with its error', async (t) => {
  const { details } = await client.expect(403, 'createActionInvocation',
    { body: { action: 'gatehouse.sessions.create' } });
  const { invocation_id } = details as { invocation_id: string };
  t.match(await get(invocation_id), { status: 'failed', result: null, truncated: false,
    error: { code: 'action_not_read_only', message: String,
      details: { missing: [{ action: 'gatehouse.sessions.create' }] } } });
});

t.test("an agent's call: the whole result, whatever the model saw of it", async (t) => {
  const small = await testServer(t, { config: { tool_result_limit_chars: 300 } });
  const run = await completeRun(small.client, await newSession(small.client),
    'call gatehouse.actions.list {"query": {"limit": 5}}');
  const invocation_id = run.tool_calls[0]!.invocation_id!;
  const { source, run_id, truncated, result } = await small.client.expect(200,
    'getActionInvocation', { path: { invocation_id } });
  t.strictSame([source, run_id, truncated], ['run', run.id, false]);
  t.equal((result as { data: unknown[] }).data.length, 5);
  const { messages } = await small.client.expect(200, 'getSession',
    { path: { session_id: run.session_id } });
  const seen = JSON.stringify(messages.find(({ role }) => role === 'tool'));
  t.ok(seen.length < 1_000 && seen.length < JSON.stringify(result).length, 'the model saw less');
});

t.test('an unknown invocation', async (t) => {
  t.match(await client.expect(404, 'getActionInvocation', { path: { invocation_id: 'inv_none' } }),
    { code: 'not_found', error: /No action invocation has the id "inv_none"/ });
});
