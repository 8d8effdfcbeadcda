/** Sessions: prompts and what comes of them, live, in two tabs, long, hostile, refused. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { NO_CHROMIUM } from '../support/chromium.ts';
import { connectTo, heldAction, testSource } from '../support/actions.ts';
import { completeRun, ENDLESS, newSession, OFFLINE, queueRun } from '../support/runs.ts';
import {
  addressOf, dashboardFor, faultsOfSight, leavePage, openPage, picture, untilTrue, watchedPage,
} from './support.ts';

const HOSTILE = '<img src=x onerror="document.title=1"><script>alert(1)</script>\n\n'
  + '[press me](javascript:alert(1)) [data](data:text/html,<script>alert(2)</script>)'
  + ' ![p](https://evil.example/p.png) [good](https://good.example/)\n\n'
  + '<iframe src="https://evil.example"></iframe> \u202eevil\u200b\u001b[31mred';
const held = [heldAction(), heldAction()] as const;

const { skip, dashboard } = await dashboardFor(t, { sources: [
  testSource('lab', {
    say: { perform: async () => HOSTILE }, ask: { perform: async () => 'asked' },
    first: held[0].action, second: held[1].action,
  }),
] });
if (!NO_CHROMIUM) await connectTo(dashboard.sql, dashboard.workspace_id, 'lab');

const turns = (page: Page) => page.locator('[data-turn]');
const prompt = (page: Page) => page.getByRole('textbox', { name: 'Prompt' });
const openSession = async (page: Page, session_id: string, search = '') => {
  await page.goto(addressOf(dashboard, `sessions/${session_id}${search}`));
  await page.getByRole('region', { name: 'Conversation' }).waitFor();
};

t.test('a session is made, named and asked in by keyboard alone', skip, async (t) => {
  const { client } = dashboard;
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'sessions'));
  await page.getByText('No sessions yet').waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await page.getByRole('button', { name: 'New session' }).first().press('Enter');
  await page.getByText('Nothing was asked yet').waitFor();
  await page.keyboard.type('call gateway.connections.list');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('@rehearsal delay_ms=1');
  await page.reload();
  t.equal(await prompt(page).inputValue(),
    'call gateway.connections.list\n@rehearsal delay_ms=1', 'the draft is there');
  await prompt(page).press('Enter');
  await turns(page).getByText('completed').last().waitFor();
  await turns(page).getByText('lab · connected').waitFor();
  t.equal(await prompt(page).inputValue(), '');
  await page.getByRole('heading', { name: 'call gateway.connections.list', level: 1 }).waitFor();
  t.pass('it is named after the first prompt');
  await page.locator('summary').press('Enter');
  await page.getByRole('tree', { name: 'result' }).waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await picture(page, 'session-light');

  const { data: [run] } = await client.expect(200, 'listRuns');
  t.match(run, { source: 'console', status: 'completed' });
  await page.getByRole('button', { name: 'Rename' }).press('Enter');
  await page.getByLabel('Title').fill('Connections');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Connections', level: 1 }).waitFor();
  const { data: entries } = await client.expect(200, 'listAuditEntries');
  t.match(entries.find(({ event }) => event === 'session.changed'), { actor: { type: 'admin' } });
  await page.getByRole('link', { name: 'Open the run' }).press('Enter');
  await page.waitForURL(addressOf(dashboard, `runs/${run!.id}`));
  await leavePage(dashboard, page);
});

t.test('a title is cut between two characters, also where one has two halves', skip, async (t) => {
  const session_id = await newSession(dashboard.client);
  const page = await openPage(dashboard);
  await openSession(page, session_id);
  const title = `${'a'.repeat(78)}\u{1f984}…`;
  await prompt(page).fill(`${'a'.repeat(78)}\u{1f984}\u{1f984}\u{1f984}`);
  await prompt(page).press('Enter');
  await page.getByRole('heading', { level: 1, name: /^a{78}/ }).waitFor();
  t.match(await dashboard.client.expect(200, 'getSession', { path: { session_id } }), { title });
  await leavePage(dashboard, page);
});

t.test('what is typed while a prompt is sent stays', skip, async (t) => {
  const session_id = await newSession(dashboard.client, 'In haste');
  const page = await openPage(dashboard);
  await openSession(page, session_id);
  for (const [sent, typed, left] of [['first', 'first\nand then', 'and then'],
    ['second', 'another', 'another']] as const) {
    const answered = Promise.withResolvers<void>();
    await page.route('**/v1/sessions/*/runs', async (route) => {
      await answered.promise;
      await route.continue();
    }, { times: 1 });
    const asked = page.waitForRequest((one) => /\/runs$/.test(one.url()));
    await prompt(page).fill(sent);
    await prompt(page).press('Enter');
    await asked;
    await prompt(page).fill(typed);
    answered.resolve();
    await turns(page).getByText(sent, { exact: true }).waitFor();
    await page.locator('button:not([aria-busy=true])').getByText(/^(Send|Queue)$/).waitFor();
    t.equal(await prompt(page).inputValue(), left);
    await page.reload();
    t.equal(await prompt(page).inputValue(), left, 'it is the draft');
  }
  await leavePage(dashboard, page);
});

t.test('two tabs see the same: calls as they are made, what waits, what is stopped', skip,
  async (t) => {
    const { client } = dashboard;
    const session_id = await newSession(client, 'Shared');
    const page = await openPage(dashboard);
    const tab = await watchedPage(dashboard, page.context());
    await Promise.all([openSession(page, session_id), openSession(tab, session_id)]);
    await prompt(page).fill('call lab.test.first');
    await prompt(page).press('Enter');
    await held[0].begun;
    for (const one of [page, tab]) {
      await one.bringToFront();
      await turns(one).locator('summary', { hasText: 'lab.test.first' }).getByText('running')
        .waitFor();
    }
    await prompt(tab).fill(ENDLESS);
    await tab.getByRole('button', { name: 'Queue' }).click();
    await page.bringToFront();
    await turns(page).nth(1).getByText('queued').waitFor();
    t.strictSame(await faultsOfSight(page), []);
    held[0].release();
    for (const one of [page, tab]) {
      await one.bringToFront();
      await turns(one).first().getByText('returned this').waitFor();
      await turns(one).first().getByText(/\d tokens$/).waitFor();
      await turns(one).nth(1).getByText('running').waitFor();
    }
    await tab.getByRole('button', { name: 'Stop' }).click();
    for (const one of [tab, page]) {
      await one.bringToFront();
      await turns(one).nth(1).getByText('cancelled').waitFor();
      await one.getByRole('button', { name: 'Send' }).waitFor();
    }
    t.equal(await page.getByRole('button', { name: 'Stop' }).count(), 0);
    const text = async (one: Page) => (await turns(one).first().innerText())
      .replace(/.* ago|now/g, '');
    t.equal(await text(page), await text(tab));
    const live = await text(page);
    await page.reload();
    // What a run took is read beside its messages, and may come after them.
    await turns(page).first().getByText(/\d tokens$/).waitFor();
    t.equal(await text(page), live, 'as it came, and as it is stored');
    await leavePage(dashboard, page);
  });

t.test('a prompt that waits is taken back', skip, async (t) => {
  const { client } = dashboard;
  const session_id = await newSession(client);
  await queueRun(client, session_id, 'call lab.test.second', OFFLINE);
  await held[1].begun;
  const page = await openPage(dashboard, { width: 'phone', theme: 'dark' });
  await openSession(page, session_id);
  await turns(page).getByText('running').first().waitFor();
  await prompt(page).fill('never mind');
  await page.getByRole('button', { name: 'Queue' }).click();
  const cancel = page.getByRole('button', { name: 'Cancel the run: never mind', exact: true });
  await page.getByRole('link', { name: 'Open the run: never mind', exact: true }).waitFor();
  await cancel.click();
  await turns(page).nth(1).getByText('cancelled').waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await page.goto(addressOf(dashboard, 'sessions'));
  await page.getByRole('row', { name: new RegExp(session_id) }).getByText('running').waitFor();
  t.strictSame(await faultsOfSight(page), []);
  held[1].release();
  await page.getByRole('row', { name: new RegExp(session_id) }).getByText('active', { exact: true })
    .waitFor();
  await leavePage(dashboard, page);
});

t.test('what a model says is text: live, and as it is stored', skip, async (t) => {
  const { client } = dashboard;
  const session_id = await newSession(client, HOSTILE.slice(0, 190));
  const page = await openPage(dashboard);
  page.on('dialog', () => t.fail('a dialog opened'));
  await openSession(page, session_id);
  await prompt(page).fill(`${'long '.repeat(13_000)}<script>alert(3)</script>`);
  await page.getByRole('button', { name: 'Send' }).click();
  await turns(page).getByText('completed').last().waitFor();
  await prompt(page).fill('call lab.test.say');
  await prompt(page).press('Enter');
  for (const how of ['live', 'stored']) {
    await turns(page).nth(1).getByText('returned this text').waitFor();
    await turns(page).nth(1).getByText('onerror="document.title=1"').waitFor();
    await turns(page).nth(1).getByText('<iframe').first().waitFor();
    await turns(page).nth(1).locator('a[target]').first().waitFor();
    t.equal(await page.locator('main :is(img, script, iframe)').count(), 0, how);
    const links = await turns(page).nth(1).locator('a[target]')
      .evaluateAll((found) => found.map((one) => (one as unknown as { href: string }).href));
    t.strictSame(links, ['https://good.example/'], `${how}: no other link`);
    await page.reload();
  }
  await page.getByRole('button', { name: 'Show all 65,025 characters' }).click();
  await page.getByText('<script>alert(3)</script>').waitFor();
  t.notMatch(await page.title(), /^1/);
  t.strictSame(await faultsOfSight(page), []);
  await leavePage(dashboard, page);
});

t.test('a call that waits for a person leads to its approval', skip, async () => {
  const { client, workspace_id } = dashboard;
  await client.expect(201, 'createGrant', { body: {
    workspace_id, actions: 'lab.test.ask', decision: 'require_approval' } });
  const session_id = await newSession(client, 'Waits');
  await completeRun(client, session_id, 'call lab.test.ask', OFFLINE);
  const page = await openPage(dashboard);
  await openSession(page, session_id);
  const call = turns(page).locator('summary', { hasText: 'lab.test.ask' });
  await call.getByText('asked for approval').waitFor();
  await call.press('Enter');
  await turns(page).getByRole('link', { name: 'Open the approval' }).press('Enter');
  const { data: [approval] } = await client.expect(200, 'listApprovals');
  await page.waitForURL(addressOf(dashboard, `approvals/${approval!.id}`));
  await page.getByRole('heading', { name: 'ask', exact: true }).waitFor();
  await leavePage(dashboard, page);
});

t.test('a long conversation is read upwards, and nothing jumps', skip, async (t) => {
  const { client } = dashboard;
  const session_id = await newSession(client, 'Long');
  const runs: string[] = [];
  for (let nth = 0; nth < 56; nth++) {
    const run = await completeRun(client, session_id, `@rehearsal words=${20 + nth}`, OFFLINE);
    runs.push(run.id);
  }
  const page = await openPage(dashboard);
  await openSession(page, session_id);
  await turns(page).getByText('@rehearsal words=75').waitFor();
  const last = turns(page).last();
  await untilTrue(page, AT_END);
  t.ok(await turns(page).count() < 56, 'the newest alone are read');
  await page.getByRole('region', { name: 'Conversation' }).evaluate(TO_TOP);
  const seen = turns(page).filter({ hasText: 'words=27' });
  const before = (await seen.boundingBox())!.y;
  await turns(page).getByText('@rehearsal words=20').waitFor();
  t.equal(await turns(page).count(), 56);
  const moved = Math.abs((await seen.boundingBox())!.y - before);
  t.ok(moved < 1, `what was in sight moved by ${moved} px`);
  await prompt(page).fill('a');
  await dashboard.browser.startTracing(page, { categories: ['devtools.timeline'] });
  await page.keyboard.type('bc');
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))');
  const trace = JSON.parse(String(await dashboard.browser.stopTracing())) as {
    traceEvents: { name: string; args: { elementCount?: number } }[] };
  const styled = trace.traceEvents.filter(({ name }) => name === 'UpdateLayoutTree')
    .map(({ args }) => args.elementCount ?? 0);
  t.ok(styled.length > 0 && Math.max(...styled) < 200,
    `so many elements are styled for a letter: ${styled}`);
  await completeRun(client, session_id, 'and one more', OFFLINE);
  await turns(page).getByText('and one more', { exact: true }).waitFor();
  t.ok(Math.abs((await seen.boundingBox())!.y - before) < 1, 'nor does what is new move it');
  await page.getByRole('button', { name: 'To the newest' }).press('Enter');
  await untilTrue(page, AT_END);
  // The browser tells of a place that was scrolled to when there may be more behind it already.
  await page.evaluate(`(() => {
    const region = document.querySelector('main [role=region]');
    region.firstElementChild.append(Object.assign(document.createElement('p'),
      { style: 'height: 300px' }));
    region.dispatchEvent(new Event('scroll'));
  })()`);
  await untilTrue(page, AT_END);
  await openSession(page, session_id, `?run=${runs[1]}`);
  await page.locator(`[data-turn="${runs[1]}"]`).waitFor();
  await untilTrue(page, `Math.abs(document.querySelector('[data-turn="${runs[1]}"]')
    .getBoundingClientRect().top - document.querySelector('main [role=region]')
    .getBoundingClientRect().top) < 2`);
  t.ok(await last.isVisible());
  await leavePage(dashboard, page);
});

t.test('earlier messages that fail are asked for once', skip, async (t) => {
  const { client } = dashboard;
  const session_id = await newSession(client, 'Broken');
  await completeRun(client, session_id, '@rehearsal words=2', OFFLINE);
  const page = await openPage(dashboard);
  await page.route('**/v1/sessions/*', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ json: { ...await answer.json(), messages_next_cursor: 'more' } });
  });
  let asked = 0;
  await page.route('**/v1/sessions/*/messages?*', async (route) => {
    asked++;
    await route.fulfill({ status: 500, json: { error: 'It broke.', code: 'internal_error' } });
  });
  await openSession(page, session_id, '?run=run_0');
  await page.getByRole('alert').getByText('It broke.').waitFor();
  await page.evaluate(`new Promise((resolve) => {
    let frames = 0;
    const draw = () => (frames++ < 20 ? requestAnimationFrame(draw) : resolve());
    draw();
  })`);
  t.equal(asked, 1);
  await leavePage(dashboard, page);
});

const AT_END = `(() => {
  const { scrollHeight, scrollTop, clientHeight } = document.querySelector('main [role=region]');
  return scrollHeight > clientHeight && scrollHeight - scrollTop - clientHeight < 2;
})()`;
/** To where the beginning of what is read comes into sight. */
const TO_TOP = (region: unknown) => {
  (region as { scrollTop: number }).scrollTop = 20;
};

