/** How messages name the program, by the folder in which it was called. */
import { dirname, join } from 'node:path';
import t from 'tap';
import { commandFrom } from '../../src/cli/invocation.ts';
import { GATEHOUSE } from './support.ts';

t.test('only in its own folder by a path from there', async (t) => {
  const folder = dirname(dirname(GATEHOUSE));
  t.equal(commandFrom(folder, GATEHOUSE), './bin/gatehouse');
  t.equal(commandFrom(join(folder, 'bin'), GATEHOUSE), './gatehouse');
  for (const cwd of ['/', dirname(folder), join(folder, 'src'), '/tmp']) {
    t.equal(commandFrom(cwd, GATEHOUSE), GATEHOUSE, cwd);
  }
});
