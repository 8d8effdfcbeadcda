/** What is seen and heard: in a low window, in forced colours, on paper, and by screen readers. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { NO_CHROMIUM } from '../support/chromium.ts';
import { connectTo, heldAction, testSource } from '../support/actions.ts';
import { connectPets, petIntegration, startPetStore, withPaths } from '../support/petStore.ts';
import { completeRun, newSession, OFFLINE } from '../support/runs.ts';
import {
  addressOf, dashboardFor, faultsOfSight, leavePage, moveTo, openPage, picture, tableRows,
  untilHeading, untilTrue, WIDTHS,
} from './support.ts';

const held = heldAction();
const { skip, dashboard } = await dashboardFor(
  t, { sources: [testSource('lab', { wait: held.action })] });
interface Line { ariaLevel: string; ariaPosInSet: string; ariaSetSize: string }
/** Long enough for three pages. */
const LONG = Array.from({ length: 8 }, () => 'call gateway.sessions.list\n@rehearsal words=150');
let long_session = '';
let long_run = '';

/** Fields within fields: what a body has, and what one of its members has. */
const NESTED = { type: 'object', required: ['place'], properties: {
  place: { type: 'object', properties: { street: { type: 'string' }, town: { type: 'object',
    properties: { code: { type: 'string' } } } } },
  note: { type: 'string' },
} };

if (!NO_CHROMIUM) {
  const { client, workspace_id, sql } = dashboard;
  await connectTo(sql, workspace_id, 'lab');
  const store = await startPetStore(t);
  const document = withPaths((paths) => {
    paths['/pets'] = { get: { operationId: 'listPets', responses: {}, parameters: [
      { name: 'filter', in: 'query', schema: NESTED },
      { name: 'limit', in: 'query', schema: { type: 'object' } }] } };
  });
  await client.expect(201, 'createIntegration',
    { body: petIntegration(store, { document: JSON.stringify(document) }) });
  await connectPets(client, workspace_id);
  long_session = await newSession(client, 'Long');
  for (const text of LONG) long_run = (await completeRun(client, long_session, text, OFFLINE)).id;
  await completeRun(client, long_session, '@rehearsal fail=model_error', OFFLINE);
}

const prompt = (page: Page) => page.getByRole('textbox', { name: 'Prompt' });
const conversation = (page: Page) => page.getByRole('region', { name: 'Conversation' });
const INTO_SIGHT = (one: unknown) => (one as { scrollIntoView(place: object): void })
  .scrollIntoView({ block: 'nearest' });
const LOW = [{ width: 320, height: 256 }, { width: 640, height: 400 }, { width: 360, height: 400 }];

t.test('a session is read and answered in a low window, as at a zoom of 400 %', skip, async (t) => {
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, `sessions/${long_session}`));
  await page.locator('[data-turn]').last().getByText('failed').waitFor();
  for (const size of LOW) {
    await page.setViewportSize(size);
    const name = `${size.width}x${size.height}`;
    await conversation(page).scrollIntoViewIfNeeded();
    await picture(page, `low-${name}`);
    const { height } = (await conversation(page).boundingBox())!;
    t.ok(height >= 150 && height <= size.height, `${height} px of it are seen at ${name}`);
    await prompt(page).evaluate(INTO_SIGHT);
    const box = (await prompt(page).boundingBox())!;
    t.ok(box.y >= 0 && box.y + box.height < size.height + 1, `the prompt is in sight at ${name}`);
    await picture(page, `low-prompt-${name}`);
  }
  await page.setViewportSize({ width: 320, height: 256 });
  for (const [screen, title] of [['sessions', 'Sessions'], ['runs', 'Runs'],
    ['audit', 'Audit log'], ['integrations/pets', 'Pet store'], ['keys', 'API keys']] as const) {
    await moveTo(page, addressOf(dashboard, screen));
    await untilHeading(page, title);
    await tableRows(page).first().waitFor();
    const { height } = (await page.getByRole('grid').boundingBox())!;
    t.ok(height > 120, `${height} px of rows are seen in ${screen}`);
    await picture(page, `low-screen-${title}`);
  }
  await leavePage(dashboard, page);
});

