/** Signing in to the dashboard: by an admin token, and by a link that is good once. */
import t from 'tap';
import { newToken } from '../../src/accounts/token.ts';
import { dashboardLink } from '../../src/cli/dashboardCommand.ts';
import { Client } from '../support/client.ts';
import { browserOf, cookieIn, signedIn } from '../support/dashboard.ts';
import { endlessRun, newSession } from '../support/runs.ts';
import { testServer } from '../support/server.ts';
import { untilSeen } from '../support/until.ts';

const configured = 'of-the-configuration-'.padEnd(40, 'x');
const first = await testServer(t, { config: { admin_token: configured } });
const { client, sql, workspace_id } = first;
const second = await testServer(t, { database: first, config: { admin_token: configured } });
const OWN = { 'sec-fetch-site': 'same-origin' };
const AGENT = { 'user-agent': 'Firefox/145.0' };

/** Signs in, and answers the browser. */
async function signIn(body: object, server = first) {
  const answer = await server.client.call('createDashboardSession',
    { body, headers: { ...OWN, ...AGENT } });
  if (answer.status !== 201) return { answer, browser: undefined };
  return { answer, browser: browserOf(server, cookieIn(answer.headers)) };
}

const newAdminToken = async () =>
  await client.expect(201, 'createAdminToken', { body: { name: 'laptop' } });

const link = async (from = client) => await from.expect(201, 'createDashboardTicket');

t.test('an admin token is exchanged for a cookie that no script reads', async (t) => {
  const { id, admin_token } = await newAdminToken();
  const { answer, browser } = await signIn({ admin_token });
  const port = new URL(client.base_url).port;
  t.match(answer.headers.get('set-cookie'), new RegExp(`^gatehouse_dashboard_${port}=`
    + 'gts_[0-9A-Za-z]{49}; Max-Age=604800; Path=/; HttpOnly; SameSite=Strict$'));
  t.match(answer.body, { id: /^dbs_/, object: 'dashboard_session', role: 'admin', name: 'laptop',
    method: 'admin_token', current: true, user_agent: 'Firefox/145.0' });
  const { created_at, expires_at } = answer.body as { created_at: string; expires_at: string };
  t.equal(Date.parse(expires_at) - Date.parse(created_at), 12 * 3_600_000);
  t.match(await browser!.expect(200, 'getCurrentDashboardSession'), answer.body!);
  t.equal((await browser!.call('listWorkspaces')).status, 200);
  t.match(await browser!.expect(200, 'listSessions'), { object: 'list' });
  const secret = cookieIn(answer.headers).split('=')[1]!;
  const [row] = await sql`select to_jsonb(s)::text as text from dashboard_sessions s
    where id = ${(answer.body as { id: string }).id}`;
  t.notMatch(row!.text, secret.slice(4, 20), 'only its hash is stored');
  t.match((await client.expect(200, 'listAuditEntries',
    { query: { event: 'dashboard_session.created', limit: 1 } })).data[0],
  { actor: { type: 'admin', id }, target: (answer.body as { id: string }).id,
    details: { method: 'admin_token', role: 'admin', name: 'laptop' } });
});

t.test('a link is good once, on any node', async (t) => {
  const made = await link();
  t.equal(made.url, `${new URL(client.base_url).origin}/dashboard/#ticket=${made.ticket}`);
  const [entry] = (await client.expect(200, 'listAuditEntries', { query: { limit: 1 } })).data;
  t.match(entry, { event: 'dashboard_ticket.created', target: null, actor: { type: 'admin' },
    details: { expires_at: made.expires_at } });
  t.notMatch(JSON.stringify(entry), made.ticket.slice(4, 20));
  const left_ms = Date.parse(made.expires_at) - Date.now();
  t.ok(left_ms > 500_000 && left_ms < 610_000, String(left_ms));
  const { browser, answer } = await signIn({ ticket: made.ticket }, second);
  t.match(answer.body, { method: 'ticket', role: 'admin', name: 'first token' });
  t.equal((await browser!.call('listWorkspaces')).status, 200);
  const again = await signIn({ ticket: made.ticket });
  t.match(again.answer, { status: 401,
    body: { code: 'invalid_api_key', error: /gatehouse dashboard/ } });
  t.notOk(again.answer.headers.has('set-cookie'));
});

