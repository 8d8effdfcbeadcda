/** Rows of lists and lines of JSON elsewhere: in another tab, pasted, in another language. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { NO_CHROMIUM } from '../support/chromium.ts';
import { petDocument } from '../support/petStore.ts';
import { completeRun, newSession, OFFLINE, type Run } from '../support/runs.ts';
import {
  addressOf, dashboardFor, goByKey, leavePage, openPage, signIn, tableRows, untilHeading, untilTrue,
  watchedPage,
} from './support.ts';

const { skip, dashboard } = await dashboardFor(t);
let session_id = '';
let run: Run;
/** Is answered by a hundred words about what is wrong with it: in a second, not in milliseconds. */
const PROMPT = '@rehearsal words=3 delay_ms=10 and <b>more</b>';

if (!NO_CHROMIUM) {
  const { client, workspace_id } = dashboard;
  session_id = await newSession(client, 'New');
  const metadata = { ticket: 'T-1', note: 'x'.repeat(400) };
  run = await completeRun(client, session_id, PROMPT, { ...OFFLINE, metadata });
  await completeRun(client, session_id, '@rehearsal words=2', OFFLINE);
  await client.expect(201, 'createGrant', { body: {
    workspace_id, actions: 'gateway.connections.list', decision: 'require_approval' } });
  await client.expect(403, 'createActionInvocation',
    { body: { action: 'gateway.connections.list' } });
}

/** Where in a row there is no link. */
const BESIDE = { position: { x: 6, y: 4 } };

t.test('a row opens in another tab by Ctrl and by the middle button, as a link', skip,
  async (t) => {
    const { client, workspace_id } = dashboard;
    const { id: key_id } = await client.expect(201, 'createApiKey',
      { body: { workspace_id, name: 'opened elsewhere' } });
    const { data: [approval] } = await client.expect(200, 'listApprovals');
    const page = await openPage(dashboard);
    const rowOf = (words: string) => tableRows(page).filter({ hasText: words });
    for (const [screen, row, opens] of [
      ['sessions', rowOf('New'), `sessions/${session_id}`],
      ['keys?name=elsewhere', rowOf('opened'), `keys?name=elsewhere&key=${key_id}`],
      ['approvals?status=all', page.getByRole('option').first(),
        `approvals/${approval!.id}?status=all`],
    ] as const) {
      await page.goto(addressOf(dashboard, screen));
      for (const how of [{ modifiers: ['Control' as const] }, { button: 'middle' as const }]) {
        const opened = page.context().waitForEvent('page');
        await row.click({ ...BESIDE, ...how });
        const tab = await opened;
        await tab.waitForURL(addressOf(dashboard, opens));
        await tab.close();
        t.equal(page.url(), addressOf(dashboard, screen), 'and here nothing else is opened');
      }
    }
    await leavePage(dashboard, page);
  });

/** A page of which one may read what is copied, of somebody in Germany. */
async function openGerman(screen: string): Promise<Page> {
  const context = await dashboard.browser.newContext({ locale: 'de-DE', timezoneId: 'Asia/Kolkata',
    viewport: { width: 1_280, height: 800 }, permissions: ['clipboard-read', 'clipboard-write'] });
  await signIn(dashboard, context);
  const page = await watchedPage(dashboard, context);
  await page.goto(addressOf(dashboard, screen));
  return page;
}

/** Selects from the first element to the end of the last one, and copies. */
async function copied(page: Page, first: string, last: string): Promise<[string, string]> {
  await page.evaluate(`getSelection().setBaseAndExtent(document.querySelector('${first}'), 0,
    document.querySelector('${last}'), document.querySelector('${last}').childNodes.length)`);
  await page.keyboard.press('Control+c');
  return await page.evaluate(`navigator.clipboard.read().then(([item]) => Promise.all(
    ['text/plain', 'text/html'].map(async (type) => (item.types.includes(type)
      ? (await item.getType(type)).text() : ''))))`);
}

