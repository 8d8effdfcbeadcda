/**
 * Every screen, with words that do harm where they can, at three widths, in both themes: nothing is
 * wider than its window, axe finds nothing, and nobody is asked but operations of the document. At
 * the widths of tablets and of half a window, nothing scrolls sideways either. And every screen of
 * a workspace in which there is nothing yet.
 */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import t from 'tap';
import {
  connectPets, petDocument, petIntegration, send, startPetStore,
} from '../support/petStore.ts';
import { completeRun, endlessRun, newSession, OFFLINE } from '../support/runs.ts';
import {
  addressOf, dashboardFor, faultsOfSight, moveTo, openPage, picture, sizeOf, type Width,
} from './support.ts';

const { skip, dashboard } = await dashboardFor(t);
t.setTimeout(900_000);
/** Long, without a place to break it, turned around, from right to left, and markup. */
const HOSTILE = `${'Unbreakable'.repeat(9)}<img src=x onerror=alert(1)>`
  + ' \u202egnp.exe\u200b שלום עולם مرحبا 👩‍👩‍👧';
const MARK = /Unbreakable/;

/** An address within a workspace, and what is seen once it is whole. */
type Screen = readonly [address: string, seen: string | RegExp];

/** What was asked of the service: `get /v1/runs`. */
const asked = new Set<string>();

/** All pages of the test are one: what a screen has loaded, the next ones need not load again. */
async function openWatched(is_signed_in: boolean): Promise<Page> {
  const page = await openPage(dashboard, { is_signed_in });
  page.on('dialog', () => dashboard.faults.push('a dialog of a script opened'));
  page.on('request', (request) => {
    const { pathname, protocol } = new URL(request.url());
    if (protocol.startsWith('http')) asked.add(`${request.method().toLowerCase()} ${pathname}`);
  });
  return page;
}

/** What may scroll sideways by itself: JSON, code, rows of tabs. The rest has to fit. */
const SCROLLERS = '[role=tree], [role=group], [role=tablist], pre, textarea';
/** Of tablets and half windows, with the navigation beside the screen and above it, in px. */
const BETWEEN = [640, 820, 1_000];

/**
 * What is wider than its place, and words that go on beyond the window; a page that scrolls beside
 * `main`, and rows with a scrollbar at their side.
 */
const OUT_OF_PLACE = `(() => {
  const at = ' at ' + innerWidth + ' px of ' + location.pathname + location.search + ': ';
  const told = (one) => at + one.outerHTML.slice(0, 200);
  const wide = [...document.querySelectorAll('body *')].filter((one) =>
    one.scrollWidth > one.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(one).overflowX)
    && !one.matches('${SCROLLERS}')).map((one) => 'scrolls sideways' + told(one));
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const cut = (one) => one && (/clip|ellipsis/.test(
    getComputedStyle(one).overflowX + getComputedStyle(one).textOverflow)
    || one.matches('${SCROLLERS}, script, style') || cut(one.parentElement));
  for (const range = document.createRange(); texts.nextNode();) {
    range.selectNodeContents(texts.currentNode);
    const is_out = [...range.getClientRects()].some(({ right }) => right > innerWidth + 1);
    const one = texts.currentNode.parentElement;
    if (is_out && !cut(one)) wide.push('words beyond the window' + told(one));
  }
  const page = document.documentElement;
  if (page.scrollHeight > innerHeight) wide.push('the page scrolls to ' + page.scrollHeight + at);
  const rows = document.querySelectorAll('[role=tablist], [role=group]');
  return wide.concat([...rows].filter((one) => one.scrollHeight > one.clientHeight
    && /auto|scroll/.test(getComputedStyle(one).overflowY)).map((one) => 'scrolls' + told(one)));
})()`;

/** The picture after the window has got another size. */
const DRAWN = `new Promise((resolve) =>
  requestAnimationFrame(() => requestAnimationFrame(resolve)))`;

async function faultsAt(page: Page, width: Width): Promise<string[]> {
  const out = await outOfPlaceIn(page, sizeOf(width));
  return [...await faultsOfSight(page), ...out].map((fault) => `${width}: ${fault}`);
}

async function outOfPlaceIn(
  page: Page, size: { width: number; height: number }): Promise<string[]> {
  await page.setViewportSize(size);
  await page.evaluate(DRAWN);
  return await page.evaluate<string[]>(OUT_OF_PLACE);
}

