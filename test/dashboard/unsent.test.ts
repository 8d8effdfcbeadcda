/** What was typed and not sent is lost by Back, by a link or with the tab if one says so alone. */
import type { Dialog, Locator, Page } from 'playwright-core';
import t from 'tap';
import { NO_CHROMIUM } from '../support/chromium.ts';
import { connectPets, petIntegration, send, startPetStore } from '../support/petStore.ts';
import { completeRun, endlessRun, newSession, OFFLINE } from '../support/runs.ts';
import {
  addressOf, dashboardFor, faultsOfSight, goByKey, leavePage, openPage, tableRows, untilClosed,
  untilHeading,
} from './support.ts';

const { skip, dashboard } = await dashboardFor(t);
const store = NO_CHROMIUM ? null! : await startPetStore(t);
if (!NO_CHROMIUM) {
  const { client, workspace_id } = dashboard;
  await client.expect(201, 'createIntegration', { body: petIntegration(store) });
  await connectPets(client, workspace_id);
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const asked = (within: Page | Locator) => within.getByText('what you have typed here is lost');
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
  await leavePage(dashboard, page);
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
  await leavePage(dashboard, page);
});

t.test('a link in a form asks, and then leads to where it leads', skip, async (t) => {
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'workspaces'));
  await tableRows(page).first().click();
  const dialog = page.getByRole('dialog');
  const instructions = page.getByLabel('Instructions', { exact: true });
  await instructions.fill('Be brief.');
  await dialog.getByRole('link', { name: 'Go there' }).click();
  await button(page, 'Stay here').click();
  t.equal(await instructions.inputValue(), 'Be brief.');
  await dialog.getByRole('link', { name: 'Go there' }).click();
  await button(page, 'Discard it').click();
  await untilHeading(page, 'Overview');
  await leavePage(dashboard, page);
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

t.test('a choice alone is asked about, until it is as it was', skip, async () => {
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'overview'));
  await untilHeading(page, 'Overview');
  await goByKey(page, 'k', 'API keys');
  await button(page, 'New key').first().click();
  const life = page.getByLabel('Expires', { exact: true });
  await life.selectOption('');
  await page.goBack();
  await asked(page).waitFor();
  await life.selectOption('90');
  await asked(page).waitFor({ state: 'detached' });
  await button(page, 'Cancel').click();
  await goByKey(page, 'i', 'Integrations');
  await tableRows(page).first().click();
  await page.getByRole('tab', { name: 'Connections' }).click();
  await button(page, 'Connect an account').first().click();
  const way = page.getByLabel('How it signs in');
  const first = await way.inputValue();
  await way.selectOption('basic');
  await page.getByLabel('Username', { exact: true }).fill('ada');
  await page.goBack();
  await asked(page).waitFor();
  // What was typed is gone with its field.
  await way.selectOption(first);
  await asked(page).waitFor({ state: 'detached' });
  await page.context().close();
});

t.test('it is asked where one can answer: in what lies above', skip, async (t) => {
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'workspaces'));
  await tableRows(page).first().click();
  const instructions = page.getByLabel('Instructions', { exact: true });
  await instructions.fill('Be brief.');
  await button(page, 'Archive workspace').click();
  const above = page.getByRole('dialog', { name: 'Archive it?' });
  const by_button = () => button(page, 'Stay here').click();
  for (const stay of [by_button, () => page.keyboard.press('Escape')]) {
    await page.goBack();
    await asked(above).waitFor();
    await page.locator(':focus').and(button(page, 'Stay here')).waitFor();
    await stay();
    await asked(page).waitFor({ state: 'detached' });
    t.equal(await above.isVisible(), true);
  }
  await button(page, 'Keep it').click();
  await page.keyboard.press('Escape');
  t.equal(await instructions.inputValue(), 'Be brief.');
  // The question goes with its reason.
  await page.goBack();
  await asked(page).waitFor();
  await instructions.fill('');
  await asked(page).waitFor({ state: 'detached' });
  await leavePage(dashboard, page);
});

