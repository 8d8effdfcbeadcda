/** The audit log: found by filters, read in full, verified, and taken along as a file. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import t from 'tap';
import { NO_CHROMIUM } from '../support/chromium.ts';
import type { Schemas } from '../support/client.ts';
import { readPages } from '../support/pages.ts';
import { untilSeen } from '../support/until.ts';
import {
  addressOf, dashboardFor, faultsOfSight, leavePage, openPage, picture, signIn, tableRows,
  untilTrue, watchedPage,
} from './support.ts';

const { skip, dashboard } = await dashboardFor(t, { anchor_interval_ms: 50 });
const HOSTILE = '<img src=x onerror="document.title=1"> \u202etxt.exe';
const MANY = 250;
if (!NO_CHROMIUM) await storeEntries();

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const drawer = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });

/** As the service appends them, so that the log stays whole. */
async function storeEntries(): Promise<void> {
  const { sql, workspace_id } = dashboard;
  const entry = (event: string, target: string, rest: object = {}) => JSON.stringify({
    workspace_id, actor: { type: 'person', id: 'ann@example.com' }, event, target, outcome: 'ok',
    reason: null, details: {}, request_id: null, ...rest });
  await sql`select append_audit(${[
    ...Array.from({ length: MANY }, (_, at) => entry('pets.counted', `pet ${at}`)),
    entry('run.created', 'run_01kagz3y0c2d4e6f8g0h2j4k6m'),
    entry('pets.renamed', HOSTILE, { outcome: 'failed', reason: HOSTILE,
      actor: { type: 'api_key', id: 'key_01kagz3y0c2d4e6f8g0h2j4k6m' },
      details: { text: HOSTILE, long: 'w'.repeat(10_000) }, request_id: 'req_of_pets' }),
  ]}::text[])`;
}

async function entries(query: Record<string, string> = {}): Promise<Schemas['AuditEntry'][]> {
  const { data } = await dashboard.client.expect(200, 'listAuditEntries',
    { query: { limit: 100, ...query } });
  return data;
}

t.test('filters are the address, and one entry is read in full', skip, async (t) => {
  const [renamed] = await entries({ event: 'pets.renamed' });
  const page = await openPage(dashboard);
  page.on('dialog', () => t.fail('a dialog opened'));
  await page.goto(addressOf(dashboard, 'audit'));
  await tableRows(page).filter({ hasText: 'pets.renamed' }).waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await picture(page, 'audit-light');
  await page.getByLabel('Actor').fill('key_01kagz3y0c2d4e6f8g0h2j4k6m');
  await page.waitForURL(/audit\?actor=key_\w+$/);
  await untilRows(page, 1);
  await page.getByRole('grid').focus();
  await page.keyboard.press('Enter');
  await drawer(page, 'pets.renamed').getByText(renamed!.hash).waitFor();
  t.match(page.url(), `entry=${renamed!.sequence_number}`);
  for (const words of ['req_of_pets', renamed!.created_at, 'failed']) {
    await drawer(page, 'pets.renamed').getByText(words, { exact: true }).first().waitFor();
  }
  t.equal(await drawer(page, 'pets.renamed').getByText('U+202E').count(), 3);
  t.equal(await page.locator('main img, [role=dialog] img').count(), 0);
  t.equal(await drawer(page, 'pets.renamed').getByRole('link', { name: /^key_/ })
    .getAttribute('href'), new URL(addressOf(dashboard, 'keys')).pathname
    + '?key=key_01kagz3y0c2d4e6f8g0h2j4k6m');
  t.strictSame(await faultsOfSight(page), []);
  await picture(page, 'audit-entry-dark');
  await page.keyboard.press('Escape');
  await drawer(page, 'pets.renamed').waitFor({ state: 'detached' });
  t.notMatch(page.url(), /entry=/);
  await leavePage(dashboard, page);
});

async function untilRows(page: Page, count: number): Promise<void> {
  await untilSeen(`${count} rows`, async () => await tableRows(page).count(),
    (seen) => seen === count);
}

