/** Clickjacking, tried: pages of others that frame ours, or open them, have nothing of them. */
import { createServer } from 'node:http';
import type { Page } from 'playwright-core';
import t from 'tap';
import { listen } from '../support/listen.ts';
import { addressOf, dashboardFor, openPage } from './support.ts';

// Nobody is at the provider: its pages are there all the same, and say so.
const { skip, dashboard } = await dashboardFor(t, { config: {
  concurrency: 0, oidc_issuer: 'http://127.0.0.1:1', oidc_client_id: 'a', oidc_client_secret: 'b',
  oidc_viewers: '@example.com' } });
const CONTROL = 'What may be framed';

/** A page of somebody else, with the page `?of=` in it in each way that HTML has. */
const other = createServer((request, response) => {
  const of = new URL(request.url!, 'http://other.invalid').searchParams.get('of');
  const src = of?.replaceAll('"', '&quot;');
  response.writeHead(200, { 'content-type': 'text/html' }).end(src === undefined
    ? `<!doctype html><p>${CONTROL}</p>`
    : `<!doctype html><title>Win a prize</title><iframe src="${src}"></iframe>`
      + `<object type="text/html" data="${src}"></object><embed type="text/html" src="${src}">`);
});
const port = await listen(t, other);
/** For a browser the first is of the same site as the dashboard, and so is sent the cookie. */
const SITES = [`http://127.0.0.1:${port}/`, `http://localhost:${port}/`];

const pages = () => ['/dashboard', '/dashboard/', '/dashboard/run-file',
  `/dashboard/w/${dashboard.workspace_id}/approvals`, '/dashboard/oidc',
  '/dashboard/oidc/callback?state=a', '/oauth/start', '/oauth/callback', '/oauth/callback/pets',
  '/docs']
  .map((path) => dashboard.origin + path);

/** What the frames of the page show, once all of them have what they get. */
async function framed(page: Page, site: string, of: string) {
  await page.goto(`${site}?${new URLSearchParams({ of })}`, { waitUntil: 'load' });
  const children = page.frames().filter((frame) => frame.parentFrame() === page.mainFrame());
  return await Promise.all(children.map(async (frame) => ({ url: frame.url(),
    // An object or embed that may not be there loses its frame.
    text: await frame.evaluate<string>('document.body.innerText').catch((error: Error) => {
      if (/detached/.test(error.message)) return '';
      throw error;
    }) })));
}

t.test('a page of another origin that frames one of ours shows nothing of it', skip, async (t) => {
  const page = await openPage(dashboard);
  await page.goto(addressOf(dashboard, 'approvals'));
  await page.getByRole('heading', { level: 1, name: 'Approvals' }).waitFor();
  for (const site of SITES) {
    const control = await framed(page, site, SITES[0]!);
    t.strictSame(control.map(({ text }) => text.trim()), [CONTROL, CONTROL, CONTROL],
      'each of the ways shows what may be framed');
    for (const of of pages()) {
      const shown = await framed(page, site, of);
      // An object or embed without a page in it has no frame at all.
      t.ok(shown.length > 0, of);
      for (const { url, text } of shown) {
        t.notMatch(url, dashboard.origin, of);
        t.notMatch(text, /gatehouse|approval|sign|connected|docs/i, of);
      }
    }
  }
  await page.context().close();
});

t.test('every page says so, also those of a sign-in and of a consent', skip, async (t) => {
  for (const address of pages()) {
    for (const method of ['GET', 'HEAD']) {
      const { headers, status } = await fetch(address, { method, redirect: 'manual' });
      t.match(headers.get('content-security-policy'), "frame-ancestors 'none'",
        `${method} ${address} ${status}`);
    }
  }
});

t.test('a page that opens the dashboard has no hold of its window', skip, async (t) => {
  const page = await openPage(dashboard);
  await page.goto(SITES[0]!);
  const opened = page.waitForEvent('popup');
  await page.evaluate(`window.prize = open('${addressOf(dashboard, 'approvals')}')`);
  const popup = await opened;
  await popup.getByRole('heading', { level: 1, name: 'Approvals' }).waitFor();
  t.equal(await popup.evaluate('window.opener'), null);
  t.strictSame(await page.evaluate('[prize.closed, prize.length]'), [true, 0]);
  await page.context().close();
});
