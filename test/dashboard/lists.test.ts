/** Lists in the browser: filters by words, rows that leave, and changes of rows far down. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { petDocument } from '../support/petStore.ts';
import {
  addressOf, dashboardFor, faultsOfSight, leavePage, openPage, tableRows, untilTrue,
} from './support.ts';

const { skip, dashboard } = await dashboardFor(t);

const rowOf = (page: Page, words: string) => tableRows(page).filter({ hasText: words });
const newKey = async (name: string) => await dashboard.client.expect(201, 'createApiKey',
  { body: { workspace_id: dashboard.workspace_id, name } });
const newGrant = async (actions: string, decision: string, more = {}) =>
  await dashboard.client.expect(201, 'createGrant',
    { body: { workspace_id: dashboard.workspace_id, actions, decision, ...more } });

t.test('a blank that is typed in a filter stays for the next word', skip, async (t) => {
  await newKey('another');
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'keys'));
  await rowOf(page, 'another').waitFor();
  await page.keyboard.press('/');
  await page.locator('[data-filter]:focus').waitFor();
  await page.keyboard.type('first ');
  await rowOf(page, 'another').waitFor({ state: 'detached' });
  await page.waitForURL(addressOf(dashboard, 'keys?name=first'));
  await page.keyboard.type('key');
  await page.waitForURL(addressOf(dashboard, 'keys?name=first+key'));
  t.equal(await page.locator('[data-filter]').inputValue(), 'first key');
  await rowOf(page, 'first key').waitFor();
  // What is pasted by mistake makes no address that the service refuses.
  await page.locator('[data-filter]').fill('x'.repeat(20_000));
  await page.waitForURL(addressOf(dashboard, `keys?name=${'x'.repeat(500)}`));
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await untilTrue(page, 'document.activeElement.matches("#main")');
  await rowOf(page, 'another').waitFor();
  t.equal(await page.locator('[data-filter]').inputValue(), '');
  await leavePage(dashboard, page);
});

const numbersTo = (most: number) => Array.from({ length: most }, (_, at) => most - at);

/** Has the list hold keys by these numbers, newest first, in pages of a hundred. */
async function serveKeys(
  page: Page, keys: { numbers: number[]; revoked: ReadonlySet<number> }): Promise<void> {
  const { data: [key] } = await dashboard.client.expect(200, 'listApiKeys');
  const keyOf = (number: number) => ({ ...key!, id: `key_${number}`, name: `number ${number}`,
    dashboard: false, status: keys.revoked.has(number) ? 'revoked' : 'active' });
  await page.route('**/v1/admin/api_keys?*', async (route) => {
    const cursor = Number(new URL(route.request().url()).searchParams.get('cursor') ?? Infinity);
    const left = keys.numbers.filter((number) => number < cursor);
    const has_more = left.length > 100;
    await route.fulfill({ json: { data: left.slice(0, 100).map(keyOf), has_more,
      next_cursor: has_more ? String(left[99]) : null } });
  });
}

t.test('a list says that it cannot be read again, as long as it cannot', skip, async (t) => {
  await newKey('kept');
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'keys'));
  await rowOf(page, 'kept').waitFor();
  const lists = '**/v1/admin/api_keys?*';
  const said = page.getByRole('alert').filter({ hasText: 'from before' });
  const answered = (status: number) => page.waitForResponse((answer) =>
    /api_keys\?/.test(answer.url()) && answer.status() === status);
  // What passes is asked for once more before anybody is told.
  await page.route(lists, (route) => route.fulfill({ status: 429, headers: { 'Retry-After': '1' },
    json: { error: 'Too many requests.', code: 'rate_limited', param: null, details: null } }),
  { times: 1 });
  await answered(429);
  await answered(200);
  t.equal(await said.count(), 0);
  await page.route(lists, (route) => route.fulfill({ status: 500,
    json: { error: 'Something went wrong.', code: 'internal', param: null, details: null } }));
  await said.waitFor();
  t.match(await said.textContent(), 'Something went wrong.');
  t.ok(await rowOf(page, 'kept').isVisible(), 'what was read stays');
  await page.unroute(lists);
  await said.waitFor({ state: 'detached' });
  await leavePage(dashboard, page);
});

