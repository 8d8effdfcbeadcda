/** What killed runs have left: their databases are ended, and nobody else's. */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { endServersIn, ownFolder, removeLeftovers } from '../../scripts/leftovers.ts';
import { isGone, other, started } from '../support/embedded.ts';

/** The number of a process that has ended. */
const deadPid = () => spawnSync(process.execPath, ['--version']).pid;

/** A database whose owner was killed with -9, in a folder within `folder`. */
async function orphan(test: Test, folder: string) {
  await mkdir(folder, { recursive: true });
  test.teardown(async () => {
    await endServersIn(folder);
    await rm(folder, { recursive: true, force: true });
  });
  await chmod(folder, 0o711);
  const owner = other(test, join(folder, 'data'));
  const { url } = await started(owner);
  const exited = once(owner.child, 'exit');
  owner.child.kill('SIGKILL');
  await exited;
  return url;
}

t.test('what a dead process has left is removed, what is of a living one stays', async (t) => {
  const prefix = `gatehouse-${randomUUID().slice(0, 8)}-`;
  const dead = join(tmpdir(), `${prefix}${deadPid()}-dead`);
  const living = ownFolder('living', prefix);
  const [of_dead, of_living] = await Promise.all([orphan(t, dead), orphan(t, living)]);
  t.notOk(await isGone(of_dead), 'a server outlives its owner');
  await removeLeftovers(prefix);
  t.ok(await isGone(of_dead));
  t.notOk(existsSync(dead));
  t.notOk(await isGone(of_living), 'nobody has touched it');
  await endServersIn(`${living}-other`);
  t.notOk(await isGone(of_living));
  await endServersIn(living);
  t.ok(await isGone(of_living));
});
