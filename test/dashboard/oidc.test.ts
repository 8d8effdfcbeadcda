/** Signing in by an identity provider, pressed in the browser: there, and back to where one was. */
import type { Page } from 'playwright-core';
import t from 'tap';
import { startOAuthServer } from '../support/oauthServer.ts';
import {
  addressOf, dashboardFor, faultsOfSight, leavePage, openPage, picture, untilHeading, watchedPage,
} from './support.ts';

const HOSTILE = '<img src=x onerror=alert(1)>';
const CLIENT_ID = 'gatehouse';
const provider = await startOAuthServer(t);
// By another name than the dashboard: for the browser it is another site, whose pages get no
// cookie that is for the same site alone. The provider of a real service is another one as well.
const issuer = provider.issuer.url!;
/** What the token of the next sign-in says besides the usual. */
let said: Record<string, unknown> = {};
provider.service.on('beforeTokenSigning', (token: { payload: Record<string, unknown> }) => {
  Object.assign(token.payload, { sub: 'johndoe', aud: CLIENT_ID }, said);
});
provider.service.on('beforeUserinfo', (answer: { body: unknown }) => {
  answer.body = { sub: said.sub ?? 'johndoe' };
});

const { skip, dashboard } = await dashboardFor(t, { config: {
  concurrency: 0, oidc_issuer: issuer, oidc_client_id: CLIENT_ID, oidc_client_secret: 'the-secret',
  oidc_admins: 'ada@example.com', oidc_operators: 'bea@example.com' } });
const ADA = { email: 'ada@example.com', email_verified: true, name: `Ada ${HOSTILE}` };

const button = (page: Page) => page.getByRole('button', { name: /^Sign in with / });
const cookies = async (page: Page) => (await page.context().cookies())
  .filter(({ name }) => name.startsWith('gatehouse'));

