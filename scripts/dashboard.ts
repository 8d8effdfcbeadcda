/**
 * `make dashboard`: openapi.yaml → dist/client, its typed client; src/dashboard → dist/dashboard,
 * what the service serves. Does nothing when neither has changed since.
 *
 * Usage: node scripts/dashboard.ts [--client] (the client alone)
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';
import { buildParts } from './built.ts';
import { ROOT, readDocument } from './document.ts';
import { dashboardDocument } from './views.ts';

const root = fileURLToPath(ROOT);

/** What each part is made of; with the versions of what makes it, in the lock. */
const CLIENT_OF = ['openapi.yaml', 'package-lock.json', 'scripts/dashboard.ts', 'scripts/views.ts',
  'scripts/document.ts'];
const APP_OF = [...CLIENT_OF, 'src/dashboard'];

/** Builds what is not up to date; answers what it has made. Throws if it cannot be made. */
export async function buildDashboard(only: 'all' | 'client' = 'all'): Promise<string[]> {
  return await buildParts([
    { name: 'client', of: CLIENT_OF, make: makeClient },
    ...(only === 'all' ? [{ name: 'dashboard', of: APP_OF, make: makeApp }] : []),
  ]);
}

async function makeClient(folder: string): Promise<void> {
  const { createClient } = await import('@hey-api/openapi-ts');
  await createClient({
    input: dashboardDocument(readDocument()) as never,
    output: { path: folder, module: { extension: '.ts' } },
    plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch',
      '@tanstack/react-query'],
    logs: { level: 'silent', file: false },
  });
}

/** Nothing is drawn before the script runs, which may choose another theme than the system's. */
const DRAWN_BY_SCRIPT: Plugin = {
  name: 'drawn by script',
  transformIndexHtml: {
    order: 'post', handler: (html) => html.replace('<script type="module"', '$& blocking="render"'),
  },
};

async function makeApp(folder: string): Promise<void> {
  const { build } = await import('vite');
  const { default: tailwind } = await import('@tailwindcss/vite');
  await build({
    configFile: false,
    root: join(root, 'src/dashboard'),
    // Relative, so that it works below any prefix that a proxy puts before it.
    base: './',
    // Warnings are about 'use client', which means nothing here.
    logLevel: 'error',
    plugins: [tailwind(), DRAWN_BY_SCRIPT],
    build: {
      outDir: folder, emptyOutDir: true, target: 'es2024', assetsInlineLimit: 0,
      // As old as what the colours need: light-dark(). What the scripts need is newer, and named in
      // docs/dashboard.md.
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      modulePreload: { polyfill: false }, reportCompressedSize: false,
      // Of what is put together with it: their licences want to be passed on.
      license: { fileName: 'licenses.md' },
    },
  });
  await Promise.all(readdirSync(join(folder, 'assets')).map((name) =>
    compress(join(folder, 'assets', name))));
}

const packTightly = promisify(brotliCompress);
const pack = promisify(gzip);

/** Beside each file its two packed forms, so that no request waits for them. */
async function compress(path: string): Promise<void> {
  const content = readFileSync(path);
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  writeFileSync(`${path}.br`, await packTightly(content, options));
  writeFileSync(`${path}.gz`, await pack(content, { level: constants.Z_BEST_COMPRESSION }));
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { client: { type: 'boolean' } } });
  const made = await buildDashboard(values.client ? 'client' : 'all');
  process.stdout.write(made.map((name) => `made dist/${name}\n`).join(''));
}