t.test('refusals are told as the API tells them, and the prompt stays', skip, async (t) => {
  const { client, workspace_id } = dashboard;
  const session_id = await newSession(client, 'Refused');
  await client.expect(200, 'updateWorkspace',
    { path: { workspace_id }, body: { allowed_models: ['rehearsal', 'openai/*'] } });
  const page = await openPage(dashboard);
  await openSession(page, session_id);
  await prompt(page).fill('Which sessions are there?');
  await page.getByLabel('Model').fill('anthropic/unknown');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('alert').getByText(/The model "anthropic\/unknown"/).waitFor();
  t.equal(await page.getByLabel('Model').getAttribute('aria-invalid'), 'true');
  t.equal(await prompt(page).inputValue(), 'Which sessions are there?');
  t.strictSame(await faultsOfSight(page), []);
  await client.expect(200, 'updateWorkspace', { path: { workspace_id },
    body: { allowed_models: ['rehearsal'], limits: { max_total_tokens_per_day: 1 } } });
  await page.reload();
  await page.locator('select').and(page.getByLabel('Model')).selectOption('rehearsal');
  await prompt(page).press('Enter');
  await turns(page).getByRole('alert').getByText('budget_exceeded').waitFor();
  await turns(page).getByText('failed').waitFor();
  await client.expect(200, 'updateWorkspace', { path: { workspace_id }, body: { limits: {} } });
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Archive' }).click();
  await page.getByText('The session is archived: it takes no prompts.').waitFor();
  t.equal(await prompt(page).count(), 0);
  t.strictSame(await faultsOfSight(page), []);
  await page.getByRole('button', { name: 'Make it active again' }).click();
  await prompt(page).waitFor();
  await leavePage(dashboard, page);
});

