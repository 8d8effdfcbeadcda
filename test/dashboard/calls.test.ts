/** The calls of actions: also those that applications make without a run are found, and told. */
import t from 'tap';
import { connectPets, petIntegration, startPetStore } from '../support/petStore.ts';
import { completeRun, newSession, OFFLINE } from '../support/runs.ts';
import {
  addressOf, dashboardFor, faultsOfSight, goByKey, leavePage, openPage, tableRows, untilHeading,
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
  await drawer.getByText('an application or a person').waitFor();
  await drawer.getByRole('tree', { name: 'whole result' }).waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await page.goBack();
  await drawer.waitFor({ state: 'detached' });
  t.strictSame(await faultsOfSight(page), []);
  t.strictSame(dashboard.faults, []);
  await leavePage(dashboard, page);
});

t.test('a call that waits for an approval says so, and leads to it', skip, async (t) => {
  const { client, workspace_id } = dashboard;
  await client.expect(201, 'createIntegration', { body: petIntegration(await startPetStore(t)) });
  await connectPets(client, workspace_id);
  await client.expect(201, 'createGrant', { body: {
    workspace_id, actions: 'pets.pets.list', decision: 'require_approval' } });
  await client.call('createActionInvocation', { body: { action: 'pets.pets.list' } });
  const { data: [approval] } = await client.expect(200, 'listApprovals');
  const { data: [call] } = await client.expect(200, 'listActionInvocations');
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'calls'));
  const row = tableRows(page).filter({ hasText: 'approval_required' });
  await row.getByText('asked for approval').waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await row.click();
  await page.waitForURL(addressOf(dashboard, `calls?call=${call!.invocation_id}`));
  const drawer = page.getByRole('dialog', { name: 'pets.pets.list' });
  await drawer.getByText('asked for approval').waitFor();
  await drawer.getByText('What the caller was told').waitFor();
  await client.expect(200, 'decideApproval',
    { path: { approval_id: approval!.id }, body: { decision: 'approve' } });
  await drawer.getByText('Call it again, exactly as it is.', { exact: true }).waitFor();
  await client.expect(201, 'createActionInvocation', { body: { action: 'pets.pets.list' } });
  await drawer.getByText('It was made by a later call.').waitFor();
  await drawer.getByRole('link', { name: 'Open the approval' }).click();
  await page.waitForURL(addressOf(dashboard, `approvals/${approval!.id}`));
  await leavePage(dashboard, page);
});

t.test('the name that somebody called is shown with its marks', skip, async (t) => {
  const { client } = dashboard;
  await client.call('createActionInvocation', { body: { action: 'pets.\u202eevil' } });
  const { data: [call] } = await client.expect(200, 'listActionInvocations');
  t.equal(call!.action, 'pets.\u202eevil');
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, `calls?call=${call!.invocation_id}`));
  await page.getByRole('dialog').getByRole('heading', { level: 2 }).first()
    .getByText('U+202E').waitFor();
  await leavePage(dashboard, page);
});

t.test('filters say what the address asks for, and ask for no half of an id', skip, async (t) => {
  const page = await openPage(dashboard);
  const left_faults = dashboard.faults.length;
  await page.goto(addressOf(dashboard, 'calls?source=console'));
  await page.getByRole('alert').waitFor();
  t.equal(await page.getByLabel('Made by').inputValue(), 'console');
  // The service has refused what it does not know.
  dashboard.faults.splice(left_faults);
  await page.goto(addressOf(dashboard, 'calls?id_prefix=inv'));
  await tableRows(page).filter({ hasText: 'gatehouse.sessions.list' }).waitFor();
  t.strictSame(dashboard.faults, []);
  await leavePage(dashboard, page);
});

t.test('a workspace without a call shows a command that makes one', skip, async (t) => {
  const { id } = await dashboard.client.expect(201, 'createWorkspace', { body: { name: 'New' } });
  const page = await openPage(dashboard);
  await page.goto(addressOf({ ...dashboard, workspace_id: id }, 'calls'));
  await page.getByText('bin/gatehouse actions invoke gatehouse.sessions.list').waitFor();
  t.strictSame(dashboard.faults, []);
  await leavePage(dashboard, page);
});

/** A text and its place, which may be too small for it. */
interface Cut {
  parentElement: Pick<Cut, 'getBoundingClientRect'> & { scrollWidth: number; clientWidth: number };
  getBoundingClientRect: () => { right: number };
}

t.test('beside what a call was given its name is whole', skip, async (t) => {
  const { client } = dashboard;
  const name = 'gateway.actions.search';
  const run = await completeRun(client, await newSession(client),
    `call ${name} {"query": "${'tickets that are late '.repeat(20)}"}`, OFFLINE);
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, `runs/${run.id}`));
  const line = page.getByRole('button', { name: new RegExp(`^${name}`) });
  await line.waitFor();
  const cut = () => line.getByText(name, { exact: true })
    .evaluate(({ parentElement: place }: Cut) => place.scrollWidth - place.clientWidth);
  t.equal(await cut(), 0);
  await page.setViewportSize({ width: 360, height: 800 });
  t.equal(await cut(), 0, 'on a phone');
  const took = (await line.innerText()).match(/[\d.,]+ (ms|s)$/m)![0];
  // In time there is less room: what tells it from others is its end.
  await page.goto(addressOf(dashboard, `runs/${run.id}?view=timeline`));
  await page.getByRole('row').filter({ hasText: name }).getByText(took, { exact: true }).waitFor();
  const hidden = await page.getByRole('treegrid').getByText(name, { exact: true })
    .evaluate((text: Cut) => text.getBoundingClientRect().right
      - text.parentElement.getBoundingClientRect().right);
  t.ok(hidden < 1, `${hidden} px of its end are out of sight`);
  await leavePage(dashboard, page);
});
