/** Grants and accounts in the browser: read as a whole, ended, and not lost while half made. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { NO_CHROMIUM } from '../support/chromium.ts';
import { connectPets, petDocument } from '../support/petStore.ts';
import {
  addressOf, dashboardFor, faultsOfSight, leavePage, openPage, picture, tableRows, untilTrue,
} from './support.ts';

const { skip, dashboard } = await dashboardFor(t);
if (!NO_CHROMIUM) {
  await dashboard.client.expect(201, 'createIntegration', { body: {
    slug: 'pets', kind: 'openapi', document: petDocument(), base_url: 'https://pets.example' } });
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const LONG_NAME = `the account of the shop ${'with a long name '.repeat(8)}and an end`;

t.test('a sentence is read to its end, by mouse and by keyboard', skip, async (t) => {
  const { client, workspace_id } = dashboard;
  const { id: connection_id } = await connectPets(client, workspace_id, { name: LONG_NAME });
  await client.expect(201, 'createGrant', { body: {
    workspace_id, actions: 'pets.pets.create', decision: 'allow', connection_id } });
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'grants'));
  const sentence = tableRows(page).getByText(/^Every key may call pets.*and an end”$/);
  const whole = `Every key may call pets.pets.create without asking with the connection “${
    LONG_NAME}”`;
  await sentence.hover();
  t.equal(await sentence.getAttribute('title'), whole);
  const dialog = page.getByRole('dialog');
  await sentence.click();
  await dialog.getByText(whole).waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('grid').press('Home');
  await page.keyboard.press('Enter');
  await dialog.getByText(whole).waitFor();
  await leavePage(dashboard, page);
});

t.test('a grant that has expired is no longer said to allow', skip, async (t) => {
  const { client, sql, workspace_id } = dashboard;
  const { id } = await client.expect(201, 'createGrant', { body: { workspace_id,
    actions: 'pets.pets.list', decision: 'allow', expires_at: '2999-01-01T00:00:00Z' } });
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'grants'));
  const row = tableRows(page).filter({ hasText: 'pets.pets.list' });
  await row.getByText('allow', { exact: true }).waitFor();
  await sql`update grants set expires_at = now() - interval '1 minute' where id = ${id}`;
  await page.reload();
  await row.getByText('expired', { exact: true }).waitFor();
  t.equal(await row.getByText('allow', { exact: true }).count(), 0);
  await client.expect(204, 'deleteGrant', { path: { grant_id: id } });
  await leavePage(dashboard, page);
});

t.test('what grants deny to every key is said where it is not listed', skip, async (t) => {
  const { client, workspace_id } = dashboard;
  const deny = async (actions: string) => (await client.expect(201, 'createGrant',
    { body: { workspace_id, actions, decision: 'deny' } })).id;
  const grants = [await deny('pets.pets.delete'), await deny('other.things.list')];
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'integrations/pets'));
  await page.getByRole('row', { name: /pets\.pets\.list/ }).waitFor();
  const says = page.getByText(/^Grants deny these to every key, so that they are not listed: /);
  await says.getByText('pets.pets.delete', { exact: true }).waitFor();
  t.equal(await page.getByRole('row', { name: /pets\.pets\.delete/ }).count(), 0);
  t.strictSame(await faultsOfSight(page), []);
  await page.getByRole('link', { name: 'See the grants' }).press('Enter');
  await page.getByRole('row', { name: /No key may call pets\.pets\.delete/ }).waitFor();
  await page.locator('main:focus').waitFor();
  grants.push(await deny('pets.*'));
  await page.goto(addressOf(dashboard, 'integrations/pets'));
  await page.getByText('Grants deny all of them to every key.').waitFor();
  await page.getByLabel('Effect').selectOption('read');
  await page.getByText('Change the words or the effect.').waitFor();
  for (const grant_id of grants) await client.expect(204, 'deleteGrant', { path: { grant_id } });
  await page.goto(addressOf(dashboard, 'integrations/pets'));
  await page.getByRole('row', { name: /pets\.pets\.delete/ }).waitFor();
  t.equal(await says.count(), 0);
  await leavePage(dashboard, page);
});

t.test('of many, those are found that hold for an action', skip, async (t) => {
  const { client, workspace_id } = dashboard;
  const made = ['pets.*', 'pets.*.delete', 'pets.pets.list', 'other.*'].map(async (actions) =>
    (await client.expect(201, 'createGrant', {
      body: { workspace_id, actions, decision: 'require_approval' } })).id);
  const grants = await Promise.all(made);
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'grants'));
  await tableRows(page).filter({ hasText: 'other.*' }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('pets.pets.delete');
  await tableRows(page).filter({ hasText: 'other.*' }).waitFor({ state: 'detached' });
  t.equal(await tableRows(page).filter({ hasText: 'pets.pets.list' }).count(), 0);
  t.equal(await tableRows(page).filter({ hasText: 'pets.*' }).count(), 2, 'by a pattern');
  t.match(page.url(), /name=pets\.pets\.delete/);
  t.strictSame(await faultsOfSight(page), []);
  await page.keyboard.press('Control+a');
  await page.keyboard.type('list ask');
  await tableRows(page).filter({ hasText: 'pets.*' }).first().waitFor({ state: 'detached' });
  t.equal(await tableRows(page).filter({ hasText: 'pets.pets.list' }).count(), 1, 'by words');
  const { id: api_key_id } = (await client.expect(200, 'listApiKeys',
    { query: { workspace_id } })).data.find(({ name }) => name === 'first key')!;
  grants.push((await client.expect(201, 'createGrant', { body: {
    workspace_id, actions: 'pets.pets.list', decision: 'allow', api_key_id } })).id);
  await page.reload();
  for (const [words, found] of [['first key', 'The key “first key” may call pets.pets.list'],
    ['every other', 'Every key may call other.*'],
    ['the shop', 'with the connection “the account of the shop']] as const) {
    await page.getByLabel('Search').fill(words);
    await tableRows(page).filter({ hasText: found }).waitFor();
    await untilTrue(page, "document.querySelectorAll('[role=grid] [aria-selected]').length === 1");
  }
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(addressOf(dashboard, 'integrations/pets?tab=grants'));
  await page.getByLabel('Search').waitFor();
  t.ok((await page.getByLabel('Search').boundingBox())!.width > 300, 'it has the whole line');
  await page.setViewportSize({ width: 1_280, height: 800 });
  await page.goto(addressOf(dashboard, 'grants'));
  await page.getByLabel('Search').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('nothing.like.that');
  await page.getByText('No grant is like that').waitFor();
  for (const grant_id of grants) await client.expect(204, 'deleteGrant', { path: { grant_id } });
  await leavePage(dashboard, page);
});

t.test('what deletes a grant stands below its heading', skip, async (t) => {
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'grants'));
  await button(page, 'Delete the grant for pets.pets.create').waitFor();
  /** Where the words begin: the edge of a button may be seen or not. */
  const left = (selector: string) => page.evaluate<number>(`(() => {
    const range = document.createRange();
    range.selectNodeContents(document.querySelector(${JSON.stringify(selector)}));
    return range.getBoundingClientRect().left;
  })()`);
  const beside = await left('[aria-label^="Delete the grant"]')
    - await left('[role=columnheader]:last-child');
  t.ok(Math.abs(beside) < 1, `${beside} px`);
  await picture(page, 'grants');
  await leavePage(dashboard, page);
});

