/** An API on a private address, added, allowed and connected in the browser. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { NO_CHROMIUM } from '../support/chromium.ts';
import { petDocument, petIntegration, startPetStore, type PetStore } from '../support/petStore.ts';
import { addressOf, dashboardFor, faultsOfSight, leavePage, openPage, picture } from './support.ts';

const { skip, dashboard } = await dashboardFor(t);
const store: PetStore = NO_CHROMIUM ? null! : await startPetStore(t);
const host = NO_CHROMIUM ? '' : new URL(store.url).host;
const document = NO_CHROMIUM ? '' : JSON.stringify(
  { ...petDocument(), servers: [{ url: store.url }] });

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const reachOf = async (slug: string) => (await dashboard.client.expect(200, 'getIntegration',
  { path: { slug } })).egress_allow;

t.test('what is not allowed is told at once, and nothing is said to work', skip, async (t) => {
  await dashboard.client.expect(201, 'createIntegration',
    { body: { slug: 'crm', kind: 'openapi', document } });
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'integrations/crm?tab=connections&connect=new'));
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Token').fill('a-wrong-token');
  await button(page, 'Connect').click();
  const account = page.getByRole('listitem', { name: 'crm' });
  await account.getByText('It does not work').waitFor();
  await account.getByText('About has the private addresses that it may call').waitFor();
  t.equal(await account.locator('.text-good').count(), 0, 'nothing is green');
  t.notMatch(await account.innerText(), /`|egress_allow/);
  const hint = page.getByRole('alert').filter({ hasText: 'No action can be called' });
  await hint.getByText(`bin/gatehouse integrations update crm --allow ${host}`, { exact: true })
    .waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await picture(page, 'private-refused');
  await page.goto(addressOf(dashboard, 'integrations'));
  await page.getByRole('row', { name: /crm/ }).getByText('address not allowed').waitFor();
  await leavePage(dashboard, page);
});

t.test('a viewer is told why it cannot be allowed', skip, async (t) => {
  const page = await openPage(dashboard, { role: 'viewer', width: 'phone' });
  await page.goto(addressOf(dashboard, 'integrations/crm?tab=about'));
  for (const off of ['Allow this address', 'Change the private addresses']) {
    t.equal(await button(page, off).getAttribute('aria-description'), 'This needs the role admin');
  }
  t.strictSame(await faultsOfSight(page), []);
  await picture(page, 'private-phone');
  await leavePage(dashboard, page);
});

t.test('it is allowed, and changed in About', skip, async (t) => {
  const page = await openPage(dashboard);
  const dialog = page.getByRole('dialog');
  const field = dialog.getByLabel('Private addresses it may call');
  await page.goto(addressOf(dashboard, 'integrations/crm?tab=about'));
  await button(page, 'Allow this address').click();
  await button(page, 'Allow this address').waitFor({ state: 'detached' });
  t.strictSame(await reachOf('crm'), [host]);
  await button(page, 'Change the private addresses').click();
  await field.fill(`${host}, 10.1.0.0`);
  await button(page, 'Save').click();
  await dialog.getByText(/is no entry of egress_allow/).waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await picture(page, 'private-change');
  const range = `127.0.0.0/8:${new URL(store.url).port}`;
  await field.fill(`10.1.0.0/16:443, ${range}`);
  await button(page, 'Save').click();
  await dialog.waitFor({ state: 'detached' });
  t.strictSame(await reachOf('crm'), ['10.1.0.0/16:443', range]);
  t.equal(await button(page, 'Allow this address').count(), 0, 'the range holds it');
  await button(page, 'Change the private addresses').click();
  await field.fill('10.1.0.0');
  await button(page, 'Cancel').click();
  await button(page, 'Change the private addresses').click();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.goto(addressOf(dashboard, 'integrations/crm?tab=connections'));
  const account = page.getByRole('listitem', { name: 'crm' });
  await page.getByRole('button', { name: /^Check/ }).click();
  await account.getByText('It works').waitFor();
  await account.locator('.text-good').filter({ hasText: /^connected$/ }).waitFor();
  await page.goto(addressOf(dashboard, 'integrations/crm?tab=about'));
  await button(page, 'Change the private addresses').click();
  await field.fill('10.1.0.0/16:443');
  await button(page, 'Save').click();
  // The service holds every address that it stores to what is allowed.
  await dialog.getByRole('alert').getByText(/This is where its API is\.$/).waitFor();
  t.strictSame(await reachOf('crm'), ['10.1.0.0/16:443', range]);
  await leavePage(dashboard, page);
});

t.test('it is allowed as it is added, also where the document says it', skip, async (t) => {
  const page = await openPage(dashboard);
  const dialog = page.getByRole('dialog');
  await page.goto(addressOf(dashboard, 'integrations?add=1'));
  await dialog.getByLabel('Document', { exact: true }).setInputFiles({ name: 'crm.json',
    mimeType: 'application/json', buffer: Buffer.from(document) });
  await dialog.getByLabel('Slug', { exact: true }).fill('added');
  await dialog.getByRole('checkbox', { name: `Let it call ${host}` }).check();
  await dialog.getByText('For an API that is not public').click();
  await dialog.getByLabel('Private addresses it may call').fill('10.2.0.0/16:443');
  t.strictSame(await faultsOfSight(page), []);
  await picture(page, 'private-add');
  await button(page, 'Add integration').last().click();
  await page.getByText('All 4 operations became actions.').waitFor();
  t.strictSame(await reachOf('added'), [host, '10.2.0.0/16:443']);
  await leavePage(dashboard, page);
});

t.test('where nothing could be tried, nothing is said to work', skip, async (t) => {
  const writes = JSON.stringify({ ...petDocument(), paths: {
    '/pets': { post: { operationId: 'createPet', responses: {} } } } });
  await dashboard.client.expect(201, 'createIntegration',
    { body: petIntegration(store, { slug: 'writes', document: writes }) });
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'integrations/writes?tab=connections&connect=new'));
  await page.getByRole('dialog').getByLabel('Token').fill('a-token');
  await button(page, 'Connect').click();
  const account = page.getByRole('listitem', { name: 'writes' });
  await account.getByText('Not tried').waitFor();
  t.equal(await account.getByText('It works').count(), 0);
  await leavePage(dashboard, page);
});

t.test('no script ran, nobody else was asked, no rule was broken', skip, async (t) => {
  t.strictSame(dashboard.faults, []);
});