t.test('rows are copied cell by cell, and whole; numbers are as in the language of the browser',
  skip, async (t) => {
    const page = await openGerman('runs');
    await tableRows(page).nth(1).waitFor();
    const place = (row: number) => `[role=row][aria-rowindex="${row}"]`;
    const [text, html] = await copied(page, place(1), place(3));
    const [head, , first] = text.split('\n').map((line) => line.split('\t'));
    t.strictSame(head, ['Status', 'Prompt', 'Session', 'Model', 'Created', 'Duration', 'Tokens',
      'Error']);
    const cells = ['completed', PROMPT, session_id, 'rehearsal', run.created_at];
    t.strictSame(first!.slice(0, 5), cells);
    t.match(first![5], /^\d+,\d s$/, 'as 1.234 tokens are a thousand there');
    t.match(html, `<td>${session_id}</td>`);
    t.match(html, '&lt;b&gt;');
    const [part] = await copied(page, `${place(3)} a`, `${place(3)} a`);
    t.equal(part, PROMPT, 'within a row it is what is selected');
    await page.context().close();
  });

t.test('lines of JSON are copied as JSON, with what is closed in them', skip, async (t) => {
  const page = await openGerman(`runs/${run.id}?view=events&event=1`);
  const place = (line: number) => `[role=treeitem][data-index="${line}"]`;
  await page.getByRole('treeitem').filter({ hasText: 'metadata' }).waitFor();
  const lines = await page.getByRole('treeitem').filter({ hasText: /:/ }).allInnerTexts();
  const at = (name: string) => 1 + lines.findIndex((line) => line.startsWith(`${name}:`));
  const [whole] = await copied(page, place(0), place(lines.length));
  const event = JSON.parse(whole) as { data: { metadata: unknown; input: unknown } };
  t.strictSame(event.data, { status: 'queued', input: run.input, metadata: run.metadata });
  const [some] = await copied(page, place(at('run_id')), place(at('sequence_number')));
  t.equal(some, `"run_id": "${run.id}",\n"session_id": "${session_id}",\n"sequence_number": 1`);
  const value = `${place(at('run_id'))} > :last-child`;
  t.equal((await copied(page, value, value))[0], `"${run.id}"`, 'of one value, that alone');
  const isTaken = (altKey: boolean) => page.evaluate(`!document.querySelector('[role=tree]')
    .dispatchEvent(new KeyboardEvent('keydown',
      { key: 'ArrowLeft', altKey: ${altKey}, bubbles: true, cancelable: true }))`);
  t.equal(await isTaken(false), true);
  t.equal(await isTaken(true), false, 'with Alt it is the way back');
  await page.context().close();
});

t.test('Back closes what a row has opened, and closing it leaves nothing to go back to', skip,
  async (t) => {
    const page = await openPage(dashboard);
    const dialog = page.getByRole('dialog');
    const opened = () => dialog.waitFor();
    const closed = () => dialog.waitFor({ state: 'detached' });
    await page.goto(addressOf(dashboard, 'sessions'));
    await page.getByRole('link', { name: 'Audit log' }).click();
    const list = addressOf(dashboard, 'audit');
    const row = tableRows(page).nth(1);
    for (const close of [() => page.goBack(), () => page.keyboard.press('Escape')]) {
      await row.click(BESIDE);
      await opened();
      await dialog.getByRole('button', { name: 'Newer' }).click();
      await close();
      await closed();
      t.equal(page.url(), list);
    }
    await page.goForward();
    await opened();
    // Whoever is impatient goes back once.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await closed();
    t.equal(page.url(), list);
    await row.click(BESIDE);
    await opened();
    const address = page.url();
    await dialog.getByRole('button', { name: 'All of this kind' }).click();
    await closed();
    await page.goBack();
    await page.waitForURL(list);
    // What a link has opened is closed in its place.
    await page.goto(address);
    await opened();
    await page.keyboard.press('Escape');
    await closed();
    await page.waitForURL(list);
    await leavePage(dashboard, page);
  });

