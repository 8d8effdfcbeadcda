/** A run in the browser: seen three ways, live through the death of its node, and as a file. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Page, Request } from 'playwright-core';
import t from 'tap';
import { createFirstCredentials } from '../../src/accounts/accounts.ts';
import { Client, prompt } from '../support/client.ts';
import { testDatabase } from '../support/database.ts';
import { freePort } from '../support/freePort.ts';
import { connectPets, petIntegration, send, startPetStore } from '../support/petStore.ts';
import {
  completeRun, endlessRun, eventsOf, newSession, OFFLINE, queueRun, type Run,
} from '../support/runs.ts';
import { soundness } from '../support/soundness.ts';
import { untilSeen } from '../support/until.ts';
import { ServiceNode } from '../torture/serviceNode.ts';
import {
  addressOf, dashboardFor, dropFile, faultsOfSight, leavePage, openPage, picture, shownEvents,
  tableRows, untilTrue, violations, watchedPage,
} from './support.ts';

const { skip, dashboard } = await dashboardFor(t);
const store = await startPetStore(t);
if (dashboard) {
  const { client, workspace_id } = dashboard;
  await client.expect(201, 'createIntegration', { body: petIntegration(store) });
  await connectPets(client, workspace_id);
  await client.expect(201, 'createGrant', { body: {
    workspace_id, actions: 'pets.pets.delete', decision: 'require_approval' } });
}

const CALLS = 'Look after the pets.\ncall pets.pets.list & call gateway.connections.list\n'
  + 'call pets.pets.delete {"path": {"pet_id": "7"}}\ncall pets.pets.create {"body": {}}';
const tab = (page: Page, name: RegExp) => page.getByRole('tab', { name });
const drawer = (page: Page) => page.getByRole('dialog');
const status = (page: Page, words: string) =>
  page.locator('main header').getByText(words, { exact: true });

/** Has the page believe that another tab is in front of it (true), or that it is seen again. */
const looking = (is_hidden: boolean) => `
  Object.defineProperty(document, 'hidden', { configurable: true, value: ${is_hidden} });
  document.dispatchEvent(new Event('visibilitychange'));`;

/** A page of this run, in a browser of its own. */
async function openRun(run_id: string, search = '', look = {}): Promise<Page> {
  const page = await openPage(dashboard, look);
  await page.goto(addressOf(dashboard, `runs/${run_id}${search}`));
  return page;
}

t.test('by keyboard alone: from the list to the result of a call', skip, async (t) => {
  const { client } = dashboard;
  const run = await completeRun(client, await newSession(client), CALLS,
    { ...OFFLINE, metadata: { ticket: 'SUP-7' } });
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'runs'));
  await page.getByRole('grid').getByText('Look after the pets.').waitFor();
  await page.getByRole('grid').focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(addressOf(dashboard, `runs/${run.id}`));
  await page.getByRole('heading', { name: 'Look after the pets.' }).waitFor();
  for (const words of ['SUP-7', 'rehearsal', '4, 1 failed, 1 asked for approval']) {
    await page.getByText(words, { exact: true }).waitFor();
  }
  await page.getByText(/^Completed after .* tokens\.$/).waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await picture(page, 'run-conversation');
  await tab(page, /Conversation/).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.waitForURL(/view=timeline/);
  // The panel, then what is in it.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  const chosen = page.locator('[role=row][aria-selected=true]');
  await chosen.getByText('Queued').waitFor();
  await page.keyboard.press('+');
  await page.getByRole('button', { name: 'Fit' }).waitFor();
  await page.keyboard.press('0');
  t.strictSame(await faultsOfSight(page), []);
  await picture(page, 'run-timeline');
  for (const key of ['ArrowDown', 'ArrowLeft', 'ArrowRight', 'ArrowDown', 'ArrowDown', 'Enter']) {
    await page.keyboard.press(key);
  }
  await drawer(page).getByRole('heading', { name: 'pets.pets.list' }).waitFor();
  await drawer(page).getByText('pets:').first().waitFor();
  const [call] = run.tool_calls;
  for (const id of [call!.tool_call_id, call!.invocation_id!]) {
    await drawer(page).getByText(id, { exact: true }).waitFor();
  }
  await drawer(page).getByText(/^con_/).waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await drawer(page).getByRole('button', { name: 'Next call' }).focus();
  await page.keyboard.press('Enter');
  await drawer(page).getByRole('heading', { name: 'gateway.connections.list' }).waitFor();
  await page.keyboard.press('Enter');
  await drawer(page).getByText('asked for approval').waitFor();
  await page.reload();
  await drawer(page).getByText('once a person has approved it').waitFor();
  await drawer(page).getByText('has to be approved by the operator').waitFor();
  await picture(page, 'run-call');
  const { data: [approval] } = await client.expect(200, 'listApprovals');
  const way = drawer(page).getByRole('link', { name: 'Open the approval' });
  t.match(await way.getAttribute('href'), new RegExp(`/approvals/${approval!.id}$`));
  await client.expect(200, 'decideApproval',
    { path: { approval_id: approval!.id }, body: { decision: 'deny' } });
  await drawer(page).getByText('It is not made.').waitFor();
  await page.keyboard.press('Escape');
  await page.waitForURL(/view=timeline$/);
  await leavePage(dashboard, page);
});

