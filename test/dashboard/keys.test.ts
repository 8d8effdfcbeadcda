/** Api keys: made, shown once, copied, used, and revoked with what ends. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { signedIn } from '../support/dashboard.ts';
import { endlessRun, eventsOf, newSession } from '../support/runs.ts';
import { untilSeen } from '../support/until.ts';
import {
  addressOf, dashboardFor, faultsOfSight, leavePage, openPage, picture, untilClosed, watchedPage,
} from './support.ts';

const { skip, dashboard } = await dashboardFor(t);

const rowOf = (page: Page, words: string) =>
  page.getByRole('grid').getByRole('row').filter({ hasText: words });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const newKey = async (name: string, rest: object = {}) =>
  await dashboard.client.expect(201, 'createApiKey',
    { body: { workspace_id: dashboard.workspace_id, name, ...rest } });
/** All that this browser keeps, but for cookies. */
const kept = (page: Page) => page.evaluate<string>(
  'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, location.href])');

t.test('a workspace without a key says how to make one', skip, async (t) => {
  const { id } = await dashboard.client.expect(201, 'createWorkspace', { body: { name: 'new' } });
  const page = await openPage(dashboard);
  await page.goto(addressOf({ ...dashboard, workspace_id: id }, 'keys'));
  await page.getByText('No API keys yet').waitFor();
  await page.getByText(`gatehouse keys create --name backend --workspace ${id}`).waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await leavePage(dashboard, page);
});

t.test('a key that was found somewhere is found by its end', skip, async (t) => {
  const { api_key, hint } = await newKey('left in a repository');
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'keys'));
  await rowOf(page, 'first key').waitFor();
  await page.getByLabel('Name or end').fill(api_key);
  await rowOf(page, 'first key').waitFor({ state: 'detached' });
  t.match(page.url(), new RegExp(`name=${api_key.slice(-4)}$`), 'the key itself goes nowhere');
  await rowOf(page, hint).getByText('left in a repository').waitFor();
  t.equal(hint, `…${api_key.slice(-4)}`);
  await leavePage(dashboard, page);
});

t.test('a key is made by keyboard, shown once, copied and used', skip, async (t) => {
  const { client, origin, sql } = dashboard;
  const page = await openPage(dashboard);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
  // The clock here is ten days slow: that of the service counts.
  await page.addInitScript('const now = Date.now; Date.now = () => now() - 864e6;');
  await page.goto(addressOf(dashboard, 'keys'));
  await rowOf(page, 'first key').waitFor();
  await button(page, 'New key').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'New API key' }).waitFor();
  await page.keyboard.type('mobile app');
  await page.keyboard.press('Tab');
  await page.keyboard.press('End');
  await page.getByText('It is good until somebody revokes it.').waitFor();
  await page.keyboard.press('Home');
  await page.getByText(/Refused from .* on\./).waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await page.getByRole('textbox', { name: 'Name' }).last().press('Enter');

  const shown = page.getByRole('dialog', { name: 'The key mobile app' });
  const api_key = (await shown.locator('[data-secret]').textContent())!;
  t.match(api_key, /^gth_\w{40,}$/);
  await shown.locator('button:focus').getByText('Copy').waitFor();
  await page.locator('[role=grid]').getByText('mobile app').waitFor();
  t.pass('the list has it, without being asked');
  await page.keyboard.press('Escape');
  await page.getByRole('alert').getByText('You have not copied the key.').waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await button(page, 'Copy the key').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor({ state: 'detached' });
  t.equal(await page.evaluate('navigator.clipboard.readText()'), api_key);
  await picture(page, 'key-made');

  const line = (await shown.getByRole('region', { name: 'The first request' }).textContent())!;
  const [, address] = /'(http[^']+)'/.exec(line)!;
  const [, authorization] = /'Authorization: ([^']+)'/.exec(line)!;
  t.equal((await fetch(address!, { headers: { authorization: authorization! } })).status, 200);
  // Uses are noted every ten seconds; this one is noted at once.
  await sql`update api_keys set last_used_at = now() where hint = ${`…${api_key.slice(-4)}`}`;
  await shown.getByText('It works').waitFor();
  await button(page, 'Done').press('Enter');
  await shown.waitFor({ state: 'detached' });
  await page.locator('button:focus').getByText('New key').waitFor();
  t.notMatch(await page.content(), api_key, 'it is in the page no more');
  t.notMatch(await kept(page), /gth_/);
  await client.as(api_key).expect(200, 'listSessions');
  const { data } = await client.expect(200, 'listApiKeys');
  t.ok(Date.parse(data[0]!.expires_at!) > Date.now() + 29 * 86_400_000, 'in 30 days');
  await page.context().close();
});

