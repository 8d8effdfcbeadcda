/** POST /action_invocations */
import t, { type Test } from 'tap';
import type { Client, Schemas } from '../support/client.ts';
import { connectLab, createLab } from '../support/lab.ts';
import { otherWorkspace, testServer } from '../support/server.ts';
import { newSession } from '../support/runs.ts';

const lab = createLab();
const server = await testServer(t, { sources: [lab.source], config: { action_timeout_ms: 3_000 } });
const { client, sql } = server;
const connection_id = await connectLab(sql, server.workspace_id, { account_label: 'ada' });

type Request = Schemas['CreateActionInvocationRequest'];
const invoke = (body: Request, who: Client = client) =>
  who.call('createActionInvocation', { body });
const done = (body: Request) => client.expect(201, 'createActionInvocation', { body });

/** Refused or failed with this, and recorded so. */
async function fails(
  t: Test, body: Request, status: number, code: string, who = client,
): Promise<Schemas['ApiError']> {
  const answer = await invoke(body, who);
  t.equal(answer.status, status, `${body.action}: ${JSON.stringify(answer.body).slice(0, 200)}`);
  const error = answer.body as Schemas['ApiError'];
  t.equal(error.code, code);
  const { invocation_id } = error.details as { invocation_id: string };
  t.match(await who.expect(200, 'getActionInvocation', { path: { invocation_id } }), {
    invocation_id, action: body.action, status: 'failed', result: null, error: { code },
    source: 'api', run_id: null,
  }, 'the attempt is recorded');
  return error;
}

t.test('a read-only action is performed', async (t) => {
  const answer = await invoke({ action: 'lab.echo.get', input: { text: 'hello' } });
  t.equal(answer.status, 201);
  t.match(answer.body, {
    invocation_id: /^inv_/, object: 'action_invocation', action: 'lab.echo.get', connection_id,
    status: 'completed', result: { input: { text: 'hello' }, page: '1' }, error: null,
    source: 'api', run_id: null, truncated: false, duration_ms: Number, created_at: String,
    page: { next_cursor: /^inv_/ },
  });
  if (answer.status !== 201) return;
  const { page: _, ...invocation } = answer.body;
  t.equal(answer.headers.get('location'), `/v1/action_invocations/${invocation.invocation_id}`);
  t.strictSame(await client.expect(200, 'getActionInvocation',
    { path: { invocation_id: invocation.invocation_id } }), invocation);
});

t.test('the service is an integration of its own', async (t) => {
  const id = await newSession(client, 'through the gateway');
  t.match(await done({ action: 'gatehouse.sessions.get', input: { path: { session_id: id } } }),
    { result: { id, title: 'through the gateway', messages: [] }, connection_id: /^con_/ });
  t.match(await done({ action: 'gateway.connections.list' }),
    { result: { data: [{}, {}, { connection_id, account_label: 'ada', status: 'connected' }] } });
});

t.test('fields keep a part of the result, cursor goes on', async (t) => {
  await newSession(client, 'second');
  const first = await done({ action: 'gatehouse.sessions.list', input: { query: { limit: 1 } },
    fields: ['data.title', 'has_more'] });
  t.strictSame(first.result, { data: [{ title: 'second' }], has_more: true });
  const next = await done({ action: 'gatehouse.sessions.list', input: { query: { limit: 1 } },
    fields: ['data.title'], cursor: first.page!.next_cursor });
  t.strictSame(next.result, { data: [{ title: 'through the gateway' }] });
  const { page } = await done({ action: 'lab.echo.get' });
  const last = await done({ action: 'lab.echo.get', cursor: page!.next_cursor });
  t.strictSame(last.result, { input: {}, page: '2' });
  t.notOk('page' in last, 'the last page');
  const { details } = await fails(t, { action: 'gateway.connections.list', cursor: 'x' }, 400,
    'invalid_input');
  t.match(details, { missing: [{ violations: [{ path: '/cursor' }] }] });
});

t.test('an action that changes data is refused and nothing is executed', async (t) => {
  const before = lab.performed.length;
  const error = await fails(t, { action: 'lab.item.delete' }, 403, 'action_not_read_only');
  t.match(error, { error: /lab\.item\.delete changes data/, param: '/action',
    details: { missing: [{ code: 'action_not_read_only', effect: 'destructive' }] } });
  const sessions = (await client.expect(200, 'listSessions')).data.length;
  await fails(t, { action: 'gatehouse.sessions.create', input: { body: {} } }, 403,
    'action_not_read_only');
  t.equal(lab.performed.length, before);
  t.equal((await client.expect(200, 'listSessions')).data.length, sessions);
});

t.test('an unknown action, with those that are like it', async (t) => {
  const error = await fails(t, { action: 'gatehouse.session.list' }, 404, 'unknown_action');
  const { suggestions } = error.details as { suggestions: string[] };
  t.ok(suggestions.includes('gatehouse.sessions.list'));
  t.ok(suggestions.length <= 5);
  t.match(error, { param: '/action', error: /gatehouse\.sessions\.list/ });
  t.match(await fails(t, { action: 'zyzzyva' }, 404, 'unknown_action'),
    { details: { suggestions: [] }, error: /gateway\.actions\.search/ });
});

