/** The pictures of the documentation: `make pictures` takes them anew. */
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import t from 'tap';
import { NO_CHROMIUM } from '../support/chromium.ts';
import { connectPets, petIntegration, startPetStore } from '../support/petStore.ts';
import { completeRun, endlessRun, newSession, queueRun } from '../support/runs.ts';
import { addressOf, openDashboard, openPage, picture, type Dashboard } from './support.ts';

t.setTimeout(400_000);
const FOLDER = process.env.SCREENSHOTS;
const skip = { skip: NO_CHROMIUM || (!FOLDER && 'no pictures were asked for: make pictures') };
const dashboard: Dashboard = skip.skip ? null! : await openDashboard(t);
const MOST_BYTES = 130_000;

t.test('pictures of the main screens', skip, async (t) => {
  mkdirSync(FOLDER!, { recursive: true });
  const run_id = await workOfADay(t);
  const page = await openPage(dashboard);
  const show = async (screen: string, name: string, seen: (page: Page) => Promise<void>) => {
    await page.goto(addressOf(dashboard, screen));
    await page.locator('h1').waitFor();
    await seen(page);
    // Fonts are there and nothing moves any more.
    await page.waitForLoadState('networkidle');
    await picture(page, name);
    const { size } = statSync(join(FOLDER!, `${name}.png`));
    t.ok(size < MOST_BYTES, `${name} has ${size} bytes`);
  };
  const grid = (of: Page) => of.getByRole('grid').first().waitFor();
  await show('overview', 'overview', (of) => of.getByText('Failures by code').waitFor());
  await show('runs', 'runs', grid);
  await show(`runs/${run_id}`, 'run', (of) => of.getByText('completed').first().waitFor());
  await show('approvals', 'approvals', async (of) => {
    await of.getByRole('option').first().waitFor();
    await of.keyboard.press('j');
    await of.getByRole('heading', { name: 'What leaves' }).waitFor();
  });
  await show('runs', 'palette', async (of) => {
    await grid(of);
    await of.keyboard.press('Control+k');
    await of.keyboard.type('pets');
    await of.getByRole('option', { name: /^pets\.pets\.list/ }).waitFor();
  });
  await page.context().close();
});

/** Runs of some sessions, done, failed, under way and waiting; answers one that made calls. */
async function workOfADay(t: Parameters<typeof startPetStore>[0]): Promise<string> {
  const { client, workspace_id, sql } = dashboard;
  const store = await startPetStore(t);
  await client.expect(201, 'createIntegration', { body: petIntegration(store) });
  await connectPets(client, workspace_id);
  for (const [actions, decision] of [['pets.*', 'allow'], ['pets.pets.create', 'require_approval'],
  ] as const) {
    await client.expect(201, 'createGrant', { body: { workspace_id, actions, decision } });
  }
  await sql`update workspaces set name = 'Pet store' where id = ${workspace_id}`;
  const titles = ['Morning report', 'Stock of the week', 'Questions of customers'];
  const sessions = await Promise.all(titles.map((title) => newSession(client, title)));
  const prompts = ['Which pets are there?', 'call pets.pets.list {}', '@rehearsal words=120',
    'Which sessions do I have?', '@rehearsal fail=model_error', '@rehearsal words=900'];
  for (const [at, text] of prompts.entries()) {
    await completeRun(client, sessions[at % sessions.length]!, text);
  }
  await completeRun(client, sessions[1]!, 'call pets.pets.create {"body": {"name": "Rex"}}');
  const { id } = await completeRun(client, sessions[0]!, 'Which pets are there?');
  await endlessRun(client, sessions[2]!);
  await queueRun(client, sessions[2]!, 'And which of them are dogs?');
  return id;
}
