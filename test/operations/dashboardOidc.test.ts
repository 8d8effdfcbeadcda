/** Signing in to the dashboard by an identity provider: there from /dashboard/oidc, and back. */
import type { ServerResponse } from 'node:http';
import { OAuth2Server } from 'oauth2-mock-server';
import t from 'tap';
import { createServiceLog } from '../../src/service.ts';
import { Browser } from '../support/browser.ts';
import { browserOf } from '../support/dashboard.ts';
import { freePort } from '../support/freePort.ts';
import { startOAuthServer } from '../support/oauthServer.ts';
import { testServer } from '../support/server.ts';

const CLIENT_ID = 'gatehouse';
const provider = await startOAuthServer(t);
const issuer = provider.issuer.url!;
/** What the token of the next sign-in says besides the usual. */
let said: Record<string, unknown> = {};
/** What the provider says in its other answer. */
let userinfo: Record<string, unknown> = { sub: 'johndoe' };
let nonce: string | null = null;
/** What the next token request was sent with. */
let asked: Record<string, string> = {};
provider.service.on('beforeTokenSigning', (token: { payload: Record<string, unknown> }) => {
  Object.assign(token.payload,
    { sub: 'johndoe', aud: CLIENT_ID, ...(nonce !== null && { nonce }), ...said });
});
provider.service.on('beforeResponse', (_answer, request: { body: typeof asked }) => {
  asked = request.body;
});
provider.service.on('beforeUserinfo', (answer: { body: unknown }) => { answer.body = userinfo; });

const settings = {
  oidc_issuer: issuer, oidc_client_id: CLIENT_ID, oidc_client_secret: 'the-secret',
  oidc_viewers: '@example.com, group:Readers', oidc_operators: 'ada@example.com',
  oidc_admins: 'root@example.com,group:Owners,sub:the-root',
};
const server = await testServer(t, { config: { concurrency: 0, ...settings } });
const { client, sql, workspace_id } = server;
const origin = new URL(client.base_url).origin;
const start = `${origin}/dashboard/oidc`;

/** Goes to the provider and back; answers the page at the end, or where it leads to. */
async function signIn(
  claims: Record<string, unknown>, { browser = new Browser(), return_to = '' } = {}) {
  said = claims;
  const query = return_to === '' ? '' : `?${new URLSearchParams({ return_to })}`;
  const there = await browser.open(start + query);
  nonce = new URL(there.location!).searchParams.get('nonce');
  const back = await browser.open(there.location!);
  const visited = await browser.open(back.location!);
  const [name, secret] = Object.entries(browser.cookies)
    .find(([one]) => one.startsWith('gatehouse_dashboard')) ?? [];
  return { browser, there: new URL(there.location!), back: back.location!, visited,
    page: secret === undefined ? null : browserOf(server, `${name}=${secret}`) };
}

t.test('a person signs in, and the audit log has their address', async (t) => {
  t.strictSame(await client.expect(200, 'getDashboardSignIn'),
    { object: 'dashboard_sign_in', oidc: { issuer_name: new URL(issuer).host } });
  const { there, visited, page, browser } = await signIn(
    { email: 'Ada@Example.com', email_verified: true, name: 'Ada Lovelace' });
  t.match(Object.fromEntries(there.searchParams), { client_id: CLIENT_ID, response_type: 'code',
    scope: 'openid email profile', redirect_uri: `${origin}/dashboard/oidc/callback`,
    code_challenge_method: 'S256', code_challenge: /./, state: /.{40}/, nonce: /.{40}/ });
  t.match(asked, { code_verifier: /.{40}/, client_secret: 'the-secret' });
  t.match([visited.status, visited.location], [303, `${origin}/dashboard/`]);
  t.match(await page!.expect(200, 'getCurrentDashboardSession'),
    { role: 'operator', method: 'oidc', name: 'Ada Lovelace', current: true });
  t.strictSame(Object.keys(browser.cookies).filter((name) => name.startsWith('gatehouse_oidc')),
    [], 'what was kept for the way is gone');
  await page!.expect(201, 'createSession', { body: {} });
  t.match((await client.expect(200, 'listAuditEntries')).data[0],
    { event: 'session.created', actor: { type: 'person', id: 'ada@example.com' } });
});

