/** /admin/integrations of kind mcp: tools of a server, and what becomes of those that change. */
import t from 'tap';
import type { Schemas } from '../support/client.ts';
import { fakeServer, json, result } from '../gateway/mcp/httpServer.ts';
import { testServer } from '../support/server.ts';

const { client, sql, workspace_id } = await testServer(t);
const tool = (name: string, readOnlyHint: boolean, properties = {}) => ({
  name, inputSchema: { type: 'object', properties }, annotations: { readOnlyHint },
});
let tools = [tool('look', true), tool('act', false)];
const fake = await fakeServer(t, {
  'tools/list': (message, response) => json(response, result(message, { tools })),
});
const egress_allow = [new URL(fake.url).host];
const path = { slug: 'tools' };
const create = (body: Partial<Schemas['CreateIntegrationRequest']>) => client.call(
  'createIntegration', { body: { slug: 'tools', kind: 'mcp', egress_allow, ...body } });
const refresh = (body = {}) => client.call('refreshIntegration', { path, body });

async function offered(): Promise<string[]> {
  const { data } = await client.expect(200, 'listActions', { query: { integration: 'tools' } });
  return data.map(({ name }) => name);
}

t.test('its tools become actions', async (t) => {
  t.match(await create({ mcp: { url: fake.url, trust_hints: true } }), { status: 201, body: {
    kind: 'mcp', title: 'fake', base_url: null, document_sha256: null,
    mcp: { url: fake.url, trust_hints: true, env_names: [] },
    actions: { read: 1, write: 1, quarantined: 0 }, report: { imported: 2 },
  } });
  await client.expect(201, 'createConnection', { body: {
    workspace_id, integration: 'tools', name: 'tools', credentials: { type: 'none' } } });
  t.equal((await offered()).length, 2);
  const look = (await offered()).find((name) => name.endsWith('look'))!;
  t.match(await client.expect(201, 'createActionInvocation', { body: { action: look } }),
    { status: 'completed' });
});

t.test('a tool that has changed is out of use until that is accepted', async (t) => {
  tools = [tool('look', true, { everything: { type: 'boolean' } }), tool('act', false)];
  t.match(await refresh(), { status: 200, body: {
    revision: 2, actions: { read: 0, write: 1, quarantined: 1 } } });
  t.equal((await offered()).length, 1);
  t.match(await refresh(), { body: { actions: { quarantined: 1 } } }, 'asking again is no yes');
  t.match(await refresh({ accept_changes: true }), { body: {
    actions: { read: 1, write: 1, quarantined: 0 } } });
  t.equal((await offered()).length, 2);
});

t.test('a tool that is gone is no longer offered', async (t) => {
  tools = [tool('act', false)];
  t.match(await refresh(), { body: { actions: { read: 0, write: 1, quarantined: 0 } } });
  t.equal((await offered()).length, 1);
});

t.test('without trust in its hints every tool counts as a write', async (t) => {
  tools = [tool('look', true), tool('act', false)];
  const mcp = { url: fake.url };
  t.match(await create({ slug: 'wary', mcp }), { status: 201, body: {
    mcp: { trust_hints: false }, actions: { read: 0, write: 2 } } });
  const overrides = { look: { effect: 'read' } };
  t.match(await client.expect(200, 'updateIntegration',
    { path: { slug: 'wary' }, body: { overrides } }), { actions: { read: 1, write: 1 } });
});

t.test('overrides: a tool that is hidden, one that is not there, what no tool has', async (t) => {
  const update = (overrides: object) => client.call('updateIntegration',
    { path: { slug: 'wary' }, body: { overrides } });
  t.match(await update({ act: { hidden: true }, akt: { effect: 'read' } }), { status: 200, body: {
    actions: { read: 0, write: 1 }, report: { operations: 2, imported: 1,
      skipped: [{ source_key: 'act', reason: 'hidden' }],
      warnings: [/"akt" changes nothing: no tool is called that/] } } });
  t.match(await update({ look: { effect: 'read' } }),
    { body: { actions: { read: 1, write: 1 }, report: { skipped: [], warnings: [] } } });
  const trusting = await client.expect(200, 'updateIntegration', { path: { slug: 'wary' },
    body: { overrides: {}, mcp: { url: fake.url, trust_hints: true } } });
  t.match(trusting, { actions: { read: 1, write: 1, quarantined: 0 } }, 'by its hints');
  await update({ look: { effect: 'read' } });
  for (const more of [{ hidden_parameters: ['a'] }, { soft_error: { pointer: '/a', equals: 1 } }]) {
    t.match(await update({ act: more }),
      { status: 400, body: { code: 'invalid_request', param: '/overrides' } });
  }
});

