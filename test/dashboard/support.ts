/**
 * The dashboard in a real browser, against a real service. A page of `openPage` collects what must
 * not be: errors, breaches of the content security policy, requests to anybody else.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import type { Test } from 'tap';
import { buildDashboard } from '../../scripts/dashboard.ts';
import { violationsOn } from '../support/axe.ts';
import { NO_CHROMIUM, startChromium } from '../support/chromium.ts';
import { signedIn } from '../support/dashboard.ts';
import { testServer, type TestServer, type TestServerOptions } from '../support/server.ts';

/** A slow machine takes its time to draw. */
const PATIENCE_MS = 120_000;
/** The second of two keys has to follow within so long; see src/dashboard/frame/keyboard.tsx. */
const SECOND_KEY_MS = 1_200;

export const WIDTHS = { phone: 360, desk: 1_280, wall: 2_560 } as const;
export type Width = keyof typeof WIDTHS;
/** Of a window. */
export const sizeOf = (width: Width) =>
  ({ width: WIDTHS[width], height: width === 'wall' ? 1_300 : 800 });

export interface Dashboard extends TestServer {
  browser: Browser;
  /** Where the service's `/` is, without a slash at its end; a test may put a proxy before it. */
  origin: string;
  /** What went wrong on any page so far. */
  faults: string[];
}

/** A bound against what hangs: the waits in the tests have their own. */
const FILE_MS = 600_000;

/**
 * What a file of tests begins with: a dashboard, and the options of each test, which is skipped
 * where there is no browser; then there is no dashboard either.
 */
export async function dashboardFor(
  t: Pick<Test, 'setTimeout' | 'teardown'>, options: TestServerOptions = {}) {
  t.setTimeout(FILE_MS);
  const dashboard: Dashboard = NO_CHROMIUM ? null! : await openDashboard(t, options);
  return { skip: { skip: NO_CHROMIUM }, dashboard };
}

/** Builds the dashboard if need be, starts a service and a browser; all end with the test. */
export async function openDashboard(
  t: Pick<Test, 'teardown'>, options: TestServerOptions = {}): Promise<Dashboard> {
  await buildDashboard();
  const server = await testServer(t, options);
  const browser = await startChromium(t);
  return { ...server, browser, origin: new URL(server.service.base_url).origin, faults: [] };
}

export interface Look {
  width?: Width;
  theme?: 'light' | 'dark';
  /** False: nobody is signed in. By default the first admin token has signed in, by its cookie. */
  is_signed_in?: boolean;
  /** A person with no more than this is signed in, in place of the admin token. */
  role?: 'viewer';
}

/** What tests listen to on a page. Playwright itself listens to others. */
const HEARD = ['dialog', 'download', 'popup', 'request', 'requestfailed', 'response'];

/** Those that their tests are done with, emptied. */
const left = new WeakMap<Dashboard, Page[]>();

/** A page in a browser of its own, with nothing stored but the cookie. It is still empty. */
export async function openPage(dashboard: Dashboard, look: Look = {}): Promise<Page> {
  const { width = 'desk', theme = 'light', role, is_signed_in = role === undefined } = look;
  const page = left.get(dashboard)?.pop() ?? await watchedPage(dashboard,
    await dashboard.browser.newContext({ viewport: sizeOf('desk'), reducedMotion: 'reduce' }));
  await page.setViewportSize(sizeOf(width));
  await page.emulateMedia({ colorScheme: theme });
  if (is_signed_in) await signIn(dashboard, page.context());
  if (role) {
    const [name, value] = (await signedIn(dashboard, role)).headers.cookie!.split('=');
    await page.context().addCookies([{ name: name!, value: value!, url: dashboard.origin }]);
  }
  return page;
}

/**
 * Hands a page of `openPage` back, for a later one: a browser that has drawn the dashboard before
 * takes 250 ms of CPU for a screen, and a new one 700. Its other tabs are closed, and what a test
 * listens to (`HEARD`) is forgotten. Not for a page that has got a script, a clock, or media other
 * than its theme, nor for a context that was set otherwise: that is to be closed.
 */
