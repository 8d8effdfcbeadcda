/** Authorizations by a person, against a real OAuth server and against odd ones. */
import { createHash } from 'node:crypto';
import t, { type Test } from 'tap';
import { digestOf, type OAuth2Client } from '../../../src/gateway/credentials/credentials.ts';
import { AuthorizationFailed, type OpenedFlow } from '../../../src/gateway/credentials/flows.ts';
import { removeExpiredOAuthFlows } from '../../../src/store/oauthFlows.ts';
import { startOAuthServer } from '../../support/oauthServer.ts';
import { until } from '../../support/until.ts';
import { wrapped } from '../../support/writeNode.ts';
import { addConnection, masterKeys, statusOf } from '../vault/support.ts';
import {
  age, oauthClient, PATH, pending, processWith, REDIRECT_URI, store, tokenServer, type Answer,
} from './oauthSupport.ts';

const reach = { fetchFor: async () => fetch };

const sha256 = (text: string) => createHash('sha256').update(text).digest();

/** What a browser does that is sent to the other service: it comes back with this query. */
async function visit({ url }: OpenedFlow): Promise<URLSearchParams> {
  const response = await fetch(url, { redirect: 'manual' });
  const [back, query] = response.headers.get('location')!.split('?');
  if (back !== REDIRECT_URI) throw new Error(`sent back to ${back}`);
  return new URLSearchParams(query);
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
  const server = await startOAuthServer(t);
  const url = server.issuer.url!;
  const { sql, key, target, credentials, flows, begin } = await pending(t, {
    token_url: `${url}/token`, authorize_url: `${url}/authorize?tenant=1&access_type=offline`,
    scopes: ['repo', 'gist'],
  });
  t.match(await statusOf(sql, key), { status: 'pending' });
  await t.rejects(credentials.for(target), { name: 'NeedsReconnect' });

  const opened = await begin();
  const asked = new URL(opened.url).searchParams;
  t.match(Object.fromEntries(asked), { tenant: '1', response_type: 'code', client_id: 'client 1',
    redirect_uri: REDIRECT_URI, scope: 'repo gist', access_type: 'offline',
    code_challenge_method: 'S256', code_challenge: /^[\w-]{43}$/, state: /^[\w-]{43}$/ });
  const left_ms = Date.parse(opened.expires_at) - Date.now();
  t.ok(left_ms > 590_000 && left_ms <= 600_000 + 5_000, 'ten minutes');

  const [row] = await sql<{ state_sha256: Buffer; sealed: string }[]>`select * from oauth_flows`;
  t.ok(row!.state_sha256.equals(sha256(asked.get('state')!)));
  t.match(row!.sealed, /^v1\./);

  const query = await visit(opened);
  const back = { ...reach, session: opened.session, path: PATH };
  t.match(await flows.finish(query, back), key);
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
  await failsFor(t, flows.finish(query, back), 'unknown_state', 'its state was used');
});

t.test('what was planted in the address of a stored connection is not sent', async (t) => {
  const { begin } = await pending(t, { scopes: ['repo'],
    authorize_url: 'https://x.example/authorize?tenant=1&redirect_uri=https%3A%2F%2Felse.example'
      + '&state=s&STATE=s&scope=all&request_uri=u&redirect.uri=x&+redirect_uri=x'
      + '&redirect_uri%5B%5D=x&a=1;redirect_uri=x&redirect_uri%00=x&claims=x'
      + '&authorization_details=x' });
  const { searchParams } = new URL((await begin()).url);
  t.strictSame([...searchParams.keys()].sort(), ['client_id', 'code_challenge',
    'code_challenge_method', 'redirect_uri', 'response_type', 'scope', 'state', 'tenant']);
  t.match(Object.fromEntries(searchParams),
    { redirect_uri: REDIRECT_URI, scope: 'repo', state: /^[\w-]{43}$/ });
});

t.test('the code counts only with the verifier of its own authorization', async (t) => {
  const server = await startOAuthServer(t);
  const url = server.issuer.url!;
  const { sql, key, begin, finish } = await pending(t, {
    token_url: `${url}/token`, authorize_url: `${url}/authorize` });
  const [mine, theirs] = [await begin(), await begin()];
  await visit(mine);
  const { code } = Object.fromEntries(await visit(theirs));
  // The server answers invalid_request, which says nothing of the connection.
  await failsFor(t, finish(mine, { code: code! }), 'unreachable',
    /answered 400 with invalid_request/);
  t.match(await statusOf(sql, key), { status: 'pending' });
});

