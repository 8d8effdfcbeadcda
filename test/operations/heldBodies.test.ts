/** Who was revoked while the body of a request was on its way does nothing with it any more. */
import t, { type Test } from 'tap';
import { cookieIn } from '../support/dashboard.ts';
import { heldRequest } from '../support/heldRequest.ts';
import { newSession } from '../support/runs.ts';
import { testServer } from '../support/server.ts';

const server = await testServer(t);
const { client, sql, workspace_id } = server;
const held = (t: Test, head: string, body: object) =>
  heldRequest(t, client.base_url, head, body);
const MCP = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

const bearer = (path: string, token: string, method = 'POST') =>
  `${method} /v1${path} HTTP/1.1\r\nAuthorization: Bearer ${token}`;

t.test('an admin token', async (t) => {
  const { id, admin_token } = await client.expect(201, 'createAdminToken', { body: { name: 'x' } });
  const requests = [
    await held(t, bearer('/admin/admin_tokens', admin_token!), { name: 'another' }),
    await held(t, bearer('/admin/api_keys', admin_token!), { workspace_id, name: 'another' }),
    await held(t, bearer('/admin/grants', admin_token!),
      { workspace_id, actions: '*', decision: 'allow' }),
  ];
  await client.expect(204, 'revokeAdminToken', { path: { admin_token_id: id } });
  for (const finish of requests) t.equal(await finish(), 401);
  t.same(await sql`select from admin_tokens where name = 'another'`, []);
  t.same(await sql`select from api_keys where name = 'another'`, []);
});

t.test('an api key', async (t) => {
  const { id, api_key } = await client.expect(201, 'createApiKey',
    { body: { workspace_id, name: 'x' } });
  const session_id = await newSession(client);
  const requests = [
    await held(t, bearer('/sessions', api_key!), { title: 'another' }),
    await held(t, bearer(`/sessions/${session_id}`, api_key!, 'PATCH'), { title: 'another' }),
    await held(t, `POST /mcp HTTP/1.1\r\nAuthorization: Bearer ${api_key}`, MCP),
  ];
  await client.expect(204, 'revokeApiKey', { path: { api_key_id: id } });
  for (const finish of requests) t.equal(await finish(), 401);
  t.same(await sql`select from sessions where title = 'another'`, []);
});

t.test('who is signed in to the dashboard', async (t) => {
  const { status, body: { id }, headers } = await client.call('createDashboardSession',
    { body: { admin_token: client.admin_token! } }) as
    { status: number; body: { id: string }; headers: Headers };
  t.equal(status, 201);
  const cookie = cookieIn(headers);
  const finish = await held(t, 'POST /v1/admin/api_keys HTTP/1.1\r\nSec-Fetch-Site: same-origin'
    + `\r\nCookie: ${cookie}`, { workspace_id, name: 'a third' });
  await client.expect(204, 'revokeDashboardSession', { path: { dashboard_session_id: id } });
  t.equal(await finish(), 401);
  t.same(await sql`select from api_keys where name = 'a third'`, []);
});

t.test('who is not revoked is served, however slowly the body comes', async (t) => {
  const finish = await held(t, bearer('/sessions', client.api_key!), { title: 'slow' });
  t.equal(await finish(), 201);
});
