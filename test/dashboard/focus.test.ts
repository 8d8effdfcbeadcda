/**
 * The usual ways, by keyboard alone: after each step the focus is where one goes on, and never on
 * the whole page, from which the keyboard begins at its head.
 */
import type { Page } from 'playwright-core';
import t from 'tap';
import { petDocument } from '../support/petStore.ts';
import { completeRun, endlessRun, newSession, OFFLINE, queueRun } from '../support/runs.ts';
import {
  addressOf, dashboardFor, goByKey, leavePage, openPage, untilHeading, untilTrue,
} from './support.ts';

const { skip, dashboard } = await dashboardFor(t);

/** Until the focus is on it. */
const at = (page: Page, selector: string) =>
  untilTrue(page, `document.activeElement.matches(${JSON.stringify(selector)})`);
const MAIN = '#main';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function follow(page: Page, name: string | RegExp, heading: string): Promise<void> {
  await page.getByRole('main').getByRole('link', { name }).first().press('Enter');
  await untilHeading(page, heading);
  await at(page, MAIN);
}

/** Goes to the first row of the table, and opens it. */
async function openFirst(page: Page): Promise<void> {
  // While the rows are on their way Enter has none to open.
  await page.locator('[role=grid] [aria-rowindex="2"]').waitFor();
  await page.getByRole('grid').press('Home');
  await page.keyboard.press('Enter');
}

/** Has the dashboard's own key ask for so many approvals; answers their ids, the newest first. */
async function askFor(count: number): Promise<string[]> {
  const { client, workspace_id } = dashboard;
  await client.expect(201, 'createGrant', { body: {
    workspace_id, actions: 'gateway.actions.search', decision: 'require_approval' } });
  for (let at = 0; at < count; at++) {
    await client.expect(403, 'createActionInvocation', { body: {
      action: 'gateway.actions.search', input: { query: `words ${at}` } } });
  }
  return (await client.expect(200, 'listApprovals', {})).data.map(({ id }) => id);
}

t.test('by links and rows from screen to screen, and back', skip, async (t) => {
  const { client } = dashboard;
  await client.expect(201, 'createIntegration', { body: {
    slug: 'pets', kind: 'openapi', document: petDocument(), base_url: 'https://pets.example' } });
  const run = await completeRun(client, await newSession(client, 'A long report'), 'Write it');
  const other = await client.expect(201, 'createWorkspace', { body: { name: 'Second' } });
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'runs'));
  await untilHeading(page, 'Runs');
  await goByKey(page, 'o', 'Overview');
  await at(page, MAIN);
  await follow(page, /^\d+ of \d+ ended$/, 'Runs');
  await goByKey(page, 'r', 'Runs');
  await openFirst(page);
  await untilHeading(page, 'Write it');
  await at(page, MAIN);
  await follow(page, run.session_id, 'A long report');
  await follow(page, 'Open the run', 'Write it');
  await page.goBack();
  await untilHeading(page, 'A long report');
  await at(page, MAIN);
  await page.goForward();
  await untilHeading(page, 'Write it');
  await at(page, MAIN);
  await page.goBack();
  await page.goBack();
  await page.goBack();
  await untilHeading(page, 'Runs');
  await at(page, '[role=grid]');
  await goByKey(page, 'i', 'Integrations');
  await openFirst(page);
  await untilHeading(page, 'Pet store');
  await at(page, MAIN);
  await page.keyboard.press('Control+k');
  await at(page, '[role=combobox]');
  await page.keyboard.type('second');
  await page.getByRole('option', { name: /^Second/, selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await button(page, 'Workspace: Second').waitFor();
  await at(page, MAIN);
  t.match(page.url(), `/w/${other.id}/overview`);
  await leavePage(dashboard, page);
});

t.test('out of what was opened over a screen', skip, async (t) => {
  const { client } = dashboard;
  await client.expect(201, 'createApiKey', { body: {
    workspace_id: dashboard.workspace_id, name: 'first' } });
  await client.expect(201, 'createApiKey', { body: {
    workspace_id: dashboard.workspace_id, name: 'second' } });
  const page = await openPage(dashboard);
  const dialog = page.locator('[role=dialog]:not([data-toasts] *)');
  const gone = () => dialog.waitFor({ state: 'detached' });
  const named = (name: string) => untilTrue(page,
    `(document.activeElement.ariaLabel ?? document.activeElement.textContent) === '${name}'`);
  /** Opens it, finds the focus within, and closes it again. */
  const openAndClose = async (name: string) => {
    await button(page, name).press('Enter');
    await at(page, '[role=dialog] input');
    await page.keyboard.press('Escape');
    await gone();
    await named(name);
  };
  await page.goto(addressOf(dashboard, 'integrations'));
  await openAndClose('Add integration');
  await page.keyboard.press('Control+k');
  await at(page, '[role=combobox]');
  await page.keyboard.press('Escape');
  await gone();
  await named('Add integration');
  await goByKey(page, 'p', 'Grants');
  await page.keyboard.press('Control+k');
  await at(page, '[role=combobox]');
  await page.keyboard.press('Escape');
  await gone();
  await at(page, MAIN);
  await openAndClose('Add grant');
  await page.keyboard.press('Enter');
  await at(page, '[role=dialog] input');
  await page.keyboard.type('pets.*');
  await page.keyboard.press('Enter');
  await gone();
  await named('Add grant');
  await page.goto(addressOf(dashboard, 'access?tab=tokens'));
  await openAndClose('New token');
  const session_id = await newSession(client, 'Before');
  await page.goto(addressOf(dashboard, `sessions/${session_id}`));
  await openAndClose('Rename');
  await page.keyboard.press('Enter');
  await at(page, '[role=dialog] input');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('After');
  await page.keyboard.press('Enter');
  await untilHeading(page, 'After');
  await gone();
  await named('Rename');

  await goByKey(page, 'k', 'API keys');
  await openAndClose('New key');
  await openFirst(page);
  await dialog.getByRole('button', { name: 'Revoke key' }).press('Enter');
  await page.getByRole('dialog', { name: 'Revoke second?' }).getByRole('button',
    { name: 'Revoke key' }).press('Enter');
  await dialog.getByText('revoked', { exact: true }).waitFor();
  await at(page, '[role=dialog]');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  t.equal(await dialog.getByRole('heading', { name: 'second' }).count(), 1, 'of the same key');
  await page.keyboard.press('Escape');
  await gone();
  await at(page, '[role=grid]');
  await leavePage(dashboard, page);
});