t.test('an instant of a filter stays as it is until somebody changes it', skip, async (t) => {
  const context = await dashboard.browser.newContext({ timezoneId: 'Europe/Berlin' });
  await signIn(dashboard, context);
  const page = await watchedPage(dashboard, context);
  // In the night in which the clock is put back, 02:30 is twice.
  const [first, second] = ['2026-10-25T00:30:45.000Z', '2026-10-25T01:30:45.000Z'];
  const address = addressOf(dashboard, `audit?created_after=${first}&created_before=${second}`);
  await page.goto(address);
  const fields = page.locator('[type=datetime-local]');
  await fields.first().waitFor();
  for (const field of await fields.all()) {
    t.equal(await field.inputValue(), '2026-10-25T02:30');
    await field.focus();
    await field.press('Enter');
    await field.blur();
  }
  // What is changed elsewhere comes after what leaving the fields would have.
  await page.getByLabel('Event').fill('pets.renamed');
  await page.waitForURL(/event=pets.renamed/);
  const { searchParams } = new URL(page.url());
  t.strictSame([searchParams.get('created_after'), searchParams.get('created_before')],
    [first, second]);
  await fields.first().fill('2026-07-01T12:00');
  await page.waitForURL((url) =>
    url.searchParams.get('created_after') === '2026-07-01T10:00:00.000Z');
  await context.close();
});

t.test('an address shows an entry that is far from the first page', skip, async (t) => {
  const page = await openPage(dashboard, { width: 'phone' });
  await page.goto(addressOf(dashboard, 'audit?event=run.created&entry=3'));
  const [third] = await entries({ sequence_number: '3' });
  await drawer(page, third!.event).getByText(third!.hash).waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await page.keyboard.press('Escape');
  await tableRows(page).first().getByRole('link', { name: /^run_/ }).click();
  await page.waitForURL(/\/runs\/run_01kagz3y0c2d4e6f8g0h2j4k6m$/);
  await page.goto(addressOf(dashboard, 'audit?entry=999999999'));
  await page.getByText('There is no entry of this number.').waitFor();
  await page.goto(addressOf(dashboard, 'audit?target=nobody'));
  await page.getByText('No entry is like that').waitFor();
  await page.goto(addressOf(dashboard, 'audit?created_after=once&created_before=later'));
  await page.getByRole('alert').getByText('1 more: see details').waitFor();
  await page.getByRole('alert').getByRole('listitem').getByText(/^created_(after|before) /)
    .waitFor();
  await leavePage(dashboard, page);
});

t.test('one goes from entry to entry, and to all of a kind', skip, async (t) => {
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'audit'));
  await tableRows(page).filter({ hasText: 'pets.renamed' }).getByText('pets.renamed').click();
  const newer = page.getByRole('dialog').getByRole('button', { name: 'Newer' });
  // The drawer has taken the focus, and takes it from nobody later.
  await untilTrue(page, 'document.activeElement.closest("[role=dialog]") !== null');
  do await newer.press('Enter'); while (!await newer.isDisabled());
  await newer.press('Enter');
  t.equal(await page.evaluate('document.activeElement.textContent'), 'Newer');
  while (await drawer(page, 'pets.renamed').count() === 0) {
    await page.getByRole('dialog').getByRole('button', { name: 'Older' }).press('Enter');
  }
  await drawer(page, 'pets.renamed').getByRole('button', { name: 'Older' }).click();
  await drawer(page, 'run.created').getByRole('button', { name: 'Older' }).click();
  await drawer(page, 'pets.counted').getByRole('button', { name: 'All about it' }).click();
  await page.waitForURL(/audit\?target=pet\+249$/);
  await untilRows(page, 1);
  // Of those that the table has read, this is one of the last.
  const { workspace_id } = dashboard;
  const read = await entries({ workspace_id });
  const { sequence_number } = read.at(-2)!;
  await page.goto(addressOf(dashboard, `audit?entry=${sequence_number}`));
  for (let older = 1; older <= 4; older++) {
    await page.getByRole('dialog').getByRole('button', { name: 'Older' }).click();
    await page.waitForURL((url) => url.searchParams.get('entry') === `${sequence_number - older}`);
  }
  await leavePage(dashboard, page);
});

t.test('the chosen workspace comes first, with names; the rest is found', skip, async (t) => {
  const { client, workspace_id } = dashboard;
  const { id } = await client.expect(201, 'createWorkspace', { body: { name: 'Elsewhere' } });
  await client.expect(201, 'createApiKey', { body: { workspace_id, name: 'by name' } });
  const page = await openPage(dashboard, { width: 'wall' });
  await page.goto(addressOf(dashboard, 'audit'));
  const made = tableRows(page).filter({ hasText: 'by name' });
  await made.getByText('first token').waitFor();
  t.match(await made.getByText('by name').locator('xpath=ancestor::a').getAttribute('title'),
    /^key_/);
  t.equal(await tableRows(page).filter({ hasText: id }).count(), 0);
  await made.click();
  await page.getByRole('dialog').getByText('an admin token: first token · adm_').waitFor();
  await page.keyboard.press('Escape');
  // The drawer closes as Back does it, which would end whatever is opened meanwhile.
  await page.waitForURL(({ searchParams }) => !searchParams.has('entry'));
  await page.goto(addressOf(dashboard, `audit?target=${id}`));
  await page.getByText('No entry is like that').waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await button(page, 'Look in all entries').click();
  await page.waitForURL(/scope=all/);
  await tableRows(page).filter({ hasText: id }).first().waitFor();
  t.equal(await page.getByLabel('Entries').inputValue(), 'all');
  await leavePage(dashboard, page);
});