t.test('no way out of the page loses a key that was not copied', skip, async (t) => {
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'runs'));
  await page.getByText('No runs yet').waitFor();
  await page.getByRole('link', { name: 'API keys' }).click();
  await button(page, 'New key').click();
  await page.getByRole('textbox', { name: 'Name' }).last().fill('backend');
  await page.getByLabel('Expires').selectOption('date');
  await page.getByLabel('Time').fill('2020-01-01T00:00');
  await button(page, 'Create key').click();
  await page.getByText('expires_at is in the past.').waitFor();
  t.equal(await page.getByLabel('Time').getAttribute('aria-invalid'), 'true');
  await page.getByLabel('Expires').selectOption('');
  await button(page, 'Create key').click();
  const shown = page.getByRole('dialog', { name: 'The key backend' });
  await shown.waitFor();
  const asked = page.waitForEvent('dialog');
  const leaving = page.goto('about:blank').catch(() => 'stayed');
  const question = await asked;
  t.equal(question.type(), 'beforeunload');
  await question.dismiss();
  t.equal(await leaving, 'stayed');
  await page.goBack();
  await page.getByRole('alert').getByText('You have not copied the key.').waitFor();
  await button(page, 'Leave without it').click();
  await page.waitForURL(addressOf(dashboard, 'runs'));
  await page.goto(addressOf(dashboard, 'keys?create=key'));
  await page.getByRole('textbox', { name: 'Name' }).last().fill('another');
  await button(page, 'Create key').click();
  await page.getByRole('dialog', { name: 'The key another' }).waitFor();
  await button(page, 'Done').click();
  await button(page, 'Leave without it').click();
  await page.waitForURL(addressOf(dashboard, 'keys'));
  await rowOf(page, 'another').waitFor();
  await leavePage(dashboard, page);
});

t.test('nor one that is being made', skip, async (t) => {
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'runs'));
  await page.getByRole('link', { name: 'API keys' }).click();
  await button(page, 'New key').click();
  await page.getByRole('textbox', { name: 'Name' }).last().fill('slow');
  const held = Promise.withResolvers<void>();
  await page.route('**/v1/admin/api_keys', async (route) => {
    await held.promise;
    await route.continue();
  });
  const asked = page.waitForRequest((one) => one.method() === 'POST');
  await button(page, 'Create key').click();
  await asked;
  await page.evaluate(`new Promise((told) => {
    addEventListener('popstate', () => requestAnimationFrame(told), { once: true });
    history.back();
  })`);
  await page.getByRole('alert').getByText('The key may be made already').waitFor();
  held.resolve();
  await page.getByRole('dialog', { name: 'The key slow' }).locator('[data-secret]').waitFor();
  await page.waitForURL(addressOf(dashboard, 'keys?create=key'));
  t.equal(await page.getByRole('alert').count(), 0);
  await button(page, 'Done').click();
  await button(page, 'Leave without it').click();
  await page.waitForURL(addressOf(dashboard, 'keys'));
  await leavePage(dashboard, page);
});

t.test('who does not wait for it leaves without it', skip, async (t) => {
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'runs'));
  await page.getByRole('link', { name: 'API keys' }).click();
  await button(page, 'New key').click();
  await page.getByRole('textbox', { name: 'Name' }).last().fill('silent');
  await page.route('**/v1/admin/api_keys', () => {});
  await button(page, 'Create key').click();
  await page.getByRole('dialog').locator('[aria-busy=true]').waitFor();
  await page.evaluate('history.back()');
  await page.getByRole('alert').getByText('it has to be revoked').waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await button(page, 'Leave without it').click();
  await untilClosed(page);
  t.match(page.url(), /\/(keys|runs)$/);
  await leavePage(dashboard, page);
});

