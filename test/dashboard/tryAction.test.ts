/** What is typed to try an action, and what is sent of it. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { newId } from '../../src/ids.ts';
import { NO_CHROMIUM } from '../support/chromium.ts';
import {
  connectPets, petIntegration, startPetStore, withPaths, type PetStore,
} from '../support/petStore.ts';
import { addressOf, dashboardFor, faultsOfSight, leavePage, openPage, picture } from './support.ts';

const { skip, dashboard } = await dashboardFor(t);
const store: PetStore = NO_CHROMIUM ? null! : await startPetStore(t);
const SCHEMAS = {
  status: { type: ['string', 'null'] },
  either: { oneOf: [{ type: 'string' }, { type: 'integer' }] },
  limit: { type: 'integer' }, ratio: { type: 'number' }, filter: { type: 'object' },
  alive: { anyOf: [{ type: 'boolean' }, { type: 'null' }] },
};
if (!NO_CHROMIUM) {
  const document = withPaths((paths) => {
    paths['/pets'] = { get: { operationId: 'listPets', responses: {}, parameters:
      Object.entries(SCHEMAS).map(([name, schema]) => ({ name, in: 'query', schema })) } };
  });
  await dashboard.client.expect(201, 'createIntegration',
    { body: petIntegration(store, { document: JSON.stringify(document) }) });
  await connectPets(dashboard.client, dashboard.workspace_id);
}

const field = (page: Page, name: string) => page.getByLabel(`query.${name}`);
const whole = (page: Page) => page.getByLabel('Input as JSON', { exact: true });
const as_json = (page: Page) => page.getByRole('checkbox', { name: 'Give the input as JSON' });
const call = (page: Page) => page.getByRole('button', { name: 'Call it' });

async function openAction(): Promise<Page> {
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'integrations/pets?action=pets.pets.list'));
  await call(page).waitFor();
  return page;
}

/** Calls it; answers what went out. */
async function sentBody(page: Page): Promise<{ input: unknown }> {
  const asked = page.waitForRequest((one) =>
    one.method() === 'POST' && one.url().endsWith('/action_invocations'));
  await call(page).and(page.locator(':enabled')).click();
  return (await asked).postDataJSON();
}

async function sentInput(page: Page): Promise<unknown> {
  return (await sentBody(page)).input;
}

t.test('where a text fits it is typed as it is, and what is no JSON is told there', skip,
  async (t) => {
    const page = await openAction();
    await field(page, 'status').fill('open');
    await field(page, 'either').fill('seven');
    await field(page, 'alive').selectOption('true');
    t.strictSame(await sentInput(page),
      { query: { status: 'open', either: 'seven', alive: true } });
    await field(page, 'alive').selectOption('');
    await field(page, 'status').fill('null');
    await field(page, 'either').fill('7');
    t.strictSame(await sentInput(page), { query: { status: 'null', either: 7 } });
    await field(page, 'either').fill('007');
    t.strictSame(await sentInput(page), { query: { status: 'null', either: '007' } });
    let asked = 0;
    page.on('request', (one) => asked += one.method() === 'POST' ? 1 : 0);
    await field(page, 'filter').fill('open');
    await call(page).and(page.locator(':enabled')).click();
    await page.getByText(/^This is no JSON: /).waitFor();
    t.equal(await field(page, 'filter').getAttribute('aria-invalid'), 'true');
    t.equal(asked, 0, 'nothing is sent');
    t.strictSame(await faultsOfSight(page), []);
    for (const [typed, says] of [
      ['{\u201ccolour\u201d: \u201cbrown\u201d}', 'Its quotes are curly'],
      ['{"colour":\u00a0"brown"}', 'It has blanks']] as const) {
      await field(page, 'filter').fill(typed);
      await call(page).click();
      await page.getByText(/^This is no JSON: /).getByText(says).waitFor();
    }
    await field(page, 'filter').fill('{"colour": "brown"}');
    t.equal(await page.getByText(/^This is no JSON: /).count(), 0);
    t.match(await sentInput(page), { query: { filter: { colour: 'brown' } } });
    await leavePage(dashboard, page);
  });