t.test('trust is changed alone, and else stays', async (t) => {
  const update = (mcp: object) => client.call('updateIntegration',
    { path: { slug: 'wary' }, body: { overrides: {}, mcp } });
  const { url } = fake;
  t.match(await update({ trust_hints: false }), { status: 200, body: {
    mcp: { url, trust_hints: false }, actions: { read: 0, write: 2 } } });
  t.match(await update({ url }), { body: { mcp: { trust_hints: false } } });
  t.match(await update({ trust_hints: true }), { body: {
    mcp: { url, trust_hints: true }, actions: { read: 1, write: 1 } } });
  t.match(await update({ url }), { body: { mcp: { url, trust_hints: true } } });
  t.match(await update({ url: `${url}?another` }), { body: { mcp: { trust_hints: false } } },
    'another server has to be trusted anew');
  t.match(await update({ url, trust_hints: true }), { status: 200 });
  for (const mcp of [{}, { args: ['x'] }, { args: ['x'], trust_hints: true }]) {
    t.match(await update(mcp), { status: 400, body: { param: '/mcp' } });
  }
  t.match(await create({ slug: 'nowhere', mcp: { trust_hints: true } }),
    { status: 400, body: { param: '/mcp' } });
});

t.test('the action that reads resources is no tool', async (t) => {
  const { initialize } = fake.answers;
  t.teardown(() => { fake.answers.initialize = initialize!; });
  fake.answers.initialize = (message, response) => json(response, result(message, {
    protocolVersion: '2025-06-18', capabilities: { tools: {}, resources: {} },
    serverInfo: { name: 'fake', version: '1' } }));
  tools = [tool('look', true), tool('act', false)];
  const mcp = { url: fake.url };
  t.match(await create({ slug: 'shelf', mcp }), { status: 201, body: {
    actions: { read: 1, write: 2 },
    report: { operations: 2, imported: 2, has_resources: true } } });
  const { report } = await client.expect(200, 'updateIntegration', { path: { slug: 'shelf' },
    body: { overrides: { 'resources/read': { hidden: true } } } });
  t.match(report, { operations: 2, imported: 2,
    skipped: [{ source_key: 'resources/read', reason: 'hidden' }] });
  t.notOk(report.has_resources, 'nothing reads them');
});

t.test('a server that lists its tools only to an account', async (t) => {
  fake.answers.initialize = (_message, response) => void response.writeHead(401).end();
  const answer = await create({ slug: 'private', mcp: { url: fake.url } });
  t.match(answer, { status: 201, body: { actions: { read: 0, write: 0 },
    report: { imported: 0, warnings: [/Connect one/] } } });
});

t.test('a server that is away', async (t) => {
  fake.answers.initialize = (_message, response) => void response.writeHead(500).end();
  for (const answer of [await create({ slug: 'away', mcp: { url: fake.url } }),
    await client.call('refreshIntegration', { path: { slug: 'wary' }, body: {} })]) {
    t.match(answer, { status: 502, body: { code: 'upstream_error', param: '/mcp' } });
  }
  t.match(await client.expect(200, 'getIntegration', { path: { slug: 'wary' } }),
    { actions: { read: 1, write: 1 } }, 'what there was stays');
});

t.test('what a command is started with is sealed', async (t) => {
  const secret = 'a-secret-of-the-command';
  const script = `const answer = (m) => ({
    initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} },
      serverInfo: { name: 'command', version: '1' } },
    'tools/list': { tools: [{ name: 'length_' + process.env.TOKEN.length,
      inputSchema: { type: 'object' } }] },
  })[m.method] ?? {};
  let rest = '';
  process.stdin.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\\n');
    rest = lines.pop();
    for (const m of lines.filter((line) => line !== '').map((line) => JSON.parse(line))) {
      if (m.id !== undefined) console.log(JSON.stringify(
        { jsonrpc: '2.0', id: m.id, result: answer(m) }));
    }
  });`;
  const mcp = { command: process.execPath, args: ['-e', script], env: { TOKEN: secret } };
  const answer = await create({ slug: 'command', mcp });
  t.match(answer, { status: 201, body: { title: 'command', auth_methods: ['none'],
    mcp: { command: process.execPath, env_names: ['TOKEN'] }, report: { imported: 1 } } });
  const { data } = await client.expect(200, 'listIntegrations');
  const audit = await client.expect(200, 'listAuditEntries');
  t.notMatch(JSON.stringify([answer.body, data, audit]), secret);
  const [row] = await sql`
    select to_jsonb(i)::text as text, (select json_agg(a) from integration_actions a
      where a.integration = i.slug)::text as actions from integrations i where slug = 'command'`;
  t.notMatch(row!.text, secret);
  t.match(row!.actions, `length_${secret.length}`, 'and the command has it');
  t.match(await client.call('updateIntegration',
    { path: { slug: 'command' }, body: { mcp: { trust_hints: true } } }), { status: 200,
    body: { mcp: { trust_hints: true, env_names: ['TOKEN'] }, report: { imported: 1 } } },
  'and keeps it when trust alone is changed');
  t.match(await client.expect(200, 'refreshIntegration', { path: { slug: 'command' }, body: {} }),
    { actions: { quarantined: 0 } });
});
