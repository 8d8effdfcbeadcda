import t from 'tap';
import { blendScores, meaningBeside } from '../../../src/gateway/catalogue/blend.ts';
import { definition } from '../support.ts';

type Definition = ReturnType<typeof definition>;
const [byWord, byBoth, byMeaning, far] = ['word', 'both', 'meaning', 'far'].map((verb) =>
  definition({ name: `desk.things.${verb}` })) as [Definition, Definition, Definition, Definition];
const actions = [byWord, byBoth, byMeaning, far];
const words = [{ action: byWord, score: 0.8 }, { action: byBoth, score: 0.6 }];
const blend = (nearness: number[] | undefined, found = words) =>
  Object.fromEntries(blendScores(
    [{ actions, suits: ({ name }) => (name === far.name ? 0.5 : 1) }], found,
    () => nearness && new Float32Array(nearness),
    meaningBeside(Math.max(0, ...found.map(({ score }) => score))))
    .map(({ action, score }) => [action.name.slice('desk.things.'.length), score]));

t.test('the less the words fit, the more of a score is by meaning', async (t) => {
  t.same(blend([-1, 6, 3, 2.1]), { word: 0.672, both: 0.664, meaning: 0.08 });
  t.same(blend([-1, 6, 3, 2.1], [{ action: byWord, score: 0.3 }, { action: byBoth, score: 0.2 }]),
    { word: 0.207, both: 0.448, meaning: 0.155 });
});

t.test('what suits the query less is less near', async (t) => {
  t.match(blend([-1, 6, 3, 6], [...words, { action: far, score: 0.4 }]), { far: 0.416 });
});

t.test('the nearest is the measure if it stands out', async (t) => {
  t.same(blend([6, 12, 3, 0]), { word: 0.752, both: 0.664, meaning: 0.04 });
});

t.test('an action without a vector keeps its score', async (t) => {
  t.same(blend([NaN, 6, NaN, NaN]), { word: 0.8, both: 0.664 });
  t.same(blend(undefined), { word: 0.8, both: 0.6 });
});

t.test('nothing is near and no word is found: nothing fits', async (t) => {
  t.same(blend([2.1, -3, 0, 1], []), {});
});
