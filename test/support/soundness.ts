import type { Test } from 'tap';

/**
 * Says that the comparisons of this file tell what may never happen, not even once: if one fails,
 * the file has no second try, and the run is red (scripts/testing/summary.ts). A single assertion
 * says it by `{ soundness: 'what is broken' }` as its extra.
 */
export function soundness(
  t: Pick<Test, 'comment'>, broken: 'a secret in a text' | 'a permission exceeded'): void {
  t.comment(`soundness: ${broken}`);
}