t.test('who has set larger letters in the browser gets them', skip, async (t) => {
  const page = await openPage(dashboard);
  const browser = await page.context().newCDPSession(page);
  await browser.send('Page.setFontSizes', { fontSizes: { standard: 28 } });
  for (const [screen, title] of [['sessions', 'Sessions'], ['integrations/pets', 'Pet store'],
    ['overview', 'Overview'], ['audit', 'Audit log']] as const) {
    await moveTo(page, addressOf(dashboard, screen));
    await untilHeading(page, title);
    const size = Number.parseFloat(await drawn(page, 'body', 'fontSize'));
    t.ok(size > 20, `letters of ${size} px in ${screen}`);
    const over = await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth');
    t.equal(over, 0, `${screen} is as wide as its window`);
    await picture(page, `large-letters-${title}`);
  }
  await tableRows(page).first().waitFor();
  const { height } = (await tableRows(page).first().boundingBox())!;
  t.ok(height > 60, `rows of ${height} px hold them`);
  await page.setViewportSize({ width: 1_000, height: 800 });
  // There the heads of columns have no room: rows are cards, which say them.
  await tableRows(page).first().getByText('Actor', { exact: true }).waitFor();
  await page.setViewportSize({ width: WIDTHS.phone, height: 800 });
  await moveTo(page, addressOf(dashboard, 'overview'));
  await page.getByText('Workers alive', { exact: true }).waitFor();
  t.equal(await page.evaluate(`[...document.querySelectorAll('main .grid:first-of-type > *')]
    .filter((card) => card.getBoundingClientRect().right > innerWidth).length`), 0,
  'numbers stand below one another where they are wider than half a phone');
  await page.context().close();
});

/** A property of the first element of these, as it is drawn. */
const drawn = (page: Page, selector: string, property: string) => page.evaluate<string>(
  `getComputedStyle(document.querySelector(${JSON.stringify(selector)})).${property}`);
const outlineOf = (page: Page, selector: string) => drawn(page, selector, 'outlineStyle');
const groundOf = (page: Page, selector: string) => drawn(page, selector, 'backgroundColor');

t.test('in forced colours one sees what is chosen, the current place and bars', skip, async (t) => {
  const page = await openPage(dashboard);
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto(addressOf(dashboard, 'sessions'));
  await tableRows(page).first().waitFor();
  await page.getByRole('grid').focus();
  await page.keyboard.press('ArrowDown');
  t.equal(await outlineOf(page, '[role=row][aria-selected=true]'), 'solid', 'the chosen row');
  t.equal(await outlineOf(page, 'nav [aria-current=page]'), 'solid', 'the screen');
  t.equal(await outlineOf(page, 'nav a:not([aria-current])'), 'none', 'no other screen');
  await picture(page, 'forced-sessions');
  await moveTo(page, addressOf(dashboard, 'approvals'));
  await page.locator('main [aria-current=page]').waitFor();
  t.equal(await outlineOf(page, 'main [aria-current=page]'), 'solid', 'the chosen status');
  await picture(page, 'forced-approvals');
  await moveTo(page, addressOf(dashboard, `runs/${long_run}?view=timeline`));
  await page.getByRole('treegrid').waitFor();
  t.equal(await outlineOf(page, '[role=tab][aria-selected=true]'), 'solid', 'the view');
  const ground = await groundOf(page, '[role=treegrid]');
  t.notSame(await groundOf(page, '[role=row][aria-level="2"] .bar'), ground, 'a bar of a part');
  t.notSame(await groundOf(page, '[aria-level="1"]:nth-child(2) .bar'), ground, 'a step');
  await picture(page, 'forced-timeline');
  await moveTo(page, addressOf(dashboard, 'overview'));
  await page.getByText('Failures by code').waitFor();
  const swatches = page.locator('figure').first().locator('li > .bar');
  await swatches.first().waitFor();
  const colours = await page.evaluate<string[]>(`[...document.querySelector('figure')
    .querySelectorAll('li > .bar')].map((one) => getComputedStyle(one).backgroundColor)`);
  t.equal(new Set(colours).size, colours.length, `${colours.join()} are told apart`);
  await page.getByText('model_error').first().waitFor();
  t.notSame(await groundOf(page, 'section[aria-label="Failures by code"] .bar'), ground);
  await picture(page, 'forced-overview');
  await page.context().close();
});