t.test('of very many connections one is given by its id', skip, async (t) => {
  const { sql, workspace_id } = dashboard;
  const ids = Array.from({ length: 101 }, () => newId('con'));
  await sql`insert into connections (workspace_id, id, integration, name, status)
    select ${workspace_id}, id, 'pets', id, 'connected'
      from jsonb_array_elements_text(${JSON.stringify(ids)}::text::jsonb) as r (id)`;
  const page = await openAction();
  const connection = page.getByLabel('Connection', { exact: true });
  await connection.fill(` ${ids[100]} `);
  t.match(await sentBody(page), { connection_id: ids[100] });
  t.strictSame(await faultsOfSight(page), []);
  await sql`delete from connections where id = any (${ids})`;
  await leavePage(dashboard, page);
});

t.test('a number is sent if it is exactly what was typed', skip, async (t) => {
  const page = await openAction();
  for (const [typed, sent] of [[' 7 ', 7], ['0x10', '0x10'], ['1e3', 1_000], ['-0.50', -0.5],
    ['12345678901234567890', '12345678901234567890'], ['9007199254740993', '9007199254740993'],
    ['9007199254740994', '9007199254740994'], ['0.30000000000000000001', '0.30000000000000000001'],
    ['Infinity', 'Infinity'], ['1e999', '1e999'], ['0.0', 0]] as const) {
    for (const name of ['limit', 'ratio']) {
      await field(page, name).fill(typed);
      t.strictSame(await sentInput(page), { query: { [name]: sent } });
      await field(page, name).fill('');
    }
  }
  await field(page, 'limit').fill(' ');
  await field(page, 'ratio').fill('1');
  t.strictSame(await sentInput(page), { query: { ratio: 1 } }, 'a blank says nothing');
  await leavePage(dashboard, page);
});

t.test('neither the fields nor the JSON lose what was typed', skip, async (t) => {
  const page = await openAction();
  await field(page, 'status').fill('open');
  await field(page, 'filter').fill('{"colour": ');
  await as_json(page).check();
  t.strictSame(JSON.parse(await whole(page).inputValue()), { query: { status: 'open' } });
  const typed = '{"query": {"status": "closed", ';
  await whole(page).fill(typed);
  await call(page).click();
  await page.getByText(/^This is no JSON: /).waitFor();
  t.equal(await whole(page).getAttribute('aria-invalid'), 'true');
  await as_json(page).uncheck();
  t.equal(await field(page, 'status').inputValue(), 'open');
  t.equal(await field(page, 'filter').inputValue(), '{"colour": ');
  await as_json(page).check();
  t.equal(await whole(page).inputValue(), typed);
  await whole(page).fill(`${typed}"limit": 2}}`);
  t.strictSame(await sentInput(page), { query: { status: 'closed', limit: 2 } });
  await whole(page).fill('');
  await as_json(page).uncheck();
  await as_json(page).check();
  t.strictSame(JSON.parse(await whole(page).inputValue()), { query: { status: 'open' } },
    'emptied, it is made of the fields again');
  await whole(page).fill('{"query": {"status": "closed"}}');
  await as_json(page).uncheck();
  await field(page, 'status').fill('new');
  await as_json(page).check();
  t.strictSame(JSON.parse(await whole(page).inputValue()), { query: { status: 'new' } },
    'and so it is once a field was written after it');
  await leavePage(dashboard, page);
});

