import t from 'tap';
import { findNext, itemsOf, readCounts } from '../../../src/gateway/openapi/pageSigns.ts';

t.test('an envelope around the whole answer is looked into', async (t) => {
  const lark = { code: 0, msg: 'success', data: { has_more: true, page_token: 'two',
    items: [1, 2] } };
  t.match(findNext(lark), { value: 'two' });
  t.same(itemsOf(lark), [1, 2]);
  t.equal(findNext({ ...lark, data: { ...lark.data, has_more: false } }), 'end');
  t.match(readCounts({ data: { total: 5, offset: 0, items: [1] } }), { total: 5 }, 'Apify');
  t.match(findNext({ result: { list: [], pagination: { next: '/x?page=2' } } }),
    { value: '/x?page=2' });
});

t.test('beside a list, an object is no envelope', async (t) => {
  t.same(itemsOf({ rows: [1], data: { items: [2] } }), [1]);
  t.equal(itemsOf({ data: { a: [1], b: [2] } }), null);
});
