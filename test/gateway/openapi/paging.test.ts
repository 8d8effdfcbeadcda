import fc from 'fast-check';
import t from 'tap';
import type { ImportedAction } from '../../../src/gateway/openapi/openapi.ts';
import { turnTo, wrapCursor } from '../../../src/gateway/openapi/pageCursor.ts';
import type { JsonObject } from '../../../src/json.ts';
import { actionOf, callerOf, json, serve, type Received } from '../egress/support.ts';
import { documentOf } from '../support.ts';

const items = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from) }, (_, i) => ({ id: from + i }));

/** An operation with these query parameters: `page=1:integer` has a default. */
function listing(...parameters: string[]): ImportedAction {
  return actionOf(documentOf('/items', 'get', { parameters: parameters.map((text) => {
    const [, name, preset, type = 'string'] = /^([^=:]+)(?:=(\d+))?(?::(\w+))?$/.exec(text)!;
    return { in: 'query', name,
      schema: { type, ...(preset === undefined ? {} : { default: Number(preset) }) } };
  }) }));
}

interface Answer {
  body: unknown;
  headers?: Record<string, string>;
}

/** All that the pages hold, and the query of each request, until there is no cursor any more. */
async function walk(
  t: Parameters<typeof serve>[0], action: ImportedAction,
  answer: (query: URLSearchParams, request: Received, url: string) => Answer,
  input: JsonObject = {}): Promise<{ queries: string[], results: unknown[], cursors: string[] }> {
  const server = await serve(t, (request, response) => {
    const { body, headers } =
      answer(new URL(request.target, 'http://x').searchParams, request, server.url);
    json(response, body, 200, headers);
  });
  const call = callerOf(t, server);
  const results: unknown[] = [];
  const cursors: string[] = [];
  let cursor: string | null = null;
  do {
    const performed = await call(action, { input, cursor });
    results.push(performed.result);
    cursor = performed.source_cursor;
    if (cursor !== null) cursors.push(cursor);
  } while (cursor !== null && results.length < 20);
  const queries = server.received.map(({ target }) => target.replace('/items', ''));
  return { queries, results, cursors };
}

t.test('by Link headers, whose path and host do not count', async (t) => {
  const { queries } = await walk(t, listing('page:integer', 'per_page:integer', 'q'),
    (query) => {
      const page = Number(query.get('page') ?? 1);
      const link = (to: number, rel: string) =>
        `<https://elsewhere.example/other/7?q=a%20b&per_page=2&page=${to}&evil=1>; rel="${rel}"`;
      return { body: items(0, 2), headers: { link: page < 3
        ? `${link(1, 'first')}, ${link(page + 1, 'next')}` : link(page - 1, 'prev') } };
    }, { query: { q: 'a b', per_page: 2 } });
  t.same(queries, ['?per_page=2&q=a%20b', '?page=2&per_page=2&q=a%20b',
    '?page=3&per_page=2&q=a%20b']);
});

t.test('a link to where nothing is, as Sentry has it, is not followed', async (t) => {
  const { queries } = await walk(t, listing('cursor', 'limit:integer'), (query) => {
    const from = Number(query.get('cursor')?.split(':')[1] ?? 0);
    const link = (to: number, rel: string, results: boolean) =>
      `<https://sentry.io/x?&cursor=0:${to}:0>; rel="${rel}"; results="${results}"; cursor="0:${
        to}:0"`;
    return { body: items(from, Math.min(from + 2, 5)), headers: { link:
      `${link(from - 2, 'previous', from > 0)}, ${link(from + 2, 'next', from < 4)}` } };
  });
  t.same(queries, ['', '?cursor=0%3A2%3A0', '?cursor=0%3A4%3A0']);
});

t.test('by Link headers with parameters that the document does not declare', async (t) => {
  const { queries, cursors } = await walk(t, listing('page:integer'), (query) => ({
    body: [1], headers: query.has('page_token') ? { link: '<x>; rel="first"' }
      : { link: '</x?page_token=abc&access_token=secret>; rel=next' } }));
  t.same(queries, ['', '?page_token=abc']);
  t.notMatch(cursors.join(), 'secret', 'what a link echoes is in no cursor');
});