t.test('an action says what holds for it, by the grants that match', skip, async (t) => {
  const { client, workspace_id } = dashboard;
  const page = await openPage(dashboard);
  const drawer = page.getByRole('dialog');
  const says = async (words: RegExp | string, grants: number) => {
    await page.goto(addressOf(dashboard, 'integrations/pets?action=pets.pets.list'));
    await drawer.getByText(words).waitFor();
    t.equal(await drawer.getByRole('listitem').filter({ hasText: 'pets.' }).count(), grants);
    t.strictSame(await faultsOfSight(page), []);
  };
  const grant = async (body: object) => (await client.expect(201, 'createGrant',
    { body: { workspace_id, ...body } as never })).id;
  await says(/^Agents may call it without a grant\.$/, 0);
  const made = [
    await grant({ actions: 'pets.*', decision: 'allow' }),
    await grant({ actions: 'pets.*.list', decision: 'require_approval' }),
    await grant({ actions: 'pets', decision: 'deny' }),
    await grant({ actions: 'pets.pets.list.*', decision: 'deny' }),
  ];
  await says('Agents may call it once somebody approves the call', 2);
  const api_key_id = (await client.expect(200, 'listApiKeys',
    { query: { workspace_id } })).data[0]!.id;
  made.push(await grant({ actions: '*.pets.*', decision: 'allow', api_key_id }));
  await says('For some keys or connections more is said', 3);
  await picture(page, 'action-grants');
  for (const grant_id of made) await client.expect(204, 'deleteGrant', { path: { grant_id } });
  await leavePage(dashboard, page);
});

t.test('what is no pattern is told, and why', skip, async (t) => {
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'grants?grant=new'));
  const actions = page.getByLabel('Actions', { exact: true });
  for (const [typed, says] of [['', 'Type a name to see'], ['crm contacts', 'a blank cannot stand'],
    ['Crm.contacts', '“C” cannot stand there'], ['crm.', 'before and behind each dot'],
    ['crm.con*', '* stands for a whole part'], ['pets.*', 'It matches 4']] as const) {
    await actions.fill(typed);
    await page.getByRole('status').getByText(says).waitFor();
    if (typed.includes(' ')) await picture(page, 'grant-no-pattern');
  }
  t.strictSame(await faultsOfSight(page), []);
  await leavePage(dashboard, page);
});

