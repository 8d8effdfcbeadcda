/**
 * Search by words. How well an action fits is, first, how much of the query it holds: rare words
 * count more than frequent ones, words in its name and title more than those in its path and
 * description. Second, how little else its name or title says. What asks a question is not asking
 * for a change, what says nothing of a removal is not asking for one, and who names an integration
 * wants that one. A word also finds its synonyms; one that is found nowhere stands for those that
 * are spelled like it.
 *
 * The search runs in memory, with an index for each source that is kept as long as the source: this
 * process holds the actions and decides what a caller may see anyway. `make bench` (search,
 * catalogue) measures what it finds; decision 0008 tells what else was tried.
 */
import { READING_VERB } from '../action/words.ts';
import type { Nearness } from '../embeddings/embeddings.ts';
import { blendScores, meaningBeside } from './blend.ts';
import { IN_NAME, IN_TITLE, type IndexedAction, type SearchIndex } from './searchIndex.ts';
import type { ParsedQuery, Term } from './searchQuery.ts';

export interface Ranked<A> {
  action: A;
  /** 0 to 1. */
  score: number;
}

/** Of the words of the query, and of how little else the name says. */
const WEIGHT = { held: 0.74, precision: 0.26 };
/**
 * For what changes something, if the query asks what there is, and the other way round; and for
 * what destroys something, if no word of the query asks for that.
 */
const OTHER_EFFECT = 0.87;
/** For what is of another integration than the one that the query names. */
const OTHER_INTEGRATION = 0.7;
const LEAST_SCORE = 0.05;

/**
 * The `limit` actions that fit the query best, best first. At equal score, actions that only read
 * come first, then those with shorter names. Actions that match no word are left out, and so is
 * what `view` makes nothing of: it is asked about the best first, and about no more than it takes.
 * `near` tells how near in meaning the query is, if that is known; `meaning`: the part of the score
 * that goes by it.
 */
export function rank<A>(
  asked: ParsedQuery, limit: number, view: (action: IndexedAction) => A | undefined,
  near?: Nearness, meaning?: number): Ranked<A>[] {
  const sources = asked.indexes.map((index) => ({ index, suits: suitability(index, asked) }));
  const byWords = sources.flatMap(({ index, suits }) => scores(index, asked, suits));
  const ranked = near === undefined ? byWords : blendScores(
    sources.map(({ index: { actions }, suits }) => ({ actions, suits })), byWords, near,
    meaning ?? meaningBeside(bestOf(byWords, view)));
  const found: Ranked<A>[] = [];
  for (const { action: definition, score } of bestFirst(ranked)) {
    if (found.length === limit) break;
    const action = view(definition);
    if (action !== undefined) found.push({ action, score });
  }
  return found;
}

/** The score of the best that is shown: what is not says nothing of itself. */
function bestOf(
  ranked: readonly Ranked<IndexedAction>[], view: (action: IndexedAction) => unknown): number {
  for (const { action, score } of bestFirst(ranked)) if (view(action) !== undefined) return score;
  return 0;
}

/** Sorts no more than is taken: a frequent word is in thousands of actions. */
function* bestFirst(ranked: readonly Ranked<IndexedAction>[]): Generator<Ranked<IndexedAction>> {
  const byScore = Map.groupBy(ranked, ({ score }) => score);
  for (const score of Float64Array.from(byScore.keys()).sort().reverse()) {
    yield* byScore.get(score)!.sort(compare);
  }
}

function compare({ action: a }: Ranked<IndexedAction>, { action: b }: Ranked<IndexedAction>) {
  return Number(b.effect === 'read') - Number(a.effect === 'read')
    || a.name.length - b.name.length
    || (a.name < b.name ? -1 : 1);
}

/** How well actions of a source suit a query besides their words: 1, or less. */
function suitability(
  { names }: SearchIndex, { terms, reads, removes }: ParsedQuery,
): (action: IndexedAction) => number {
  const named = terms.filter(({ names_integration }) => names_integration);
  const is_other = named.length > 0 && !named.some(({ stem }) => names.has(stem));
  return ({ name, effect }) => {
    const seems_to_read = effect === 'read' || (effect === 'write' && readsByName(name));
    return (reads !== undefined && reads !== seems_to_read ? OTHER_EFFECT : 1)
      * (effect === 'destructive' && !removes ? OTHER_EFFECT : 1)
      * (is_other ? OTHER_INTEGRATION : 1);
  };
}

/** Such as `contacts.search`, which is called with POST; not `find_or_create`. */
function readsByName(name: string): boolean {
  const last = name.slice(name.lastIndexOf('.') + 1);
  return READING_VERB.test(last) && !last.includes('_or_');
}

function scores(
  index: SearchIndex, { terms }: ParsedQuery, suits: (action: IndexedAction) => number,
): Ranked<IndexedAction>[] {
  const { length } = index.actions;
  const sums = { held: new Float32Array(length), of_name: new Float32Array(length),
    of_title: new Float32Array(length) };
  for (const term of terms) add(sums, index, term);
  const asked = terms.filter(({ names_integration }) => !names_integration).length;
  const found: Ranked<IndexedAction>[] = [];
  for (const [at, held] of sums.held.entries()) {
    if (held === 0) continue;
    const action = index.actions[at]!;
    const precision = Math.max(
      2 * sums.of_name[at]! / Math.max(1, asked + index.nameWords[at]!),
      2 * sums.of_title[at]! / Math.max(1, asked + index.titleWords[at]!));
    const score = (WEIGHT.held * held + WEIGHT.precision * Math.min(1, precision)) * suits(action);
    if (score >= LEAST_SCORE) found.push({ action, score: Math.round(score * 10_000) / 10_000 });
  }
  return found;
}

/** Adds the best that a word of the query finds in each action, by itself or by a synonym. */
function add(
  sums: Record<'held' | 'of_name' | 'of_title', Float32Array>, index: SearchIndex,
  { found, share, names_integration }: Term): void {
  const best = new Map<number, { held: number, in_name: number, in_title: number }>();
  for (const { word, worth } of found) {
    const postings = index.get(word);
    if (postings === undefined) continue;
    for (const [i, at] of postings.action.entries()) {
      let one = best.get(at);
      if (one === undefined) best.set(at, one = { held: 0, in_name: 0, in_title: 0 });
      const place = postings.place[i]!;
      one.held = Math.max(one.held, worth * postings.worth[i]!);
      if (place & IN_NAME) one.in_name = Math.max(one.in_name, worth);
      if (place & IN_TITLE) one.in_title = Math.max(one.in_title, worth);
    }
  }
  for (const [at, { held, in_name, in_title }] of best) {
    sums.held[at]! += share * held;
    // The slug belongs to every name of the integration.
    if (names_integration) continue;
    sums.of_name[at]! += in_name;
    sums.of_title[at]! += in_title;
  }
}