t.test('a field that is refused has the focus and is told of', skip, async (t) => {
  const page = await openPage(dashboard);
  const focused = () => page.evaluate<string>('document.activeElement?.labels?.[0]?.innerText');
  await page.goto(addressOf(dashboard, 'integrations/pets?action=pets.pets.list'));
  await page.getByLabel('query.limit').fill('{ not json');
  await page.getByRole('button', { name: 'Call it' }).click();
  await page.getByRole('alert').getByText(/^This is no JSON/).waitFor();
  t.match(await focused(), /query\.limit/);
  await page.goto(addressOf(dashboard, 'integrations?add=1'));
  await page.getByLabel('Address of an OpenAPI document').fill('http://127.0.0.1:1/openapi.json');
  await page.getByRole('button', { name: 'Add integration' }).last().click();
  await page.getByRole('alert').first().waitFor();
  t.match(await focused(), /^Address of an OpenAPI/);
  await page.goto(addressOf(dashboard, 'integrations/pets?tab=connections&connect=new'));
  await page.getByLabel('Token', { exact: true }).fill('токен');
  await page.getByRole('button', { name: 'Connect', exact: true }).last().click();
  await page.getByRole('alert').first().waitFor();
  t.match(await focused(), /^Token/);
  t.strictSame(await faultsOfSight(page), []);
  await picture(page, 'field-error');
  await leavePage(dashboard, page);
});

t.test('why a form was not done with comes in sight', skip, async () => {
  const page = await openPage(dashboard, { width: 'phone' });
  await page.route(/\/(workspaces|grants)$/, async (route) => {
    if (route.request().method() !== 'POST') return await route.fallback();
    await route.fulfill({ status: 500, json: { error: 'It cannot.', code: 'internal_error' } });
  });
  const untilInSight = () => untilTrue(page, `(() => {
    const [alert, head, foot] = ['[role=alert]', 'header', 'footer'].map((one) =>
      document.querySelector('[role=dialog] ' + one)?.getBoundingClientRect());
    return alert && alert.top >= head.bottom && alert.bottom <= foot.top + 1;
  })()`);
  for (const [screen, first, last] of [
    ['grants?grant=new', 'Actions', 'Actions'],
    ['workspaces?create=workspace', 'Name', 'Stored bytes'],
  ] as const) {
    await page.goto(addressOf(dashboard, screen));
    await page.getByLabel(first, { exact: true }).fill('lab.*');
    await page.getByLabel(last, { exact: true }).press('Enter');
    await untilInSight();
  }
  await leavePage(dashboard, page);
});

t.test('a session says that the agent works, and when it has ended', skip, async (t) => {
  const { client } = dashboard;
  const session_id = await newSession(client, 'Calm');
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, `sessions/${session_id}`));
  await prompt(page).fill('@rehearsal words=40\ncall lab.test.wait');
  await prompt(page).press('Enter');
  await held.begun;
  await page.getByRole('status').getByText('Working …', { exact: true }).waitFor();
  const said = () => page.getByRole('status').filter({ hasText: /\S/ }).allInnerTexts();
  t.strictSame(await said(), ['Working …'], 'and what it does just now is in no live region');
  held.release();
  await page.getByRole('status').getByText(/^Completed after [\d.]+ (ms|s)\.$/).waitFor();
  t.equal((await said()).length, 1);
  t.strictSame(await faultsOfSight(page), []);
  await page.reload();
  await page.locator('[data-turn]').getByText('completed').last().waitFor();
  t.strictSame(await said(), [], 'what was over before is no news');
  await leavePage(dashboard, page);
});

