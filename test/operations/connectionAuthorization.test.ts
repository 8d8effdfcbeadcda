/** Connections that a person authorizes: there from /oauth/start, and back to /oauth/callback. */
import t from 'tap';
import { Browser } from '../support/browser.ts';
import type { Schemas } from '../support/client.ts';
import { startOAuthServer } from '../support/oauthServer.ts';
import { connectPets, petIntegration, startPetStore } from '../support/petStore.ts';
import { testServer } from '../support/server.ts';
import { soundness } from '../support/soundness.ts';
import { whileTableIsHeld } from '../support/until.ts';

const server = await testServer(t);
const { client, sql, workspace_id, service } = server;
const origin = new URL(service.base_url).origin;
const store = await startPetStore(t);
const authority = await startOAuthServer(t);
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

/** A person consents, in a browser of their own. */
const consent = ({ authorization_url }: Connection, browser = new Browser()) =>
  browser.consent(authorization_url!);

t.test('pending, until somebody has consented', async (t) => {
  const connection = await pending();
  t.match(connection,
    { status: 'pending', auth_type: 'oauth2', granted_scopes: [], authorized_at: null });
  t.equal(connection.authorization_url!.slice(0, -43), `${origin}/oauth/start?ticket=`);
  t.match(connection.authorization_url, /[\w-]{43}$/);
  t.equal((await get(connection)).authorization_url, null, 'only in the answer that began it');
  t.match(await client.expect(200, 'checkConnection', pathOf(connection)),
    { ok: false, status: 'pending' });
  const call = { body: { action: 'pets.pets.list', connection_id: connection.id } };
  t.match(await client.expect(409, 'createActionInvocation', call), { code: 'not_connected' });

  const { status, headers, page, sent } = await consent(connection);
  const url = new URL(sent[0]!);
  t.equal(url.origin + url.pathname, `${authority_url}/authorize`);
  t.match(Object.fromEntries(url.searchParams), {
    tenant: '1', client_id: 'client', response_type: 'code', scope: 'pets:read pets:write',
    redirect_uri: `${origin}/oauth/callback/pets`, code_challenge_method: 'S256',
    state: /^.{43}$/ });
  t.match([status, page], [200, /The account is connected.*pets/]);
  t.match(Object.fromEntries(headers), { 'content-type': 'text/html; charset=utf-8',
    'referrer-policy': 'no-referrer', 'content-security-policy': /default-src 'none'/ });
  t.match(await get(connection), { status: 'connected', expires_at: String });
  await client.expect(201, 'createActionInvocation', call);
  t.match(store.visits.at(-1)!.headers.authorization, /^Bearer ey/);
});

t.test('while the database is away a page says so, and what was begun can go on', async (t) => {
  const connection = await pending();
  const browser = new Browser();
  const away = (address: string) => whileTableIsHeld(sql, 'oauth_flows', async () => {
    const { status, headers, page } = await browser.open(address);
    t.match([status, page, headers.get('retry-after')], [503, /Wait for a few seconds/, '1']);
  });
  await away(connection.authorization_url!);
  const back = await browser.leave(connection.authorization_url!);
  await away(back);
  t.equal((await browser.open(back)).status, 200, 'the cookie is still there');
  t.match(await get(connection), { status: 'connected' });
});