t.test('a key that is being made is seen by who signs out in another tab', skip, async () => {
  const page = await openPage(dashboard);
  const tab = await watchedPage(dashboard, page.context());
  await tab.goto(addressOf(dashboard, 'overview'));
  await page.goto(addressOf(dashboard, 'keys?create=key'));
  await page.getByRole('textbox', { name: 'Name' }).last().fill('of two tabs');
  const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route('**/v1/admin/api_keys', async (route) => {
    const answer = await route.fetch();
    asked.resolve();
    await held.promise;
    await route.fulfill({ response: answer });
  });
  await button(page, 'Create key').click();
  await asked.promise;
  const told = page.waitForResponse((one) =>
    one.status() === 401 && one.url().endsWith('/dashboard_sessions/current'));
  await button(tab, 'Theme and sign out').click();
  await tab.getByRole('menuitem', { name: 'Sign out' }).click();
  await told;
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))');
  held.resolve();
  const shown = page.getByRole('dialog', { name: 'The key of two tabs' });
  await shown.locator('[data-secret]').waitFor();
  await button(page, 'Done').click();
  await button(page, 'Leave without it').click();
  await page.getByRole('heading', { name: 'Sign in to Gatehouse' }).waitFor();
  await leavePage(dashboard, page);
});

t.test('nor an admin token that was not copied', skip, async (t) => {
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'access?tab=tokens'));
  await button(page, 'New token').waitFor();
  await page.getByRole('link', { name: 'Runs' }).click();
  await page.getByText('No runs yet').waitFor();
  await page.goBack();
  await button(page, 'New token').click();
  await page.getByLabel('Name').fill('deployment');
  await button(page, 'Make token').click();
  const shown = page.getByRole('dialog', { name: 'The admin token deployment' });
  await shown.waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await page.goForward();
  await page.getByRole('alert').getByText('You have not copied the token.').waitFor();
  await shown.locator('[data-secret]').click({ clickCount: 3 });
  await page.keyboard.press('Control+c');
  await page.getByRole('alert').waitFor({ state: 'detached' });
  await button(page, 'Done').click();
  await shown.waitFor({ state: 'detached' });
  await page.getByRole('grid', { name: 'Admin tokens' }).getByText('deployment').waitFor();
  t.equal(page.url(), addressOf(dashboard, 'access?tab=tokens'), 'nobody has left');
  await leavePage(dashboard, page);
});

t.test('a key that is shown outlives the session', skip, async (t) => {
  const { client, origin } = dashboard;
  const page = await openPage(dashboard);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
  await page.goto(addressOf(dashboard, 'keys?create=key'));
  await page.getByRole('textbox', { name: 'Name' }).last().fill('the last of the day');
  await button(page, 'Create key').click();
  const shown = page.getByRole('dialog', { name: 'The key the last of the day' });
  const api_key = (await shown.locator('[data-secret]').textContent())!;
  const [newest] = (await client.expect(200, 'listDashboardSessions', {})).data;
  const refused = page.waitForResponse((answer) => answer.status() === 401);
  await client.expect(204, 'revokeDashboardSession',
    { path: { dashboard_session_id: newest!.id } });
  await refused;
  await button(page, 'Done').click();
  const sign_in = page.getByRole('heading', { name: 'Sign in to Gatehouse' });
  await button(page, 'Copy the key').click();
  t.equal(await sign_in.count(), 0);
  await untilSeen('the key in the clipboard', () =>
    page.evaluate('navigator.clipboard.readText()'), (text) => text === api_key);
  await button(page, 'Done').click();
  await sign_in.waitFor();
  await page.getByText('Your session has ended.').waitFor();
  await client.as(api_key).expect(200, 'listSessions');
  await leavePage(dashboard, page);
});

