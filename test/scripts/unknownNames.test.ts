/** Who asks scripts for a part by a name that there is not learns so, before anything begins. */
import { spawnSync } from 'node:child_process';
import t from 'tap';
import { ROOT } from '../support/sourceTree.ts';

for (const [script, says] of [
  ['scripts/bench.ts', /^No bench is called nowhere or nothing\. There are: append, /],
  ['scripts/clients.ts', /^No generator is called nowhere or nothing\. There are: openapi-python/],
] as const) {
  t.test(script, async (t) => {
    const { status, stderr, stdout } = spawnSync(process.execPath,
      [script, 'nowhere', 'nothing'], { cwd: ROOT, encoding: 'utf8' });
    t.equal(status, 2);
    t.match(stderr, says);
    t.equal(stdout, '');
  });
}
