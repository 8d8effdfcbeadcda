import type { Test } from 'tap';

type Broken =
  'an event lost, twice or out of order' | 'a secret in a text' | 'a permission exceeded';

/**
 * Says that the comparisons of this test, or of the file, tell what may never happen, not even
 * once: if one fails, the file has no second try, and the run is red (scripts/testing/summary.ts).
 * A single assertion says it by `{ soundness: 'what is broken' }` as its extra.
 */
export function soundness(
  t: Pick<Test, 'comment'>, broken: Broken): void {
  t.comment(`soundness: ${broken}`);
}
