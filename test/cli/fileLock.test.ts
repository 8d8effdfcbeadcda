/** Files of a person that several commands change at once. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { alone } from '../../src/cli/fileLock.ts';

t.test('one changes a file at a time', async (t) => {
  const file = join(t.testdir(), 'made', 'count');
  const read = () => Number(readFileSync(file, 'utf8'));
  await alone(file, async () => writeFileSync(file, '0'));
  await Promise.all(Array.from({ length: 5 }, () => alone(file, async () => {
    const before = read();
    await Promise.resolve();
    writeFileSync(file, String(before + 1));
  })));
  t.equal(read(), 5);
});

t.test('what cannot be a folder is said, and nobody waits for it', async (t) => {
  const place = join(t.testdir({ file: '' }), 'file');
  let tried = false;
  await t.rejects(alone(join(place, 'profiles.json'), async () => {
    tried = true;
  }), { message: /^\S+\.lock cannot be written: EEXIST: / });
  t.notOk(tried);
});