t.test('the button leads there, and back to the address that was asked for', skip, async (t) => {
  said = ADA;
  const page = await openPage(dashboard, { is_signed_in: false });
  const begun = page.waitForRequest((request) => request.url().includes('/dashboard/oidc?'));
  const wanted = addressOf(dashboard, 'runs?status=failed&words=a%26b+%23c');
  await page.goto(wanted);
  await untilHeading(page, 'Sign in to Gatehouse');
  await page.getByRole('button', { name: `Sign in with ${new URL(issuer).host}` }).waitFor();
  t.strictSame(await faultsOfSight(page), []);
  await picture(page, 'sign-in-oidc');
  await button(page).press('Enter');
  await untilHeading(page, 'Runs');
  const { pathname, search } = new URL(wanted);
  t.equal(new URL((await begun).url()).searchParams.get('return_to'), pathname + search);
  t.equal(page.url(), wanted);
  await page.getByText(ADA.name).waitFor();
  t.match(await cookies(page), [{ name: /^gatehouse_dashboard/, httpOnly: true,
    sameSite: 'Strict' }]);
  t.equal((await cookies(page)).length, 1, 'what was kept for the way is gone');
  t.strictSame(await faultsOfSight(page), []);
  const { data: [entry] } = await dashboard.client.expect(200, 'listAuditEntries',
    { query: { event: 'dashboard_session.created' } });
  t.match(entry, { actor: { type: 'person', id: 'ada@example.com' } });

  await page.getByRole('button', { name: 'Theme and sign out' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await untilHeading(page, 'Sign in to Gatehouse');
  await button(page).click();
  await untilHeading(page, 'Runs');
  t.equal(page.url(), wanted, 'also by whoever has just signed out');
  await leavePage(dashboard, page);
});

t.test('other tabs see who has signed in', skip, async (t) => {
  said = ADA;
  const page = await openPage(dashboard, { is_signed_in: false });
  const tab = await watchedPage(dashboard, page.context());
  for (const each of [page, tab]) {
    await each.goto(addressOf(dashboard, 'runs'));
    await untilHeading(each, 'Sign in to Gatehouse');
  }
  await button(page).click();
  for (const each of [page, tab]) await each.getByText(ADA.name).waitFor();
  said = { ...ADA, sub: 'bea', name: 'Bea', email: 'bea@example.com' };
  await page.goto(`${dashboard.origin}/dashboard/oidc`);
  for (const each of [page, tab]) await each.getByText('Bea', { exact: true }).waitFor();
  t.equal(tab.url(), addressOf(dashboard, 'runs'));
  await page.context().close();
});

t.test('who has to sign in again does so in another tab, and goes on in this one', skip,
  async (t) => {
    said = ADA;
    const { client, workspace_id } = dashboard;
    const page = await openPage(dashboard, { is_signed_in: false });
    await page.goto(addressOf(dashboard, `workspaces?workspace=${workspace_id}`));
    await button(page).click();
    const instructions = page.locator('textarea[name=instructions]');
    await instructions.fill('What took an hour to write.');
    const { data: [newest] } = await client.expect(200, 'listDashboardSessions', {});
    await client.expect(204, 'revokeDashboardSession',
      { path: { dashboard_session_id: newest!.id } });
    await untilHeading(page, 'Sign in to Gatehouse');
    const opened = page.context().waitForEvent('page');
    await button(page).click();
    const tab = await opened;
    await page.getByRole('dialog', { name: 'Sign in' }).waitFor({ state: 'detached' });
    t.equal(await instructions.inputValue(), 'What took an hour to write.');
    await tab.locator('textarea[name=instructions]').waitFor();
    await page.context().close();
  });

t.test('an address that looks like another place leads to no other', skip, async (t) => {
  said = ADA;
  for (const path of ['/w/javascript:alert(1)/runs?return_to=https://evil.example/',
    `/w/${dashboard.workspace_id}/runs?return_to=//evil.example&x=${'y'.repeat(2_000)}`]) {
    const page = await openPage(dashboard, { is_signed_in: false });
    await page.goto(`${dashboard.origin}/dashboard${path}`);
    await button(page).press('Enter');
    await page.getByText(ADA.name).waitFor();
    t.ok(page.url().startsWith(`${dashboard.origin}/dashboard/`), page.url());
    await leavePage(dashboard, page);
  }
});

t.test('a page of somebody else leads to a question, and from there to the sign-in', skip,
  async (t) => {
    said = ADA;
    const page = await openPage(dashboard, { is_signed_in: false });
    const address = `${dashboard.origin}/dashboard/oidc?${new URLSearchParams(
      { return_to: `/dashboard/w/${dashboard.workspace_id}/keys` })}`;
    await page.goto(`data:text/html,<a href="${escape(address)}">Look here</a>`);
    await page.getByRole('link').click();
    await untilHeading(page, 'Sign in to Gatehouse?');
    t.strictSame(await cookies(page), [], 'nothing has begun');
    await page.getByRole('link', { name: 'Sign in' }).press('Enter');
    await untilHeading(page, 'API keys');
    t.equal(page.url(), addressOf(dashboard, 'keys'));
    // Typed, or from a bookmark, it begins at once.
    await page.goto(address);
    await untilHeading(page, 'API keys');
    await leavePage(dashboard, page);
  });

t.test('who is not let in is told so in words, and finds the way back', skip, async (t) => {
  said = { sub: HOSTILE, name: HOSTILE };
  const page = await openPage(dashboard, { is_signed_in: false });
  page.on('dialog', () => t.fail('a dialog opened'));
  await page.goto(addressOf(dashboard, 'runs'));
  const refused = page.waitForResponse((answer) => answer.url().includes('/oidc/callback'));
  await button(page).press('Enter');
  t.match((await refused).status(), 403);
  await untilHeading(page, 'You are not signed in');
  await page.getByText(HOSTILE).waitFor();
  t.equal(await page.locator('img, script').count(), 0);
  t.strictSame((await cookies(page)).filter(({ name }) => name.includes('dashboard')), []);
  await page.getByRole('link', { name: 'To the sign-in of the dashboard' }).click();
  await untilHeading(page, 'Sign in to Gatehouse');
  await page.context().close();
});

t.test('nobody was asked but the provider, where it signs in', skip, async (t) => {
  const there = `asks ${issuer}/authorize?`;
  t.strictSame(dashboard.faults.filter((fault) => !fault.startsWith(there)), []);
  t.ok(dashboard.faults.length > 0, 'a request to another origin is noticed');
});
