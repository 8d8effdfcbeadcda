/** What other systems say when something fails is text, whatever they say: nothing of it runs. */
import type { ServerResponse } from 'node:http';
import type { Page } from 'playwright-core';
import t from 'tap';
import { fakeServer, json } from '../gateway/mcp/httpServer.ts';
import { connectPets, petDocument, petIntegration, startPetStore } from '../support/petStore.ts';
import { completeRun, newSession, OFFLINE } from '../support/runs.ts';
import { addressOf, dashboardFor, faultsOfSight, leavePage, openPage } from './support.ts';

const { skip, dashboard } = await dashboardFor(t);
const store = await startPetStore(t);
if (dashboard) {
  const { client, workspace_id } = dashboard;
  const token = { type: 'http', scheme: 'bearer' };
  await client.expect(201, 'createIntegration', { body: petIntegration(store, {
    document: JSON.stringify({ ...petDocument(), security: [{ token: [] }],
      components: { securitySchemes: { token } } }) }) });
  await connectPets(client, workspace_id);
}
/** Without a blank, for where words are told apart by blanks. */
const IMAGE = '<img/src=x/onerror=alert(1)>';
const HOSTILE = `${IMAGE}<script>alert(2)</script><svg onload=alert(3)></svg>`
  + '<iframe src="javascript:alert(4)"></iframe>"\'`${alert(5)} \u202egnp.exe \u001b[31m שלום'
  + ` ${'w'.repeat(3_000)}`;

/** A page on which nothing may run; what does is a fault of the test. */
async function openWatched(screen: string): Promise<Page> {
  const page = await openPage(dashboard, { width: 'phone' });
  page.on('dialog', () => dashboard.faults.push('a dialog of a script opened'));
  await page.goto(addressOf(dashboard, screen));
  return page;
}

/** What is on the page and should be text: elements that no screen of ours has. */
const strangers = (page: Page) => page.locator('body :is(img, iframe, object, embed, '
  + 'script:not([src]), [onerror], [onload], [href^="javascript:"])').count();

/** An answer of the pet store: its status, its type, its body, and a header or none. */
type Answer = readonly [number, string, string, Record<string, string>?];
const answering = ([status, type, body, headers = {}]: Answer) => {
  store.answer = (_visit, response: ServerResponse) => void response
    .writeHead(status, { 'content-type': type, ...headers }).end(body);
};

t.test('an action that is tried', skip, async (t) => {
  const page = await openWatched('integrations/pets?action=pets.pets.list');
  const dialog = page.getByRole('dialog');
  const answers: readonly [Answer, RegExp][] = [
    [[422, 'text/html', HOSTILE], /<img\/src=x\/onerror/],
    [[400, 'application/json', JSON.stringify({ [HOSTILE]: HOSTILE, errors: [HOSTILE] })],
      /<img\/src=x\/onerror/],
    [[403, 'application/json', '{}', { 'x-accepted-oauth-scopes': IMAGE }],
      /It asks for: <img\/src=x\/onerror=alert\(1\)>/],
    [[500, 'text/html', HOSTILE], /answered 500 to this call/],
    [[429, 'text/html', HOSTILE, { 'retry-after': IMAGE }], /<img\/src=x\/onerror/],
    [[200, 'text/html', HOSTILE], /<img\/src=x\/onerror/],
    [[200, 'application/json', JSON.stringify({ [HOSTILE]: [HOSTILE] })], /<img\/src=x\/onerror/],
  ];
  for (const [answer, words] of answers) {
    answering(answer);
    const asked = page.waitForResponse((one) => one.request().method() === 'POST');
    await dialog.getByRole('button', { name: 'Call it' }).click();
    t.match((await asked).status(), answer[0] === 200 ? 201 : /^(409|422|429|502)$/);
    await dialog.getByText(words).first().waitFor();
    t.equal(await strangers(page), 0, JSON.stringify(answer).slice(0, 60));
    t.strictSame(await faultsOfSight(page), []);
  }
  store.answer = null;
  await leavePage(dashboard, page);
});

t.test('a connection that is checked', skip, async (t) => {
  const page = await openWatched('integrations/pets?tab=connections');
  const account = page.getByRole('listitem', { name: 'pets' });
  for (const answer of [[403, 'text/html', HOSTILE, { 'www-authenticate': `scope="${IMAGE}"` }],
    [400, 'application/json', JSON.stringify({ message: HOSTILE })],
    [401, 'text/html', HOSTILE]] as const) {
    answering(answer);
    await account.getByRole('button', { name: 'Check' }).click();
    await account.getByText('It does not work').waitFor();
    if (answer[0] === 403) await account.getByText(IMAGE).waitFor();
    t.equal(await strangers(page), 0);
    t.strictSame(await faultsOfSight(page), []);
  }
  store.answer = null;
  await account.getByRole('button', { name: 'Check' }).click();
  await account.getByText('It works').waitFor();
  await leavePage(dashboard, page);
});