t.test('no row is there twice when others have left and new ones are shown', skip, async (t) => {
  const keys = { numbers: numbersTo(150), revoked: new Set<number>() };
  const page = await openPage(dashboard);
  await serveKeys(page, keys);
  await page.goto(addressOf(dashboard, 'keys'));
  await rowOf(page, 'number 150').waitFor();
  // Of the hundred that are held thirty leave: the newest page goes on beyond the rest of them.
  keys.numbers = [151, ...keys.numbers.filter((number) => number < 60 || number > 89)];
  await page.getByRole('button', { name: '1 new' }).click();
  await rowOf(page, 'number 151').waitFor();
  await untilTrue(page, 'document.activeElement.matches("[role=grid]")');
  const grid = page.getByRole('grid');
  await grid.press('Home');
  const read = page.waitForResponse(/cursor=/);
  await grid.press('End');
  await read;
  await page.getByRole('grid').and(page.locator('[aria-rowcount]:not([aria-rowcount="-1"])'))
    .waitFor();
  t.equal(await grid.getAttribute('aria-rowcount'), String(keys.numbers.length + 1));

  // All that are held behind the first page leave at once, and others take their place.
  const leaving = rowOf(page, 'number 33');
  await leaving.waitFor();
  keys.numbers = keys.numbers.filter((number) => number > 50 || number === 1);
  await leaving.waitFor({ state: 'detached' });
  const counted = await grid.getAttribute('aria-rowcount');
  t.ok(Number(counted) <= keys.numbers.length + 1, `${counted} rows`);
  await leavePage(dashboard, page);
});

t.test('new rows are shown from far down, and stay', skip, async (t) => {
  const keys = { numbers: numbersTo(350), revoked: new Set<number>() };
  const page = await openPage(dashboard);
  await serveKeys(page, keys);
  await page.goto(addressOf(dashboard, 'keys'));
  await rowOf(page, 'number 350').waitFor();
  const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route('**/v1/admin/api_keys?*cursor=*', async (route) => {
    asked.resolve();
    await held.promise;
    await route.fallback();
  }, { times: 1 });
  await page.evaluate("document.querySelector('[role=grid]').scrollTop = 2600");
  await asked.promise;
  keys.numbers = [351, ...keys.numbers];
  await page.getByRole('button', { name: '1 new' }).click();
  await rowOf(page, 'number 351').waitFor();
  await untilTrue(page, 'document.activeElement.matches("[role=grid]")');
  // The page that was on its way knows nothing of it.
  held.resolve();
  await page.waitForResponse(/api_keys\?/);
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))');
  t.ok(await rowOf(page, 'number 351').isVisible());
  await leavePage(dashboard, page);
});

t.test('new rows that are shown one by one are no page each', skip, async (t) => {
  const keys = { numbers: numbersTo(250), revoked: new Set<number>() };
  const page = await openPage(dashboard);
  await serveKeys(page, keys);
  await page.goto(addressOf(dashboard, 'keys'));
  await rowOf(page, 'number 250').waitFor();
  for (const number of [251, 252, 253, 254]) {
    keys.numbers = [number, ...keys.numbers];
    await page.getByRole('button', { name: '1 new' }).click();
    await rowOf(page, `number ${number}`).waitFor();
  }
  const asked = new Set<string | null>();
  page.on('request', (request) => asked.add(new URL(request.url()).searchParams.get('cursor')));
  await page.getByRole('grid').press('End');
  keys.revoked.add(153);
  await rowOf(page, 'number 153').getByText('revoked').waitFor();
  t.ok(asked.size <= 3, [...asked].join());
  await leavePage(dashboard, page);
});

t.test('a page that fails is not asked for again at once', skip, async (t) => {
  const page = await openPage(dashboard);
  await serveKeys(page, { numbers: numbersTo(350), revoked: new Set<number>() });
  let asked = 0;
  await page.route('**/v1/admin/api_keys?*cursor=*', async (route) => {
    asked++;
    await route.fulfill({ status: 500,
      json: { error: 'Something went wrong.', code: 'internal', param: null, details: null } });
  });
  // A key that is on none of the pages is looked for to the end.
  await page.goto(addressOf(dashboard, 'keys?key=key_none'));
  await rowOf(page, 'number 350').waitFor();
  const said = page.getByRole('grid').getByRole('alert');
  await said.waitFor();
  for (let polls = 0; polls < 3; polls++) {
    await page.waitForResponse((answer) => answer.status() === 200);
    t.equal(await said.count(), 1);
  }
  t.equal(asked, 1, 'not by looking for rows that are new either');
  const answered = page.waitForResponse((answer) => answer.status() === 500);
  await said.getByRole('button').click();
  await answered;
  await said.waitFor();
  t.equal(asked, 2);
  await leavePage(dashboard, page);
});