t.test('input that does not fit', async (t) => {
  const error = await fails(t,
    { action: 'gatehouse.sessions.list', input: { query: { limit: 101 }, more: 1 } }, 400,
    'invalid_input');
  t.match(error, { param: String, details: { missing: [{ code: 'invalid_input',
    violations: [{ path: String, message: String }, { path: String, message: String }],
    schema: Object }] } });
  const paths = (error.details as { missing: { violations: { path: string }[] }[] })
    .missing[0]!.violations.map(({ path }) => path);
  t.ok(paths.includes('/input/query/limit'));
  t.equal(error.param, paths[0]);
});

t.test('connections: none, a broken one, several, another one', async (t) => {
  const other = await otherWorkspace(server);
  const action = 'lab.echo.get';
  const { body: workspace } = await other.call('createActionInvocation',
    { body: { action: 'gateway.connections.list' } });
  t.notMatch(JSON.stringify(workspace), connection_id);
  t.match(await fails(t, { action }, 409, 'not_connected', other), { param: '/action',
    details: { missing: [{ integration: 'lab', auth_methods: ['bearer'] }] } });
  const { data: [newest] } = await client.expect(200, 'listWorkspaces');
  const workspace_id = newest!.id;
  const broken = await connectLab(sql, workspace_id,
    { status: 'needs_reconnect', account_label: 'bob', status_reason: 'revoked at the lab' });
  t.match(await fails(t, { action }, 409, 'needs_reconnect', other), {
    error: /revoked at the lab/,
    details: { missing: [{ connection_id: broken, account_label: 'bob' }] } });
  const one = await connectLab(sql, workspace_id, { account_label: 'one' });
  t.equal((await invoke({ action }, other)).status, 201, 'the only one that can be used');
  await fails(t, { action, connection_id: broken }, 409, 'needs_reconnect', other);
  const two = await connectLab(sql, workspace_id, { account_label: 'two' });
  t.match(await fails(t, { action }, 409, 'connection_ambiguous', other), { details: { missing: [{
    connections: [{ connection_id: one, account_label: 'one' },
      { connection_id: two, account_label: 'two' }] }] } });
  t.match(await invoke({ action, connection_id: two }, other),
    { status: 201, body: { connection_id: two } });
  for (const id of [connection_id, 'con_none']) {
    const error = await fails(t, { action, connection_id: id }, 400, 'invalid_input', other);
    t.equal(error.param, '/connection_id', 'one of another workspace is an unknown one');
  }
});

t.test('the integration answers with an error, or not at all', async (t) => {
  t.match(await fails(t, { action: 'lab.error.get' }, 502, 'upstream_error'),
    { error: 'The lab answered 418.', details: { upstream: { status: 418 } } });
  t.match(await fails(t, { action: 'lab.gate.hold' }, 504, 'upstream_timeout'),
    { error: /did not answer within 3 seconds/ });
  await lab.aborted;
  const error = await fails(t, { action: 'lab.fault.get' }, 500, 'internal_error');
  t.notMatch(JSON.stringify(error), /secret/, 'what happened is for the log alone');
});

t.test('a number that would be another one upstream is refused', async (t) => {
  const post = async (input: string) => {
    const answer = await fetch(`${server.service.base_url}/action_invocations`, {
      method: 'POST', body: `{"action":"lab.echo.get","input":${input}}`,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${client.api_key}` },
    });
    return { status: answer.status, text: await answer.text() };
  };
  const refused = await post('{"deep":{"ids":[1,9007199254740993]}}');
  t.equal(refused.status, 400);
  t.match(JSON.parse(refused.text), { code: 'invalid_request', param: '/input/deep/ids/1',
    error: /input\/deep\/ids\/1 is the number 9007199254740993.*send it as a text/ });
  const passed = await post('{"text":"9007199254740993"}');
  t.equal(passed.status, 201, passed.text);
  t.match(JSON.parse(passed.text), { result: { input: { text: '9007199254740993' } } });
  t.match(JSON.parse((await post('{"a":9007199254740991,"b":1e30}')).text),
    { code: 'invalid_input', param: '/input/a' }, 'these go on to the schema');
});

t.test('limits of the body', async (t) => {
  const before = (await client.expect(200, 'listActionInvocations', { query: { limit: 1 } })).data;
  const action = 'lab.echo.get';
  const bad: [body: object, param: string][] = [
    [{}, '/action'], [{ action: '' }, '/action'], [{ action: 'x'.repeat(256) }, '/action'],
    [{ action, input: [] }, '/input'],
    [{ action, fields: Array(101).fill('a') }, '/fields'], [{ action, fields: [''] }, '/fields/0'],
    [{ action, cursor: '' }, '/cursor'], [{ action, arguments: {} }, '/arguments'],
  ];
  for (const [body, param] of bad) {
    t.match(await client.expect(400, 'createActionInvocation', { body }),
      { code: 'invalid_request', param });
  }
  t.strictSame((await client.expect(200, 'listActionInvocations', { query: { limit: 1 } })).data,
    before, 'what is no call is no attempt');
});
