/** How the built dashboard is served: kept for good, packed, below any prefix, or not built. */
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import t from 'tap';
import { request } from 'undici';
import { buildDashboard } from '../../scripts/dashboard.ts';
import { dashboardPages } from '../../src/http/dashboardPages.ts';
import { prefixProxy } from '../docs/prefixProxy.ts';
import { testServer } from '../support/server.ts';
import { BUILT } from './support.ts';

const FIRST_LOAD_BYTES = 250 * 1024;

await buildDashboard();
const { service } = await testServer(t);
const origin = new URL(service.base_url).origin;

/** The addresses that a page names, as a browser finds them. */
async function assetsOf(address: string): Promise<string[]> {
  const text = await (await fetch(address)).text();
  return [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) =>
    new URL(path!, address).href);
}

t.test('every address of the app is the one page, wherever it is', async (t) => {
  const proxy = await prefixProxy(t, origin);
  for (const base of [origin, proxy.url]) {
    for (const path of ['', '/', '/w/wsp_1', '/w/wsp_1/runs', '/w/wsp_1/runs/run_1?status=failed',
      '/w/wsp_1/a/b/c']) {
      const address = `${base}/dashboard${path}`;
      const answer = await fetch(address);
      t.equal(answer.status, 200, address);
      t.equal(answer.headers.get('cache-control'), 'no-cache');
      const assets = await assetsOf(address);
      t.ok(assets.length >= 3);
      t.strictSame(assets.filter((one) => !one.startsWith(`${base}/dashboard/assets/`)), [], path);
    }
  }
  t.equal((await fetch(`${proxy.url}/dashboard/a/b/c/d/e/f/g/h`)).status, 404);
});

t.test('the page forbids what it does not need, and is not sent again unchanged', async (t) => {
  const address = `${origin}/dashboard/w/wsp_1/runs`;
  const answer = await fetch(address);
  const policy = answer.headers.get('content-security-policy')!;
  for (const part of ["default-src 'none'", "script-src 'self';", "style-src 'self';",
    "connect-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"]) t.match(policy, part);
  t.notMatch(policy, /unsafe|\*/);
  t.equal(answer.headers.get('x-content-type-options'), 'nosniff');
  const etag = answer.headers.get('etag')!;
  t.equal((await fetch(address, { headers: { 'If-None-Match': etag } })).status, 304);
  const head = await fetch(address, { method: 'HEAD' });
  t.equal(head.status, 200);
  t.equal(await head.text(), '');
  t.equal((await fetch(address, { method: 'POST' })).status, 405);
  t.notMatch(await (await fetch(address)).text(), /<script(?![^>]*\bsrc=)|<style|\son\w+=/,
    'nothing is within the page that the policy would refuse');
});

t.test('assets are kept for good, and packed as it is asked', async (t) => {
  const scripts = (await assetsOf(`${origin}/dashboard`)).filter((one) => one.endsWith('.js'));
  const [address] = scripts as [string];
  const plain = await request(address);
  const text = await plain.body.text();
  t.match(plain.headers['cache-control'], 'immutable');
  t.equal(plain.headers['content-type'], 'text/javascript; charset=utf-8');
  for (const [accepted, coding, unpack] of [
    ['gzip, deflate, br', 'br', brotliDecompressSync], ['gzip', 'gzip', gunzipSync],
    ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync]] as const) {
    const answer = await request(address, { headers: { 'accept-encoding': accepted } });
    t.equal(answer.headers['content-encoding'], coding);
    t.equal(unpack(Buffer.from(await answer.body.arrayBuffer())).toString(), text);
  }
  const head = await request(address, { method: 'HEAD', headers: { 'accept-encoding': 'br' } });
  t.equal(Number(head.headers['content-length']),
    statSync(join(BUILT, 'assets', `${address.split('/').at(-1)}.br`)).size);
  t.equal(await head.body.text(), '');
  for (const name of ['none.js', '..%2f..%2f..%2fpackage.json', '%2e%2e%2findex.html', '.stamp',
    'index.html', `${address.split('/').at(-1)}.map`]) {
    const answer = await request(`${origin}/dashboard/assets/${name}`);
    t.equal(answer.statusCode, 404, name);
    t.match(answer.headers['content-type'], 'text/plain', 'never the page in place of a script');
    await answer.body.dump();
  }
});

