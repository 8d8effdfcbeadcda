/** Which credentials open which operation: keys, tokens, and the cookie with its roles. */
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import t from 'tap';
import { operations, type OperationId } from '../../generated/operations.ts';
import { DASHBOARD_ROLES } from '../../src/caller.ts';
import { LEAST_ROLE } from '../../src/operations/roles.ts';
import { Client } from '../support/client.ts';
import { browserOf, cookieIn, signedIn } from '../support/dashboard.ts';
import { newSession } from '../support/runs.ts';
import { testServer } from '../support/server.ts';
import { soundness } from '../support/soundness.ts';

soundness(t, 'a permission exceeded');

const server = await testServer(t, { config: { concurrency: 0 } });
const { client, sql, workspace_id } = server;
const ids = Object.keys(operations) as OperationId[];
const guarded = ids.filter((id) => operations[id].security !== null);
/** Of what an answer says: whether the operation was reached. */
const isLetIn = ({ status }: { status: number }) => status !== 401 && status !== 403;
const ask = async (asker: Client, id: OperationId, headers: Record<string, string> = {}) => {
  const response = await asker.fetch(id, { query: { unknown_parameter: 1 }, headers,
    ...(operations[id].body !== null && { body: {} }) });
  const { code } = await response.json() as { code: string };
  return { status: response.status, code };
};

t.test('no credential at all, and one of the other kind', async (t) => {
  for (const id of guarded) {
    const other = operations[id].security === 'apiKey' ? client.admin_token : client.api_key;
    t.match(await ask(new Client({ base_url: client.base_url }), id),
      { status: 401, code: 'missing_api_key' }, id);
    t.match(await ask(client, id, { authorization: `Bearer ${other}` }),
      { status: 401, code: 'invalid_api_key' }, id);
  }
  t.strictSame(ids.filter((id) => !guarded.includes(id)),
    ['getDashboardSignIn', 'createDashboardSession'], 'what needs none');
});

/** What changes nothing at all, though it is a POST. */
const READS: readonly OperationId[] = ['searchActions', 'previewGrant'];
/** What viewers may change: their own sessions of the dashboard. */
const OWN: readonly OperationId[] = ['endDashboardSession', 'revokeDashboardSession'];

for (const role of DASHBOARD_ROLES) {
  t.test(`a ${role} may ask for what the role allows`, async (t) => {
    const browser = await signedIn(server, role);
    for (const id of guarded) {
      const allowed = DASHBOARD_ROLES.indexOf(role) >= DASHBOARD_ROLES.indexOf(LEAST_ROLE[id]);
      t.match(await ask(browser, id), allowed
        ? { status: 400, code: 'invalid_request' } : { status: 403, code: 'not_permitted' }, id);
    }
  });
}

t.test('viewers only read, and a 403 is declared wherever a role may not suffice', async (t) => {
  for (const id of guarded) {
    const { method, responses } = operations[id];
    const reads = method === 'GET' || READS.includes(id);
    if (!OWN.includes(id)) t.equal(LEAST_ROLE[id] === 'viewer', reads, `${id} reads`);
    t.equal(403 in responses, LEAST_ROLE[id] !== 'viewer', `${id} declares 403`);
  }
});

