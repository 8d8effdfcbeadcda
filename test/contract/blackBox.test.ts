/** Suite and kit are a black box: what they import knows nothing of how the service is made. */
import { readFileSync } from 'node:fs';
import t from 'tap';

/** The files that a file imports, with the files that those import. */
function importsOf(file: URL, seen = new Set<string>()): Set<string> {
  if (seen.has(file.href) || !file.href.endsWith('.ts')) return seen;
  seen.add(file.href);
  for (const [, path] of readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g)) {
    importsOf(new URL(path!, file), seen);
  }
  return seen;
}

t.test('the suite imports nothing of src but the kit, and that nothing else', async (t) => {
  const files = [...importsOf(new URL('suite.ts', import.meta.url))];
  t.ok(files.length >= 8, 'the walk has found them');
  t.ok(files.some((file) => file.endsWith('/src/contract/checks/streams.ts')));
  t.strictSame(files.filter((file) => /\/src\/(?!contract\/)/.test(file)), []);
});
