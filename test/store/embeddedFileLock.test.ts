/** The lock of a file: one process has it at a time, whatever was left behind. */
import { spawnSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { withFileLock } from '../../src/store/embedded/fileLock.ts';

const LOCK = new URL('../../src/store/embedded/fileLock.ts', import.meta.url).href;
const WAIT = { timeout_ms: 60_000, doing: 'testing' };

/** What another process comes to that asks for the lock, and does `work` while it has it. */
function elsewhere(path: string, work: string) {
  const { signal, stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', `
    import { withFileLock } from ${JSON.stringify(LOCK)};
    await withFileLock(${JSON.stringify(path)}, { timeout_ms: 0, doing: 'testing' },
      async () => { ${work} }).catch(({ message }) => console.log(message));`]);
  return { signal, said: String(stdout) };
}

t.test('one waits for the other, in this process as in another', async (t) => {
  const path = join(t.testdir(), 'lock');
  const had: string[] = [];
  const first = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const done = withFileLock(path, WAIT, async () => {
    begun.resolve();
    await first.promise;
    had.push('first');
  });
  const second = withFileLock(path, WAIT, async () => had.push('second'));
  await begun.promise;
  await turn();
  t.same(had, []);
  t.match(elsewhere(path, ''), { said: /^another process has held .*lock for 0 s; it is testing/ });
  first.resolve();
  await Promise.all([done, second]);
  t.same(had, ['first', 'second']);
  t.same(elsewhere(path, "console.log('had')").said, 'had\n');
});

t.test('what fails gives it back, and so does a process that is killed', async (t) => {
  const path = join(t.testdir(), 'lock');
  await t.rejects(withFileLock(path, WAIT, async () => { throw new Error('no'); }),
    { message: 'no' });
  t.equal(elsewhere(path, "process.kill(process.pid, 'SIGKILL')").signal, 'SIGKILL');
  t.equal(await withFileLock(path, WAIT, async () => 'had'), 'had');
});

t.test('it writes nothing, so that it can be had where the disk is full', async (t) => {
  const folder = t.testdir();
  const there = await withFileLock(join(folder, 'lock'), WAIT, () => readdir(folder));
  t.strictSame(there, ['lock']);
});