t.test('the address opens once, and gives the browser a cookie for the way back', async (t) => {
  const { authorization_url } = await pending();
  const browser = new Browser();
  t.match(await browser.open(authorization_url!, { method: 'HEAD' }), { status: 200, page: '' });
  t.strictSame(browser.cookies, {}, 'a program that looks at links does not use it up');

  const { status, headers, location, page } = await browser.open(authorization_url!);
  t.equal(status, 303);
  t.match(Object.fromEntries(headers), { 'cache-control': 'no-store',
    'referrer-policy': 'no-referrer' });
  t.match(headers.getSetCookie(), [new RegExp('^gatehouse_oauth_[0-9a-f]{16}=[\\w-]{43};'
    + ' Max-Age=600; Path=/oauth; HttpOnly; SameSite=Lax$')]);
  const [[name, cookie] = []] = Object.entries(browser.cookies);
  const { state, code_challenge } = Object.fromEntries(new URL(location!).searchParams);
  for (const text of [location, authorization_url]) t.notMatch(text, cookie!);
  t.notMatch(authorization_url, state!);
  for (const secret of [state!, code_challenge!, cookie!]) t.notMatch(page, secret);

  for (const again of [browser, new Browser()]) {
    t.match(await again.open(authorization_url!),
      { status: 400, page: /not connected.*opened before, or has expired/, location: null });
  }
  const { page: connected, headers: last, sent } = await browser.consent(location!);
  t.match(connected, 'The account is connected');
  t.match((await browser.open(sent.at(-1)!)).page, /by this address.*changes nothing/,
    'loaded again');
  t.match(last.getSetCookie(), [`${name}=; Max-Age=0; Path=/oauth; HttpOnly; SameSite=Lax`]);
  t.strictSame(browser.cookies, {});
});

t.test('at its end the browser goes where an application says', async (t) => {
  const return_url = 'https://app.example/accounts?tab=2';
  const connection = await client.expect(201, 'createConnection', { body: {
    workspace_id, integration: 'pets', name: 'returning', return_url,
    credentials: { ...credentials, scopes: [...credentials.scopes] } } });
  const browser = new Browser();
  const begun = await browser.leave(connection.authorization_url!);
  const denied = new URL(begun);
  denied.searchParams.delete('code');
  denied.searchParams.set('error', 'access_denied');
  t.match(await browser.open(denied.href), { status: 303,
    location: `${return_url}&connection_id=${connection.id}&status=failed&reason=denied` });
  t.strictSame(browser.cookies, {});
  t.match(await get(connection), { status: 'pending', status_reason: /did not authorize/ });

  const { authorization_url } = await update(connection, { credentials, return_url });
  const { status, location, headers } = await browser.open(
    await browser.leave(authorization_url!));
  t.equal(status, 303);
  t.equal(location, `${return_url}&connection_id=${connection.id}&status=connected`);
  t.equal(headers.get('referrer-policy'), 'no-referrer');
  t.strictSame(browser.cookies, {});
  t.match(await get(connection), { status: 'connected' });

  t.match(await browser.open(begun), { status: 400, location: null },
    'whoever has not begun it stays here');
  for (const wrong of ['javascript:alert(1)', '/accounts', 'https://[']) {
    t.match(await client.expect(400, 'updateConnection', { ...pathOf(connection),
      body: { return_url: wrong } }), { code: 'invalid_request', param: '/return_url' });
  }
});

t.test('behind HTTPS, in a folder', async (t) => {
  const node = await testServer(t, { database: server, config: {
    master_keys: server.config.master_keys, public_url: 'https://x.example/gatehouse/' } });
  const { authorization_url } = await node.client.expect(200, 'updateConnection',
    { ...pathOf(await pending()), body: { credentials } });
  t.match(authorization_url, /^https:\/\/x\.example\/gatehouse\/oauth\/start\?ticket=/);
  const { headers, location } = await new Browser().open(authorization_url!
    .replace('https://x.example/gatehouse', new URL(node.service.base_url).origin));
  t.match(headers.get('set-cookie'), '; Path=/gatehouse/oauth; HttpOnly; SameSite=Lax; Secure');
  t.equal(new URL(location!).searchParams.get('redirect_uri'),
    'https://x.example/gatehouse/oauth/callback/pets');
});