t.test('what is open about one run or integration is not about the one that Back leads to', skip,
  async (t) => {
    const { client } = dashboard;
    const page = await openPage(dashboard);
    const dialog = page.getByRole('dialog');
    await page.goto(addressOf(dashboard, `runs/${run.id}`));
    await page.getByRole('button', { name: 'Run again' }).click();
    await dialog.getByRole('button', { name: 'Run', exact: true }).click();
    await page.waitForURL((url) => !url.pathname.endsWith(run.id));
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Run again' }).click();
    await dialog.getByRole('textbox', { name: 'Prompt' }).fill('for the second one');
    await page.goBack();
    await dialog.getByRole('button', { name: 'Discard it' }).click();
    await page.waitForURL((url) => url.pathname.endsWith(run.id));
    await dialog.waitFor({ state: 'detached' });
    for (const slug of ['cats', 'dogs']) {
      await client.expect(201, 'createIntegration', { body: { slug, kind: 'openapi',
        document: petDocument(slug), base_url: 'https://pets.example' } });
    }
    await page.goto(addressOf(dashboard, 'integrations/cats'));
    await untilHeading(page, 'cats');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Find/ }).fill('dogs');
    await page.getByRole('option', { name: /^dogs/ }).click();
    await untilHeading(page, 'dogs');
    await page.getByRole('button', { name: 'Delete the integration' }).click();
    await page.getByRole('dialog', { name: 'Delete the integration dogs?' }).waitFor();
    await page.goBack();
    await untilHeading(page, 'cats');
    t.equal(await dialog.count(), 0);
    await leavePage(dashboard, page);
  });

t.test('by keyboard one goes into a row, to its links, and back', skip, async (t) => {
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'runs'));
  const grid = page.getByRole('grid');
  await tableRows(page).filter({ hasText: PROMPT }).first().waitFor();
  await grid.press('End');
  t.match(await grid.getAttribute('aria-description'),
    'Enter opens it, right: what can be pressed in it.');
  const focused = () => page.evaluate('document.activeElement.textContent.slice(0, 80)');
  await page.keyboard.press('ArrowRight');
  t.equal(await focused(), PROMPT);
  await page.keyboard.press('ArrowRight');
  t.equal(await focused(), session_id);
  await page.keyboard.press('ArrowUp');
  await page.locator('[role=grid]:focus').waitFor();
  await page.keyboard.press('ArrowDown');
  for (const key of ['ArrowRight', 'ArrowLeft', 'ArrowRight', 'ArrowRight', 'Enter']) {
    await page.keyboard.press(key);
  }
  await page.waitForURL(addressOf(dashboard, `sessions/${session_id}`));
  await page.goto(addressOf(dashboard, 'keys'));
  await tableRows(page).first().waitFor();
  await grid.press('End');
  await page.locator('[aria-selected=true]').waitFor();
  t.equal(await grid.getAttribute('aria-description'),
    'Up and down choose a row, Enter opens it.', 'there is nothing to press in a key');
  await goByKey(page, 'r', 'Runs');
  await tableRows(page).first().waitFor();
  await grid.press('End');
  await goByKey(page, 'k', 'API keys');
  await leavePage(dashboard, page);
});