/** What browsers send with requests of other pages, and of nobody's page. */
const FOREIGN: Record<string, Record<string, string>> = {
  'another site': { 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example' },
  'another port': { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:1' },
  'an address that was typed in': { 'sec-fetch-site': 'none' },
  'another site, by an old browser': { origin: 'https://elsewhere.example' },
  'another port, by an old browser': { origin: 'http://127.0.0.1:1' },
  'a sandboxed frame': { origin: 'null' },
  'a scheme of its own': { origin: `app://${new URL(client.base_url).host}` },
};

t.test('the cookie counts for requests of our own pages alone', async (t) => {
  const { headers: { cookie } } = await signedIn(server, 'admin');
  const bare = new Client({ base_url: client.base_url, headers: {
    cookie: cookie!, 'gatehouse-workspace': workspace_id } });
  const own = { origin: new URL(client.base_url).origin };
  for (const id of guarded) {
    for (const [what, headers] of Object.entries(FOREIGN)) {
      t.match(await ask(bare, id, headers), { status: 401, code: 'missing_api_key' },
        `${id}, ${what}`);
    }
    t.ok(isLetIn(await ask(bare, id, own)), `${id}, by our Origin`);
    t.equal(isLetIn(await ask(bare, id)), operations[id].method === 'GET',
      `${id}, by nothing: what changes something has to say where it comes from`);
  }
});

t.test('a form of another page changes nothing, nor signs anybody in', async (t) => {
  const { headers: { cookie } } = await signedIn(server, 'admin');
  const form = { cookie: cookie!, 'content-type': 'text/plain',
    origin: 'https://elsewhere.example', 'gatehouse-workspace': workspace_id };
  const before = (await client.expect(200, 'listWorkspaces')).data.length;
  const bare = new Client({ base_url: client.base_url, headers: form });
  const raw = JSON.stringify({ name: 'Theirs' });
  t.equal((await bare.call('createWorkspace', { raw })).status, 401);
  t.equal((await client.expect(200, 'listWorkspaces')).data.length, before);
  const signIn = (headers: Record<string, string>) => client.call('createDashboardSession', {
    body: { admin_token: client.admin_token }, headers });
  for (const headers of Object.values(FOREIGN)) {
    const answer = await signIn(headers);
    t.match(answer, { status: 403, body: { code: 'not_permitted' } });
    t.notOk(answer.headers.has('set-cookie'));
  }
  t.equal((await signIn({})).status, 201, 'what is no browser says nothing');
});

t.test('who opened the dashboard at another address learns what to set', async (t) => {
  const signIn = async (headers: Record<string, string>, asked = client) => {
    const { body } = await asked.call('createDashboardSession',
      { body: { admin_token: client.admin_token }, headers });
    return (body as { error: string }).error;
  };
  const origin = 'http://gatehouse.example';
  t.match(await signIn({ origin }), `opened at ${origin}, while the request is for`
    + ` ${new URL(client.base_url).host} (its Host). Open it there, or set GATEHOUSE_PUBLIC_URL`);
  const public_url = 'https://gatehouse.example/below';
  const told = await testServer(t, { database: server, config: { public_url } });
  t.match(await signIn({ origin }, told.client),
    `opened at ${origin}, while GATEHOUSE_PUBLIC_URL is ${public_url}. Open it there`);
  t.notMatch(await signIn({ origin, 'sec-fetch-site': 'cross-site' }), /GATEHOUSE_PUBLIC_URL/,
    'where the browser knows that it is another site');
});

t.test('an Authorization wins over the cookie', async (t) => {
  const viewer = await signedIn(server, 'viewer');
  const with_ = (token: string) => ({ authorization: `Bearer ${token}` });
  await viewer.expect(201, 'createWorkspace',
    { body: { name: 'x' }, headers: with_(client.admin_token!) });
  await viewer.expect(401, 'listWorkspaces', { headers: with_('gta_mistyped') });
  const session_id = await newSession(client);
  const run = await viewer.expect(202, 'createRun', { path: { session_id },
    body: { input: [{ role: 'user', content: [{ type: 'input_text', text: 'x' }] }] },
    headers: with_(client.api_key!) });
  t.equal(run.source, 'api');
});

t.test('a cookie that somebody made up is worth nothing, nor one of another name', async (t) => {
  const { headers: { cookie } } = await signedIn(server, 'admin');
  const [name, secret] = cookie!.split('=') as [string, string];
  for (const other of [`gatehouse_dashboard=${secret}`, `${name}1=${secret}`, `${name}=`,
    `x${name}=${secret}`]) {
    t.match(await ask(browserOf(server, other), 'listWorkspaces'),
      { status: 401, code: 'missing_api_key' }, other);
  }
  for (const other of [`${name}=x`, `${name}=${secret}x`, `${name}=gts_${'0'.repeat(49)}`]) {
    t.match(await ask(browserOf(server, other), 'listWorkspaces'),
      { status: 401, code: 'invalid_api_key' }, other);
  }
  t.equal((await browserOf(server, `a=b; ${cookie}; c`).call('listWorkspaces')).status, 200);
});

t.test('signing in gives a new secret, whatever cookie the browser has', async (t) => {
  const { headers } = await signedIn(server, 'viewer');
  const planted = headers.cookie!;
  const answer = await client.call('createDashboardSession', {
    body: { admin_token: client.admin_token }, headers: { ...headers, cookie: planted } });
  const given = cookieIn(answer.headers);
  t.not(given, planted);
  t.match(await browserOf(server, given).expect(200, 'getCurrentDashboardSession'),
    { role: 'admin' });
  t.match(await browserOf(server, planted).expect(401, 'getCurrentDashboardSession'),
    { code: 'missing_api_key' }, 'what was planted is good for nothing more');
});

t.test('guesses at cookies and links are few', async (t) => {
  const other = await testServer(t,
    { database: server, config: { concurrency: 0, auth_failures_per_minute: 5 } });
  const good = await signedIn({ ...other, workspace_id }, 'viewer');
  t.equal((await good.call('listRuns')).status, 200);
  const port = new URL(other.client.base_url).port;
  const guess = browserOf({ ...other, workspace_id },
    `gatehouse_dashboard_${port}=gts_${'0'.repeat(49)}`);
  const statuses: number[] = [];
  for (let i = 0; i < 7; i++) statuses.push(Number((await guess.call('listRuns')).status));
  t.strictSame(statuses.slice(-2), [429, 429], String(statuses));
  t.equal((await other.client.call('createDashboardSession',
    { body: { ticket: 'gtk_none' } })).status, 429);
  t.equal((await good.call('listRuns')).status, 200, 'who was good is not kept out');
});

/** Asks a node as a proxy does that nobody has named to it: with the browser's Host and Origin. */
async function askProxied(method: string, base_url: string, body?: object, cookie = '',
  origin = 'https://gatehouse.example:8443') {
  const asking = request(`${base_url}/admin/dashboard_sessions`, { method, headers: { cookie,
    host: new URL(origin).host, origin, 'content-type': 'application/json' } });
  const asked = once(asking.end(body && JSON.stringify(body)), 'response');
  const [answer] = await asked as [IncomingMessage];
  answer.resume();
  return answer;
}

t.test('nodes behind one proxy know the browser by the port of its own address', async (t) => {
  const other = await testServer(t, { database: server, config: { concurrency: 0 } });
  const { headers } = await askProxied('POST', client.base_url,
    { admin_token: client.admin_token });
  const [kept = ''] = headers['set-cookie'] ?? [];
  t.match(kept, /^__Host-gatehouse_dashboard_8443=gts_\w+; .*; SameSite=Strict; Secure$/);
  for (const { base_url } of [client, other.client]) {
    const { statusCode } = await askProxied('GET', base_url, undefined, kept.split(';')[0]);
    t.equal(statusCode, 200);
  }
});

t.test('who is signed in by https can sign in by http, too', async (t) => {
  const signIn = async (origin: string) => {
    const { headers } = await askProxied('POST', client.base_url,
      { admin_token: client.admin_token }, '', origin);
    return headers['set-cookie']![0]!.split(';')[0]!;
  };
  const cookies = await Promise.all(['http', 'https'].map((scheme) =>
    signIn(`${scheme}://gatehouse.example`)));
  // A browser lets no cookie of http take the place of one that is Secure, which has its name.
  t.match(cookies, [/^gatehouse_dashboard_80=/, /^__Host-gatehouse_dashboard_80=/]);
  const planted = `gatehouse_dashboard_80=gts_theirs; ${cookies[1]}`;
  for (const [cookie, origin] of [[cookies[0], 'http'], [cookies[1], 'https'],
    [planted, 'https']] as const) {
    const { statusCode } = await askProxied(
      'GET', client.base_url, undefined, cookie, `${origin}://gatehouse.example`);
    t.equal(statusCode, 200);
  }
});

t.test('behind a public address the cookie is of it alone', async (t) => {
  const public_url = 'https://gatehouse.example/agents/';
  const behind = await testServer(t, { database: server, config: { concurrency: 0, public_url } });
  const signIn = (headers: Record<string, string>) => behind.client.call('createDashboardSession',
    { body: { admin_token: client.admin_token }, headers });
  const own = { origin: 'https://gatehouse.example' };
  const answer = await signIn(own);
  t.match(answer.headers.get('set-cookie'), new RegExp('^gatehouse_dashboard=gts_\\w+; '
    + 'Max-Age=604800; Path=/agents; HttpOnly; SameSite=Strict; Secure$'));
  t.equal((await signIn({ origin: 'http://gatehouse.example' })).status, 403);
  t.equal((await signIn({ origin: new URL(behind.client.base_url).origin })).status, 403);
  const bare = new Client({ base_url: behind.client.base_url,
    headers: { cookie: cookieIn(answer.headers) } });
  t.ok(isLetIn(await ask(bare, 'createWorkspace', own)));
  t.match((await behind.client.expect(201, 'createDashboardTicket')).url,
    /^https:\/\/gatehouse\.example\/agents\/dashboard\/#ticket=gtk_/);
});

t.test('no neighbour of an https host puts its session in the place of ours', async (t) => {
  const origin = 'https://gatehouse.example';
  const alone = await testServer(t,
    { database: server, config: { concurrency: 0, public_url: `${origin}/` } });
  const { headers } = await alone.client.call('createDashboardSession',
    { body: { admin_token: client.admin_token }, headers: { origin } });
  t.match(headers.get('set-cookie'), new RegExp('^__Host-gatehouse_dashboard=gts_\\w+; '
    + 'Max-Age=604800; Path=/; HttpOnly; SameSite=Strict; Secure$'));
  const own = cookieIn(headers);
  const [, secret] = own.split('=');
  const ask = (cookie: string) => new Client({ base_url: alone.client.base_url,
    headers: { cookie, origin } }).call('listWorkspaces');
  t.equal((await ask(own)).status, 200);
  // Browsers take `__Host-` from this host alone, and the other name from any below the domain.
  t.equal((await ask(`gatehouse_dashboard=gts_theirs; ${own}`)).status, 200);
  t.equal((await ask(`gatehouse_dashboard=${secret}`)).status, 401);
});

t.test('what somebody does in the dashboard is on record in their name', async (t) => {
  const browser = await signedIn(server, 'operator', 'ada@example.com');
  const last = async () => {
    const { sequence_number: _n, hash: _h, created_at: _c, ...entry } =
      (await client.expect(200, 'listAuditEntries', { query: { limit: 1 } })).data[0]!;
    return entry;
  };
  const actor = { type: 'person', id: 'ada@example.com' };
  const { id: session_id } = await browser.expect(201, 'createSession', { body: {} });
  t.match(await last(), { actor, event: 'session.created', workspace_id, target: session_id });
  const path = { session_id };
  await browser.expect(200, 'updateSession', { path, body: { title: 'x' } });
  t.match(await last(), { actor, event: 'session.changed', details: { fields: ['title'] } });
  const run = await browser.expect(202, 'createRun', { path,
    body: { input: [{ role: 'user', content: [{ type: 'input_text', text: 'x' }] }] } });
  t.equal(run.source, 'console');
  t.match(await last(), { actor, event: 'run.created', target: run.id, details: { session_id } });
  await browser.expect(200, 'cancelRun', { path: { run_id: run.id } });
  t.match(await last(), { actor, event: 'run.cancelled', target: run.id, request_id: /^req_/ });
  const entries = async () => (await sql`select 1 from audit_entries`).count;
  const before = await entries();
  await browser.expect(200, 'cancelRun', { path: { run_id: run.id } });
  t.equal(await entries(), before, 'what changes nothing is not told of');
  await browser.expect(201, 'createActionInvocation',
    { body: { action: 'gateway.connections.list' } });
  t.match(await last(), { actor, event: 'action.called', target: 'gateway.connections.list' });
  const withKey = await entries();
  await client.expect(201, 'createSession', { body: {} });
  t.equal(await entries(), withKey, 'an application is not told of');
});
