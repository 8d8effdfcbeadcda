/** What makes something makes it once, however often the answer is lost and the button pressed. */
import type { Page, Request } from 'playwright-core';
import t from 'tap';
import { NO_CHROMIUM } from '../support/chromium.ts';
import { completeRun, endlessRun, newSession } from '../support/runs.ts';
import { petIntegration, startPetStore, type PetStore } from '../support/petStore.ts';
import {
  addressOf, dashboardFor, leavePage, openPage, untilClosed, untilHeading, untilTrue,
} from './support.ts';

const { skip, dashboard } = await dashboardFor(t);
const store: PetStore = NO_CHROMIUM ? null! : await startPetStore(t);
if (!NO_CHROMIUM) {
  await dashboard.client.expect(201, 'createIntegration', { body: petIntegration(store) });
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Carries the next POST to this place out, and has the page know nothing of its answer. */
async function loseAnswer(page: Page, place: string): Promise<void> {
  let is_lost = false;
  await page.route(`**/v1/${place}`, async (route) => {
    const request = route.request();
    if (is_lost || request.method() !== 'POST') return await route.fallback();
    is_lost = true;
    const answer = await fetch(request.url(), {
      method: 'POST', headers: await request.allHeaders(), body: request.postData() });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    await route.fulfill({ status: 502, body: 'the proxy has lost the node' });
  });
}

/** Presses, is told that the answer is lost, and presses again. */
async function pressTwice(page: Page, name: string, place: string): Promise<void> {
  await loseAnswer(page, place);
  await button(page, name).click();
  await page.getByRole('alert').getByText(
    'The answer was 502: a proxy before the service has got no answer of it.').first().waitFor();
  await button(page, name).click();
}

t.test('a prompt is one run', skip, async (t) => {
  const { client } = dashboard;
  const session_id = await newSession(client, 'Once');
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, `sessions/${session_id}`));
  const prompt = page.getByRole('textbox', { name: 'Prompt' });
  await prompt.fill('What was asked?');
  await pressTwice(page, 'Send', `sessions/${session_id}/runs`);
  await page.locator('[data-turn]').getByText('completed').last().waitFor();
  const runs = async () => (await client.expect(200, 'listRuns', { query: { session_id } })).data;
  t.equal((await runs()).length, 1);
  await prompt.fill('What was asked?');
  await prompt.press('Enter');
  await page.locator('[data-turn]').nth(1).getByText('completed').last().waitFor();
  t.equal((await runs()).length, 2, 'to ask the same again is another run');
  await leavePage(dashboard, page);
});

t.test('so is one that is there again, after a reload or from elsewhere', skip, async (t) => {
  const { client } = dashboard;
  const page = await openPage(dashboard);
  const prompt = page.getByRole('textbox', { name: 'Prompt' });
  for (const way of ['reload', 'back']) {
    const session_id = await newSession(client, way);
    await page.goto(addressOf(dashboard, 'sessions'));
    await page.goto(addressOf(dashboard, `sessions/${session_id}`));
    await prompt.fill('What was asked?');
    await loseAnswer(page, `sessions/${session_id}/runs`);
    await button(page, 'Send').click();
    await page.getByRole('alert').getByText(/The answer was 502/).waitFor();
    if (way === 'reload') await page.reload();
    else {
      await page.getByRole('link', { name: 'Sessions', exact: true }).click();
      await untilHeading(page, 'Sessions');
      await page.goBack();
    }
    await untilHeading(page, way);
    t.equal(await prompt.inputValue(), 'What was asked?');
    await button(page, 'Send').click();
    await untilTrue(page, 'document.querySelector("textarea").value === ""');
    t.equal((await client.expect(200, 'listRuns', { query: { session_id } })).data.length, 1, way);
  }
  await leavePage(dashboard, page);
});

t.test('a prompt that was sent is not said to have failed with the title', skip, async (t) => {
  const session_id = await newSession(dashboard.client);
  const page = await openPage(dashboard);
  await page.route(`**/v1/sessions/${session_id}`, async (route) =>
    (route.request().method() === 'PATCH' ? await route.fulfill({ status: 502 })
      : await route.fallback()));
  await page.goto(addressOf(dashboard, `sessions/${session_id}`));
  await page.getByRole('textbox', { name: 'Prompt' }).fill('What was asked?');
  await button(page, 'Send').click();
  await page.getByText('The prompt was sent, but the session has no title').first().waitFor();
  t.equal(await page.locator('form').getByRole('alert').count(), 0);
  await leavePage(dashboard, page);
});

