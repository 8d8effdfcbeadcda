/** The inbox of approvals: what leaves is what was shown, and the keyboard alone is enough. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { NO_CHROMIUM } from '../support/chromium.ts';
import type { Schemas } from '../support/client.ts';
import { connectPets, petDocument, petIntegration, startPetStore } from '../support/petStore.ts';
import { completeRun, newSession, OFFLINE } from '../support/runs.ts';
import { untilSeen } from '../support/until.ts';
import {
  addressOf, dashboardFor, faultsOfSight, leavePage, openPage, picture, watchedPage,
} from './support.ts';

const { skip, dashboard } = await dashboardFor(t);
const store = NO_CHROMIUM ? null! : await startPetStore(t);
const RENAME = 'pets.pets.rename';
if (!NO_CHROMIUM) {
  const { client, workspace_id } = dashboard;
  const parameter = (place: string, name: string) =>
    ({ in: place, name, required: place === 'path', schema: { type: 'string' } });
  const document = petDocument();
  document.paths['/pets/{pet_id}']!.put = {
    operationId: 'renamePet', summary: 'Rename a pet', responses: { 200: { description: 'ok' } },
    parameters: [parameter('path', 'pet_id'), parameter('header', 'X-Reason')],
    requestBody: { required: true, content: {
      'application/json': { schema: { type: 'object' } } } } };
  await client.expect(201, 'createIntegration',
    { body: petIntegration(store, { document: JSON.stringify(document) }) });
  await connectPets(client, workspace_id, { name: 'Shop' });
  await client.expect(201, 'createGrant',
    { body: { workspace_id, actions: 'pets.*', decision: 'require_approval' } });
}
const session_id = NO_CHROMIUM ? '' : await newSession(dashboard.client, 'Renaming pets');

/** Has an agent call the action; without an approval it asks for one. */
async function call(body: unknown, pet_id = '7') {
  const input = { path: { pet_id }, header: { 'X-Reason': 'a new owner' }, body };
  const run = await completeRun(dashboard.client, session_id,
    `call ${RENAME} ${JSON.stringify(input)}`, OFFLINE);
  return { run, call: run.tool_calls[0]! };
}

/** Has an agent ask for an approval. */
async function ask(body: unknown, pet_id?: string): Promise<Schemas['Approval']> {
  const { call: { error } } = await call(body, pet_id);
  t.equal(error?.code, 'approval_required');
  return (await dashboard.client.expect(200, 'listApprovals', { query: { limit: 1 } })).data[0]!;
}

const get = (approval_id: string) =>
  dashboard.client.expect(200, 'getApproval', { path: { approval_id } });
const rows = (page: Page) => page.getByRole('option');
const sheet = (page: Page) => page.getByRole('region', { name: 'Rename a pet' });
const bodyShown = async (page: Page) =>
  (await sheet(page).getByRole('region', { name: 'body' }).textContent())!;
const waiting = (page: Page) => page.locator('nav [aria-current=page]').textContent();

t.test('what is approved by keyboard is what leaves, letter for letter', skip, async (t) => {
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'approvals'));
  await page.getByText('Nothing waits for you').waitFor();
  t.strictSame(await faultsOfSight(page), []);
  const body = { name: 'Rex ✓', number: 1.5, tags: ['good', { a: {}, b: [] }], text: 'a "b",{c}' };
  const asked = await ask(body, 'a bü');
  // The key that asked is not among the newest hundred.
  for (let at = 0; at < 100; at++) {
    await dashboard.client.expect(201, 'createApiKey',
      { body: { workspace_id: dashboard.workspace_id, name: `key ${at}` } });
  }
  await rows(page).first().getByText(RENAME).waitFor();
  t.pass('it came without a press');
  await page.keyboard.press('j');
  await page.waitForURL(addressOf(dashboard, `approvals/${asked.id}`));
  await sheet(page).getByText('Approving sends nothing yet').waitFor();
  await sheet(page).getByText('the api key first key').waitFor();
  await untilSeen('the count', async () => await waiting(page),
    (seen) => seen === 'Approvals1 waiting');
  t.strictSame(await faultsOfSight(page), []);
  await picture(page, 'approval-light');
  const url = await sheet(page).getByText(store.url.replace('http://', '')).locator('..')
    .textContent();
  const headers = await sheet(page).getByLabel('Headers').locator('div').evaluateAll(
    (lines: { children: ArrayLike<{ textContent: string }> }[]) => lines.map(
      ({ children }) => Array.from(children, ({ textContent }) => textContent)));
  const shown = await bodyShown(page);
  t.ok(shown.split('\n').length > 10, 'a line for each member');

  await page.keyboard.press('a');
  await page.getByLabel('A note, if you like').waitFor();
  await page.keyboard.type('jd, said the owner');
  await page.keyboard.press('Enter');
  await page.getByText('Nothing waits for you').waitFor();
  t.match(await get(asked.id), { status: 'approved', reason: 'jd, said the owner' });
  await untilSeen('no count', async () => await waiting(page), (seen) => seen === 'Approvals');
  t.equal(store.visits.length, 0, 'nothing has left yet');

  const received = new Promise<string>((resolve) => {
    store.onBody = resolve;
  });
  t.equal((await call(body, 'a bü')).call.error ?? null, null);
  const visit = store.visits.at(-1)!;
  t.equal(url, store.url + visit.target);
  for (const [name, value] of headers) t.equal(visit.headers[name!], value!, name!);
  t.strictSame(headers.map((line) => line[0]!), ['accept', 'x-reason', 'content-type']);
  const unbroken = shown.replaceAll(/\n */g, '').replaceAll('": ', '":');
  t.equal(unbroken, Buffer.from(await received, 'latin1').toString());
  await page.getByRole('link', { name: 'Used' }).click();
  await rows(page).first().click();
  await page.getByText(/Approved, and used · decided by/).waitFor();
  await page.getByText('jd, said the owner').waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await leavePage(dashboard, page);
});

