/**
 * Effects that follow from the rule (effect.ts), where it may be wrong: nothing but words says that
 * a GET changes something, or that a POST only reads, as all of Plaid's do and Notion's search.
 * That is too little to call these without a grant, so the operator is told how to say it.
 */
import { shellWord } from '../../shellWord.ts';
import { firstNamed } from '../../truncate.ts';
import type { ActionSummary } from '../action/action.ts';
import { READING_VERB } from '../action/words.ts';

const CHANGING_SHOWN = 20;
const READING_SHOWN = 10;

/** An action whose effect follows from the rule. */
type RuledEffect = Pick<ActionSummary, 'name' | 'source_key' | 'effect'> & { method: string };

/** What the operator is told of these operations of an integration. */
export function tellOfEffects(slug: string, ruled: readonly RuledEffect[]): string[] {
  return [
    ...tellOfChanging(ruled.filter(({ method, effect }) =>
      (method === 'GET' || method === 'HEAD') && effect !== 'read')),
    ...tellOfReading(slug, ruled.filter(({ method, effect }) =>
      method === 'POST' && effect === 'write')),
  ];
}

function tellOfChanging(changing: readonly RuledEffect[]): string[] {
  const { length } = changing;
  if (length === 0) return [];
  return [`${length} of the operations with GET or HEAD change something by their words, so they`
    + ` count as writing; where that is wrong, override the effect: ${
      firstNamed(changing.map(({ source_key }) => source_key), CHANGING_SHOWN)}`];
}

/** What can be said of most of them at once comes first. */
function tellOfReading(slug: string, posts: readonly RuledEffect[]): string[] {
  const keys = posts.flatMap((one) => keyOf(slug, one) ?? []);
  if (keys.length === 0) return [];
  const groups = [...Map.groupBy(keys, (key) => key)].sort(([, a], [, b]) => b.length - a.length);
  const flags = groups.map(([key, { length }]) =>
    `--effect ${shellWord(`${key}=read`)}${length === 1 ? '' : ` (${length})`}`);
  return [`${keys.length} with POST are called as if they only read, and need a grant all the same.`
    + ` Where they do read, say so: ${firstNamed(flags, READING_SHOWN)}`];
}

/** What names it in an override; null if it is not called as if it only read. */
function keyOf(slug: string, { name, source_key }: RuledEffect): string | null {
  const parts = name.slice(slug.length + 1).split('.');
  const verb = parts.at(-1)!;
  const [word] = READING_VERB.exec(verb) ?? [];
  if (word === undefined) return null;
  // A pattern has whole parts: what ends in more than the verb is named by itself.
  return word === verb && parts.length === 2 ? `${slug}.*.${verb}` : source_key;
}
