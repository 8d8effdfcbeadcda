/** Search in the words of other languages than English. */
import t from 'tap';
import { rank } from '../../../src/gateway/catalogue/search.ts';
import { fitOf } from '../../../src/gateway/catalogue/searchFit.ts';
import { readQuery } from '../../../src/gateway/catalogue/searchQuery.ts';
import { definition } from '../support.ts';

const TITLES = ['Liste verfügbarer Rastplätze', 'Straße sperren',
  '获取用户信息', '搜索题目', '請求書の一覧を取得',
  'Список заказов'];
const actions = TITLES.map((title, i) => definition({
  name: `api.things.get_${i}`, title, description: title, source_key: `GET /${i}` }));

const intents: [query: string, title: string][] = [
  ['Rastplätze', TITLES[0]!], ['rastplatze', TITLES[0]!], ['strasse', TITLES[1]!],
  ['用户 信息', TITLES[2]!], ['搜索一下题目', TITLES[3]!],
  ['請求書', TITLES[4]!], ['заказов', TITLES[5]!],
];
for (const [query, title] of intents) {
  t.test(`"${query}" finds "${title}"`, async (t) => {
    const asked = readQuery(query, [actions]);
    t.equal(rank(asked, 1, (action) => action.title)[0]?.action, title);
    t.same(fitOf(asked), { unknown_words: [], is_outside: false });
  });
}

t.test('a word that nobody knows is named as it was said', async (t) => {
  t.same(fitOf(readQuery('пицца', [actions])).unknown_words,
    ['пицца']);
});
