/**
 * Search by words. The score of an action has three parts: the share of the query's words that are
 * found anywhere in it, the share found in its name or title, and how few other words its name or
 * title has. Rare words count more than frequent ones, the name of an integration twice. A verb
 * also finds its synonyms. A word that is found nowhere stands for those that are spelled like it.
 *
 * The search runs in memory, with an index for each source that is kept as long as the source: this
 * process holds the actions and decides what a caller may see anyway. Measured on 4,018 real
 * actions with `make bench` (search): 15, 20, 20 of 20 intents were among the first 1, 5, 10;
 * coverage with pg_trgm had 13, 17, 20 and ts_rank 5, 12, 16. The same scores computed by
 * PostgreSQL 18 took five times as long (median 4.9 ms, not 0.9, on a busy machine), and the
 * built-in actions are in no table.
 */
import { SearchIndex, IN_NAME, IN_SLUG, IN_TITLE, type IndexedAction } from './searchIndex.ts';
import { synonymsOf, wordsOf } from './searchWords.ts';

export interface Ranked<A> {
  action: A;
  /** 0 to 1. */
  score: number;
}

/** An action that may be found, and the list of its source, which has the index. */
export interface Searchable {
  definition: IndexedAction;
  source: readonly IndexedAction[];
}

const QUERY_LIMIT_CHARS = 1_000;
const QUERY_LIMIT_WORDS = 32;
const WEIGHT = { anywhere: 0.4, name: 0.25, precision: 0.35 };
/** A synonym counts less than the word itself, and each a little less than the one before it. */
const SYNONYM = 0.8;
const NEXT_SYNONYM = 0.01;
/** Whoever names an integration wants that one. */
const SLUG_FACTOR = 2;
const LEAST_SCORE = 0.05;

/**
 * The `limit` of `actions` that fit `query` best, best first. At equal score, actions that only
 * read come first, then those with shorter names. Actions that match no word are left out. Pass the
 * same lists of actions again: the indexes are kept under them.
 */
export function rank<A extends Searchable>(
  actions: Iterable<A>, query: string, limit: number): Ranked<A>[] {
  const words = [...new Set(wordsOf(query.slice(0, QUERY_LIMIT_CHARS)))]
    .slice(0, QUERY_LIMIT_WORDS);
  const searched = new Map<IndexedAction, A>();
  const sources = new Set<readonly IndexedAction[]>();
  for (const action of actions) {
    searched.set(action.definition, action);
    sources.add(action.source);
  }
  const indexes = [...sources].map(indexOf);
  const weighed = weigh(words, indexes);
  const ranked = indexes.flatMap((index) => scores(index, weighed))
    .sort(compare);
  const found: Ranked<A>[] = [];
  for (const { action: definition, score } of ranked) {
    if (found.length === limit) break;
    const action = searched.get(definition);
    if (action !== undefined) found.push({ action, score });
  }
  return found;
}

function compare(a: Ranked<IndexedAction>, b: Ranked<IndexedAction>): number {
  return b.score - a.score
    || Number(b.action.effect === 'read') - Number(a.action.effect === 'read')
    || a.action.name.length - b.action.name.length
    || (a.action.name < b.action.name ? -1 : 1);
}

const indexes = new WeakMap<readonly IndexedAction[], SearchIndex>();

function indexOf(actions: readonly IndexedAction[]): SearchIndex {
  let index = indexes.get(actions);
  if (index === undefined) {
    index = new SearchIndex(actions);
    indexes.set(actions, index);
  }
  return index;
}

/** A word of the query: the words that it finds and what they are worth, and its weight. */
interface WeighedWord {
  found: { word: string, worth: number }[];
  share: number;
}