t.test('the link that a start prints signs in; without a good token there is none', async (t) => {
  const data_dir = t.testdir({});
  const linkBy = (admin_token: string | null) =>
    dashboardLink(client.base_url, { data_dir, admin_token });
  const url = new URL((await linkBy(client.admin_token!))!);
  t.equal((await signIn({ ticket: url.hash.slice('#ticket='.length) })).answer.status, 201);
  t.equal(await linkBy(newToken('gta')), null);
  t.equal(await linkBy(null), null);
});

t.test('of many who open a link at once one is signed in', async (t) => {
  const { ticket } = await link();
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, i) => signIn({ ticket }, i % 2 ? first : second)));
  t.strictSame(answers.map(({ answer }) => answer.status).sort(),
    [201, 401, 401, 401, 401, 401, 401, 401]);
});

t.test('a link that is old, or whose maker is gone, opens nothing', async (t) => {
  const old = await link();
  await sql`update dashboard_tickets set expires_at = now()`;
  t.equal((await signIn({ ticket: old.ticket })).answer.status, 401);
  const { id, admin_token } = await newAdminToken();
  const { ticket } = await link(new Client({ ...client, admin_token }));
  await client.expect(204, 'revokeAdminToken', { path: { admin_token_id: id } });
  t.equal((await signIn({ ticket })).answer.status, 401);
  for (const body of [{ ticket: newToken('gtk') }, { ticket: 'gtk_mistyped' },
    { admin_token: newToken('gta') }, { admin_token: client.api_key }, { ticket: admin_token }]) {
    t.match((await signIn(body)).answer, { status: 401, body: { code: 'invalid_api_key' } });
  }
  for (const body of [{}, { ticket: 'a', admin_token: 'b' }, { token: 'x' }, { ticket: '' }]) {
    t.equal((await signIn(body)).answer.status, 400);
  }
});

t.test('signing in anew ends the session of before, and nothing else does', async (t) => {
  const { ticket: of_first } = await link();
  const { answer, browser } = await signIn({ ticket: of_first });
  const { id } = answer.body as { id: string };
  const phone = (await signIn({ ticket: (await link(browser)).ticket })).browser!;
  const headers = { ...OWN, ...browser!.headers };
  const anew = (body: object, more = {}) =>
    client.call('createDashboardSession', { body, headers: { ...headers, ...more } });
  t.equal((await anew({ ticket: of_first })).status, 401);
  t.equal((await anew({ admin_token: client.admin_token }, { 'sec-fetch-site': 'cross-site' }))
    .status, 403);
  await browser!.expect(200, 'listWorkspaces');

  const own = await link(browser);
  const { status, headers: given, body } = await anew({ ticket: own.ticket });
  t.equal(status, 201, 'by a link that was made in it');
  const next = browserOf(first, cookieIn(given));
  t.match(await next.expect(200, 'getCurrentDashboardSession'),
    { id: (body as { id: string }).id, name: 'first token', actor: { type: 'admin' } });
  for (const ended of [browser!, phone]) {
    t.match(await ended.expect(401, 'listWorkspaces'), { code: 'missing_api_key' });
  }
  t.match((await client.expect(200, 'listAuditEntries',
    { query: { event: 'dashboard_session.ended', limit: 2 } })).data.map(({ target }) => target)
    .includes(id), true);

  const person = await signedIn(first, 'viewer', 'bea@example.com');
  const { id: of_person, actor } = await person.expect(200, 'getCurrentDashboardSession');
  t.same(actor, { type: 'person', id: 'bea@example.com' });
  const instead = await client.call('createDashboardSession', {
    body: { admin_token: client.admin_token }, headers: { ...OWN, ...person.headers } });
  t.equal(instead.status, 201);
  await person.expect(401, 'listWorkspaces');
  t.match((await client.expect(200, 'listAuditEntries',
    { query: { event: 'dashboard_session.ended', limit: 1 } })).data[0],
  { target: of_person, actor }, 'it is theirs who were signed in');
});

t.test('whoever has a stolen cookie keeps no session by its links', async (t) => {
  const mine = (await signIn({ ticket: (await link()).ticket })).browser!;
  // The thief takes the place of the session that it has stolen.
  const taken = await client.call('createDashboardSession', {
    body: { ticket: (await link(mine)).ticket }, headers: { ...OWN, ...mine.headers } });
  t.equal(taken.status, 201);
  const thief = browserOf(first, cookieIn(taken.headers));
  await mine.expect(401, 'listWorkspaces');
  await thief.expect(200, 'listWorkspaces');
  const anew = await client.call('createDashboardSession', {
    body: { admin_token: client.admin_token }, headers: { ...OWN, ...mine.headers } });
  t.equal(anew.status, 201);
  await thief.expect(401, 'listWorkspaces');
  await browserOf(first, cookieIn(anew.headers)).expect(200, 'listWorkspaces');
});