t.test('what a link says of its page holds on the next page, too', async (t) => {
  const { queries } = await walk(t, listing('page:integer'), (query) => {
    const page = Number(query.get('page') ?? 1);
    return { body: [1], headers: { link: page < 3
      ? `</x?page=${page + 1}&page_token=abc>; rel=next` : '<x>; rel="first"' } };
  });
  t.same(queries, ['', '?page=2&page_token=abc', '?page=3&page_token=abc']);
});

for (const [name, parameter, body] of [
  ['Slack', 'cursor', (next: string) => ({ response_metadata: { next_cursor: next }, list: [] })],
  ['Google', 'pageToken', (next: string) => ({ ...(next === '' ? {} : { nextPageToken: next }) })],
  ['HubSpot', 'after', (next: string) =>
    ({ results: [], ...(next === '' ? {} : { paging: { next: { after: next } } }) })],
  ['Notion', 'start_cursor', (next: string) =>
    ({ has_more: next !== '', next_cursor: next || null })],
  ['Kubernetes', 'continue', (next: string) => ({ metadata: { continue: next }, items: [] })],
  ['Facebook', 'after', (next: string) => ({ data: [],
    ...(next === '' ? {} : { paging: { cursors: { before: 'x', after: next } } }) })],
  ['Mollie', 'from', (next: string) => ({ _links: {
    next: next === '' ? null : { href: `https://x/y?from=${encodeURIComponent(next)}` } } })],
  ['DocuSign', 'start_position', (next: string) => ({
    nextUri: next && `/x?start_position=${encodeURIComponent(next)}` })],
  ['Relay', 'after', (next: string) =>
    ({ pageInfo: { hasNextPage: next !== '', endCursor: next || 'last' } })],
] as const) {
  t.test(`by a cursor, as ${name} has it`, async (t) => {
    const { queries } = await walk(t, listing(parameter, 'limit:integer'), (query) =>
      ({ body: body({ '': 'a=1&', 'a=1&': 'b/2', 'b/2': '' }[query.get(parameter) ?? '']!) }));
    t.same(queries, ['', `?${parameter}=a%3D1%26`, `?${parameter}=b%2F2`]);
  });
}

t.test('by a cursor that is a number', async (t) => {
  const walked = async (action: ImportedAction, name: string) => (await walk(t, action, (query) => {
    const from = Number(query.get(name) ?? 0);
    const more = from < 6;
    return { body: { data: items(from, from + 3), has_more: more,
      next_cursor: more ? from + 3 : null } };
  })).queries;
  for (const name of ['cursor', 'after', 'starting_after', 'page_token', 'marker']) {
    for (const type of ['integer', 'number']) {
      t.same(await walked(listing(`${name}:${type}`, 'limit:integer'), name),
        ['', `?${name}=3`, `?${name}=6`], `${name}: ${type}`);
    }
  }
  t.same(await walked(listing('after:integer', 'limit:integer', 'offset:integer'), 'offset'),
    ['', '?offset=3', '?offset=6'], 'where an offset leads on, after may be a time');
  t.same(await walked(listing('after:integer'), 'after'), [''], 'alone it may be anything');
  const { queries } = await walk(t, listing('cursor:integer', 'limit:integer'), () =>
    ({ body: { data: [1], next_cursor: 'abc' } }));
  t.same(queries, [''], 'a text is none');
});

t.test('by a URL in the answer', async (t) => {
  for (const next of ['/items?cursor=two&limit=5', 'https://elsewhere.example/?cursor=two',
    '?cursor=two']) {
    for (const body of [{ next }, { links: { next: { href: next } } }, { _links: { next } },
      { '@odata.nextLink': next }, { pagination: { next_url: next } }]) {
      const { queries } = await walk(t, listing('cursor', 'limit:integer'), (query) =>
        ({ body: query.has('cursor') ? { next: null } : body }), { query: { limit: 5 } });
      t.same(queries, ['?limit=5', '?cursor=two&limit=5'], JSON.stringify(body));
    }
  }
});

