/** The calls of actions: also those that applications make without a run are found, and told. */
import t from 'tap';
import {
  addressOf, dashboardFor, faultsOfSight, goByKey, openPage, tableRows, untilHeading,
} from './support.ts';

const { skip, dashboard } = await dashboardFor(t);

t.test('what one direct call did is found', skip, async (t) => {
  const { client } = dashboard;
  const made = await client.expect(201, 'createActionInvocation',
    { body: { action: 'gatehouse.sessions.list' } });
  await client.expect(404, 'createActionInvocation', { body: { action: 'pets.pets.list' } });
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'runs'));
  await untilHeading(page, 'Runs');
  await goByKey(page, 'c', 'Calls');
  await tableRows(page).filter({ hasText: 'pets.pets.list' }).getByText('unknown_action').waitFor();
  await tableRows(page).filter({ hasText: 'gatehouse.sessions.list' }).click();
  await page.waitForURL(addressOf(dashboard, `calls?call=${made.invocation_id}`));
  const drawer = page.getByRole('dialog', { name: 'gatehouse.sessions.list' });
  await drawer.getByText('an application').waitFor();
  await drawer.getByRole('tree', { name: 'whole result' }).waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await page.goBack();
  await drawer.waitFor({ state: 'detached' });
  t.strictSame(await faultsOfSight(page), []);
  t.strictSame(dashboard.faults, []);
  await page.context().close();
});
