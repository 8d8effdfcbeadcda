/** What an agent sees of an API through the gateway: why a call failed, and how one is made. */
import t, { type Test } from 'tap';
import type { Client } from '../../support/client.ts';
import { soundness } from '../../support/soundness.ts';
import { json, serve, type Handler } from '../egress/support.ts';
import {
  addIntegration, agent, agentCall, connectAccount, gatewayServer, grantTo, invoke, line,
} from './support.ts';

const TOKEN = 'a-token-that-nobody-may-see';
const CREATE = 'desk.tickets.create';
const LIST = 'desk.tickets.list';

const project = { name: 'project', in: 'path', required: true, schema: { type: 'integer' } };
const DOCUMENT = {
  openapi: '3.1.0', info: { title: 'Desk', version: '1' },
  components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  paths: { '/projects/{project}/tickets': {
    parameters: [project],
    get: { operationId: 'tickets/list', summary: 'List tickets', responses: { 200: {
      description: 'Tickets.' } }, parameters: [
      { name: 'status', in: 'query', schema: { type: 'string' } },
      { name: 'page', in: 'query', schema: { type: 'integer' } },
      { name: 'per_page', in: 'query', schema: { type: 'integer' } }] },
    post: { operationId: 'tickets/create', summary: 'Create a ticket', requestBody: {
      required: true, content: { 'application/json': { schema: { type: 'object',
        required: ['title'], properties: { title: { type: 'string' }, notes: { type: 'string' },
          assignee: { type: 'object', properties: { id: { type: 'string' } } } } } } } },
    responses: { 201: { description: 'Created.', content: { 'application/json': { schema: {
      type: 'object', properties: { id: { type: 'integer' } } } } } } } },
  } },
};

async function desk(t: Test, handler: Handler) {
  const upstream = await serve(t, handler);
  const server = await gatewayServer(t);
  await addIntegration(server, { slug: 'desk', kind: 'openapi', document: DOCUMENT as never,
    base_url: upstream.url, egress_allow: upstream.egress_allow });
  const { id } = await connectAccount(server, 'desk', { type: 'bearer', token: TOKEN });
  return { server, client: server.client, upstream, connection_id: id };
}

