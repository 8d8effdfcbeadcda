/** Actions that a client asks for as tools of their own: `/mcp?actions=github.issues.*`. */
import { GatehouseError } from '../errors.ts';
import {
  PatternTree, type ActionSummary, type VisibleAction, type VisibleActions,
} from '../gateway/face.ts';
import { begins, plainActionOf, toolNameOf } from './toolNames.ts';

const PATTERNS_LIMIT = 20;
const PATTERN = /^(?:[\w-]{1,100}|\*)(?:\.(?:[\w-]{1,100}|\*)){0,9}$/;

/** Tools of their own; more would take the context of a model that was to work with them. */
export const CHOSEN_LIMIT = 50;

/** The patterns of the query, `actions=a.*,b.c`. Throws `invalid_request`. */
export function chosenPatterns(search: string): string[] {
  const patterns = new URLSearchParams(search).getAll('actions')
    .flatMap((list) => list.split(',')).map((one) => one.trim()).filter(Boolean);
  if (patterns.length <= PATTERNS_LIMIT && patterns.every((one) => PATTERN.test(one))) {
    return patterns;
  }
  throw new GatehouseError('invalid_request', `"actions" takes at most ${PATTERNS_LIMIT} names or`
    + ' patterns of actions, by commas: github.issues.*', { param: 'actions' });
}

/** Those of connected integrations that a pattern names, by name. */
export function* chosenOf(
  visible: VisibleActions, patterns: readonly string[]): Generator<VisibleAction> {
  if (patterns.length > 0) yield* visible.listedAfter('', namedBy(patterns));
}

/**
 * The one of them that this tool stands for. Anybody may ask for tools that there are not: there
 * may be 20,000 actions, and most names of tools say which one it could be.
 */
export function chosenBy(
  tool: string, visible: VisibleActions, patterns: readonly string[]): VisibleAction | undefined {
  const isNamed = namedBy(patterns);
  const isIt = (action: ActionSummary) => toolNameOf(action.name) === tool && isNamed(action);
  const name = plainActionOf(tool);
  if (name !== undefined) {
    const action = visible.listed(name);
    return action && isIt(action.definition) ? action : undefined;
  }
  return visible.listedAfter('', (action) =>
    begins(tool, action.name) && isIt(action)).next().value;
}

function namedBy(patterns: readonly string[]): (action: ActionSummary) => boolean {
  const tree = new PatternTree<true>();
  for (const pattern of patterns) tree.of(pattern, () => true);
  return ({ name }) => tree.matching(name).length > 0;
}
