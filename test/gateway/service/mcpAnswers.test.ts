/** MCP servers that answer in ways of their own, as integrations of the running service. */
import t from 'tap';
import { createServiceLog } from '../../../src/service.ts';
import { fakeServer, json, result } from '../mcp/httpServer.ts';
import { dump, found, RecordingClient } from './canaries.ts';
import { fakeTools, reads, tool } from './mcpTools.ts';
import {
  addIntegration, agent, agentCall, connectAccount, gatewayServer, grantTo, invoke, line,
  type CreateIntegration,
} from './support.ts';

t.test('a server that repeats its token in every way', async (t) => {
  const lines: string[] = [];
  const fake = await fakeServer(t);
  const server = await gatewayServer(t, { log: createServiceLog('trace', {
    destination: { write: (text: string) => void lines.push(text) } }) });
  const SECRETS = { token: 'canary-token/"x"+y&z~0001' };
  const { token } = SECRETS;
  const base64 = Buffer.from(token).toString('base64');
  const said = `${token} ${base64} ${encodeURIComponent(token)} ${JSON.stringify({ token })}`;
  const tools = (message: string) => ['text', 'failure', 'structured', 'protocol', 'refused',
    'missing'].map((name) => tool(name, { ...reads, description: message }));
  fake.answers['tools/list'] = (message, response, { headers }) =>
    json(response, result(message, { tools: tools(headers.authorization ?? 'nobody') }));
  fake.answers['tools/call'] = (message, response) => {
    const answer = (value: object) => json(response, result(message, value));
    switch (message.params?.name) {
      case 'text': return answer({ content: [{ type: 'text', text: said },
        { type: 'image', mimeType: 'image/png', data: base64 },
        { type: 'resource', resource: { uri: `x://${token}`, text: said } }] });
      case 'failure': return answer({ isError: true, content: [{ type: 'text', text: said }] });
      case 'structured': return answer({ content: [], structuredContent: { [token]: [said] } });
      case 'protocol': return json(response,
        { jsonrpc: '2.0', id: message.id, error: { code: -32_000, message: said, data: said } });
      case 'refused': return json(response, { message: said }, 403,
        { 'www-authenticate': `Bearer scope="${base64}"` });
      default: return json(response, { message: said }, 500);
    }
  };
  const client = new RecordingClient(server.client as never);
  await addIntegration({ ...server, client }, fakeTools(fake));
  await connectAccount({ ...server, client }, 'tools', { type: 'bearer', token });
  // Listed anew with the token of the account, whose description it then is.
  await client.expect(200, 'refreshIntegration', { path: { slug: 'tools' },
    body: { accept_changes: true } });
  t.ok(fake.received.some(({ headers, message }) => message.method === 'tools/list'
    && headers.authorization === `Bearer ${token}`));
  await client.expect(200, 'listActions', { query: { integration: 'tools' } });
  const names = ['text', 'failure', 'structured', 'protocol', 'refused', 'missing'];
  for (const name of names) await invoke(client, `tools.tools.${name}`);
  const { ends } = await agent(client, ...names.map((name) => line(`tools.tools.${name}`)));
  t.match(JSON.stringify(ends), '[secret]');
  t.strictSame(ends.map(({ type }) => type).slice(0, 4), ['tool_call.completed',
    'tool_call.failed', 'tool_call.completed', 'tool_call.failed']);
  await client.expect(200, 'listActionInvocations', {});
  t.strictSame(found(SECRETS, await client.answers()), []);
  t.strictSame(found(SECRETS, await dump(server.sql)), []);
  t.strictSame(found(SECRETS, lines.join('')), []);
});

t.test('a server that lists its tools only to who has an account', async (t) => {
  const fake = await fakeServer(t);
  const { initialize } = fake.answers;
  fake.answers.initialize = (message, response, request) =>
    (request.headers.authorization === 'Bearer right' ? initialize!(message, response, request)
      : json(response, {}, 401));
  const server = await gatewayServer(t);
  const { client } = server;
  const added = await addIntegration(server, fakeTools(fake));
  t.match(added, { actions: { write: 0 }, report: { warnings: [/Connect one/] } });
  const { id: connection_id } = await connectAccount(server, 'tools',
    { type: 'bearer', token: 'right' });
  t.match(await client.expect(200, 'refreshIntegration', { path: { slug: 'tools' }, body: {} }),
    { actions: { write: 1 }, report: { warnings: [/none of its tools that it only reads/] } });
  await grantTo(server, 'allow', 'tools.*');
  t.match((await agentCall(client, 'tools.tools.act')).result, { ok: true });
  await client.expect(200, 'updateConnection', { path: { connection_id },
    body: { credentials: { type: 'bearer', token: 'wrong' } } });
  t.match((await agentCall(client, 'tools.tools.act')).error, { code: 'needs_reconnect' });
});

t.test('a server that cannot be reached or started is not added', async (t) => {
  const server = await gatewayServer(t);
  const { client } = server;
  const add = (mcp: CreateIntegration['mcp'], rest = {}) => client.call('createIntegration',
    { body: { slug: 'tools', kind: 'mcp', mcp, ...rest } });
  t.match(await add({ url: 'http://127.0.0.1:1/mcp' }),
    { status: 400, body: { code: 'egress_refused', param: '/mcp/url' } });
  t.match(await add({ url: 'http://127.0.0.1:1/mcp' }, { egress_allow: ['127.0.0.1:1'] }),
    { status: 502, body: { code: 'upstream_error' } });
  t.match(await add({ command: '/no/such/program' }),
    { status: 502, body: { code: 'upstream_error' } });
  t.same((await client.expect(200, 'listIntegrations', {})).data, []);
});
