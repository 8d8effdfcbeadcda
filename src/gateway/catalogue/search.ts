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

const QUERY_LIMIT_CHARS = 1_000;
const QUERY_LIMIT_WORDS = 32;
const WEIGHT = { anywhere: 0.4, name: 0.25, precision: 0.35 };
/** A synonym counts less than the word itself, and each a little less than the one before it. */
const SYNONYM = 0.8;
const NEXT_SYNONYM = 0.01;
/** A query that names an integration asks for that one. */
const SLUG_FACTOR = 2;
const LEAST_SCORE = 0.05;

/**
 * The `limit` of the actions of these sources that fit `query` best, best first. At equal score,
 * actions that only read come first, then those with shorter names. Actions that match no word are
 * left out, and so is what `view` makes nothing of: it is asked about the best first, and about no
 * more than it takes. Pass the same lists of actions again: the indexes are kept under them.
 */
export function rank<A>(
  sources: Iterable<readonly IndexedAction[]>, query: string, limit: number,
  view: (action: IndexedAction) => A | undefined): Ranked<A>[] {
  const words = [...new Set(wordsOf(query.slice(0, QUERY_LIMIT_CHARS)))]
    .slice(0, QUERY_LIMIT_WORDS);
  const indexes = [...sources].map(indexOf);
  const weighed = weigh(words, indexes);
  const ranked = indexes.flatMap((index) => scores(index, weighed))
    .sort(compare);
  const found: Ranked<A>[] = [];
  for (const { action: definition, score } of ranked) {
    if (found.length === limit) break;
    const action = view(definition);
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

/** What the words of a query find in one action. */
interface Sum {
  anywhere: number;
  in_name: number;
  /** How many words are in the name, in the title, or only in the slug. */
  of_name: number;
  of_title: number;
  of_slug: number;
}

function scores(
  index: SearchIndex, words: readonly WeighedWord[]): Ranked<IndexedAction>[] {
  const sums = new Map<number, Sum>();
  for (const { found, share } of words) {
    for (const [at, { worth, named, place }] of bestHits(index, found)) {
      let sum = sums.get(at);
      if (sum === undefined) {
        sums.set(at, sum = { anywhere: 0, in_name: 0, of_name: 0, of_title: 0, of_slug: 0 });
      }
      sum.anywhere += share * worth;
      sum.in_name += share * named;
      if (place & IN_NAME) sum.of_name += named;
      if (place & IN_TITLE) sum.of_title += named;
      if (place === IN_SLUG) sum.of_slug += 1;
    }
  }
  return [...sums].map(([at, sum]) => {
    // The slug is part of every name of the integration, so it does not dilute one.
    const asked = words.length - sum.of_slug;
    const precision = Math.max(2 * sum.of_name / (asked + index.nameWords[at]!),
      2 * sum.of_title / (asked + index.titleWords[at]!));
    const score = WEIGHT.anywhere * sum.anywhere + WEIGHT.name * sum.in_name
      + WEIGHT.precision * Math.min(1, precision);
    return { action: index.actions[at]!, score: Math.round(score * 10_000) / 10_000 };
  }).filter(({ score }) => score >= LEAST_SCORE);
}

interface Best {
  worth: number;
  /** The worth of the best hit in a name, title or slug, and which of them it was. */
  named: number;
  place: number;
}

/** By position of the action: the best that a word of the query finds by itself or by a synonym. */
function bestHits(index: SearchIndex, found: WeighedWord['found']): Map<number, Best> {
  const best = new Map<number, Best>();
  for (const { word, worth } of found) {
    const postings = index.get(word);
    if (postings === undefined) continue;
    for (const [i, at] of postings.action.entries()) {
      const place = postings.place[i]!;
      let one = best.get(at);
      if (one === undefined) best.set(at, one = { worth: 0, named: 0, place });
      one.worth = Math.max(one.worth, worth * postings.worth[i]!);
      // Synonyms come after the word itself, so the first hit in a name is the best.
      if (place !== 0 && worth > one.named) {
        one.named = worth;
        one.place = place;
      }
    }
  }
  return best;
}
