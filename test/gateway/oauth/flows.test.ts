/** Authorizations by a person, against a real OAuth server and against odd ones. */
import { createHash } from 'node:crypto';
import { OAuth2Server } from 'oauth2-mock-server';
import t, { type Test } from 'tap';
import { AuthorizationFailed, OAuthFlows } from '../../../src/gateway/oauth/flows.ts';
import type { OAuth2Client } from '../../../src/gateway/secrets/credentials.ts';
import { removeExpiredOAuthFlows } from '../../../src/store/oauthFlows.ts';
import { testDatabase } from '../../support/database.ts';
import { addConnection, addWorkspaces, masterKeys, statusOf } from '../secrets/support.ts';
import { age, oauthClient, processWith, tokenServer, type Answer } from './support.ts';

const REDIRECT_URI = 'http://127.0.0.1:3000/oauth/callback';
const reach = { session: null, fetchFor: async () => fetch };

async function mockServer(t: Test): Promise<OAuth2Server> {
  const server = new OAuth2Server();
  await server.issuer.keys.generate('RS256');
  await server.start(0, '127.0.0.1');
  t.teardown(() => server.stop());
  return server;
}

async function pending(t: Test, changes: Partial<OAuth2Client>) {
  const { sql } = await testDatabase(t);
  await addWorkspaces(sql, 'wsp_1', 'wsp_2');
  const key = await addConnection(sql, 'wsp_1', 'con_1');
  const { secrets, credentials } = processWith(t, sql, masterKeys('a'));
  await credentials.store(key, oauthClient(changes));
  const flows = new OAuthFlows({ sql, secrets, credentials });
  const target = { ...key, egress_allow: [] };
  return { sql, key, target, secrets, credentials, flows };
}

/** What a browser does that is sent to the other service: it comes back with this query. */
async function visit(url: string): Promise<URLSearchParams> {
  const response = await fetch(url, { redirect: 'manual' });
  const back = new URL(response.headers.get('location')!);
  back.search = '';
  if (back.href !== REDIRECT_URI) throw new Error(`sent back to ${back.href}`);
  return new URL(response.headers.get('location')!).searchParams;
}

async function failsFor(
  t: Test, work: Promise<unknown>, reason: AuthorizationFailed['reason'], message: string | RegExp,
) {
  const failed = await work.catch((error: unknown) => error);
  const { reason: found, message: said } = failed as Partial<AuthorizationFailed>;
  t.ok(failed instanceof AuthorizationFailed);
  t.equal(found, reason, typeof message === 'string' ? message : reason);
  if (typeof message !== 'string') t.match(said, message);
}

t.test('a person authorizes a connection, and it refreshes itself', async (t) => {
  const server = await mockServer(t);
  const url = server.issuer.url!;
  const { sql, key, target, credentials, flows } = await pending(t, {
    token_url: `${url}/token`, authorize_url: `${url}/authorize?tenant=1`,
    scopes: ['repo', 'gist'], authorize_parameters: { access_type: 'offline', state: 'mine' },
  });
  t.match(await statusOf(sql, key), { status: 'pending' });
  await t.rejects(credentials.for(target), { name: 'NeedsReconnect' });

  const started = await flows.start(key, { redirect_uri: REDIRECT_URI, session: null });
  const asked = new URL(started.url).searchParams;
  t.match(Object.fromEntries(asked), { tenant: '1', response_type: 'code', client_id: 'client 1',
    redirect_uri: REDIRECT_URI, scope: 'repo gist', access_type: 'offline',
    code_challenge_method: 'S256', code_challenge: /^[\w-]{43}$/, state: /^[\w-]{43}$/ });
  const left_ms = Date.parse(started.expires_at) - Date.now();
  t.ok(left_ms > 590_000 && left_ms <= 600_000 + 5_000, 'ten minutes');

  const [row] = await sql<{ state_sha256: Buffer; sealed: string }[]>`select * from oauth_flows`;
  t.ok(row!.state_sha256.equals(createHash('sha256').update(asked.get('state')!).digest()));
  t.match(row!.sealed, /^v1\./);

  const query = await visit(started.url);
  t.same(await flows.finish(query, reach), key);
  t.match(await statusOf(sql, key), { status: 'connected', status_reason: null });
  const first = await credentials.for(target);
  t.match(first.credentials, { type: 'oauth2', access_token: /^ey/ });

  let grants: unknown[] = [];
  server.service.on('beforeResponse', (_, request) => grants.push(request.body));
  await age(sql, key, 'expired');
  const second = await credentials.for(target);
  t.match(second.credentials, { type: 'oauth2', access_token: /^ey/ });
  t.not(second.version, first.version);
  t.match(grants, [{ grant_type: 'refresh_token', refresh_token: /^[\w-]{36}$/ }]);
  await failsFor(t, flows.finish(query, reach), 'unknown_state', 'its state was used');
});