t.test('a run is read while its page is in sight, and no longer', skip, async (t) => {
  const run = await endlessRun(dashboard.client, await newSession(dashboard.client));
  const page = await openRun(run.id, '?view=events');
  const isStream = (request: Request) => request.url().includes(`/runs/${run.id}/events`);
  await page.getByRole('grid', { name: 'Events' }).getByText('run.started').waitFor();
  const cut = page.waitForEvent('requestfailed', isStream);
  await page.evaluate(looking(true));
  t.match((await cut).failure()!.errorText, /ABORTED/);
  const next = page.waitForRequest(isStream);
  await page.evaluate(looking(false));
  const behind = Number(new URL((await next).url()).searchParams.get('starting_after'));
  t.ok(behind >= 2, `it goes on behind event ${behind}`);
  await status(page, 'live').waitFor();
  await leavePage(dashboard, page);
});

t.test('the events of a run that goes on are followed from the end, and only there', skip,
  async (t) => {
    const { client } = dashboard;
    const run = await queueRun(client, await newSession(client),
      '@rehearsal words=20000 delay_ms=50', OFFLINE);
    const page = await openRun(run.id, '?view=events');
    const grid = page.getByRole('grid', { name: 'Events' });
    const look = () => page.evaluate<{ top: number; to_end: number; last: number; count: number }>(
      `(() => {
        const grid = document.querySelector('[role=grid]');
        const top = grid.scrollTop;
        const last = [...grid.querySelectorAll('[role=row]')].at(-1).getAttribute('aria-rowindex');
        return { top, to_end: grid.scrollHeight - top - grid.clientHeight, last: Number(last),
          count: Number(grid.getAttribute('aria-rowcount')) };
      })()`);
    await tableRows(page).first().waitFor();
    const { count } = await untilSeen('it stays at the end', look,
      (seen) => seen.count > 50 && seen.to_end < 2 && seen.last === seen.count);
    await grid.evaluate((element) => {
      (element as unknown as { scrollTop: number }).scrollTop = 360;
    });
    const follow = page.getByRole('button', { name: 'Follow' });
    await follow.waitFor();
    const later = await untilSeen('more came', look, (seen) => seen.count > count + 50);
    t.equal(later.top, 360, 'elsewhere nothing moves');
    t.strictSame(await violations(page), []);
    await follow.press('Enter');
    await untilSeen('it is at the end again', look,
      (seen) => seen.count > later.count + 50 && seen.to_end < 2);
    await follow.waitFor({ state: 'detached' });
    await client.expect(200, 'cancelRun', { path: { run_id: run.id } });
    await leavePage(dashboard, page);
  });

