/** A connection that says nothing any more, as after a sleep or in another network, is given up. */
import { connect, createServer, type Socket } from 'node:net';
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { listen } from '../support/listen.ts';
import { completeRun, endlessRun, newSession } from '../support/runs.ts';
import { untilSeen } from '../support/until.ts';
import { addressOf, dashboardFor, openPage, tableRows, type Dashboard } from './support.ts';

const { skip, dashboard } = await dashboardFor(t);

/** Longer than an answer may keep silent; see src/dashboard/data/reach.ts. */
const SILENT = '00:50';

/** A page whose clock can be put forward. */
async function openTimed(at: Dashboard, screen: string): Promise<Page> {
  const page = await openPage(at);
  await page.clock.install();
  await page.goto(addressOf(at, screen));
  return page;
}

/** Lets requests to this place hang until what is answered is called. */
async function swallow(page: Page, place: string): Promise<() => Promise<void>> {
  const hang = () => {};
  await page.route(place, hang);
  return async () => await page.unroute(place, hang);
}

/** A way to the service whose connections can all be silenced; those made later are well. */
async function silentProxy(t: Test, origin: string): Promise<{ url: string; silence(): void }> {
  const { hostname, port } = new URL(origin);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const service = connect(Number(port), hostname);
    for (const socket of [client, service]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => [client, service].forEach((one) => one.destroy()));
    }
    client.pipe(service).pipe(client);
  });
  return {
    url: `http://127.0.0.1:${await listen(t, server)}`,
    silence() {
      for (const socket of sockets) socket.unpipe().pause();
    },
  };
}

t.test('a list goes on, and so does the look whether the node is well', skip, async (t) => {
  const { client } = dashboard;
  const session_id = await newSession(client);
  await completeRun(client, session_id, 'The first');
  const page = await openTimed(dashboard, 'runs');
  await tableRows(page).first().waitFor();
  const comeBack = [await swallow(page, '**/v1/**'), await swallow(page, '**/readyz')];
  await page.waitForRequest('**/v1/runs?*');
  await page.clock.fastForward(SILENT);
  await page.getByRole('alert').getByText(/The service does not answer/).waitFor();
  await page.waitForRequest('**/readyz');
  await completeRun(client, session_id, 'The second');
  for (const one of comeBack) await one();
  // The look that was swallowed is given up, and the next one finds the node.
  await page.clock.fastForward(SILENT);
  await page.getByRole('button', { name: '1 new' }).waitFor();
  await page.getByRole('alert').waitFor({ state: 'detached' });
  t.equal(await tableRows(page).count(), 1);
  await page.context().close();
});

t.test('a run that was followed is followed on', skip, async (t) => {
  const { client } = dashboard;
  const run = await endlessRun(client, await newSession(client));
  const proxy = await silentProxy(t, dashboard.origin);
  const page = await openTimed({ ...dashboard, origin: proxy.url }, `runs/${run.id}`);
  await page.getByText('live', { exact: true }).waitFor();
  proxy.silence();
  await client.expect(200, 'cancelRun', { path: { run_id: run.id } });
  // The browser keeps several connections, all of them dead: it meets one after the other. In
  // small steps: a slow machine needs several looks until those that are well have answered.
  const seen = await untilSeen('the end of the run', async () => {
    await page.clock.fastForward('00:10');
    return await page.locator('main header').innerText();
  }, (words) => words.includes('cancelled'));
  t.match(seen, /cancelled/);
  await page.context().close();
});

t.test('an answer that was long on its way does not set the clock', skip, async (t) => {
  const { client } = dashboard;
  await completeRun(client, await newSession(client), 'Just now');
  const page = await openTimed(dashboard, 'sessions');
  const age = tableRows(page).first().locator('time').first();
  await age.waitFor();
  // They leave the service, and the computer sleeps before they are read.
  await page.route('**/v1/**', async (route) => {
    const answer = await route.fetch();
    await page.clock.fastForward('00:06');
    const date = new Date(0).toUTCString();
    await route.fulfill({ response: answer, headers: { ...answer.headers(), date } });
  });
  // Once the second is there, the first was read.
  for (let read = 0; read < 2; read++) await page.waitForResponse(/\/v1\/sessions\?/);
  t.notMatch(await age.textContent(), /^in /);
  await page.unrouteAll({ behavior: 'wait' });
  await page.context().close();
});

t.test('nothing failed, nothing was refused by the policy, nobody else was asked', skip,
  async (t) => {
    t.strictSame(dashboard.faults, []);
  });