t.test('a denial has its reason, and the next one is there', skip, async (t) => {
  const [last, first] = [await ask({ name: 'last' }), await ask({ name: 'first' })];
  const page = await openPage(dashboard, { theme: 'dark' });
  await page.goto(addressOf(dashboard, 'approvals'));
  await rows(page).nth(1).waitFor();
  await page.keyboard.press('j');
  await sheet(page).getByRole('region', { name: 'body' }).getByText('"first"').waitFor();
  await page.keyboard.press('a');
  await page.keyboard.type('for the other decision');
  await page.keyboard.press('Escape');
  await page.keyboard.press('d');
  await page.getByLabel('Reason').waitFor();
  t.equal(await page.getByLabel('Reason').inputValue(), '');
  t.strictSame(await faultsOfSight(page), []);
  await page.emulateMedia({ colorScheme: 'dark' });
  await picture(page, 'approval-deny-dark');
  await page.keyboard.type('Ann keeps her name');
  await page.keyboard.press('Enter');
  await page.waitForURL(addressOf(dashboard, `approvals/${last.id}`));
  await page.locator(`:focus[aria-labelledby="${last.id}-title"]`).waitFor();
  t.match(await bodyShown(page), '"last"', 'the focus is on the next one');
  await rows(page).nth(1).waitFor({ state: 'detached' });
  t.equal(await rows(page).count(), 1);
  t.match(await get(first.id), { status: 'denied', reason: 'Ann keeps her name' });
  t.match(JSON.stringify((await call({ name: 'first' })).call.error), /Ann keeps her name/);
  const third = await ask({ name: 'third' });
  await page.getByRole('button', { name: '1 new' }).waitFor();
  await page.keyboard.press('n');
  await rows(page).nth(1).waitFor();
  await page.keyboard.press('k');
  await page.waitForURL(addressOf(dashboard, `approvals/${third.id}`));
  await sheet(page).getByRole('region', { name: 'body' }).getByText('"third"').waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog').getByText('Approve', { exact: true }).waitFor();
  await leavePage(dashboard, page);
});

t.test('a decision that is answered late leads nobody away', skip, async (t) => {
  const asked = [await ask({ name: 'held' }), await ask({ name: 'beside' }),
    await ask({ name: 'above' })];
  const [held, beside] = asked.map(({ id }) => addressOf(dashboard, `approvals/${id}`));
  const page = await openPage(dashboard);
  await page.goto(held!);
  const decided = page.locator(`[role=option][id$="${asked[0]!.id}"]`);
  await decided.waitFor();
  const answer = Promise.withResolvers<void>();
  await page.route(`**/admin/approvals/${asked[0]!.id}/decision`, async (route) => {
    await answer.promise;
    await route.continue();
  });
  await sheet(page).getByRole('button', { name: 'Approve' }).waitFor();
  await page.keyboard.press('a');
  await page.getByLabel('A note, if you like').press('Enter');
  await page.locator('[aria-busy=true]').waitFor();
  await rows(page).nth(1).click();
  await page.waitForURL(beside!);
  await sheet(page).getByRole('region', { name: 'body' }).getByText('"beside"').waitFor();
  await page.keyboard.press('d');
  await page.getByLabel('Reason').fill('She keeps ');
  answer.resolve();
  await page.getByText('Approved, once').waitFor();
  await decided.waitFor({ state: 'detached' });
  await page.keyboard.type('her name');
  t.equal(page.url(), beside);
  t.equal(await page.locator('input:focus').inputValue(), 'She keeps her name');
  await page.keyboard.press('Enter');
  await page.waitForURL(({ href }) => href !== beside);
  t.match(await get(asked[1]!.id), { status: 'denied', reason: 'She keeps her name' });
  await dashboard.client.expect(200, 'decideApproval',
    { path: { approval_id: asked[2]!.id }, body: { decision: 'deny', reason: 'not now' } });
  await leavePage(dashboard, page);
});