t.test('tables and trees are heard as they are, and not as far as they are drawn', skip,
  async (t) => {
    const page = await openPage(dashboard, { width: 'phone' });
    await page.goto(addressOf(dashboard, 'runs'));
    await tableRows(page).first().waitFor();
    const heads = await page.getByRole('columnheader').allTextContents();
    const cells = await tableRows(page).first().getByRole('gridcell').allTextContents();
    t.equal(cells.length, heads.length);
    t.strictSame(heads.slice(0, 2), ['Prompt', 'Status']);
    t.match(cells[1], /^(completed|failed)$/);
    for (const [at, head] of heads.entries()) if (at > 1) t.equal(cells[at]!.indexOf(head), 0);
    await leavePage(dashboard, page);

    const wide = await openPage(dashboard);
    await wide.goto(addressOf(dashboard, `runs/${long_run}?view=timeline`));
    const last = wide.getByRole('treegrid').getByRole('row', { name: /Message/ }).last();
    await last.waitFor();
    t.equal(await wide.getByRole('treegrid').getAttribute('aria-rowcount'),
      await last.getAttribute('aria-rowindex'));
    await moveTo(wide, addressOf(dashboard, `runs/${long_run}?view=events&event=1`));
    const first = wide.getByRole('tree').getByRole('treeitem');
    await first.nth(1).waitFor();
    const places = await first.evaluateAll((lines) => (lines as unknown as Line[]).map((one) =>
      [one.ariaLevel, one.ariaPosInSet, one.ariaSetSize].join(' ')));
    const members = places.filter((place) => place.startsWith('2 '));
    t.strictSame(members, members.map((_, at) => `2 ${at + 1} ${members.length}`));
    await leavePage(dashboard, wide);
  });

t.test('what filters have left is told', skip, async (t) => {
  const page = await openPage(dashboard);
  const told = (words: string) => page.getByRole('status').getByText(words, { exact: true })
    .waitFor({ state: 'attached' });
  await page.goto(addressOf(dashboard, 'sessions'));
  await tableRows(page).first().waitFor();
  t.equal(await page.getByRole('status').getByText(/found/).count(), 0, 'nobody has asked');
  await page.getByLabel('Search').fill('long');
  await told('1 found');
  await page.getByLabel('Search').fill('nobody has this');
  await page.getByText('No session is like that').waitFor();
  await told('Nothing found');
  await moveTo(page, addressOf(dashboard, 'integrations/pets'));
  await tableRows(page).first().waitFor();
  await page.getByLabel('Search actions').fill('remove a pet');
  await page.getByRole('status').getByText(/^\d+ found$/).waitFor({ state: 'attached' });
  await moveTo(page, addressOf(dashboard, `runs/${long_run}?view=events`));
  await page.getByLabel('Words in the event').fill('run.created');
  await told('1 found');
  await page.getByLabel('Words in the event').fill('nothing is like this');
  await told('Nothing found');
  await leavePage(dashboard, page);
});

/** The number of pages of a PDF. */
const pagesOf = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;

t.test('what is on the screen is printed to its end', skip, async (t) => {
  const page = await openPage(dashboard, { theme: 'dark' });
  await page.setViewportSize({ width: 1_280, height: 400 });
  for (const [screen, seen, pages] of [['overview', 'Failures by code', 1],
    [`sessions/${long_session}`, 'model_error', 3], [`runs/${long_run}`, /^Completed after/, 1],
    [`runs/${long_run}?view=timeline`, 'Queued', 1], [`runs/${long_run}?view=events`, '#', 4],
    [`runs/${long_run}?view=events&event=1`, 'Event 1', 1]] as const) {
    await page.goto(addressOf(dashboard, screen));
    await page.getByText(seen).first().waitFor();
    const count = pagesOf(await page.pdf());
    t.ok(count >= pages, `${screen}: ${count} pages`);
    // Taking a picture is none of printing.
    await page.evaluate('dispatchEvent(new Event("beforeprint"))');
    await page.emulateMedia({ media: 'print' });
    t.notOk(await page.getByRole('navigation').isVisible());
    t.strictSame(await page.evaluate(SCROLLED), [], 'nothing scrolls on paper');
    await page.setViewportSize({ width: 718, height: 2_000 });
    await picture(page, `print-${screen.replaceAll(/\W/g, '-')}`);
    await page.setViewportSize({ width: 1_280, height: 400 });
    await page.emulateMedia({ media: null });
  }
  await leavePage(dashboard, page);
});

/** What has more than it shows. */
const SCROLLED = `[...document.querySelectorAll('main, main *, [role=dialog] *')].filter((one) =>
  one.scrollHeight > one.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(one).overflowY))
  .map((one) => one.outerHTML.slice(0, 100))`;