t.test('nor one that began while it was ended', async (t) => {
  for (let round = 0; round < 3; round++) {
    const mine = (await signIn({ ticket: (await link()).ticket })).browser!;
    const made: Client[] = [];
    const is_ended = new AbortController();
    const steal = async (node: typeof first) => {
      while (!is_ended.signal.aborted) {
        const { status, body } = await mine.call('createDashboardTicket');
        if (status !== 201) return;
        const { browser } = await signIn({ ticket: (body as { ticket: string }).ticket }, node);
        if (browser) made.push(browser);
      }
    };
    const thieves = Array.from({ length: 12 }, (_, nth) => steal(nth % 2 ? first : second));
    await untilSeen('sessions that began by its links', () => Promise.resolve(made.length),
      (count) => count > 12);
    await mine.expect(204, 'endDashboardSession');
    is_ended.abort();
    await Promise.all(thieves);
    for (const browser of made) {
      await untilSeen('its end on each node', () => browser.call('listWorkspaces'),
        ({ status }) => status === 401);
    }
    t.pass(`all ${made.length} have ended`);
  }
});

t.test('a session ends with the admin token that it came from', async (t) => {
  const { id, admin_token } = await newAdminToken();
  const { browser } = await signIn({ admin_token });
  const { browser: other } = await signIn({ admin_token }, second);
  const { browser: third } = await signIn(
    { ticket: (await link(new Client({ ...client, admin_token }))).ticket });
  for (const each of [browser, other, third]) await each!.expect(200, 'listWorkspaces');
  await client.expect(204, 'revokeAdminToken', { path: { admin_token_id: id } });
  for (const each of [browser, third]) {
    t.match(await each!.expect(401, 'listWorkspaces'), { code: 'missing_api_key' }, 'at once');
  }
  await untilSeen('the end on the other node', () => other!.call('listWorkspaces'),
    ({ status }) => status === 401);
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const short = await client.expect(201, 'createAdminToken', { body: { name: 'x', expires_at } });
  const { answer, browser: brief } = await signIn({ admin_token: short.admin_token });
  t.match(answer.body, { expires_at });
  t.match(await brief!.expect(400, 'createAdminToken', { body: { name: 'longer' } }),
    { param: '/expires_at' }, 'and makes no token that is valid for longer');
  await sql`update admin_tokens set expires_at = now() where id = ${short.id}`;
  await untilSeen('the end', () => brief!.call('listWorkspaces'), ({ status }) => status === 401);
});

t.test('the token of the configuration, until there is another', async (t) => {
  const { answer, browser } = await signIn({ admin_token: configured });
  t.match(answer.body, { name: 'GATEHOUSE_ADMIN_TOKEN' });
  await browser!.expect(200, 'listWorkspaces');
  const { ticket } = await link(new Client({ ...client, admin_token: configured }));
  const third = await testServer(t, { database: first, config: { admin_token: 'y'.repeat(40) } });
  const cookie = cookieIn(answer.headers)
    .replace(/_\d+=/, `_${new URL(third.client.base_url).port}=`);
  t.match(await browserOf(third, cookie).expect(401, 'listWorkspaces'),
    { code: 'missing_api_key' });
  t.equal((await signIn({ ticket }, third)).answer.status, 401);
  t.equal((await signIn({ ticket })).answer.status, 201, 'it was not used up by that');
});

