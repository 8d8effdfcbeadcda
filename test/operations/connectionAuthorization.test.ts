/** Connections that a person authorizes: there and back again, by way of /oauth/callback. */
import { OAuth2Server } from 'oauth2-mock-server';
import t from 'tap';
import type { Schemas } from '../support/client.ts';
import { connectPets, petIntegration, startPetStore } from '../support/petStore.ts';
import { testServer } from '../support/server.ts';

const server = await testServer(t);
const { client, sql, workspace_id, service } = server;
const origin = new URL(service.base_url).origin;
const store = await startPetStore(t);
const authority = new OAuth2Server();
await authority.issuer.keys.generate('RS256');
await authority.start(0, '127.0.0.1');
t.teardown(() => authority.stop());
const authority_url = authority.issuer.url!.replace('localhost', '127.0.0.1');
const egress_allow = [...store.egress_allow, new URL(authority_url).host];
await client.expect(201, 'createIntegration', { body: petIntegration(store, { egress_allow }) });

const credentials = {
  type: 'oauth2', grant: 'authorization_code', client_id: 'client', client_secret: 'client-secret',
  token_url: `${authority_url}/token`, authorize_url: `${authority_url}/authorize?tenant=1`,
  scopes: ['pets:read', 'pets:write'],
} as const satisfies Schemas['Credentials'];
type Connection = Schemas['Connection'];

const pending = () => connectPets(client, workspace_id, { credentials: { ...credentials,
  scopes: [...credentials.scopes] } });
const pathOf = ({ id }: Connection) => ({ path: { connection_id: id } });
const get = (connection: Connection) =>
  client.expect(200, 'getConnection', pathOf(connection));
const update = (connection: Connection, body: object) =>
  client.expect(200, 'updateConnection', { ...pathOf(connection), body });

/** What a browser does: it goes there, is sent back, and shows what it sees then. */
async function consent({ authorization_url }: Connection) {
  const there = await fetch(authorization_url!, { redirect: 'manual' });
  const back = there.headers.get('location')!;
  return { back, ...await show(back) };
}

async function show(url: string) {
  const response = await fetch(url);
  return { status: response.status, headers: response.headers, page: await response.text() };
}

t.test('pending, until somebody has consented', async (t) => {
  const connection = await pending();
  t.match(connection, { status: 'pending', auth_type: 'oauth2', granted_scopes: [] });
  const url = new URL(connection.authorization_url!);
  t.equal(url.origin + url.pathname, `${authority_url}/authorize`);
  t.match(Object.fromEntries(url.searchParams), {
    tenant: '1', client_id: 'client', response_type: 'code', scope: 'pets:read pets:write',
    redirect_uri: `${origin}/oauth/callback`, code_challenge_method: 'S256', state: /^.{43}$/ });
  t.equal((await get(connection)).authorization_url, null, 'only in the answer that began it');
  t.match(await client.expect(200, 'checkConnection', pathOf(connection)),
    { ok: false, status: 'pending' });
  const call = { body: { action: 'pets.pets.list', connection_id: connection.id } };
  t.match(await client.expect(409, 'createActionInvocation', call), { code: 'not_connected' });

  const { status, headers, page } = await consent(connection);
  t.match([status, page], [200, /The account is connected.*pets/]);
  t.match(Object.fromEntries(headers), { 'content-type': 'text/html; charset=utf-8',
    'referrer-policy': 'no-referrer', 'content-security-policy': /default-src 'none'/ });
  t.match(await get(connection), { status: 'connected', expires_at: String });
  await client.expect(201, 'createActionInvocation', call);
  t.match(store.visits.at(-1)!.headers.authorization, /^Bearer ey/);
});

t.test('a consent counts once', async (t) => {
  const connection = await pending();
  const { back } = await consent(connection);
  t.match(await show(back), { status: 400, page: /not connected.*begun again/ });
  t.match(await get(connection), { status: 'connected' }, 'and changes nothing');
});

t.test('what comes to nothing leaves the connection pending', async (t) => {
  const callback = `${origin}/oauth/callback`;
  for (const query of ['', '?state=unknown&code=x', '?state=a&state=b&code=x', '?code=x',
    `?state=${'x'.repeat(5_000)}&code=x`, '?state=%00&code=%00']) {
    t.match(await show(callback + query), { status: 400, page: /not connected/ }, query);
  }
  const connection = await pending();
  const state = new URL(connection.authorization_url!).searchParams.get('state')!;
  const denied = await show(`${callback}?state=${state}&error=<b>access_denied</b>`);
  t.match(denied, { status: 400, page: /did not authorize/ });
  t.notMatch(denied.page, '<b>');
  t.match(await consent(connection), { status: 400 }, 'its state is used up');
  const other = await pending();
  authority.service.once('beforeResponse', (answer) => {
    answer.statusCode = 400;
    answer.body = { error: 'invalid_grant' };
  });
  t.match(await consent(other), { status: 400, page: /refused the code/ });
  for (const one of [connection, other]) t.match(await get(one), { status: 'pending' });
});

t.test('ten minutes are enough', async (t) => {
  const connection = await pending();
  await sql`update oauth_flows set expires_at = now() where connection_id = ${connection.id}`;
  t.match(await consent(connection), { status: 400, page: /begun again/ });
});

t.test('it can be begun again, and an account authorized anew', async (t) => {
  const connection = await pending();
  const again = await update(connection, { credentials });
  t.not(again.authorization_url, connection.authorization_url);
  t.match(await consent(again), { status: 200 });
  t.match(await update(connection, { name: 'x' }),
    { status: 'connected', authorization_url: null });
  const anew = await update(connection, { credentials });
  t.match(anew, { status: 'pending', authorization_url: String });
  t.match(await consent(anew), { status: 200 });
  t.match(await get(connection), { status: 'connected' });
});

t.test('one that was disabled before anybody consented', async (t) => {
  const connection = await pending();
  await update(connection, { status: 'disabled' });
  t.match(await consent(connection), { status: 200 });
  t.match(await get(connection), { status: 'disabled' }, 'stays so');
  t.match(await update(connection, { status: 'connected' }), { status: 'connected' });
  const other = await pending();
  await update(other, { status: 'disabled' });
  const enabled = await update(other, { status: 'connected' });
  t.match(enabled, { status: 'pending', authorization_url: String });
  t.match(await consent(enabled), { status: 200 });
});

t.test('tokens that are there already need nobody\'s consent', async (t) => {
  t.match(await connectPets(client, workspace_id, { credentials: {
    ...credentials, scopes: [], access_token: 'given', refresh_token: 'given, too' } }),
  { status: 'connected', authorization_url: null });
});

t.test('the audit log tells of both ends, and of no secret', async (t) => {
  const connection = await pending();
  const { back } = await consent(connection);
  const { data } = await client.expect(200, 'listAuditEntries',
    { query: { target: connection.id, order: 'asc' } });
  t.match(data, [
    { event: 'connection.created', actor: { type: 'admin' }, details: { auth_type: 'oauth2' } },
    { event: 'connection.authorized', actor: { type: 'system', id: null }, workspace_id },
  ]);
  const text = JSON.stringify(data);
  for (const name of ['code', 'state']) {
    t.notMatch(text, new URL(back).searchParams.get(name)!, name);
  }
  t.notMatch(text, 'client-secret');
});