t.test('who is what: the highest list that names them', async (t) => {
  const cases: [Record<string, unknown>, string | null][] = [
    [{ email: 'root@example.com', email_verified: true }, 'admin'],
    [{ email: 'somebody@example.com', email_verified: true }, 'viewer'],
    [{ email: 'somebody@example.com', email_verified: true, groups: ['Owners'] }, 'admin'],
    [{ email: 'x@elsewhere.example', groups: ['Readers', 'Others'] }, 'viewer'],
    [{ groups: ['Readers'] }, 'viewer'],
    [{ email: 'root@example.com' }, null],
    [{ email: 'root@example.com', email_verified: false }, null],
    [{ email: 'root@example.com', email_verified: 'false' }, null],
    [{ email: 'root@example.com', email_verified: false, groups: ['Readers'] }, 'viewer'],
    [{ email: 'x@elsewhere.example', email_verified: true }, null],
    [{ email: 'x@sub.example.com', email_verified: true }, null],
    [{ email: 'x@example.com@elsewhere.example', email_verified: true }, null],
    [{ email: '@example.com.elsewhere.example', email_verified: true }, null],
    [{ groups: ['owners', 'group:Owners', 'ada@example.com'] }, null],
    [{ groups: 'Owners' }, 'admin'], // As AD FS writes a single one.
    [{ sub: 'the-root' }, 'admin'],
    [{ sub: 'The-Root' }, null],
    [{ sub: 'x', preferred_username: 'the-root' }, null],
    [{ email: 'x', name: 'root@example.com', preferred_username: 'root@example.com' }, null],
    [{}, null],
  ];
  for (const [claims, role] of cases) {
    userinfo = { sub: claims.sub ?? 'johndoe' };
    const { page, visited } = await signIn(claims);
    if (role === null) {
      t.match([visited.status, page], [403, null], JSON.stringify(claims));
      t.match(visited.page, /You are not signed in.*GATEHOUSE_OIDC_VIEWERS/s);
    } else {
      t.match(await page!.expect(200, 'getCurrentDashboardSession'), { role },
        JSON.stringify(claims));
    }
  }
  t.ok((await client.expect(200, 'listAuditEntries',
    { query: { event: 'dashboard_session.refused' } })).data
    .some(({ actor, outcome }) => actor.type === 'person' && outcome === 'refused'));
});