t.test('the focus of a row that goes is left to the table', skip, async (t) => {
  const page = await openPage(dashboard);
  let numbers = Array.from({ length: 60 }, (_, at) => 60 - at);
  await page.route('**/v1/runs?*', (route) => route.fulfill({ json: {
    data: numbers.map((number) => ({ ...run, id: `run_${number}`, session_id: `ses_${number}` })),
    has_more: false, next_cursor: null } }));
  await page.goto(addressOf(dashboard, 'runs'));
  const grid = page.getByRole('grid');
  const focused = () => page.evaluate('document.activeElement.textContent.slice(0, 80)');
  await page.getByText('ses_60', { exact: true }).waitFor();
  for (const key of ['Home', 'ArrowDown', 'ArrowRight']) await grid.press(key);
  await untilTrue(page, "document.activeElement.closest('[aria-rowindex=\"3\"]')");
  numbers = numbers.filter((number) => number !== 59);
  await page.getByText('ses_59', { exact: true }).waitFor({ state: 'detached' });
  await page.locator('[role=grid]:focus').waitFor();
  await page.locator('[aria-selected=true]').waitFor();
  for (const key of ['Home', 'ArrowRight']) await page.keyboard.press(key);
  await page.evaluate("document.querySelector('[role=grid]').scrollTop = 1800");
  await page.getByText('ses_60', { exact: true }).waitFor({ state: 'detached' });
  await page.locator('[role=grid]:focus').waitFor();
  await page.keyboard.press('Home');
  // Not that of the row which is chosen.
  await page.getByRole('link', { name: 'ses_55', exact: true }).focus();
  await page.keyboard.press('ArrowLeft');
  t.equal(await focused(), PROMPT);
  t.ok(await page.evaluate("document.activeElement.closest('[aria-rowindex=\"6\"]') !== null"));
  await page.keyboard.press('ArrowRight');
  t.equal(await focused(), 'ses_55');
  await leavePage(dashboard, page);
});

t.test('that there are new rows is told once, until they are shown', skip, async (t) => {
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'runs'));
  await tableRows(page).nth(1).waitFor();
  const more = () => completeRun(dashboard.client, session_id, '@rehearsal words=2', OFFLINE);
  await more();
  const told = page.getByRole('status').filter({ hasText: 'There are new rows' });
  await told.waitFor({ state: 'attached' });
  await page.evaluate(`window.changes = 0;
    new MutationObserver(({ length }) => window.changes += length).observe(
      document.querySelector('.pointer-events-none > [role=status]'),
      { childList: true, characterData: true, subtree: true })`);
  await more();
  await page.getByRole('button', { name: '2 new' }).waitFor();
  t.equal(await page.evaluate('window.changes'), 0);
  await page.getByRole('button', { name: '2 new' }).click();
  await told.waitFor({ state: 'detached' });
  await leavePage(dashboard, page);
});

t.test('a phone does not enlarge the page for a field', skip, async (t) => {
  const context = await dashboard.browser.newContext({ hasTouch: true, isMobile: true,
    viewport: { width: 320, height: 568 } });
  await signIn(dashboard, context);
  const page = await watchedPage(dashboard, context);
  for (const screen of [`sessions/${session_id}`, 'keys?create=key', 'grants?grant=new']) {
    await page.goto(addressOf(dashboard, screen));
    await page.getByRole('textbox').first().waitFor();
    t.strictSame(await page.evaluate(`[...document.querySelectorAll('input, select, textarea')]
      .filter((one) => parseFloat(getComputedStyle(one).fontSize) < 16).map((one) => one.name)`),
    [], screen);
  }
  await page.setViewportSize({ width: 320, height: 300 });
  t.equal(await page.evaluate('document.documentElement.scrollWidth'), 320);
  await context.close();
});

t.test('approvals are printed to the end of what is loaded', skip, async (t) => {
  const { data: [approval] } = await dashboard.client.expect(200, 'listApprovals');
  const page = await openPage(dashboard);
  await page.route('**/v1/admin/approvals?*', (route) => route.fulfill({ json: { has_more: false,
    next_cursor: null, data: Array.from({ length: 90 }, (_, at) => ({ ...approval,
      id: `${approval!.id.slice(0, -2)}${at + 10}` })) } }));
  await page.goto(addressOf(dashboard, 'approvals'));
  await page.getByRole('option').first().waitFor();
  t.ok(await page.getByRole('option').count() < 90, 'on the screen there are those in sight');
  // When the event returns, for then Firefox takes its copy.
  t.equal(await page.evaluate(`dispatchEvent(new Event('beforeprint'))
    && document.querySelectorAll('[role=option][aria-posinset]').length`), 90);
  await leavePage(dashboard, page);
});

