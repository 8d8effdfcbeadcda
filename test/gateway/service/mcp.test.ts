/** Servers of the Model Context Protocol project as integrations of the running service. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { createServiceLog } from '../../../src/service.ts';
import { freePort } from '../../support/freePort.ts';
import { DATA_DIR } from '../../support/mcpProcesses.ts';
import { until } from '../../support/until.ts';
import { PROGRAMS } from '../mcp/support.ts';
import { dump, found, RecordingClient } from './canaries.ts';
import {
  addIntegration, agent, agentCall, connectAccount, gatewayServer, grantTo, invoke, line,
  secondNode,
} from './support.ts';

/** The server of the protocol's project over HTTP. */
async function everythingOverHttp(t: Test): Promise<string> {
  const port = await freePort();
  const child = spawn(execPath, [PROGRAMS.everything, 'streamableHttp'],
    { env: { PORT: String(port) }, stdio: 'ignore' });
  t.teardown(async () => {
    const ended = once(child, 'exit');
    if (child.kill('SIGKILL')) await ended;
  });
  const url = `http://127.0.0.1:${port}/mcp`;
  await until(() => fetch(url).then(() => true, () => false));
  return url;
}

t.test('a real server over HTTP, with a bearer token', async (t) => {
  const url = await everythingOverHttp(t);
  const server = await gatewayServer(t);
  const { client } = server;
  const added = await addIntegration(server, { slug: 'everything', kind: 'mcp',
    mcp: { url, trust_hints: true }, egress_allow: [new URL(url).host] });
  t.match(added, { kind: 'mcp', title: 'mcp-servers/everything', base_url: null,
    auth_methods: ['bearer', 'api_key', 'oauth2', 'none'], report: { skipped: [] } });
  t.match(await invoke(client, 'everything.tools.echo', { message: 'hi' }),
    { status: 409, body: { code: 'not_connected' } });
  await connectAccount(server, 'everything');
  const { data } = await client.expect(200, 'listActions',
    { query: { integration: 'everything', limit: 100 } });
  t.equal(data.length, added.actions.read + added.actions.write + added.actions.destructive);
  t.match(await invoke(client, 'everything.tools.get_sum', { a: 2, b: 40 }),
    { status: 201, body: { result: { content: [{ text: /42/ }] } } });
  t.match(await invoke(client, 'everything.tools.get_sum', { a: 'x', b: 1 }),
    { status: 400, body: { code: 'invalid_input' } });
  const { ends } = await agent(client, line('gateway.actions.search', { query: 'sum of numbers' }),
    line('everything.tools.echo', { message: 'from an agent' }));
  t.match(JSON.stringify(ends[0]!.data), 'everything.tools.get_sum');
  await grantTo(server, 'require_approval', 'everything.tools.get_sum');
  await invoke(client, 'everything.tools.get_sum', { a: 1, b: 2 });
  const { data: [asked] } = await client.expect(200, 'listApprovals');
  t.match(await client.expect(200, 'getApproval', { path: { approval_id: asked!.id } }), {
    action_title: 'Get Sum Tool', connection_name: String, request: {
      type: 'mcp_tool', server: url, tool: 'get-sum', arguments: { a: 1, b: 2 } } });
  t.match(ends[1]!.data, { result: { result: { content: [{ text: 'Echo: from an agent' }] } } });
});

t.test('a real server as a process; its environment is not repeated', async (t) => {
  const lines: string[] = [];
  const server = await gatewayServer(t, { log: createServiceLog('trace', {
    destination: { write: (text: string) => void lines.push(text) } }) });
  const client = new RecordingClient(server.client as never);
  const SECRETS = { env: 'canary-environment/"x"+y&0001' };
  const added = await addIntegration({ ...server, client }, {
    slug: 'everything', kind: 'mcp', mcp: { command: execPath, args: [PROGRAMS.everything],
      env: { UPSTREAM_TOKEN: SECRETS.env }, trust_hints: true } });
  t.match(added.mcp, { command: execPath, env_names: ['UPSTREAM_TOKEN'] });
  t.same(added.auth_methods, ['none']);
  await connectAccount(server, 'everything', { type: 'none' });
  await grantTo(server, 'require_approval', 'everything.tools.echo');
  await invoke(client, 'everything.tools.echo', { message: 'hi' });
  const { data: [asked] } = await client.expect(200, 'listApprovals');
  t.match(await client.expect(200, 'getApproval', { path: { approval_id: asked!.id } }),
    { request: { server: `${execPath} ${PROGRAMS.everything}`, tool: 'echo' } });
  const { result } = await agentCall(client, 'everything.tools.get_env');
  const told = JSON.stringify(result);
  t.match(told, /UPSTREAM_TOKEN[^a-z]*\[secret\]/, 'the process had it');
  t.notMatch(told, 'GATEHOUSE', 'and nothing of ours');
  await client.expect(200, 'getIntegration', { path: { slug: 'everything' } });
  t.strictSame(found(SECRETS, await client.answers()), []);
  t.strictSame(found(SECRETS, await dump(server.sql)), []);
  t.strictSame(found(SECRETS, lines.join('')), []);
});

