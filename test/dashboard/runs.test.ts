/** The list of runs: live, by filters in the address, by keyboard, and a hundred thousand long. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { newId } from '../../src/ids.ts';
import { openTransaction } from '../support/openTransaction.ts';
import {
  completeRun, ENDLESS, endlessRun, newSession, OFFLINE, queueRun, untilEvent,
} from '../support/runs.ts';
import {
  addressOf, dashboardFor, faultsOfSight, leavePage, openPage, picture, PICTURE_MS, tableRows,
  untilTrue,
} from './support.ts';

const { skip, dashboard } = await dashboardFor(t);

const MANY = 100_000;
/** So many of them are read, in pages; `ROWS=100000` reads all, in half a minute. */
const READ = Number(process.env.ROWS ?? 10_000);
/** Where the row with these words is, in px from the top of the window. */
const topOf = async (page: Page, words: string) =>
  (await tableRows(page).filter({ hasText: words }).boundingBox())!.y;

t.test('without a run, it says how to make the first, and shows it at once', skip, async (t) => {
  const { client } = dashboard;
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'runs'));
  await page.getByText('No runs yet').waitFor();
  await page.getByText('gatehouse run "Which sessions are there?"').waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await completeRun(client, await newSession(client), 'the very first', OFFLINE);
  await page.getByRole('grid').getByText('the very first').waitFor();
  t.pass('nothing is there that could jump, so it needs no press');
  await leavePage(dashboard, page);
});

t.test('rows change in place, and new ones wait until they are asked for', skip, async (t) => {
  const { client } = dashboard;
  const session_id = await newSession(client);
  const run = await endlessRun(client, session_id);
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'runs'));
  const row = tableRows(page).filter({ hasText: ENDLESS });
  await row.getByText('running').waitFor();
  await row.getByRole('link', { name: session_id }).getByTitle(session_id).waitFor();
  const before = await topOf(page, 'the very first');
  await completeRun(client, await newSession(client), 'one more', OFFLINE);
  await page.getByRole('button', { name: '1 new' }).waitFor();
  t.equal(await page.getByText('one more').count(), 0);
  t.equal(await topOf(page, 'the very first'), before, 'nothing has moved');
  await client.expect(200, 'cancelRun', { path: { run_id: run.id } });
  await row.getByText('cancelled').waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await picture(page, 'runs-light');
  await page.getByRole('button', { name: '1 new' }).click();
  await tableRows(page).first().getByText('one more').waitFor();
  t.equal(await tableRows(page).count(), 3);
  await leavePage(dashboard, page);
});

t.test('in a narrow window the last column is in sight', skip, async (t) => {
  const page = await openPage(dashboard);
  // Beside it stands a bar to scroll by, which this browser does not show.
  await page.setViewportSize({ width: 1_024 - 15, height: 800 });
  await page.goto(addressOf(dashboard, 'runs'));
  await tableRows(page).first().waitFor();
  const beyond = await page.evaluate<number>(`(() => {
    const grid = document.querySelector('[role=grid]');
    return grid.scrollWidth - grid.clientWidth;
  })()`);
  t.equal(beyond, 0);
  await picture(page, 'runs-1024');
  await leavePage(dashboard, page);
});

/** A time that goes on. */
const PASSES = /^([1-9]\d* s|\d+ min \d+ s)$/;

t.test('a clock that is slow here makes no run of the future', skip, async (t) => {
  const { client } = dashboard;
  const run = await endlessRun(client, await newSession(client));
  const page = await openPage(dashboard);
  await page.addInitScript('const now = Date.now; Date.now = () => now() - 300_000;');
  await page.goto(addressOf(dashboard, 'runs'));
  const row = tableRows(page).first();
  await row.getByText('running').waitFor();
  await row.getByText(/^(now|\d+ (s|min) ago)$/).waitFor();
  await row.getByText(PASSES).waitFor();
  await page.goto(addressOf(dashboard, `runs/${run.id}?view=timeline`));
  await page.getByRole('row', { name: /^Queued/ }).waitFor();
  await page.locator('dl').first().getByText(PASSES).waitFor();
  t.equal(await page.getByText(/^in \d/).count(), 0);
  await client.expect(200, 'cancelRun', { path: { run_id: run.id } });
  await page.context().close();
});

