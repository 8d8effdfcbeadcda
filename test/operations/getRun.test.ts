/** GET /runs/{run_id} */
import t from 'tap';
import { createLab, connectLab } from '../support/lab.ts';
import { testServer } from '../support/server.ts';
import { completeRun, newSession, outputText, queueRun, untilEvent } from '../support/runs.ts';

const lab = createLab();
const server = await testServer(t, { sources: [lab.source] });
const { client } = server;
await connectLab(server.sql, server.workspace_id);
const get = (run_id: string) => client.expect(200, 'getRun', { path: { run_id } });

t.test('a completed run is what wait answered', async (t) => {
  const run = await completeRun(client, await newSession(client), '@rehearsal words=2');
  t.strictSame(await get(run.id), run);
});

t.test('tool calls, in the order they began', async (t) => {
  const text = 'call lab.echo.get {"text": "one"} & call lab.item.delete\ncall lab.nothing.get';
  const run = await completeRun(client, await newSession(client), text);
  t.equal(run.status, 'completed', 'a call that fails does not fail the run');
  const [echo, removal, unknown, ...more] = run.tool_calls;
  t.strictSame(more, []);
  t.match(echo, { tool_call_id: /^call_/, name: 'lab.echo.get', status: 'completed',
    arguments: { action: 'lab.echo.get', input: { text: 'one' } }, error: null,
    invocation_id: /^inv_/, started_at: String, finished_at: String });
  t.match(removal, { name: 'lab.item.delete', status: 'failed', invocation_id: /^inv_/,
    error: { code: 'not_permitted', missing: [{ code: 'not_permitted',
      grant_needed: { actions: 'lab.item.delete' } }] } });
  t.match(unknown, { name: 'lab.nothing.get', status: 'failed',
    error: { code: 'unknown_action', missing: [{ code: 'unknown_action' }] } });
  t.notOk(lab.performed.includes('lab.item.delete'), 'nothing was executed');
  for (const { invocation_id, status } of run.tool_calls) {
    t.match(await client.expect(200, 'getActionInvocation',
      { path: { invocation_id: invocation_id! } }), { source: 'run', run_id: run.id, status });
  }
});

t.test('a run while its call is under way', async (t) => {
  const run = await queueRun(client, await newSession(client), 'call lab.gate.hold');
  await lab.held;
  t.match(await get(run.id), {
    status: 'running', output: [], error: null, finished_at: null, started_at: String,
    tool_calls: [{ name: 'lab.gate.hold', status: 'running', error: null, invocation_id: null,
      arguments: { action: 'lab.gate.hold' }, finished_at: null }],
  });
  lab.release();
  await untilEvent(client, run.id, 'run.completed');
  const ended = await get(run.id);
  t.match(ended, { status: 'completed',
    tool_calls: [{ status: 'completed', finished_at: String, invocation_id: /^inv_/ }] });
  t.match(outputText(ended), /released/);
});

t.test('a failed run says why', async (t) => {
  const run = await completeRun(client, await newSession(client),
    '@rehearsal fail=model_rate_limited at_step=2\ncall lab.echo.get');
  t.match(run, { status: 'failed', output: [],
    error: { code: 'model_rate_limited', message: String, retryable: true },
    tool_calls: [{ name: 'lab.echo.get', status: 'completed' }] });
  t.strictSame(await get(run.id), run);
});

t.test('what it was told and may use, as its workspace had it then', async (t) => {
  const { workspace_id, config } = server;
  const change = (body: object) =>
    client.expect(200, 'updateWorkspace', { path: { workspace_id }, body });
  const begin = async () =>
    await completeRun(client, await newSession(client), '@rehearsal words=1');
  t.match(await begin(), { instructions: null, max_steps: config.max_steps,
    timeout_s: config.run_timeout_s, max_total_tokens: null });
  await change({ instructions: 'Be brief.', limits: { max_steps: 5, max_total_tokens: 9_000 } });
  const run = await begin();
  await change({ instructions: 'Be long.', limits: {} });
  t.match(await get(run.id), { instructions: 'Be brief.', max_steps: 5, max_total_tokens: 9_000 });
  const { data: [listed] } = await client.expect(200, 'listRuns', { query: { limit: 1 } });
  t.equal(listed!.id, run.id);
  t.notOk('instructions' in listed!, 'a list has none of it');
});

t.test('an unknown run', async (t) => {
  t.match(await client.expect(404, 'getRun', { path: { run_id: 'run_none' } }),
    { code: 'not_found', error: /No run has the id "run_none"/ });
});