t.test('sessions are listed, revoked at once here, and soon elsewhere', async (t) => {
  const { answer, browser } = await signIn({ ticket: (await link()).ticket });
  const { id } = answer.body as { id: string };
  const cookie = browser!.headers.cookie!;
  const there = browserOf({ ...second, workspace_id },
    cookie.replace(/_\d+=/, `_${new URL(second.client.base_url).port}=`));
  await there.expect(200, 'listWorkspaces');
  const list = (await browser!.expect(200, 'listDashboardSessions')).data;
  t.match(list.find((one) => one.id === id), { current: true, method: 'ticket' });
  t.equal(list.filter(({ current }) => current).length, 1);
  t.ok((await client.expect(200, 'listDashboardSessions')).data.some((one) => one.id === id));
  const run = await endlessRun(client, await newSession(client));
  const streams = [browser!, there].map((each) =>
    each.fetch('streamRunEvents', { path: { run_id: run.id }, headers: {
      accept: 'text/event-stream' } }));
  const open = await Promise.all(streams);
  t.strictSame(open.map(({ status }) => status), [200, 200]);
  await client.expect(204, 'revokeDashboardSession', { path: { dashboard_session_id: id } });
  t.match(await browser!.expect(401, 'listWorkspaces'), { code: 'missing_api_key' });
  t.match(await browser!.expect(401, 'createSession', { body: {} }), { code: 'missing_api_key' });
  for (const response of open) t.notMatch(await response.text(), /run\.completed/, 'it has ended');
  t.equal((await there.call('listWorkspaces')).status, 401);
  await client.expect(204, 'revokeDashboardSession', { path: { dashboard_session_id: id } });
  await client.expect(404, 'revokeDashboardSession',
    { path: { dashboard_session_id: 'dbs_none' } });
  t.notOk((await client.expect(200, 'listDashboardSessions')).data.some((one) => one.id === id));
  await client.expect(200, 'cancelRun', { path: { run_id: run.id } });
  t.match((await client.expect(200, 'listAuditEntries', { query: { target: id } })).data
    .map(({ event }) => event), ['dashboard_session.revoked', 'dashboard_session.created']);
});

t.test('signing out ends the session and takes the cookie away', async (t) => {
  const { answer, browser } = await signIn({ ticket: (await link()).ticket });
  const { status, headers } = await browser!.call('endDashboardSession');
  t.equal(status, 204);
  t.match(headers.get('set-cookie'), /^gatehouse_dashboard_\d+=; Max-Age=0; Path=\/; HttpOnly/);
  t.equal((await browser!.call('getCurrentDashboardSession')).status, 401);
  const { id } = answer.body as { id: string };
  t.match((await client.expect(200, 'listAuditEntries', { query: { target: id } })).data[0],
    { event: 'dashboard_session.ended' });
});

t.test('what a stolen cookie begins ends with it', async (t) => {
  const { answer, browser } = await signIn({ ticket: (await link()).ticket });
  const child = await signIn({ ticket: (await link(browser)).ticket });
  const grandchild = await signIn({ ticket: (await link(child.browser)).ticket });
  const { ticket } = await link(grandchild.browser);
  const ends = await sql<{ ends_at: string }[]>`
    select distinct ends_at from dashboard_sessions
    where id = any(${[answer, child.answer, grandchild.answer].map(({ body }) =>
    (body as { id: string }).id)}::text[])`;
  t.equal(ends.length, 1, 'nor does it live longer');
  await browser!.call('endDashboardSession');
  for (const each of [child, grandchild]) {
    t.equal((await each.browser!.call('listWorkspaces')).status, 401);
  }
  t.equal((await signIn({ ticket })).answer.status, 401);
});

t.test('what began in a session ends with it, and what it began in does not', async (t) => {
  const { browser } = await signIn({ ticket: (await link()).ticket });
  const child = await signIn({ ticket: (await link(browser)).ticket });
  const grandchild = await signIn({ ticket: (await link(child.browser)).ticket });
  const { ticket } = await link(grandchild.browser);
  await child.browser!.call('endDashboardSession');
  t.equal((await grandchild.browser!.call('listWorkspaces')).status, 401);
  t.equal((await signIn({ ticket })).answer.status, 401);
  t.equal((await browser!.call('listWorkspaces')).status, 200);
});

t.test('a session ends when nobody uses it, and after a week', async (t) => {
  for (const change of [sql`last_used_at = now() - interval '12 hours'`, sql`ends_at = now()`]) {
    const { answer, browser } = await signIn({ ticket: (await link()).ticket });
    const { id } = answer.body as { id: string };
    await sql`update dashboard_sessions set ${change} where id = ${id}`;
    t.match(await browser!.expect(401, 'listWorkspaces'), { code: 'missing_api_key' });
    t.notOk((await client.expect(200, 'listDashboardSessions')).data.some((one) => one.id === id));
  }
  const node = await testServer(t, { database: first });
  const browser = await signedIn(node, 'viewer', 'used@example.com');
  await sql`update dashboard_sessions set last_used_at = now() - interval '2 minutes'
    where person = 'used@example.com'`;
  await browser.expect(200, 'listWorkspaces');
  await node.service.stop(); // it notes uses now and then, and when it stops
  const [row] = await sql`select last_used_at > now() - interval '1 minute' as noted
    from dashboard_sessions where person = 'used@example.com'`;
  t.ok(row!.noted);
});