t.test('a command starts only if the operator of the machine has named it', async (t) => {
  const first = await gatewayServer(t);
  const slug = 'memory';
  const request = { slug, kind: 'mcp' as const, mcp: {
    command: execPath, args: [PROGRAMS.memory], env: { TOKEN: 'x' }, trust_hints: true } };
  const { id } = (await addIntegration(first, request), (await first.sql<{ id: string }[]>`
    select id from integrations`)[0]!);
  await connectAccount(first, slug, { type: 'none' });
  const folder = join(DATA_DIR, 'mcp', id);
  t.equal((await stat(folder)).mode & 0o777, 0o700, 'it is at home in a folder of its own');

  const { client } = await secondNode(t, first, { config: { mcp_stdio: `${execPath} *` } });
  const refused = { status: 400, body: { code: 'invalid_request', param: '/mcp/command',
    error: /GATEHOUSE_MCP_STDIO: / } };
  const injected = { ...request.mcp, env: { NODE_OPTIONS: '--import=data:text/javascript,' } };
  for (const mcp of [request.mcp, injected, { command: '/bin/sh', args: ['-c', 'id'] }]) {
    t.match(await client.call('createIntegration', { body: { ...request, slug: 'other', mcp } }),
      refused);
  }
  const path = { slug };
  t.match(await client.call('refreshIntegration', { path, body: {} }), refused);
  t.match(await client.call('updateIntegration', { path, body: { title: 'Other' } }), refused);
  t.match(await client.call('updateIntegration', { path, body: { mcp: { trust_hints: true } } }),
    refused);
  for (let calls = 0; calls < 3; calls++) {
    t.match(await invoke(client, 'memory.tools.read_graph'), { status: 502, body: {
      code: 'upstream_error', error: /not allowed to start its command.*GATEHOUSE_MCP_STDIO/ } });
  }
  t.match(await invoke(first.client, 'memory.tools.read_graph'), { body: { status: 'completed' } },
    'where it is allowed, it goes on');
  const { data } = await client.expect(200, 'listConnections', { query: { integration: slug } });
  await client.expect(204, 'deleteConnection', { path: { connection_id: data[0]!.id } });
  await client.expect(204, 'deleteIntegration', { path });
  await t.rejects(stat(folder), { code: 'ENOENT' }, 'the folder goes with the integration');
});

t.test('filesystem: an agent writes a file and reads it, within what is granted', async (t) => {
  const folder = await realpath(t.testdir({ 'a.txt': 'hello' }));
  const [old, fresh] = [join(folder, 'a.txt'), join(folder, 'b.txt')];
  const server = await gatewayServer(t);
  const { client } = server;
  const added = await addIntegration(server, { slug: 'files', kind: 'mcp', mcp: {
    command: execPath, args: [PROGRAMS.filesystem, folder], trust_hints: true } });
  t.match(added, { title: 'secure-filesystem-server', report: { skipped: [], warnings: [] } });
  t.match(await invoke(client, 'files.tools.read_text_file', { path: old }),
    { status: 409, body: { code: 'not_connected' } });
  await connectAccount(server, 'files', { type: 'none' });
  const { data } = await client.expect(200, 'listActions',
    { query: { integration: 'files', limit: 100 } });
  const effects = Object.fromEntries(data.map(({ name, effect }) => [name, effect]));
  t.match(effects, { 'files.tools.read_text_file': 'read', 'files.tools.list_directory': 'read',
    'files.tools.create_directory': 'write', 'files.tools.write_file': 'destructive' });
  t.equal(data.length, added.report.imported);

  t.match(await invoke(client, 'files.tools.read_text_file', { path: old }),
    { status: 201, body: { status: 'completed', result: { content: 'hello' } } });
  const writing = { path: fresh, content: 'by an agent' };
  t.match(await invoke(client, 'files.tools.write_file', writing),
    { status: 403, body: { code: 'action_not_read_only' } });
  t.match((await agentCall(client, 'files.tools.write_file', writing)).error,
    { code: 'not_permitted' });
  await t.rejects(stat(fresh), { code: 'ENOENT' });

  await grantTo(server, 'allow', 'files.tools.write_file');
  const { ends } = await agent(client, line('files.tools.write_file', writing),
    line('files.tools.read_text_file', { path: fresh }),
    line('files.tools.create_directory', { path: join(folder, 'c') }),
    line('files.tools.read_text_file', { path: '/etc/hostname' }));
  t.match(ends.map(({ data: ended }) => ended), [
    { result: { ok: true, action: 'files.tools.write_file' } },
    { result: { ok: true, result: { content: 'by an agent' } } },
    { error: { code: 'not_permitted' } },
    { error: { code: 'upstream_error', message: /outside allowed directories/ } }]);
  t.equal(await readFile(fresh, 'utf8'), 'by an agent');
});

