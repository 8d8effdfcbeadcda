/** Several tabs of one browser: each in a workspace of its own, all with the same cookie. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { Client } from '../support/client.ts';
import { endlessRun, newSession } from '../support/runs.ts';
import {
  addressOf, dashboardFor, faultsOfSight, leavePage, openPage, untilClosed, untilHeading, untilTrue,
  watchedPage,
} from './support.ts';

const { skip, dashboard } = await dashboardFor(t);


/** The workspace that the next request for the number of open approvals names. */
async function nextWorkspace(page: Page): Promise<string | undefined> {
  const request = await page.waitForRequest((one) => one.url().includes('/v1/admin/approvals?'));
  return request.headers()['gatehouse-workspace'];
}

t.test('pointing at a link changes nothing, and following it does', skip, async (t) => {
  const { client, workspace_id: first } = dashboard;
  const { id: second } = await client.expect(201, 'createWorkspace', { body: { name: 'Second' } });
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, `workspaces?workspace=${second}`));
  const link = page.getByRole('link', { name: 'Go there' });
  await link.waitFor();
  const tab = await watchedPage(dashboard, page.context());
  await tab.goto(addressOf({ ...dashboard, workspace_id: second }, 'overview'));
  await untilHeading(tab, 'Overview');
  await page.bringToFront();
  await link.hover();
  // The second one was sent long after whatever the first look has begun.
  t.strictSame([await nextWorkspace(page), await nextWorkspace(page)], [first, first]);
  await page.keyboard.press('Escape');
  await untilClosed(page);
  const logo = page.getByRole('link', { name: 'Gatehouse', exact: true });
  await logo.focus();
  await logo.hover();
  t.strictSame([await nextWorkspace(page), await nextWorkspace(page)], [first, first]);
  await page.reload();
  await untilHeading(page, 'Workspaces');

  await tab.reload();
  await untilHeading(tab, 'Overview');
  await logo.hover();
  await logo.click();
  await page.waitForURL(addressOf({ ...dashboard, workspace_id: second }, 'overview'));
  await untilHeading(page, 'Overview');
  t.equal(await nextWorkspace(page), second, 'whatever was loaded beforehand');
  await leavePage(dashboard, page);
});

t.test('the workspace of last time is found behind a hundred others', skip, async (t) => {
  const { client } = dashboard;
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'runs'));
  await untilHeading(page, 'Runs');
  for (let nth = 0; nth < 100; nth++) {
    await client.expect(201, 'createWorkspace', { body: { name: `Another ${nth}` } });
  }
  await page.goto(`${dashboard.origin}/dashboard/`);
  await page.waitForURL(addressOf(dashboard, 'overview'));
  await untilHeading(page, 'Overview');
  await page.evaluate('localStorage.setItem("gatehouse_workspace", "wsp_gone")');
  await page.goto(`${dashboard.origin}/dashboard/`);
  await untilHeading(page, 'Overview');
  t.notMatch(page.url(), /wsp_gone/, 'one that is not there is not gone to');
  await leavePage(dashboard, page);
});

const prompt = (page: Page) => page.getByRole('textbox', { name: 'Prompt' });
const drafts = (page: Page) => page.evaluate<string>('JSON.stringify({ ...sessionStorage })');

t.test('what is written and not sent goes with the person, in every tab', skip, async (t) => {
  const { client } = dashboard;
  const { id } = await client.expect(201, 'createSession', { body: { title: 'Draft' } });
  const page = await openPage(dashboard);
  const tab = await watchedPage(dashboard, page.context());
  for (const each of [page, tab]) {
    await each.goto(addressOf(dashboard, `sessions/${id}`));
    await prompt(each).fill('what was not sent');
  }
  const ended = (await client.expect(200, 'listDashboardSessions', {})).data[0]!.id;
  await client.expect(204, 'revokeDashboardSession', { path: { dashboard_session_id: ended } });
  await untilHeading(tab, 'Sign in to Gatehouse');
  await untilHeading(page, 'Sign in to Gatehouse');
  await tab.getByLabel('Admin token').fill(client.admin_token!);
  await tab.keyboard.press('Enter');
  for (const each of [page, tab]) {
    await prompt(each).waitFor();
    t.equal(await prompt(each).inputValue(), 'what was not sent', 'the same person goes on');
  }

  const made = await client.expect(201, 'createAdminToken', { body: { name: 'somebody else' } });
  const other = new Client({ ...client, admin_token: made.admin_token });
  await tab.goto((await other.expect(201, 'createDashboardTicket', {})).url);
  await tab.getByRole('button', { name: 'Sign in by the link' }).click();
  await untilHeading(tab, 'Overview');
  await page.getByText('somebody else').waitFor();
  await untilTrue(page, "document.querySelector('textarea')?.value === ''");
  for (const each of [page, tab]) t.notMatch(await drafts(each), 'what was not sent');

  await prompt(page).fill('of somebody else');
  await tab.getByRole('button', { name: 'Theme and sign out' }).click();
  await tab.getByRole('menuitem', { name: 'Sign out' }).click();
  await untilHeading(page, 'Sign in to Gatehouse');
  t.notMatch(await drafts(page), 'of somebody else');
  await page.getByLabel('Admin token').fill(client.admin_token!);
  await page.keyboard.press('Enter');
  await prompt(page).waitFor();
  t.equal(await prompt(page).inputValue(), '');

  await prompt(page).fill('sent when nobody was signed in');
  await page.context().clearCookies();
  await prompt(page).press('Enter');
  await untilHeading(page, 'Sign in to Gatehouse');
  await signInBy(page, client.admin_token!);
  await page.getByText('You were signed out before, so this was not done.').waitFor();
  t.equal(await prompt(page).inputValue(), 'sent when nobody was signed in');
  await leavePage(dashboard, page);
});

