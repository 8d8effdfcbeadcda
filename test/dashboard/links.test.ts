/** One-time links: they sign in once, ask where somebody has worked, and outlive what passes. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { Client } from '../support/client.ts';
import {
  addressOf, dashboardFor, faultsOfSight, leavePage, openPage, untilHeading, watchedPage,
} from './support.ts';

const { skip, dashboard } = await dashboardFor(t);

t.test('a one-time link signs in once, and leaves no trace', skip, async (t) => {
  const { client } = dashboard;
  const { url } = await client.expect(201, 'createDashboardTicket', {});
  const page = await openPage(dashboard, { is_signed_in: false });
  await page.goto(url);
  await untilHeading(page, 'Overview');
  t.notMatch(page.url(), /ticket|#/);
  await page.goBack();
  t.notMatch(page.url(), /ticket/, 'not in the history either');
  const other = await openPage(dashboard, { is_signed_in: false });
  await other.goto(url);
  await other.getByRole('alert').getByText(/req_/).waitFor();
  await untilHeading(other, 'Sign in to Gatehouse');
  await leavePage(dashboard, page);
  await leavePage(dashboard, other);
});

/** The next list of workspaces is empty. */
const withoutWorkspaces = (page: Page) => page.route('**/v1/admin/workspaces?*', (route) =>
  route.fulfill({ json: { object: 'list', data: [], has_more: false, next_cursor: null } }),
{ times: 1 });

t.test('a service without a workspace offers to make one', skip, async (t) => {
  const page = await openPage(dashboard);
  const list = async () => (await dashboard.client.expect(200, 'listWorkspaces', {})).data;
  const before = await list();
  await withoutWorkspaces(page);
  await page.goto(`${dashboard.origin}/dashboard/`);
  await untilHeading(page, 'There is no workspace yet');
  t.strictSame(await faultsOfSight(page), []);
  await page.getByRole('button', { name: 'Make the workspace Default' }).click();
  await untilHeading(page, 'Overview');
  const made = (await list()).filter(({ id }) => before.every((one) => one.id !== id));
  t.strictSame(made.map(({ name }) => name), ['Default']);
  await leavePage(dashboard, page);
});

t.test('who may not make one looks again', skip, async (t) => {
  const page = await openPage(dashboard, { role: 'viewer' });
  await withoutWorkspaces(page);
  await page.goto(`${dashboard.origin}/dashboard/`);
  await untilHeading(page, 'There is no workspace yet');
  t.equal(await page.getByRole('button', { name: /^Make/ }).count(), 0);
  await page.getByRole('button', { name: 'Look again' }).click();
  await untilHeading(page, 'Overview');
  await leavePage(dashboard, page);
});

t.test('a one-time link asks before it takes the place of a session', skip, async (t) => {
  const { client } = dashboard;
  const made = await client.expect(201, 'createAdminToken', { body: { name: 'somebody else' } });
  const other = new Client({ ...client, admin_token: made.admin_token });
  const link = async () => (await other.expect(201, 'createDashboardTicket', {})).url;
  const sessions = async () => (await client.expect(200, 'listDashboardSessions', {})).data;
  const page = await openPage(dashboard);
  const second = await watchedPage(dashboard, page.context());
  await second.goto(addressOf(dashboard, 'runs'));
  const before = (await sessions())[0]!;
  await page.goto(await link());
  await untilHeading(page, 'You are signed in already');
  t.equal(await page.evaluate('document.activeElement.textContent'), 'Stay signed in');
  t.strictSame(await faultsOfSight(page), []);
  await page.keyboard.press('Enter');
  await untilHeading(page, 'Overview');
  t.same((await sessions())[0]!.id, before.id, 'nothing has changed');

  await page.goto(await link());
  await page.getByRole('button', { name: 'Sign in by the link' }).click();
  await untilHeading(page, 'Overview');
  await second.getByText('somebody else').waitFor();
  const after = await sessions();
  t.equal(after[0]!.name, 'somebody else');
  t.notOk(after.some(({ id }) => id === before.id), 'the session of before has ended');
  await leavePage(dashboard, page);
});

/** The next answer to a sign-in says that the database is away. */
const failOnce = (page: Page) => page.route('**/v1/admin/dashboard_sessions', (route) =>
  route.fulfill({ status: 503,
    json: { error: 'The database is away.', code: 'unavailable', request_id: 'req_1' } }),
{ times: 1 });

