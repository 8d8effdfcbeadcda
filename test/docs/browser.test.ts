/** The documentation site in a browser: behind a proxy, below a prefix, on a phone, by keyboard. */
import type { Browser, Locator, Page } from 'playwright-core';
import t from 'tap';
import { violationsOn } from '../support/axe.ts';
import { NO_CHROMIUM, startChromium } from '../support/chromium.ts';
import { testServer } from '../support/server.ts';
import { read } from '../support/sourceTree.ts';
import { prefixProxy, type PrefixProxy } from './prefixProxy.ts';

const PHONE = { width: 360, height: 740 };
const DESK = { width: 1280, height: 900 };
/** A slow machine takes its time to draw the reference. */
const PATIENCE_MS = 120_000;

interface Site { browser: Browser; proxy: PrefixProxy; api_key: string; faults: string[] }

async function openSite(t: Parameters<typeof startChromium>[0]): Promise<Site> {
  const { client, service } = await testServer(t);
  const proxy = await prefixProxy(t, new URL(service.base_url).origin);
  const browser = await startChromium(t);
  return { browser, proxy, api_key: client.api_key!, faults: [] };
}

interface Look { viewport?: typeof PHONE; colorScheme?: 'light' | 'dark' }

/** A page with storage of its own; what it asks of others, and each of its errors, is a fault. */
async function openPage({ browser, proxy, faults }: Site, look: Look = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: DESK, ...look });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${proxy.url}/`) && !/^(data|blob):/.test(url)) faults.push(`asks ${url}`);
  });
  page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`));
  page.on('console', (message) => {
    // What the service refuses, and a connection that the proxy breaks, is told of as well.
    if (message.type() === 'error' && !/status of 4\d\d|net::ERR_INCOM/.test(message.text())) {
      faults.push(`${page.url()}: ${message.text()}`);
    }
  });
  return page;
}

/** Colours take half of the time of axe. */
const WITHOUT_COLOURS = { rules: { 'color-contrast': { enabled: false } } };

const state = (page: Page, words: RegExp) => page.locator('#state', { hasText: words }).waitFor();

async function operation(page: Page, id: string): Promise<Locator> {
  const section = page.locator(`section[id$="${id}"]`);
  await section.getByRole('button', { name: /Test Request/ }).waitFor();
  return section;
}

async function openOperation(page: Page, id: string): Promise<void> {
  const section = await operation(page, id);
  await section.getByRole('button', { name: /Test Request/ }).click();
}

async function send(page: Page): Promise<void> {
  await page.locator('button:visible', { hasText: /^\s*Send/ }).last().click();
}

t.setTimeout(400_000);

// Each part says why it is skipped, where it is.
const site = NO_CHROMIUM ? null! : await openSite(t);
const skip = { skip: NO_CHROMIUM };

