/**
 * Whether any action is what a query asks for. A search always finds something that shares a word;
 * somebody who asks for a dentist should hear that nobody knows one.
 */
import type { IndexedAction, SearchIndex } from './searchIndex.ts';
import { isProduct } from './searchProducts.ts';
import { shareTerms, type ParsedQuery, type Term } from './searchQuery.ts';
import { isEmptyWord, isUnspaced } from './searchWords.ts';

export interface Fit {
  /** Words of the query, as they were said, that no action knows, nor any that is like them. */
  unknown_words: string[];
  /** Whether no action holds enough of the query to be more than a stranger. */
  is_outside: boolean;
}

/**
 * How much of a query the best action has to hold, for each of the logarithm of how many actions
 * there are: 0.48 of it among 10,000. Where there are few, a strange word says less. It is the
 * least with which four of five intents outside of all were told apart (test/bench/catalogue.ts).
 */
const LEAST_HELD = 0.0525;
/**
 * What the word weighs that an order begins with. People have many words for what is to be done,
 * most of them in no document (`stash`, `bump`); what it is to be done to tells more. Of 100
 * intents in odd words, 23 were taken for strangers when each word had its own weight, and 14 with
 * this.
 */
const ORDER = 0.3;
/**
 * What a name weighs that no action knows: whom or what it is done to, rather than what is done. Of
 * 140 intents outside of all and 100 with names and values in them, written unseen, 112 and 7 were
 * refused with this, 110 and 6 with 0.5, 98 and 3 where names say nothing.
 */
const NAME = 0.7;

/**
 * What the sources know of a query. Only one with an unknown word can be outside. `sees`: whether
 * an action exists for who asks; the others tell nothing of themselves here either.
 */
export function fitOf(
  { terms, indexes, actions }: ParsedQuery,
  sees: (action: IndexedAction) => boolean = () => true): Fit {
  const knows = ({ found }: Term) => found.some(({ word }) =>
    indexes.some((index) => index.get(word)?.action.some((at) => sees(index.actions[at]!))));
  const has_object = terms.some((term) => term.is_object && says(term) && knows(term));
  const isContent = (term: Term) => term.is_content || term.is_detail && has_object;
  const telling = terms.filter((term) => says(term) && !(isContent(term) && !knows(term)));
  const unknown = telling.filter((term) => !knows(term));
  const names_integration = telling.some((term) => term.names_integration);
  const names_stranger = unknown.some(({ said }) => isProduct(said));
  return {
    unknown_words: unknown.map(({ said }) => said),
    is_outside: unknown.length > 0 && !names_integration && (names_stranger
      || mostHeld(shareTerms(telling, actions), indexes, sees) < LEAST_HELD * Math.log(actions)),
  };
}

/**
 * Of a phrase, which is found by one of its words, the others say nothing: `spin` of `spin up`. Nor
 * do two letters that no action has if they may belong to two words, nor numbers, nor places like
 * `B7`.
 */
function says({ said, stem, found, in_phrase }: Term): boolean {
  if (isUnspaced(said)) return found.length > 0;
  return in_phrase ? found.length > 0 : !isEmptyWord(stem) && !/\d/.test(said);
}

/** The largest part of these words, by how rare they are, that one action holds. */
function mostHeld(
  terms: readonly Term[], indexes: readonly SearchIndex[],
  sees: (action: IndexedAction) => boolean): number {
  const weights = terms.map(({ share, is_order, is_name, found }) =>
    share * (is_order ? ORDER : is_name && found.length === 0 ? NAME : 1));
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  let most = 0;
  for (const index of indexes) {
    const held = new Float32Array(index.actions.length);
    for (const [i, { found }] of terms.entries()) {
      const best = new Map<number, number>();
      for (const { word, worth } of found) {
        for (const at of index.get(word)?.action ?? []) {
          best.set(at, Math.max(best.get(at) ?? 0, worth));
        }
      }
      for (const [at, worth] of best) held[at]! += weights[i]! * worth;
    }
    most = held.reduce((highest, one, at) =>
      one > highest && sees(index.actions[at]!) ? one : highest, most);
  }
  return most / all;
}