t.test('fields within fields are lists within lists', skip, async (t) => {
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'integrations/pets?action=pets.pets.list'));
  const list = page.getByRole('list', { name: 'Schema of the input' });
  await list.waitFor();
  t.equal(await list.locator(':scope > li').count(), 1, 'query alone');
  const place = list.getByRole('listitem').filter({ hasText: 'place' }).last();
  t.equal(await place.getByRole('list', { name: 'Fields of place' }).count(), 1);
  t.equal(await place.getByRole('list', { name: 'Fields of town' }).getByRole('listitem').count(),
    1);
  t.strictSame(await faultsOfSight(page), []);
  await picture(page, 'nested-fields');
  await leavePage(dashboard, page);
});

t.test('names that turn around are shown with their marks', skip, async (t) => {
  const { client } = dashboard;
  const name = '\u202eevil rtl override';
  const { id } = await client.expect(201, 'createWorkspace', { body: { name } });
  await newSession(client, 'safe \u202egnp.exe\u202c name');
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'sessions'));
  await page.getByRole('link', { name: 'safe U+202Egnp.exeU+202C name' }).waitFor();
  await picture(page, 'marked-sessions');
  await page.goto(addressOf({ ...dashboard, workspace_id: id }, `workspaces?workspace=${id}`));
  await page.getByRole('dialog').getByRole('heading', { name: 'U+202Eevil rtl override' })
    .waitFor();
  const shown = '[U+202E]evil rtl override';
  await page.getByRole('button', { name: 'Archive workspace' }).click();
  await page.getByText(`To confirm, type ${shown}`).waitFor();
  await picture(page, 'marked-archive');
  await page.getByLabel(/^To confirm/).fill(shown);
  await page.getByRole('button', { name: 'Archive', exact: true }).click();
  await page.getByRole('button', { name: 'Make active again' }).waitFor();
  await page.keyboard.press('Escape');
  t.equal(await page.evaluate(`document.body.innerText.includes('\\u202e')
    || [...document.querySelectorAll('[title], [aria-label]')].some((one) =>
      /\\u202e/.test(one.title + one.ariaLabel))`), false, 'nothing is turned around');
  await leavePage(dashboard, page);
});

t.test('a sentence from right to left is read in its order', skip, async (t) => {
  const { client } = dashboard;
  const words = 'تقرير: مرحبا، هذا طلب (مهم) رقم 5 للمستخدم. شكرا!';
  const { id } = await client.expect(201, 'createSession', { body: { title: words } });
  await completeRun(client, id, `${words}\n\nIn English.`);
  const page = await openPage(dashboard, { width: 'phone' });
  /** Where these parts of it are: their left and right edges, of those that are in sight. */
  const placesOf = (selector: string, parts: string[]) => page.evaluate<unknown>(`(() => {
    const [element] = [...document.querySelectorAll('${selector}')]
      .filter(({ textContent }) => textContent.startsWith('تقرير'));
    const nodes = [];
    const walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) nodes.push(walk.currentNode);
    return ${JSON.stringify(parts)}.map((part) => {
      const node = nodes.find(({ data }) => data.includes(part));
      const range = document.createRange();
      range.setStart(node, node.data.indexOf(part));
      range.setEnd(node, node.data.indexOf(part) + part.length);
      const { left, right } = range.getBoundingClientRect();
      return [left, right];
    });
  })()`);
  await page.goto(addressOf(dashboard, `sessions/${id}`));
  await page.getByText('In English.').first().waitFor();
  const [[begin], [middle], [, end]] = await placesOf('h1', ['تقرير', 'هذا', 'شكرا']) as
    [[number], [number], [number, number]];
  t.ok(end < middle && middle < begin, 'the title');
  const box = (await page.getByRole('heading', { level: 1 }).boundingBox())!;
  t.ok(begin < box.x + box.width, 'its beginning is in sight');
  const [[word], [mark]] = await placesOf('main p', ['شكرا', '!']) as [[number], [number]];
  t.ok(mark < word, 'what is prompted');
  t.strictSame(await faultsOfSight(page), []);
  await leavePage(dashboard, page);
});

t.test('nothing failed, nothing was refused by the policy, nobody else was asked', skip,
  async (t) => {
    t.strictSame(dashboard.faults, []);
  });