t.test('through approvals, of which each that is shown has the focus', skip, async () => {
  const [newest, middle, oldest] = await askFor(3);
  const page = await openPage(dashboard);
  const sheet = (id: string) => `section[aria-labelledby="${id}-title"]`;
  await page.goto(addressOf(dashboard, 'runs'));
  await untilHeading(page, 'Runs');
  await goByKey(page, 'a', 'Approvals');
  await page.getByRole('option').nth(2).waitFor();
  await page.keyboard.press('j');
  await at(page, sheet(newest!));
  await page.keyboard.press('d');
  await at(page, 'input[name=reason]');
  await page.keyboard.press('Enter');
  await at(page, sheet(middle!));
  await page.keyboard.press('j');
  await at(page, sheet(oldest!));
  await page.keyboard.press('d');
  await at(page, 'input[name=reason]');
  await page.keyboard.press('Escape');
  await at(page, sheet(oldest!));
  await page.keyboard.press('k');
  await at(page, sheet(middle!));
  await page.getByRole('listbox', { name: 'Approvals' }).press('ArrowDown');
  await page.waitForURL(addressOf(dashboard, `approvals/${oldest}`));
  await page.locator(sheet(oldest!)).waitFor();
  await at(page, '[role=listbox]');
  await follow(page, /audit log/, 'Audit log');
  await leavePage(dashboard, page);
});

t.test('what goes while it has the focus leaves it to what is around it', skip, async () => {
  const { client } = dashboard;
  const CONVERSATION = '[role=region][aria-label=Conversation]';
  const page = await openPage(dashboard);
  // The last row of a table.
  const session_id = await newSession(client, 'Goes on');
  const run = await endlessRun(client, session_id);
  await page.goto(addressOf(dashboard, 'runs?status=running'));
  await page.locator('[role=grid] [aria-rowindex="2"]').waitFor();
  await page.getByRole('grid').focus();
  await client.expect(200, 'cancelRun', { path: { run_id: run.id } });
  await page.getByText('No run is like that').waitFor();
  await at(page, MAIN);
  // What stops a run, and what takes a prompt back.
  await endlessRun(client, session_id);
  await queueRun(client, session_id, 'Later', OFFLINE);
  await page.goto(addressOf(dashboard, `sessions/${session_id}`));
  await button(page, 'Cancel the run: Later').press('Enter');
  await at(page, CONVERSATION);
  await button(page, 'Stop').press('Enter');
  await button(page, 'Stop').waitFor({ state: 'detached' });
  await at(page, MAIN);
  // The way to the end of a conversation, from which one reads on.
  await completeRun(client, session_id, '@rehearsal words=1500', OFFLINE);
  await page.getByText(/^Completed after/).waitFor({ state: 'attached' });
  await page.locator(CONVERSATION).press('Home');
  await button(page, 'To the newest').press('Enter');
  await at(page, CONVERSATION);
  // A message: where others come it would hold them.
  await client.expect(200, 'updateSession', { path: { session_id }, body: { status: 'archived' } });
  await page.reload();
  await button(page, 'Make it active again').press('Enter');
  await page.getByLabel('Close this message').press('Enter');
  await at(page, MAIN);
  // What tries again.
  await page.route('**/v1/runs?*', (route) => route.fulfill({ status: 500,
    json: { error: 'Something went wrong.', code: 'internal', param: null, details: null } }),
  { times: 1 });
  await page.goto(addressOf(dashboard, 'runs'));
  await button(page, 'Try again').press('Enter');
  await page.locator('[role=grid] [aria-rowindex="2"]').waitFor();
  await at(page, MAIN);
  // A decision that somebody else has made.
  const { data: [approval] } = await client.expect(200, 'listApprovals',
    { query: { status: 'pending' } });
  const path = { approval_id: approval!.id };
  await page.goto(addressOf(dashboard, `approvals/${approval!.id}`));
  await button(page, 'Deny').waitFor();
  await page.keyboard.press('d');
  await at(page, 'input[name=reason]');
  await client.expect(200, 'decideApproval', { path, body: { decision: 'approve' } });
  await page.getByText('This ended meanwhile.').waitFor();
  await at(page, `section[aria-labelledby="${approval!.id}-title"]`);
  await leavePage(dashboard, page);
});

t.test('nothing failed, nothing was refused by the policy, nobody else was asked', skip,
  async (t) => {
    t.strictSame(dashboard.faults, []);
  });
