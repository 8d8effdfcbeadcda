/** Blends what an action's words say with what it means. */
import type { Nearness } from '../embeddings/embeddings.ts';
import type { IndexedAction } from './searchIndex.ts';

interface Scored {
  action: IndexedAction;
  score: number;
}

/**
 * The part of the score that is by meaning: the less the words of any action fit, the more. Of the
 * 107 intents to tune with, this finds as many among the first five and the first ten as the best
 * fixed part, or more, with each of three pretrained models of 384 numbers (all-MiniLM-L6-v2 74 and
 * 82, bge-small-en-v1.5 70 and 82, e5-small-v2 69 and 79; a fifth: 73 and 82, 70 and 79, 68 and 78;
 * words alone: 66 and 71). It is small, for nobody knows how good the operator's model is: one that
 * was made of the words of the same documents found 62 with a fifth, and 44 with a half. Squares of
 * the nearness and sums of ranks were not clearly better. test/bench/searchByMeaning.ts measures it
 * with the model of the environment.
 */
const MEANING = { least: 0.1, more: 0.3 };
/** An action that is so many standard deviations nearer than the mean is as near as can be. */
const NEAREST = 6;
/**
 * Without a word of the query an action has to be nearer than chance makes the nearest of as many,
 * √(2 ln n) of normally distributed ones, by this factor. If none is, nothing fits.
 */
const BEYOND_CHANCE = 1.2;

interface Source {
  actions: readonly IndexedAction[];
  /** How well an action suits the query besides what it means and its words: 1, or less. */
  suits: (action: IndexedAction) => number;
}

/** The part of a score that is by meaning, where the words of the best action fit so well. */
export function meaningBeside(best: number): number {
  return MEANING.least + MEANING.more * (1 - best);
}

/**
 * The scores of all actions of these sources that fit by words or by meaning, 0 to 1. `byWords` has
 * those that fit by words; an action that has no vector keeps its score. `meaning` is the part of
 * the score that is by meaning.
 */
export function blendScores(
  sources: readonly Source[], byWords: readonly Scored[], near: Nearness,
  meaning: number): Scored[] {
  const words = new Map(byWords.map(({ action, score }) => [action, score]));
  const known = sources.map((source) => ({ ...source, nearness: near(source.actions) }));
  const nearest = known.reduce((most, { nearness }) =>
    nearness?.reduce((more, one) => (one > more ? one : more), most) ?? most, NEAREST);
  const count = known.reduce((sum, { actions }) => sum + actions.length, 1);
  const near_alone = BEYOND_CHANCE * Math.sqrt(2 * Math.log(count));
  const scored: Scored[] = [];
  for (const { actions, suits, nearness } of known) {
    for (const [at, action] of actions.entries()) {
      const word = words.get(action) ?? 0;
      const own = nearness?.[at] ?? NaN;
      const has_vector = !Number.isNaN(own);
      if (word === 0 && !(has_vector && own >= near_alone)) continue;
      const score = has_vector
        ? (1 - meaning) * word + meaning * suits(action) * Math.max(0, own) / nearest : word;
      scored.push({ action, score: Math.round(score * 10_000) / 10_000 });
    }
  }
  return scored;
}