t.test('it is verified, against an anchor too, and what is broken is named', skip, async (t) => {
  const { client, sql } = dashboard;
  const { latest_anchor } = await untilSeen('an anchor', async () =>
    await client.expect(200, 'verifyAuditLog'), (seen) => seen.latest_anchor !== null);
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'audit'));
  await page.getByRole('button', { name: 'Verify' }).click();
  const dialog = page.getByRole('dialog', { name: 'Verify the audit log' });
  const field = dialog.getByLabel('An anchor that was kept elsewhere');
  await field.fill('no anchor');
  await dialog.getByRole('button', { name: 'Verify' }).click();
  await dialog.getByText('This is no anchor.').waitFor();
  await field.fill(latest_anchor!);
  await dialog.getByRole('button', { name: 'Verify' }).click();
  await dialog.getByText('It holds what the given anchor says.').waitFor();
  await dialog.getByText('The audit log is whole').waitFor();
  await dialog.getByText('The newest anchor: keep it').waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await sql.unsafe(`alter table audit_entries disable trigger user;
    update audit_entries set entry = replace(entry, 'pet 7"', 'pet 8"')
      where entry like '%"pet 7"%';
    alter table audit_entries enable trigger user`);
  await dialog.getByRole('button', { name: 'Verify again' }).click();
  await dialog.getByText('The audit log is broken').waitFor();
  await dialog.getByText(/^Entry \d+ does not fit\. Everything before it does\.$/).waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await leavePage(dashboard, page);
});

t.test('what is filtered is taken along, to the last entry', skip, async (t) => {
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'audit?event=pets.counted'));
  await page.getByRole('button', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export the audit log' });
  await dialog.getByText('event: pets.counted').waitFor();
  const coming = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Export' }).click();
  await dialog.getByText(`Saved: ${MANY} entries`).waitFor();
  const download = await coming;
  t.match(download.suggestedFilename(), /^audit-[\dT-]+Z\.jsonl$/);
  const lines = (await readFile(await download.path(), 'utf8')).split('\n');
  t.equal(lines.pop(), '', 'each line has its end');
  const wanted = (await readPages(dashboard.client, 'listAuditEntries',
    { event: 'pets.counted', order: 'asc', limit: 100 })).flat();
  const exported = lines.map((line) => JSON.parse(line) as Schemas['AuditEntry']);
  t.strictSame(exported.map(({ sequence_number }) => String(sequence_number)), wanted.map(String));
  const last = exported.at(-1)!;
  t.strictSame(last, (await entries({ sequence_number: String(last.sequence_number) }))[0]);
  t.strictSame(await faultsOfSight(page), []);
  await page.keyboard.press('Escape');

  // One that breaks goes on from there; one that is given up leaves no file.
  let is_broken = true;
  await page.route(/cursor=/, async (route) => {
    const json = { error: 'Broken', code: 'internal_error' };
    if (is_broken) await route.fulfill({ status: 500, json });
    else await route.continue();
  });
  await page.getByRole('button', { name: 'Export' }).click();
  await dialog.getByRole('button', { name: 'Export' }).click();
  await dialog.getByText('It stopped after 100 entries').waitFor();
  await dialog.getByText('Broken').waitFor();
  is_broken = false;
  const next = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Go on' }).click();
  await dialog.getByText(`Saved: ${MANY} entries`).waitFor();
  t.equal(await readFile(await (await next).path(), 'utf8'), [...lines, ''].join('\n'));
  await page.keyboard.press('Escape');
  page.on('download', () => t.fail('a file of what was given up'));
  const asked = Promise.withResolvers<void>();
  await page.route(/cursor=/, () => asked.resolve());
  await page.getByRole('button', { name: 'Export' }).click();
  await dialog.getByRole('button', { name: 'Export' }).click();
  await asked.promise;
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  await leavePage(dashboard, page);
});

t.test('nothing failed, nothing was refused by the policy, nobody else was asked', skip,
  async (t) => {
    t.strictSame(dashboard.faults, []);
  });