/** Screens before which something is open. */
const IN_DIALOG = /[?&](event|part|call|add|action|connect|grant|key|create|entry|workspace)=/;

/** Looks at each of the screens of this workspace, at each of these widths. */
async function look(page: Page, workspace_id: string, screens: readonly Screen[],
  widths: readonly Width[], name: string): Promise<string[]> {
  const faults: string[] = [];
  for (const [at, [address, seen]] of screens.entries()) {
    await page.setViewportSize(sizeOf('desk'));
    await moveTo(page, addressOf({ ...dashboard, workspace_id }, address));
    const place = IN_DIALOG.test(address) ? '[role=dialog]' : 'main';
    await page.locator(place).getByText(seen).filter({ visible: true }).first().waitFor();
    for (const width of widths) {
      faults.push(...await faultsAt(page, width));
      await picture(page, `${name}-${at}-${width}`);
    }
    for (const width of BETWEEN) faults.push(...await outOfPlaceIn(page, { width, height: 800 }));
  }
  return faults;
}

/** Fills the workspace with hostile words, in each place that takes words of others. */
async function fillWorkspace(): Promise<Record<string, string>> {
  const { client, workspace_id, sql } = dashboard;
  const store = await startPetStore(t);
  store.answer = (_visit, response) => send(response, { [HOSTILE]: [HOSTILE] });
  const document = petDocument(HOSTILE);
  document.paths['/pets']!.get = { operationId: 'listPets', summary: HOSTILE,
    description: `**${HOSTILE}** \`${HOSTILE}\` [press](javascript:alert(1))`,
    parameters: [{ name: 'q', in: 'query', description: HOSTILE,
      schema: { type: 'string', enum: [HOSTILE] } }], responses: { 200: { description: 'ok' } } };
  await client.expect(201, 'createIntegration',
    { body: petIntegration(store, { document: JSON.stringify(document) }) });
  await connectPets(client, workspace_id, { name: HOSTILE, account_label: HOSTILE });
  await client.expect(201, 'createGrant', { body: {
    workspace_id, actions: 'pets.pets.delete', decision: 'require_approval' } });
  const key = await client.expect(201, 'createApiKey', { body: { workspace_id, name: HOSTILE } });
  await client.expect(201, 'createAdminToken', { body: { name: HOSTILE } });
  await sql`update workspaces set name = ${HOSTILE} where id = ${workspace_id}`;
  const session_id = await newSession(client, HOSTILE);
  const input = { path: { pet_id: HOSTILE } };
  const run = await completeRun(client, session_id, `${HOSTILE}${'x'.repeat(5_000)}\n`
    + `call pets.pets.list\ncall pets.pets.delete ${JSON.stringify(input)}`,
  { ...OFFLINE, metadata: { [HOSTILE.slice(0, 40)]: HOSTILE } });
  const failed = await completeRun(client, session_id, '@rehearsal fail=model_error', OFFLINE);
  const live = await endlessRun(client, await newSession(client, HOSTILE));
  const { data: [approval] } = await client.expect(200, 'listApprovals');
  const { data: [entry] } = await client.expect(200, 'listAuditEntries');
  return { run: run.id, call: run.tool_calls[0]!.tool_call_id,
    invocation: run.tool_calls[0]!.invocation_id!, failed: failed.id, live: live.id,
    session: session_id, key: key.id, approval: approval!.id,
    entry: String(entry!.sequence_number), workspace: workspace_id };
}