t.test('what was decided elsewhere meanwhile is told', skip, async (t) => {
  const { client } = dashboard;
  const asked = await ask({ name: 'in two places' });
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, `approvals/${asked.id}`));
  await sheet(page).getByRole('button', { name: 'Approve' }).waitFor();
  const other = await watchedPage(dashboard, page.context());
  await other.goto(page.url());
  await sheet(other).getByRole('button', { name: 'Approve' }).waitFor();
  // This page does not see it before it decides.
  const held = Promise.withResolvers<void>();
  await page.route(`**/admin/approvals/${asked.id}`, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.keyboard.press('a');
  await client.expect(200, 'decideApproval',
    { path: { approval_id: asked.id }, body: { decision: 'deny', reason: 'not today' } });
  await page.keyboard.press('Enter');
  await page.getByText(/approval_decided · req_/).waitFor();
  held.resolve();
  for (const tab of [page, other]) {
    await tab.getByText('This ended meanwhile.').waitFor();
    await tab.getByText(/Denied · decided by the admin token first token/).waitFor();
    await tab.getByText('“not today”').waitFor();
    t.equal(await tab.getByText('approval_decided').count(), 0, 'and no error of before');
    t.equal(await tab.getByRole('button', { name: /^(Approve|Deny)/ }).count(), 0);
  }
  t.strictSame(await faultsOfSight(page), []);
  t.equal((await get(asked.id)).status, 'denied');
  await leavePage(dashboard, page);
});

t.test('what deceives the eye is marked, and is text', skip, async (t) => {
  const { client } = dashboard;
  const body = {
    to: 'p\u0430ypal.com', from: 'paypal.com', turned: '\u202egnp.exe', zero: 'a\u200bb',
    html: '<img src=x onerror="document.title=1"><script>alert(1)</script>', ansi: '\u001b[31m',
    hebrew: '\u05e9\u05dc\u05d5\u05dd', family: '👨‍👩‍👧',
    tag: 'x\u{e0041}', long: 'w'.repeat(64_000),
  };
  const asked = await ask(body, '7?as=admin');
  const page = await openPage(dashboard, { width: 'phone' });
  page.on('dialog', () => t.fail('a dialog opened'));
  await page.goto(addressOf(dashboard, `approvals/${asked.id}`));
  await sheet(page).getByText('3 characters cannot be seen').waitFor();
  await sheet(page).getByText('One word mixes letters').waitFor();
  const shown = await bodyShown(page);
  for (const words of ['U+202Egnp.exe', 'aU+200Bb', 'xU+E0041', '<script>', '\\u001b[31m',
    'w'.repeat(64_000), body.family, body.hebrew]) t.ok(shown.includes(words), words.slice(0, 20));
  t.notMatch(shown, /[\u202e\u200b]/);
  t.strictSame(await page.locator('mark').allTextContents().then((all) => all.slice(0, 4)),
    ['p\u0430ypal.com', 'U+202E', 'U+200B', 'U+E0041']);
  t.match(await sheet(page).textContent(), '/pets/7%3Fas%3Dadmin');
  t.equal(await page.locator('main img, main script').count(), 0);
  t.strictSame(await faultsOfSight(page), []);
  await picture(page, 'approval-phone');
  await client.expect(200, 'decideApproval', { path: { approval_id: asked.id },
    body: { decision: 'deny', reason: '\u202ex<b>' } });
  await page.getByText('U+202Ex<b>').waitFor();
  await leavePage(dashboard, page);
});

