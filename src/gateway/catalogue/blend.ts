/** Blends what an action's words say with what it means. */
import type { Nearness } from '../embeddings/embeddings.ts';
import type { IndexedAction } from './searchIndex.ts';

interface Scored {
  action: IndexedAction;
  score: number;
}

/**
 * The part of the score that is by meaning. A fifth, because nobody knows how good the operator's
 * model is. One made of the words of the same documents is bad: alone it finds 29 of the 107
 * intents to tune with among the first five, where words find 66; with a half by meaning both find
 * 44, with a fifth 62. Where what is right was made to look nearer, until meaning alone found 64, a
 * fifth found 78, three tenths 80 and a half 74. Sums of ranks, squares of the nearness, and scores
 * divided by the best were not clearly better. No pretrained model has been measured:
 * test/bench/searchByMeaning.ts does that with the one of the environment.
 */
const MEANING = 0.2;
/** An action that is so many standard deviations nearer than the mean is as near as can be. */
const NEAREST = 6;
/**
 * Without a word of the query an action has to be nearer than chance makes the nearest of as many,
 * √(2 ln n) of normally distributed ones, by this factor. If none is, nothing fits.
 */
const BEYOND_CHANCE = 1.2;

/**
 * The scores of all actions of these lists that fit by words or by meaning, 0 to 1. `byWords` has
 * those that fit by words; an action that has no vector keeps its score. `meaning` is the part of
 * the score that is by meaning.
 */
export function blendScores(
  lists: Iterable<readonly IndexedAction[]>, byWords: readonly Scored[], near: Nearness,
  meaning = MEANING): Scored[] {
  const words = new Map(byWords.map(({ action, score }) => [action, score]));
  const known = [...lists].map((actions) => ({ actions, nearness: near(actions) }));
  const nearest = known.reduce((most, { nearness }) =>
    nearness?.reduce((more, one) => (one > more ? one : more), most) ?? most, NEAREST);
  const count = known.reduce((sum, { actions }) => sum + actions.length, 1);
  const near_alone = BEYOND_CHANCE * Math.sqrt(2 * Math.log(count));
  const scored: Scored[] = [];
  for (const { actions, nearness } of known) {
    for (const [at, action] of actions.entries()) {
      const word = words.get(action) ?? 0;
      const own = nearness?.[at] ?? NaN;
      const has_vector = !Number.isNaN(own);
      if (word === 0 && !(has_vector && own >= near_alone)) continue;
      const score = has_vector
        ? (1 - meaning) * word + meaning * Math.max(0, own) / nearest : word;
      scored.push({ action, score: Math.round(score * 10_000) / 10_000 });
    }
  }
  return scored;
}
