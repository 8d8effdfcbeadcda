/** Rows of lists, as what they are elsewhere: in another tab. */
import t from 'tap';
import { NO_CHROMIUM } from '../support/chromium.ts';
import { newSession } from '../support/runs.ts';
import { addressOf, dashboardFor, openPage, tableRows } from './support.ts';

const { skip, dashboard } = await dashboardFor(t);
let session_id = '';

if (!NO_CHROMIUM) {
  const { client, workspace_id } = dashboard;
  session_id = await newSession(client, 'New');
  await client.expect(201, 'createGrant', { body: {
    workspace_id, actions: 'gateway.connections.list', decision: 'require_approval' } });
  await client.expect(403, 'createActionInvocation',
    { body: { action: 'gateway.connections.list' } });
}

/** Where in a row there is no link. */
const BESIDE = { position: { x: 6, y: 4 } };

t.test('a row opens in another tab by Ctrl and by the middle button, as a link', skip,
  async (t) => {
    const { client, workspace_id } = dashboard;
    const { id: key_id } = await client.expect(201, 'createApiKey',
      { body: { workspace_id, name: 'opened elsewhere' } });
    const { data: [approval] } = await client.expect(200, 'listApprovals');
    const page = await openPage(dashboard);
    const rowOf = (words: string) => tableRows(page).filter({ hasText: words });
    for (const [screen, row, opens] of [
      ['sessions', rowOf('New'), `sessions/${session_id}`],
      ['keys?name=elsewhere', rowOf('opened'), `keys?name=elsewhere&key=${key_id}`],
      ['approvals?status=all', page.getByRole('option').first(),
        `approvals/${approval!.id}?status=all`],
    ] as const) {
      await page.goto(addressOf(dashboard, screen));
      for (const how of [{ modifiers: ['Control' as const] }, { button: 'middle' as const }]) {
        const opened = page.context().waitForEvent('page');
        await row.click({ ...BESIDE, ...how });
        const tab = await opened;
        await tab.waitForURL(addressOf(dashboard, opens));
        await tab.close();
        t.equal(page.url(), addressOf(dashboard, screen), 'and here nothing else is opened');
      }
    }
    await page.context().close();
  });

t.test('nothing failed, nothing was refused by the policy, nobody else was asked', skip,
  async (t) => {
    t.strictSame(dashboard.faults, []);
  });