export async function leavePage(dashboard: Dashboard, page: Page): Promise<void> {
  const context = page.context();
  for (const tab of context.pages()) if (tab !== page) await tab.close();
  for (const event of HEARD) page.removeAllListeners(event);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  // A page of the same origin, without the dashboard: for another the browser starts a process.
  await page.goto(`${dashboard.origin}/healthz`);
  // So nothing is pointed at any more.
  await page.mouse.move(-1, -1);
  await page.evaluate('sessionStorage.clear(); name = ""');
  const browser = await context.newCDPSession(page);
  await browser.send('Storage.clearDataForOrigin',
    { origin: dashboard.origin, storageTypes: 'all' });
  await browser.send('Page.resetNavigationHistory');
  await browser.detach();
  await context.clearCookies();
  await context.clearPermissions();
  watchRequests(dashboard, page);
  left.set(dashboard, [...left.get(dashboard) ?? [], page]);
}

/** Another tab of the same browser. */
export async function watchedPage(dashboard: Dashboard, context: BrowserContext): Promise<Page> {
  const { faults } = dashboard;
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  watchRequests(dashboard, page);
  page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    // The browser tells of each refusal of the service, and of each connection that breaks.
    if (['error', 'warning'].includes(message.type())
      && !/^Failed to load resource/.test(message.text())) {
      faults.push(`${page.url()}: ${message.text()}`);
    }
  });
  return page;
}

function watchRequests({ origin, faults }: Dashboard, page: Page): void {
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !/^(data|blob):/.test(url)) faults.push(`asks ${url}`);
  });
}

/** Signs the browser in by the admin token of the test's client. */
export async function signIn(
  { origin, client }: Dashboard, context: BrowserContext): Promise<void> {
  const answer = await context.request.post(`${origin}/v1/admin/dashboard_sessions`, {
    data: { admin_token: client.admin_token }, headers: { Origin: new URL(origin).origin },
  });
  if (answer.status() !== 201) throw new Error(`${answer.status()} ${await answer.text()}`);
}

/**
 * Goes to an address as a link does, until its screen is drawn, though not yet with what it reads:
 * a quarter of the CPU of a page that is loaded, and axe is there already. Where there is no screen
 * yet, the page is loaded. `page.goto` is for what others have changed in the last 5 s (see
 * data/api.ts), for forms (one is asked before they go), and where it matters what is loaded.
 */
export async function moveTo(page: Page, address: string): Promise<void> {
  const { pathname, search } = new URL(address);
  const has_moved = await page.evaluate<boolean>(`new Promise((resolve) => {
    const router = document.getElementById('main') && window.__TSR_ROUTER__;
    if (!router) return resolve(false);
    const end = router.subscribe('onResolved', () => resolve(!end()));
    setTimeout(() => resolve(false), ${PATIENCE_MS}); // Something asks before it lets go.
    router.history.push(${JSON.stringify(pathname + search)});
  })`);
  if (!has_moved) await page.goto(address);
}

/** Until the screen with exactly this title is there. */
export async function untilHeading(page: Page, name: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
}

/** Waits until no dialog is open. A toast is one by its role, and stays for a while. */
export async function untilClosed(page: Page): Promise<void> {
  await page.getByRole('dialog').and(page.locator(':not([aria-modal=false])'))
    .waitFor({ state: 'detached' });
}

/** Goes to a screen by `g` and its key. Where too much time went by between them, once more. */
export async function goByKey(page: Page, key: string, name: string): Promise<void> {
  for (let took_ms = Infinity; took_ms > SECOND_KEY_MS;) {
    const begun_ms = performance.now();
    await page.keyboard.press('g');
    await page.keyboard.press(key);
    took_ms = performance.now() - begun_ms;
  }
  await untilHeading(page, name);
}

/**
 * Until the expression is true in the page. (`waitForFunction` has the page itself evaluate a text,
 * which the policy of the dashboard refuses: it fails unless the text is true at once.)
 */
export async function untilTrue(page: Page, expression: string): Promise<void> {
  await page.evaluate(`new Promise((resolve, reject) => {
    const began_ms = performance.now();
    const look = () => {
      try {
        if (${expression}) resolve();
        else if (performance.now() - began_ms < ${PATIENCE_MS}) requestAnimationFrame(look);
        else reject(new Error('never true: ' + ${JSON.stringify(expression)}));
      } catch (error) {
        reject(error);
      }
    };
    look();
  })`);
}

