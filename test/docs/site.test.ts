/** The documentation site by HTTP alone: every page, every link, and nothing from elsewhere. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import t, { type Test } from 'tap';
import { renderArticle } from '../../src/docs/markdown.ts';
import { docsPages } from '../../src/http/docsPages.ts';
import { run } from '../clients/flow.ts';
import { shell } from '../clients/generators.ts';
import { room } from '../http/support.ts';
import { linksOf } from '../support/markdown.ts';
import { ROOT } from '../support/sourceTree.ts';

interface Visited { status: number; headers: Headers; text: string }

const PREFIX = 'http://site';
/** It is no part of the site, and there only once it was built. */
const DASHBOARD = `${PREFIX}/dashboard`;

/** What a page of the site refers to, as addresses; those of other sites are left as they are. */
function linksIn(html: string, address: string): { tag: string; url: string }[] {
  return [...html.matchAll(/<(\w+)[^>]*?\b(?:href|src)="([^"]*)"/g)].map(([, tag, link]) =>
    ({ tag: tag!, url: new URL(link!.replaceAll('&#38;', '&'), address).href }));
}

t.test('every page and file is there, and every link leads somewhere', async (t) => {
  const { fetch } = await room(t);
  const visited = new Map<string, Visited>();
  const ahead = [`${PREFIX}/docs`];
  const anchors: [string, string, string][] = [];
  for (let url = ahead.pop(); url; url = ahead.pop()) {
    if (visited.has(url)) continue;
    const response = await fetch(url.slice(PREFIX.length));
    const text = await response.text();
    const type = response.headers.get('content-type') ?? '';
    const links = type.startsWith('text/html') ? linksIn(text, url) : [];
    visited.set(url, { status: response.status, headers: response.headers, text });
    for (const link of links) {
      const [target = '', anchor] = link.url.split('#');
      if (link.url === DASHBOARD) continue;
      if (link.url.startsWith(`${PREFIX}/`)) ahead.push(target);
      else if (link.tag !== 'a') t.fail(`${url} loads ${link.url}`);
      if (anchor && link.url.startsWith(PREFIX)) anchors.push([url, target, anchor]);
    }
  }
  t.strictSame([...visited].filter(([, { status }]) => status !== 200).map(([url]) => url), []);
  t.strictSame(anchors.filter(([, target, anchor]) =>
    !target.endsWith('/reference') && !visited.get(target)!.text.includes(` id="${anchor}"`)), []);
  const paths = [...visited.keys()].map((url) => url.slice(PREFIX.length));
  const guides = paths.filter((path) => path.startsWith('/docs/guides/'));
  const listed = new Set(linksOf('docs/README.md').map(({ path }) => path)
    .filter((path) => path.endsWith('.md')));
  t.equal(guides.length, listed.size, 'a guide for each page that docs/README.md lists');
  t.strictSame(['/docs/reference', '/docs/console', '/docs/openapi.json', '/docs/assets/viewer.js',
    '/docs/assets/overview.png']
    .filter((path) => !paths.includes(path)), []);
  t.equal(visited.get(`${PREFIX}/docs/assets/overview.png`)?.headers.get('content-type'),
    'image/png');
  for (const [url, { headers, text }] of visited) {
    if (!headers.get('content-type')!.startsWith('text/html')) continue;
    checkPolicy(t, url, headers.get('content-security-policy')!);
    const leading = linksIn(text, url).filter((link) => link.url === DASHBOARD);
    t.equal(leading.length, url === `${PREFIX}/docs` ? 2 : 1, `${url} leads to the dashboard`);
    t.notMatch(text, /<script>|<style|\sstyle=|\son\w+=|(?:href|src)="\//, `${url} has nothing`
      + ' inline, and no address from the root: it works below any prefix');
  }
});

function checkPolicy(t: Test, url: string, policy: string): void {
  const directives = new Map(policy.split('; ').map((one) => {
    const [name, ...values] = one.split(' ');
    return [name, values.join(' ')];
  }));
  t.equal(directives.get('default-src'), "'none'", url);
  t.equal(directives.get('script-src'), "'self'", url);
  t.equal(directives.get('connect-src'), "'self'", url);
  t.equal(directives.get('frame-ancestors'), "'none'", url);
  t.equal(directives.get('style-src'),
    url.endsWith('/reference') ? "'self' 'unsafe-inline'" : "'self'", url);
}

t.test('what was read once is not sent again, and goes packed to who takes that', async (t) => {
  const { fetch } = await room(t);
  for (const path of ['/docs', '/docs/guides/events', '/docs/assets/viewer.js',
    '/docs/openapi.json']) {
    const plain = await fetch(path, { headers: { 'accept-encoding': 'identity' } });
    const packed = await fetch(path, { headers: { 'accept-encoding': 'br, gzip;q=0.5' } });
    t.equal(plain.headers.get('content-encoding'), null, path);
    t.equal(packed.headers.get('content-encoding'), 'gzip', path);
    const length = (response: Response) => Number(response.headers.get('content-length'));
    t.ok(length(packed) < length(plain) / 2, `${path}: ${length(packed)} of ${length(plain)}`);
    t.equal(await packed.text(), await plain.text(), path);
    for (const { headers } of [plain, packed]) {
      t.equal(headers.get('cache-control'), 'no-cache');
      t.equal(headers.get('vary'), 'Accept-Encoding');
      const again = await fetch(path, { headers: { 'if-none-match': headers.get('etag')! } });
      t.equal(again.status, 304, path);
      t.equal(await again.text(), '');
      t.equal(again.headers.get('etag')!.replace('W/', ''), plain.headers.get('etag'));
    }
    const refused = await fetch(path, { headers: { 'accept-encoding': 'gzip;q=0' } });
    t.equal(refused.headers.get('content-encoding'), null, path);
    const other = await fetch(path, { headers: { 'if-none-match': '"another"' } });
    t.equal(other.status, 200, path);
    await Promise.all([refused.text(), other.text()]);
  }
});