t.test('hostile words are words', skip, async (t) => {
  const { client } = dashboard;
  const hostile = '<img src=x onerror="document.title=1"><script>alert(1)</script>\u202e"\'`${1}';
  await completeRun(client, await newSession(client, hostile), hostile, OFFLINE);
  const page = await openPage(dashboard);
  page.on('dialog', () => t.fail('a dialog opened'));
  await page.goto(addressOf(dashboard, 'runs'));
  await tableRows(page).first().getByText('<img src=x onerror=').waitFor();
  t.equal(await page.locator('main img, main script').count(), 0);
  await leavePage(dashboard, page);
});

t.test('filters are the address, and what leaves them leaves the list', skip, async (t) => {
  const { client } = dashboard;
  const failed = await newSession(client);
  await completeRun(client, failed, '@rehearsal fail=model_error', OFFLINE);
  const run = await queueRun(client, failed, ENDLESS, OFFLINE);
  await untilEvent(client, run.id, 'run.started');
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'runs'));
  await page.getByLabel('Status').selectOption('failed');
  await page.waitForURL(addressOf(dashboard, 'runs?status=failed'));
  await tableRows(page).getByText('model_error', { exact: true }).waitFor();
  t.equal(await tableRows(page).count(), 1);
  await page.getByLabel('Session').fill(failed);
  await page.waitForURL(addressOf(dashboard, `runs?status=failed&session_id=${failed}`));
  await page.getByLabel('Status').selectOption('running');
  await tableRows(page).getByText(ENDLESS).waitFor();
  await page.reload();
  await tableRows(page).getByText(ENDLESS).waitFor();
  t.equal(await page.getByLabel('Session').inputValue(), failed, 'the address has it all');
  await client.expect(200, 'cancelRun', { path: { run_id: run.id } });
  await page.getByText('No run is like that').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.waitForURL(addressOf(dashboard, 'runs'));
  await page.goto(addressOf(dashboard, 'runs?session_id=ses_%00&created_after=yesterday'));
  await page.getByRole('alert').getByText(/invalid_request · req_/).waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await leavePage(dashboard, page);
});

t.test('sessions and runs are found by their metadata', skip, async (t) => {
  const { client } = dashboard;
  const { id } = await client.expect(201, 'createSession',
    { body: { title: 'of ada', metadata: { user: 'ada' } } });
  await client.expect(201, 'createSession', { body: { title: 'of another' } });
  const input = (text: string) => [{ role: 'user', content: [{ type: 'input_text', text }] }];
  const prompts = { 'for a ticket': { ticket: '4711' }, 'for none': {} };
  for (const [text, metadata] of Object.entries(prompts)) {
    await client.expect(202, 'createRun', { path: { session_id: id },
      body: { model: 'rehearsal', input: input(text), metadata } });
  }
  const page = await openPage(dashboard);
  const filter = page.getByLabel('Metadata');
  for (const [screen, others, pair, wanted] of [['sessions', 'of another', 'user=ada', 'of ada'],
    ['runs', 'for none', 'ticket=4711', 'for a ticket']] as const) {
    await page.goto(addressOf(dashboard, screen));
    await tableRows(page).filter({ hasText: others }).waitFor();
    await filter.fill(pair.slice(0, 3));
    await page.getByText('must be a key and a value, such as team=growth').waitFor();
    await filter.fill(pair);
    await tableRows(page).filter({ hasText: wanted }).waitFor();
    t.equal(await tableRows(page).count(), 1);
    t.equal(page.url(), addressOf(dashboard, `${screen}?metadata=${encodeURIComponent(pair)}`));
  }
  await leavePage(dashboard, page);
});

