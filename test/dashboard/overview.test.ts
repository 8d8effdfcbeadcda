/** The overview: the way in for who is new, numbers that lead to the runs they count. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import t from 'tap';
import { connectPets, petIntegration, startPetStore } from '../support/petStore.ts';
import { completeRun, endlessRun, newSession, queueRun } from '../support/runs.ts';
import { otherWorkspace } from '../support/server.ts';
import { untilSeen } from '../support/until.ts';
import {
  addressOf, dashboardFor, faultsOfSight, leavePage, openPage, picture, untilTrue,
} from './support.ts';

const { skip, dashboard } = await dashboardFor(t);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
/** Waits until something stands on a chart, which a screen reader would not be told. */
const untilPainted = (page: Page, title: string) => untilTrue(page, `(() => {
  const figure = [...document.querySelectorAll('figure')]
    .find((one) => one.querySelector('figcaption').textContent === '${title}');
  const canvas = figure.querySelector('canvas');
  const fill = getComputedStyle(figure.querySelector('li > span')).color.match(/\\d+/g).map(Number);
  const copy = Object.assign(document.createElement('canvas'),
    { width: canvas.width, height: canvas.height }).getContext('2d', { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
  const holds = (_, at) => at % 4 === 0 && fill.every((part, next) => data[at + next] === part);
  return data.some(holds);
})()`);

t.test('a fresh service says what to do, in commands that do it', skip, async (t) => {
  const { client } = dashboard;
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'overview'));
  await page.getByRole('heading', { name: 'No run yet: three steps' }).waitFor();
  await page.getByText('Nothing waits for a person').waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await picture(page, 'overview-fresh');
  const steps = await panel(page, 'No run yet: three steps').locator('pre').allTextContents();
  t.equal(steps.length, 3);
  const { stdout } = await promisify(execFile)('bash', ['-euc', steps.join('\n')], { cwd: ROOT,
    env: { ...process.env, GATEHOUSE_BASE_URL: client.base_url,
      GATEHOUSE_ADMIN_TOKEN: client.admin_token } });
  t.match(stdout, /"status":"completed"/, stdout);
  t.match(await client.expect(200, 'listIntegrations', {}),
    { data: [{ slug: 'tickets' }] });
  await page.getByRole('heading', { name: 'No run yet: three steps' })
    .waitFor({ state: 'detached' });
  await leavePage(dashboard, page);
});

t.test('the numbers are those of the service, and lead to what they count', skip, async (t) => {
  const { client, sql, workspace_id } = dashboard;
  await fillWorkspace(t);
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'overview'));
  const failures = panel(page, 'Failures by code');
  await failures.getByRole('link', { name: 'model_error' }).waitFor();
  await untilPainted(page, 'Runs');
  await untilPainted(page, 'Tokens by day');
  t.strictSame(await faultsOfSight(page), []);
  // Now in the other theme, by its colours.
  await untilPainted(page, 'Runs');
  await picture(page, 'overview');

  // The table says the same as the picture, and as the service.
  await page.getByText('Runs as a table').focus();
  await page.keyboard.press('Enter');
  const rows = panel(page, 'Runs, table').locator('tbody tr');
  await rows.first().waitFor();
  const model_errors = failures.getByRole('link', { name: 'model_error' });
  const since = async () => new URL((await model_errors.getAttribute('href'))!, dashboard.origin)
    .searchParams.get('created_after');
  // An hour may have begun since the page has asked.
  const { now } = await untilSeen('the numbers of the same hours', async () => ({
    now: await client.expect(200, 'getOverview', { query: { workspace_id } }),
    shown: await since(),
  }), (seen) => seen.now.since === seen.shown);
  t.equal(await rows.count(), now.buckets.length);
  const last = now.buckets.at(-1)!;
  t.strictSame(await rows.last().locator('td').allTextContents(),
    [last.completed, last.failed, last.cancelled, last.open].map(String));
  t.strictSame(await faultsOfSight(page), []);

  const waits = panel(page, 'Waits for a person');
  await waits.getByRole('link', { name: '1 call waits for approval' }).waitFor();
  await waits.getByText('Connection pets of pets').waitFor();
  await waits.getByText('The other service refuses <b>it</b>.').waitFor();
  const created_after = await since();
  await model_errors.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor();
  t.match(Object.fromEntries(new URL(page.url()).searchParams),
    { status: 'failed', error_code: 'model_error', created_after });
  await page.goBack();
  await page.getByRole('link', { name: /^1 of \d+ ended$/ }).press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor();
  t.match(Object.fromEntries(new URL(page.url()).searchParams),
    { status: 'failed', created_after });
  await page.goBack();
  const slowest = panel(page, 'Slowest runs').getByRole('link').first();
  t.equal(await slowest.textContent(), `…${now.slowest[0]!.id.slice(-8)}`);
  await slowest.press('Enter');
  await page.waitForURL(addressOf(dashboard, `runs/${now.slowest[0]!.id}`));

  // Numbers change while one looks, and nothing else does.
  await page.goBack();
  const failed = page.locator('dl', { hasText: 'Failed' });
  await failed.getByText('1 of ', { exact: false }).waitFor();
  await completeRun(client, await newSession(client), '@rehearsal fail=model_error');
  await failed.getByText('2 of ', { exact: false }).waitFor();
  await sql`update connections set status = 'connected' where name = 'pets'`;
  await leavePage(dashboard, page);
});

