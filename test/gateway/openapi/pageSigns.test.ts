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

t.test('beside lists of errors and messages, as Cloudflare has it', async (t) => {
  const answer = (result_info: object) =>
    ({ success: true, errors: [], messages: [], result: [{ id: 'a' }], result_info });
  const counted = answer({ page: 1, per_page: 1, count: 1, total_count: 3, total_pages: 3 });
  t.same(itemsOf(counted), [{ id: 'a' }]);
  t.match(readCounts(counted), { total: 3, pages: 3, number: 1 });
  t.match(findNext(answer({ count: 1, cursor: 'two' })), { value: 'two' });
  t.equal(findNext(answer({ count: 1, cursor: '' })), 'end');
  t.match(findNext(answer({ cursors: { after: 'two' } })), { value: 'two' });
});

t.test('the last page by a truth value, and counts with the noun first', async (t) => {
  t.equal(findNext({ tasks: [], last_page: true }), 'end', 'ClickUp');
  t.match(readCounts({ tasks: [], last_page: false }), { is_last: false, pages: null });
  t.match(readCounts({ data: [], itemsTotal: 40, pagesTotal: 4 }), { total: 40, pages: 4 },
    'Adyen');
});
