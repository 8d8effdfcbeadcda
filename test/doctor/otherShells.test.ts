/** Shells that have other settings than the service beside them. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import t from 'tap';
import { announceNode } from '../../src/store/nodes.ts';
import { addWorkspaces } from '../gateway/vault/support.ts';
import { testDatabase } from '../support/database.ts';
import { listen } from '../support/listen.ts';
import { testServer } from '../support/server.ts';
import { addIntegration, found } from './support.ts';

t.test('a shell that has not the database of the service', async (t) => {
  const { client: { base_url, admin_token } } = await testServer(t);
  const service = { GATEHOUSE_BASE_URL: base_url, GATEHOUSE_ADMIN_TOKEN: admin_token! };
  const without = await found(t, service);
  t.match(without.database, { status: 'warning', found: /^none: there is no embedded one/,
    advice: /`gatehouse serve`, which makes one/ });
  const folder = t.testdir({ kept: { 'credentials.json': JSON.stringify({ base_url }) } });
  t.match((await found(t, { ...service, GATEHOUSE_DATA_DIR: `${folder}/kept` })).database, {
    status: 'warning', advice: /^Set DATABASE_URL as the service has it.* makes none beside it/,
  }, 'a start is refused there');
  t.match(without.workers, { status: 'ok', found: /^1 alive; .* \(as the service finds\)$/ });
  t.match(without.clock, { status: 'ok', found: /\(as the service finds\)$/ });
  t.match(without.schema, { status: 'skipped', found: /needs the database/ });
  const refused = await found(t, { ...service, GATEHOUSE_ADMIN_TOKEN: 'wrong'.repeat(9) });
  t.match(refused.workers, { status: 'skipped' }, 'only who may see it is told');

  const { url, sql } = await testDatabase(t);
  await addWorkspaces(sql, 'wsp_1');
  t.match((await found(t, { ...service, DATABASE_URL: url })).nodes, { status: 'warning',
    found: /answers, and no node tells of itself in this database/, advice: /^Set DATABASE_URL/ });
  t.match((await found(t, { DATABASE_URL: url })).nodes, { status: 'ok', found: /^none runs/ });
});

t.test('a shell that has not the address of the service', async (t) => {
  const { url, sql } = await testDatabase(t);
  await addWorkspaces(sql, 'wsp_1');
  const announced = async (role: string, pid: number, port = 4000) => await announceNode(sql, {
    id: randomUUID(), host: 'there', pid, master_keys: {}, settings: { role, port },
    worker_id: null, seals_with: null, clock_offset_ms: 0 }, 3_600_000);
  const nodes = async (environment = {}) =>
    (await found(t, { DATABASE_URL: url, ...environment })).nodes;
  await announced('worker', 1);
  t.match(await nodes(), { status: 'ok' }, 'it has no API');
  await announced('api', 2, 0);
  t.match(await nodes(), { status: 'warning',
    advice: /^A node told .* it has just died, or is elsewhere .* set GATEHOUSE_BASE_URL\.$/ });
  await announced('api', 3);
  t.match(await nodes(), { status: 'warning',
    advice: /^A node told .*_BASE_URL: process 3 on there \(api\) has port 4000\.$/ });
  const { client: { base_url } } = await testServer(t);
  t.match(await nodes({ GATEHOUSE_BASE_URL: base_url }), { status: 'ok' }, 'one answers');
});

t.test('a shell that has not the keys and commands of the node that runs', async (t) => {
  const { client: { base_url, admin_token }, sql, url } = await testServer(t, { config: {
    embedding_model: 'compatible/any', embedding_base_url: 'http://127.0.0.1:9/v1',
    mcp_stdio: '/opt/crm' } });
  await addIntegration(sql, 'crm', []);
  await sql`update integrations set mcp = '{"command":"/opt/crm"}' where slug = 'crm'`;
  await sql`insert into integration_actions (integration, source_key, name, effect, schema_hash)
    values ('crm', 'a', 'crm.a', 'read', 'x')`;
  const shell = { DATABASE_URL: url, GATEHOUSE_BASE_URL: base_url };
  const told = await found(t, { ...shell, GATEHOUSE_ADMIN_TOKEN: admin_token! });
  t.match(told.integrations, { status: 'ok', found: '1 (as the service finds)' });
  t.match(told.embeddings, { found: /^compatible\/any: .* \(as the service finds\)$/ });
  t.match((await found(t, shell)).embeddings, { status: 'skipped', found: /or an admin token/ });
  const foreign = await testServer(t);
  const mixed = { DATABASE_URL: url, GATEHOUSE_BASE_URL: foreign.client.base_url,
    GATEHOUSE_ADMIN_TOKEN: foreign.client.admin_token! };
  t.match((await found(t, mixed)).integrations,
    { status: 'warning', advice: /^crm: GATEHOUSE_MCP_STDIO of this shell/ });
});

t.test('a service below a path of a proxy, beside another one', async (t) => {
  const { client: { base_url, api_key, admin_token } } = await testServer(t);
  const below = new URL(base_url).origin;
  const proxy = createServer(async ({ url, headers: { authorization } }, response) => {
    if (!url!.startsWith('/gatehouse/')) return response.writeHead(404).end('{}');
    const { status, body } = await fetch(below + url!.slice('/gatehouse'.length),
      { headers: authorization === undefined ? {} : { authorization } });
    response.writeHead(status).end(await new Response(body).text());
  });
  const address = `http://127.0.0.1:${await listen(t, proxy)}/gatehouse`;
  for (const end of ['/v1', '/v1/', '']) {
    const findings = await found(t, { GATEHOUSE_BASE_URL: address + end,
      GATEHOUSE_API_KEY: api_key!, GATEHOUSE_ADMIN_TOKEN: admin_token! });
    t.match(findings.service, { status: 'ok', found: `answers at ${address}, and is ready` });
    t.match(findings.credentials, { status: 'ok', found: /api key .* is accepted; .*accepted$/ });
    t.match(findings.workers, { status: 'ok', found: /\(as the service finds\)$/ });
  }
});
