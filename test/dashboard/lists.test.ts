/** Lists in the browser: filters by words, rows that leave, and changes of rows far down. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { NO_CHROMIUM } from '../support/chromium.ts';
import {
  addressOf, openDashboard, openPage, tableRows, type Dashboard,
} from './support.ts';

t.setTimeout(400_000);
const skip = { skip: NO_CHROMIUM };
const dashboard: Dashboard = NO_CHROMIUM ? null! : await openDashboard(t);

const rowOf = (page: Page, words: string) => tableRows(page).filter({ hasText: words });
const newKey = async (name: string) => await dashboard.client.expect(201, 'createApiKey',
  { body: { workspace_id: dashboard.workspace_id, name } });

t.test('a blank that is typed in a filter stays for the next word', skip, async (t) => {
  await newKey('another');
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'keys'));
  await rowOf(page, 'another').waitFor();
  await page.keyboard.press('/');
  await page.locator('[data-filter]:focus').waitFor();
  await page.keyboard.type('first ');
  await rowOf(page, 'another').waitFor({ state: 'detached' });
  t.equal(page.url(), addressOf(dashboard, 'keys?name=first'));
  await page.keyboard.type('key');
  await page.waitForURL(addressOf(dashboard, 'keys?name=first+key'));
  t.equal(await page.locator('[data-filter]').inputValue(), 'first key');
  await rowOf(page, 'first key').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await rowOf(page, 'another').waitFor();
  t.equal(await page.locator('[data-filter]').inputValue(), '');
  await page.context().close();
});

t.test('nothing failed, nothing was refused by the policy, nobody else was asked', skip,
  async (t) => {
    t.strictSame(dashboard.faults, []);
  });