t.test('the code counts only with the verifier of its own authorization', async (t) => {
  const server = await mockServer(t);
  const url = server.issuer.url!;
  const { sql, key, flows } = await pending(t, {
    token_url: `${url}/token`, authorize_url: `${url}/authorize` });
  const begin = async () =>
    await visit((await flows.start(key, { redirect_uri: REDIRECT_URI, session: null })).url);
  const [mine, theirs] = [await begin(), await begin()];
  mine.set('code', theirs.get('code')!);
  // The server answers invalid_request, which says nothing of the connection.
  await failsFor(t, flows.finish(mine, reach), 'unreachable',
    /answered 400 with invalid_request/);
  t.match(await statusOf(sql, key), { status: 'pending' });
});

t.test('a state counts once, for ten minutes, in its session', async (t) => {
  const { url, asked } = await tokenServer(t, () => ({ body: { access_token: 'a' } }));
  const { sql, key, secrets, flows } = await pending(t, {
    token_url: url, authorize_url: `${url}/authorize` });
  const begin = async (session: string | null = null) => {
    const started = await flows.start(key, { redirect_uri: REDIRECT_URI, session });
    const state = new URL(started.url).searchParams.get('state')!;
    return new URLSearchParams({ code: 'code-1', state });
  };

  const expired = await begin();
  const open = await begin();
  await sql`
    update oauth_flows set expires_at = now()
    where state_sha256 = ${createHash('sha256').update(expired.get('state')!).digest()}`;
  await failsFor(t, flows.finish(expired, reach), 'unknown_state', 'expired');
  await begin();
  await sql`update oauth_flows set expires_at = now() where state_sha256 <> ${
    createHash('sha256').update(open.get('state')!).digest()}`;
  await removeExpiredOAuthFlows(sql, 1_000);
  t.equal((await sql`select 1 from oauth_flows`).length, 1, 'those that expired are removed');

  const twice = new URLSearchParams(open);
  twice.append('state', open.get('state')!);
  await failsFor(t, flows.finish(twice, reach), 'unknown_state', 'two states');
  await failsFor(t, flows.finish(new URLSearchParams('code=1'), reach), 'unknown_state', 'none');
  await failsFor(t, flows.finish(new URLSearchParams('code=1&state=x'), reach), 'unknown_state',
    'another one');
  t.equal(asked.length, 0, 'no code was given away');
  const both = await Promise.allSettled([flows.finish(open, reach), flows.finish(open, reach)]);
  t.strictSame(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  t.equal(asked.length, 1);

  const otherSession = await begin('cookie-1');
  await failsFor(t, flows.finish(otherSession, { ...reach, session: 'cookie-2' }), 'unknown_state',
    'in another session');
  await failsFor(t, flows.finish(otherSession, { ...reach, session: 'cookie-1' }), 'unknown_state',
    'and then it is used up');
  await failsFor(t, flows.finish(await begin('cookie-1'), reach), 'unknown_state', 'in none');
  await failsFor(t, flows.finish(await begin(), { ...reach, session: 'cookie-1' }),
    'unknown_state', 'of none');
  t.same(await flows.finish(await begin('cookie-1'), { ...reach, session: 'cookie-1' }), key);

  // Somebody who can write to the table, but has no key.
  const moved = await begin();
  await addConnection(sql, 'wsp_2', 'con_1');
  await secrets.seal('wsp_2', { table: 't', connection_id: 'c', field: 'f' }, {});
  await sql`update oauth_flows set workspace_id = 'wsp_2'`;
  await failsFor(t, flows.finish(moved, reach), 'unknown_state', 'moved to another workspace');
});

t.test('GitHub and Slack authorize, too', async (t) => {
  const answers: [Answer, { token: string; scopes: string[]; expires: boolean }][] = [
    [{ headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
      body: 'access_token=gho_1&scope=gist%2Crepo&token_type=bearer' },
    { token: 'gho_1', scopes: ['gist', 'repo'], expires: false }],
    [{ body: { ok: true, app_id: 'A1', access_token: 'xoxb-1', token_type: 'bot',
      scope: 'chat:write,commands', expires_in: 43_200, refresh_token: 'xoxe-1',
      authed_user: { id: 'U1' } } },
    { token: 'xoxb-1', scopes: ['chat:write', 'commands'], expires: true }],
  ];
  for (const [answer, expected] of answers) {
    const { url, asked } = await tokenServer(t, () => answer);
    const { sql, key, target, credentials, flows } = await pending(t, {
      token_url: `${url}/access_token`, authorize_url: `${url}/authorize`, client_auth: 'post' });
    const started = await flows.start(key, { redirect_uri: REDIRECT_URI, session: null });
    const { state, code_challenge } = Object.fromEntries(new URL(started.url).searchParams);
    // `iss` and other members may come along.
    const query = new URLSearchParams({ code: 'c0de', state: state!, iss: 'https://x', y: '1' });
    await flows.finish(query, reach);
    const { form } = asked[0]!;
    t.match(form, { grant_type: 'authorization_code', code: 'c0de', redirect_uri: REDIRECT_URI,
      client_id: 'client 1', client_secret: 'client-secret-1' });
    t.equal(createHash('sha256').update(form.code_verifier!).digest('base64url'), code_challenge);
    t.same((await credentials.for(target)).credentials,
      { type: 'oauth2', access_token: expected.token });
    const [row] = await sql<{ granted_scopes: string[]; expires: boolean }[]>`
      select granted_scopes, expires_at is not null as expires from connection_secrets`;
    t.strictSame({ ...row }, { granted_scopes: expected.scopes, expires: expected.expires });
  }
});

t.test('one that comes to nothing leaves the connection as it was', async (t) => {
  let answer: Answer = { body: { error: 'bad_verification_code' } };
  const { url, asked } = await tokenServer(t, () => answer);
  const { sql, key, flows } = await pending(t, {
    token_url: url, authorize_url: `${url}/authorize` });
  const finish = async (query: Record<string, string>) => {
    const started = await flows.start(key, { redirect_uri: REDIRECT_URI, session: null });
    const state = new URL(started.url).searchParams.get('state')!;
    return await flows.finish(new URLSearchParams({ ...query, state }), reach);
  };
  await failsFor(t, finish({ error: 'access_denied' }), 'denied',
    /did not authorize the connection \(access_denied\)/);
  await failsFor(t, finish({ error: '<script>', code: 'x' }), 'denied', /\(no code came\)/);
  t.equal(asked.length, 0);
  await failsFor(t, finish({ code: 'x' }), 'refused', /refused the code/);
  answer = { status: 500, body: '' };
  await failsFor(t, finish({ code: 'x' }), 'unreachable',
    /^The token endpoint answered 500, and no token\.$/);
  t.match(await statusOf(sql, key), { status: 'pending', status_reason: null });
});

t.test('reconnecting keeps the connection, and its refresh token if no other comes', async (t) => {
  const { url, asked } = await tokenServer(t, (_, number) => ({
    body: { access_token: `a-${number}`, ...(number === 1 && { refresh_token: 'r-1' }) } }));
  const { sql, key, target, credentials, flows } = await pending(t, {
    token_url: url, authorize_url: `${url}/authorize` });
  const authorize = async () => {
    const started = await flows.start(key, { redirect_uri: REDIRECT_URI, session: null });
    const state = new URL(started.url).searchParams.get('state')!;
    return await flows.finish(new URLSearchParams({ code: 'x', state }), reach);
  };
  await authorize();
  await sql`update connections set status = 'needs_reconnect', status_reason = 'It expired.'`;
  t.same(await authorize(), key);
  t.match(await statusOf(sql, key), { status: 'connected', status_reason: null });
  await age(sql, key, 'expired');
  await credentials.for(target);
  t.equal(asked[2]!.form.refresh_token, 'r-1');

  await sql`update connections set status = 'disabled'`;
  await authorize();
  t.match(await statusOf(sql, key), { status: 'disabled' }, 'what is disabled stays so');
});

t.test('only a connection that a person authorizes can be begun', async (t) => {
  const { key, credentials, flows } = await pending(t, { authorize_url: null });
  const start = () => flows.start(key, { redirect_uri: REDIRECT_URI, session: null });
  await failsFor(t, start(), 'not_oauth', 'it has no address to authorize at');
  await credentials.store(key, { type: 'bearer', token: 'a-bearer-token' });
  await failsFor(t, start(), 'not_oauth', 'it has a token');
  await credentials.store(key, { type: 'none' });
  await failsFor(t, start(), 'not_oauth', 'it has nothing');
});