t.test('what a key may do is told in sentences, and what ends with it', skip, async (t) => {
  const { client, workspace_id } = dashboard;
  const name = '<img src=x onerror="alert(1)">\u202egnp.exe';
  const key = await newKey(name, { expires_at: new Date(Date.now() + 86_400_000) });
  const grant = async (body: object) =>
    await client.expect(201, 'createGrant', { body: { workspace_id, ...body } });
  await grant({ actions: 'github.issues.*', decision: 'require_approval', api_key_id: key.id });
  await grant({ actions: 'github.repos.delete', decision: 'deny' });
  const run = await endlessRun(client.as(key.api_key), await newSession(client));
  const page = await openPage(dashboard);
  page.on('dialog', () => t.fail('a dialog opened'));
  await page.goto(addressOf(dashboard, `keys?key=${key.id}`));
  const drawer = page.getByRole('dialog', { name: /<img src=x/ });
  await drawer.getByText('No key may call github.repos.delete').waitFor();
  await drawer.getByText(/^The key “.*” may call github.issues.\* once somebody approves the call$/)
    .waitFor();
  await drawer.getByText('Whatever else only reads is allowed').waitFor();
  await drawer.getByText('1 open run will be cancelled').waitFor();
  t.equal(await page.locator('img').count(), 0);
  t.notMatch(await page.locator('body').innerText(), /\u202e/);
  await drawer.getByText('U+202E').first().waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await picture(page, 'key-light');

  await button(page, 'Revoke key').click();
  const question = page.getByRole('dialog', { name: /^Revoke / });
  const confirm = question.getByRole('button', { name: 'Revoke key' });
  t.equal(await confirm.isDisabled(), true, 'something ends, so it is to be confirmed');
  t.strictSame(await faultsOfSight(page), []);
  await page.keyboard.type(key.hint);
  await page.keyboard.press('Enter');
  await drawer.getByText('revoked', { exact: true }).waitFor();
  t.equal(await button(page, 'Revoke key').count(), 0);
  t.equal((await eventsOf(client, run.id)).at(-1)?.type, 'run.cancelled');
  await page.keyboard.press('Escape');
  await page.waitForURL(addressOf(dashboard, 'keys'));
  await leavePage(dashboard, page);
});

t.test('a key that ends nothing is revoked by one more press', skip, async (t) => {
  const key = await newKey('old laptop');
  const page = await openPage(dashboard, { theme: 'dark', width: 'phone' });
  await page.goto(addressOf(dashboard, 'keys'));
  await rowOf(page, 'old laptop').click();
  await page.getByText('Nothing else ends: no run is open in its name.').waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await button(page, 'Revoke key').click();
  await page.getByRole('dialog', { name: 'Revoke old laptop?' })
    .getByRole('button', { name: 'Revoke key' }).click();
  await page.getByText('The key is revoked').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click();
  await page.getByLabel('Status').selectOption('revoked');
  await rowOf(page, 'old laptop').waitFor();
  t.equal(await rowOf(page, 'first key').count(), 0);
  await page.getByLabel('Name').fill('nobody');
  await page.getByText('No key is like that').waitFor();
  t.strictSame(await faultsOfSight(page), []);
  const { data } = await dashboard.client.expect(200, 'listApiKeys');
  t.equal(data.find(({ id }) => id === key.id)?.status, 'revoked');
  await leavePage(dashboard, page);
});

t.test('the key of the dashboard is shown as what it is; viewers only look', skip, async (t) => {
  await (await signedIn(dashboard, 'viewer')).expect(200, 'listSessions');
  const page = await openPage(dashboard, { role: 'viewer' });
  await page.goto(addressOf(dashboard, 'keys'));
  await page.getByText('Making and revoking keys needs the role admin.').waitFor();
  t.equal(await button(page, 'New key').count(), 0);
  await rowOf(page, 'this dashboard').click();
  await page.getByText('Nobody holds the key itself.').waitFor();
  t.equal(await button(page, 'Revoke key').count(), 0);
  t.strictSame(await faultsOfSight(page), []);
  const tab = await watchedPage(dashboard, page.context());
  await tab.goto(addressOf(dashboard, 'keys?create=key'));
  await rowOf(tab, 'this dashboard').waitFor();
  t.equal(await tab.getByRole('dialog').count(), 0, 'a link offers no more than the role');
  await leavePage(dashboard, page);
});

t.test('nothing failed, nothing was refused by the policy, nobody else was asked', skip,
  async (t) => {
    t.strictSame(dashboard.faults, []);
  });