t.test('behind HTTPS, alone on its host: no neighbour plants an authorization of its own',
  async (t) => {
    const node = await testServer(t, { database: server, config: {
      master_keys: server.config.master_keys, public_url: 'https://x.example/' } });
    const here = (address: string) =>
      address.replace('https://x.example', new URL(node.service.base_url).origin);
    const { authorization_url } = await node.client.expect(200, 'updateConnection',
      { ...pathOf(await pending()), body: { credentials } });
    const { headers, location } = await new Browser().open(here(authorization_url!));
    t.match(headers.getSetCookie(), [new RegExp('^__Host-gatehouse_oauth_[0-9a-f]{16}=[\\w-]{43};'
      + ' Max-Age=600; Path=/; HttpOnly; SameSite=Lax; Secure$')]);
    const own = headers.getSetCookie()[0]!.split(';')[0]!;
    const back = here((await new Browser().open(location!)).location!);
    // Browsers take `__Host-` from this host alone, and the other name from any below the domain.
    const end = (cookie: string) => fetch(back, { headers: { cookie } });
    t.equal((await end(own.replace('__Host-', ''))).status, 400);
  });

t.test('what was registered before integrations had addresses of their own goes on', async (t) => {
  const path = { slug: 'pets' };
  t.match(await client.expect(200, 'getIntegration', { path }), { own_redirect: true });
  await client.expect(200, 'updateIntegration', { path, body: { own_redirect: false } });
  const connection = await pending();
  t.match(connection.settings, { redirect_uri: `${origin}/oauth/callback` });
  const { status, sent } = await consent(connection);
  t.equal(new URL(sent[0]!).searchParams.get('redirect_uri'), `${origin}/oauth/callback`);
  t.equal(status, 200);
  await client.expect(200, 'updateIntegration', { path, body: { own_redirect: true } });
  const own = await pending();
  t.match(own.settings, { redirect_uri: `${origin}/oauth/callback/pets` });
  const browser = new Browser();
  const back = await browser.leave(own.authorization_url!);
  t.match(await browser.open(back.replace('/callback/pets', '/callback')),
    { status: 400, page: /not connected/ }, 'not at the address of others');
});

t.test('what comes back to another browser is refused', async (t) => {
  const connection = await pending();
  const [mine, theirs] = [new Browser(), new Browser()];
  const back = await mine.leave(connection.authorization_url!);
  const unknown = { status: 400, page: /not connected.*in the browser that opened it/ };
  t.match(await theirs.open(back), unknown, 'one without a cookie');
  await theirs.leave((await pending()).authorization_url!);
  t.match(await theirs.open(back), unknown, 'one with the cookie of another authorization');
  const [name] = Object.keys(mine.cookies);
  const forged = await fetch(back, { headers: { cookie: `x=1; ${name}=${'x'.repeat(43)}` } });
  t.equal(forged.status, 400, 'one with another value');
  t.match(await get(connection), { status: 'pending' });
  t.match(await mine.open(back), { status: 200 }, 'and nobody has used it up');
});

t.test('several authorizations in one browser', async (t) => {
  const browser = new Browser();
  const [one, two] = [await pending(), await pending()];
  const first = await browser.leave(one.authorization_url!);
  const second = await browser.leave(two.authorization_url!);
  t.equal(Object.keys(browser.cookies).length, 2);
  t.match(await browser.open(first), { status: 200 });
  t.match(await browser.open(second), { status: 200 });
  for (const each of [one, two]) t.match(await get(each), { status: 'connected' });
  t.strictSame(browser.cookies, {});
});

t.test('a consent counts once', async (t) => {
  const connection = await pending();
  const browser = new Browser();
  const back = await browser.leave(connection.authorization_url!);
  const cookie = Object.entries(browser.cookies).map((pair) => pair.join('=')).join();
  t.match(await browser.open(back), { status: 200 });
  t.match(await browser.open(back), { status: 400, page: /not connected.*begun again/ });
  t.match((await fetch(back, { headers: { cookie } })).status, 400, 'with the cookie, too');
  t.match(await get(connection), { status: 'connected' }, 'and changes nothing');
});

