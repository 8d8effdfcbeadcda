/**
 * The dashboard below `/dashboard`, as scripts/dashboard.ts has built it. Whatever is not one of
 * its assets is an address within the app: it gets the one page, whose addresses of assets are
 * relative, so that it works below any prefix that a proxy takes away.
 */
import { readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { ROOT } from '../root.ts';
import { cachePage, takes } from './packed.ts';
import type { PageMaker, WebPage } from './pages.ts';

const BUILT = new URL('dist/dashboard/', ROOT);
/** Addresses in the app have fewer parts than this: `w/<workspace>/<screen>/<id>/<view>`. */
const DEPTH = 7;

const HEADERS = {
  'Content-Security-Policy': "default-src 'none'; script-src 'self'; style-src 'self';"
    + " connect-src 'self'; img-src 'self' data:; font-src 'self'; base-uri 'none';"
    + " form-action 'self'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
};
const FOREVER = { 'Cache-Control': 'public, max-age=31536000, immutable', Vary: 'Accept-Encoding' };
const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8', svg: 'image/svg+xml',
};

/** The pages by their paths. `built` is where the app lies; another place for tests. */
export function dashboardPages(built = BUILT): Map<string, PageMaker> {
  const app = cachePage(appPage(built));
  const paths = Array.from({ length: DEPTH }, (_, depth) =>
    `/dashboard${Array.from({ length: depth }, (_, at) => `/{part${at}}`).join('')}`);
  return new Map<string, PageMaker>([
    // The first that fits is taken.
    ['/dashboard/assets/{name}', assetPage(built)],
    ...[...paths, '/dashboard/'].map((path) => [path, app] as const),
  ]);
}

/** The one page, by how deep the address is. It is read again once the app was built again. */
function appPage(built: URL): PageMaker {
  const kept = keptOfBuild<WebPage>(built);
  return async ({ path }) => {
    const { stamp, values } = kept();
    if (stamp === null) return NOT_BUILT;
    // `/dashboard` is beside its assets' folder, `/dashboard/` in it, `/dashboard/w/x` two below.
    const above = path === '/dashboard' ? './dashboard/'
      : '../'.repeat(path.split('/').length - 3) || './';
    const found = values.get(above);
    if (found) return found;
    const text = readFileSync(new URL('index.html', built), 'utf8');
    const page = html(200, text.replaceAll(/(?<=(?:src|href)=")\.\//g, above));
    values.set(above, page);
    return page;
  };
}

/** What is kept of the app as it was built last; `stamp` is null if it was not. */
function keptOfBuild<V>(built: URL): () => { stamp: number | null; values: Map<string, V> } {
  const index = new URL('index.html', built);
  let kept = { stamp: null as number | null, values: new Map<string, V>() };
  return () => {
    const stamp = statSync(index, { throwIfNoEntry: false })?.mtimeMs ?? null;
    if (kept.stamp !== stamp) kept = { stamp, values: new Map() };
    return kept;
  };
}

const PACKED = [['br', '.br'], ['gzip', '.gz']] as const;

/**
 * A file named by the hash of its content, packed as the browser takes it. It is read once a build,
 * so that all its readers share it.
 */
function assetPage(built: URL): PageMaker {
  const kept = keptOfBuild<Promise<Buffer>>(built);
  const read = (file: string) => {
    const { values } = kept();
    const reading = values.get(file) ?? readFile(new URL(`assets/${file}`, built));
    values.set(file, reading);
    reading.catch(() => values.delete(file));
    return reading;
  };
  return async ({ path, headers }) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const type = /^[\w-]+(?:\.[\w-]+)*\.(\w+)$/.exec(name) && TYPES[name.split('.').at(-1)!];
    if (!type) return NO_ASSET;
    const form = PACKED.find(([coding]) => takes(headers, coding));
    try {
      return {
        status: 200, type, content: await read(`${name}${form?.[1] ?? ''}`),
        headers: { ...HEADERS, ...FOREVER, ...(form && { 'Content-Encoding': form[0] }) },
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return NO_ASSET;
      throw error;
    }
  };
}

function html(status: number, content: string): WebPage {
  return { status, type: 'text/html; charset=utf-8', content, headers: HEADERS };
}

const NO_ASSET: WebPage = {
  status: 404, type: 'text/plain; charset=utf-8', headers: HEADERS,
  content: 'There is no such file. The dashboard may have been upgraded: load the page again.\n',
};

const NOT_BUILT = html(503, '<!doctype html><html lang="en"><meta charset="utf-8">'
  + '<title>The dashboard is not built</title><h1>The dashboard is not built</h1>'
  + '<p>Run <code>make dashboard</code> in the checkout of Gatehouse, then load this page again.'
  + ' The API and its <a href="/docs">documentation</a> work without it.</p></html>\n');