const screensOf = (of: Record<string, string>): readonly Screen[] => [
  ['overview', 'Failures by code'],
  ['runs', MARK],
  [`runs/${of.run}`, /^Completed after/],
  [`runs/${of.run}?view=timeline`, 'Queued'],
  [`runs/${of.run}?view=events`, 'run.created'],
  [`runs/${of.run}?view=events&event=1`, '"run.created"'],
  [`runs/${of.run}?part=${of.call}`, 'Result, as the model saw it'],
  [`runs/${of.failed}`, /model_error/],
  [`runs/${of.live}`, 'live'],
  ['calls', 'pets.pets.list'],
  [`calls?call=${of.invocation}`, 'The whole result'],
  ['sessions', MARK],
  [`sessions/${of.session}`, 'failed'],
  ['approvals', MARK],
  [`approvals/${of.approval}`, 'What leaves'],
  ['integrations', MARK],
  ['integrations?add=1', /Or drop an OpenAPI document/],
  ['integrations/pets', 'pets.pets.list'],
  ['integrations/pets?action=pets.pets.list', 'Call it'],
  ['integrations/pets?tab=connections', /^con_/],
  ['integrations/pets?tab=connections&connect=new', 'Whose account'],
  ['integrations/pets?tab=grants', /pets\.pets\.delete/],
  ['integrations/pets?tab=changes', 'Nothing waits for you'],
  ['integrations/pets?tab=about', /became actions/],
  ['grants', /pets\.pets\.delete/],
  ['grants?grant=new', 'Who may use an approval'],
  ['keys', MARK],
  [`keys?key=${of.key}`, MARK],
  ['keys?create=key', 'New API key'],
  ['audit', 'api_key.created'],
  [`audit?entry=${of.entry}`, /^SHA-256/],
  ['workspaces', MARK],
  [`workspaces?workspace=${of.workspace}`, 'Running runs'],
  ['workspaces?create=workspace', 'Allowed models'],
  ['access', 'this browser'],
  ['access?tab=tokens', MARK],
  ['runs/run_01m81emdc1ppfa05tc7bssgz2v', /not_found/],
  ['nowhere', 'Nothing is at this address'],
];

t.test('every screen, with hostile and long words, at every width, in both themes', skip,
  async (t) => {
    const of = await fillWorkspace();
    const page = await openWatched(false);
    await page.goto(addressOf(dashboard, 'overview'));
    await page.getByRole('heading', { name: 'Sign in to Gatehouse' }).waitFor();
    const widths = ['desk', 'phone', 'wall'] as const;
    for (const width of widths) t.strictSame(await faultsAt(page, width), []);
    await page.getByLabel('Admin token').fill(dashboard.client.admin_token!);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    t.strictSame(await look(page, of.workspace!, screensOf(of), widths, 'every'), []);
    t.equal(await page.locator('body :is(img, iframe, [onerror])').count(), 0);
    await page.goto(`${dashboard.origin}/dashboard/run-file`);
    await page.getByRole('heading', { name: 'Drop a run here' }).waitFor();
    for (const width of widths) t.strictSame(await faultsAt(page, width), []);
    await page.context().close();
  });

const FRESH: readonly Screen[] = [
  // First: to read runs, the dashboard makes a key of its own.
  ['keys', 'No API keys yet'],
  ['overview', 'No run yet: three steps'],
  ['runs', 'No runs yet'],
  ['calls', 'No calls yet'],
  ['sessions', 'No sessions yet'],
  ['approvals', 'Nothing waits for you'],
  ['approvals?status=all', 'No approvals yet'],
  ['integrations/pets?tab=connections', 'No account is connected in this workspace'],
  ['grants', 'No grants yet'],
  ['audit?actor=none', 'No entry is like that'],
  ['runs?status=failed', 'No run is like that'],
];

t.test('every screen of a fresh workspace', skip, async (t) => {
  const { id } = await dashboard.client.expect(201, 'createWorkspace', { body: { name: 'Fresh' } });
  const page = await openWatched(true);
  await page.goto(addressOf({ ...dashboard, workspace_id: id }, 'keys'));
  t.strictSame(await look(page, id, FRESH, ['desk', 'phone'], 'fresh'), []);
  await page.context().close();
});

t.test('the dashboard asks for operations of the document, and for nothing else', skip,
  async (t) => {
    const { paths } = JSON.parse(readFileSync(
      new URL('../../generated/openapi.admin.json', import.meta.url), 'utf8')) as {
      paths: Record<string, Record<string, object>> };
    const operations = Object.entries(paths).flatMap(([path, methods]) => Object.keys(methods)
      .map((method) => new RegExp(`^${method} /v1${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)));
    // Besides: the page itself with its parts, and whether the node is well.
    const others = [/^get \/dashboard(\/|$)/, /^get \/readyz$/];
    t.strictSame([...asked].filter((one) =>
      ![...operations, ...others].some((known) => known.test(one))), []);
    const used = operations.filter((known) => [...asked].some((one) => known.test(one)));
    t.comment(`${used.length} of ${operations.length} operations were asked`);
    t.ok(used.length > 20, 'the screens were read');
  });

t.test('nothing failed, nothing was refused by the policy, nobody else was asked', skip,
  async (t) => {
    t.strictSame(dashboard.faults, []);
  });