t.test('what is answered is described, also where it is a list', skip, async (t) => {
  const name = { type: 'string', description: 'What it is called.' };
  const answers = {
    listPets: { type: 'array', items: { $ref: '#/components/schemas/Pet' } },
    listHerds: { type: 'array', items: { type: 'array', items: { properties: { name } } } },
    listNames: { type: ['array', 'null'], items: { type: 'string', format: 'uuid' } },
    anything: {},
  };
  const document = { ...withPaths((paths) => {
    for (const [operationId, schema] of Object.entries(answers)) {
      paths[`/${operationId}`] = { get: { operationId, responses: { 200: { description: 'ok',
        content: { 'application/json': { schema } } } } } };
    }
  }), components: { schemas: { Pet: { type: 'object', required: ['name'], properties: {
    tags: { type: 'array', items: { type: 'string' } }, name } } } } };
  await dashboard.client.expect(201, 'createIntegration',
    { body: petIntegration(store, { slug: 'lists', document: JSON.stringify(document) }) });
  await connectPets(dashboard.client, dashboard.workspace_id,
    { integration: 'lists', name: 'lists', credentials: { type: 'none' } });
  const { data } = await dashboard.client.expect(200, 'listActions',
    { query: { integration: 'lists', limit: 100 } });
  const page = await openPage(dashboard);
  const part = page.getByRole('region', { name: 'What it answers' });
  const words = async (part_of_name: string) => {
    const action = data.find((one) => one.name.includes(part_of_name))!;
    await page.goto(addressOf(dashboard, `integrations/lists?action=${action.name}`));
    await part.getByText('As JSON').waitFor();
    return (await part.innerText()).replaceAll(/\s+/g, ' ').replace(/ As JSON.*/, '');
  };
  const each = 'What it answers A list. Each of its items has:';
  t.equal(await words('list_pets'),
    `${each} name string required What it is called. tags list of string`);
  t.strictSame(await faultsOfSight(page), []);
  await picture(page, 'action-list');
  t.equal(await words('list_herds'), `${each} name string What it is called.`);
  t.equal(await words('list_names'),
    'What it answers No fields are described, only its type: list of string (uuid) or null.');
  t.equal(await words('anything'), 'What it answers No fields are described.');
  await leavePage(dashboard, page);
});

t.test('the next page is of what was asked, whatever the form says by then', skip, async (t) => {
  const { client } = dashboard;
  for (const title of ['the older one', 'the newer one']) {
    await client.expect(201, 'createSession', { body: { title } });
  }
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'integrations/gatehouse?action=gatehouse.sessions.list'));
  const limit = page.getByLabel('query.limit');
  await limit.fill('1');
  await page.getByRole('button', { name: 'Call it' }).click();
  const next = page.getByRole('button', { name: 'Next page' });
  await next.waitFor();
  await limit.fill('none');
  const asked = page.waitForRequest(/\/action_invocations$/);
  await next.click();
  const answer = await (await asked).response();
  t.ok(answer!.ok(), `${answer!.status()}`);
  t.match((await asked).postDataJSON(), { input: { query: { limit: 1 } }, cursor: /./ });
  await leavePage(dashboard, page);
});

t.test('a call that waits for approval is told so, and leads to its approval', skip, async (t) => {
  const { client, workspace_id } = dashboard;
  const { id: grant_id } = await client.expect(201, 'createGrant', { body: {
    workspace_id, actions: 'pets.pets.list', decision: 'require_approval' } });
  const page = await openAction();
  await call(page).click();
  await page.getByText('Once somebody has approved it, call it again').waitFor();
  t.equal(await page.getByRole('alert').count(), 0, 'it has not failed');
  t.strictSame(await faultsOfSight(page), []);
  await picture(page, 'action-waits');
  const { data: [approval] } = await client.expect(200, 'listApprovals',
    { query: { workspace_id, limit: 1 } });
  await page.getByRole('link', { name: 'Open the approval' }).click();
  await page.waitForURL(`**/approvals/${approval!.id}`);
  await client.expect(200, 'decideApproval', { path: { approval_id: approval!.id },
    body: { decision: 'deny', reason: 'not today' } });
  const again = await openAction();
  await call(again).click();
  await again.getByRole('alert').getByText(/was denied \(not today\)/).waitFor();
  await again.getByText('It is not made.', { exact: true }).waitFor();
  t.match(await again.getByRole('link', { name: 'Open the approval' }).getAttribute('href'),
    approval!.id);
  await client.expect(204, 'deleteGrant', { path: { grant_id } });
  await leavePage(dashboard, page);
  await leavePage(dashboard, again);
});

t.test('nothing failed, nothing was refused by the policy, nobody else was asked', skip,
  async (t) => {
    t.strictSame(dashboard.faults, []);
  });
