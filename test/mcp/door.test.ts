/** The gateway by way of MCP: what clients are shown, what their calls come to, who is let in. */
import type { CallToolResult } from '@modelcontextprotocol/client';
import t from 'tap';
import { gatehouse } from '../cli/oneProcess.ts';
import { json } from '../gateway/egress/support.ts';
import { toolNameOf } from '../../src/mcp/toolNames.ts';
import { grantTo, notesService } from '../gateway/service/support.ts';
import { openTransaction } from '../support/openTransaction.ts';
import { testServer } from '../support/server.ts';
import { untilSeen } from '../support/until.ts';
import { callAction, doorOf, ERAS, mcpClient, post, reportOf } from './support.ts';

const CREATE = 'acme.notes.create';
const LIST = 'acme.notes.list';
const held: (() => void)[] = [];
const onHeld = Promise.withResolvers<void>();
const { server, upstream, connection_id } = await notesService(t, (request, response) => {
  const { method, target } = request;
  const answer = () => json(response, { method });
  if (target !== '/notes/held') return answer();
  held.push(answer);
  onHeld.resolve();
});
const { client, sql } = server;
interface Refusal { error: { code: number; message: string; data?: { supported: string[] } } }
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
const bearer = { Authorization: `Bearer ${client.api_key}` };

t.test('a number that would be another one upstream is refused', async (t) => {
  const calls = async () => (await sql`select from action_invocations`).length;
  const before = await calls();
  const answer = await post(doorOf(server), '{"jsonrpc":"2.0","id":1,"method":"tools/call",'
    + `"params":{"name":"call_action","arguments":{"action":"${LIST}",`
    + '"input":{"id":9007199254740993}}}}', bearer);
  t.match(await answer.text(), /\/input\/id is the number 9007199254740993.*Nothing was called/);
  t.equal(await calls(), before);
});

for (const mode of ERAS) {
  t.test(`tools, and calls that read, for a client of ${mode}`, async (t) => {
    const mcp = await mcpClient(t, server, { mode });
    t.match(mcp.getServerVersion(), { name: 'gatehouse' });
    const { tools } = await mcp.listTools();
    t.match(tools, [
      { name: 'search_actions', annotations: { readOnlyHint: true },
        inputSchema: { type: 'object', required: ['query'] } },
      { name: 'describe_action', inputSchema: { required: ['name'] } },
      { name: 'call_action', description: /acme \(Notes\)/, annotations: { readOnlyHint: false,
        destructiveHint: true }, inputSchema: { required: ['action'] } },
    ]);
    t.equal(tools.length, 3);
    t.match(reportOf(await mcp.callTool({ name: 'search_actions',
      arguments: { query: 'list notes' } }) as CallToolResult),
    { ok: true, action: 'gateway.actions.search', result: { data: [{ name: LIST }] } });
    t.match(reportOf(await mcp.callTool({ name: 'describe_action',
      arguments: { name: CREATE } }) as CallToolResult),
    { result: { name: CREATE, effect: 'write' } });
    t.match(reportOf(await mcp.callTool({ name: 'describe_action',
      arguments: { input: { name: CREATE } } }) as CallToolResult),
    { message: /: \/name is required/, missing: [{ violations: [{ path: '/name' },
      { path: '/input', message: /known are name/ }] }] });
    const report = await callAction(mcp, LIST);
    t.match(report, { ok: true, action: LIST, connection_id, result: { method: 'GET' } });
    t.match(await client.expect(200, 'getActionInvocation',
      { path: { invocation_id: report.invocation_id } }),
    { action: LIST, source: 'mcp', run_id: null, status: 'completed' });
    await t.rejects(mcp.callTool({ name: 'nothing' }), { code: -32602, message: /tools\/list/ });
  });
}

t.test('what is missing is reported, and told in words', async (t) => {
  const mcp = await mcpClient(t, server);
  t.match(await callAction(mcp, CREATE, { body: {} }), { ok: false, code: 'not_permitted',
    missing: [{ code: 'not_permitted', grant_needed: { actions: CREATE } }] });
  t.match(await callAction(mcp, 'acme.notes.lst'),
    { code: 'unknown_action', missing: [{ suggestions: ['acme.notes.get', LIST] }] });
  t.match(await callAction(mcp, 'acme.notes.get'),
    { code: 'invalid_input', message: /: \/input\/path is required/ });
  t.match(await callAction(mcp, LIST, {}, { action: 7 }), { code: 'invalid_input' });
  const { data } = await client.expect(200, 'listActionInvocations',
    { query: { source: 'mcp', status: 'failed', action: CREATE } });
  t.equal(data.length, 1, 'each is on record');
  const { data: audit } = await client.expect(200, 'listAuditEntries', { query: {} });
  t.match(audit[0], { event: 'action.refused', target: CREATE, reason: 'not_permitted',
    actor: { type: 'api_key' }, request_id: String, details: { source: 'mcp' } });
});

