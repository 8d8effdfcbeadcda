/** The frame around every screen: signing in and out, finding one's way, a node that is gone. */
import type { Page, Route } from 'playwright-core';
import t from 'tap';
import { completeRun, endlessRun, newSession } from '../support/runs.ts';
import { otherWorkspace, testServer } from '../support/server.ts';
import { prefixProxy } from '../docs/prefixProxy.ts';
import {
  addressOf, dashboardFor, faultsOfSight, goByKey, leavePage, openPage, picture, untilClosed,
  untilHeading, untilTrue, watchedPage,
} from './support.ts';

const { skip, dashboard } = await dashboardFor(t);

const stored = (page: Page) => page.evaluate<string>(
  'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])');

t.test('signing in leads to the address that was asked for', skip, async (t) => {
  const { client } = dashboard;
  const page = await openPage(dashboard, { is_signed_in: false });
  await page.goto(addressOf(dashboard, 'runs?status=failed'));
  await untilHeading(page, 'Sign in to Gatehouse');
  t.strictSame(await faultsOfSight(page), []);
  await picture(page, 'sign-in');
  await page.getByLabel('Admin token').fill('gta_wrong');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText(/invalid_api_key · req_/).waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await page.getByLabel('Admin token').fill(client.admin_token!);
  await page.keyboard.press('Enter');
  await untilHeading(page, 'Runs');
  t.equal(page.url(), addressOf(dashboard, 'runs?status=failed'));
  t.equal(await page.getByLabel('Status').inputValue(), 'failed');
  t.equal(await page.title(), 'Runs – Gatehouse');
  t.notMatch(await stored(page), /gt[a-z]_|dbs_/, 'no script can read what signs in');
  t.notMatch(await page.content(), client.admin_token);

  await page.evaluate(`sessionStorage.setItem('gatehouse_draft_x', 'what was not sent')`);
  const kept = () => page.evaluate<string>(
    'JSON.stringify([sessionStorage, localStorage, document.cookie])');
  t.notMatch(await kept(), /gt[a-z]_/, 'no script has what signs in');
  await page.getByRole('button', { name: 'Theme and sign out' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await untilHeading(page, 'Sign in to Gatehouse');
  t.notMatch(await kept(), /draft|what was not sent/);
  await page.reload();
  await untilHeading(page, 'Sign in to Gatehouse');
  t.pass('the cookie is gone');
  await leavePage(dashboard, page);
});

t.test('every screen is found by keyboard, and by name', skip, async (t) => {
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'overview'));
  await untilHeading(page, 'Overview');
  await page.keyboard.press('Tab');
  t.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the content');
  await page.keyboard.press('Enter');
  t.equal(await page.evaluate('document.activeElement.id'), 'main');
  for (const [key, name] of [['r', 'Runs'], ['s', 'Sessions'], ['a', 'Approvals'],
    ['i', 'Integrations'], ['k', 'API keys'], ['l', 'Audit log'], ['w', 'Workspaces'],
    ['o', 'Overview']] as const) {
    await goByKey(page, key, name);
    await untilTrue(page, `document.title === '${name} – Gatehouse'`);
    t.equal(await page.locator('nav [aria-current=page]').textContent(), name);
  }
  await goByKey(page, 'r', 'Runs');
  await page.keyboard.press('/');
  await untilTrue(page, 'document.activeElement.matches("[data-filter]")');
  await page.keyboard.type('g r?');
  t.equal(await page.getByRole('dialog').count(), 0, 'who types is not taken elsewhere');
  await page.getByRole('grid').or(page.getByText('No run is like that')).waitFor();
  await page.locator('main').focus();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await page.keyboard.press('Escape');
  await untilClosed(page);
  await page.goto(addressOf(dashboard, 'nowhere'));
  await page.getByText('Nothing is at this address').waitFor();
  await page.goBack();
  await untilHeading(page, 'Runs');
  // Where Russian is typed; so are the other letters that are not Latin.
  const press = (key: string, code: string, ctrlKey = false) => page.evaluate(
    `document.body.dispatchEvent(new KeyboardEvent('keydown', ${JSON.stringify(
      { key, code, ctrlKey, bubbles: true, cancelable: true })}))`);
  await press('л', 'KeyK', true);
  await page.getByRole('combobox', { name: /^Find/ }).waitFor();
  await page.keyboard.press('Escape');
  await untilClosed(page);
  await press('п', 'KeyG');
  await press('ы', 'KeyS');
  await untilHeading(page, 'Sessions');
  await leavePage(dashboard, page);
});

