/** What Node has compiled is kept beside the packages, where that is safe and possible. */
import { existsSync } from 'node:fs';
import {
  chmod, chown, copyFile, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { ROOT } from '../support/sourceTree.ts';
import { gatehouse } from './support.ts';

/** An installation of this code, whose packages are those of the checkout. */
async function installation(t: Test) {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-installed-'));
  const packages = join(folder, 'node_modules');
  t.teardown(async () => {
    await chmod(packages, 0o700);
    await rm(folder, { recursive: true });
  });
  await mkdir(join(folder, 'bin'));
  await mkdir(join(packages, '.bin'), { recursive: true });
  await symlink(process.execPath, join(packages, '.bin', 'node'));
  await symlink(join(ROOT, 'src'), join(folder, 'src'));
  const command = join(folder, 'bin', 'gatehouse');
  await copyFile(join(ROOT, 'bin', 'gatehouse'), command);
  const starts = async (env: Record<string, string> = {}) => {
    const ended = await gatehouse(['serve', '--help'], { cwd: folder, command, env });
    t.match(ended, { code: 0, out: /^Usage: gatehouse serve/, err: '' });
  };
  return { folder, packages, cache: join(packages, '.compile-cache'), starts };
}

t.test('a start leaves what it compiled to the next, for its owner alone', async (t) => {
  const { cache, starts } = await installation(t);
  await starts();
  t.equal((await stat(cache)).mode & 0o777, 0o700);
  const entries = (await readdir(cache, { recursive: true })).sort();
  t.ok(entries.length > 10, 'it holds the modules');
  await starts();
  t.strictSame((await readdir(cache, { recursive: true })).sort(), entries, 'it does not grow');
});

t.test('where it cannot be written, the start is the same', async (t) => {
  const { packages, cache, starts } = await installation(t);
  await chmod(packages, 0o500);
  await starts();
  await chmod(packages, 0o700);
  await rm(cache, { recursive: true, force: true }); // root may write in spite of the mode
  await writeFile(cache, 'no folder');
  await starts();
});

t.test('what the operator says is respected', async (t) => {
  const { folder, cache, starts } = await installation(t);
  await starts({ NODE_COMPILE_CACHE: join(folder, 'theirs') });
  t.notOk(existsSync(cache));
  t.ok((await readdir(join(folder, 'theirs'), { recursive: true })).length > 10);
  await starts({ NODE_DISABLE_COMPILE_CACHE: '1' });
  t.strictSame(await readdir(cache), []);
});

t.test('nothing is kept in packages of another user', {
  skip: process.getuid!() !== 0 && 'only root can give files away',
}, async (t) => {
  const { packages, cache, starts } = await installation(t);
  await chown(packages, 65_534, 65_534);
  await starts();
  t.notOk(existsSync(cache));
});
