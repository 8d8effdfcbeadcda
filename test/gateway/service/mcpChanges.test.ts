/** MCP servers whose tools change: what happens by itself, and what waits for an operator. */
import type { ServerResponse } from 'node:http';
import t, { type Test } from 'tap';
import { createServiceLog } from '../../../src/service.ts';
import type { Client } from '../../support/client.ts';
import type { TestServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { event, fakeServer, json, result, stream, type FakeServer } from '../mcp/httpServer.ts';
import { misbehaving } from '../mcp/support.ts';
import { fakeTools, reads, tool } from './mcpTools.ts';
import {
  addIntegration, agentCall, connectAccount, gatewayServer, grantTo, invoke, secondNode,
} from './support.ts';

const slug = { path: { slug: 'tools' } };
const LOOK = tool('look', reads);
const OTHER_LOOK = tool('look', { ...reads, inputSchema: { type: 'object', required: ['at'] } });

interface Announcing {
  fake: FakeServer;
  /** What it lists; a test changes it. */
  tools: object[];
  /** Who listens to what it announces. */
  listeners: Set<ServerResponse>;
  announce(): void;
}

/** A server that tells the sessions that are open of its changes. */
async function announcing(t: Test, tools: object[]): Promise<Announcing> {
  const listeners = new Set<ServerResponse>();
  const fake = await fakeServer(t, {
    'tools/list': (message, response) =>
      json(response, result(message, { tools: server.tools })),
    GET: (_message, response) => {
      stream(response);
      listeners.add(response);
      response.on('close', () => listeners.delete(response));
    },
  });
  const server = { fake, tools, listeners, announce: () => {
    const message = event({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    for (const response of listeners) response.write(message);
  } };
  return server;
}

/** Calls the tool on each node, which opens a session there that listens. */
async function listen({ listeners }: Announcing, clients: Client[], action: string): Promise<void> {
  for (const client of clients) await client.expect(201, 'createActionInvocation',
    { body: { action } });
  await until(async () => listeners.size === clients.length);
}

async function offered(client: Client): Promise<string> {
  const { data } = await client.expect(200, 'listActions', { query: { integration: 'tools' } });
  return data.map(({ name }) => name.replace('tools.tools.', '')).join();
}

const refresh = ({ client }: TestServer, accept_changes: boolean) =>
  client.expect(200, 'refreshIntegration', { ...slug, body: { accept_changes } });

const changesBySystem = async ({ client }: TestServer) =>
  (await client.expect(200, 'listAuditEntries', { query: { event: 'integration.changed' } }))
    .data.filter(({ actor }) => actor.type === 'system');

/** What is new is offered: most of these tests see by it that a change has arrived. */
const offering = (made: { fake: Parameters<typeof fakeTools>[0] }) =>
  ({ ...fakeTools(made.fake), new_actions: 'offer' as const });

/** A service to which such a server is connected. */
async function connected(t: Test, tools: object[]) {
  const made = await announcing(t, tools);
  const server = await gatewayServer(t);
  await addIntegration(server, offering(made));
  await connectAccount(server, 'tools');
  return { made, server, client: server.client };
}

t.test('a server says that its tools have changed: every node has the new ones', async (t) => {
  const made = await announcing(t, [LOOK, tool('gone', reads)]);
  const server = await gatewayServer(t);
  const node = await secondNode(t, server);
  const clients = [server.client, node.client];
  await addIntegration(server, offering(made));
  await connectAccount(server, 'tools');
  await listen(made, clients, 'tools.tools.look');

  made.tools = [OTHER_LOOK, tool('fresh', reads), tool('act')];
  made.announce();
  for (const client of clients) await until(async () => await offered(client) === 'act,fresh');
  t.match(await server.client.expect(200, 'getIntegration', slug), { revision: 2,
    actions: { read: 1, write: 1, quarantined: 1 } }, 'written once, not by each node');
  t.match(await changesBySystem(server), [{ target: 'tools', outcome: 'ok',
    reason: /has changed its tools/, details: { revision: 2,
      added: ['tools.tools.fresh', 'tools.tools.act'], removed: ['tools.tools.gone'],
      quarantined: ['tools.tools.look'] } }]);
  t.equal((await changesBySystem(server)).length, 1);
  for (const client of clients) {
    for (const name of ['look', 'gone']) {
      t.match(await invoke(client, `tools.tools.${name}`, { at: 1 }),
        { status: 404, body: { code: 'unknown_action' } });
    }
    t.match((await agentCall(client, 'tools.tools.act')).error, { code: 'not_permitted' });
  }

  await listen(made, clients, 'tools.tools.fresh');
  made.tools = [LOOK, tool('fresh', reads), tool('later', reads)];
  made.announce();
  for (const client of clients) {
    await until(async () => await offered(client) === 'fresh,later');
  }
  t.match(await server.client.expect(200, 'getIntegration', slug), { actions: { quarantined: 1 } },
    'what was set aside stays so, also when it is as it was again');
  t.match(await refresh(server, false), { actions: { read: 3, quarantined: 0 } });
  t.ok((await server.client.expect(200, 'verifyAuditLog', {})).ok);
});

t.test('a tool that a server adds waits until an operator accepts it', async (t) => {
  const made = await announcing(t, [LOOK]);
  const server = await gatewayServer(t);
  const { client } = server;
  await addIntegration(server, { ...fakeTools(made.fake), title: 'tools' });
  await connectAccount(server, 'tools');
  await grantTo(server, 'allow', 'tools.*');
  await listen(made, [client], 'tools.tools.look');
  made.tools = [LOOK, tool('act'), tool('peek', reads)];
  made.announce();
  await until(async () => (await client.expect(200, 'getIntegration', slug)).revision === 2);
  t.match(await client.expect(200, 'getIntegration', slug), { title: 'tools' },
    'nor is it called what the server calls itself by then');
  t.match(await changesBySystem(server),
    [{ details: { quarantined: ['tools.tools.act', 'tools.tools.peek'], waiting: 2 } }]);
  t.equal(await offered(client), 'look');
  t.match((await agentCall(client, 'tools.tools.act')).error,
    { missing: [{ code: 'unknown_action' }] }, 'a grant for all of it does not hold');
  t.equal((await invoke(client, 'tools.tools.peek', { at: 1 })).status, 404);
  await refresh(server, true);
  t.equal(await offered(client), 'act,look,peek', 'an operator has looked');
  t.notOk((await agentCall(client, 'tools.tools.act')).error);
});

t.test('a tool that writes, was gone and is back waits for an operator', async (t) => {
  const { made, server, client } = await connected(t, [LOOK, tool('act')]);
  await grantTo(server, 'allow', 'tools.*');
  await listen(made, [client], 'tools.tools.look');
  const becomes = async (tools: object[], revision: number) => {
    made.tools = tools;
    made.announce();
    await until(async () =>
      (await client.expect(200, 'getIntegration', slug)).revision === revision);
  };
  const isUnknown = async () => t.match((await agentCall(client, 'tools.tools.act')).error,
    { missing: [{ code: 'unknown_action' }] });
  await becomes([tool('act')], 2);
  await becomes([LOOK, tool('act')], 3);
  t.equal(await offered(client), 'act,look', 'what only reads is there again');
  await becomes([LOOK], 4);
  await isUnknown();
  await becomes([LOOK, tool('act')], 5);
  t.equal(await offered(client), 'look');
  await isUnknown();
  t.match(await refresh(server, false), { actions: { quarantined: 1 },
    report: { changes: [{ action: 'tools.tools.act', offered: false }] } });
  await isUnknown();
  await refresh(server, true);
  t.notOk((await agentCall(client, 'tools.tools.act')).error);

  made.tools = [LOOK];
  await refresh(server, true);
  await refresh(server, true);
  made.tools = [LOOK, tool('act')];
  t.match(await refresh(server, false), { actions: { quarantined: 1 } },
    'also if its end was accepted');
});

t.test('a server that lists no tool for a moment keeps what it has', async (t) => {
  const lines: string[] = [];
  const made = await announcing(t, [LOOK, tool('act')]);
  const server = await gatewayServer(t, { log: createServiceLog('warn', {
    destination: { write: (text: string) => void lines.push(text) } }) });
  const { client } = server;
  await addIntegration(server, offering(made));
  await connectAccount(server, 'tools');
  await grantTo(server, 'allow', 'tools.*');
  await listen(made, [client], 'tools.tools.look');
  const all = made.tools;
  made.tools = [];
  made.announce();
  await until(async () => lines.some((line) => line.includes('lists no tool at all')));
  t.match((await agentCall(client, 'tools.tools.act')).error,
    { code: 'upstream_error', message: /does not offer tools\.tools\.act any more/ });
  made.tools = all;
  made.announce();
  await until(async () => !(await agentCall(client, 'tools.tools.act')).error);
  t.match(await client.expect(200, 'getIntegration', slug), { revision: 1 });
  made.tools = [];
  t.match(await refresh(server, false), { actions: { read: 0, write: 0 } }, 'an operator says so');
});

t.test('a tool under another name waits while what was said of it names nothing', async (t) => {
  const { made, server } = await connected(t, [LOOK, tool('wipe')]);
  await grantTo(server, 'allow', 'tools.*');
  const { id } = await grantTo(server, 'deny', 'tools.tools.wipe');
  made.tools = [LOOK, tool('erase')];
  t.match(await refresh(server, false), { actions: { quarantined: 1 }, report: {
    vanished: [{ action: 'tools.tools.wipe', restricted: true }],
    dangling_grants: [{ grant_id: id, decision: 'deny' }] } });
  t.equal(await offered(server.client), 'look');
  await refresh(server, true);
  t.equal(await offered(server.client), 'erase,look', 'an operator has looked');

  await server.client.expect(200, 'updateIntegration',
    { ...slug, body: { overrides: { 'tools.tools.*': { effect: 'read' } } } });
  made.tools = [LOOK, tool('erase'), tool('later')];
  t.match(await refresh(server, false), { actions: { quarantined: 1 } });
  t.equal(await offered(server.client), 'erase,look', 'a pattern makes no new tool a reading one');
});

t.test('a tool that changes in silence is set aside on every node', async (t) => {
  const made = await announcing(t, [tool('act', reads), tool('other', reads)]);
  const server = await gatewayServer(t);
  const { client } = server;
  t.match(await addIntegration(server, offering(made)),
    { revision: 1, actions: { read: 2, quarantined: 0 } });
  await connectAccount(server, 'tools');
  const node = await secondNode(t, server);
  const clients = [client, node.client];
  for (const at of clients) t.match(await invoke(at, 'tools.tools.act'), { status: 201 });

  made.tools = [tool('act', { description: 'Does something else.' }), tool('other', reads)];
  made.fake.sessions.clear(); // Its tools are looked at again with the next session.
  t.match(await invoke(client, 'tools.tools.act'), { status: 502, body: {
    code: 'upstream_error', error: /has changed since it was accepted/ } });
  for (const at of clients) {
    t.match(await invoke(at, 'tools.tools.other'), { status: 201 });
    await until(async () => await offered(at) === 'other');
    t.match(await invoke(at, 'tools.tools.act'),
      { status: 404, body: { code: 'unknown_action' } });
  }
  t.match(await refresh(server, false), { revision: 3, actions: { read: 1, quarantined: 1 } });
  t.match(await refresh(server, true), { revision: 4,
    actions: { read: 1, write: 1, quarantined: 0 } });
  for (const at of clients) {
    t.match(await invoke(at, 'tools.tools.act'), { status: 403 }, 'it does not only read any more');
  }
  await grantTo(server, 'allow', 'tools.tools.act');
  t.match((await agentCall(node.client, 'tools.tools.act')).result, { ok: true });
});

t.test('a call under way is not cut off by a refresh', async (t) => {
  const { made, client } = await connected(t, [LOOK]);
  const asked = Promise.withResolvers<() => void>();
  made.fake.answers['tools/call'] = (message, response) => {
    if (message.params?.name !== 'look') return json(response, result(message, { content: [] }));
    asked.resolve(() => json(response, result(message, { structuredContent: { seen: 'late' } })));
  };
  const call = invoke(client, 'tools.tools.look');
  const answer = await asked.promise;
  await until(async () => made.listeners.size === 1);
  made.tools = [LOOK, tool('fresh', reads)];
  made.announce();
  await until(async () => await offered(client) === 'fresh,look');
  t.match(await invoke(client, 'tools.tools.fresh'), { status: 201 });
  answer();
  t.match(await call, { status: 201, body: { status: 'completed', result: { seen: 'late' } } });
  await until(async () => made.listeners.size === 1); // The old session has ended, the new has not.
});

t.test('a refresh that fails changes nothing, and is made up for', async (t) => {
  const lines: string[] = [];
  const made = await announcing(t, [LOOK]);
  const server = await gatewayServer(t, { log: createServiceLog('warn', {
    destination: { write: (text: string) => void lines.push(text) } }) });
  const { client } = server;
  await addIntegration(server, offering(made));
  await connectAccount(server, 'tools');
  await listen(made, [client], 'tools.tools.look');
  made.tools = [LOOK, tool('fresh', reads)];
  const { initialize } = made.fake.answers;
  for (const status of [500, 401]) {
    lines.length = 0;
    made.fake.answers.initialize = (_message, response) => void response.writeHead(status).end();
    made.announce();
    await until(async () => lines.some((line) => line.includes('could not be refreshed')));
    t.match(await client.expect(200, 'getIntegration', slug),
      { revision: 1, actions: { read: 1 }, report: { imported: 1, warnings: [] } });
    t.match(await invoke(client, 'tools.tools.look'), { status: 201 }, 'its sessions go on');
  }
  made.fake.answers.initialize = initialize!;
  made.announce();
  await until(async () => await offered(client) === 'fresh,look');
  t.equal((await changesBySystem(server)).length, 1);
});

t.test('announcements of nothing new write nothing', async (t) => {
  const { made, client } = await connected(t, [LOOK]);
  await listen(made, [client], 'tools.tools.look');
  const lists = () => made.fake.methods().filter((method) => method === 'tools/list').length;
  const before = lists();
  made.announce();
  await until(async () => lists() > before);
  made.tools = [LOOK, tool('fresh', reads)];
  made.announce();
  await until(async () => await offered(client) === 'fresh,look');
  t.match(await client.expect(200, 'getIntegration', slug), { revision: 2 });
});

const textOf = (answer: unknown) => (answer as { body: { result: {
  content: { text: string }[] } } }).body.result.content[0]!.text;

t.test('a program keeps what it has in memory over refreshes', async (t) => {
  const server = await gatewayServer(t);
  const { client } = server;
  // The descriptions of its tools hold its pid: each import, in a process of its own, has others.
  const { mcp } = misbehaving('restless');
  const read = { effect: 'read' } as const;
  await addIntegration(server, { slug: 'tools', kind: 'mcp', mcp: mcp as never,
    overrides: { act: read, count: read } });
  await connectAccount(server, 'tools', { type: 'none' });
  const revision = async () => (await client.expect(200, 'getIntegration', slug)).revision;
  const count = async () => Number(textOf(await invoke(client, 'tools.tools.count')));
  t.equal(await count(), 1);
  t.match(await invoke(client, 'tools.tools.act'), { status: 201 }, 'which announces a change');
  await until(async () => await revision() === 2);
  t.equal(await count(), 3, 'refreshed by itself');
  await refresh(server, true);
  const overrides = { act: read, count: read, wait: { effect: 'destructive' } } as const;
  await client.expect(200, 'updateIntegration', { ...slug, body: { title: 'Other', overrides } });
  t.equal(await revision(), 4);
  t.equal(await count(), 4, 'or by the operator');
  await client.expect(200, 'updateIntegration', { ...slug,
    body: { mcp: { ...mcp as object, env: { OTHER: 'environment' } } } as never });
  t.equal(await count(), 1, 'another environment is another program');
});

t.test('sessions over HTTP go on as well, but not with another address or reach', async (t) => {
  const { made, client } = await connected(t, [LOOK]);
  await listen(made, [client], 'tools.tools.look');
  made.fake.received.length = 0;
  made.tools = [LOOK, tool('fresh', reads)];
  made.announce();
  await until(async () => await offered(client) === 'fresh,look');
  t.match(await invoke(client, 'tools.tools.fresh'), { status: 201 });
  const count = (name: string) => made.fake.methods().filter((method) => method === name).length;
  t.strictSame([count('initialize'), count('DELETE')], [1, 1], 'those of the import');
  const { url } = made.fake;
  for (const [times, body] of [
    { egress_allow: [new URL(url).host, '127.0.0.1:1'] },
    { mcp: { url: `${url}?other`, trust_hints: true } }].entries()) {
    await client.expect(200, 'updateIntegration', { ...slug, body });
    made.fake.received.length = 0;
    t.match(await invoke(client, 'tools.tools.look'), { status: 201 });
    t.equal(count('initialize'), 1, `another one, ${times}`);
    await until(async () => count('DELETE') === 1);
  }
});

t.test('a session that goes on sees what an operator has accepted', async (t) => {
  const { made, server, client } = await connected(t, [LOOK]);
  t.match(await invoke(client, 'tools.tools.look'), { status: 201 });
  made.tools = [OTHER_LOOK];
  await refresh(server, false);
  await refresh(server, true);
  t.match(await invoke(client, 'tools.tools.look', { at: 1 }), { status: 201 });
});

t.test('that trust changes nothing is said where the server gives no hints', async (t) => {
  const made = await announcing(t, [tool('act'), tool('look')]);
  const server = await gatewayServer(t);
  const said = /none of its tools that it only reads.*--effect '<tool>=read'$/;
  t.match(await addIntegration(server, offering(made)), { report: { warnings: [said] } });
  const changed = (body: object) => server.client.expect(200, 'updateIntegration',
    { ...slug, body });
  t.strictSame((await changed({ overrides: { look: { effect: 'read' } } })).report.warnings, []);
  t.match(await changed({ overrides: {} }), { report: { warnings: [said] } });
  t.strictSame((await changed({ mcp: { trust_hints: false } })).report.warnings, []);
});

t.test('of too many tools the first are offered, and the report says so', async (t) => {
  const many = Array.from({ length: 2_001 }, (_, n) => tool(`t${n}`, reads));
  const made = await announcing(t, many);
  const server = await gatewayServer(t);
  const { report, actions } = await addIntegration(server, offering(made));
  t.equal(actions.read, 2_000);
  t.strictSame(report.warnings, ['The server lists more tools than are taken: only the first 2000'
    + ' are, and no others are offered.']);
});