t.test('the workspace is in the address, and nothing of another is shown', skip, async (t) => {
  const { client } = dashboard;
  const other = await otherWorkspace(dashboard);
  await completeRun(client, await newSession(client), 'a prompt of the first workspace');
  await completeRun(other, await newSession(other), 'a prompt of the second workspace');
  const second = (await client.expect(200, 'listWorkspaces', {})).data
    .find(({ id }) => id !== dashboard.workspace_id)!;
  await client.expect(200, 'updateWorkspace',
    { path: { workspace_id: second.id }, body: { name: 'Second' } });
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'runs'));
  await page.getByText('a prompt of the first workspace').waitFor();
  await page.getByRole('button', { name: /^Workspace: / }).click();
  t.strictSame(await faultsOfSight(page), []);
  await page.getByRole('menuitem', { name: 'Second' }).click();
  await page.getByText('a prompt of the second workspace').waitFor();
  t.equal(await page.getByText('a prompt of the first workspace').count(), 0);
  t.equal(page.url(), addressOf({ ...dashboard, workspace_id: second.id }, 'runs'));
  await page.goBack();
  await page.getByText('a prompt of the first workspace').waitFor();
  t.equal(await page.getByText('a prompt of the second workspace').count(), 0);
  await page.goto(`${dashboard.origin}/dashboard`);
  await untilHeading(page, 'Overview');
  t.match(page.url(), dashboard.workspace_id, 'the one of last time');
  await leavePage(dashboard, page);
});

t.test('the theme is that of the system until one is chosen, in every tab', skip, async (t) => {
  const page = await openPage(dashboard, { theme: 'dark' });
  const ground = (of: Page) => of.evaluate<string>(
    'getComputedStyle(document.documentElement).backgroundColor');
  await page.goto(addressOf(dashboard, 'overview'));
  await untilHeading(page, 'Overview');
  const dark = await ground(page);
  const tab = await watchedPage(dashboard, page.context());
  await tab.emulateMedia({ colorScheme: 'dark' });
  await tab.goto(addressOf(dashboard, 'keys'));
  await untilHeading(tab, 'API keys');
  await page.getByRole('button', { name: 'Theme and sign out' }).click();
  await page.getByRole('menuitem', { name: 'Theme: light' }).click();
  const light = await ground(page);
  t.not(light, dark);
  await untilTrue(tab,
    `getComputedStyle(document.documentElement).backgroundColor === '${light}'`);
  await page.addInitScript('requestAnimationFrame(() => {'
    + ' window.first = document.documentElement.dataset.theme; })');
  // The script comes long after the style: without it nothing is drawn.
  const style = page.waitForResponse(/\.css$/);
  await page.route('**/assets/index-*.js', async (route) => {
    await (await style).finished();
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 200))');
    await route.continue();
  });
  await page.reload();
  await untilHeading(page, 'Overview');
  t.equal(await page.evaluate('window.first'), 'light', 'no picture has another theme');
  t.equal(await ground(page), light);
  await page.context().close();
});

t.test('who is signed out elsewhere signs in again, and is where they were', skip, async (t) => {
  const { client } = dashboard;
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'runs?status=completed'));
  await page.getByRole('grid').waitFor();
  const [newest] = (await client.expect(200, 'listDashboardSessions', {})).data;
  await client.expect(204, 'revokeDashboardSession',
    { path: { dashboard_session_id: newest!.id } });
  await untilHeading(page, 'Sign in to Gatehouse');
  await page.getByText('Your session has ended.').waitFor();
  await page.getByLabel('Admin token').fill(client.admin_token!);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('grid').waitFor();
  t.equal(page.url(), addressOf(dashboard, 'runs?status=completed'));
  t.equal(await page.evaluate('document.activeElement.id'), 'main', 'who uses keys goes on there');
  await leavePage(dashboard, page);
});

/** What the browser says of a part that was not there is taken from the faults of the page. */
function forgetLostParts(): void {
  const others = dashboard.faults.filter((fault) => !/dynamically imported module/.test(fault));
  dashboard.faults.splice(0, Infinity, ...others);
}

