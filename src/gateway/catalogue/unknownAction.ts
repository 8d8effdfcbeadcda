import { firstNamed } from '../../truncate.ts';
import { openIfThere, type ActionDefinition } from '../action/action.ts';
import { lacks } from '../action/failure.ts';
import type { Missing } from '../action/outcome.ts';
import { rank } from './search.ts';
import type { IndexedAction } from './searchIndex.ts';
import { makeIndexes } from './searchIndexes.ts';
import { readQuery } from './searchQuery.ts';
import { trigramsOf, wordsOf } from './searchWords.ts';
import type { VisibleAction, VisibleActions } from './visibility.ts';

const SUGGESTIONS = 5;
const NAME_LIMIT_CHARS = 200;
const INTEGRATIONS_LIMIT = 10;
/** As pg_trgm has it: `githb` and `github` have 0.44 in common. */
const LEAST_SIMILARITY = 0.3;

/** An action with all that describes it and that a call needs. */
export interface OpenedAction extends VisibleAction {
  definition: ActionDefinition;
}

/** The action of this name. Throws ActionFailure, which names similar ones, if there is none. */
export async function openAction(name: string, visible: VisibleActions): Promise<OpenedAction> {
  const action = visible.get(name);
  const definition = action && await openIfThere(action.definition);
  if (definition === undefined) throw lacks(await unknownAction(name, visible));
  return { ...action!, definition };
}

/**
 * What to tell of a name that nothing has. Suggested are actions of the integration that it names,
 * or of one with a similar name, or those that its first word means something to: no strangers.
 */
export async function unknownAction(
  name: string, visible: VisibleActions): Promise<Extract<Missing, { code: 'unknown_action' }>> {
  const shown = name.length > NAME_LIMIT_CHARS ? `${name.slice(0, NAME_LIMIT_CHARS)}…` : name;
  const [slug = ''] = shown.split('.');
  const broken = visible.brokenSlugs();
  if (broken.includes(slug)) {
    return { code: 'unknown_action', action: shown, suggestions: [],
      message: `No action is named ${JSON.stringify(shown)}. ${toReconnect(slug)}` };
  }
  const sources = new Map([...visible.connected()]
    .map((source) => [source.integration.slug, source]));
  const near = sources.has(slug) ? [slug]
    : [...sources.keys()].filter((known) => similarity(known, slug) >= LEAST_SIMILARITY);
  const words = wordsOf(slug);
  // One of this name was there until a moment ago, if it has just been removed.
  const fits = (action: IndexedAction) => action.name !== name && (near.length > 0
    || wordsOf(action.name).some((word) => words.includes(word)));
  const searched = near.length > 0 ? near.map((known) => sources.get(known)!)
    : [...sources.values()];
  await makeIndexes(searched);
  const suggestions = rank(readQuery(shown, searched), SUGGESTIONS,
    (action) => fits(action) ? visible.listed(action.name) : undefined)
    .map(({ action }) => action.definition.name);
  return {
    code: 'unknown_action',
    message: `No action is named ${JSON.stringify(shown)}. ${suggestions.length > 0
      ? `Similar ones: ${suggestions.join(', ')}.`
      : `${near.length > 0 ? '' : whatThereIs([...sources.keys()], broken)}Search for one with`
        + ' gateway.actions.search.'}`,
    action: shown,
    suggestions,
  };
}

/** What to tell of an integration of which nothing is found until then. */
export function toReconnect(slug: string): string {
  return `${slug} has to be reconnected before its actions are found:`
    + ' gateway.connections.list says which account.';
}

function whatThereIs(connected: string[], broken: string[]): string {
  const told = firstNamed(broken, INTEGRATIONS_LIMIT);
  return `Connected are ${firstNamed(connected.sort(), INTEGRATIONS_LIMIT) || 'no integrations'}${
    told && `; to be reconnected before they can be used: ${told}`}. `;
}

function similarity(one: string, other: string): number {
  const [ours, theirs] = [trigramsOf(one), trigramsOf(other.toLowerCase())];
  const both = ours.intersection(theirs).size;
  return both / (ours.size + theirs.size - both);
}