t.test('a ticket opens once, for ten minutes, and tells nothing', async (t) => {
  const { sql, key, flows } = await pending(t, { authorize_url: 'https://x.example/authorize' });
  const start = () => flows.start(key, { redirect_uri: REDIRECT_URI });
  const { ticket } = await start();
  const [stored] = await sql`select * from oauth_flows`;
  t.notMatch(JSON.stringify(stored), ticket, 'it is not stored');
  await sql`update oauth_flows set expires_at = now() + interval '1 minute'`;
  const both = await Promise.allSettled([flows.open(ticket), flows.open(ticket)]);
  t.strictSame(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  await failsFor(t, flows.open(ticket), 'unknown_ticket', /opened before, or has expired/);
  const opened = both.flatMap((one) => one.status === 'fulfilled' ? [one.value] : [])[0]!;
  t.equal(new Set([ticket, opened.state, opened.session]).size, 3, 'each is another secret');
  const [row] = await sql<{ session_sha256: Buffer; expires_at: string }[]>`
    select * from oauth_flows`;
  t.ok(Date.parse(row!.expires_at) - Date.now() > 590_000, 'ten more to consent');
  t.ok(row!.session_sha256.equals(sha256(opened.session)));
  t.notMatch(opened.url, opened.session);

  const late = await start();
  await sql`update oauth_flows set expires_at = now()`;
  await failsFor(t, flows.open(late.ticket), 'unknown_ticket', 'expired');
  for (const other of ['', 'x', opened.state]) {
    await failsFor(t, flows.open(other), 'unknown_ticket', 'another one');
  }
});

t.test('a state counts once, for ten minutes, in the browser that opened it', async (t) => {
  const { url, asked } = await tokenServer(t, () => ({ body: { access_token: 'a' } }));
  const { sql, key, secrets, flows, begin, finish } = await pending(t, {
    token_url: url, authorize_url: `${url}/authorize` });
  const code = { code: 'code-1' };
  const fails = (work: Promise<unknown>, why: string) => failsFor(t, work, 'unknown_state', why);

  const expired = await begin();
  const open = await begin();
  await sql`
    update oauth_flows set expires_at = now() where state_sha256 = ${sha256(expired.state)}`;
  await fails(finish(expired, code), 'expired');
  await begin();
  await sql`update oauth_flows set expires_at = now() - interval '1 day'
    where state_sha256 = ${sha256(expired.state)}`;
  t.equal(await removeExpiredOAuthFlows(sql, 1_000), 1, 'a day later');

  const back = { ...reach, session: open.session, path: PATH };
  const query = (text: string) => flows.finish(new URLSearchParams(text), back);
  await fails(query(`code=1&state=${open.state}&state=${open.state}`), 'two states');
  await fails(query('code=1'), 'none');
  await fails(query('code=1&state=x'), 'another one');

  const unopened = await flows.start(key, { redirect_uri: REDIRECT_URI });
  const theirs = await begin();
  for (const session of [null, '', theirs.session, unopened.ticket, open.state]) {
    await fails(flows.finish(new URLSearchParams({ ...code, state: open.state }),
      { ...reach, session, path: PATH }), 'in another browser, which has one of its own or none');
  }
  t.equal(asked.length, 0, 'no code was given away');
  t.equal((await sql`select from oauth_flows
    where state_sha256 = ${sha256(theirs.state)}`).length, 1, 'nor is that one used up');
  const both = await Promise.allSettled([finish(open, code), finish(open, code)]);
  t.strictSame(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  t.equal(asked.length, 1);
  await fails(finish(theirs, code), 'the connection was authorized by another one');

  // Somebody who can write to the table, but has no key.
  const moved = await begin();
  const { ticket } = await flows.start(key, { redirect_uri: REDIRECT_URI });
  await addConnection(sql, 'wsp_2', 'con_1');
  await secrets.seal('wsp_2', { table: 't', row: 'c', field: 'f' }, {});
  await sql`update oauth_flows set workspace_id = 'wsp_2'`;
  await fails(finish(moved, code), 'moved to another workspace');
  await failsFor(t, flows.open(ticket), 'unknown_ticket', 'moved to another workspace');
});

t.test('an answer of another server is refused, and its code is sent nowhere', async (t) => {
  const { url, asked } = await tokenServer(t,
    () => ({ body: { access_token: 'a', token_type: 'bearer' } }));
  const urls = { token_url: `${url}/token`, authorize_url: `${url}/authorize` };
  const ISSUER = 'https://login.example/tenant';
  type Names = (string | null)[];
  const tries: [client: Partial<OAuth2Client>, good: Names, bad: Names][] = [
    [{}, [null, url, `${url}/login`], ['https://evil.example', 'no address', '']],
    [{ issuer: ISSUER }, [null, ISSUER], [url, 'https://login.example', `${ISSUER}/`]],
    [{ issuer: ISSUER, sends_issuer: true }, [ISSUER], [null, url]],
  ];
  for (const [client, good, bad] of tries) {
    const { begin, finish } = await pending(t, { ...urls, ...client });
    const withIss = (iss: string | null): Record<string, string> => (iss === null ? {} : { iss });
    for (const iss of bad) {
      await failsFor(t, finish(await begin(), { code: 'x', ...withIss(iss) }), 'wrong_issuer',
        /not of the service that was asked.*--issuer/);
    }
    await failsFor(t, finish(await begin(), { error: 'access_denied', iss: 'https://x' }),
      'wrong_issuer', 'nor does it say that it was denied');
    t.equal(asked.length, 0);
    for (const iss of good) await finish(await begin(), { code: 'x', ...withIss(iss) });
    asked.length = 0;
  }
});

t.test('a browser comes back where it was sent, and nowhere else', async (t) => {
  const { url } = await tokenServer(t,
    () => ({ body: { access_token: 'a', token_type: 'bearer' } }));
  const { flows, key } = await pending(t, { token_url: `${url}/t`, authorize_url: `${url}/a` });
  const back = async (sent: string, path: string) => {
    const { ticket } = await flows.start(key, { redirect_uri: `https://x.example/in${sent}` });
    const { state, session } = await flows.open(ticket);
    return await flows.finish(new URLSearchParams({ code: 'x', state }),
      { ...reach, session, path });
  };
  for (const [sent, path] of [[PATH, `${PATH}/evil`], [`${PATH}/pets`, PATH],
    [`${PATH}/pets`, `${PATH}/evil`]] as const) {
    await failsFor(t, back(sent, path), 'unknown_state', `${sent} is not ${path}`);
  }
  for (const path of [PATH, `${PATH}/pets`]) t.match(await back(path, path), key);
});

t.test('GitHub and Slack authorize, too, and one that repeats secrets', async (t) => {
  const answers: [Answer, { token: string; scopes: string[]; expires: boolean }][] = [
    [{ headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
      body: 'access_token=gho_1&scope=gist%2Crepo&token_type=bearer' },
    { token: 'gho_1', scopes: ['gist', 'repo'], expires: false }],
    [{ body: { ok: true, app_id: 'A1', access_token: 'xoxb-1', token_type: 'bot',
      scope: 'chat:write,commands', expires_in: 43_200, refresh_token: 'xoxe-1',
      authed_user: { id: 'U1' } } },
    { token: 'xoxb-1', scopes: ['chat:write', 'commands'], expires: true }],
    [{ body: { access_token: 'access-1', scope: 'all access-1 client-secret-1' } },
      { token: 'access-1', scopes: ['all', '[secret]', '[secret]'], expires: false }],
  ];
  for (const [answer, expected] of answers) {
    const { url, asked } = await tokenServer(t, () => answer);
    const { sql, target, credentials, begin, finish } = await pending(t, {
      token_url: `${url}/access_token`, authorize_url: `${url}/authorize`, client_auth: 'post' });
    const opened = await begin();
    const { code_challenge } = Object.fromEntries(new URL(opened.url).searchParams);
    // `iss` and other members may come along.
    await finish(opened, { code: 'c0de', iss: `${url}/login/oauth`, y: '1' });
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

t.test('one that comes to nothing leaves the connection pending, and says why', async (t) => {
  let answer: Answer = { body: { error: 'bad_verification_code' } };
  const { url, asked } = await tokenServer(t, () => answer);
  const { sql, key, begin, finish } = await pending(t, {
    token_url: url, authorize_url: `${url}/authorize` });
  const whole = async (query: Record<string, string>) => await finish(await begin(), query);
  await failsFor(t, whole({ error: 'access_denied' }), 'denied',
    /did not authorize the connection \(access_denied\)/);
  for (const error of ['<script>', 'client-secret-1']) {
    await failsFor(t, whole({ error, code: 'x' }), 'denied', /\(no code came\)/);
  }
  t.equal(asked.length, 0);
  await failsFor(t, whole({ code: 'x' }), 'refused', /refused the code/);
  answer = { status: 500, body: '' };
  await failsFor(t, whole({ code: 'x' }), 'unreachable',
    /^The token endpoint answered 500, and no token\.$/);
  answer = { status: 400, body: { error: 'code-of-hers' } };
  await failsFor(t, whole({ code: 'code-of-hers' }), 'unreachable',
    /^The token endpoint answered 400 with an error of its own\.$/);
  answer = { status: 500, body: '' };
  await failsFor(t, whole({ code: 'x' }), 'unreachable', /answered 500/);
  t.match(await statusOf(sql, key), { status: 'pending',
    status_reason: /^Its authorization failed: The token endpoint answered 500/ });
});

t.test('reconnecting keeps the connection, and no token of who had it before', async (t) => {
  const { url, asked } = await tokenServer(t, (_, number) => ({
    body: { access_token: `a-${number}`, ...(number === 1 && { refresh_token: 'r-1' }) } }));
  const { sql, key, target, credentials, begin, finish } = await pending(t, {
    token_url: url, authorize_url: `${url}/authorize` });
  const authorize = async () => await finish(await begin(), { code: 'x' });
  await authorize();
  await sql`update connections set status = 'needs_reconnect', status_reason = 'It expired.'`;
  t.match(await authorize(), key);
  t.match(await statusOf(sql, key), { status: 'connected', status_reason: null });
  await age(sql, key, 'expired');
  t.match((await credentials.for(target)).credentials, { access_token: 'a-2' });
  t.equal(asked.length, 2, 'it is not renewed by the token of another authorization');

  await sql`update connections set status = 'disabled'`;
  await authorize();
  t.match(await statusOf(sql, key), { status: 'disabled' }, 'what is disabled stays so');
});

t.test('links that were given before credentials are changed connect nothing', async (t) => {
  const held = Promise.withResolvers<void>();
  const { url, asked } = await tokenServer(t, async ({ form }) => {
    if (form.code === 'late') await held.promise;
    return { body: { access_token: `of-${form.code}` } };
  });
  const urls = { token_url: url, authorize_url: `${url}/authorize` };
  const { sql, key, target, credentials, flows, begin, finish } = await pending(t, urls);
  const token = async () => (await credentials.for(target)).credentials;
  const [unopened, opened, late, again] = [
    await flows.start(key, { redirect_uri: REDIRECT_URI }), await begin(), await begin(),
    await begin()];
  // It has come back already: of two accounts the last one is connected, and approvals of the
  // other's calls end.
  const coming = finish(late, { code: 'late' });
  await until(async () => asked.length === 1);
  await finish(again, { code: 'first' });
  t.match(await token(), { access_token: 'of-first' });
  await sql`insert into approvals (workspace_id, id, action, effect, connection_id, input,
      input_bytes, input_sha256, status, decided_at, expires_at)
    values ('wsp_1', 'apr_1', 'x.y', 'write', ${key.connection_id}, '{}', 2, '', 'approved', now(),
      now() + interval '1 hour')`;
  held.resolve();
  await coming;
  t.match(await token(), { access_token: 'of-late' });
  t.match(await sql`select reason, expires_at < now() as is_over from approvals`,
    [{ reason: 'account_changed', is_over: true }]);
  await failsFor(t, flows.open(unopened.ticket), 'unknown_ticket', 'not opened');
  await failsFor(t, finish(opened, { code: 'x' }), 'unknown_state', 'opened');

  const other = await begin();
  await store(sql, credentials, key, oauthClient({ ...urls, client_id: 'another' }));
  await failsFor(t, finish(other, { code: 'x' }), 'unknown_state', 'another client');
  t.equal(asked.length, 2, 'no code was given away');
});

t.test('a link that was made while the client was changed connects nothing', async (t) => {
  const { url, asked } = await tokenServer(t, () => ({ body: { access_token: 'a' } }));
  const urls = { token_url: url, authorize_url: `${url}/authorize` };
  const { sql, key, credentials, begin, finish } = await pending(t, urls);
  const opened = await begin();
  await sql`create table late as select * from oauth_flows`;
  await store(sql, credentials, key, oauthClient({ ...urls, client_id: 'another' }));
  await sql`insert into oauth_flows select * from late`;
  await failsFor(t, finish(opened, { code: 'x' }), 'unknown_state', 'of the client before');
  t.equal(asked.length, 0, 'no code was given away');
});

t.test('what a person consented to is stored though the database fails for a moment', async (t) => {
  const { sql, key, secrets, credentials, target } = await pending(t, {});
  const failed: string[] = [];
  const away = () => Promise.reject(Object.assign(new Error('away'), { code: '57P01' }));
  const failing = wrapped(new Proxy(sql, { get(inner, name, receiver) {
    if (name !== 'begin' || failed.includes(name)) return Reflect.get(inner, name, receiver);
    failed.push(name);
    return away;
  } }), (said, send) => {
    if (!said.startsWith('select c.status') || failed.length > 0) return send();
    failed.push('read');
    return away();
  });
  const client = (await credentials.oauthClient(key))!;
  await processWith(t, failing, masterKeys('a'), { secrets }).credentials.authorized(key,
    { client, before: digestOf(client) },
    { access_token: 'a', refresh_token: null, scopes: null, lifetime_s: null });
  t.same((await credentials.for(target)).credentials, { type: 'oauth2', access_token: 'a' });
  t.same(failed, ['read', 'begin']);
});

t.test('the code of one client is not connected to another, and its tokens go back', async (t) => {
  for (const [way, revokes] of [['changed', true], ['removed', true],
    ['changed', false]] as const) {
    const held = Promise.withResolvers<void>();
    const { url, asked } = await tokenServer(t, async (_, number) => {
      if (number > 1) return { status: revokes ? 200 : 503, body: '' };
      await held.promise;
      return { body: { access_token: 'access-1', refresh_token: 'refresh-1' } };
    });
    const urls = { token_url: url, authorize_url: `${url}/authorize`, revoke_url: `${url}/revoke` };
    const { sql, key, credentials, begin, finish } = await pending(t, urls);
    const coming = failsFor(t, finish(await begin(), { code: 'x' }), 'changed',
      revokes ? /removed or changed.* was given back/ : /removed or changed.* could not be given/);
    await until(async () => asked.length === 1);
    if (way === 'removed') await sql`delete from connections`;
    else await store(sql, credentials, key, oauthClient({ ...urls, client_id: 'another' }));
    held.resolve();
    await coming;
    t.strictSame(asked.slice(1).map(({ form }) => form.token),
      revokes ? ['refresh-1', 'access-1'] : ['refresh-1']);
    const entries = await sql<{ entry: string }[]>`select entry from audit_entries`;
    t.match(entries.map(({ entry }) => JSON.parse(entry)), [{ event: 'connection.revoked',
      actor: { type: 'system', id: null }, target: 'con_1', outcome: revokes ? 'ok' : 'failed',
      details: { authorized_meanwhile: true } }]);
    if (way === 'changed') t.match(await statusOf(sql, key), { status: 'pending' });
  }
});

t.test('only a connection that a person authorizes can be begun', async (t) => {
  const { sql, key, credentials, flows } = await pending(t, { authorize_url: null });
  const start = () => flows.start(key, { redirect_uri: REDIRECT_URI });
  await failsFor(t, start(), 'not_oauth', 'it has no address to authorize at');
  await store(sql, credentials, key, { type: 'bearer', token: 'a-bearer-token' });
  await failsFor(t, start(), 'not_oauth', 'it has a token');
  await store(sql, credentials, key, { type: 'none' });
  await failsFor(t, start(), 'not_oauth', 'it has nothing');
});