/** The session of the page ends; its sign-in is there. */
async function endSession(page: Page): Promise<void> {
  const ended = (await dashboard.client.expect(200, 'listDashboardSessions', {})).data[0]!.id;
  await dashboard.client.expect(204, 'revokeDashboardSession',
    { path: { dashboard_session_id: ended } });
  await untilHeading(page, 'Sign in to Gatehouse');
}

async function signInBy(page: Page, admin_token: string): Promise<void> {
  await page.getByLabel('Admin token').fill(admin_token);
  await page.keyboard.press('Enter');
}

t.test('what is typed outlives the session, for the same person alone', skip, async (t) => {
  const { client, workspace_id } = dashboard;
  const page = await openPage(dashboard);
  const instructions = page.locator('textarea[name=instructions]');
  await page.goto(addressOf(dashboard, `workspaces?workspace=${workspace_id}`));
  const { name } = await client.expect(200, 'getWorkspace', { path: { workspace_id } });
  const drawer = page.getByRole('dialog', { name, exact: true });
  await instructions.fill('What took an hour to write.');
  await endSession(page);
  await untilTrue(page, "document.title === 'Sign in – Gatehouse'");
  t.equal(await instructions.isVisible(), false, 'nobody else sees it');
  t.equal(await drawer.count(), 0, 'nor hears it');
  t.notMatch(await page.locator('body').innerText(), /Workspaces|hour to write/);
  await page.mouse.click(5, 400);
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await page.keyboard.press('Control+k');
  for (let nth = 0; nth < 20; nth++) {
    await page.keyboard.press('Tab');
    t.equal(await page.evaluate("document.activeElement.matches('body, [data-sign-in] *')"), true);
  }
  t.strictSame(await faultsOfSight(page), []);
  await signInBy(page, client.admin_token!);
  await drawer.waitFor();
  await untilTrue(page, "document.activeElement.matches('textarea[name=instructions]')");
  t.equal(await instructions.inputValue(), 'What took an hour to write.');
  t.equal(page.url(), addressOf(dashboard, `workspaces?workspace=${workspace_id}`));
  await page.getByRole('button', { name: 'Save changes' }).click();
  await drawer.waitFor({ state: 'detached' });
  t.match(await client.expect(200, 'getWorkspace', { path: { workspace_id } }),
    { instructions: 'What took an hour to write.' });

  await page.goto(addressOf(dashboard, `workspaces?workspace=${workspace_id}`));
  await instructions.fill('Of one person alone.');
  await endSession(page);
  const made = await client.expect(201, 'createAdminToken', { body: { name: 'a third one' } });
  await signInBy(page, made.admin_token);
  await page.getByText('a third one').first().waitFor({ state: 'attached' });
  await untilTrue(page, "document.querySelector('textarea')?.value"
    + " === 'What took an hour to write.'");
  await leavePage(dashboard, page);
});

t.test('nothing at the sign-in reaches the screens below it', skip, async (t) => {
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'sessions'));
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = page.getByRole('dialog', { name: 'New API key' });
  await dialog.getByLabel('Name').fill('half a na');
  // Where nothing had the focus, the dialog has it then, not what lies behind it.
  await page.evaluate('document.activeElement.blur()');
  await endSession(page);
  await page.getByLabel('Admin token').press('Escape');
  await page.evaluate('history.back()');
  await signInBy(page, dashboard.client.admin_token!);
  await dialog.waitFor();
  t.equal(await dialog.getByLabel('Name').inputValue(), 'half a na');
  await untilTrue(page, "document.activeElement.closest('[role=dialog]')");
  t.match(page.url(), addressOf(dashboard, 'keys'));
  await leavePage(dashboard, page);
});