t.test('a fault of ours on the way back: the same browser may try again', async (t) => {
  const connection = await pending();
  const browser = new Browser();
  const back = await browser.leave(connection.authorization_url!);
  await sql`alter table oauth_flows rename to oauth_flows_away`;
  t.match(await browser.open(back), { status: 500, page: /Try again/ });
  await sql`alter table oauth_flows_away rename to oauth_flows`;
  t.match(await browser.open(back), { status: 200, page: /is connected/ });
  t.match(await get(connection), { status: 'connected' });
  t.strictSame(browser.cookies, {});
});

t.test('what comes to nothing leaves the connection pending', async (t) => {
  const callback = `${origin}/oauth/callback`;
  for (const query of ['', '?state=unknown&code=x', '?state=a&state=b&code=x', '?code=x',
    `?state=${'x'.repeat(5_000)}&code=x`, '?state=%00&code=%00']) {
    t.match(await new Browser().open(callback + query),
      { status: 400, page: /not connected/ }, query);
  }
  const connection = await pending();
  const browser = new Browser();
  const back = await browser.leave(connection.authorization_url!);
  const { state } = Object.fromEntries(new URL(back).searchParams);
  const denied = await browser.open(`${callback}/pets?state=${state}&error=<b>access_denied</b>`);
  t.match(denied, { status: 400, page: /did not authorize/ });
  t.notMatch(denied.page, '<b>');
  t.strictSame(browser.cookies, {});
  t.match(await browser.open(back), { status: 400 }, 'its state is used up');
  const other = await pending();
  authority.service.once('beforeResponse', (answer) => {
    answer.statusCode = 400;
    answer.body = { error: 'invalid_grant' };
  });
  t.match(await consent(other), { status: 400, page: /refused the code/ });
  t.match(await get(connection), { status: 'pending',
    status_reason: /did not authorize the connection \(no code came\)/ });
  t.match(await get(other), { status: 'pending', status_reason: /refused the code/ });
  const third = await pending();
  authority.service.once('beforeResponse', (answer) => {
    answer.statusCode = 401;
    answer.body = { error: 'invalid_client' };
  });
  t.match(await consent(third), { status: 400 });
  t.match(await get(third), { status: 'pending', status_reason: /invalid_client/ });
  t.match(await client.expect(200, 'checkConnection', pathOf(third)),
    { ok: false, message: /pending.*invalid_client/ });
  t.match(await update(third, { credentials }), { status: 'pending', status_reason: null },
    'what has come to nothing says nothing of what is begun anew');
});

t.test('what is not said anew stays: client, secret, addresses, scopes', async (t) => {
  const connection = await pending();
  t.match(await consent(connection), { status: 200 });
  const again = await update(connection, { credentials: { type: 'oauth2' } });
  t.strictSame(again.settings, connection.settings);
  t.match(await consent(again), { status: 200 }, 'with the secret that it has');
  const fewer = await update(connection,
    { credentials: { type: 'oauth2', client_id: 'client', scopes: ['pets:read'] } });
  t.strictSame(fewer.settings, { ...connection.settings, scopes: ['pets:read'] });
  t.match(await client.expect(400, 'updateConnection', { ...pathOf(connection),
    body: { credentials: { type: 'oauth2', client_id: 'another' } } }),
  { param: '/credentials/grant' }, 'another client says it all itself');
  const key = { type: 'api_key', in: 'header', name: 'X-Key', value: 'one', prefix: 'Token' };
  t.match(await update(connection, { credentials: key }), { auth_type: 'api_key' });
  t.match(await update(connection, { credentials: { type: 'api_key', value: 'two' } }),
    { settings: { in: 'header', name: 'X-Key' } });
});

t.test('ten minutes are enough', async (t) => {
  const connection = await pending();
  await sql`update oauth_flows set expires_at = now() where connection_id = ${connection.id}`;
  t.match(await consent(connection), { status: 400, page: /opened before, or has expired/ });

  const opened = await pending();
  const browser = new Browser();
  const back = await browser.leave(opened.authorization_url!);
  await sql`update oauth_flows set expires_at = now() where connection_id = ${opened.id}`;
  t.match(await browser.open(back), { status: 400, page: /begun again/ });
  t.match(await get(opened), { status: 'pending' });
});

