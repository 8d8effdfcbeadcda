/** What is copied does what it says: the link shows the same, the command sends the same. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import t from 'tap';
import { NO_CHROMIUM } from '../support/chromium.ts';
import { completeRun, newSession, OFFLINE } from '../support/runs.ts';
import { untilSeen } from '../support/until.ts';
import { addressOf, dashboardFor, openPage, watchedPage } from './support.ts';

const { skip, dashboard } = await dashboardFor(t);
const NO_CURL = !(process.env.PATH ?? '').split(delimiter)
  .some((folder) => existsSync(join(folder, 'curl'))) && 'there is no curl';

/** A page that may use the clipboard, as one that a person has pressed on. */
async function openCopying(screen: string): Promise<Page> {
  const page = await openPage(dashboard);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'],
    { origin: dashboard.origin });
  await page.goto(addressOf(dashboard, screen));
  return page;
}

const clipboard = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()');

/** Chooses it in the menu of the run; answers what is in the clipboard then. */
async function copied(page: Page, item: string, says: string): Promise<string> {
  await page.getByRole('button', { name: 'More', exact: true }).press('Enter');
  await page.getByRole('menuitem', { name: item }).press('Enter');
  await page.getByText(says, { exact: true }).first().waitFor();
  return await clipboard(page);
}

/** What a shell, a terminal or JSON could take for something else. */
const NASTY = 'It\'s "quoted" $HOME `id` $(id) \\ \\n ; & | > < ! #\n\ttabbed \u202e\u001b[31m'
  + ' שלום 👩‍👩‍👧 \'\'\' %s @file';

t.test('Copy as curl: the same request, as a command', { skip: NO_CHROMIUM || NO_CURL },
  async (t) => {
    const { client } = dashboard;
    const session_id = await newSession(client);
    const run = await completeRun(client, session_id, NASTY,
      { ...OFFLINE, metadata: { ticket: NASTY.slice(0, 100) } });
    const page = await openCopying(`runs/${run.id}`);
    const command = await copied(page, 'Copy as curl', 'Command copied');
    t.match(command, /^[\n\x20-\x7e]+$/, 'a terminal shows all of it as it is');
    t.notMatch(command, client.api_key!, 'whoever sends it has a key of their own');
    const { stdout } = await promisify(execFile)('bash', ['-euc', command], { cwd: t.testdir({}),
      env: { PATH: process.env.PATH, GATEHOUSE_API_KEY: client.api_key! } });
    const again = JSON.parse(stdout) as typeof run;
    t.match(again, { object: 'run', session_id });
    t.not(again.id, run.id);
    t.strictSame([again.input, again.metadata, again.model], [run.input, run.metadata, run.model]);
    await page.context().close();
  });

t.test('Copy link: a colleague sees the same view of the same run', skip, async (t) => {
  const run = await completeRun(dashboard.client, await newSession(dashboard.client),
    '@rehearsal words=3', OFFLINE);
  const page = await openCopying(`runs/${run.id}?view=events`);
  await page.getByLabel('Words').fill('run.completed');
  await page.waitForURL(/words=/);
  const rows = (of: Page) => of.getByRole('grid', { name: 'Events' }).getAttribute('aria-rowcount');
  await page.locator('[role=grid][aria-rowcount="2"]').waitFor();
  const link = await copied(page, 'Copy link', 'Link copied');
  t.equal(link, addressOf(dashboard, `runs/${run.id}?view=events&words=run.completed`));
  t.equal(await copied(page, 'Copy id', 'Id copied'), run.id);
  const colleague = await openPage(dashboard);
  await colleague.goto(link);
  await colleague.locator('[role=grid][aria-rowcount="2"]').waitFor();
  t.equal(await rows(colleague), await rows(page));
  await page.context().close();
  await colleague.context().close();
});

t.test('Copy link to this approval', skip, async () => {
  const { client, workspace_id } = dashboard;
  await client.expect(201, 'createGrant', { body: {
    workspace_id, actions: 'gateway.connections.list', decision: 'require_approval' } });
  await client.expect(403, 'createActionInvocation',
    { body: { action: 'gateway.connections.list' } });
  const { data: [approval] } = await client.expect(200, 'listApprovals');
  const page = await openCopying('approvals');
  await page.getByRole('option').first().click();
  await page.getByRole('button', { name: 'Copy link to this approval' }).click();
  const link = addressOf(dashboard, `approvals/${approval!.id}`);
  await untilSeen('the link in the clipboard', () => clipboard(page), (text) => text === link);
  const tab = await watchedPage(dashboard, page.context());
  await tab.goto(link);
  await tab.getByRole('heading', { name: 'What leaves' }).waitFor();
  await page.context().close();
});

t.test('where the browser has no clipboard for us, the older way copies', skip, async (t) => {
  const run = await completeRun(dashboard.client, await newSession(dashboard.client),
    '@rehearsal words=3', OFFLINE);
  const page = await openCopying(`runs/${run.id}`);
  // As on an address by plain http that is not this machine.
  await page.evaluate(`Object.defineProperty(navigator, 'clipboard', { configurable: true,
    value: undefined })`);
  await page.getByRole('button', { name: 'More', exact: true }).press('Enter');
  await page.getByRole('menuitem', { name: 'Copy id' }).press('Enter');
  await page.getByText('Id copied', { exact: true }).first().waitFor();
  await page.evaluate('delete navigator.clipboard');
  t.equal(await clipboard(page), run.id);
  await page.context().close();
});

t.test('nothing failed, nothing was refused by the policy, nobody else was asked', skip,
  async (t) => {
    t.strictSame(dashboard.faults, []);
  });
