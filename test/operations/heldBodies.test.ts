/** Who was revoked while the body of a request was on its way does nothing with it any more. */
import { connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { cookieIn } from '../support/dashboard.ts';
import { newSession } from '../support/runs.ts';
import { testServer } from '../support/server.ts';
import { untilSeen } from '../support/until.ts';

/** For so long a credential that was good still is. */
const KNOWN_MS = 100;

const server = await testServer(t);
const { client, sql, workspace_id } = server;
const port = Number(new URL(client.base_url).port);

/** A request of which all but the last character has come. */
async function held(t: Test, head: string, body: object) {
  const text = JSON.stringify(body);
  const socket = connect(port, '127.0.0.1');
  t.teardown(() => socket.destroy());
  let answer = '';
  socket.setEncoding('utf8').on('data', (data) => { answer += data; });
  // Asked for so, the service says that it has read the head, and whom it is of.
  socket.write(`${head}\r\nHost: localhost\r\nConnection: close\r\nExpect: 100-continue\r\n`
    + `Content-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n`);
  await untilSeen('the word to go on', () => answer, (seen) => seen.includes('100 Continue'));
  socket.write(text.slice(0, -1));
  const began_ms = performance.now();
  return async () => {
    while (performance.now() - began_ms < KNOWN_MS + 1) await turn();
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(text.slice(-1));
    await closed;
    return Number(/HTTP\/1\.1 (?!100)(\d{3})/.exec(answer)?.[1]);
  };
}

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
