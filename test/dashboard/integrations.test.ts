/** Integrations in the browser: added by file and by address, connected, granted, tried. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { NO_CHROMIUM } from '../support/chromium.ts';
import { connectPets, petDocument, startPetStore } from '../support/petStore.ts';
import {
  addressOf, dashboardFor, dropFile, faultsOfSight, leavePage, moveTo, openPage, picture,
  untilClosed, WIDTHS,
} from './support.ts';

const { skip, dashboard } = await dashboardFor(t);
const HOSTILE = '<img src=x onerror=alert(1)> \u202egnp.\u200b\u{1f980} \u001b[31m'
  + ' שלום <script>alert(2)</script> ';
/** What turns words around, or is not seen: it is shown by its code. */
const UNSEEN = /[\u202e\u200b]/;
const TOKEN = 'a-token-of-the-pet-store';

interface Box { getBoundingClientRect(): { right: number } }
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const tab = (page: Page, name: string) => page.getByRole('tab', { name });

/** Goes on with Tab until the focus is on it: so can somebody who has no mouse. */
async function tabTo(page: Page, role: 'button' | 'textbox' | 'combobox' | 'checkbox',
  name: string | RegExp): Promise<void> {
  const wanted = page.getByRole(role, { name }).first();
  await wanted.waitFor();
  for (let tries = 0; tries < 80; tries++) {
    if (await wanted.and(page.locator(':focus')).count() > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The focus never comes to ${String(name)}.`);
}

const store = NO_CHROMIUM ? null! : await startPetStore(t);

t.test('by keyboard: a file is added', skip, async (t) => {
  const { client } = dashboard;
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'integrations'));
  await page.getByRole('heading', { name: 'No integrations yet' }).waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await picture(page, 'integrations-empty');
  await tabTo(page, 'button', 'Add integration');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'),
    (async () => {
      await tabTo(page, 'button', 'Choose a file');
      await page.keyboard.press('Enter');
    })()]);
  await chooser.setFiles({ name: 'pets.json', mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(petDocument(), null, 2)) });
  await page.getByText('An OpenAPI 3.1.0 document in JSON: Pet store').waitFor();
  t.equal(await page.getByLabel('Slug', { exact: true }).inputValue(), 'pet_store');
  await tabTo(page, 'textbox', 'Slug');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('pets');
  await tabTo(page, 'textbox', 'Address of the API');
  await page.keyboard.type(store.url);
  t.strictSame(await faultsOfSight(page), []);
  await picture(page, 'integrations-add');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText(/egress_refused/).or(
    page.getByText(/not public/)).first().waitFor();
  await page.getByText('If it is meant, allow it below.').waitFor();
  t.equal(await page.getByText('egress_allow').count(), 0);
  t.equal(await page.getByRole('textbox', { name: 'Slug' }).inputValue(), 'pets', 'still there');
  await tabTo(page, 'checkbox', /^Let it call/);
  await page.keyboard.press('Space');
  await tabTo(page, 'button', 'Add integration');
  await page.keyboard.press('Enter');
  await page.getByText('All 4 operations became actions.').waitFor();
  t.match(await client.expect(200, 'getIntegration', { path: { slug: 'pets' } }),
    { egress_allow: [new URL(store.url).host], base_url: store.url });
  await page.getByText('No account is connected in this workspace').waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await picture(page, 'integration-added');
  await tabTo(page, 'button', 'Connect an account');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Connect an account of pets' }).waitFor();
  await leavePage(dashboard, page);
});

t.test('by keyboard: an account is connected', skip, async (t) => {
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'integrations/pets?tab=about'));
  await page.getByText('All 4 operations became actions.').waitFor();
  await tab(page, 'About').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await page.getByText('No account is connected in this workspace').waitFor();
  await tabTo(page, 'button', 'Connect an account');
  await page.keyboard.press('Enter');
  await page.locator('input[name=name]:focus').waitFor();
  await tabTo(page, 'textbox', 'Token');
  await page.keyboard.type(TOKEN);
  t.strictSame(await faultsOfSight(page), []);
  await page.keyboard.press('Enter');
  await page.getByRole('listitem', { name: 'pets' }).getByText('connected', { exact: true })
    .waitFor();
  t.notMatch(await page.content(), TOKEN);
  await tabTo(page, 'button', 'Check');
  await page.keyboard.press('Enter');
  await page.getByText('pets.pets.list answered').waitFor();
  t.equal(store.visits.at(-1)!.headers.authorization, `Bearer ${TOKEN}`);
  t.strictSame(await faultsOfSight(page), []);
  await picture(page, 'integration-connections');
  await leavePage(dashboard, page);
});

t.test('by keyboard: a grant is made, with what it matches', skip, async (t) => {
  const { client, workspace_id } = dashboard;
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'integrations/pets?tab=grants'));
  await page.getByRole('heading', { name: 'No grants yet' }).waitFor();
  await tabTo(page, 'button', 'Add grant');
  await page.keyboard.press('Enter');
  await page.getByText(/It matches 4: /).waitFor();
  t.equal(await page.getByLabel('Decision').inputValue(), 'require_approval');
  t.equal(await page.getByRole('alert').count(), 0);
  await page.getByLabel('Decision').selectOption('allow');
  await page.getByRole('alert').getByText('1 of these is destructive: agents may remove').waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await picture(page, 'grant-destructive');
  await page.getByLabel('Actions', { exact: true }).focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('pets.pets.create');
  await page.getByText('It matches 1: 1 write.').waitFor();
  await page.getByRole('alert').waitFor({ state: 'detached' });
  await tabTo(page, 'combobox', 'Decision');
  await page.keyboard.type('Ask');
  await page.getByRole('dialog').getByText(
    'Every key may call pets.pets.create once somebody approves the call').waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await picture(page, 'grant-add');
  await tabTo(page, 'button', 'Add grant');
  await page.keyboard.press('Enter');
  await untilClosed(page);
  await page.getByRole('row', { name: /Every key may call pets\.pets\.create/ }).waitFor();
  t.match((await client.expect(200, 'listGrants', { query: { workspace_id } })).data,
    [{ actions: 'pets.pets.create', decision: 'require_approval', api_key_id: null }]);
  await page.goto(addressOf(dashboard, 'grants'));
  await page.getByRole('button', { name: 'Delete the grant for pets.pets.create' }).click();
  await page.getByText(/nobody is asked any more/).waitFor();
  await button(page, 'Delete grant').click();
  await untilClosed(page);
  await page.getByRole('row', { name: /pets\.pets\.create/ }).waitFor({ state: 'detached' });
  await leavePage(dashboard, page);
});

t.test('by keyboard: an action is found and tried', skip, async (t) => {
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'integrations/pets'));
  await page.getByRole('row', { name: /pets\.pets\.list/ }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('get a pet');
  await page.locator('[aria-rowindex="2"]').getByText('pets.pets.get').waitFor();
  await page.getByRole('grid').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'pets.pets.get' }).waitFor();
  t.match(page.url(), /action=pets\.pets\.get/);
  await tabTo(page, 'button', 'Call it');
  await page.keyboard.press('Enter');
  await page.getByText('invalid_input').waitFor();
  await tabTo(page, 'textbox', /path\.pet_id/);
  await page.keyboard.type('7');
  await page.keyboard.press('Enter');
  await page.getByRole('tree', { name: 'result' }).getByText('pets:').waitFor();
  t.equal(store.visits.at(-1)!.target, '/pets/7');
  t.strictSame(await faultsOfSight(page), []);
  await picture(page, 'integration-action');
  await page.keyboard.press('Escape');
  await untilClosed(page);
  await leavePage(dashboard, page);
});

t.test('by address: the document of a server, and what is at an unclear one', skip, async (t) => {
  const store = await startPetStore(t);
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'integrations?add=1'));
  const address = page.getByLabel('Address of an OpenAPI document or an MCP server');
  await address.fill(`${store.url}/nothing`);
  await page.getByText('The address does not say what is there.').waitFor();
  await page.getByRole('checkbox', { name: /^Let it call/ }).check();
  await page.getByLabel('Slug', { exact: true }).fill('pets');
  await button(page, 'Add integration').last().click();
  await page.getByRole('alert').or(page.getByText(/There is an integration/)).first().waitFor();
  t.equal(await address.inputValue(), `${store.url}/nothing`);
  await address.fill(`${store.url}/openapi.json`);
  await page.getByText('This looks like the address of an OpenAPI document.').waitFor();
  await page.getByLabel('Slug', { exact: true }).fill('by_address');
  await page.getByRole('dialog').getByRole('button', { name: 'Add integration' }).click();
  await page.getByText('All 4 operations became actions.').waitFor();
  t.match(await dashboard.client.expect(200, 'getIntegration', { path: { slug: 'by_address' } }),
    { document_url: `${store.url}/openapi.json` });
  await page.goBack();
  await page.getByRole('row', { name: /by_address/ }).waitFor();
  t.equal(await page.getByRole('dialog', { name: 'Add integration' }).count(), 0, 'not once more');
  await page.goForward();
  await button(page, 'Delete the integration').click();
  await button(page, 'Delete integration').click();
  await page.getByRole('heading', { level: 1, name: 'Integrations' }).waitFor();
  await page.getByRole('row', { name: /by_address/ }).waitFor({ state: 'detached' });
  await leavePage(dashboard, page);
});

t.test('what an import left out, and why, in words', skip, async (t) => {
  const { client } = dashboard;
  const document = petDocument() as { paths: Record<string, object> };
  document.paths['/elsewhere'] = { post: { operationId: 'elsewhere',
    requestBody: { $ref: 'bodies.yaml#/pet' }, responses: {} } };
  await client.expect(201, 'createIntegration', { body: {
    slug: 'hollow', kind: 'openapi', document, base_url: 'https://pets.example' } });
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'integrations/hollow'));
  await tab(page, 'About').click();
  const about = page.getByRole('region', { name: 'About the integration' });
  await about.getByText(/1 operation is left out: the reference bodies\.yaml#\/pet/).waitFor();
  await about.getByText('left out: what it refers to is not in the document').waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await leavePage(dashboard, page);
});

const YAML = `openapi: 3.1.0
info:
  title: 'Swagger Lost pets - OpenAPI 3.1'
  version: '1'
paths:
  /lost:
    get: { operationId: listLost, responses: { '200': { description: ok } } }
    post: { operationId: reportLost, responses: { '200': { description: ok } } }
`;

t.test('a document is pasted or dropped, and what is known better is said', skip, async (t) => {
  const { client } = dashboard;
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'integrations?add=1'));
  const dialog = page.getByRole('dialog');
  await page.locator('input:focus').waitFor();
  await page.evaluate(`(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', ${JSON.stringify(`---\n# Found\n${YAML}`)});
    document.activeElement.dispatchEvent(new ClipboardEvent('paste',
      { clipboardData, bubbles: true, cancelable: true }));
  })()`);
  await dialog.getByText('An OpenAPI 3.1.0 document in YAML: Swagger Lost pets').waitFor();
  t.equal(await page.getByLabel('Slug', { exact: true }).inputValue(), 'lost_pets');
  await page.getByLabel('Address of the API').waitFor();
  await button(page, 'Take another').click();
  await page.evaluate(`window.text = File.prototype.text;
    File.prototype.text = async () => { throw new DOMException('', 'NotReadableError'); }`);
  await dropFile(page, '[role=dialog] form > div', 'a folder', '');
  await dialog.getByRole('alert').getByText('a folder cannot be read').waitFor();
  await page.evaluate('File.prototype.text = window.text');
  await dropFile(page, '[role=dialog] form > div', '<i>lost</i>.yaml',
    `${YAML}servers: [{ url: 'https://pets.invalid' }]\n`);
  await dialog.getByText('<i>lost</i>.yaml').waitFor();
  t.equal(await page.getByLabel('Address of the API').count(), 0, 'the document says it');
  await button(page, 'Add integration').last().click();
  await page.getByText('All 2 operations became actions.').waitFor();
  t.match(await client.expect(200, 'getIntegration', { path: { slug: 'lost_pets' } }),
    { base_url: 'https://pets.invalid', actions: { read: 1, write: 1 } });

  await button(page, 'Say what you know').click();
  await dialog.getByLabel('Operation').fill('POST /lost');
  await dialog.getByLabel('What it does to data').selectOption('read');
  t.strictSame(await faultsOfSight(page), []);
  await button(page, 'Save').click();
  await page.getByRole('listitem').getByText('counts as read').waitFor();
  await client.expect(200, 'updateIntegration', { path: { slug: 'lost_pets' },
    body: { overrides: { 'POST /lost': { effect: 'read' }, 'GET /lost': { hidden: true } } } });
  await button(page, 'Change what holds for POST /lost').click();
  await dialog.getByLabel('Parameters that callers cannot set').fill('header.x-tenant');
  await button(page, 'Save').click();
  await page.getByText('counts as read; callers cannot set header.x-tenant').waitFor();
  const held = async () => (await client.expect(200, 'getIntegration',
    { path: { slug: 'lost_pets' } })).overrides;
  t.strictSame(await held(), { 'GET /lost': { hidden: true },
    'POST /lost': { effect: 'read', hidden_parameters: ['header.x-tenant'] } },
  'what others said meanwhile stays');
  await button(page, 'Change what holds for POST /lost').click();
  await button(page, 'Take it back').click();
  await page.getByText('header.x-tenant').waitFor({ state: 'detached' });
  t.strictSame(await held(), { 'GET /lost': { hidden: true } });
  t.strictSame(await faultsOfSight(page), []);
  await client.expect(204, 'deleteIntegration', { path: { slug: 'lost_pets' } });
  await leavePage(dashboard, page);
});

t.test('2,000 actions with hostile words are only words, at every width', skip, async (t) => {
  const { client, workspace_id } = dashboard;
  const store = await startPetStore(t);
  const parameters = [{ name: 'q', in: 'query', description: HOSTILE.repeat(20),
    schema: { type: 'string', enum: [HOSTILE, 'plain'] } }];
  const paths = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`/things${at}`, {
    get: { operationId: `listThings${at}`, summary: `${HOSTILE}${at}`, parameters,
      description: `**${HOSTILE}** [a link](javascript:alert(3))`.repeat(at === 0 ? 100 : 1),
      responses: { 200: { description: 'ok' } } } }]));
  await client.expect(201, 'createIntegration', { body: {
    slug: 'hostile', kind: 'openapi', title: HOSTILE.repeat(2).slice(0, 200),
    base_url: store.url, egress_allow: store.egress_allow,
    document: JSON.stringify({ ...petDocument(HOSTILE), paths }) } });
  await connectPets(client, workspace_id,
    { integration: 'hostile', name: HOSTILE, account_label: HOSTILE });
  await client.expect(201, 'createGrant', { body: {
    workspace_id, actions: 'hostile.other.*', decision: 'deny', expires_at: '2999-01-01T00:00:00Z',
    connection_id: (await client.expect(200, 'listConnections', {
      query: { integration: 'hostile' } })).data[0]!.id } });
  const { data: [first] } = await client.expect(200, 'listActions',
    { query: { integration: 'hostile', limit: 1 } });
  const seen: [screen: string, words: RegExp, narrow_only?: true][] = [
    ['integrations', /^hostile$/, true],
    ['integrations/hostile', /hostile\.\w+\.list/],
    ['integrations/hostile?tab=connections', /^con_/, true],
    ['integrations/hostile?tab=grants', /No key may call/, true],
    ['integrations/hostile?tab=about', /became actions/, true],
    ['integrations/hostile?tab=connections&connect=new', /Whose account/, true],
    ['grants?grant=new', /Who may use an approval/, true],
    [`integrations/hostile?action=${first!.name}`, /"plain"/],
  ];
  for (const width of Object.keys(WIDTHS) as (keyof typeof WIDTHS)[]) {
    const page = await openPage(dashboard, { width });
    for (const [at, [screen, words, narrow_only]] of seen.entries()) {
      if (narrow_only && width !== 'phone') continue;
      await moveTo(page, addressOf(dashboard, screen));
      await page.getByText(words).first().waitFor();
      t.strictSame(await faultsOfSight(page), []);
      await picture(page, `integrations-${at}-${width}`);
      // Prose shows what turns words by its code, and joins emoji by what is not seen.
      if (!screen.includes('action=')) {
        t.notMatch(await page.locator('body').innerText(), UNSEEN, screen);
      }
      t.notMatch(await page.title(), UNSEEN);
      t.ok(await page.getByRole('row').count() < 120, 'what is out of sight is not in the page');
    }
    await leavePage(dashboard, page);
  }
});

t.test('of long names the ends are seen, which tell them apart', skip, async (t) => {
  const { client } = dashboard;
  const slugs = ['one', 'two'].map((end) => `${'e'.repeat(60)}_${end}`);
  for (const slug of slugs) {
    await client.expect(201, 'createIntegration', { body: { slug, kind: 'openapi',
      title: 'A title that takes all of the room that there is', document: petDocument(),
      base_url: 'https://pets.example' } });
  }
  /** How much of the text is cut off at its end, in px. */
  const cut = (page: Page, text: string) => page.getByText(text, { exact: true }).first()
    .evaluate((one: Box & { parentElement: Box }) => one.getBoundingClientRect().right
      - one.parentElement.getBoundingClientRect().right);
  for (const width of ['phone', 'desk'] as const) {
    const page = await openPage(dashboard, { width });
    await page.goto(addressOf(dashboard, 'integrations'));
    await page.getByText(slugs[0]!).waitFor();
    for (const slug of slugs) t.ok(await cut(page, slug) < 1, `${width}: the slug`);
    await picture(page, `integrations-long-${width}`);
    await moveTo(page, addressOf(dashboard, `integrations/${slugs[0]}`));
    await page.getByText(`${slugs[0]}.pets.delete`).waitFor();
    t.ok(await cut(page, `${slugs[0]}.pets.delete`) < 1, `${width}: the action`);
    t.strictSame(await faultsOfSight(page), []);
    await leavePage(dashboard, page);
  }
  for (const slug of slugs) await client.expect(204, 'deleteIntegration', { path: { slug } });
});

t.test('one that is deleted elsewhere is not shown as if it were there', skip, async () => {
  const path = { slug: 'brief' };
  await dashboard.client.expect(201, 'createIntegration', { body: { ...path, kind: 'openapi',
    document: petDocument(), base_url: 'https://pets.example' } });
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'integrations/brief'));
  await page.getByText('brief.pets.delete').waitFor();
  await dashboard.client.expect(204, 'deleteIntegration', { path });
  await page.getByRole('alert').getByText('No integration has the id "brief".').waitFor();
  await leavePage(dashboard, page);
});

t.test('a viewer sees it all, and is told why the rest is off', skip, async (t) => {
  const page = await openPage(dashboard, { role: 'viewer' });
  await page.goto(addressOf(dashboard, 'integrations/pets?tab=connections'));
  const check = page.getByRole('button', { name: /^Check/ });
  await check.waitFor();
  t.equal(await check.isDisabled(), true);
  t.equal(await check.getAttribute('aria-description'), 'This needs the role admin');
  await moveTo(page, addressOf(dashboard, 'integrations/pets?action=pets.pets.list'));
  await page.getByText('Trying an action needs the role operator.').waitFor();
  await moveTo(page, addressOf(dashboard, 'integrations?add=1'));
  await page.getByRole('row', { name: /hostile/ }).waitFor();
  t.equal(await page.getByRole('dialog').count(), 0);
  t.strictSame(await faultsOfSight(page), []);
  await leavePage(dashboard, page);
});

t.test('no script ran, nobody else was asked, no rule was broken', skip, async (t) => {
  t.strictSame(dashboard.faults, []);
});