t.test('event by event: the log, by kind and by words', skip, async (t) => {
  const { client } = dashboard;
  const run = await completeRun(client, await newSession(client), CALLS, OFFLINE);
  const log = await eventsOf(client, run.id);
  const page = await openRun(run.id, '?view=events');
  const grid = page.getByRole('grid', { name: 'Events' });
  await page.locator(`[role=grid][aria-rowcount="${log.length + 1}"]`).waitFor();
  await page.getByLabel('Kind').selectOption('tool_call.failed');
  await page.waitForURL(/type=tool_call.failed/);
  t.equal(await grid.getAttribute('aria-rowcount'), '3');
  await page.getByLabel('Words').fill('APPROVAL_REQUIRED');
  await page.waitForURL(/words=/);
  await grid.getByRole('row').nth(1).click();
  const failed = log.find(({ type, data }) =>
    type === 'tool_call.failed' && data.error.code === 'approval_required')!;
  await drawer(page).getByText(`"${failed.id}"`).waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await leavePage(dashboard, page);
});

t.test('its node is killed and comes back: the log, once and in order', skip, async (t) => {
  const { url, sql } = await testDatabase(t);
  const first = await createFirstCredentials(sql);
  const processes = new Set<ChildProcess>();
  t.teardown(() => Promise.all([...processes].map(async (child) => {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  })));
  const port = await freePort();
  const start = () => ServiceNode.start({ database_url: url, port }, processes);
  const node = await start();
  const client = new Client({ base_url: node.base_url, ...first });
  const own = { ...dashboard, ...first, client, origin: new URL(node.base_url).origin };
  const page = await openPage(own);
  // What takes a slow machine long comes before the run, which goes on for a few seconds.
  await page.goto(addressOf(own, 'runs'));
  await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor();
  const run = await client.expect(202, 'createRun', {
    path: { session_id: await newSession(client) },
    body: prompt('@rehearsal words=60 delay_ms=200', OFFLINE) });
  await page.goto(addressOf(own, `runs/${run.id}`));
  await page.getByText('Writing …').waitFor();
  await status(page, 'live').waitFor();
  await node.kill();
  await status(page, 'reconnecting').waitFor();
  await page.getByText('The service does not answer.').waitFor();
  await start();
  await page.getByText(/^Attempt 2: after/).waitFor();
  await status(page, 'completed').waitFor();
  const lost = page.locator('details', { hasText: 'Not kept: the worker was lost' });
  const said = lost.locator('summary + div');
  t.notOk(await said.isVisible(), 'folded: the answer that counts is below');
  await lost.locator('summary').press('Enter');
  await said.waitFor();
  t.strictSame(await faultsOfSight(page), []);
  t.equal(await page.getByText('reconnecting').count(), 0);
  t.equal(await page.getByText('The service does not answer.').count(), 0);
  const log = await eventsOf(client, run.id);
  const saved = await savedFile(page);
  t.strictSame(saved.events, log, 'exactly the events of the log');
  await tab(page, /Timeline/).click();
  await page.getByText('Attempt 2: another worker').waitFor();
  await tab(page, /Events/).click();
  const grid = page.getByRole('grid', { name: 'Events' });
  t.equal(await grid.getAttribute('aria-rowcount'), String(log.length + 1));
  soundness(t, 'an event lost, twice or out of order');
  t.strictSame(await shownEvents(page),
    log.map(({ sequence_number, type }) => [String(sequence_number), type]), 'row by row');
  await page.context().close();
});