t.test('a row is chosen and opened by keyboard, and stays chosen', skip, async (t) => {
  const { client } = dashboard;
  const page = await openPage(dashboard, { theme: 'dark' });
  const { promise: focused, resolve: onFocused } = Promise.withResolvers<void>();
  await page.route(/\/v1\/runs\?/, async (route) => {
    await focused;
    await route.fallback();
  });
  await page.goto(addressOf(dashboard, 'runs'));
  await page.getByRole('grid').focus();
  onFocused();
  const chosen = page.locator('[role=row][aria-selected=true]');
  t.match(await chosen.getAttribute('aria-rowindex'), '2');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  const words = await chosen.textContent();
  t.equal(await chosen.getAttribute('aria-rowindex'), '3');
  t.equal(await page.getByRole('grid').getAttribute('aria-activedescendant'),
    await chosen.getAttribute('id'));
  await completeRun(client, await newSession(client), 'while a row is chosen', OFFLINE);
  await page.getByRole('button', { name: '1 new' }).click();
  await page.getByText('while a row is chosen').waitFor();
  t.equal(await chosen.getAttribute('aria-rowindex'), '4');
  t.equal((await chosen.textContent())!.slice(0, 20), words!.slice(0, 20), 'the same row');
  await picture(page, 'runs-dark');
  await page.getByRole('grid').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/runs\/run_\w+$/);
  await page.goBack();
  await page.locator('[role=grid]:focus').waitFor();
  t.equal(await chosen.getAttribute('aria-rowindex'), '2', 'the keyboard goes on where it was');
  await page.getByText('while a row is chosen').click({ modifiers: ['Control'] });
  const [, tab] = page.context().pages();
  t.ok(tab ?? await page.context().waitForEvent('page'), 'a row is a link as well');
  await leavePage(dashboard, page);
});

t.test('a hundred thousand runs scroll smoothly', skip, async (t) => {
  await storeMany();
  const page = await openPage(dashboard);
  const begun_ms = performance.now();
  await page.goto(addressOf(dashboard, 'runs'));
  await tableRows(page).getByText('Run 99999', { exact: true }).waitFor();
  const first_ms = performance.now() - begun_ms;
  const paint_ms = await page.evaluate<number>(
    "performance.getEntriesByName('first-contentful-paint')[0].startTime");
  const few_ms = await page.evaluate<number>(PICTURE_MS);
  const { pages, took_ms } = await page.evaluate<{ pages: number; took_ms: number }>(TO_THE_END);
  const last = `Run ${MANY - READ}`;
  await tableRows(page).getByText(last, { exact: true }).waitFor();
  const many_ms = await page.evaluate<number>(PICTURE_MS);
  t.comment(`measured: first paint ${paint_ms.toFixed(0)} ms, first rows ${first_ms.toFixed(0)} ms;`
    + ` ${READ} rows read in ${(took_ms / 1_000).toFixed(1)} s; a picture while scrolling takes`
    + ` ${few_ms.toFixed(1)} ms with the first rows, ${many_ms.toFixed(1)} ms with all of them`);
  t.ok(pages > 3, 'they came while it scrolled');
  t.ok(await tableRows(page).count() < 100, 'only what is in sight is in the page');
  await page.getByRole('grid').focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Home');
  await page.locator('[aria-selected=true]', { hasText: `Run ${MANY - 1}` }).waitFor();
  await leavePage(dashboard, page);
});

t.test('a press opens the row that it is on, and nothing moves', skip, async (t) => {
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'runs'));
  await tableRows(page).getByText('Run 99999', { exact: true }).waitFor();
  const grid = page.getByRole('grid');
  await grid.evaluate(scrollTo, 1_500);
  const words = `Run ${MANY - 52}`;
  await tableRows(page).getByText(words, { exact: true }).waitFor();
  await tableRows(page).filter({ hasText: words }).hover({ position: { x: 4, y: 4 } });
  await page.mouse.down();
  t.equal(await grid.evaluate(placeOf), 1_500, 'the press alone moves nothing');
  t.equal(await page.locator('[aria-selected=true]').count(), 0, 'nor chooses another row');
  await page.mouse.up();
  await page.getByRole('heading', { level: 1, name: words }).waitFor();
  await page.goto(addressOf(dashboard, 'runs'));
  await tableRows(page).getByText('Run 99999', { exact: true }).waitFor();
  await grid.evaluate(scrollTo, 1_500);
  await tableRows(page).getByText(words, { exact: true }).waitFor();
  // The head begins no row: keys go on from what is in sight.
  await page.getByRole('columnheader', { name: 'Prompt' }).click();
  await page.keyboard.press('ArrowDown');
  await page.locator('[aria-selected=true]', { hasText: `Run ${MANY - 43}` }).waitFor();
  t.equal(await grid.evaluate(placeOf), 1_500);
  await leavePage(dashboard, page);
});