t.test('choices that cannot be read are not simply left out', skip, async (t) => {
  const page = await openPage(dashboard);
  const places = ['**/v1/admin/api_keys?*', '**/v1/admin/connections?*'];
  const failure = { error: 'Something went wrong in the service.', code: 'internal_error' };
  for (const place of places) {
    await page.route(place, (route) => route.fulfill({ status: 500, json: failure }));
  }
  await page.goto(addressOf(dashboard, 'integrations'));
  await page.getByRole('alert').getByText(/^Whether each has an account here cannot be read: Som/)
    .waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await page.goto(addressOf(dashboard, 'grants?grant=new'));
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/^The connections to choose from cannot be read: Som/).waitFor();
  await dialog.getByText(/^The keys to choose from cannot be read: Something/).waitFor();
  t.strictSame(await faultsOfSight(page), []);
  for (const place of places) await page.unroute(place);
  for (const left of [1, 0]) {
    await button(page, 'Try again').first().click();
    await untilTrue(page, `document.querySelectorAll('[role=dialog] [role=alert]').length === ${
      left}`);
  }
  t.ok(await dialog.getByLabel('Key').locator('option').count() > 1);
  await leavePage(dashboard, page);
});

t.test('a new grant of which anything is said is not dropped by Escape', skip, async (t) => {
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'grants?grant=new'));
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Decision').selectOption('deny');
  await page.keyboard.press('Escape');
  t.equal(await dialog.getByLabel('Decision').inputValue(), 'deny');
  await dialog.getByLabel('Decision').selectOption('require_approval');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await leavePage(dashboard, page);
});

t.test('what is deleted takes no focus along', skip, async () => {
  const { client, workspace_id } = dashboard;
  await client.expect(201, 'createGrant', { body: {
    workspace_id, actions: 'pets.pets.delete', decision: 'deny' } });
  const page = await openPage(dashboard);
  const [gone, screen] = [page.getByRole('dialog'), page.locator('main:focus')];
  await page.goto(addressOf(dashboard, 'grants'));
  const end = button(page, 'Delete the grant for pets.pets.delete');
  await end.press('Enter');
  await button(page, 'Keep it').press('Enter');
  await gone.waitFor({ state: 'detached' });
  await end.and(page.locator(':focus')).waitFor();
  await end.press('Enter');
  await button(page, 'Delete grant').press('Enter');
  await gone.waitFor({ state: 'detached' });
  await end.waitFor({ state: 'detached' });
  await screen.waitFor();

  const { id: grant_id } = await client.expect(201, 'createGrant', { body: {
    workspace_id, actions: 'pets.pets.delete', decision: 'deny' } });
  await page.reload();
  await end.press('Enter');
  await client.expect(204, 'deleteGrant', { path: { grant_id } });
  await button(page, 'Delete grant').press('Enter');
  await gone.waitFor({ state: 'detached' });
  await end.waitFor({ state: 'detached' });

  await page.goto(addressOf(dashboard, 'integrations/pets?tab=connections'));
  await page.getByRole('listitem').getByRole('button', { name: 'Delete' }).press('Enter');
  await button(page, 'Delete connection').press('Enter');
  await page.getByText('No account is connected in this workspace').waitFor();
  await gone.waitFor({ state: 'detached' });
  await screen.waitFor();
  await leavePage(dashboard, page);
});

t.test('by keyboard the table is one stop, and what Enter opens deletes', skip, async (t) => {
  const { client, workspace_id } = dashboard;
  await client.expect(201, 'createGrant', { body: {
    workspace_id, actions: 'pets.pets.list', decision: 'deny' } });
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'grants'));
  const end = button(page, 'Delete the grant for pets.pets.list');
  await end.waitFor();
  const [grid, dialog] = [page.getByRole('grid'), page.getByRole('dialog')];
  await grid.press('Home');
  await page.keyboard.press('Tab');
  t.equal(await page.locator('[role=grid] :focus').count(), 0);

  await grid.press('Enter');
  await dialog.getByText(/^No key may call pets.pets.list/).waitFor();
  await dialog.getByRole('button', { name: 'Delete grant' }).press('Enter');
  await button(page, 'Keep it').press('Enter');
  await button(page, 'Keep it').waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Delete grant' }).and(page.locator(':focus'))
    .press('Enter');
  await dialog.filter({ hasText: 'Delete this grant?' })
    .getByRole('button', { name: 'Delete grant' }).press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await end.waitFor({ state: 'detached' });
  await page.locator('[role=grid]:focus').waitFor();
  await leavePage(dashboard, page);
});

t.test('nothing failed, nothing was refused by the policy, nobody else was asked', skip,
  async (t) => {
    t.strictSame(dashboard.faults, []);
  });
