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

t.test('a cursor within what is said of the next page, and one in a header', async (t) => {
  const action = (parameter: string) => actionOf(documentOf('/items', 'get', {
    parameters: [parameter, 'per_page'].map((name) => ({ in: 'query', name,
      schema: { type: name === 'per_page' ? 'integer' : 'string' } })) }));
  const page = { input: {}, headers: {}, result: [{ id: 1 }] as unknown, is_whole: true,
    before: {} };
  const pages = { next: { page: 2, starting_after: 'WzE3' }, page: 1 };
  // Intercom's conversations.
  t.match(nextPage(action('starting_after'), { ...page, result: { conversations: [], pages } }),
    { query: { starting_after: 'WzE3' } });
  t.equal(nextPage(action('starting_after'), { ...page, result: { pages: { page: 2 } } }), null);
  for (const name of ['x-nomad-nexttoken', 'x-ms-continuationtoken', 'next-page-token']) {
    const next = (value: string) =>
      nextPage(action('next_token'), { ...page, headers: { [name]: value } });
    t.match(next('default.b'), { query: { next_token: 'default.b' } });
    t.equal(next(''), null);
  }
  t.match(nextPage(action('next_token'), { ...page, headers: { 'next-page-token': '' },
    result: { next_token: 'c' } }), { query: { next_token: 'c' } }, 'the answer goes before');
  t.equal(nextPage(action('next_token'), { ...page, headers: { 'x-token': 'a' } }), null);
});

t.test('a list whose items are counted from 1 is read whole, and none of it twice', async (t) => {
  const scim = { schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'] };
  for (const [first, described, more] of [
    [1, { default: 1 }, {}], [1, {}, scim], [0, {}, {}], [0, { minimum: 1 }, {}]] as const) {
    const action = actionOf(documentOf('/Users', 'get', {
      parameters: ['startIndex', 'count'].map((name) => ({ in: 'query', name,
        schema: { type: 'integer', ...(name === 'startIndex' && described) } })) }));
    for (const total of [1, 99, 100, 101, 200, 201]) {
      const seen: number[] = [];
      for (let query: Record<string, number> | null = {}; query !== null;) {
        const from: number = query.startIndex ?? first;
        const items = Array.from({ length: Math.min(100, total - (from - first)) },
          (_, i) => ({ id: from + i }));
        seen.push(...items.map(({ id }) => id));
        const next = nextPage(action, { input: { query }, headers: {}, is_whole: true, before: {},
          result: { ...more, totalResults: total, itemsPerPage: 100, Resources: items } });
        query = next && { startIndex: Number(next.query.startIndex) };
      }
      t.strictSame(seen, Array.from({ length: total }, (_, i) => first + i),
        `${total}, ${JSON.stringify({ described, more })}`);
    }
  }
});

t.test('the first page is 0 where its answer says so, and the document nothing', async (t) => {
  const action = actionOf(documentOf('/items', 'get', {
    parameters: ['page', 'size'].map((name) => ({ in: 'query', name,
      schema: { type: 'integer' } })) }));
  const next = (result: object, page?: number) => nextPage(action, {
    input: { query: { size: 2, ...(page !== undefined && { page }) } }, headers: {},
    is_whole: true, before: {}, result: { content: [{ id: 1 }, { id: 2 }], ...result } })?.query;
  // Spring's, also as its first versions had it.
  for (const sort of [{ sorted: false }, [{ property: 'id' }]]) {
    const told = { sort, totalPages: 3, first: true };
    t.same(next({ ...told, number: 0 }), { page: '1' });
    t.same(next({ ...told, number: 1 }, 1), { page: '2' });
    t.equal(next({ sort, totalPages: 1, number: 0 }), undefined);
  }
  t.equal(next({ number: 2, last: true }, 2), undefined, 'the last, as it says');
  t.same(next({ isLast: false }, 2), { page: '3' });
  t.same(next({ isLast: true, last: { id: 2 }, has_more: true }, 2), { page: '3' });
  t.same(next({ last: true, next: '/items?page=7&size=2' }, 2), { page: '7', size: '2' },
    'what it says of the next page counts for more');
  t.same(next({ meta: { current_page: 0, total: 5 } }), { page: '1' });
  for (const said of [{ page: 1 }, { page: 0.5 }, { page: '0' }, {}]) {
    t.same(next({ ...said, total: 5 }), { page: '2' }, JSON.stringify(said));
  }
});

t.test('lists of JSON:API, by the names that it has for pages', async (t) => {
  const next = (name: string, result: object, query: object = {}) => {
    const action = actionOf(documentOf('/items', 'get', {
      parameters: [name, 'page[size]'].map((one) => ({ in: 'query', name: one,
        schema: { type: /number|offset|size/.test(one) ? 'integer' : 'string' } })) }));
    t.equal(action.paged, true, name);
    return nextPage(action, { input: { query: { 'page[size]': 2, ...query } }, headers: {},
      is_whole: true, before: {}, result: { data: [{ id: '1' }, { id: '2' }], ...result } })?.query;
  };
  t.same(next('page[number]', { meta: { 'total-pages': 2 } }), { 'page[number]': '2' });
  t.equal(next('page[number]', { meta: { 'total-pages': 2 } }, { 'page[number]': 2 }), undefined);
  t.same(next('page[offset]', { meta: { total: 5 } }), { 'page[offset]': '2' });
  t.same(next('page[after]', { meta: { page: { after: 'abc' } } }), { 'page[after]': 'abc' });
  const both = actionOf(documentOf('/items', 'get', { parameters: ['page[after]', 'page[number]']
    .map((name) => ({ in: 'query', name, schema: { type: 'integer' } })) }));
  t.match(both.paging, { style: 'page', parameter: 'page[number]' });
  const links = { next: '/items?page%5Bcursor%5D=abc&page%5Bsize%5D=2&filter=x' };
  t.same(next('page[cursor]', { links }), { 'page[cursor]': 'abc', 'page[size]': '2' });
  t.equal(next('page[cursor]', { links: { next: null } }), undefined);
});
