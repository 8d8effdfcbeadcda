// Springdoc describes Spring's `Pageable` as one object that is spread over the query: each of its
// fields is a parameter of its own there.
import t from 'tap';
import { nextPage } from '../../../src/gateway/openapi/nextPage.ts';
import type { ImportedAction } from '../../../src/gateway/openapi/openapi.ts';
import { turnTo, wrapCursor } from '../../../src/gateway/openapi/pageCursor.ts';
import { buildRequest } from '../../../src/gateway/openapi/request.ts';
import type { JsonObject } from '../../../src/json.ts';
import { actionOf } from '../egress/support.ts';
import { documentOf } from '../support.ts';

interface Answer {
  result: unknown;
  headers?: Record<string, string>;
}

const items = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from) }, (_, i) => ({ id: from + i }));

function listing(properties: object, style: object = {}): ImportedAction {
  return actionOf(documentOf('/items', 'get', { parameters: [
    { in: 'query', name: 'q', schema: { type: 'string' } },
    { in: 'query', name: 'p', required: true, ...style,
      schema: { $ref: '#/components/schemas/P' } }] },
  { components: { schemas: { P: { type: 'object', properties } } } }));
}

/** The query of each request, until nothing tells of another page. */
function queries(
  action: ImportedAction, input: JsonObject, answer: (query: URLSearchParams) => Answer,
): string[] {
  const sent: string[] = [];
  for (let turned: JsonObject | null = input; turned !== null && sent.length < 20;) {
    const built = buildRequest(action, turned);
    sent.push('request' in built ? built.request.query ?? '' : JSON.stringify(built));
    const { result, headers = {} } = answer(new URLSearchParams(sent.at(-1)));
    const next = nextPage(action, { input: turned, headers, result, is_whole: true, before: {} });
    turned = next && turnTo(action, input, wrapCursor(next))!.described;
  }
  return sent;
}

const PAGEABLE = { page: { type: 'integer', minimum: 0 }, size: { type: 'integer', minimum: 1 },
  sort: { type: 'array', items: { type: 'string' } } };

t.test('pages are counted in a field of an object that is spread', async (t) => {
  const answer = (query: URLSearchParams) => {
    const [page, size] = [Number(query.get('page') ?? 0), Number(query.get('size') ?? 20)];
    return { result: { content: items(page * size, Math.min(page * size + size, 45)),
      number: page, totalPages: Math.ceil(45 / size), last: (page + 1) * size >= 45 } };
  };
  const asked = { query: { q: 'a', p: { size: 20, sort: ['id,desc'] } } };
  t.same(queries(listing(PAGEABLE), asked, answer),
    ['', '&page=1', '&page=2'].map((page) => `q=a&size=20&sort=id%2Cdesc${page}`));
  t.same(queries(listing(PAGEABLE), { query: { p: { page: 1 } } }, answer), ['page=1', 'page=2'],
    'from where the caller began');
  t.equal(listing(PAGEABLE, { style: 'deepObject' }).paging, null, 'there each has another name');
  t.equal(listing(PAGEABLE, { explode: false }).paging, null);
});

t.test('an object may have the name of one of its fields', async (t) => {
  const schema = { type: 'object', properties: PAGEABLE };
  const action = actionOf(documentOf('/items', 'get', { parameters: [
    { in: 'query', name: 'page', required: true, schema }] }));
  const asked = { query: { page: { size: 2, sort: ['id'] } } };
  t.same(queries(action, asked, (query) => ({ result: items(0, 2),
    headers: { link: query.has('page') ? '<x>; rel="first"' : '</x?page=7&size=2>; rel=next' } })),
  ['size=2&sort=id', 'size=2&sort=id&page=7']);
});

t.test('nor do what looks like pages in a filter, and what is hidden, lead to any', async (t) => {
  const range = { from: { type: 'integer' }, limit: { type: 'integer' } };
  t.equal(listing(range).paging, null);
  const given = (properties: object) => ({ in: 'query', name: Object.keys(properties).join('_'),
    schema: { type: 'object', properties } });
  const both = { parameters: [given(range), given(PAGEABLE)] };
  t.match(actionOf(documentOf('/items', 'get', both)).paging,
    { within: 'page_size_sort', parameter: 'page' });
  t.equal(actionOf(documentOf('/items', 'get', both),
    { overrides: { '*': { hidden_parameters: ['query.page'] } } }).paging, null);
});

t.test('a cursor and a link go there, too', async (t) => {
  const cursor = listing({ cursor: {} });
  t.same(queries(cursor, { query: { p: {} } }, (query) =>
    ({ result: { data: [1], next_cursor: query.has('cursor') ? null : 'abc' } })),
  ['', 'cursor=abc']);
  t.same(queries(listing(PAGEABLE), { query: { p: { size: 2 } } }, (query) => ({ result: [1, 2],
    headers: { link: query.has('page') ? '<x>; rel="first"' : '</x?page=7&size=2>; rel=next' } })),
  ['size=2', 'size=2&page=7']);
});