t.test('rows in sight change in place, however far down they are', skip, async () => {
  const keys = { numbers: numbersTo(350), revoked: new Set<number>() };
  const page = await openPage(dashboard);
  await serveKeys(page, keys);
  await page.goto(addressOf(dashboard, 'keys'));
  await rowOf(page, 'number 350').waitFor();
  const row = (number: number) => tableRows(page).filter({ hasText: `number ${number}` });
  const grid = page.getByRole('grid');
  for (const last of [251, 151, 51]) {
    await grid.press('Home');
    await row(350).waitFor();
    // The end is that of the page which the last one has asked for.
    await untilTrue(page,
      `document.querySelector('[role=grid]').scrollHeight > 36 * ${350 - last}`);
    await grid.press('End');
    await row(last).waitFor();
  }
  keys.revoked.add(60);
  await row(60).getByText('revoked').waitFor();
  keys.numbers = keys.numbers.filter((number) => number !== 58);
  await row(58).waitFor({ state: 'detached' });
  await row(59).waitFor();
  // All of a page at once: what is behind them takes their place.
  keys.numbers = keys.numbers.filter((number) => number > 150 || number < 40);
  await row(60).waitFor({ state: 'detached' });
  await row(20).waitFor();

  // New ones that are not shown yet have pushed off the newest page what is in sight.
  await grid.press('Home');
  await row(340).waitFor();
  keys.numbers = [...numbersTo(500).slice(0, 150), ...keys.numbers];
  keys.revoked.add(340);
  await row(340).getByText('revoked').waitFor();
  await page.getByRole('button', { name: '150 new' }).waitFor();
  await leavePage(dashboard, page);
});

t.test('what is revoked far down in a list is shown as revoked', skip, async () => {
  const { client } = dashboard;
  const name = 'long ago';
  const old_key = await newKey(name);
  await client.expect(201, 'createAdminToken', { body: { name } });
  for (let at = 0; at < 100; at++) {
    await newKey(`key ${at}`);
    await client.expect(201, 'createAdminToken', { body: { name: `token ${at}` } });
  }
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, `keys?key=${old_key.id}`));
  await page.getByRole('dialog', { name }).getByRole('button', { name: 'Revoke key' }).click();
  await page.getByRole('dialog', { name: `Revoke ${name}?` })
    .getByRole('button', { name: 'Revoke key' }).click();
  await page.getByText('The key is revoked').waitFor();
  await page.getByRole('dialog', { name }).getByText('revoked', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Revoke key' }).first().waitFor({ state: 'detached' });
  // What was pressed has gone, and the drawer is still there.
  await untilTrue(page, 'document.activeElement.closest("[role=dialog]") !== null');

  await page.goto(addressOf(dashboard, 'access?tab=tokens'));
  await rowOf(page, 'token 99').waitFor();
  const grid = page.getByRole('grid');
  await grid.press('Home');
  const read = page.waitForResponse(/admin_tokens\?.*cursor=/);
  await grid.press('End');
  await read;
  await page.locator('[aria-rowcount]:not([aria-rowcount="-1"])').waitFor();
  await grid.press('End');
  await rowOf(page, name).click();
  await page.getByRole('button', { name: 'Revoke token' }).click();
  await page.getByText('The token is revoked').waitFor();
  await rowOf(page, name).getByText('revoked').waitFor();
  await leavePage(dashboard, page);
});

t.test('of more than a hundred keys and grants the oldest are known, too', skip, async (t) => {
  const { client } = dashboard;
  const oldest = await newKey('the oldest of all');
  await newGrant('pets.oldest', 'deny', { api_key_id: oldest.id });
  for (let made = 0; made < 100; made++) {
    await newKey(`later ${made}`);
    await newGrant(`pets.later${made}.*`, 'require_approval');
  }
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'grants?grant=new&pattern=pets.*'));
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Key').selectOption('the oldest of all');
  await dialog.getByText('The key “the oldest of all” may call pets.*').waitFor();
  await page.goto(addressOf(dashboard, `keys?key=${oldest.id}`));
  await dialog.getByText('The key “the oldest of all” may not call pets.oldest').waitFor();
  t.strictSame(await faultsOfSight(page), []);
  // The name of each key that has asked, by one look through all of them: it is answered only when
  // one has gone on to the second approval.
  const action = 'gateway.connections.list';
  await newGrant(action, 'require_approval');
  for (const { api_key } of [oldest, await newKey('the newest of all')]) {
    await client.as(api_key).expect(403, 'createActionInvocation', { body: { action } });
  }
  const asked: (string | null)[] = [];
  const gone_on = Promise.withResolvers<void>();
  await page.route('**/v1/admin/api_keys?*', async (route) => {
    asked.push(new URL(route.request().url()).searchParams.get('cursor'));
    await gone_on.promise;
    await route.continue();
  });
  await page.goto(addressOf(dashboard, 'approvals'));
  await page.getByRole('option').nth(1).waitFor();
  await page.keyboard.press('j');
  await page.getByText(/with the api key key_/).waitFor();
  await page.keyboard.press('j');
  await page.getByText(`with the api key ${oldest.id}`).waitFor();
  gone_on.resolve();
  await page.getByText('with the api key the oldest of all').waitFor();
  await page.keyboard.press('k');
  await page.getByText('with the api key the newest of all').waitFor();
  t.strictSame(asked, [...new Set(asked)], 'each page once');
  await leavePage(dashboard, page);
});