t.test('a key that nobody has seen is told of, and another one made', skip, async (t) => {
  const { client } = dashboard;
  const page = await openPage(dashboard);
  const keys = async () => (await client.expect(200, 'listApiKeys')).data
    .filter(({ name }) => name === 'backend').length;
  await page.goto(addressOf(dashboard, 'keys?create=key'));
  await page.getByRole('dialog').getByLabel('Name').fill('backend');
  await pressTwice(page, 'Create key', 'admin/api_keys');
  await page.getByRole('alert').getByText(/already_exists/).waitFor();
  t.equal(await keys(), 1);
  await button(page, 'Create key').click();
  await page.getByRole('dialog', { name: 'The key backend' }).waitFor();
  t.equal(await keys(), 2);
  await leavePage(dashboard, page);
});

t.test('so is an admin token', skip, async (t) => {
  const { client } = dashboard;
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'access?tab=tokens'));
  await button(page, 'New token').click();
  await page.getByLabel('Name').fill('deployment');
  await pressTwice(page, 'Make token', 'admin/admin_tokens');
  await page.getByRole('alert').getByText(/already_exists/).waitFor();
  t.equal((await client.expect(200, 'listAdminTokens', {})).data
    .filter(({ name }) => name === 'deployment').length, 1);
  await leavePage(dashboard, page);
});

/** Holds the answer to requests of this method; what is answered lets them go. */
async function holdAnswer(page: Page, method: string, place: string): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route(`**/v1/${place}`, async (route) => {
    if (route.request().method() === method) await held.promise;
    await route.fallback();
  });
  return held.resolve;
}

/** Tries to leave the dialog in every way while what it asked for is under way. */
async function tryToLeave(page: Page, refusal: string): Promise<boolean[]> {
  const dialog = page.getByRole('dialog').last();
  await dialog.locator('[aria-busy=true]').waitFor();
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 400);
  return await Promise.all([refusal, 'Close'].map((name) =>
    dialog.getByRole('button', { name, exact: true }).isDisabled()));
}

t.test('no dialog is left while what it asked for is under way', skip, async (t) => {
  const page = await openPage(dashboard);
  const last = () => page.getByRole('dialog').last();
  await page.goto(addressOf(dashboard, 'keys?create=key'));
  await last().getByLabel('Name').fill('slow');
  let answer = await holdAnswer(page, 'POST', 'admin/api_keys');
  await button(page, 'Create key').click();
  t.strictSame(await tryToLeave(page, 'Cancel'), [true, true]);
  answer();
  await page.getByRole('dialog', { name: 'The key slow' }).locator('[data-secret]').waitFor();
  await button(page, 'Done').click();
  await button(page, 'Leave without it').click();

  await page.goto(addressOf(dashboard, 'access?tab=tokens'));
  await button(page, 'New token').click();
  await page.getByLabel('Name').fill('slow');
  answer = await holdAnswer(page, 'POST', 'admin/admin_tokens');
  await button(page, 'Make token').click();
  t.strictSame(await tryToLeave(page, 'Make none'), [true, true]);
  answer();
  await page.getByRole('dialog', { name: 'token slow' }).locator('[data-secret]').waitFor();
  await button(page, 'Done').click();
  await button(page, 'Leave without it').click();

  await page.getByRole('grid', { name: 'Admin tokens' }).getByText('slow').click();
  answer = await holdAnswer(page, 'DELETE', 'admin/admin_tokens/*');
  await button(page, 'Revoke token').click();
  t.strictSame(await tryToLeave(page, 'Keep it'), [true, true]);
  t.equal(await last().count(), 1);
  answer();
  await last().waitFor({ state: 'detached' });
  await leavePage(dashboard, page);
});

