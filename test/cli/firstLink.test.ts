/** The link that a first start prints on a terminal signs a browser in, with no network at all. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import t from 'tap';
import { buildDashboard } from '../../scripts/dashboard.ts';
import { NO_CHROMIUM, startChromium } from '../support/chromium.ts';
import { folder } from '../support/embedded.ts';
import { GATEHOUSE, killWhenSilent } from './support.ts';

t.setTimeout(400_000);
const skip = process.platform !== 'linux' ? 'another `script` takes other options'
  : spawnSync('script', ['--version']).status === 0 ? NO_CHROMIUM : 'there is no `script` here';
const CTRL_C = '\u0003';

/** Starts `serve` on a terminal, which alone gets the link, and waits until it is ready. */
async function servingOnTerminal(data_dir: string, cwd: string) {
  // `script` gives it a terminal, and passes Ctrl-C on.
  const child = spawn('script', ['-qec', `exec '${GATEHOUSE}' serve`, '/dev/null'], {
    cwd, stdio: ['pipe', 'pipe', 'pipe'], env: { PATH: process.env.PATH, SHELL: '/bin/sh',
      TERM: 'xterm', GATEHOUSE_DATA_DIR: data_dir, PORT: '0' } });
  const closed = once(child, 'close');
  const enough = killWhenSilent(child);
  const stop = async () => {
    if (child.exitCode === null && child.stdin!.writable) child.stdin!.write(CTRL_C);
    const [code] = await closed;
    enough();
    return code as number;
  };
  t.teardown(stop);
  let said = '';
  const ready = Promise.withResolvers<void>();
  child.stdout!.on('data', (piece) => {
    said += stripVTControlCharacters(String(piece));
    if (said.includes('Ctrl-C stops')) ready.resolve();
  });
  await Promise.race([ready.promise, closed]);
  return { said: said.replaceAll('\r', ''), stop };
}

t.test('from the first start to the overview, by one link', { skip }, async (t) => {
  await buildDashboard();
  const { said, stop } = await servingOnTerminal(join(await folder(t), 'data'), t.testdir({}));
  // A narrow terminal breaks the line within the address.
  const [link] = /http:\/\/\S+\/dashboard\S*#ticket=\S+/.exec(said) ?? [];
  t.ok(link, said);
  t.match(said, /the link signs in once, within ten minutes/);
  const { origin } = new URL(link!);
  t.match(origin, /^http:\/\/127\.0\.0\.1:\d+$/);

  const browser = await startChromium(t);
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const [elsewhere, faults]: [string[], string[]] = [[], []];
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`)) elsewhere.push(request.url());
  });
  page.on('pageerror', (error) => faults.push(error.message));
  await page.goto(link!);
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await page.getByRole('heading', { name: 'No run yet: three steps' }).waitFor();
  t.match(page.url(), new RegExp(`^${origin}/dashboard/w/wsp_\\w+/overview$`));
  t.match(await context.cookies(), [{ httpOnly: true, sameSite: 'Strict' }]);
  for (const [name, to] of [['Runs', 'runs'], ['Integrations', 'integrations'],
    ['API keys', 'keys']] as const) {
    await page.getByRole('link', { name, exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    t.match(page.url(), to);
  }
  t.strictSame(elsewhere, [], 'nobody else is asked');
  t.strictSame(faults, []);

  const second = await (await browser.newContext()).newPage();
  second.setDefaultTimeout(120_000);
  await second.goto(link!);
  await second.getByRole('heading', { name: 'Sign in to Gatehouse' }).waitFor();
  t.pass('it signs in once');
  await browser.close();
  t.equal(await stop(), 0);
});