t.test('it reads nothing of sessions unless a grant says so', async (t) => {
  const { id } = await client.expect(201, 'createSession', { body: {} });
  const mcp = await mcpClient(t, server);
  const list = 'gatehouse.sessions.list';
  t.match(await callAction(mcp, list), { ok: true, result: { data: [] } });
  const { id: grant_id } = await grantTo(server, 'allow', list);
  t.match(await callAction(mcp, list), { result: { data: [{ id }] } });
  await client.expect(204, 'deleteGrant', { path: { grant_id } });
});

t.test('what one call makes the service call in turn is on record as its own', async (t) => {
  const outer = 'gatehouse.action_invocations.create';
  const { id: grant_id } = await grantTo(server, 'allow', outer);
  const mcp = await mcpClient(t, server);
  t.match(await callAction(mcp, outer, { body: { action: 'gateway.connections.list' } }),
    { ok: true, result: { action: 'gateway.connections.list', source: 'mcp', run_id: null } });
  await client.expect(204, 'deleteGrant', { path: { grant_id } });
});

t.test('chosen actions are tools of their own', async (t) => {
  const mcp = await mcpClient(t, server, { search: '?actions=acme.notes.*,gatehouse.runs.get' });
  const { tools } = await mcp.listTools();
  t.strictSame(tools.slice(3).map(({ name }) => name), ['acme-notes-create', 'acme-notes-delete',
    'acme-notes-get', 'acme-notes-list', 'gatehouse-runs-get']);
  t.match(tools[4], { annotations: { readOnlyHint: false, destructiveHint: true } });
  t.match(tools[5], { title: 'Get a note', annotations: { readOnlyHint: true },
    inputSchema: { type: 'object', required: ['path'] } });
  t.match(reportOf(await mcp.callTool({ name: 'acme-notes-get',
    arguments: { path: { id: '7' } } }) as CallToolResult), { ok: true, action: 'acme.notes.get' });
  t.equal(upstream.received.at(-1)!.target, '/notes/7');
  t.match(reportOf(await mcp.callTool({ name: 'acme-notes-get' }) as CallToolResult),
    { code: 'invalid_input', message: /: \/path is required/,
      missing: [{ violations: [{ path: '/path' }], schema: { '/path': { type: 'object' } } }] });
  const without = await mcpClient(t, server);
  await t.rejects(without.callTool({ name: 'acme-notes-get' }), { code: -32602 });
  const { id: grant_id } = await grantTo(server, 'deny', 'acme.notes.get');
  await t.rejects(mcp.callTool({ name: 'acme-notes-get' }), { code: -32602 }, 'it does not exist');
  await client.expect(204, 'deleteGrant', { path: { grant_id } });
  for (const wrong of ['a b', 'a..b', Array(21).fill('a.b').join()]) {
    const answer = await post(
      doorOf(server, `?actions=${encodeURIComponent(wrong)}`), PING, bearer);
    t.match([answer.status, await answer.json()], [400, { code: 'invalid_request' }], wrong);
  }
});

t.test('a write obeys the grants, and is written down before it leaves', async (t) => {
  const { id: grant_id } = await grantTo(server, 'allow', CREATE);
  const mcp = await mcpClient(t, server);
  const report = await callAction(mcp, CREATE, { body: { text: 'hi' } });
  t.match(report, { ok: true, action: CREATE, result: { method: 'POST' } });
  t.match(await sql`select run_id, tool_call_id, action from write_intents
    where invocation_id = ${report.invocation_id}`,
  [{ run_id: '', tool_call_id: report.invocation_id, action: CREATE }]);
  const { data: [entry] } = await client.expect(200, 'listAuditEntries', { query: {} });
  t.match(entry, { event: 'action.called', target: CREATE, outcome: 'ok',
    actor: { type: 'api_key' }, details: { invocation_id: report.invocation_id, source: 'mcp' } });
  await client.expect(204, 'deleteGrant', { path: { grant_id } });
});