t.test('nor a form: its late answer would close another, with what is typed there', skip,
  async (t) => {
    const { client, workspace_id } = dashboard;
    const session_id = await newSession(client, 'Slow');
    const run = await endlessRun(client, await newSession(client));
    const page = await openPage(dashboard);
    const forms = [
      [`workspaces?workspace=${workspace_id}`, null, 'Name', 'Save changes', 'Close'],
      [`sessions/${session_id}`, 'Rename', 'Title', 'Save', 'Cancel'],
      ['grants', 'Add grant', 'Actions', 'Add grant', 'Cancel'],
      ['integrations/pets?tab=about', 'Say what you know', 'Operation', 'Save', 'Cancel'],
      ['integrations/pets?tab=about', 'Change the private addresses', '', 'Save', 'Cancel'],
      ['integrations/pets?tab=connections&connect=new', null, 'Token', 'Connect', 'Cancel'],
      [`runs/${run.id}`, 'Cancel run', '', 'Cancel run', 'Let it go on'],
    ] as const;
    for (const [screen, opener, name, action, refusal] of forms) {
      await page.goto(addressOf(dashboard, screen));
      if (opener) await button(page, opener).first().click();
      if (name) await page.getByRole('dialog').getByRole('textbox', { name }).fill('pets.slow');
      const over = Promise.withResolvers<void>();
      await page.route('**/v1/**', async (route) => {
        if (route.request().method() === 'GET') return await route.fallback();
        await over.promise;
        await route.abort();
      });
      await page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click();
      t.strictSame(await tryToLeave(page, refusal), [true, true], screen);
      over.resolve();
      await page.getByRole('dialog').getByText('The service does not answer.').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: refusal, exact: true }).click();
      await untilClosed(page);
      await page.unrouteAll();
    }
    await client.expect(200, 'cancelRun', { path: { run_id: run.id } });
    await leavePage(dashboard, page);
  });

t.test('who goes back from a form is not followed by its late answer', skip, async (t) => {
  const { client } = dashboard;
  await client.expect(201, 'createWorkspace', { body: { name: 'Another' } });
  const page = await openPage(dashboard);
  const rowOf = (name: string) => page.getByRole('row').filter({ hasText: name });
  const dialog = page.getByRole('dialog');
  await page.goto(addressOf(dashboard, 'workspaces'));
  await rowOf('this one').click();
  await dialog.getByLabel('Instructions').fill('Be brief.');
  const answer = await holdAnswer(page, 'PATCH', 'admin/workspaces/*');
  await button(page, 'Save changes').click();
  await dialog.locator('[aria-busy=true]').waitFor();
  await page.goBack();
  await dialog.waitFor({ state: 'detached' });
  await rowOf('Another').click();
  await dialog.getByLabel('Instructions').fill('Half of a sen');
  const address = page.url();
  answer();
  await page.getByText('The workspace is changed').waitFor();
  await page.evaluate(`new Promise((drawn) =>
    requestAnimationFrame(() => requestAnimationFrame(drawn)))`);
  t.equal(page.url(), address);
  t.equal(await dialog.filter({ hasText: 'Instructions' }).count(), 1);
  t.equal(await page.getByLabel('Instructions').inputValue(), 'Half of a sen');
  await leavePage(dashboard, page);
});

t.test('one workspace, one grant, one account, one call', skip, async (t) => {
  const { client, workspace_id } = dashboard;
  const query = { workspace_id };
  const page = await openPage(dashboard);
  const gone = () => untilClosed(page);
  await page.goto(addressOf(dashboard, 'workspaces?create=workspace'));
  await page.getByLabel('Name', { exact: true }).fill('Growth');
  await pressTwice(page, 'Make workspace', 'admin/workspaces');
  await gone();
  t.equal((await client.expect(200, 'listWorkspaces', {})).data
    .filter(({ name }) => name === 'Growth').length, 1);

  await page.goto(addressOf(dashboard, 'integrations/pets?tab=connections&connect=new'));
  await page.getByLabel('How it signs in').selectOption('bearer');
  await page.getByLabel('Token', { exact: true }).fill('a-secret');
  await pressTwice(page, 'Connect', 'admin/connections');
  await gone();
  t.equal((await client.expect(200, 'listConnections', { query })).data
    .filter(({ integration }) => integration === 'pets').length, 1);

  await page.goto(addressOf(dashboard, 'integrations/pets?tab=grants'));
  await button(page, 'Add grant').first().click();
  await loseAnswer(page, 'admin/grants');
  const add = page.getByRole('dialog').getByRole('button', { name: 'Add grant' });
  await add.click();
  await page.getByRole('alert').getByText(/The answer was 502/).first().waitFor();
  await add.click();
  await gone();
  const grants = (await client.expect(200, 'listGrants', { query })).data
    .filter(({ actions }) => actions.startsWith('pets.'));
  t.equal(grants.length, 1);
  await client.expect(204, 'deleteGrant', { path: { grant_id: grants[0]!.id } });

  await page.goto(addressOf(dashboard, 'integrations/pets?action=pets.pets.list'));
  const before = store.visits.length;
  await pressTwice(page, 'Call it', 'action_invocations');
  await page.getByRole('tree', { name: 'result' }).waitFor();
  t.equal(store.visits.length - before, 1);
  await leavePage(dashboard, page);
});