t.test('an address that nobody has made sure of is named as the reason', async (t) => {
  const sub = 'unverified';
  userinfo = { sub };
  const { visited } = await signIn({ sub, email: 'root@example.com', email_verified: false });
  t.match(visited.page, /nobody of that name is let in here\. The e-mail .*email_verified/);
  t.notMatch((await signIn({ sub })).visited.page, 'email_verified', 'without one it is not why');
  t.match((await signIn({ sub })).visited.page, /Groups are let in, too, and .* names none/);
  t.match((await signIn({ sub, groups: ['/Readers', '<b>'] })).visited.page,
    /Nor are your groups, .*: &#34;\/Readers&#34;, &#34;&#60;b&#62;&#34;\. Ask/);
  userinfo = { sub: 'johndoe' };
});

t.test('a client that the provider does not accept is no matter of trying again', async (t) => {
  const lines: string[] = [];
  const other = await testServer(t, { database: server, config: { concurrency: 0, ...settings },
    log: createServiceLog('warn', {
      destination: { write: (line: string) => void lines.push(line) } }) });
  for (const [header, body] of [
    [{ 'www-authenticate': 'Basic realm="x"' }, {}], [{}, { error: 'invalid_client' }],
    [{}, { error: 'unauthorized_client' }]] as const) {
    provider.service.once('beforeResponse', (answer, request) => {
      answer.statusCode = 401;
      answer.body = body;
      const { res } = request as unknown as { res: ServerResponse };
      for (const [name, value] of Object.entries(header)) res.setHeader(name, value);
    });
    const browser = new Browser();
    const there = await browser.open(`${new URL(other.client.base_url).origin}/dashboard/oidc`);
    const back = await browser.open(there.location!);
    const { status, page } = await browser.open(back.location!);
    t.equal(status, 400);
    t.match(page, /does not accept this service as its client.*GATEHOUSE_OIDC_CLIENT_SECRET/);
    t.notMatch(page, 'ry again');
    t.match(lines.join(''), /(invalid|unauthorized)_client.*GATEHOUSE_OIDC_CLIENT_SECRET/);
    lines.length = 0;
  }
});

t.test('a subject that reads like an address is not taken for it', async (t) => {
  const sub = 'ada@example.com';
  userinfo = { sub };
  const { page, visited } = await signIn({ sub, groups: ['Readers'] });
  t.equal(visited.status, 303);
  t.match(await page!.expect(200, 'getCurrentDashboardSession'),
    { name: `sub:${sub}`, actor: { type: 'person', id: `sub:${sub}` } });
  t.match((await signIn({ sub })).visited.page, /You are sub:ada@example\.com to /);
  userinfo = { sub: 'a\0da' };
  t.equal((await signIn({ ...userinfo, groups: ['Readers'] })).visited.status, 303,
    'nor does one that no text of the database can hold keep anybody out');
  userinfo = { sub: 'johndoe' };
});

t.test('an address that the token does not have is asked for', async (t) => {
  userinfo = { sub: 'johndoe', email: 'root@example.com', email_verified: true, groups: [] };
  const { page } = await signIn({});
  t.match(await page!.expect(200, 'getCurrentDashboardSession'), { role: 'admin' });
  userinfo = { sub: 'another', email: 'root@example.com', email_verified: true };
  t.equal((await signIn({})).visited.status, 400, 'not of somebody else');
  userinfo = { sub: 'johndoe' };
});

t.test('whether an address is verified is said of that very one', async (t) => {
  const email = 'root@example.com';
  userinfo = { sub: 'johndoe', email: 'mallory@elsewhere.example', email_verified: true };
  t.equal((await signIn({ email })).visited.status, 403, 'of another one in the other answer');
  userinfo = { sub: 'johndoe', email };
  t.equal((await signIn({ email_verified: true })).visited.status, 403, 'of none in the token');
  userinfo = { sub: 'johndoe', email, email_verified: true };
  const { page } = await signIn({ email });
  t.match(await page!.expect(200, 'getCurrentDashboardSession'), { role: 'admin' });
  userinfo = { sub: 'johndoe' };
});

t.test('a token of another issuer, for another service, or of another time, is none', async (t) => {
  const email = 'root@example.com';
  const hour = Math.floor(Date.now() / 1_000) - 3_600;
  for (const claims of [{ iss: 'https://elsewhere.example' }, { aud: 'another' },
    { nonce: 'another' }, { nonce: undefined }, { exp: hour },
    { aud: [CLIENT_ID, 'b'], azp: 'b' }]) {
    const { visited, page } = await signIn({ email, email_verified: true, ...claims });
    t.match([visited.status, page], [400, null], JSON.stringify(claims));
    t.match(visited.page, 'exp' in claims ? /By the clock of this service.* has ended/
      : /not good, or not any more/);
  }
});

t.test('a token that another key has signed is none', async (t) => {
  const other = new OAuth2Server();
  await other.issuer.keys.generate('RS256');
  const kept = provider.issuer.keys.get()!;
  const forged = other.issuer.keys.get()!;
  const get = provider.issuer.keys.get.bind(provider.issuer.keys);
  provider.issuer.keys.get = () => ({ ...forged, kid: kept.kid }) as never;
  const { visited } = await signIn({ email: 'root@example.com', email_verified: true });
  provider.issuer.keys.get = get;
  t.equal(visited.status, 400);
});

t.test('only the browser that began it can end it, and once', async (t) => {
  const { browser, back } = await signIn({ email: 'root@example.com', email_verified: true });
  t.equal((await browser.open(back)).status, 400, 'once');
  const mine = new Browser();
  const there = await mine.open(start);
  nonce = new URL(there.location!).searchParams.get('nonce');
  const { location } = await mine.open(there.location!);
  const other = new Browser();
  t.match(await other.open(location!), { status: 400, page: /not begun in this browser/ });
  t.strictSame(other.cookies, {});
  await other.open(start);
  t.equal((await other.open(location!)).status, 400, 'nor with a cookie of its own');
  const state = new URL(location!);
  state.searchParams.set('state', 'another');
  t.equal((await mine.open(state.href)).status, 400);
  t.equal((await mine.open(location!, { method: 'HEAD' })).status, 200, 'a preview ends nothing');
  t.equal((await mine.open(location!)).status, 303);
});

t.test('no neighbour of an https host plants a sign-in of its own', async (t) => {
  const public_url = 'https://gatehouse.example';
  const alone = await testServer(t,
    { database: server, config: { concurrency: 0, ...settings, public_url } });
  const { base_url } = alone.client;
  const ask = (address: string, cookie = '') =>
    fetch(new URL(address, base_url), { redirect: 'manual', headers: { cookie } });
  const begun = await ask('/dashboard/oidc');
  const [kept] = begun.headers.getSetCookie();
  t.match(kept, new RegExp('^__Host-gatehouse_oidc_[0-9a-f]{16}=[\\w-]+; Max-Age=600; Path=/; '
    + 'HttpOnly; SameSite=Lax; Secure$'));
  said = { email: 'root@example.com', email_verified: true };
  nonce = new URL(begun.headers.get('location')!).searchParams.get('nonce');
  const there = await fetch(begun.headers.get('location')!, { redirect: 'manual' });
  const { pathname, search } = new URL(there.headers.get('location')!);
  const [own] = kept!.split(';');
  // Browsers take `__Host-` from this host alone, and the other name from any below the domain.
  t.equal((await ask(pathname + search, own!.replace('__Host-', ''))).status, 400);
  const ended = await ask(pathname + search, own);
  t.equal(ended.status, 303);
  t.match(ended.headers.getSetCookie(), [/^__Host-gatehouse_dashboard=gts_/,
    /^__Host-gatehouse_oidc_[0-9a-f]{16}=; Max-Age=0; Path=\/; /]);
});

t.test('a page of somebody else begins no sign-in, and may lead to one', async (t) => {
  const ask = (site: string | null) => fetch(`${start}?return_to=/dashboard/w/a%26b`,
    { redirect: 'manual', headers: site === null ? {} : { 'sec-fetch-site': site } });
  for (const site of [null, 'none', 'same-origin']) {
    t.match((await ask(site)).headers.get('location'), issuer, String(site));
  }
  for (const site of ['cross-site', 'same-site', 'of tomorrow']) {
    const answer = await ask(site);
    t.strictSame([answer.status, answer.headers.getSetCookie()], [200, []], site);
    t.match(await answer.text(), 'href="?return_to=%2Fdashboard%2Fw%2Fa%26b"');
  }
});

t.test('after signing in one is in the dashboard, and nowhere else', async (t) => {
  const email = 'root@example.com';
  const inside = `/dashboard/w/${workspace_id}/runs?status=failed#run`;
  const { visited } = await signIn({ email, email_verified: true }, { return_to: inside });
  t.equal(visited.location, origin + inside);
  for (const return_to of ['https://elsewhere.example/dashboard/', '//elsewhere.example/dashboard/',
    '/\\elsewhere.example/dashboard/', '/\t/elsewhere.example/dashboard/', 'javascript:alert(1)',
    '/dashboard/../v1/runs', '/dashboard/%2e%2e/docs', '/dashboard/..\\docs', '/dashboardx',
    '/docs', '/dashboard/oidc', '/dashboard/oidc/callback?code=x', 'dashboard/w', '\\\\elsewhere',
    '/dashboard/\r\nSet-Cookie: a=b/..//../', `/dashboard/${'x'.repeat(1_000)}`]) {
    const { visited } = await signIn({ email, email_verified: true }, { return_to });
    t.match(visited, { status: 303, location: `${origin}/dashboard/` }, return_to);
  }
});

t.test('a person who does not consent, and text of others on the page', async (t) => {
  const browser = new Browser();
  const state = new URL((await browser.open(start)).location!).searchParams.get('state')!;
  const back = (query: object) =>
    browser.open(`${start}/callback?${new URLSearchParams({ state, ...query })}`);
  t.match(await back({ error: 'access_denied' }),
    { status: 400, page: /did not sign you in: access_denied/ });
  t.match(await back({ error: 'invalid_scope', error_description: 'Invalid scopes: groups' }),
    { status: 400, page: /did not sign you in: invalid_scope\. .*GATEHOUSE_OIDC_SCOPES/ });
  t.match(await back({ error: 'constructor' }),
    { status: 400, page: /did not sign you in: constructor\.</ }, 'no name of an object');
  const hostile = await back({ error: '<script>alert(1)</script>', error_description: '<b>' });
  t.notMatch(hostile.page, /<script|<b>/);
  t.match(Object.fromEntries(hostile.headers), { 'content-security-policy': /default-src 'none'/,
    'referrer-policy': 'no-referrer' });
  userinfo = { sub: '<img src=x onerror=alert(1)>' };
  const { visited } = await signIn(userinfo);
  t.match(visited.page, /You are sub:&#60;img/);
  userinfo = { sub: 'johndoe' };
});

t.test('a session ends when the settings say otherwise', async (t) => {
  const { page } = await signIn({ email: 'root@example.com', email_verified: true });
  await page!.expect(200, 'listWorkspaces');
  const secret = page!.headers.cookie!.split('=')[1]!;
  const other = await testServer(t, { database: server,
    config: { concurrency: 0, ...settings, oidc_admins: 'somebody@example.com' } });
  const name = `gatehouse_dashboard_${new URL(other.client.base_url).port}`;
  t.match(await browserOf(other, `${name}=${secret}`).expect(401, 'listWorkspaces'),
    { code: 'missing_api_key' });
  const [row] = await sql`select count(*)::int as rows from dashboard_sessions
    where to_jsonb(dashboard_sessions)::text like ${`%${secret.slice(4, 24)}%`}`;
  t.equal(row!.rows, 0);
});

t.test('a provider that is away, and none at all', async (t) => {
  const away = await testServer(t, { database: server, config: { concurrency: 0, ...settings,
    oidc_issuer: `http://127.0.0.1:${await freePort()}/` } });
  const visited = await new Browser().open(
    `${new URL(away.client.base_url).origin}/dashboard/oidc`);
  t.match(visited, { status: 400, page: /does not answer as it should/ });
  const none = await testServer(t, { database: server, config: { concurrency: 0 } });
  t.match(await none.client.expect(200, 'getDashboardSignIn'), { oidc: null });
  t.match(await new Browser().open(`${new URL(none.client.base_url).origin}/dashboard/oidc`),
    { status: 404, page: /No identity provider is configured/ });
});

t.test('settings that let nobody in, or anybody, do not start', async (t) => {
  for (const [change, words] of [
    [{ oidc_issuer: 'http://login.example.com' }, /OIDC_ISSUER is "http:/],
    [{ oidc_issuer: 'login.example.com' }, /must be an address/],
    [{ oidc_client_id: null }, /CLIENT_ID is not set/],
    [{ oidc_issuer: null }, /OIDC_ADMINS is set, and GATEHOUSE_OIDC_ISSUER is not/],
    [{ oidc_viewers: null, oidc_operators: null, oidc_admins: null }, /nobody is let in/],
    [{ oidc_admins: 'ada' }, /has "ada"/], [{ oidc_admins: '*' }, /has "\*"/],
    [{ oidc_admins: 'sub:' }, /has "sub:"/], [{ oidc_scopes: 'email profile' }, /no openid/],
    [{ oidc_admins: '@' }, /has "@"/], [{ oidc_admins: 'group:' }, /has "group:"/],
  ] as [object, RegExp][]) {
    await t.rejects(testServer(t, { database: server, config: { ...settings, ...change } }),
      { message: words });
  }
});