t.test('what was made elsewhere is there when one comes back to a list', skip, async (t) => {
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'grants'));
  await tableRows(page).first().waitFor();
  await page.getByRole('link', { name: 'Integrations', exact: true }).click();
  await page.getByText('No integrations yet').waitFor();
  await page.getByRole('button', { name: 'Add integration' }).focus();
  const held = Promise.withResolvers<void>();
  await page.route('**/v1/admin/integrations?*', async (route) => {
    await held.promise;
    await route.fallback();
  }, { times: 1 });
  // Back from another window.
  const asked = page.waitForRequest(/\/admin\/integrations\?/);
  await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
  await asked;
  t.equal(await page.evaluate('document.activeElement.textContent'), 'Add integration',
    'what is shown stays while it is read again');
  await dashboard.client.expect(201, 'createIntegration', { body: {
    slug: 'pets', kind: 'openapi', document: petDocument(), base_url: 'https://pets.example' } });
  held.resolve();
  await rowOf(page, 'Pet store').waitFor();

  await newGrant('tickets.*', 'deny');
  await page.goBack();
  await rowOf(page, 'tickets.*').waitFor();
  await page.goForward();
  await page.getByRole('link', { name: 'Workspaces', exact: true }).click();
  await tableRows(page).first().waitFor();
  await page.goBack();
  await rowOf(page, 'Pet store').waitFor();
  await dashboard.client.expect(201, 'createWorkspace', { body: { name: 'Made elsewhere' } });
  await page.goForward();
  await rowOf(page, 'Made elsewhere').waitFor();
  await leavePage(dashboard, page);
});

t.test('far down, integrations and workspaces are found, too', skip, async (t) => {
  const { client, sql } = dashboard;
  const { id } = await client.expect(201, 'createWorkspace', { body: { name: 'The old team' } });
  await client.expect(201, 'createIntegration', { body: { slug: 'venerable', kind: 'openapi',
    document: petDocument('An old service'), base_url: 'https://old.example' } });
  await sql`insert into workspaces (id, name)
    select 'wsp_zz' || lpad(n::text, 24, '0'), 'Later ' || n from generate_series(1, 5100) n`;
  await sql`insert into integrations (slug, id, kind, title, document, base_url, report)
    select 'later' || n, 'int_zz' || lpad(n::text, 24, '0'), kind, 'Later', document, base_url,
      report from integrations, generate_series(1, 110) n where slug = 'venerable'`;
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'integrations'));
  await rowOf(page, 'later').first().waitFor();
  const older = '**/v1/admin/workspaces?*cursor=*';
  const { promise: asked, resolve: onAsked } = Promise.withResolvers<void>();
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route(older, async (route) => {
    onAsked();
    await held;
    await route.continue();
  });
  const others = Promise.all([/runs\?limit/, /sessions\?/, /actions\/search/].map((address) =>
    page.waitForResponse((response) => address.test(response.url()))));
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /^Find/ }).fill('old team');
  await Promise.all([asked, others]);
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))');
  t.equal(await page.getByRole('dialog').getByRole('status').innerText(), 'Looking …');
  release();
  await page.getByRole('option', { name: id }).waitFor();
  await page.unroute(older);
  await page.keyboard.press('Escape');
  for (const [words, found] of [['old service', 'venerable'], ['old team', id]] as const) {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Find/ }).fill(words);
    await page.getByRole('option', { name: found }).waitFor();
    await page.keyboard.press('Escape');
  }
  for (const [screen, words, found] of [['integrations', 'old service', 'venerable'],
    ['workspaces', 'old team', 'The old team']] as const) {
    await page.goto(addressOf(dashboard, screen));
    await rowOf(page, 'Later').first().waitFor();
    await page.locator('[data-filter]').fill(words);
    await rowOf(page, found).waitFor();
    await page.getByRole('search').getByRole('status').getByText('1 found').waitFor();
    t.equal(await tableRows(page).count(), 1);
    t.strictSame(await faultsOfSight(page), []);
  }
  await page.goto(addressOf({ ...dashboard, workspace_id: id }, 'runs'));
  await page.getByRole('button', { name: 'Workspace: The old team' }).waitFor();
  await page.goto(addressOf(dashboard, 'workspaces?workspace=wsp_none'));
  await page.getByRole('alert').getByText('No workspace has the id').waitFor();
  await leavePage(dashboard, page);
});

t.test('nothing failed, nothing was refused by the policy, nobody else was asked', skip,
  async (t) => {
    t.strictSame(dashboard.faults, []);
  });