t.test('others than admins see and end their own sessions alone', async (t) => {
  const ada = await signedIn(first, 'viewer', 'ada@example.com');
  const adaElsewhere = await signedIn(first, 'viewer', 'ada@example.com');
  const bob = await signedIn(first, 'operator', 'bob@example.com');
  const own = (await ada.expect(200, 'listDashboardSessions')).data;
  t.strictSame(own.map(({ name }) => name), ['ada@example.com', 'ada@example.com']);
  const [bobs] = (await bob.expect(200, 'listDashboardSessions')).data;
  await ada.expect(404, 'revokeDashboardSession', { path: { dashboard_session_id: bobs!.id } });
  await bob.expect(200, 'listWorkspaces');
  const elsewhere = own.find(({ current }) => !current)!;
  await ada.expect(204, 'revokeDashboardSession', { path: { dashboard_session_id: elsewhere.id } });
  t.equal((await adaElsewhere.call('listWorkspaces')).status, 401);
  t.equal((await ada.call('listWorkspaces')).status, 200);
});

t.test('refused sign-ins have one entry a minute', async (t) => {
  const node = await testServer(t, { database: first });
  const refused = async () => (await client.expect(200, 'listAuditEntries',
    { query: { event: 'dashboard_session.refused', limit: 100 } })).data
    .reduce((sum, { details }) => sum + Number(details.attempts), 0);
  const before = await refused();
  const entries = async () => (await sql`
    select 1 from audit_entries where event = 'dashboard_session.refused'`).count;
  const entries_before = await entries();
  for (let i = 0; i < 20; i++) await signIn({ ticket: newToken('gtk') }, node);
  await node.service.stop();
  t.equal(await refused() - before, 20, 'each is counted');
  t.ok(await entries() - entries_before <= 2);
});

t.test('the workspace has to be one that is active', async (t) => {
  const browser = await signedIn(first, 'admin', 'grace@example.com');
  const named = (id: string) =>
    browser.call('listRuns', { headers: { 'gatehouse-workspace': id } });
  for (const id of ['', 'wsp_none', "wsp_'; drop", 'x'.repeat(65)]) {
    t.match(await named(id), { status: 400, body: { param: 'gatehouse-workspace' } }, id);
  }
  const { id } = await client.expect(201, 'createWorkspace', { body: { name: 'Old' } });
  t.equal((await named(id)).status, 200);
  await client.expect(200, 'updateWorkspace',
    { path: { workspace_id: id }, body: { status: 'archived' } });
  t.match(await named(id), { status: 400, body: { error: /archived/ } });
});

t.test('the dashboard acts as one key of the workspace, that nobody has', async (t) => {
  const workspace = await client.expect(201, 'createWorkspace', { body: { name: 'New' } });
  const keys = async () => (await client.expect(200, 'listApiKeys',
    { query: { workspace_id: workspace.id } })).data;
  const browser = await signedIn(first, 'operator', 'ida@example.com');
  const there = browserOf({ ...first, workspace_id: workspace.id }, browser.headers.cookie!);
  t.strictSame(await keys(), [], 'made when it is needed');
  const answers = await Promise.all(Array.from({ length: 6 }, () => there.call('listRuns')));
  t.ok(answers.every(({ status }) => status === 200));
  const [key, ...more] = await keys();
  t.match(key, { name: 'Dashboard', dashboard: true, status: 'active', hint: '—' });
  t.strictSame(more, []);
  t.match((await client.expect(200, 'listAuditEntries', { query: { target: key!.id } })).data[0],
    { event: 'api_key.created', actor: { type: 'person', id: 'ida@example.com' } });
  const run = await endlessRun(there, await newSession(there));
  t.equal(run.source, 'console');
  await client.expect(204, 'revokeApiKey', { path: { api_key_id: key!.id } });
  t.equal((await there.call('listRuns')).status, 200, 'there is another one');
  await untilSeen('the end of its run',
    () => there.expect(200, 'getRun', { path: { run_id: run.id } }),
    ({ status }) => status === 'cancelled');
  t.strictSame((await keys()).map(({ status }) => status).sort(), ['active', 'revoked']);
  t.equal((await client.expect(200, 'listApiKeys', { query: { workspace_id } })).data
    .filter(({ dashboard }) => dashboard).length, 1);
});
