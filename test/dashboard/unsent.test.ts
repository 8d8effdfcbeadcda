/** What was typed and not sent is lost by Back, by a link or with the tab if one says so alone. */
import type { Dialog, Page } from 'playwright-core';
import t from 'tap';
import {
  addressOf, dashboardFor, faultsOfSight, goByKey, openPage, untilHeading,
} from './support.ts';

const { skip, dashboard } = await dashboardFor(t);

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const asked = (page: Page) => page.getByText('what you have typed here is lost');
const focused = (page: Page, name: string) =>
  page.locator(':focus').and(page.getByLabel(name, { exact: true })).waitFor();

t.test('Back asks before it takes away what was typed', skip, async (t) => {
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'overview'));
  await untilHeading(page, 'Overview');
  const actions = page.getByLabel('Actions', { exact: true });
  const open = async () => {
    await goByKey(page, 'p', 'Grants');
    await button(page, 'Add grant').first().click();
    await actions.waitFor();
  };
  await open();
  await page.goBack();
  await untilHeading(page, 'Overview');
  await open();
  await actions.fill('crm.contacts.*');
  await page.goBack();
  await asked(page).waitFor();
  await page.locator(':focus').and(button(page, 'Stay here')).waitFor();
  t.strictSame(await faultsOfSight(page), []);
  // Once more, it still is one step that one has asked for.
  await page.goBack();
  await button(page, 'Stay here').click();
  await asked(page).waitFor({ state: 'detached' });
  await focused(page, 'Actions');
  t.equal(await actions.inputValue(), 'crm.contacts.*');
  t.match(page.url(), /grant=new/);
  await page.keyboard.press('Escape');
  t.equal(await actions.inputValue(), 'crm.contacts.*');
  await page.goBack();
  await button(page, 'Discard it').click();
  await untilHeading(page, 'Overview');
  await page.context().close();
});

t.test('who sends it, or closes it by its button, is not asked', skip, async (t) => {
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'grants'));
  const dialog = page.getByRole('dialog', { name: 'Add grant' });
  const actions = page.getByLabel('Actions', { exact: true });
  for (const press of ['Cancel', 'Close', 'Add grant']) {
    await button(page, 'Add grant').first().click();
    await actions.fill('crm.contacts.*');
    await dialog.getByRole('button', { name: press, exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    t.notMatch(page.url(), /grant=new/, press);
  }
  await page.context().close();
});

t.test('a link in a form asks, and then leads to where it leads', skip, async (t) => {
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'workspaces'));
  await page.getByRole('grid').getByRole('row').nth(1).click();
  const dialog = page.getByRole('dialog');
  const instructions = page.getByLabel('Instructions', { exact: true });
  await instructions.fill('Be brief.');
  await dialog.getByRole('link', { name: 'Go there' }).click();
  await button(page, 'Stay here').click();
  t.equal(await instructions.inputValue(), 'Be brief.');
  await dialog.getByRole('link', { name: 'Go there' }).click();
  await button(page, 'Discard it').click();
  await untilHeading(page, 'Overview');
  await page.context().close();
});

t.test('the browser asks before the tab goes, as long as there is something', skip, async (t) => {
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'keys'));
  await button(page, 'New key').first().click();
  const name = page.getByLabel('Name', { exact: true });
  await name.pressSequentially('backend');
  await page.keyboard.press('Escape');
  t.equal(await name.inputValue(), 'backend');
  const asks = new Promise<Dialog>((resolve) => page.once('dialog', resolve));
  await page.close({ runBeforeUnload: true });
  const dialog = await asks;
  t.equal(dialog.type(), 'beforeunload');
  await dialog.dismiss();
  await name.fill('');
  const closed = page.waitForEvent('close');
  page.once('dialog', () => t.fail('nothing would be lost'));
  await page.close({ runBeforeUnload: true });
  await closed;
  await page.context().close();
});

t.test('no page has failed', skip, async (t) => {
  t.strictSame(dashboard.faults, []);
});
