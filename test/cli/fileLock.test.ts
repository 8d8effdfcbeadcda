/** Files of a person that several commands change at once; process.test.ts has how they do. */
import { join } from 'node:path';
import t from 'tap';
import { alone } from '../../src/cli/fileLock.ts';

t.test('what cannot be a folder is said, and nobody waits for it', async (t) => {
  const place = join(t.testdir({ file: '' }), 'file');
  let tried = false;
  await t.rejects(alone(join(place, 'profiles.json'), async () => {
    tried = true;
  }), { message: /^\S+\.lock cannot be written: EEXIST: / });
  t.notOk(tried);
});