t.test('an address without a query is no cursor', async (t) => {
  const walked = async (body: object, parameter = 'cursor') => (await walk(t,
    listing(parameter, 'limit:integer'), (query) => ({ body: query.has(parameter) ? {} : body })))
    .queries;
  for (const next of ['https://api.example.com/items/page/2', 'http://x/2', '/items/page/2']) {
    for (const body of [{ next }, { links: { next: { href: next } } }, { next_page: next },
      { pagination: { next_url: next } }]) {
      t.same(await walked(body), [''], JSON.stringify(body));
    }
  }
  t.same(await walked({ next_cursor: 'https://api.example.com/items/page/2' }), ['']);
  const token = '/9j/4AAQSkZJRg==';
  for (const body of [{ next_cursor: token }, { nextToken: token }, { next: { after: token } },
    { paging: { cursors: { after: token } } }, { response_metadata: { next_cursor: token } }]) {
    t.same(await walked(body), ['', '?cursor=%2F9j%2F4AAQSkZJRg%3D%3D'], JSON.stringify(body));
  }
  t.same(await walked({ has_more: true, data: items(0, 2), next: '/items/page/2' },
    'starting_after'), ['', '?starting_after=1'], 'the last item tells it');
});

t.test('by the last item, as Stripe has it', async (t) => {
  const { queries } = await walk(t, listing('starting_after', 'limit:integer'), (query) => {
    const from = Number(query.get('starting_after') ?? -1) + 1;
    return { body: { data: items(from, Math.min(from + 2, 5)), has_more: from + 2 < 5 } };
  });
  t.same(queries, ['', '?starting_after=1', '?starting_after=3']);
});

const searching = documentOf('/search', 'post', { requestBody: { content: {
  'application/json': { schema: { type: 'object', properties: {
    query: { type: 'string' }, start_cursor: { type: 'string' },
    page_size: { type: 'integer' } } } } } } });

t.test('by the last id, as OpenAI has it', async (t) => {
  const { queries } = await walk(t, listing('after', 'limit:integer'), (query) => {
    const after = query.get('after');
    return { body: after === null ? { data: items(1, 3), last_id: 'b', has_more: true }
      : { data: items(3, 5), has_more: after === 'b' } };
  });
  t.same(queries, ['', '?after=b', '?after=4']);
});

t.test('by an offset that is a token, as Asana has it', async (t) => {
  const { queries } = await walk(t, listing('limit:integer', 'offset'), (query) => ({
    body: { data: items(0, 2), next_page: query.has('offset') ? null
      : { offset: 'eyJ0', path: '/items?offset=eyJ0', uri: 'https://x/items?offset=eyJ0' } },
  }), { query: { limit: 2 } });
  t.same(queries, ['?limit=2', '?limit=2&offset=eyJ0']);
});

t.test('by an address without a host, as Twilio has it', async (t) => {
  const { queries } = await walk(t, listing('PageSize:integer', 'Page:integer', 'PageToken'),
    (query) => ({ body: { messages: items(0, 2), page: 0, next_page_uri: query.has('Page') ? null
      : '/items?PageSize=2&Page=1&PageToken=PASM2' } }), { query: { PageSize: 2 } });
  t.same(queries, ['?PageSize=2', '?PageSize=2&Page=1&PageToken=PASM2']);
});

t.test('by a cursor in the body', async (t) => {
  const action = actionOf(searching, { overrides: { 'POST /search': { effect: 'read' } } });
  const bodies: unknown[] = [];
  await walk(t, action, (_query, { body }) => {
    bodies.push(JSON.parse(body.toString()));
    return { body: { results: [], has_more: bodies.length < 2, next_cursor: 'two' } };
  }, { body: { query: 'x' } });
  t.same(bodies, [{ query: 'x' }, { query: 'x', start_cursor: 'two' }]);
});