/** The rows of a table. One that says that more are on their way is none of them. */
export function tableRows(page: Page): Locator {
  return page.getByRole('grid').getByRole('row').filter(
    { has: page.getByRole('gridcell'), hasNot: page.getByRole('status') });
}

/** What the table of a run's events shows, from its first row to its last: number and kind. */
export async function shownEvents(page: Page): Promise<[sequence_number: string, type: string][]> {
  return await page.evaluate(`(async () => {
    const grid = document.querySelector('[role=grid][aria-label=Events]');
    const drawn = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const rows = new Map();
    const isDrawn = (index) => grid.querySelector(\`[aria-rowindex="\${index}"]\`) !== null;
    let [top, frames] = [0, 0];
    for (grid.scrollTop = 0; ; grid.scrollTop = top) {
      // The rows of a place are drawn after it was scrolled to: the first in sight and the last.
      const at_end = top >= grid.scrollHeight - grid.clientHeight;
      const first = Math.floor(grid.scrollTop / 36) + 2;
      const last = at_end ? Number(grid.getAttribute('aria-rowcount'))
        : Math.floor((grid.scrollTop + grid.clientHeight) / 36) - 1;
      while (!(isDrawn(first) && isDrawn(last)) && frames++ < 10_000) await drawn();
      for (const row of grid.querySelectorAll('[role=row][aria-selected]')) {
        const [number, , type] = Array.from(row.children, ({ textContent }) => textContent);
        rows.set(Number(row.getAttribute('aria-rowindex')), [number, type]);
      }
      if (at_end) break;
      top += Math.floor(grid.clientHeight / 2);
    }
    return [...rows].sort(([a], [b]) => a - b).map(([, row]) => row);
  })()`);
}

/** The median time between two pictures, in ms, each after a jump to another place of the table. */
export const PICTURE_MS = `new Promise((resolve) => {
  const grid = document.querySelector('[role=grid]');
  const length = grid.scrollHeight - grid.clientHeight;
  const times = [];
  const draw = (now) => {
    times.push(now);
    if (times.length > 60) {
      const took = times.slice(1).map((time, at) => time - times[at]).sort((a, b) => a - b);
      resolve(took[30]);
      return;
    }
    grid.scrollTop = length * (times.length * 0.381966 % 1);
    requestAnimationFrame(draw);
  };
  requestAnimationFrame(draw);
})`;

/** The address of a screen: `addressOf(dashboard, 'runs?status=failed')`. */
export function addressOf({ origin, workspace_id }: Dashboard, screen: string): string {
  return `${origin}/dashboard/w/${workspace_id}/${screen}`;
}

/** A menu lies above the page, in none of its landmarks. */
const RULES = { rules: [{ id: 'region', selector: 'body *:not([role=menu], [role=menu] *)' }] };

/** What axe finds on the page as it is, by these rules or by all, each with where it is. */
export async function violations(page: Page, runOnly?: string[]): Promise<string[]> {
  return await violationsOn(page, runOnly && { runOnly }, RULES);
}

/** What axe finds in the dark and then the light theme, and how far the page is too wide. */
export async function faultsOfSight(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'dark' });
  const found = await violations(page);
  await page.emulateMedia({ colorScheme: 'light' });
  // Nothing else depends on the theme, and axe takes a third of the time of these tests.
  found.push(...(await violations(page, ['color-contrast'])).map((fault) => `light: ${fault}`));
  const over = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth');
  if (over > 0) found.push(`${page.url()} is ${over} px wider than its window`);
  return found;
}

/** Drops a file onto a place of the page. */
export async function dropFile(
  page: Page, place: string, name: string, text: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}));
    return transfer;
  })()`);
  await page.dispatchEvent(place, 'drop', { dataTransfer });
}

/** Keeps a picture where `SCREENSHOTS=<folder>` says so; otherwise takes none. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`) });
}

/** Where the built dashboard lies. */
export const BUILT = fileURLToPath(new URL('../../dist/dashboard', import.meta.url));