t.test('it can be begun again, and an account authorized anew', async (t) => {
  const connection = await pending();
  const again = await update(connection, { credentials });
  t.not(again.authorization_url, connection.authorization_url);
  t.match(await consent(again), { status: 200 });
  t.match(await update(connection, { name: 'x' }),
    { status: 'connected', authorization_url: null });
});

t.test('what is used stays until somebody has consented to the other', async (t) => {
  const connection = await pending();
  await consent(connection);
  await update(connection, { account_label: 'support' });
  const before = await get(connection);
  await sql`update connections set status = 'needs_reconnect' where id = ${connection.id}`;
  const other = { credentials: { ...credentials, scopes: ['pets:read'] }, account_label: 'sales' };
  const anew = await update(connection, other);
  t.match(anew, { authorization_url: String, settings: { scopes: ['pets:read'] } });
  const later = await update(connection, other);
  t.match(await new Browser().open(anew.authorization_url!), { status: 400 }, 'the later counts');
  const browser = new Browser();
  const back = (await browser.leave(later.authorization_url!)).replace('code=', 'error=');
  t.match(await browser.open(back), { status: 400, page: /The account stays as it was/ });
  t.match(await get(connection), { ...before, status: 'needs_reconnect', updated_at: String });
  const { data } = await client.expect(200, 'listAuditEntries',
    { query: { target: connection.id, limit: 2 } });
  t.match(data, [{ event: 'connection.authorized', outcome: 'failed', reason: /not authorize/ },
    { event: 'connection.reconnected', details: { awaits_consent: true } }]);
  t.match(await client.expect(200, 'checkConnection', pathOf(connection)),
    { ok: true, status: 'connected' }, 'it works as before');
  const last = await update(connection, other);
  t.match(last, { status: 'connected', authorized_at: before.authorized_at });
  t.match(await consent(last), { status: 200 });
  t.match(await get(connection), { account_label: 'sales' });
  t.ok((await get(connection)).authorized_at! > before.authorized_at!);
  t.match(await update(connection, { credentials: { type: 'oauth2' } }),
    { settings: { scopes: ['pets:read'] } }, 'the other is what it has');
});

t.test('another kind of credentials stays likewise', async (t) => {
  const connection = await connectPets(client, workspace_id);
  t.match(connection, { auth_type: 'bearer', authorized_at: String });
  const asked = await update(connection, { credentials });
  t.match(asked, { auth_type: 'bearer', status: 'connected', authorization_url: String });
  const other = await update(connection, { credentials: { type: 'bearer', token: 'another' } });
  t.match(await new Browser().open(asked.authorization_url!), { status: 400 },
    'others were given meanwhile');
  t.ok(other.authorized_at! > connection.authorized_at!);
  t.match(await consent(await update(connection, { credentials })), { status: 200 });
  t.match(await get(connection), { auth_type: 'oauth2', status: 'connected' });
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
  soundness(t, 'a secret in a text');
  const connection = await pending();
  const browser = new Browser();
  const back = await browser.leave(connection.authorization_url!);
  const cookies = Object.values(browser.cookies);
  await browser.open(back);
  const { data } = await client.expect(200, 'listAuditEntries',
    { query: { target: connection.id, order: 'asc' } });
  t.match(data, [
    { event: 'connection.created', actor: { type: 'admin' }, details: { auth_type: 'oauth2' } },
    { event: 'connection.authorized', actor: { type: 'system', id: null }, workspace_id },
  ]);
  const { ticket } = Object.fromEntries(new URL(connection.authorization_url!).searchParams);
  const { code, state } = Object.fromEntries(new URL(back).searchParams);
  const text = JSON.stringify(data);
  for (const secret of [ticket, code, state, ...cookies, 'client-secret']) {
    t.notMatch(text, secret!);
  }
});