t.test('a screen that fails leaves the others alone', skip, async (t) => {
  const page = await openPage(dashboard);
  await page.route('**/assets/Keys-*.js', (route) => route.abort());
  await page.goto(addressOf(dashboard, 'overview'));
  await untilHeading(page, 'Overview');
  const loaded_anew = page.waitForEvent('domcontentloaded');
  await page.getByRole('link', { name: 'API keys' }).click();
  await loaded_anew;
  await page.getByText('It may have been upgraded since this page was opened.').waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await page.getByRole('link', { name: 'Runs' }).click();
  await untilHeading(page, 'Runs');
  await leavePage(dashboard, page);
  forgetLostParts();
});

t.test('a part that was upgraded meanwhile is loaded with the page', skip, async (t) => {
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'overview'));
  await untilHeading(page, 'Overview');
  await page.route('**/assets/Keys-*.js', (route) => route.abort());
  page.once('domcontentloaded', () => void page.unroute('**/assets/Keys-*.js'));
  await goByKey(page, 'k', 'API keys');
  t.equal(page.url(), addressOf(dashboard, 'keys'));
  await leavePage(dashboard, page);
  forgetLostParts();
});

t.test('who goes elsewhere while a screen loads gets there', skip, async (t) => {
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'overview'));
  await untilHeading(page, 'Overview');
  const elsewhere = `${dashboard.origin}/elsewhere`;
  const held = new Map<string, Route>();
  await page.route(/assets\/Keys-.*\.js$|elsewhere$/, (route) => {
    held.set(route.request().url() === elsewhere ? 'page' : 'part', route);
  });
  const part = page.waitForRequest(/Keys-/);
  await page.getByRole('link', { name: 'API keys' }).click();
  await part;
  const other = page.waitForRequest(elsewhere);
  await page.evaluate(`void setTimeout(() => location.assign('${elsewhere}'))`);
  await other;
  // As Firefox does it as soon as one leaves, before the other page has answered.
  const looked = page.waitForResponse(/readyz/);
  await held.get('part')!.abort();
  await looked;
  // The browser answers no script meanwhile; the page has long gone on when this is answered.
  for (let at = 0; at < 5; at++) await dashboard.client.expect(200, 'listSessions');
  await held.get('page')!.fulfill({ contentType: 'text/html', body: '<title>Elsewhere</title>' });
  await page.waitForURL(elsewhere);
  t.equal(await page.title(), 'Elsewhere');
  await leavePage(dashboard, page);
  forgetLostParts();
});

t.test('a browser that keeps nothing for the site says what is needed', skip, async (t) => {
  const page = await openPage(dashboard, { is_signed_in: false });
  await page.addInitScript(`for (const name of ['localStorage', 'sessionStorage']) {
    Object.defineProperty(window, name, { get: () => { throw new Error('it is refused'); } });
  }`);
  await page.goto(addressOf(dashboard, 'runs'));
  await page.getByText('keeps no cookies and site data').waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await page.context().close();
  const others = dashboard.faults.filter((fault) => !/it is refused/.test(fault));
  dashboard.faults.splice(0, Infinity, ...others);
});

t.test('below a prefix, and on a phone', skip, async (t) => {
  await dashboard.client.expect(200, 'updateWorkspace', {
    path: { workspace_id: dashboard.workspace_id }, body: { name: 'W'.repeat(200) } });
  const proxy = await prefixProxy(t, dashboard.origin);
  const below = { ...dashboard, origin: proxy.url };
  const page = await openPage(below, { width: 'phone' });
  await page.goto(addressOf(below, 'runs'));
  await page.getByRole('grid').getByText('a prompt of the first workspace').waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await picture(page, 'runs-phone');
  await page.getByRole('button', { name: 'Navigation' }).click();
  await page.getByRole('link', { name: 'Sessions' }).click();
  await untilHeading(page, 'Sessions');
  t.equal(page.url(), addressOf(below, 'sessions'));
  t.notOk(await page.getByRole('link', { name: 'Sessions' }).isVisible(),
    'the navigation makes room');
  await page.context().close();
});

t.test('a run that is read on after a cut is live before anything new comes', skip, async (t) => {
  const { client } = dashboard;
  const run = await endlessRun(client, await newSession(client));
  const { data } = await client.expect(200, 'streamRunEvents', { path: { run_id: run.id } });
  const page = await openPage(dashboard);
  await page.route(`**/${run.id}/events*`, (route) => route.fulfill({
    contentType: 'text/event-stream',
    body: data.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''),
  }), { times: 1 });
  const read_on = page.waitForResponse((to) => to.url().includes(`after=${data.length}`));
  await page.goto(addressOf(dashboard, `runs/${run.id}`));
  await read_on;
  await page.getByText('live', { exact: true }).waitFor();
  t.equal(await page.getByRole('tab', { name: /Events/ }).textContent(), `Events (${data.length})`);
  await leavePage(dashboard, page);
});