t.test('what changes something has no pages: a cursor would change the call beside its input',
  async (t) => {
    const server = await serve(t, (_request, response) =>
      json(response, { results: [], has_more: true, next_cursor: 'two' }));
    const call = callerOf(t, server);
    const action = actionOf(searching);
    t.match(action, { effect: 'write', paged: false });
    t.match(await call(action, { input: { body: { query: 'x' } } }), { source_cursor: null });
    t.equal(turnTo(action, { body: { query: 'x' } },
      wrapCursor({ query: {}, body: { start_cursor: 'two' } })), null);
  });

/** Serves `total` items by pages of `size` at most; `first` is the number of the first page. */
const paged = (total: number, size: number, first: number, rest: (page: number) => object) =>
  (query: URLSearchParams): Answer => {
    const page = Number(query.get('page') ?? first);
    const from = (page - first) * size;
    return { body: { data: items(from, Math.min(from + size, total)), ...rest(page) } };
  };

t.test('by counting pages', async (t) => {
  const count = async (action: ImportedAction, answer: ReturnType<typeof paged>) => {
    const { results } = await walk(t, action, answer);
    const pages = results as { data: { id: number }[] }[];
    return [pages.length, pages.flatMap(({ data }) => data.map(({ id }) => id)).length];
  };
  const action = listing('page:integer', 'per_page=3:integer');
  t.same(await count(action, paged(7, 3, 1, () => ({}))), [3, 7], 'the last one is short');
  t.same(await count(action, paged(6, 3, 1, () => ({}))), [3, 6], 'or empty');
  t.same(await count(action, paged(6, 3, 1, () => ({ total: 6 }))), [2, 6]);
  t.same(await count(action, paged(6, 3, 1, () => ({ meta: { total_pages: 2 } }))), [2, 6]);
  t.same(await count(action, paged(6, 3, 1, (page) => ({ has_more: page < 2 }))), [2, 6]);
  t.same(await count(action, paged(6, 3, 1, (page) => ({ next_page: page < 2 ? page + 1 : null }))),
    [2, 6]);
  const fromZero = listing('page=0:integer', 'size=3:integer');
  t.same(await count(fromZero, paged(7, 3, 0, () => ({ totalPages: 3 }))), [3, 7], 'from zero');
  t.same(await count(fromZero, paged(7, 3, 0, () => ({ totalElements: 7 }))), [3, 7]);
  const large = listing('page:integer', 'limit=1000:integer');
  t.same(await count(large, paged(25, 10, 1, () => ({}))), [3, 25],
    'an upstream that gives less than it is asked for');
  t.same(await count(listing('page:integer'), paged(7, 3, 1, () => ({}))), [4, 7], 'no size');
});

/** Each page as it comes, by its number; those beyond the last are the last again. */
const repeating = (...pages: Answer[]) => (query: URLSearchParams): Answer =>
  pages[Math.min(Number(query.get('page') ?? 1), pages.length) - 1]!;

t.test('a service that says which page is next has no more when it says nothing', async (t) => {
  const link = { link: '</items?page=2>; rel="next"' };
  const queries = async (...pages: Answer[]) =>
    (await walk(t, listing('page:integer'), repeating(...pages))).queries;
  const twice = ['', '?page=2'];
  t.same(await queries({ body: [{ id: 1 }], headers: link }, { body: [{ id: 2 }] }), twice);
  t.same(await queries({ body: [1, 2], headers: link }, { body: [3, 4] }, { body: [5, 6] }), twice);
  for (const next of [{ next: '/items?page=2' }, { meta: { next_page: 2 } }]) {
    t.same(await queries({ body: { data: items(0, 2), ...next } }, { body: { data: items(2, 4) } },
      { body: { data: items(4, 6) } }), twice, JSON.stringify(next));
  }
  t.same(await queries({ body: { data: items(0, 2) }, headers: link },
    { body: { data: items(2, 4), has_more: true } }, { body: [] }), [...twice, '?page=3'],
  'but that there is one');
  for (const told of [{ total: 6 }, { total_pages: 3 }]) {
    const pages = [0, 2, 4].map((at) => ({ body: { data: items(at, at + 2), ...told },
      ...(at === 0 && { headers: link }) }));
    const walked = await walk(
      t, listing('page:integer', 'per_page=2:integer'), repeating(...pages));
    t.equal(walked.queries.length, 3, JSON.stringify(told));
  }
});