t.test('Back leads to the same rows, also of several pages', skip, async (t) => {
  const other = await dashboard.client.expect(201, 'createWorkspace', { body: { name: 'Other' } });
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'runs?status=completed'));
  const grid = page.getByRole('grid');
  const [words, top_px] = [`Run ${MANY - 252}`, 250 * 36 + 10];
  const row = tableRows(page).filter({ hasText: words });
  for (const read of [99, 199, 299]) {
    await tableRows(page).first().waitFor();
    // A table scrolls no further than to the end of what was read so far.
    await untilTrue(page,
      `document.querySelector('[role=grid]').scrollHeight > ${read * 36}`);
    await grid.evaluate(scrollTo, read * 36);
    await tableRows(page).getByText(`Run ${MANY - 1 - read}`, { exact: true }).waitFor();
  }
  await grid.evaluate(scrollTo, top_px);
  await row.click({ position: { x: 4, y: 4 } });
  await page.getByRole('heading', { level: 1, name: words }).waitFor();
  const elsewhere = addressOf({ ...dashboard, workspace_id: other.id }, 'runs');
  for (const is_forgotten of [false, true]) {
    if (is_forgotten) {
      // What was read goes with the workspace.
      await page.goForward();
      await page.getByRole('heading', { level: 1, name: words }).waitFor();
      await page.evaluate(`history.pushState(null, '', '${elsewhere}');
        dispatchEvent(new PopStateEvent('popstate'))`);
      await page.getByText('No runs yet').waitFor();
      await page.goBack();
      await page.getByRole('heading', { level: 1, name: words }).waitFor();
    }
    await page.goBack();
    await page.locator('[aria-selected=true]', { hasText: words }).waitFor();
    t.equal(await grid.evaluate(placeOf), top_px, is_forgotten ? 'read again' : 'as it was read');
    t.match(page.url(), /status=completed$/);
  }
  await page.getByRole('link', { name: 'Runs', exact: true }).click();
  await tableRows(page).getByText('Run 99999', { exact: true }).waitFor();
  t.pass('who comes anew begins at the start');
  await leavePage(dashboard, page);
});

const placeOf = (grid: unknown) => (grid as { scrollTop: number }).scrollTop;
const scrollTo = (grid: unknown, to_px: number) => {
  (grid as { scrollTop: number }).scrollTop = to_px;
};

/** Scrolls to the end of what is there, until enough is. */
const TO_THE_END = `new Promise((resolve) => {
  const grid = document.querySelector('[role=grid]');
  const begun = performance.now();
  let pages = 0;
  let height = 0;
  const draw = () => {
    if (grid.scrollHeight > height) {
      pages++;
      height = grid.scrollHeight;
      grid.scrollTop = height;
    }
    if (height < ${READ} * 36) requestAnimationFrame(draw);
    else resolve({ pages, took_ms: performance.now() - begun });
  };
  draw();
})`;

/** Runs in the tables, newer than all others, so that the first page is of them. */
async function storeMany(): Promise<void> {
  const { sql, workspace_id, client } = dashboard;
  const session_id = await newSession(client, 'many');
  const now = Date.now() + 60_000;
  const ids = Array.from({ length: MANY }, (_, at) => newId('run', now + at));
  // It takes longer than a statement may, on a slow machine.
  await openTransaction(sql, async (tx) => {
    await tx`
      insert into runs (workspace_id, id, session_id, status, head, attempt, worker_id, last_seq,
        source, model, max_steps, timeout_s, input, started_at, finished_at)
      select ${workspace_id}, id, ${session_id}, 'completed', false, 1, 'wrk_1', 0, 'api',
        'rehearsal', 1, 60, json_build_array(json_build_object('role', 'user', 'content',
          json_build_array(json_build_object('type', 'input_text', 'text', 'Run ' || at - 1)))),
        now(), now()
      from unnest(${ids}::text[]) with ordinality as many (id, at)`;
    await tx`analyze runs`;
  });
}

t.test('nothing failed, nothing was refused by the policy, nobody else was asked', skip,
  async (t) => {
    t.strictSame(dashboard.faults, []);
  });

t.test('a run that reached its own budget is not said to do better tomorrow', skip, async (t) => {
  const { client } = dashboard;
  const { id, error } = await completeRun(client, await newSession(client),
    'call gateway.connections.list', { ...OFFLINE, max_total_tokens: 1 });
  t.equal(error!.code, 'budget_exceeded');
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, `runs/${id}`));
  await page.getByText(/may use 1\. Raise max_total_tokens/).waitFor();
  await page.getByText(/Raise the limit that is named, or ask for less; .* 0:00 UTC\./).waitFor();
  await leavePage(dashboard, page);
});