t.test('of a write whose record is in doubt nobody is told to try again', async (t) => {
  await grantTo(server, 'allow', CREATE);
  const mcp = await mcpClient(t, server);
  const created = upstream.received.length;
  await openTransaction(sql, async (tx) => {
    await tx`lock table action_invocations`;
    await t.rejects(callAction(mcp, CREATE, { body: { text: 'once' } }),
      { message: /may have taken effect, and was not repeated\. Find out before/ });
  });
  t.equal(upstream.received.length, created + 1, 'it has left');
  const { action, status } = await untilSeen('its record, all the same', () => sql<{
    action: string; status: string }[]>`
    select action, status from action_invocations where input #>> '{body,text}' = 'once'`,
  (rows) => rows.length === 1).then(([row]) => row!);
  t.match({ action, status }, { action: CREATE, status: 'completed' });
});

t.test('no two actions have one tool name', async (t) => {
  const [first, second] = ['a-b.c', 'a.b.c_fb187eed'].map(toolNameOf);
  t.not(first, second);
  t.match(first, /^a-b-c--[0-9a-f]{8}$/);
  t.equal(second, 'a-b-c_fb187eed');
});

t.test('an approval: its page, and then the same call, once', async (t) => {
  const { id: grant_id } = await grantTo(server, 'require_approval', CREATE);
  const input = { body: { text: 'approve me' } };
  const mcp = await mcpClient(t, server);
  const { approval_url, missing } = await callAction(mcp, CREATE, input);
  const { approval_id } = missing![0] as unknown as { approval_id: string };
  t.equal(new URL(approval_url!).pathname,
    `/dashboard/w/${server.workspace_id}/approvals/${approval_id}`);
  const decide = (id: string, decision: 'approve' | 'deny') => client.expect(200, 'decideApproval',
    { path: { approval_id: id }, body: { decision } });
  await decide(approval_id, 'approve');
  t.match(await callAction(mcp, CREATE, { body: { text: 'another' } }),
    { code: 'approval_required' }, 'it is for this input alone');
  t.match(await callAction(mcp, CREATE, input), { ok: true });
  t.match(await callAction(mcp, CREATE, input), { code: 'approval_required' }, 'and for once');

  t.comment('a client that can opens the page, and asks again');
  const asked: { url: string }[] = [];
  const opens = await mcpClient(t, server, { capabilities: { elicitation: { url: {} } } });
  let decision: 'approve' | 'deny' | undefined = 'approve';
  opens.setRequestHandler('elicitation/create', async ({ params }) => {
    const { url } = params as { url: string };
    asked.push({ url });
    if (decision !== undefined) await decide(url.split('/').at(-1)!, decision);
    return { action: 'accept' };
  });
  t.match(await callAction(opens, CREATE, { body: { text: 'ask' } }), { ok: true });
  t.equal(asked.length, 1);
  decision = undefined;
  t.match(await callAction(opens, CREATE, { body: { text: 'not yet' } }),
    { code: 'approval_required', approval_url: String }, 'nobody is asked twice in one call');
  decision = 'deny';
  t.match(await callAction(opens, CREATE, { body: { text: 'not yet' } }),
    { code: 'approval_required', missing: [{ status: 'denied' }], approval_url: undefined });
  t.equal(asked.length, 3);
  await client.expect(204, 'deleteGrant', { path: { grant_id } });
});

t.test('who is let in, and with what', async (t) => {
  const url = doorOf(server);
  const status = async (body: unknown, headers = {}, method = 'POST') =>
    method === 'POST' ? (await post(url, body, { ...bearer, ...headers })).status
      : (await fetch(url, { method, headers: { ...bearer, ...headers } })).status;
  t.equal(await status(PING), 200);
  const refused = await post(url, PING);
  t.equal(refused.status, 401);
  t.match(refused.headers.get('www-authenticate'), /^Bearer/);
  t.equal(await status(PING, { Authorization: `Bearer ${client.admin_token}` }), 401);
  t.equal(await status(PING, { Origin: 'https://evil.example' }), 403);
  t.equal(await status(PING, { Origin: 'null' }), 403);
  t.equal(await status(PING, { Origin: url.origin }), 200);
  t.equal(await status([PING, PING]), 400, 'no batches');
  t.equal(await status({ jsonrpc: '2.0', method: 'notifications/cancelled',
    params: { requestId: 1 } }), 202, 'accepted, and without effect');
  t.equal(await status('{'), 400);
  t.equal(await status('['.repeat(5_000)), 400);
  t.equal(await status(PING, { 'Content-Type': 'text/plain' }), 415);
  for (const Accept of ['*/*', 'text/*;q=0.5', 'text/event-stream', 'Text/Event-Stream, a/b']) {
    t.equal(await status(PING, { Accept }), 200, Accept);
  }
  for (const Accept of ['application/json', 'text/html', 'text/event-stream;q=0, */*']) {
    t.equal(await status(PING, { Accept }), 406, Accept);
  }
  t.equal(await status(' '.repeat(server.config.body_limit_bytes + 1)), 413);
  t.equal(await status(undefined, {}, 'GET'), 405);
  t.equal(await status(undefined, {}, 'DELETE'), 405);
  for (const method of ['GET', 'HEAD']) {
    const Authorization = 'Bearer gth_mistyped';
    t.equal(await status(undefined, { Authorization }, method), 401, `${method} with a bad key`);
    const good = await fetch(url, { method, headers: bearer });
    t.match([good.status, good.headers.get('allow')], [405, /^POST$/], method);
  }
  t.equal((await fetch(url, { method: 'PUT' })).headers.get('allow'), 'POST');
  const limited = await post(url, PING, bearer);
  t.match(limited.headers.get('ratelimit'), /"key"/);
});