t.test('all who take a file share one copy of it', async (t) => {
  const pages = docsPages(null);
  for (const [template, path] of [['/docs/assets/{page}', '/docs/assets/viewer.js'],
    ['/docs/openapi.json', '/docs/openapi.json']] as const) {
    const ask = () => pages.get(template)!({ method: 'GET', path, query: '', headers: {} });
    const { content } = await ask();
    t.ok(Buffer.isBuffer(content), path);
    t.equal((await ask()).content, content, path);
  }
});

t.test('the document needs no key, and its server is found from where it is', async (t) => {
  const { fetch } = await room(t);
  const { servers, paths } = await (await fetch('/docs/openapi.json')).json() as
    { servers: { url: string }[]; paths: object };
  t.equal(new URL(servers[0]!.url, 'https://x.example/prefix/docs/openapi.json').href,
    'https://x.example/prefix/v1');
  t.ok('/runs/{run_id}' in paths);
  t.notOk(Object.keys(paths).some((path) => path.startsWith('/admin')));
});

t.test('the line that generates a client works as it stands', async (t) => {
  const { fetch, base_url } = await room(t);
  const html = await (await fetch('/docs/reference')).text();
  const [, shown] = /<code>(npx [^]*?)<\/code>/.exec(html) ?? [];
  // The page's script puts in the service's own address.
  const example = '>http://127.0.0.1:3000/docs/openapi.json<';
  t.equal(shown!.split(example).length, 2);
  const address = `>${new URL(base_url).origin}/docs/openapi.json<`;
  const line = shown!.replace(example, address).replaceAll(/<[^>]*>/g, '');
  // A folder of somebody who has the generator.
  const folder = t.testdir({ node_modules: t.fixture('symlink', join(ROOT, 'node_modules')) });
  const { code, output } = await run(shell(line, folder), { npm_config_offline: 'true' });
  t.equal(code, 0, output);
  const types = await readFile(join(folder, 'gatehouse.d.ts'), 'utf8');
  // Those that test/clients/typescript.test.ts compiles and uses, below a comment.
  const document = pathToFileURL(join(ROOT, 'generated/openapi.json'));
  t.equal(types.replace(/^\/\*\*[^]*?\*\/\s*/, ''), astToString(await openapiTS(document)));
});

t.test('what the search finds is there', async (t) => {
  const { fetch } = await room(t);
  const entries = await (await fetch('/docs/assets/search.json')).json() as
    { id: number; address: string; title: string; within: string; text: string }[];
  t.strictSame(entries.map(({ id }) => id), entries.map((_entry, at) => at));
  const pages = new Map<string, string>();
  for (const { address } of entries) {
    const [path = '', anchor] = address.split('#');
    if (!pages.has(path)) pages.set(path, await (await fetch(`/docs/${path}`)).text());
    if (path !== 'reference') t.ok(pages.get(path)!.includes(` id="${anchor}"`), address);
  }
  t.match(entries.find(({ address }) => address.endsWith('/streamRunEvents')),
    { address: 'reference#tag/runs/streamRunEvents', within: 'GET /runs/{run_id}/events' });
  t.match(entries.find(({ title }) => title === 'To resume'), { text: /Last-Event-ID/ });
});

t.test('an address without a page says so, with a way back', async (t) => {
  const { fetch } = await room(t);
  for (const path of ['/docs/nothing', '/docs/guides/nothing', '/docs/guides/../../package.json']) {
    const response = await fetch(path);
    t.equal(response.status, 404, path);
    t.equal(response.headers.get('etag'), null);
    await response.text();
  }
  const text = await (await fetch('/docs/guides/nothing')).text();
  t.ok(linksIn(text, `${PREFIX}/docs/guides/nothing`)
    .some(({ url }) => url === `${PREFIX}/docs`));
  const slash = await fetch('/docs/', { redirect: 'manual' });
  t.equal(slash.status, 302);
  t.equal(slash.headers.get('location'), '../docs');
});

t.test('of a guide nothing becomes markup but by Markdown', async (t) => {
  const { html, sections } = renderArticle(`# A <b>title</b> & \`code\`

Text <script>alert(1)</script> [in](b.md#x) [out](c.txt) <https://x.example/?a=1&b=2>

## Twin
\`\`\`bash norun it does <not> return
echo "<hi>"
\`\`\`
## Twin

| a | b |
|---|---|
| 1 | <img src=x onerror=y> |
`, (href) => href === 'b.md#x' ? 'b#x' : href.startsWith('http') ? href : null);
  t.notMatch(html, /<script|<img|<b>/);
  t.match(html, '&#60;script&#62;alert(1)&#60;/script&#62;');
  t.match(html, '<a href="b#x">in</a> out <a href="https://x.example/?a=1&#38;b=2">');
  t.match(html, '<div class="bar"><span>bash</span>');
  t.match(html, 'echo &#34;&#60;hi&#62;&#34;');
  t.strictSame(sections.map(({ anchor, depth, title }) => [anchor, depth, title]), [
    ['a-btitleb--code', 1, 'A <b>title</b> & code'], ['twin', 2, 'Twin'], ['twin-1', 2, 'Twin'],
  ]);
  t.match(sections[0]!.text, 'Text <script>alert(1)</script> in out');
});