t.test('a page of the same items as the one before is the last', async (t) => {
  const count = async (answer: (query: URLSearchParams) => Answer, name = 'page:integer') =>
    (await walk(t, listing(name), answer)).queries.length;
  const once = { body: items(0, 1) };
  t.equal(await count(repeating(once)), 2, 'one that ignores the number');
  t.equal(await count(repeating(once, { body: items(1, 2) })), 3, 'one that stays at its last');
  t.equal(await count(repeating({ body: { data: items(0, 3), page: 1 } },
    { body: { data: items(0, 3), page: 2 } })), 2, 'whatever else is said');
  t.equal(await count(() => ({ body: ['a', 'b'] }), 'offset:integer'), 2);
  const told = { body: { total: 6, data: [{ status: 'ok' }, { status: 'bad' }] } };
  const { queries } = await walk(
    t, listing('page:integer', 'per_page=2:integer'), repeating(told, told, told));
  t.equal(queries.length, 3, 'not where it tells how many there are');
  for (const page of [[0], [0, 0], [{ status: 'ok' }], [{ status: 'ok' }, { status: 'ok' }]]) {
    t.equal(await count(repeating({ body: page }, { body: page }, { body: page }, { body: [] })), 4,
      `${JSON.stringify(page)} may well come again`);
  }
});

t.test('what fields chose of a large answer does not say whether it is the same', async (t) => {
  const note = 'x'.repeat(1_200_000);
  const server = await serve(t, ({ target }, response) => {
    const page = Number(new URL(target, 'http://x').searchParams.get('page') ?? 1);
    json(response, page > 2 ? [] : [{ id: page, kind: 'a', note }, { id: -page, kind: 'b' }]);
  });
  const call = callerOf(t, server);
  const action = listing('page:integer');
  const first = await call(action, { fields: ['kind'] });
  t.same(first.result, [{ kind: 'a' }, { kind: 'b' }]);
  const second = await call(action, { fields: ['kind'], cursor: first.source_cursor });
  t.same(second.result, first.result);
  t.ok(second.source_cursor);
});

t.test('by counting items', async (t) => {
  const action = listing('startAt:integer', 'maxResults=50:integer');
  const { queries } = await walk(t, action, (query) => {
    const startAt = Number(query.get('startAt') ?? 0);
    return { body: { startAt, total: 5, issues: items(startAt, Math.min(startAt + 2, 5)) } };
  }, { query: { maxResults: 2 } });
  t.same(queries, ['?maxResults=2', '?startAt=2&maxResults=2', '?startAt=4&maxResults=2']);
});

t.test('by numbers where a page starts', async (t) => {
  for (const said of [{ _links: { next: '/x?start=2' } }, // Confluence, Pipedrive, Bitbucket
    { additional_data: { pagination: { next_start: 2 } } }, { nextPageStart: 2 }]) {
    const walked = await walk(t, listing('start:integer', 'limit:integer'), (query) => ({
      body: query.size === 0 ? { list: items(0, 2), ...said } : { list: [] } }));
    t.same(walked.queries, ['', '?start=2']);
  }
});

t.test('where a span of time or a message is from is no page', async (t) => {
  t.equal(listing('from', 'to', 'limit:integer').paging ?? listing('from', 'q').paging, null);
});

