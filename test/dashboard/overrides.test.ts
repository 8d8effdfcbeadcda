/** What an admin says of actions in the browser: nothing that was said before is lost by it. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { NO_CHROMIUM } from '../support/chromium.ts';
import { petDocument } from '../support/petStore.ts';
import { addressOf, dashboardFor, leavePage, openPage } from './support.ts';

const { skip, dashboard } = await dashboardFor(t);
const path = { slug: 'pets' };
if (!NO_CHROMIUM) {
  await dashboard.client.expect(201, 'createIntegration', { body: {
    slug: 'pets', kind: 'openapi', document: petDocument(), base_url: 'https://pets.example' } });
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const say = (overrides: object) =>
  dashboard.client.expect(200, 'updateIntegration', { path, body: { overrides } });
const said = async () =>
  (await dashboard.client.expect(200, 'getIntegration', { path })).overrides;

async function openAbout(): Promise<Page> {
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'integrations/pets?tab=about'));
  await button(page, 'Say what you know').waitFor();
  return page;
}

t.test('an empty form takes nothing back of what is said already', skip, async (t) => {
  const page = await openAbout();
  const dialog = page.getByRole('dialog', { name: 'What you know better' });
  const before = { 'DELETE /pets/{pet_id}': { effect: 'destructive', hidden: true } };
  // Another admin says it, and this page has not read it yet.
  await say(before);
  await button(page, 'Say what you know').click();
  await dialog.getByLabel('Operation').fill('DELETE /pets/{pet_id}');
  await dialog.getByLabel('Parameters that every call sends').fill('header.X-Version: 2');
  await button(page, 'Save').click();
  await page.getByRole('alert').or(page.getByText(/^Changed for/)).first().waitFor();
  t.strictSame(await said(), before);
  await dialog.getByText('said of DELETE /pets/{pet_id} already: change it where it is').waitFor();
  await button(page, 'Cancel').click();
  await button(page, 'Change what holds for DELETE /pets/{pet_id}').click();
  await dialog.getByLabel('Parameters that every call sends').fill('header.X-Version: 2');
  await button(page, 'Save').click();
  await dialog.waitFor({ state: 'detached' });
  t.strictSame(await said(), { 'DELETE /pets/{pet_id}': {
    effect: 'destructive', hidden: true, parameters: { 'header.X-Version': '2' } } });
  await leavePage(dashboard, page);
});

t.test('what an edit does not touch is as it was: shown in spite of a pattern, numbers', skip,
  async (t) => {
    const parameters = { 'query.limit': 50, 'query.page': 2, 'query.raw': true, 'query.code': '7',
      'query.version': 1 };
    const shown = {
      'pets.pets.list': { hidden: true }, 'GET /pets': { hidden: false, parameters } };
    await say(shown);
    const page = await openAbout();
    const dialog = page.getByRole('dialog', { name: 'What you know better' });
    await page.getByText(/^is offered, whatever is said of others/).waitFor();
    await button(page, 'Change what holds for GET /pets').click();
    const sent = dialog.getByLabel('Parameters that every call sends');
    const lines = await sent.inputValue();
    await sent.fill(lines.replace('page: 2', 'page: 3').replace('version: 1', 'version: 1.0'));
    await dialog.getByLabel('What it does to data').selectOption('write');
    await button(page, 'Save').click();
    await dialog.waitFor({ state: 'detached' });
    t.strictSame(await said(), { ...shown, 'GET /pets': { hidden: false, effect: 'write',
      parameters: { ...parameters, 'query.page': 3, 'query.version': '1.0' } } });
    await button(page, 'Change what holds for GET /pets').click();
    await dialog.getByLabel('Do not offer it to agents.').check();
    await button(page, 'Save').click();
    await dialog.waitFor({ state: 'detached' });
    t.match(await said(), { 'GET /pets': { hidden: true } });
    await leavePage(dashboard, page);
  });

t.test('a line that says no parameter is named, and nothing is saved', skip, async (t) => {
  await say({});
  const page = await openAbout();
  const dialog = page.getByRole('dialog', { name: 'What you know better' });
  await button(page, 'Say what you know').click();
  await dialog.getByLabel('Operation').fill('GET /pets');
  const sent = dialog.getByLabel('Parameters that every call sends');
  for (const line of ['header.X-Tenant = acme', 'header.X-Tenant:', 'acme']) {
    await sent.fill(`${line}\n\nheader.X-Region: eu`);
    await button(page, 'Save').click();
    await dialog.getByText(`This line says no parameter and its value: ${line}`).waitFor();
    t.equal(await sent.getAttribute('aria-invalid'), 'true');
    t.strictSame(await said(), {});
  }
  await sent.fill('header.X-Tenant: acme\n\nheader.X-Region: eu');
  await button(page, 'Save').click();
  await dialog.waitFor({ state: 'detached' });
  t.strictSame(await said(), { 'GET /pets': {
    parameters: { 'header.X-Tenant': 'acme', 'header.X-Region': 'eu' } } });
  await leavePage(dashboard, page);
});

t.test('nothing failed, nothing was refused by the policy, nobody else was asked', skip,
  async (t) => {
    t.strictSame(dashboard.faults, []);
  });
