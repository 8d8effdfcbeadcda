/** MCP servers that do not list their tools to the account that is connected. */
import t, { type Test } from 'tap';
import { fakeServer, json, result } from '../mcp/httpServer.ts';
import { untilSeen } from '../../support/until.ts';
import { fakeTools, tool } from './mcpTools.ts';
import { addIntegration, connectAccount, gatewayServer, type Credentials } from './support.ts';

const bearer = (token: string): Credentials => ({ type: 'bearer', token });
const GOOD = bearer('a-token-that-is-accepted');
const BAD = bearer('a-token-that-is-refused');

/** A service with the integration `tools`, whose server takes the tokens in `accepted` alone. */
async function strictTools(t: Test) {
  const fake = await fakeServer(t, {
    // Resources can be read besides, which is no tool.
    initialize: (message, response) => json(response, result(message, {
      protocolVersion: '2025-06-18', capabilities: { tools: {}, resources: {} },
      serverInfo: { name: 'tools', version: '1' } })),
    'tools/list': (message, response) => json(response, result(message, { tools: [tool('act')] })),
  });
  const accepted = new Set([GOOD]);
  for (const [method, answer] of Object.entries(fake.answers)) {
    fake.answers[method] = (message, response, request) => {
      const is_good = [...accepted].some((one) => one.type === 'bearer'
        && request.headers.authorization === `Bearer ${one.token}`);
      return is_good ? answer(message, response, request) : void response.writeHead(401).end();
    };
  }
  const server = await gatewayServer(t);
  const added = await addIntegration(server, fakeTools(fake));
  t.match(added.report, { imported: 0, warnings: [/Connect one/] });
  const { client } = server;
  const path = { slug: 'tools' };
  return {
    server, client, accepted, fake,
    check: (id: string) =>
      client.expect(200, 'checkConnection', { path: { connection_id: id } }),
    standing: (id: string) => client.expect(200, 'getConnection', { path: { connection_id: id } }),
    refresh: () => client.expect(200, 'refreshIntegration', { path, body: {} }),
    imported: () => untilSeen('its tools are listed', () =>
      client.expect(200, 'getIntegration', { path }), ({ report }) => report.imported > 0),
  };
}

t.test('a token that is refused from the start', async (t) => {
  const { server, client, check, refresh, imported } = await strictTools(t);
  const made = await connectAccount(server, 'tools', BAD);
  const refused = { status: 'needs_reconnect',
    status_reason: /refused its credentials when it was asked for its tools/ };
  t.match(made, refused, 'as soon as it is added');
  t.match(await check(made.id), { ok: false, status: 'needs_reconnect', action: 'tools/list',
    message: /refused its credentials.*connections reconnect con_/ });
  const { report } = await refresh();
  t.match(report.warnings, [/^The server has not listed its tools\..*refused its credentials/]);
  const path = { connection_id: made.id };
  await client.expect(200, 'updateConnection', { path, body: { credentials: GOOD } });
  await imported();
  t.match(await check(made.id), { ok: true, status: 'connected', action: 'tools/list',
    message: /listed its tools \(1\)/ });
});

t.test('a token that is refused later, and another account that is not', async (t) => {
  const { server, accepted, standing, refresh, check, imported } = await strictTools(t);
  const SECOND = bearer('a-token-of-somebody-else');
  accepted.add(SECOND);
  const first = await connectAccount(server, 'tools', GOOD, { name: 'first' });
  await imported();
  const second = await connectAccount(server, 'tools', SECOND, { name: 'second' });
  accepted.delete(GOOD);
  t.match(await refresh(), { report: { imported: 1, warnings: [] } }, 'the other one is asked');
  t.match(await standing(first.id), { status: 'needs_reconnect' });
  accepted.delete(SECOND);
  t.match((await refresh()).report, { warnings: [
    new RegExp(`not listed its tools\\. The credentials of the connection ${second.id}`)] });
  t.match(await standing(second.id), { status: 'needs_reconnect' });
  accepted.add(GOOD);
  t.match(await check(first.id), { ok: true, status: 'connected' }, 'it has been mended there');
});

t.test('without credentials there are none to refuse', async (t) => {
  const { server, check, refresh } = await strictTools(t);
  const { id, status } = await connectAccount(server, 'tools', { type: 'none' });
  t.equal(status, 'connected');
  t.match(await check(id), { ok: false, status: 'connected', action: 'tools/list',
    message: /has none that it accepts/ });
  t.match((await refresh()).report, { warnings: [/has none that it accepts/] });
});
