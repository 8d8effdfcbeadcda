/** Clients of several makers, and the bridge for those that start processes. */
import { createMCPClient } from '@ai-sdk/mcp';
import { Client as McpClient } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import t from 'tap';
import { parse } from 'yaml';
import { GATEHOUSE, gatehouse } from '../cli/support.ts';
import { json } from '../gateway/egress/support.ts';
import { grantTo, notesService } from '../gateway/service/support.ts';
import { callAction, doorOf, ERAS } from './support.ts';

const { server } = await notesService(t, ({ method }, response) => json(response, { method }));

t.test('the client of the AI SDK', async (t) => {
  await grantTo(server, 'allow', 'acme.notes.create');
  const client = await createMCPClient({ transport: {
    type: 'http', url: `${doorOf(server, '?actions=acme.notes.create')}`,
    headers: { Authorization: `Bearer ${server.client.api_key}` },
  } });
  t.teardown(() => client.close());
  const tools = await client.tools();
  t.strictSame(Object.keys(tools),
    ['search_actions', 'describe_action', 'call_action', 'acme-notes-create']);
  const options = { toolCallId: 'call_1', messages: [], context: {} };
  t.match(await tools['acme-notes-create']!.execute({ body: { text: 'hi' } }, options),
    { structuredContent: { ok: true, result: { method: 'POST' } } });
  t.match(await tools.call_action!.execute({ action: 'acme.notes.delete' }, options),
    { isError: true, structuredContent: { code: 'not_permitted' } });
});

for (const mode of ERAS) {
  t.test(`the bridge for clients that start processes, of ${mode}`, async (t) => {
    const client = new McpClient({ name: 'a test', version: '1' },
      { versionNegotiation: { mode } });
    await client.connect(new StdioClientTransport({
      command: GATEHOUSE, args: ['mcp', '--stdio', '--actions', 'acme.notes.list'],
      env: { PATH: process.env.PATH!, GATEHOUSE_BASE_URL: server.service.base_url,
        GATEHOUSE_API_KEY: server.client.api_key! }, stderr: 'inherit',
    }));
    t.teardown(() => client.close());
    const { tools } = await client.listTools();
    t.equal(tools.at(-1)!.name, 'acme-notes-list');
    const all = await Promise.all([1, 2, 3].map(() => callAction(client, 'acme.notes.list')));
    t.match(all, [1, 2, 3].map(() => ({ ok: true, result: { method: 'GET' } })));
    t.match(await callAction(client, 'acme.notes.delete'), { code: 'not_permitted' });
  });
}

t.test('what gatehouse mcp prints, and says where nothing answers', async (t) => {
  const cwd = t.testdir();
  const env = { GATEHOUSE_BASE_URL: 'http://127.0.0.1:1/v1', GATEHOUSE_API_KEY: 'a-secret-key' };
  const { out, code } = await gatehouse(['mcp', '--actions', 'acme.*,crm.*'], { cwd, env });
  t.equal(code, 0);
  t.match(out, "claude mcp add --transport http gatehouse"
    + " 'http://127.0.0.1:1/mcp?actions=acme.*,crm.*'");
  t.match(out, '"Authorization": "Bearer ${env:GATEHOUSE_API_KEY}"');
  t.notMatch(out, 'a-secret-key');
  const url = 'http://127.0.0.1:1/mcp?actions=acme.*,crm.*';
  const started = { command: GATEHOUSE, args: ['mcp', '--stdio', '--actions', 'acme.*,crm.*'],
    env: { GATEHOUSE_API_KEY: '<API_KEY>', GATEHOUSE_BASE_URL: 'http://127.0.0.1:1/v1' } };
  t.match([...out.matchAll(/^\{$[^]*?^\}$/gm)].map(([text]) => JSON.parse(text) as object), [
    { mcpServers: { gatehouse: { url } } },
    { servers: { gatehouse: { type: 'http', url } } },
    { mcpServers: { gatehouse: { serverUrl: url } } },
    { mcpServers: { gatehouse: { httpUrl: url,
      headers: { Authorization: 'Bearer $GATEHOUSE_API_KEY' } } } },
    { mcpServers: { gatehouse: started } },
    { context_servers: { gatehouse: started } },
  ]);
  t.match(out, `[mcp_servers.gatehouse]\nurl = "${url}"\n`
    + 'bearer_token_env_var = "GATEHOUSE_API_KEY"\n');
  const [, goose] = /^(extensions:\n(?: +.*\n)+)/m.exec(out)!;
  t.match(parse(goose!), { extensions: { gatehouse: { type: 'stdio', enabled: true,
    cmd: started.command, args: started.args, envs: started.env } } });
  const [, line] = /^claude (mcp add gatehouse --env .*)$/m.exec(out)!;
  const words = await gatehouse(['-c', `printf '%s\\n' ${line!}`], { cwd, command: '/bin/sh' });
  t.strictSame(words.out.trimEnd().split('\n'), ['mcp', 'add', 'gatehouse',
    ...Object.entries(started.env).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    '--', started.command, ...started.args]);
  const answered = await gatehouse(['mcp', '--stdio'], { cwd, env,
    input: '{"jsonrpc":"2.0","id":7,"method":"ping"}\n\nnot json\n' });
  t.equal(answered.code, 0);
  const answers = answered.out.split('\n').filter(Boolean).map((line) => JSON.parse(line));
  t.match(answers.find(({ id }) => id === 7),
    { error: { message: /cannot be reached at http:\/\/127\.0\.0\.1:1\/mcp/ } });
  t.match(answers.find(({ id }) => id === null), { error: { code: -32700 } });
});