t.test('a session of a blank title has a name, and a link that is seen', skip, async (t) => {
  const session_id = await newSession(dashboard.client, ' \u200b ');
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'sessions'));
  const link = page.getByRole('link', { name: `Untitled session · ${session_id}` });
  await link.waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await link.click();
  await page.getByRole('heading', { name: 'Untitled session', level: 1 }).waitFor();
  await leavePage(dashboard, page);
});

t.test('viewers read; words and ids find sessions', skip, async (t) => {
  const page = await openPage(dashboard, { role: 'viewer' });
  await page.goto(addressOf(dashboard, 'sessions'));
  await page.getByText('Asking an agent needs the role operator.').waitFor();
  t.equal(await page.getByRole('button', { name: 'New session' }).count(), 0);
  await page.getByLabel('Search').fill('share');
  await page.waitForURL(addressOf(dashboard, 'sessions?query=share'));
  await page.getByText('Long').waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Shared' }).click();
  await page.getByText('Asking the agent needs the role operator.').waitFor();
  t.equal(await prompt(page).count(), 0);
  t.equal(await page.getByRole('button', { name: 'Rename' }).count(), 0);
  t.strictSame(await faultsOfSight(page), []);
  await page.goto(addressOf(dashboard, 'sessions/ses_unknown'));
  await page.getByRole('alert').getByText(/not_found · req_/).waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await leavePage(dashboard, page);
});

t.test('nothing failed, nothing was refused by the policy, nobody else was asked', skip,
  async (t) => {
    t.strictSame(dashboard.faults, []);
  });