t.test('a document that is not taken', skip, async (t) => {
  const page = await openWatched('integrations?add=1');
  const dialog = page.getByRole('dialog');
  const address = dialog.getByLabel('Address of an OpenAPI document or an MCP server');
  const documents = [`<!doctype html>${HOSTILE}`, `openapi: "${IMAGE}"\ninfo: [${HOSTILE}`,
    JSON.stringify({ openapi: IMAGE, info: { title: HOSTILE, version: '1' }, paths: {} }),
    JSON.stringify({ openapi: '3.1.0', info: { title: 'x', version: '1' },
      paths: { [`/${IMAGE}`]: { [IMAGE]: IMAGE, get: IMAGE, $ref: IMAGE } } }), ''];
  for (const [at, text] of documents.entries()) {
    store.answer = (_visit, response) => void response
      .writeHead(text === '' ? 500 : 200, { 'content-type': 'text/html' }).end(text || HOSTILE);
    await address.fill(`${store.url}/${at}/openapi.json?${IMAGE}`);
    await dialog.getByLabel('Slug', { exact: true }).fill(`hostile_${at}`);
    await dialog.getByRole('checkbox', { name: /^Let it call/ }).check();
    const asked = page.waitForResponse((one) => one.request().method() === 'POST');
    await dialog.getByRole('button', { name: 'Add integration' }).click();
    const { length: is_refused } = await refusalOf(await asked);
    if (is_refused > 0) {
      await dialog.getByRole('button', { name: 'Add integration' }).and(
        page.locator(':enabled')).waitFor();
    } else {
      // What can be taken of it is; the report tells the rest.
      await page.getByRole('region', { name: 'About the integration' }).waitFor();
    }
    t.equal(await strangers(page), 0, text.slice(0, 40));
    t.strictSame(await faultsOfSight(page), []);
    if (is_refused === 0) await page.goto(addressOf(dashboard, 'integrations?add=1'));
  }
  store.answer = null;
  await leavePage(dashboard, page);
});

/** What an answer refuses with; nothing if it does not. */
async function refusalOf(answer: { status(): number; json(): Promise<unknown> }) {
  if (answer.status() < 400) return '';
  return (await answer.json() as { error: string }).error;
}

t.test('an MCP server that fails', skip, async (t) => {
  const page = await openWatched('integrations?add=1');
  const dialog = page.getByRole('dialog');
  const failing = (code: number) => (message: { id?: string | number }, response: ServerResponse) =>
    json(response, { jsonrpc: '2.0', id: message.id,
      error: { code, message: HOSTILE, data: HOSTILE } });
  for (const method of ['initialize', 'tools/list']) {
    const fake = await fakeServer(t, { [method]: failing(-32_603) });
    await dialog.getByLabel('Address of an OpenAPI document or an MCP server').fill(fake.url);
    await dialog.getByLabel('Slug', { exact: true }).fill(`mcp_${method.length}`);
    await dialog.getByRole('checkbox', { name: /^Let it call/ }).check();
    await dialog.getByRole('button', { name: 'Add integration' }).click();
    await dialog.getByText(/-32603|<img\/src=x|did not answer|error/i).first().waitFor();
    t.equal(await strangers(page), 0);
    t.strictSame(await faultsOfSight(page), []);
  }
  await leavePage(dashboard, page);
});

t.test('an authorization that is refused', skip, async (t) => {
  const { client, workspace_id, origin } = dashboard;
  await client.expect(201, 'createIntegration',
    { body: petIntegration(store, { slug: 'oauth' }) });
  const page = await openWatched('integrations/oauth?tab=connections');
  const credentials = { type: 'oauth2', grant: 'authorization_code', client_id: 'a',
    client_secret: 'b', authorize_url: `${store.url}/authorize`, token_url: `${store.url}/token` };
  for (const [name, error] of [['consent', { error: HOSTILE, error_description: HOSTILE }],
    ['word', { error: 'access_denied', error_description: HOSTILE, error_uri: 'javascript:1' }],
    ['token', { code: IMAGE }]] as const) {
    const { authorization_url } = await connectPets(client, workspace_id,
      { integration: 'oauth', name, credentials: credentials as never });
    store.answer = ({ target }, response) => {
      if (target.startsWith('/token')) {
        response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(
          { error: 'invalid_grant', error_description: HOSTILE, error_uri: 'javascript:1' }));
        return;
      }
      const state = new URL(target, store.url).searchParams.get('state')!;
      response.writeHead(302, { location:
        `${origin}/oauth/callback?${new URLSearchParams({ state, ...error })}` }).end();
    };
    const consent = await page.context().newPage();
    consent.on('dialog', () => t.fail('a dialog opened'));
    await consent.goto(authorization_url!);
    await consent.getByRole('heading', { name: 'The account is not connected' }).waitFor();
    t.equal(await consent.locator('img, script, iframe, svg').count(), 0);
    await consent.close();
    // Where there is none yet, the page does not ask again.
    await page.reload();
    await page.getByRole('listitem', { name }).waitFor();
    t.equal(await strangers(page), 0);
  }
  t.strictSame(await faultsOfSight(page), []);
  store.answer = null;
  await leavePage(dashboard, page);
});

t.test('a call of a run', skip, async (t) => {
  const { client } = dashboard;
  answering([422, 'application/json', JSON.stringify({ [IMAGE]: HOSTILE })]);
  const run = await completeRun(client, await newSession(client), 'call pets.pets.list', OFFLINE);
  const page = await openWatched(`runs/${run.id}`);
  await page.getByRole('button', { name: /pets\.pets\.list/ }).click();
  const said = page.getByRole('tree', { name: 'what the other system answered' });
  await said.getByText(IMAGE).first().waitFor();
  t.equal(await strangers(page), 0);
  t.strictSame(await faultsOfSight(page), []);
  store.answer = null;
  await leavePage(dashboard, page);
});

t.test('no script ran, nobody else was asked, no rule was broken', skip, async (t) => {
  // The consent pages lead to the pet store, which stands for the other service.
  t.strictSame(dashboard.faults, []);
});
