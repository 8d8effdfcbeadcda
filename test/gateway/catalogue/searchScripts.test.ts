/** Search in the words of other languages than English. */
import t from 'tap';
import { rank } from '../../../src/gateway/catalogue/search.ts';
import { fitOf } from '../../../src/gateway/catalogue/searchFit.ts';
import { readQuery } from '../../../src/gateway/catalogue/searchQuery.ts';
import { definition, searched } from '../support.ts';

const TITLES = ['Liste verfügbarer Rastplätze', 'Straße sperren',
  '获取用户信息', '搜索题目', '請求書の一覧を取得',
  'Список заказов', 'Køb af FØTEX-kvitteringer', 'Vis adresser i København',
  'Miasta: Łódź', 'Œuvres publiées', 'ÞJÓÐSKRÁ', 'Æbler', 'ILLER: ISPARTA'];
const actions = TITLES.map((title, i) => definition({
  name: `api.things.get_${i}`, title, description: title, source_key: `GET /${i}` }));
const things = searched(actions);

const intents: [query: string, title: string][] = [
  ['Rastplätze', TITLES[0]!], ['rastplatze', TITLES[0]!], ['strasse', TITLES[1]!],
  ['用户 信息', TITLES[2]!], ['搜索一下题目', TITLES[3]!],
  ['請求書', TITLES[4]!], ['заказов', TITLES[5]!],
  ['føtex', TITLES[6]!], ['fotex', TITLES[6]!], ['københavn', TITLES[7]!], ['LODZ', TITLES[8]!],
  ['łódź', TITLES[8]!], ['oeuvres', TITLES[9]!], ['ŒUVRES', TITLES[9]!],
  ['thjodskra', TITLES[10]!], ['þjóðskrá', TITLES[10]!], ['ÆBLER', TITLES[11]!],
  ['aebler', TITLES[11]!], ['ısparta', TITLES[12]!],
];
for (const [query, title] of intents) {
  t.test(`"${query}" finds "${title}"`, async (t) => {
    const asked = readQuery(query, [things]);
    t.equal(rank(asked, 1, (action) => action.title)[0]?.action, title);
    t.same(fitOf(asked), { unknown_words: [], is_outside: false });
  });
}

const unknownWords: [query: string, unknown: string[]][] = [
  ['пицца', ['пицца']], ['Skål', ['skål']], ['vis Rødgrød', ['rødgrød']], ['ŻÓŁĆ', ['żółć']],
  ['йод', ['йод']], ['vis føde', ['føde']],
];
for (const [query, unknown] of unknownWords) {
  t.test(`what nobody knows of "${query}" is named as it was said`, async (t) => {
    t.same(fitOf(readQuery(query, [things])).unknown_words, unknown);
  });
}

t.test('no action is found by a single letter that a word was split at', async (t) => {
  t.same(rank(readQuery('føde', [things]), 5, (action) => action.title), []);
});