/** Has what is asked done, and holds its answer until the session has ended and some time after. */
async function endBeforeAnswer(page: Page, method: string, place: string, press: string) {
  const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(`**/v1/${place}`, async (route) => {
    if (route.request().method() !== method) return await route.fallback();
    const answer = await route.fetch();
    asked.resolve();
    await held.promise;
    await route.fulfill({ response: answer });
  });
  await page.getByRole('button', { name: press, exact: true }).first().click();
  await asked.promise;
  await endSession(page);
  const over = page.waitForEvent('requestfinished', (one) => one.method() === method);
  held.resolve();
  await over;
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))');
}

t.test('what is answered below the sign-in goes on once somebody is there again', skip,
  async (t) => {
    const { client, workspace_id } = dashboard;
    const page = await openPage(dashboard);
    await page.goto(addressOf(dashboard, `workspaces?workspace=${workspace_id}`));
    await page.locator('textarea[name=instructions]').fill('Be brief.');
    await endBeforeAnswer(page, 'PATCH', 'admin/workspaces/*', 'Save changes');
    await signInBy(page, client.admin_token!);
    await page.waitForURL(addressOf(dashboard, 'workspaces'));
    t.equal(await page.getByRole('dialog').filter({ hasText: 'Instructions' }).count(), 0);
    await page.goto(addressOf(dashboard, 'sessions'));
    await endBeforeAnswer(page, 'POST', 'sessions', 'New session');
    await signInBy(page, client.admin_token!);
    await page.waitForURL(/\/sessions\/ses_/);
    await leavePage(dashboard, page);
  });

t.test('a run that is watched goes on after signing in again', skip, async () => {
  const { client } = dashboard;
  const run = await endlessRun(client, await newSession(client));
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, `runs/${run.id}`));
  await page.getByRole('status').getByText('live').waitFor();
  const refused = page.waitForResponse((one) =>
    one.status() === 401 && one.url().includes('/events?'));
  await endSession(page);
  await refused;
  const read = page.waitForResponse((one) => one.ok() && one.url().includes('/events?'));
  await signInBy(page, client.admin_token!);
  await read;
  await client.expect(200, 'cancelRun', { path: { run_id: run.id } });
  await page.getByText(/^Cancelled after/).waitFor();
  await leavePage(dashboard, page);
});

t.test('a page that a test has left is to the next one as a new one', skip, async (t) => {
  const page = await openPage(dashboard);
  const context = page.context();
  await page.route('**/healthz', (route) => route.abort());
  await context.grantPermissions(['clipboard-read'], { origin: dashboard.origin });
  page.on('dialog', () => t.fail('nobody listens any more'));
  await watchedPage(dashboard, context);
  await page.goto(addressOf(dashboard, 'overview'));
  await page.getByRole('link', { name: 'Runs', exact: true }).click();
  await untilHeading(page, 'Runs');
  await page.evaluate('name = "first"; document.cookie = "of=first"');
  const KEPT = `JSON.stringify({ name, hovered: document.querySelectorAll(':hover').length > 0,
    local: localStorage.length > 0, session: sessionStorage.length > 0 })`;
  t.strictSame(JSON.parse(await page.evaluate(KEPT)),
    { name: 'first', hovered: true, local: true, session: true });
  await leavePage(dashboard, page);
  t.equal(await openPage(dashboard, { is_signed_in: false }), page);
  t.equal(await page.evaluate('history.length'), 1);
  t.strictSame([await context.cookies(), context.pages()], [[], [page]]);
  t.not(await page.evaluate("navigator.permissions.query({ name: 'clipboard-read' })"
    + '.then(({ state }) => state)'), 'granted');
  await page.evaluate('alert()');
  t.strictSame(JSON.parse(await page.evaluate(KEPT)),
    { name: '', hovered: false, local: false, session: false });
  await page.goto(addressOf(dashboard, 'runs'));
  await untilHeading(page, 'Sign in to Gatehouse');
  t.equal(await page.evaluate("document.querySelectorAll(':hover').length"), 0);
  await leavePage(dashboard, page);
});

t.test('nothing failed, nothing was refused by the policy, nobody else was asked', skip,
  async (t) => {
    t.strictSame(dashboard.faults, []);
  });
