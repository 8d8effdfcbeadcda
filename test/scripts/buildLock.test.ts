/** The lock of those who build: one has it at a time, whatever was left behind. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { lockFolder } from '../../scripts/buildLock.ts';

const LOCK = new URL('../../scripts/buildLock.ts', import.meta.url).href;

/** A folder whose lock was taken by a process that was killed. */
function leftBehind(t: Test): string {
  const folder = t.testdir();
  const { signal } = spawnSync(process.execPath, ['--input-type=module', '--eval', `
    import { lockFolder } from ${JSON.stringify(LOCK)};
    await lockFolder(${JSON.stringify(folder)});
    process.kill(process.pid, 'SIGKILL');`]);
  t.equal(signal, 'SIGKILL');
  return folder;
}

t.test('one waits for the other, and then has it', async (t) => {
  const folder = t.testdir();
  const had: string[] = [];
  const unlock = await lockFolder(folder);
  const second = lockFolder(folder).then((one) => {
    had.push('second');
    return one;
  });
  await turn();
  t.same(had, []);
  unlock();
  (await second)();
  (await lockFolder(folder))();
  t.ok(readdirSync(folder).length <= 1, 'locks do not pile up');
});

t.test('of two who find what a killed one has left, one goes on', async (t) => {
  const folder = leftBehind(t);
  const had: string[] = [];
  const take = async (name: string) => {
    const unlock = await lockFolder(folder);
    had.push(name);
    return unlock;
  };
  const { kill } = process;
  const looks = Promise.withResolvers<() => void>();
  // The first takes it over between the look of the second one and what that does about it.
  process.kill = (pid, signal) => {
    process.kill = kill;
    looks.resolve(take('first'));
    return kill.call(process, pid, signal);
  };
  t.teardown(() => { process.kill = kill; });
  const second = take('second');
  const unlock = await looks.promise;
  await turn();
  t.same(had, ['first']);
  unlock();
  (await second)();
  t.same(had, ['first', 'second']);
  t.ok(readdirSync(folder).length <= 1, 'locks do not pile up');
});