t.test('why an upstream refuses a call reaches the model, without secrets', async (t) => {
  soundness(t, 'a secret in a text');
  const errors = [{ field: 'title', code: 'too_short' }, { field: 'echo', value: TOKEN }];
  let long = '';
  let status = 422;
  const { server, client } = await desk(t, (_, response) =>
    json(response, { message: 'Validation Failed', errors, long }, status,
      { 'x-request-id': 'up_1' }));
  await grantTo(server, 'allow', 'desk.*');
  const input = { path: { project: 7 }, body: { title: 'x' } };
  const { ends: [end], events } = await agent(client, line(CREATE, input));
  const { error } = end!.data as { error: Record<string, unknown> };
  t.match(error, { code: 'upstream_error', message: /^desk answered 422 to this call\./,
    upstream: { status: 422, upstream_request_id: 'up_1', body: { message: 'Validation Failed',
      errors: [errors[0], { field: 'echo' }] } } });
  t.notMatch(JSON.stringify(events), TOKEN);
  const direct = await invoke(client, LIST, { path: { project: 7 } });
  const { correlation_id: _, ...told } = error.upstream as Record<string, unknown>;
  t.match((direct.body as { details: object }).details, { upstream: told }, 'as a direct call is');

  long = 'x'.repeat(100_000);
  const cut = (await agentCall(client, CREATE, input)).error!;
  t.match(cut, { upstream: { status: 422, body: { truncated: { returned: Number },
    head: /^\{"message":"Validation Failed","errors":\[\{"field":"title"/ } } });
  t.ok(JSON.stringify(cut).length < 6_000);
  status = 500;
  t.same(Object.keys(((await agentCall(client, CREATE, input)).error as unknown as
    { upstream: object }).upstream), ['status', 'correlation_id', 'upstream_request_id'],
  'nothing of the inside of a system that is broken');
});

t.test('an agent finds, reads and calls an action', async (t) => {
  const { client } = await desk(t, (_, response) => json(response, [{ id: 1 }]));
  const { ends } = await agent(client,
    line('gateway.actions.search', { query: 'create a ticket', integration: 'desk' }),
    line('gateway.actions.describe', { name: CREATE }),
    line('gateway.actions.describe', { name: CREATE, branch: 'body.assignee' }),
    line('gateway.actions.describe', { name: CREATE, output: true, branch: 'id' }),
    line('gateway.actions.describe', { name: CREATE, branch: 'body.nothing' }),
    line(LIST, { project: '7', status: 'open' }, 'fields=id,titel'));
  const results = ends.map(({ data }) =>
    'result' in data ? (data.result as { result: unknown }).result : data.error);
  t.match(results[0], { data: [{ name: CREATE, title: 'Create a ticket', effect: 'write',
    integration: 'desk', score: Number }, { name: LIST }] });
  const { input_schema, ...others } = results[1] as Record<string, unknown>;
  t.match(others, { name: CREATE, effect: 'write', connections: [{ connection_id: String }] });
  t.notOk('output_schema' in others || 'hint' in others);
  t.match(input_schema, { required: ['path', 'body'],
    properties: { body: { required: ['title'] } } });
  t.same(results[2], { name: CREATE, branch: 'body.assignee',
    input_schema: { type: 'object', properties: { id: { type: 'string' } } } });
  t.match(results[3], { branch: 'id', output_schema: { type: 'integer' } });
  t.match(results[4], { code: 'invalid_input', missing: [{ violations: [{
    path: '/input/branch', message: /^is no part of what desk\.tickets\.create takes/ }] }] });
  t.match(ends[5]!.data, { result: { ok: true, result: [{ id: 1 }], unknown_fields: ['titel'] } });
  const direct = await invoke(client, LIST, { project: '7' }, { fields: ['titel'] });
  t.match(direct, { status: 201, body: { unknown_fields: ['titel'] } });
});

/** What is waiting to be approved. */
async function pending(client: Client) {
  return (await client.expect(200, 'listApprovals', { query: { status: 'pending' } })).data;
}

t.test('what is approved is what is sent, however it was written', async (t) => {
  const { server, client, upstream } = await desk(t, (_, response) => json(response, { id: 1 }));
  const flat = { project: '7', title: 'A lion', notes: 'Big.' };
  const right = { path: { project: 7 }, body: { title: 'A lion', notes: 'Big.' } };
  t.match((await agentCall(client, CREATE, flat)).error, { code: 'not_permitted', missing: [
    { code: 'not_permitted' }] }, 'permission comes first, and nothing is said of the input');
  await grantTo(server, 'require_approval', CREATE);
  const { error } = await agentCall(client, CREATE, flat);
  t.match(error, { missing: [{ code: 'approval_required', call: { input: right } }] });
  const [approval, ...more] = await pending(client);
  t.same([approval!.input, more.length], [right, 0]);
  await agentCall(client, CREATE, { ...right, project: '8' });
  t.equal((await pending(client)).length, 1, 'what cannot be put right is asked of nobody');
  await agentCall(client, CREATE, { path: { project: '8' }, body: right.body });
  t.equal((await pending(client)).length, 2, 'another number is another call');
  await client.expect(200, 'decideApproval',
    { path: { approval_id: approval!.id }, body: { decision: 'approve' } });
  t.equal(upstream.received.length, 0);
  const [done] = (await agent(client, line(CREATE, right))).ends;
  t.match(done, { type: 'tool_call.completed' });
  t.match(upstream.received.map(({ target, body }) => [target, JSON.parse(body.toString())]),
    [['/projects/7/tickets', right.body]]);
  t.match(await agentCall(client, CREATE, flat), { error: { code: 'approval_required' } },
    'it is used up');
  const { invocation_id } = done!.data as { invocation_id: string };
  t.match(await client.expect(200, 'getActionInvocation', { path: { invocation_id } }),
    { action: CREATE, status: 'completed' });
});

t.test('a page is turned by the input in either form', async (t) => {
  const { client, upstream } = await desk(t, ({ target }, response) =>
    json(response, [{ id: 1 }], 200, { link: `<${target}&page=2>; rel="next"` }));
  const flat = { project: '7', status: 'open' };
  const right = { path: { project: 7 }, query: { status: 'open' } };
  const first = (await invoke(client, LIST, flat)).body as { page: { next_cursor: string } };
  const { next_cursor: cursor } = first.page;
  t.match(await invoke(client, LIST, flat, { cursor }), { status: 201 });
  t.match(await invoke(client, LIST, right, { cursor }), { status: 201 });
  t.match(await invoke(client, LIST, { ...flat, status: 'shut' }, { cursor }), { status: 400 });
  t.strictSame(upstream.received.map(({ target }) => target), ['/projects/7/tickets?status=open',
    ...Array(2).fill('/projects/7/tickets?status=open&page=2')]);
});

t.test('a wrong connection is told the right ones', async (t) => {
  const { server, client, connection_id } = await desk(t, (_, response) => json(response, []));
  await connectAccount(server, 'desk', { type: 'bearer', token: TOKEN },
    { name: 'second', account_label: 'Second' });
  t.match(await invoke(client, LIST, { project: 1 }, { connection_id: 'con_wrong' }), { status: 400,
    body: { error: new RegExp(`there are ${connection_id}, con_\\w+ \\(Second\\)`) } });
});