/** Until the request of before is over in the page, and what follows of it is drawn. */
async function untilOver(page: Page, place: RegExp): Promise<string> {
  const isIt = (one: Request) => one.method() === 'POST' && place.test(one.url());
  const name = await Promise.race(['requestfinished', 'requestfailed'].map(async (event) => {
    await page.waitForEvent(event as 'requestfailed', isIt);
    return event;
  }));
  await page.evaluate(`new Promise((resolve) => {
    let frames = 0;
    const draw = () => (frames++ < 20 ? requestAnimationFrame(draw) : resolve());
    draw();
  })`);
  return name;
}

t.test('who leaves during an import stays where they went', skip, async (t) => {
  const made = await dashboard.client.expect(200, 'getIntegration', { path: { slug: 'pets' } });
  const page = await openPage(dashboard);
  const answered = Promise.withResolvers<void>();
  await page.route('**/v1/admin/integrations', async (route) => {
    await answered.promise;
    await route.fulfill({ status: 201, json: made });
  });
  await page.goto(addressOf(dashboard, 'workspaces'));
  await page.getByRole('link', { name: 'Integrations', exact: true }).click();
  await button(page, 'Add integration').first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Address of an OpenAPI document').fill('https://pets.example/api.json');
  const asked = page.waitForRequest((one) => one.method() === 'POST');
  await dialog.getByRole('button', { name: 'Add integration' }).click();
  await asked;
  const over = untilOver(page, /\/integrations$/);
  await page.goBack();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Workspaces', exact: true }).click();
  await button(page, 'New workspace').click();
  await page.getByLabel('Name', { exact: true }).fill('Half of a na');
  answered.resolve();
  t.equal(await over, 'requestfailed', 'it is given up');
  t.equal(page.url(), addressOf(dashboard, 'workspaces?create=workspace'));
  t.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Half of a na');
  await leavePage(dashboard, page);
});

t.test('who leaves before a run or a session is made stays where they went', skip, async (t) => {
  const { client } = dashboard;
  const session_id = await newSession(client, 'Left');
  const run = await completeRun(client, session_id, 'What was asked?');
  const page = await openPage(dashboard);
  const dialog = page.getByRole('dialog', { name: 'Run again' });
  await page.goto(addressOf(dashboard, 'runs'));
  await page.getByRole('grid').getByRole('link').first().waitFor();
  await page.locator(`a[href$="${run.id}"]`).first().click();
  await button(page, 'Run again').click();
  let answer = await holdAnswer(page, 'POST', `sessions/${session_id}/runs`);
  await dialog.getByRole('button', { name: 'Run', exact: true }).click();
  await dialog.locator('[aria-busy=true]').waitFor();
  const closing = await dialog.getByRole('button', { name: 'Close', exact: true }).all();
  t.strictSame(await Promise.all(closing.map((one) => one.isDisabled())), [true, true]);
  await page.goBack();
  await untilHeading(page, 'Runs');
  let over = untilOver(page, /\/runs$/);
  answer();
  await over;
  t.equal(page.url(), addressOf(dashboard, 'runs'));

  await page.getByRole('link', { name: 'Sessions', exact: true }).click();
  answer = await holdAnswer(page, 'POST', 'sessions');
  await button(page, 'New session').first().click();
  await page.locator('button[aria-busy=true]').first().waitFor();
  await page.getByRole('link', { name: 'Runs', exact: true }).click();
  await untilHeading(page, 'Runs');
  over = untilOver(page, /\/sessions$/);
  answer();
  await over;
  t.equal(page.url(), addressOf(dashboard, 'runs'));
  await leavePage(dashboard, page);
});

t.test('a run ends before its cancel is answered: the screen gets the focus', skip, async (t) => {
  const { client } = dashboard;
  const run = await endlessRun(client, await newSession(client));
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, `runs/${run.id}`));
  await button(page, 'Cancel run').click();
  const answer = await holdAnswer(page, 'POST', `runs/${run.id}/cancel`);
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel run' }).click();
  await client.expect(200, 'cancelRun', { path: { run_id: run.id } });
  await page.getByText('as somebody asked for.').waitFor();
  t.equal(await page.evaluate('document.activeElement.ariaBusy'), 'true');
  answer();
  await untilTrue(page, 'document.activeElement === document.querySelector("main")');
  await leavePage(dashboard, page);
});

t.test('nothing failed, nothing was refused by the policy, nobody else was asked', skip,
  async (t) => {
    t.strictSame(dashboard.faults, []);
  });