t.test('every guide fits a phone and is accessible, dark and light', skip, async (t) => {
  const { proxy } = site;
  const page = await openPage(site, { viewport: PHONE });
  await page.goto(`${proxy.url}/docs`);
  const addresses = await page.locator('.card').evaluateAll((links) =>
    [...new Set(links.map((link) => (link as unknown as { href: string }).href))]);
  const found = addresses.filter((address) => address.includes('/guides/'));
  const listed = new Set(read('docs/README.md').match(/\((?:\.\.\/|)[\w./-]+\.md\)/g));
  t.equal(found.length, listed.size);
  const wide: string[] = [];
  const wrong: string[] = [];
  for (const [at, address] of [`${proxy.url}/docs`, `${proxy.url}/docs/console`, ...found]
    .entries()) {
    // Colours come from one style sheet, so those of a few pages are enough.
    const hasAllColours = at < 5;
    for (const colorScheme of hasAllColours ? ['dark', 'light'] as const : ['light'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto(address);
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      if (width > PHONE.width) wide.push(`${address} is ${width} wide`);
      wrong.push(...await violationsOn(page, hasAllColours ? {} : WITHOUT_COLOURS));
    }
  }
  t.strictSame(wide, []);
  t.strictSame(wrong, []);
  await page.context().close();
});

t.test('the reference fits a phone, its requests and its menu too', skip, async (t) => {
  const { proxy } = site;
  const page = await openPage(site, { viewport: PHONE });
  const wide = async (what: string) => {
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    t.ok(width <= PHONE.width, `${what} is ${width} wide`);
  };
  await page.goto(`${proxy.url}/docs/reference#tag/runs/createRun`);
  const createRun = await operation(page, 'tag/runs/createRun');
  await createRun.getByRole('heading', { name: 'Run a prompt in a session' }).waitFor();
  await wide('an operation');
  await page.getByText('Generate a client').click();
  const line = page.locator('.strip code');
  t.match(await line.textContent(), `npx openapi-typescript ${proxy.url}/docs/openapi.json -o `,
    'the line has the address that the reader has');
  await wide('the strip that is open');
  await openOperation(page, 'tag/runs/createRun');
  await page.locator('button:visible', { hasText: /^\s*Send/ }).last().waitFor();
  await wide('a request that is tried out');
  await page.context().close();
});

t.test('the search finds guides and operations, by keyboard alone', skip, async (t) => {
  const { proxy } = site;
  const page = await openPage(site);
  await page.goto(`${proxy.url}/docs/guides/errors`);
  await page.keyboard.press('/');
  await page.keyboard.type('twelve kinds');
  await page.locator('#hit-0[aria-selected=true]', { hasText: 'The twelve kinds' }).waitFor();
  t.strictSame(await violationsOn(page), []);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${proxy.url}/docs/guides/events#the-twelve-kinds`);
  await page.keyboard.press('Control+k');
  for (const name of ['createRun', 'streamRunEvents']) {
    await page.getByRole('combobox').fill(name);
    await page.locator('#hit-0', { hasText: name }).filter({ hasText: /(POST|GET) \// }).waitFor();
  }
  await page.getByRole('combobox').fill('');
  await page.keyboard.type('cancel run post');
  await page.locator('#hits', { hasText: 'POST /runs/{run_id}/cancel' }).waitFor();
  while (!await page.locator('[aria-selected=true]', { hasText: 'POST /runs/{run_id}' }).count()) {
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
  await page.waitForURL(`${proxy.url}/docs/reference#tag/runs/cancelRun`);
  await page.getByRole('heading', { name: 'Cancel a run' }).first().waitFor();
  t.pass('it leads to the operation');
  await page.context().close();
});

t.test('a search that cannot be loaded says so, and is tried again', skip, async (t) => {
  const { proxy } = site;
  const page = await openPage(site);
  const entries = '**/assets/search.json';
  await page.route(entries, (route) => route.fulfill({ status: 429, body: '{}' }));
  await page.goto(`${proxy.url}/docs/guides/errors`);
  await page.keyboard.press('/');
  await page.locator('#hits-told', { hasText: 'could not be loaded' }).waitFor();
  await page.unroute(entries);
  await page.getByRole('combobox').fill('twelve kinds');
  await page.getByRole('button', { name: 'Close' }).click();
  await page.keyboard.press('/');
  await page.locator('#hit-0', { hasText: 'The twelve kinds' }).waitFor();
  t.notMatch(await page.locator('#hits-told').textContent(), 'could not');
  await page.context().close();
});

t.test('the theme follows the system until the reader chooses', skip, async (t) => {
  const { proxy } = site;
  const page = await openPage(site, { colorScheme: 'dark' });
  const ground = () => page.evaluate<string>(
    'getComputedStyle(document.body).backgroundColor');
  await page.goto(`${proxy.url}/docs`);
  const dark = await ground();
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await ground();
  t.not(dark, light);
  await page.getByRole('button', { name: 'Theme: as the system' }).click();
  await page.getByRole('button', { name: 'Theme: light' }).click();
  t.equal(await ground(), dark);
  await page.goto(`${proxy.url}/docs/guides/events`);
  t.equal(await ground(), dark, 'on the next page too');
  await page.context().close();
});

t.test('the console shows events as they come, over a broken connection', skip, async (t) => {
  const { proxy, api_key } = site;
  const page = await openPage(site, { viewport: PHONE });
  await page.goto(`${proxy.url}/docs/console`);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await state(page, /Paste an api key/);
  await page.getByLabel('API key').fill('gth_wrong');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await state(page, /^401 invalid_api_key/);
  await page.getByLabel('API key').fill(api_key);

  proxy.ahead = ['hold', 'cut'];
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.locator('#events li').first().waitFor();
  t.match(await page.locator('#state').textContent(), /is going on: event \d+/);
  t.equal(await page.locator('#events .kind', { hasText: 'run.completed' }).count(), 0,
    'the first events are shown while the rest is still to come');
  await page.getByRole('button', { name: 'Stop reading' }).click();
  await state(page, /Stopped after event \d+; the run goes on/);
  await page.getByRole('button', { name: 'Resume' }).click();
  await state(page, /^run.completed after \d+ events/);
  const numbers = await page.locator('#events .number').allTextContents();
  t.equal(proxy.streams, 3, 'one was stopped, one broke, one went on to the end');
  t.strictSame(numbers, numbers.map((_text, at) => String(at + 1)), 'each once, in order');
  t.match(await page.locator('#answer').textContent(), /gatehouse\.sessions\.list/);
  t.ok(await page.evaluate<number>('document.documentElement.scrollWidth') <= PHONE.width);
  t.strictSame(await violationsOn(page), []);
  await page.context().close();
});

/** Events of a run, as they stand in a stream; numbers go on from `after`. */
function streamOf(after: number, events: [type: string, data: object][]) {
  const body = events.map(([type, data], at) => {
    const json = { sequence_number: after + at + 1, type, run_id: 'run_x', session_id: 'ses_x',
      created_at: '2026-11-21T04:29:24.045Z', data };
    return `event: ${type}\ndata: ${JSON.stringify(json)}\nid: ${after + at + 1}\n\n`;
  }).join('');
  return { contentType: 'text/event-stream', body };
}

t.test('the console shows no message that never completed', skip, async (t) => {
  const { proxy, api_key } = site;
  const page = await openPage(site);
  const { promise: isSeen, resolve: onSeen } = Promise.withResolvers<void>();
  const delta = (message_id: string, text: string): [string, object] =>
    ['message.output.delta', { message_id, delta: text }];
  await page.route('**/v1/sessions/*/runs', (route) => route.fulfill(streamOf(0,
    [['run.created', {}], delta('msg_1', 'Half an'), delta('msg_2', 'A whole')])));
  await page.route('**/v1/runs/run_x/events*', async (route) => {
    await isSeen;
    await route.fulfill(streamOf(3, [
      ['message.output.completed', { message_id: 'msg_2',
        message: { content: [{ text: 'A whole answer' }] } }],
      delta('msg_3', 'And'), ['run.failed', { error: { message: 'no more' } }]]));
  });
  await page.goto(`${proxy.url}/docs/console`);
  await page.getByLabel('API key').fill(api_key);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await state(page, /The connection broke after event 3/);
  t.equal(await page.locator('#answer').textContent(), 'A whole', 'the step was tried again');
  onSeen();
  await state(page, /^run.failed after 6 events/);
  t.equal(await page.locator('#answer').textContent(), 'A whole answer');
  await page.context().close();
});

t.test('an operation is tried out at the first press, and streams', skip, async (t) => {
  const { proxy, api_key } = site;
  const page = await openPage(site);
  await page.goto(`${proxy.url}/docs/console`);
  await page.getByLabel('API key').fill(api_key);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await state(page, /^run.completed/);
  await page.getByRole('link', { name: 'API reference' }).click();
  const sent: string[] = [];
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.includes('/v1/')) sent.push(`${response.status()} ${pathname}`);
  });

  await page.goto(`${proxy.url}/docs/reference#tag/sessions/listSessions`);
  await openOperation(page, 'tag/sessions/listSessions');
  await send(page);
  await page.getByText('200 OK').waitFor();
  t.strictSame(sent.splice(0), ['200 /some/prefix/v1/sessions']);
  await page.keyboard.press('Escape');

  await page.goto(`${proxy.url}/docs/reference#tag/runs/createRun`);
  const createRun = await operation(page, 'tag/runs/createRun');
  await createRun.getByRole('button', { name: 'Answered at once', exact: true }).click();
  await page.getByRole('option', { name: 'Answered with the run\'s events', exact: true }).click();
  await openOperation(page, 'tag/runs/createRun');
  proxy.ahead = ['hold'];
  await send(page);
  await page.getByText('event: run.created').waitFor();
  t.equal(await page.getByText('event: run.completed').count(), 0, 'as it arrives');
  proxy.release();
  await page.getByText('event: run.completed').waitFor();
  t.equal(sent.length, 1);
  t.match(sent[0], /^200 \/some\/prefix\/v1\/sessions\/ses_\w+\/runs$/,
    'in the session that the console made');
  await page.context().close();
});

t.test('nothing failed, and nobody else was asked', skip, async (t) => {
  t.strictSame(site.faults, []);
});