t.test('the window and the scope are in the address', skip, async (t) => {
  const other = await otherWorkspace(dashboard);
  await completeRun(other, await newSession(other), '@rehearsal fail=model_rate_limited');
  const page = await openPage(dashboard, { width: 'phone' });
  await page.goto(addressOf(dashboard, 'overview'));
  const failures = panel(page, 'Failures by code');
  await failures.getByText('model_error').waitFor();
  t.equal(await failures.getByText('model_rate_limited').count(), 0, 'of another workspace');
  t.strictSame(await faultsOfSight(page), []);
  await picture(page, 'overview-phone');
  // Until the others are there, the numbers of before are said to be that.
  const asked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  await page.route(/\/overview\?hours=24$/, async (route) => {
    asked.resolve();
    await held.promise;
    await route.fallback();
  });
  await page.getByLabel('Of', { exact: true }).selectOption('All workspaces');
  await asked.promise;
  await page.getByRole('main').getByRole('status').getByText('Counting …').waitFor();
  await failures.getByRole('link', { name: 'model_error' }).waitFor();
  held.resolve();
  await failures.getByText('model_rate_limited').waitFor();
  t.equal(await page.getByText('Counting …').count(), 0);
  await page.getByLabel('Time', { exact: true }).selectOption('30 days');
  await page.waitForURL(/scope=all&hours=720|hours=720&scope=all/);
  await page.reload();
  await failures.getByText('model_rate_limited').waitFor();
  t.equal(await page.getByLabel('Time', { exact: true }).inputValue(), '720');
  await page.getByText('Runs as a table').click();
  await panel(page, 'Runs, table').getByText('Day (UTC)').waitFor();
  await page.goto(addressOf(dashboard, 'overview?hours=week'));
  await failures.getByText('model_error').waitFor();
  const { data: [newest] } = await dashboard.client.expect(200, 'listWorkspaces', {});
  await page.goto(addressOf({ ...dashboard, workspace_id: newest!.id }, 'overview?scope=all'));
  await page.getByRole('link',
    { name: '1 call waits for approval, the newest in another workspace' }).click();
  await page.waitForURL(addressOf(dashboard, 'approvals'));
  await leavePage(dashboard, page);
});

t.test('a long name of a model makes the page no wider', skip, async (t) => {
  const model = `azure/${'a-deployment-of-ours-'.repeat(5)}`;
  const page = await openPage(dashboard, { width: 'phone' });
  await page.route('**/v1/**/overview*', async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    json.tokens = json.tokens.map((one: object) => ({ ...one, model }));
    await route.fulfill({ response, json });
  });
  await page.goto(addressOf(dashboard, 'overview'));
  const label = page.locator('figure li').getByText(model);
  await label.waitFor();
  t.equal(await label.getAttribute('title'), model, 'whole on hover');
  t.equal(await page.evaluate('document.querySelector("main").scrollWidth'), 360);
  await leavePage(dashboard, page);
});

t.test('nothing failed, nothing was refused by the policy, nobody else was asked', skip,
  async (t) => {
    t.strictSame(dashboard.faults, []);
  });

/** A workspace in which something of everything is. */
async function fillWorkspace(t: Parameters<typeof startPetStore>[0]): Promise<void> {
  const { client, sql, workspace_id } = dashboard;
  const store = await startPetStore(t);
  const session_id = await newSession(client);
  for (const words of [3, 300, 40]) {
    await completeRun(client, session_id, `@rehearsal words=${words}`);
  }
  await completeRun(client, session_id, '@rehearsal fail=model_error');
  await client.expect(201, 'createIntegration', { body: petIntegration(store) });
  const { id } = await connectPets(client, workspace_id);
  await sql`update connections set status = 'needs_reconnect',
    status_reason = 'The other service refuses <b>it</b>.' where id = ${id}`;
  await client.expect(201, 'createGrant', { body: {
    workspace_id, actions: 'gateway.connections.list', decision: 'require_approval' } });
  await client.expect(403, 'createActionInvocation',
    { body: { action: 'gateway.connections.list' } });
  await endlessRun(client, session_id);
  await queueRun(client, session_id, 'hello');
}
