import t from 'tap';
import { blendScores } from '../../../src/gateway/catalogue/blend.ts';
import { definition } from '../support.ts';

type Definition = ReturnType<typeof definition>;
const [byWord, byBoth, byMeaning, far] = ['word', 'both', 'meaning', 'far'].map((verb) =>
  definition({ name: `desk.things.${verb}` })) as [Definition, Definition, Definition, Definition];
const actions = [byWord, byBoth, byMeaning, far];
const words = [{ action: byWord, score: 0.8 }, { action: byBoth, score: 0.6 }];
const blend = (nearness: number[] | undefined, found = words) =>
  Object.fromEntries(blendScores([actions], found, () => nearness && new Float32Array(nearness))
    .map(({ action, score }) => [action.name.slice('desk.things.'.length), score]));

t.test('a fifth of a score is by meaning', async (t) => {
  t.same(blend([-1, 6, 3, 2.1]), { word: 0.64, both: 0.68, meaning: 0.1 });
});

t.test('the nearest is the measure if it stands out', async (t) => {
  t.same(blend([6, 12, 3, 0]), { word: 0.74, both: 0.68, meaning: 0.05 });
});

t.test('an action without a vector keeps its score', async (t) => {
  t.same(blend([NaN, 6, NaN, NaN]), { word: 0.8, both: 0.68 });
  t.same(blend(undefined), { word: 0.8, both: 0.6 });
});

t.test('nothing is near and no word is found: nothing fits', async (t) => {
  t.same(blend([2.1, -3, 0, 1], []), {});
});
