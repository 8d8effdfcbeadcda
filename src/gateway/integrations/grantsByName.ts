import type { Grant } from '../../store/grants.ts';
import { PatternTree } from '../action/patterns.ts';

/**
 * Finds the grants that match a name, a list of them for each pattern: each of thousands of
 * workspaces may have one of the same.
 */
export function grantsByName(grants: readonly Grant[]): (name: string) => Grant[][] {
  const tree = new PatternTree<Grant[]>();
  for (const grant of grants) tree.of(grant.actions, () => []).push(grant);
  return (name) => tree.matching(name);
}
