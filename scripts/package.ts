/**
 * What `npm pack` does first: makes dist/dashboard, and dist/service, which is src/ and generated/
 * with their TypeScript compiled. Node strips no types of what lies in a node_modules.
 *
 * Each file lies in dist/service as it lies in the checkout, so that modules find what they read
 * beside them. A bundle in one file would not: SQL, threads and what browsers fetch are files.
 *
 * Usage: node scripts/package.ts
 */
import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildParts } from './built.ts';
import { buildDashboard } from './dashboard.ts';
import { ROOT } from './document.ts';

const root = fileURLToPath(ROOT);

/**
 * What is compiled, or has no place in a package: src/dashboard is in dist/dashboard, and
 * schema.sql is there to be read by who works on this.
 */
const LEFT_OUT = /(?<!\.d)\.ts$|\/tsconfig\.json$|^src\/(dashboard|store\/schema\.sql)$/;

const SERVICE_OF = [
  'src', 'generated', 'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.package.json',
  'scripts/package.ts',
];

async function makeService(folder: string): Promise<void> {
  const compiler = fileURLToPath(import.meta.resolve('typescript/bin/tsc'));
  const project = join(root, 'tsconfig.package.json');
  await promisify(execFile)(process.execPath, [compiler, '-p', project, '--outDir', folder]);
  for (const name of ['src', 'generated', 'package.json']) {
    cpSync(join(root, name), join(folder, name), {
      recursive: true, filter: (path) => !LEFT_OUT.test(path.slice(root.length)),
    });
  }
}

const made = [
  ...await buildDashboard(),
  ...await buildParts([{ name: 'service', of: SERVICE_OF, make: makeService }]),
];
// Standard output is for the name of the package, which npm prints.
process.stderr.write(made.map((name) => `made dist/${name}\n`).join(''));