t.test('a one-time link outlives a failure that passes, and so does the session', skip,
  async (t) => {
    const { client } = dashboard;
    const link = async () => (await client.expect(201, 'createDashboardTicket', {})).url;
    const page = await openPage(dashboard, { is_signed_in: false });
    await failOnce(page);
    await page.goto(await link());
    await page.getByRole('alert').getByText('The database is away.').waitFor();
    t.strictSame(await faultsOfSight(page), []);
    const by_link = page.getByRole('button', { name: 'Sign in by the link' });
    await by_link.press('Enter');
    await untilHeading(page, 'Overview');
    const [before] = (await client.expect(200, 'listDashboardSessions', {})).data;

    await failOnce(page);
    const used = await link();
    await page.goto(used);
    await by_link.click();
    await page.getByRole('alert').getByText('The database is away.').waitFor();
    t.strictSame(await faultsOfSight(page), []);
    t.equal((await client.expect(200, 'listDashboardSessions', {})).data[0]!.id, before!.id);
    await by_link.click();
    await untilHeading(page, 'Overview');
    const [after] = (await client.expect(200, 'listDashboardSessions', {})).data;
    t.not(after!.id, before!.id);

    await page.goto('about:blank');
    await page.goto(used);
    await by_link.click();
    await page.getByRole('alert').getByText(/was used already/).waitFor();
    t.equal(await by_link.count(), 0);
    await page.getByRole('button', { name: 'Stay signed in' }).click();
    await untilHeading(page, 'Overview');
    t.equal((await client.expect(200, 'listDashboardSessions', {})).data[0]!.id, after!.id);
    await leavePage(dashboard, page);
  });

t.test('where somebody has worked, a link asks; a second one in the tab counts as well', skip,
  async (t) => {
    const { client } = dashboard;
    const link = async () => (await client.expect(201, 'createDashboardTicket', {})).url;
    const page = await openPage(dashboard);
    await page.goto(addressOf(dashboard, 'runs'));
    await untilHeading(page, 'Runs');
    const sessions = async () => (await client.expect(200, 'listDashboardSessions', {})).data;
    const { id } = (await sessions())[0]!;
    await client.expect(204, 'revokeDashboardSession', { path: { dashboard_session_id: id } });
    await untilHeading(page, 'Sign in to Gatehouse');
    const before = (await sessions()).length;
    const planted = await link();
    await page.goto(planted);
    const by_link = page.getByRole('button', { name: 'Sign in by the link' });
    await by_link.waitFor();
    t.equal((await sessions()).length, before, 'nobody is signed in unasked');
    t.strictSame(await faultsOfSight(page), []);
    const other = await openPage(dashboard, { is_signed_in: false });
    await other.goto(planted);
    await untilHeading(other, 'Overview');
    await leavePage(dashboard, other);
    await by_link.click();
    await page.getByRole('alert').getByText(/was used already/).waitFor();
    t.equal(await by_link.count(), 0);

    const second = await link();
    await page.evaluate(`location.hash = ${JSON.stringify(new URL(second).hash)}`);
    await by_link.click();
    await untilHeading(page, 'Overview');
    t.notMatch(page.url(), /ticket/);
    await page.getByText(/^Counted/).waitFor();

    const mine = (await sessions())[0]!.id;
    await page.route('**/v1/**', (route) => route.request().method() === 'GET'
      && !route.request().url().endsWith('/current') ? route.abort() : route.fallback());
    await client.expect(204, 'revokeDashboardSession', { path: { dashboard_session_id: mine } });
    await page.getByRole('button', { name: 'Theme and sign out' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await untilHeading(page, 'Sign in to Gatehouse');
    t.pass('who has been signed out is signed out');
    await leavePage(dashboard, page);
  });

t.test('a token or a link signs in with what was copied along', skip, async (t) => {
  const { client } = dashboard;
  const token = client.admin_token!;
  const { url } = await client.expect(201, 'createDashboardTicket', {});
  for (const pasted of [`  "admin_token": "${token}",`, `Bearer ${token}\u200b`,
    `\u201c${token}\u201d`, `${token.slice(0, 30)} ${token.slice(30)}`, `  Dashboard  ${url}`]) {
    const page = await openPage(dashboard, { is_signed_in: false });
    await page.goto(addressOf(dashboard, 'keys'));
    await page.getByLabel('Admin token').fill(pasted);
    await page.keyboard.press('Enter');
    await untilHeading(page, 'API keys');
    t.equal(page.url(), addressOf(dashboard, 'keys'));
    await leavePage(dashboard, page);
  }
  const configured = `gta_${'0'.repeat(64)}`;
  const page = await openPage(dashboard, { is_signed_in: false });
  await page.goto(addressOf(dashboard, 'keys'));
  const asked = page.waitForRequest(/dashboard_sessions$/);
  await page.getByLabel('Admin token').fill(configured);
  await page.keyboard.press('Enter');
  t.strictSame((await asked).postDataJSON(), { admin_token: configured }, 'it is none of ours');
});

t.test('nothing failed, nothing was refused by the policy, nobody else was asked', skip,
  async (t) => {
    t.strictSame(dashboard.faults, []);
  });