t.test('a revoked key ends what is under way, and nothing more leaves in its name', async (t) => {
  await grantTo(server, 'allow', 'acme.notes.delete');
  const { api_key, id: api_key_id } = await client.expect(201, 'createApiKey',
    { body: { workspace_id: server.workspace_id, name: 'for a while' } });
  const mcp = await mcpClient(t, server, { api_key });
  const calling = callAction(mcp, 'acme.notes.delete', { path: { id: 'held' } });
  calling.catch(() => {});
  await onHeld.promise;
  await client.expect(204, 'revokeApiKey', { path: { api_key_id } });
  await t.rejects(calling, 'the open answer ends');
  await t.rejects(mcp.listTools());
  for (const answer of held) answer();
  const { data } = await untilSeen('the record of the write',
    () => client.expect(200, 'listActionInvocations', { query: { action: 'acme.notes.delete' } }),
    ({ data }) => data.length > 0);
  t.match(data, [{ source: 'mcp', error: { code: 'outcome_unknown' } }]);
});

t.test('who would listen is told that there is nothing to hear, and let go', async (t) => {
  const version = '2026-07-28';
  const answer = await post(doorOf(server), { jsonrpc: '2.0', id: 'one',
    method: 'subscriptions/listen', params: { notifications: { toolsListChanged: true },
      _meta: { 'io.modelcontextprotocol/protocolVersion': version,
        'io.modelcontextprotocol/clientInfo': { name: 'a test', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {} } } },
  { ...bearer, 'MCP-Protocol-Version': version, 'Mcp-Method': 'subscriptions/listen' });
  const messages = [...(await answer.text()).matchAll(/^data: (.*)$/gm)]
    .map(([, data]) => JSON.parse(data!) as object);
  t.match(messages, [
    { method: 'notifications/subscriptions/acknowledged', params: { notifications: {} } },
    { id: 'one', result: { resultType: 'complete' } },
  ]);
});

t.test('who asks for an unknown version is told of all that there are', async (t) => {
  const all = /2026-07-28.* by initialize 2025-11-25, .*2024-11-05/;
  const early = await post(doorOf(server), PING,
    { ...bearer, 'mcp-protocol-version': '2020-01-01' });
  t.match([early.status, (await early.json() as Refusal).error.message], [400, all]);
  const version = '2099-01-01';
  const _meta = { 'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {} };
  const late = await post(doorOf(server), { ...PING, method: 'tools/list', params: { _meta } },
    { ...bearer, 'mcp-protocol-version': version, 'mcp-method': 'tools/list' });
  const { error } = await late.json() as Refusal;
  t.match([late.status, error.code, error.message], [400, -32_022, all]);
  t.strictSame(error.data!.supported, ['2026-07-28'], 'as server/discover lists them');
});

t.test('switched off, there is no such address', async (t) => {
  const off = await testServer(t, { config: { mcp_server: 'off' } });
  t.equal((await post(doorOf(off), PING, bearer)).status, 404);
  const env = { GATEHOUSE_BASE_URL: off.client.base_url, GATEHOUSE_API_KEY: client.api_key! };
  const options = { cwd: t.testdir(), env };
  t.match(await gatehouse(['mcp'], options),
    { code: 1, out: '', err: /no MCP server at http.*GATEHOUSE_MCP_SERVER=off/ });
  t.match((await gatehouse(['mcp', '--stdio'], { ...options, input: JSON.stringify(PING) })).out,
    /"id":1,"error".*no MCP server at http.*GATEHOUSE_MCP_SERVER=off/);
});