t.test('a node without its database is told of, and screens recover by themselves', skip,
  async (t) => {
    const page = await openPage(dashboard);
    const away = async (is_away: boolean) => {
      for (const place of ['**/v1/**', '**/readyz']) {
        if (!is_away) await page.unroute(place);
        else {
          await page.route(place, (route) => route.fulfill({ status: 503,
            json: { error: 'The database is away.', code: 'unavailable', request_id: 'req_1' } }));
        }
      }
    };
    await page.goto(addressOf(dashboard, 'runs'));
    await page.getByRole('grid').getByText('a prompt of the first workspace').waitFor();
    await away(true);
    const bar = page.getByRole('alert').getByText(/cannot reach its database/);
    await bar.waitFor();
    t.equal(await page.getByRole('grid').getByText('a prompt of the first').count(), 1,
      'what was there is there');
    await away(false);
    await bar.waitFor({ state: 'detached' });

    await away(true);
    await page.goto(addressOf(dashboard, 'runs'));
    await page.getByText('The database is away.').waitFor();
    await away(false);
    await page.getByRole('grid').getByText('a prompt of the first workspace').waitFor();
    t.pass('nobody had to try again');
    await leavePage(dashboard, page);
  });

t.test('an address with a workspace that does not exist', skip, async (t) => {
  const page = await openPage(dashboard);
  for (const id of ['wsp_00000000000000000000000000', 'nonsense']) {
    await page.goto(`${dashboard.origin}/dashboard/w/${id}/runs`);
    await untilHeading(page, 'No such workspace');
    t.strictSame(await faultsOfSight(page), []);
  }
  await page.getByRole('main').getByRole('link').first().click();
  await untilHeading(page, 'Overview');
  await leavePage(dashboard, page);
});

t.test('without a network that is told, and nothing is said to be empty', skip, async (t) => {
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'runs'));
  const row = page.getByRole('grid').getByText('a prompt of the first workspace');
  await row.waitFor();
  await page.context().setOffline(true);
  await page.getByLabel('Status').selectOption('completed');
  const bar = page.getByText('This computer is offline.');
  await bar.waitFor();
  await page.getByRole('main').getByRole('alert').waitFor();
  t.equal(await page.getByText(/^No run/).count(), 0, 'nobody knows how many there are');
  await page.context().setOffline(false);
  await bar.waitFor({ state: 'detached' });
  await row.waitFor();
  await page.context().close();
});

t.test('a node that is gone is told of, and what is shown goes on when it is back', skip,
  async (t) => {
    const { client, service, url, sql } = dashboard;
    const page = await openPage(dashboard);
    await page.goto(addressOf(dashboard, 'runs'));
    await page.getByRole('grid').getByText('a prompt of the first workspace').waitFor();
    await service.stop();
    const bar = page.getByRole('alert').getByText(/The service does not answer/);
    await bar.waitFor();
    t.equal(await page.getByRole('grid').getByText('a prompt of the first').count(), 1,
      'what was there is there');
    t.strictSame(await faultsOfSight(page), []);
    await page.keyboard.press('g');
    await page.keyboard.press('k');
    await untilHeading(page, 'This screen cannot be shown');
    await page.getByRole('button', { name: 'Try again' }).press('Enter');
    await page.getByText('It could not be loaded, and is shown as soon as it can be.').waitFor();
    t.strictSame(await faultsOfSight(page), []);
    await page.goBack();
    await page.getByRole('grid').getByText('a prompt of the first workspace').waitFor();
    await page.goForward();
    await untilHeading(page, 'This screen cannot be shown');
    const next = await testServer(t, {
      database: { url, sql }, config: { port: Number(new URL(dashboard.origin).port) },
    });
    await bar.waitFor({ state: 'detached' });
    await untilHeading(page, 'API keys');
    await page.goBack();
    await page.getByRole('grid').getByText('a prompt of the first workspace').waitFor();
    await completeRun(client, await newSession(client), 'after the node came back');
    await page.getByRole('button', { name: /new$/ }).click();
    await page.getByText('after the node came back').waitFor();
    t.equal(new URL(next.service.base_url).origin, dashboard.origin);
    await leavePage(dashboard, page);
    forgetLostParts();
  });

t.test('nothing failed, nothing was refused by the policy, nobody else was asked', skip,
  async (t) => {
    t.strictSame(dashboard.faults, []);
  });