t.test('memory: what an agent has it remember, is there for the next one', async (t) => {
  const file = join(t.testdir(), 'memory.jsonl');
  await writeFile(file, '');
  const server = await gatewayServer(t);
  const { client } = server;
  const mcp = { command: execPath, args: [PROGRAMS.memory], env: { MEMORY_FILE_PATH: file } };
  t.match(await addIntegration(server, { slug: 'memory', kind: 'mcp', mcp }),
    { actions: { read: 1 }, mcp: { trust_hints: false } },
    'its hints are not believed: it is its resources that are read');
  await connectAccount(server, 'memory', { type: 'none' });
  t.match(await invoke(client, 'memory.tools.read_graph'),
    { status: 403, body: { code: 'action_not_read_only', error: /says that it only reads/ } });
  const why = async (name: string) =>
    (await agentCall(client, `memory.tools.${name}`)).error!.message;
  t.match(await why('read_graph'),
    /says that it only reads.* update memory --effect memory\.tools\.read_graph=read`/);
  t.notMatch(await why('delete_entities'), /trust|--effect/, 'it does not say so');
  t.match(await client.expect(200, 'updateIntegration', { path: { slug: 'memory' },
    body: { mcp: { ...mcp, trust_hints: true } } }), { actions: { read: 4 } });
  t.match(await invoke(client, 'memory.tools.read_graph'),
    { status: 201, body: { result: { entities: [] } } });

  await grantTo(server, 'allow', 'memory.tools.create_entities');
  const ada = { name: 'Ada', entityType: 'person', observations: ['wrote the first program'] };
  const { result } = await agentCall(client, 'memory.tools.create_entities', { entities: [ada] });
  t.match(result, { ok: true, result: { entities: [ada] } });
  t.match((await agentCall(client, 'memory.tools.read_graph')).result,
    { ok: true, result: { entities: [ada], relations: [] } });
  t.match(await invoke(client, 'memory.tools.search_nodes', { query: 'Ada' },
    { fields: ['entities.name'] }), { body: { result: { entities: [{ name: 'Ada' }] } } });
  t.match((await agentCall(client, 'memory.tools.delete_entities', { entityNames: ['Ada'] })).error,
    { code: 'not_permitted' });
  t.match(await readFile(file, 'utf8'), /wrote the first program/);
});

t.test('how a program ended is told to the operator, and to no agent', async (t) => {
  const file = fileURLToPath(new URL('../mcp/misbehaving.ts', import.meta.url));
  const server = await gatewayServer(t);
  const { client } = server;
  const mcp = (mode: string) => ({ command: execPath, trust_hints: true,
    args: ['--no-warnings', file, mode], env: { UPSTREAM_TOKEN: 'canary-environment-0002' } });
  const dead = await client.call('createIntegration',
    { body: { slug: 'dead', kind: 'mcp', mcp: mcp('dying') } });
  t.match(dead, { status: 502,
    body: { error: /exit code 3, and said last:.*word 11 with \[secret\]$/s } });

  await addIntegration(server, { slug: 'weak', kind: 'mcp', mcp: mcp('crashing'),
    overrides: { act: { effect: 'read' } } });
  const { id } = await connectAccount(server, 'weak', { type: 'none' });
  t.match(await client.expect(200, 'checkConnection', { path: { connection_id: id } }),
    { ok: false, action: 'weak.tools.act', message: /exit code 1, and said nothing/ });
  const { error } = await agentCall(client, 'weak.tools.act');
  t.match(error, { code: 'upstream_error', message: /ended/ });
  t.notMatch(JSON.stringify(error), 'exit code');
});
