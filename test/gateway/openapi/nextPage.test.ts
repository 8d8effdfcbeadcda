import t from 'tap';
import { nextPage } from '../../../src/gateway/openapi/nextPage.ts';
import { actionOf } from '../egress/support.ts';
import { documentOf } from '../support.ts';

t.test('what a caller says of a page, and is no number, counts for nothing', async (t) => {
  const action = actionOf(documentOf('/items', 'get', {
    parameters: ['page', 'limit'].map((name) => ({ in: 'query', name, schema: {} })) }));
  const odd = { toString: 'no function', valueOf: 1 };
  for (const query of [{ page: odd }, { limit: odd }]) {
    const page = { input: { query }, headers: {}, result: [{ id: 1 }, { id: 2 }], is_whole: true,
      before: {} };
    t.match(nextPage(action, page), { query: { page: '2' } });
    t.match(nextPage(action, { ...page, result: { next_page: 3 } }), { query: { page: '3' } });
  }
});
