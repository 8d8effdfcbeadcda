/** What Ctrl K finds besides pages, runs and sessions: accounts and api keys, by words. */
import t from 'tap';
import { connectPets, petDocument } from '../support/petStore.ts';
import { addressOf, dashboardFor, openPage, untilClosed, untilHeading } from './support.ts';

const { skip, dashboard } = await dashboardFor(t);

t.test('accounts and keys are found by their names, and whose they are', skip, async (t) => {
  const { client, workspace_id } = dashboard;
  const { id: key } = await client.expect(201, 'createApiKey',
    { body: { workspace_id, name: 'the shop’s backend' } });
  await client.expect(201, 'createIntegration', { body: {
    slug: 'pets', kind: 'openapi', document: petDocument(), base_url: 'https://pets.example' } });
  const { id: account } = await connectPets(client, workspace_id,
    { name: 'Till', account_label: 'anna@shop.example' });
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'runs'));
  await untilHeading(page, 'Runs');
  const find = async (words: string, name: RegExp) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill(words);
    await page.getByRole('option', { name }).click();
  };
  await find('shop backend', /^the shop’s backend/);
  await page.waitForURL(addressOf(dashboard, `keys?key=${key}`));
  await page.getByRole('dialog', { name: 'the shop’s backend' }).waitFor();
  await page.keyboard.press('Escape');
  await untilClosed(page);
  await find('anna@shop', /^Till.*anna@shop/);
  await page.waitForURL(addressOf(dashboard,
    `integrations/pets?tab=connections&query=${account}`));
  await page.getByText('anna@shop.example').first().waitFor();
  t.strictSame(dashboard.faults, []);
  await page.context().close();
});