t.test('by counting items where there is a cursor as well, as Box has it', async (t) => {
  const listed = listing('marker', 'offset:integer', 'limit:integer');
  const { queries } = await walk(t, listed, (query) => {
    const offset = Number(query.get('offset') ?? 0);
    const entries = items(offset, Math.min(offset + 2, 5));
    return { body: { total_count: 5, offset, limit: 2, entries } };
  }, { query: { limit: 2 } });
  t.same(queries, ['?limit=2', '?offset=2&limit=2', '?offset=4&limit=2']);
  const { queries: marked } = await walk(t, listed, (query) => ({
    body: { limit: 2, entries: items(0, 2), next_marker: query.has('marker') ? null : 'abc' } }));
  t.same(marked, ['', '?marker=abc']);
});

t.test('nothing is made up', async (t) => {
  const ends = async (action: ImportedAction, body: unknown, input: JsonObject = {}) =>
    (await walk(t, action, () => ({ body }), input)).results.length === 1;
  t.ok(await ends(listing('q'), { next_cursor: 'x' }), 'no pages in the document');
  t.ok(await ends(listing('cursor'), { data: [1, 2] }), 'no cursor in the answer');
  t.ok(await ends(listing('cursor'), { next_cursor: 'same' }, { query: { cursor: 'same' } }));
  t.ok(await ends(listing('page:integer'), { id: 1 }), 'no list');
  t.ok(await ends(listing('page:integer'), { a: [1], b: [2] }), 'two lists');
  t.ok(await ends(listing('page:integer'), 'text'));
  t.ok(await ends(listing('page:integer'), null));
  t.ok(await ends(listing('page:integer'), [1], { query: { page: 'x' } }));
});

t.test('a page changes what belongs to paging, and nothing else', async (t) => {
  const action = actionOf(documentOf('/items', 'get', { parameters: [
    ['page', { type: 'integer' }], ['per_page', { anyOf: [{ type: 'integer' }, { type: 'null' }] }],
    ['offset', { type: 'integer' }], ['owner', { type: 'string' }], ['cursor', {}],
  ].map(([name, schema]) => ({ in: 'query', name, schema })) }),
  { overrides: { '*': { hidden_parameters: ['query.offset', 'query.Top'] } } });
  const turned = (query: Record<string, string>, body = {}) =>
    turnTo(action, { query: { owner: 'me' } }, wrapCursor({ query, body }));
  const described = { query: { owner: 'me', page: 2, per_page: 5 } };
  t.same(turned({ page: '2', per_page: '5' }), { input: described, described },
    'as the schemas want it');
  t.same(turned({ page: 'two' }), { input: { query: { owner: 'me', page: 'two' } },
    described: { query: { owner: 'me', page: 'two' } } }, 'for the check to refuse');
  t.same(turned({ page: '2', per_page: '5', page_token: 'abc', 'page[after]': 'x' }), { described,
    input: { query: { ...described.query, page_token: 'abc', 'page[after]': 'x' } } });
  for (const name of ['owner', 'admin', 'api_key', '_method', '__proto__', 'pageant', 'page_id',
    'offset', 'OFFSET', 'top', 'owner[cursor]', 'owner[]cursor', 'page[a][cursor]', 'owner&cursor',
    'owner cursor', 'cursor[owner]']) {
    t.equal(turned({ page: '2', [name]: '1' }), null, name);
  }
  t.equal(turned({}, { page: 2 }), null, 'it is not in the body');
  t.doesNotThrow(() => fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
    turnTo(action, {}, text);
  })));
});

t.test('a link that wants more than a page gets no more than a page', async (t) => {
  const { queries } = await walk(t, listing('page:integer', 'owner', 'page_id'), (query) => ({
    body: [1], headers: { link: query.has('page') ? '<x>; rel=first'
      : '</x?page=2&owner=you&page_id=7&admin=true&path=../secret>; rel=next' } }),
  { query: { owner: 'me' } });
  t.same(queries, ['?owner=me', '?page=2&owner=me']);
});