t.test('below the sign-in of an ended session nothing is asked', skip, async (t) => {
  const { client } = dashboard;
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'overview'));
  await untilHeading(page, 'Overview');
  await goByKey(page, 'p', 'Grants');
  await button(page, 'Add grant').first().click();
  const actions = page.getByLabel('Actions', { exact: true });
  await actions.fill('crm.contacts.*');
  const [newest] = (await client.expect(200, 'listDashboardSessions', {})).data;
  await client.expect(204, 'revokeDashboardSession',
    { path: { dashboard_session_id: newest!.id } });
  await page.getByText('Your session has ended.').waitFor();
  await page.goBack();
  await page.getByLabel('Admin token').fill(client.admin_token!);
  await button(page, 'Sign in').click();
  await focused(page, 'Actions');
  t.equal(await asked(page).count(), 0);
  t.equal(await actions.inputValue(), 'crm.contacts.*');
  await leavePage(dashboard, page);
});

t.test('a call that was tried is sent, until something else is typed', skip, async () => {
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'integrations/pets?tab=actions'));
  await tableRows(page).getByText('pets.pets.get').click();
  const pet = page.getByLabel('path.pet_id');
  const answers: (() => void)[] = [];
  store.answer = (_, response) => void answers.push(() => send(response, { name: 'Rex' }));
  await pet.fill('7');
  await page.getByRole('checkbox', { name: 'Give the input as JSON' }).check();
  await page.goBack();
  await asked(page).waitFor();
  await button(page, 'Call it').click();
  await asked(page).waitFor({ state: 'detached' });
  await page.getByRole('checkbox', { name: 'Give the input as JSON' }).uncheck();
  store.answer = null;
  for (const answer of answers) answer();
  await page.getByText('"Rex"').waitFor();
  await pet.fill('8');
  await page.keyboard.press('Escape');
  await page.goBack();
  await asked(page).waitFor();
  await pet.fill('7');
  await asked(page).waitFor({ state: 'detached' });
  await page.goBack();
  await untilClosed(page);
  await leavePage(dashboard, page);
});

t.test('a document that was chosen is asked for as well', skip, async () => {
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'overview'));
  await page.getByRole('navigation').getByRole('link', { name: 'Integrations', exact: true })
    .click();
  await button(page, 'Add integration').click();
  await page.getByLabel('Document', { exact: true }).setInputFiles(
    { name: 'pets.json', mimeType: 'application/json', buffer: Buffer.from('{}') });
  await page.getByText('pets.json').waitFor();
  await page.goBack();
  await asked(page).waitFor();
  await leavePage(dashboard, page);
});

t.test('Escape leaves the question of an approval, not its reason', skip, async (t) => {
  const { client, workspace_id } = dashboard;
  await client.expect(201, 'createGrant',
    { body: { workspace_id, actions: 'pets.*', decision: 'require_approval' } });
  await completeRun(client, await newSession(client),
    'call pets.pets.delete {"path":{"pet_id":"7"}}', OFFLINE);
  const [approval] = (await client.expect(200, 'listApprovals')).data;
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, `approvals/${approval!.id}`));
  await page.getByText('What leaves').waitFor();
  await page.keyboard.press('d');
  const reason = page.getByLabel('Reason', { exact: true });
  await reason.fill('Not that one.');
  await page.getByRole('link', { name: 'Overview', exact: true }).click();
  await asked(page).waitFor();
  await page.locator(':focus').and(button(page, 'Stay here')).waitFor();
  await page.keyboard.press('Escape');
  await asked(page).waitFor({ state: 'detached' });
  t.equal(await reason.inputValue(), 'Not that one.');
  await leavePage(dashboard, page);
});

t.test('no page has failed', skip, async (t) => {
  t.strictSame(dashboard.faults, []);
});

t.test('a session is deleted once nothing runs in it, with what was typed', skip, async (t) => {
  const { client } = dashboard;
  const session_id = await newSession(client, 'Left by somebody');
  const run = await endlessRun(client, session_id);
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, `sessions/${session_id}`));
  await page.getByRole('textbox', { name: 'Prompt' }).fill('not sent');
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete the session?' });
  await dialog.waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await dialog.getByRole('button', { name: 'Delete session' }).click();
  await dialog.getByText(new RegExp(`open run, ${run.id}`)).waitFor();
  await client.expect(200, 'cancelRun', { path: { run_id: run.id } });
  await dialog.getByRole('button', { name: 'Delete session' }).click();
  await page.waitForURL(addressOf(dashboard, 'sessions'));
  await page.getByText('The session was deleted').waitFor();
  await page.getByText('Left by somebody').waitFor({ state: 'detached' });
  t.equal(await page.evaluate(`sessionStorage.getItem('gatehouse_draft_${session_id}')`), null);
  await client.expect(404, 'getSession', { path: { session_id } });
  await leavePage(dashboard, page);
});