t.test('a message lies on nothing that is pressed next', skip, async () => {
  const asked = [await ask({ name: '1' }), await ask({ name: '2' }), await ask({ name: '3' })];
  for (const width of ['desk', 'phone'] as const) {
    const page = await openPage(dashboard, { width });
    await page.goto(addressOf(dashboard, `approvals/${asked.pop()!.id}`));
    await sheet(page).getByRole('button', { name: 'Approve' }).click();
    await page.getByLabel('A note, if you like').press('Enter');
    const message = page.locator('[data-toasts]').getByText('Approved, once');
    // It stays as long as it is pointed at.
    await message.hover();
    await sheet(page).getByRole('region', { name: 'body' }).getByText(`"${asked.length}"`)
      .waitFor();
    await picture(page, `approval-message-${width}`);
    const box = (await page.locator('[data-toasts] > *').boundingBox())!;
    const links = page.getByRole('group', { name: 'Status' }).getByRole('link');
    const buttons = sheet(page).getByRole('button', { name: /^(Approve|Deny)/ });
    for (const one of [...await links.all(), ...await buttons.all()]) {
      const { y, height } = (await one.boundingBox())!;
      t.ok(y + height <= box.y || y >= box.y + box.height, (await one.textContent())!);
    }
    t.equal(await page.locator('[data-toasts] > *').count(), 1);
    await leavePage(dashboard, page);
  }
  await dashboard.client.expect(200, 'decideApproval',
    { path: { approval_id: asked.pop()!.id }, body: { decision: 'deny', reason: 'not now' } });
});

t.test('in a low window the call is read before it is decided', skip, async (t) => {
  const asked = await ask({ name: 'read me first' });
  const page = await openPage(dashboard);
  await page.setViewportSize({ width: 640, height: 400 });
  await page.goto(addressOf(dashboard, `approvals/${asked.id}`));
  const host = sheet(page).getByText(store.url.replace('http://', ''));
  await host.waitFor();
  const { y, height } = (await host.boundingBox())!;
  t.ok(y + height < 400, 'the destination is in sight');
  await picture(page, 'approval-low');
  const approve = sheet(page).getByRole('button', { name: 'Approve' });
  const body = sheet(page).getByRole('region', { name: 'body' });
  const [last, first] = [(await approve.boundingBox())!, (await body.boundingBox())!];
  t.ok(last.y > first.y + first.height && last.y > 400, 'the buttons come after the call');
  t.strictSame(await faultsOfSight(page), []);
  await page.keyboard.press('d');
  await page.getByLabel('Reason').press('Enter');
  await page.getByText('Denied', { exact: true }).first().waitFor();
  await leavePage(dashboard, page);
});

t.test('an action of Gatehouse itself is told as such, and is done once approved', skip,
  async (t) => {
    const { client, workspace_id } = dashboard;
    const action = 'gatehouse.sessions.create';
    const { id: grant_id } = await client.expect(201, 'createGrant',
      { body: { workspace_id, actions: action, decision: 'require_approval' } });
    const make = async () => (await completeRun(client, session_id,
      `call ${action} {"body": {"title": "Made by an agent"}}`, OFFLINE)).tool_calls[0]!;
    t.equal((await make()).error?.code, 'approval_required');
    const { data: [asked] } = await client.expect(200, 'listApprovals', { query: { limit: 1 } });
    const page = await openPage(dashboard);
    await page.goto(addressOf(dashboard, `approvals/${asked!.id}`));
    await page.getByText('it is an action of Gatehouse itself').waitFor();
    await page.getByText('None: it is Gatehouse itself').waitFor();
    t.equal(await page.getByText('the call would fail').count(), 0);
    await page.keyboard.press('a');
    await page.getByLabel('A note, if you like').press('Enter');
    await page.getByText('Approved, once').waitFor();
    // The next one takes the place of this, and the focus: a key would go wherever that is.
    await page.waitForURL(({ pathname }) => !pathname.endsWith(asked!.id));
    await page.getByRole('button', { name: 'Open the run' }).click();
    await page.waitForURL(addressOf(dashboard, `runs/${asked!.run_id}`));
    t.equal((await make()).error ?? null, null);
    await client.expect(204, 'deleteGrant', { path: { grant_id } });
    await leavePage(dashboard, page);
  });

t.test('who may only look is not offered to decide', skip, async (t) => {
  const asked = await ask({ name: 'only to be looked at' });
  const page = await openPage(dashboard, { role: 'viewer' });
  await page.goto(addressOf(dashboard, `approvals/${asked.id}`));
  await page.getByText('To decide, one needs the role operator.').waitFor();
  t.ok(await page.getByRole('button', { name: 'Approve', exact: true }).isDisabled());
  await page.keyboard.press('a');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  t.equal(await page.getByLabel('A note, if you like').count(), 0);
  await leavePage(dashboard, page);
});

t.test('calls of one action are told apart before they are opened', skip, async (t) => {
  await ask({ name: 'Milo' });
  await ask({ name: 'Bella' });
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'approvals'));
  await rows(page).nth(1).waitFor();
  t.match(await rows(page).allTextContents(), [
    /"body":{"name":"Bella"}/, /"path":{"pet_id":"7"},.*"name":"Milo"/]);
  await leavePage(dashboard, page);
});

t.test('nothing failed, nothing was refused by the policy, nobody else was asked', skip,
  async (t) => {
    t.strictSame(dashboard.faults, []);
  });