/** What "Save as a file" gives. */
async function savedFile(
  page: Page): Promise<{ text: string; events: unknown[]; run: Run }> {
  await page.getByRole('button', { name: 'More' }).click();
  const [download] = await Promise.all([page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Save as a file' }).click()]);
  // The browser removes it with the page.
  const text = await readFile(await download.path(), 'utf8');
  return { text, ...JSON.parse(text) };
}

t.test('cancelled when it is confirmed, and run again with other words', skip, async (t) => {
  const { client } = dashboard;
  const run = await endlessRun(client, await newSession(client));
  const page = await openRun(run.id);
  await page.getByRole('button', { name: 'Cancel run' }).click();
  await drawer(page).getByRole('button', { name: 'Let it go on' }).click();
  await status(page, 'running').waitFor();
  await page.getByRole('button', { name: 'Cancel run' }).click();
  t.strictSame(await faultsOfSight(page), []);
  await drawer(page).getByRole('button', { name: 'Cancel run' }).click();
  await page.getByText(/^Cancelled after .*, as somebody asked for\.$/).waitFor();
  // The button that asked for it has gone, before its answer or after it.
  await untilTrue(page, 'document.activeElement === document.querySelector("main")');
  await page.getByRole('button', { name: 'Run again' }).click();
  await drawer(page).getByLabel('Prompt').fill('@rehearsal words=3 delay_ms=200');
  await drawer(page).getByLabel('Model').fill('openai/none-of-these');
  await drawer(page).getByRole('button', { name: 'Run', exact: true }).click();
  await drawer(page).getByText(/none-of-these/).first().waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await drawer(page).getByLabel('Model').fill('rehearsal');
  await drawer(page).getByRole('button', { name: 'Run', exact: true }).click();
  await page.waitForURL((to) => /\/runs\/run_\w+$/.test(to.pathname) && !to.href.includes(run.id));
  await status(page, 'completed').waitFor();
  const again = await client.expect(200, 'getRun',
    { path: { run_id: page.url().split('/').at(-1)! } });
  t.match(again, { session_id: run.session_id, source: 'console', model: 'rehearsal',
    input: [{ content: [{ text: '@rehearsal words=3 delay_ms=200' }] }] });
  await untilSeen('the file says how it has ended', async () => (await savedFile(page)).run.status,
    (seen) => seen === 'completed');
  await leavePage(dashboard, page);
});

t.test('hostile words, of people, models and integrations, are words', skip, async (t) => {
  const { client } = dashboard;
  const hostile = '<img src=x onerror=alert(1)><script>alert(2)</script> [go](javascript:alert(3))'
    + ' \u202egnp.exe\u200b\u2066 \u001b[31mred ![i](https://evil.example/x.png) שלום 👩‍👩‍👧';
  store.answer = (_, response) => send(response, { pets: [{ name: hostile }] });
  t.teardown(() => { store.answer = null; });
  const run = await completeRun(client, await newSession(client, hostile),
    `${hostile}${'x'.repeat(64_000)}\ncall pets.pets.list`,
    { ...OFFLINE, metadata: { [hostile.slice(0, 40)]: hostile.slice(0, 300) } });
  const page = await openRun(run.id, '', { width: 'phone' });
  page.on('dialog', () => t.fail('a dialog opened'));
  await page.getByRole('heading', { name: '<img src=x onerror=' }).waitFor();
  await page.getByText('Completed after').waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await page.getByRole('button', { name: /pets.pets.list/ }).click();
  await drawer(page).getByText('pets:').first().waitFor();
  t.strictSame(await faultsOfSight(page), []);
  t.equal(await page.locator('main img, main script, [href^=javascript]').count(), 0);
  await page.keyboard.press('Escape');
  for (const view of [/Timeline/, /Events/]) {
    await tab(page, view).click();
    t.strictSame(await faultsOfSight(page), []);
  }
  await leavePage(dashboard, page);
});

t.test('saved as a file, it is opened without any service', skip, async (t) => {
  const { client, origin } = dashboard;
  const run = await completeRun(client, await newSession(client), CALLS, OFFLINE);
  const page = await openRun(run.id);
  await status(page, 'completed').waitFor();
  const { text: saved, events } = await savedFile(page);
  const answer = await client.expect(200, 'streamRunEvents',
    { path: { run_id: run.id }, query: { limit: 1_000 } });
  await leavePage(dashboard, page);
  const context = await dashboard.browser.newContext({ reducedMotion: 'reduce' });
  const other = await watchedPage(dashboard, context);
  const asked: string[] = [];
  other.on('request', (request) => asked.push(request.url()));
  await other.goto(`${origin}/dashboard/run-file`);
  await other.getByRole('heading', { name: 'Drop a run here' }).waitFor();
  t.strictSame(await faultsOfSight(other), []);
  await context.setOffline(true);
  const choose = async (name: string, text: string) => {
    const [chooser] = await Promise.all([other.waitForEvent('filechooser'),
      other.getByRole('button', { name: 'Choose a file' }).click()]);
    await chooser.setFiles(
      { name, mimeType: 'application/json', buffer: Buffer.from(text) });
  };
  await choose('run.json', saved);
  await other.getByText('Completed after').waitFor();
  await tab(other, /Events/).click();
  // As "Copy all as JSON lines" gives them.
  const lines = events.map((event) => JSON.stringify(event));
  await choose('lines.jsonl', `${lines.join('\n')}\n`);
  await tab(other, /Conversation/).waitFor();
  await other.getByText(`Events (${lines.length})`).waitFor();
  await choose('cut.jsonl', `${lines.join('\n').slice(0, -1)}`);
  await other.getByRole('alert').getByText(`cut.jsonl: Line ${lines.length} is no JSON`).waitFor();
  await choose('one.jsonl', lines[0]!);
  await other.getByText('Events (1)').waitFor();
  await choose('run.json', saved);
  await tab(other, /Conversation/).click();
  await other.getByRole('button', { name: /pets.pets.delete/ }).click();
  await drawer(other).getByText('Missing: an approval').waitFor();
  t.strictSame(await faultsOfSight(other), []);
  await other.keyboard.press('Escape');
  for (const [text, words] of [['{"events":[]}', 'It holds no events of a run.'],
    ['{"data":[{"sequence_number":2}]}', 'Event 1 of the run is not in it.'],
    ['{"data":[{"sequence_number":1,"type":"tool_call.started","created_at":"2026-01-01T00:00:00Z",'
      + '"data":{"name":{}}}]}', 'Event 1 is none of a run.']] as const) {
    await choose('<b>.json', text);
    await other.getByRole('alert').getByText(`<b>.json: ${words}`).waitFor();
  }
  await dropFile(other, 'main', 'answer.json', JSON.stringify(answer));
  await other.getByRole('alert').waitFor({ state: 'detached' });
  await other.getByRole('heading', { name: 'Look after the pets.' }).waitFor();
  t.strictSame(asked.filter((url) => url.includes('/v1/')), [], 'nobody was asked');
  await context.close();
});

t.test('who may only look sees what it needs', skip, async (t) => {
  const { client } = dashboard;
  const run = await endlessRun(client, await newSession(client));
  const page = await openPage(dashboard, { role: 'viewer' });
  await page.goto(addressOf(dashboard, `runs/${run.id}`));
  await status(page, 'running').waitFor();
  for (const words of ['Cancel run', 'Run again']) {
    const button = page.getByRole('button', { name: words });
    t.ok(await button.isDisabled());
    t.match(await button.getAttribute('aria-description'), 'operator');
  }
  await page.goto(addressOf(dashboard, 'runs/run_01m81emdc1ppfa05tc7bssgz2v'));
  await page.getByRole('alert').getByText(/not_found/).waitFor();
  await client.expect(200, 'cancelRun', { path: { run_id: run.id } });
  await leavePage(dashboard, page);
});

t.test('a run whose events are no longer kept shows what is', skip, async (t) => {
  const { client, sql } = dashboard;
  const run = await completeRun(client, await newSession(client), '@rehearsal words=5', OFFLINE);
  await sql`delete from run_events where run_id = ${run.id}`;
  const page = await openRun(run.id);
  await page.getByText(/no longer kept/).waitFor();
  await page.getByRole('heading', { name: 'Agent' }).waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await leavePage(dashboard, page);
});

t.test('nothing failed, nothing was refused by the policy, nobody else was asked', skip,
  async (t) => {
    t.strictSame(dashboard.faults, []);
  });