function weigh(words: readonly string[], indexes: readonly SearchIndex[]): WeighedWord[] {
  const total = indexes.reduce((sum, { actions }) => sum + actions.length, 0);
  const slugs = new Set(indexes.flatMap(({ actions }) =>
    actions.slice(0, 1).flatMap(({ integration }) => wordsOf(integration))));
  const frequency = (word: string) =>
    indexes.reduce((sum, index) => sum + (index.get(word)?.action.length ?? 0), 0);
  const rarities = words.map((word) => {
    const actions = frequency(word);
    return actions === 0 ? null : Math.log(1 + total / (1 + actions));
  });
  const known = rarities.filter((rarity) => rarity !== null);
  // An unknown word gets the mean weight: it lowers all scores alike.
  const mean = known.length === 0 ? 1 : known.reduce((sum, one) => sum + one, 0) / known.length;
  const weights = words.map((word, i) =>
    slugs.has(word) ? SLUG_FACTOR * mean : rarities[i] ?? mean);
  const sum = weights.reduce((all, weight) => all + weight, 0);
  return words.map((word, i) => ({
    found: whatFinds(word, rarities[i] === null, indexes),
    share: weights[i]! / sum,
  }));
}

function whatFinds(
  word: string, unknown: boolean, indexes: readonly SearchIndex[]): WeighedWord['found'] {
  const synonyms = synonymsOf(word).map((synonym, i) =>
    ({ word: synonym, worth: SYNONYM - i * NEXT_SYNONYM }));
  const found = [{ word, worth: 1 }, ...synonyms];
  const isKnown = !unknown || found.some((one) => indexes.some((index) => index.get(one.word)));
  if (isKnown) return found;
  return indexes.flatMap((index) => index.similar(word))
    .map(({ word: known, similarity }) => ({ word: known, worth: SYNONYM * similarity }));
}

function scores(
  index: SearchIndex, words: readonly WeighedWord[]): Ranked<IndexedAction>[] {
  const sums = new Sums(index.actions.length);
  for (const { found, share } of words) sums.add(index, found, share);
  const list: Ranked<IndexedAction>[] = [];
  for (const at of sums.touched) {
    const score = Math.round(sums.score(at, words.length, index) * 10_000) / 10_000;
    if (score >= LEAST_SCORE) list.push({ action: index.actions[at]!, score });
  }
  return list;
}

/** For each action, by its position: what the words of the query have found so far. */
class Sums {
  readonly touched = new Set<number>();
  readonly #anywhere: Float64Array;
  readonly #inName: Float64Array;
  /** How many words of the query are in the name, in the title, or only in the slug. */
  readonly #ofName: Float64Array;
  readonly #ofTitle: Float64Array;
  readonly #ofSlug: Float64Array;

  constructor(count: number) {
    this.#anywhere = new Float64Array(count);
    this.#inName = new Float64Array(count);
    this.#ofName = new Float64Array(count);
    this.#ofTitle = new Float64Array(count);
    this.#ofSlug = new Float64Array(count);
  }

  add(index: SearchIndex, found: WeighedWord['found'], share: number): void {
    const best = new Map<number, { worth: number, named: number, place: number }>();
    for (const { word, worth } of found) {
      const postings = index.get(word);
      if (postings === undefined) continue;
      for (let i = 0; i < postings.action.length; i++) {
        const at = postings.action[i]!;
        const place = postings.place[i]!;
        const hit = worth * postings.worth[i]!;
        const known = best.get(at);
        const named = place === 0 ? 0 : worth;
        if (known === undefined) best.set(at, { worth: hit, named, place });
        else {
          known.worth = Math.max(known.worth, hit);
          // Synonyms come after the word itself, so the first hit in a name is the best.
          if (named > known.named) {
            known.named = named;
            known.place = place;
          }
        }
      }
    }
    for (const [at, { worth, named, place }] of best) {
      this.touched.add(at);
      this.#anywhere[at]! += share * worth;
      this.#inName[at]! += share * named;
      if (place & IN_NAME) this.#ofName[at]! += named;
      if (place & IN_TITLE) this.#ofTitle[at]! += named;
      if (place === IN_SLUG) this.#ofSlug[at]! += 1;
    }
  }

  score(at: number, words: number, index: SearchIndex): number {
    // The slug is part of every name of the integration, so it does not dilute one.
    const asked = words - this.#ofSlug[at]!;
    const precision = Math.max(
      2 * this.#ofName[at]! / (asked + index.nameWords[at]!),
      2 * this.#ofTitle[at]! / (asked + index.titleWords[at]!));
    return WEIGHT.anywhere * this.#anywhere[at]! + WEIGHT.name * this.#inName[at]!
      + WEIGHT.precision * Math.min(1, precision);
  }
}