t.test('how many actions an integration has is whole beside a long name', skip, async (t) => {
  await dashboard.client.expect(201, 'createIntegration', { body: {
    slug: 'many', kind: 'openapi', document: JSON.stringify(petDocument()) } });
  const page = await openPage(dashboard);
  await page.route('**/v1/admin/integrations?*', async (route) => {
    const response = await route.fetch();
    const { data, ...list } = await response.json() as { data: object[] };
    const actions = { read: 634, write: 395, destructive: 194 };
    await route.fulfill({ response, json: { ...list, data: data.map((one) =>
      ({ ...one, title: 'Title '.repeat(30), actions })) } });
  });
  await page.goto(addressOf(dashboard, 'integrations'));
  const counts = tableRows(page).first().getByText('634 read, 395 write, 194 destructive');
  t.equal(await counts.evaluate((place: { scrollWidth: number; clientWidth: number }) =>
    place.scrollWidth - place.clientWidth), 0);
  await page.unrouteAll({ behavior: 'wait' });
  await leavePage(dashboard, page);
});

t.test('why a run failed is whole beside its prompt', skip, async (t) => {
  const { client } = dashboard;
  for (const code of ['max_steps_exceeded', 'model_rate_limited']) {
    const page = await openPage(dashboard);
    await page.route('**/v1/runs?*', async (route) => {
      const response = await route.fetch();
      const { data, ...list } = await response.json() as { data: object[] };
      const error = { code, message: 'It failed.', retryable: false };
      await route.fulfill({ response, json: { ...list, data: data.map((one) =>
        ({ ...one, status: 'failed', error })) } });
    });
    await completeRun(client, session_id, 'long '.repeat(50), OFFLINE);
    await page.goto(addressOf(dashboard, 'runs'));
    const shown = tableRows(page).first().getByText(code);
    t.equal(await shown.evaluate((place: { scrollWidth: number; clientWidth: number }) =>
      place.scrollWidth - place.clientWidth), 0, code);
    await page.unrouteAll({ behavior: 'wait' });
    await leavePage(dashboard, page);
  }
});

/** The numbers of the rows that are in sight as a whole, below the head. */
const IN_SIGHT = `[...document.querySelectorAll('[role=grid] [data-index]')].filter((row) => {
  const [grid, head] = ['[role=grid]', '[role=rowgroup]'].map((one) =>
    document.querySelector(one).getBoundingClientRect());
  const { top, bottom } = row.getBoundingClientRect();
  return top > Math.max(grid.top, head.bottom) - 2 && bottom < grid.bottom + 2;
}).map((row) => Number(row.dataset.index)).sort((a, b) => a - b)`;

t.test('a page of cards skips none, and in half a window all columns fit', skip,
  async (t) => {
    const { data: [key] } = await dashboard.client.expect(200, 'listApiKeys');
    const data = Array.from({ length: 90 }, (_, at) => ({ ...key, id: `key_${at}` }));
    const page = await openPage(dashboard);
    await page.route('**/v1/admin/api_keys?*', (route) => route.fulfill(
      { json: { data, has_more: false, next_cursor: null } }));
    const turn = async (width: number, cards: number) => {
      await page.setViewportSize({ width, height: 800 });
      await untilTrue(page, `document.querySelectorAll('[data-cards]').length === ${cards}`);
    };
    await page.goto(addressOf(dashboard, 'keys'));
    await tableRows(page).first().waitFor();
    const grid = page.getByRole('grid');
    await turn(390, 1);
    await grid.press('Home');
    await untilTrue(page, `${IN_SIGHT}[0] === 0`);
    const last = await page.evaluate<number>(`${IN_SIGHT}.at(-1)`);
    await page.keyboard.press('PageDown');
    const chosen = await page.locator('[aria-selected=true]').getAttribute('data-index');
    t.ok(Number(chosen) > 0 && Number(chosen) <= last, `${chosen}, of ${last} that were in sight`);
    await turn(1_000, 0);
    await page.goto(addressOf(dashboard, 'audit'));
    await tableRows(page).first().waitFor();
    await turn(1_000, 0);
    await leavePage(dashboard, page);
  });

t.test('nothing failed, nothing was refused by the policy, nobody else was asked', skip,
  async (t) => {
    t.strictSame(dashboard.faults, []);
  });