t.test('the first load is light', async (t) => {
  const first = (await assetsOf(`${origin}/dashboard`)).map((one) => one.split('/').at(-1)!);
  const size = (name: string) => statSync(join(BUILT, 'assets', `${name}.br`)).size;
  // The heaviest screen that the first address may lead to comes on top.
  const all = readdirSync(join(BUILT, 'assets')).filter((name) => /\.(js|css)$/.test(name));
  const later = all.filter((name) => !first.includes(name));
  const bytes = first.reduce((sum, name) => sum + size(name), 0);
  const heaviest = Math.max(...later.map(size));
  t.comment(`measured: first load ${(bytes / 1024).toFixed(1)} KiB, the heaviest other part`
    + ` ${(heaviest / 1024).toFixed(1)} KiB, ${all.length} parts`);
  t.ok(bytes + heaviest <= FIRST_LOAD_BYTES, `${bytes + heaviest} bytes`);
  const text = all.map((name) => readFileSync(join(BUILT, 'assets', name), 'utf8')).join('\n');
  t.notMatch(text, /@font-face|fonts\.g|cdn\./, 'nothing comes from elsewhere');
});

t.test('where it was not built, the page says what to do', async (t) => {
  const nowhere = pathToFileURL(`${t.testdir()}/none/`);
  const pages = dashboardPages(nowhere);
  const ask = (template: string, path: string) =>
    pages.get(template)!({ method: 'GET', path, query: '', headers: {} });
  const page = await ask('/dashboard/{part0}/{part1}', '/dashboard/w/wsp_1');
  t.equal(page.status, 503);
  t.match(page.content, /make dashboard/);
  t.equal((await ask('/dashboard/assets/{name}', '/dashboard/assets/main.js')).status, 404);
});

t.test('an app that was built again is served at once, and its page read once', async (t) => {
  const folder = t.testdir({ 'index.html': '<script src="./assets/a.js"></script>' });
  const pages = dashboardPages(pathToFileURL(`${folder}/`));
  const ask = () => pages.get('/dashboard/{part0}')!(
    { method: 'GET', path: '/dashboard/w', query: '', headers: {} });
  t.match((await ask()).content, 'src="./assets/a.js"');
  writeFileSync(join(folder, 'index.html'), '<script src="./assets/b.js"></script>');
  utimesSync(join(folder, 'index.html'), 1, 1);
  t.match((await ask()).content, 'src="./assets/b.js"');
});

t.test('all who take a file share one copy of it, until the app is built again', async (t) => {
  const folder = t.testdir({ 'index.html': '', assets: { 'a.js': '1' } });
  const page = dashboardPages(pathToFileURL(`${folder}/`)).get('/dashboard/assets/{name}')!;
  const ask = () => page({ method: 'GET', path: '/dashboard/assets/a.js', query: '', headers: {} });
  const [one, other] = await Promise.all([ask(), ask()]);
  t.ok(Buffer.isBuffer(one.content));
  t.equal(other.content, one.content);
  t.equal((await ask()).content, one.content);
  writeFileSync(join(folder, 'assets/a.js'), '2');
  utimesSync(join(folder, 'index.html'), 1, 1);
  t.equal(String((await ask()).content), '2');
});

t.test('a process that serves no API serves no dashboard', async (t) => {
  const worker = await testServer(t, { config: { role: 'worker' } });
  const answer = await fetch(new URL('/dashboard', worker.service.base_url));
  t.equal(answer.status, 404);
});
