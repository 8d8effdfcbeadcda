import fc from 'fast-check';
import t from 'tap';
import { importOpenapi } from '../../../src/gateway/openapi/openapi.ts';
import { buildRequest } from '../../../src/gateway/openapi/request.ts';
import type { JsonObject } from '../../../src/json.ts';
import { documentOf } from '../support.ts';

const parameter = (place: string, name: string, rest: object = {}) =>
  ({ in: place, name, schema: {}, ...rest });
const importOne = (path: string, operation: object) =>
  importOpenapi(documentOf(path, 'post', operation), { slug: 'x' }).actions[0]!;
const action = importOne('/a/{id}/b/{ids}', {
  parameters: [
    parameter('path', 'id'), parameter('path', 'ids'),
    parameter('query', 'tag'), parameter('query', 'csv', { explode: false }),
    parameter('query', 'pipes', { explode: false, style: 'pipeDelimited' }),
    parameter('query', 'filter', { style: 'deepObject' }),
    parameter('query', 'flat'), parameter('query', 'cursor'),
    { in: 'query', name: 'json', content: { 'application/json': { schema: {} } } },
    parameter('header', 'X-Trace'), parameter('cookie', 'session'), parameter('cookie', 'theme'),
  ],
  requestBody: { content: { 'application/merge-patch+json': { schema: {} } } },
});
const build = (input: JsonObject) =>
  buildRequest(action, { path: { id: '1', ids: '2' }, ...input });

t.test('integers in the JSON of a parameter have all their digits', async (t) => {
  const one = importOne('/x', { parameters: [
    { in: 'query', name: 'filter', content: { 'application/json': { schema: { type: 'object',
      properties: { id: { type: 'integer' }, text: { type: 'string' } } } } } }] });
  const big = '9007199254740993';
  const { request } = buildRequest(one, { query: { filter: { id: big, text: big } } }) as
    { request: { query: string } };
  t.equal(decodeURIComponent(request.query), `filter={"id":${big},"text":"${big}"}`);
});

t.test('so they have in the JSON that a style writes of what it cannot say', async (t) => {
  const big = '9007199254740993';
  const id = { type: 'integer' };
  const item = { type: 'object', properties: { id } };
  const list = { type: 'array', items: item };
  const said = (style: object, schema: object, value: unknown) => {
    const one = importOne('/x', { parameters: [{ in: 'query', name: 'q', schema, ...style }] });
    const { request } = buildRequest(one, { query: { q: value } }) as
      { request: { query: string } };
    return decodeURIComponent(request.query);
  };
  t.equal(said({}, list, [{ id: big }, { id: 1 }]), `q={"id":${big}}&q={"id":1}`);
  t.equal(said({ explode: false }, { type: 'object', properties: { a: item, n: id } },
    { a: { id: big }, n: big }), `q=a,{"id":${big}},n,${big}`);
  t.equal(said({ style: 'deepObject' }, { type: 'object', properties: { a: list, n: item } },
    { a: [{ id: big }], n: { id: big } }), `q[a][0][id]=${big}&q[n][id]=${big}`);
  t.equal(said({}, { type: 'array', items: id }, [big, 1]), `q=${big}&q=1`);
});

t.test('a header that is described twice, in another case, is one', async (t) => {
  const one = importOne('/x', { parameters: [
    parameter('header', 'x-tenant', { required: true }),
    parameter('header', 'X-Tenant', { required: true, schema: { enum: ['a', 'b'] } })] });
  t.match(one.input_schema.properties, { header: { required: ['X-Tenant'],
    properties: { 'X-Tenant': { enum: ['a', 'b'] } } } });
  t.match(buildRequest(one, { header: { 'X-Tenant': 'a' } }),
    { request: { headers: { 'x-tenant': 'a' } } });
  const other = importOne('/x', { parameters: [
    parameter('header', 'X-Tenant', { required: true }), parameter('header', 'x-tenant')] });
  t.match(other.input_schema.properties, { header: { required: ['x-tenant'] } }, 'either says so');
});

t.test('each parameter is written in its style', async (t) => {
  t.same(build({
    path: { id: 'a b?&#é', ids: [1, 2] },
    query: { tag: ['x', 'y&z'], csv: ['a,b', 'c'], pipes: ['a', 'b'], filter: { a: 1, 'b c': true },
      flat: { k: 'v' }, cursor: 'next page', json: { deep: [1] } },
    header: { 'X-Trace': 't1' },
    cookie: { session: 'a;b=c', theme: 'dark' },
    body: { a: 1 },
  }), { request: {
    method: 'POST',
    path: '/a/a%20b%3F%26%23%C3%A9/b/1,2',
    query: 'tag=x&tag=y%26z&csv=a%2Cb,c&pipes=a%7Cb&filter%5Ba%5D=1&filter%5Bb%20c%5D=true&k=v'
      + '&cursor=next%20page&json=%7B%22deep%22%3A%5B1%5D%7D',
    headers: { accept: 'application/json', 'x-trace': 't1', cookie: 'session=a%3Bb%3Dc; theme=dark',
      'content-type': 'application/merge-patch+json' },
    body: { a: 1 },
  } });
});

t.test('nothing given, nothing sent', async (t) => {
  t.same(build({}), { request: {
    method: 'POST', path: '/a/1/b/2', headers: { accept: 'application/json' } } });
  t.notHas(build({ query: { tag: null, unknown: 'x' } }), { request: { query: /./ } });
  t.notHas(build({ query: { tag: [], csv: [], filter: {} } }), { request: { query: /./ } });
});

// The examples of OpenAPI 3.1.1 ("Style Examples"), which are those of RFC 6570.
const EMPTY = '';
const LIST = ['blue', 'black', 'brown'];
const OBJECT = { R: 100, G: 200, B: 150 };
const STYLES: [string, string, boolean, unknown, string | undefined][] = [
  ['path', 'matrix', false, EMPTY, undefined], ['path', 'matrix', false, 'blue', ';color=blue'],
  ['path', 'matrix', false, LIST, ';color=blue,black,brown'],
  ['path', 'matrix', true, LIST, ';color=blue;color=black;color=brown'],
  ['path', 'matrix', false, OBJECT, ';color=R,100,G,200,B,150'],
  ['path', 'matrix', true, OBJECT, ';R=100;G=200;B=150'],
  ['path', 'label', false, 'blue', '.blue'], ['path', 'label', false, LIST, '.blue,black,brown'],
  ['path', 'label', true, LIST, '.blue.black.brown'],
  ['path', 'label', false, OBJECT, '.R,100,G,200,B,150'],
  ['path', 'label', true, OBJECT, '.R=100.G=200.B=150'],
  ['path', 'simple', false, LIST, 'blue,black,brown'],
  ['path', 'simple', false, OBJECT, 'R,100,G,200,B,150'],
  ['path', 'simple', true, OBJECT, 'R=100,G=200,B=150'],
  ['header', 'simple', false, 'a b', 'a b'], ['header', 'simple', false, EMPTY, ''],
  ['header', 'simple', false, LIST, 'blue,black,brown'],
  ['header', 'simple', false, OBJECT, 'R,100,G,200,B,150'],
  ['header', 'simple', true, OBJECT, 'R=100,G=200,B=150'],
  ['query', 'form', false, EMPTY, 'color='], ['query', 'form', false, 'blue', 'color=blue'],
  ['query', 'form', false, LIST, 'color=blue,black,brown'],
  ['query', 'form', true, LIST, 'color=blue&color=black&color=brown'],
  ['query', 'form', false, OBJECT, 'color=R,100,G,200,B,150'],
  ['query', 'form', true, OBJECT, 'R=100&G=200&B=150'],
  ['query', 'form', true, { page: 0, sort: ['name,desc', 'id'], none: [], no: null },
    'page=0&sort=name%2Cdesc&sort=id'],
  ['query', 'form', true, { list: [{ a: 1 }], o: { b: 2 } },
    'list=%5B%7B%22a%22%3A1%7D%5D&o=%7B%22b%22%3A2%7D'],
  ['query', 'spaceDelimited', false, LIST, 'color=blue%20black%20brown'],
  ['query', 'spaceDelimited', false, OBJECT, 'color=R%20100%20G%20200%20B%20150'],
  ['query', 'pipeDelimited', false, LIST, 'color=blue%7Cblack%7Cbrown'],
  ['query', 'pipeDelimited', false, OBJECT, 'color=R%7C100%7CG%7C200%7CB%7C150'],
  ['query', 'tabDelimited', false, LIST, 'color=blue%09black%09brown'],
  ['query', 'pipeDelimited', true, LIST, 'color=blue&color=black&color=brown'],
  ['query', 'deepObject', true, OBJECT, 'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150'],
  ['query', 'deepObject', true, { a: { b: [1, 2] } },
    'color%5Ba%5D%5Bb%5D%5B%5D=1&color%5Ba%5D%5Bb%5D%5B%5D=2'],
  ['query', 'deepObject', true, [{ a: 1 }, { a: 2 }],
    'color%5B0%5D%5Ba%5D=1&color%5B1%5D%5Ba%5D=2'],
  ['query', 'deepObject', true, 'plain', 'color=plain'],
  ['query', 'form', true, [true, null, 1.5, { a: 1 }],
    'color=true&color=1.5&color=%7B%22a%22%3A1%7D'],
  ['cookie', 'form', true, 'a b', 'color=a%20b'],
  ['cookie', 'form', false, LIST, 'color=blue,black,brown'],
];

for (const [place, style, explode, value, written] of STYLES) {
  t.test(`${place} ${style}${explode ? ' explode' : ''} ${JSON.stringify(value)}`, async (t) => {
    const one = importOne(place === 'path' ? '/x{color}' : '/x', {
      parameters: [parameter(place, 'color', { style, explode })] });
    const built = buildRequest(one, { [place]: { color: value } });
    if (!('request' in built)) {
      t.equal(written, undefined);
      return;
    }
    const { path, query, headers } = built.request;
    const found = { path: path.slice(2), query, header: headers.color, cookie: headers.cookie };
    t.equal(found[place as keyof typeof found], written);
  });
}

t.test('reserved characters stay where they may', async (t) => {
  const one = importOne('/x', { parameters: [
    parameter('query', 'q', { allowReserved: true }), parameter('query', 'r')] });
  const value = ':/?@!$\'()*,;=&+#[]% é';
  t.match(buildRequest(one, { query: { q: value, r: value } }), { request: {
    query: 'q=:/?@!$\'()*,%3B=%26%2B%23%5B%5D%25%20%C3%A9'
      + '&r=%3A%2F%3F%40%21%24%27%28%29%2A%2C%3B%3D%26%2B%23%5B%5D%25%20%C3%A9' } });
});

t.test('a path may hold a query and a fragment of its own', async (t) => {
  const one = importOne('/x?Action={verb}#Anything', { parameters: [parameter('query', 'q')] });
  t.match(buildRequest(one, { path: { verb: 'List' }, query: { q: 1 } }),
    { request: { path: '/x', query: 'Action=List&q=1' } });
});

t.test('variables of a path\'s own query are filled in, and stay in their pairs', async (t) => {
  const one = importOne('/{a}?a={a}&v=2&ids={ids}&more={+more}', {
    parameters: ['a', 'ids', 'more'].map((name) => parameter('path', name)) });
  const built = (path: JsonObject) => buildRequest(one, { path });
  t.match(built({ a: 'x', ids: [1, 'b&c'], more: '../{a}?#&=' }), { request: { path: '/x',
    query: 'a=x&v=2&ids=1,b%26c&more=..%2F%7Ba%7D%3F%23%26%3D' } });
  t.match(built({ a: 'x', ids: null, more: '' }), { request: { query: 'a=x&v=2&ids=&more=' } });
  t.match(built({ a: '..', ids: '..', more: '..' }), { violations: [{ path: '/input/path/a' }] });
});

t.test('a pair that only shows where a declared parameter goes is left out', async (t) => {
  const rows: [path: string, query: string | undefined][] = [
    ['/x?id={id}', 'id=7'], ['/x?id={id}&v=2#a', 'v=2&id=7'], ['/x?v=2&key={id}', 'v=2&key=7&id=7'],
  ];
  for (const [path, query] of rows) {
    const one = importOne(path, { parameters: [parameter('query', 'id', { required: true })] });
    t.match(one, { source_key: `POST ${path}` });
    const asked = Object.keys(one.input_schema.properties as object);
    t.same(asked, path.includes('key=') ? ['path', 'query'] : ['query'], path);
    t.match(buildRequest(one, { path: { id: 7 }, query: { id: 7 } }),
      { request: { path: '/x', query } }, path);
  }
  const hidden = importOpenapi(documentOf('/x?id={id}', 'post', {
    parameters: [parameter('query', 'id')] }),
  { slug: 'x', overrides: { '*': { hidden_parameters: ['query.id'] } } }).actions[0]!;
  t.notHas(buildRequest(hidden, {}), { request: { query: /./ } }, 'hidden, so not sent');
});

for (const value of ['..', '.', '../x', 'a/b', 'a\\b', '..%2fx', '%5C', 'a\r\nb', '\0', '', '/',
  '%2e%2e', '%2E', '.%2e', '%252e%252e', '%25252F', 'a%00', 'a%0d%0ab', '\u007f', '..;', '..;a=b',
  '.;x', ';x', '%2e.%3b', '..%253Bx']) {
  t.test(`a path value ${JSON.stringify(value)} is refused`, async (t) => {
    const built = build({ path: { id: value, ids: '..' } });
    t.match(built, { violations: [{ path: '/input/path/id' }, { path: '/input/path/ids' }] });
    t.match(build({ path: { id: ['a', value], ids: { a: value } } }),
      { violations: [{ path: '/input/path/id' }, { path: '/input/path/ids' }] }, 'within others');
  });
}

t.test('what nobody sees in a path only tells it from another', async (t) => {
  const marked = importOne('/x\u200e/{i\u200ed}', { parameters: [
    parameter('path', 'i\u200ed', { required: true })] });
  t.match(buildRequest(marked, { path: { 'i\u200ed': 'a' } }), { request: { path: '/x/a' } });
});

t.test('an empty list is no segment', async (t) => {
  t.match(build({ path: { id: [], ids: {} } }), { violations: [{}, {}] });
});

t.test('a path value of which nothing is written is refused', async (t) => {
  const styles = ['simple', 'label', 'matrix'].flatMap((style) => [false, true].flatMap((explode) =>
    [{ style, explode }, { style, explode, 'x-multi-segment': true }]));
  for (const said of styles) {
    const one = importOne('/things/{id}', { parameters: [parameter('path', 'id', said)] });
    for (const id of [null, [null], [null, null], { a: null }, [[null]], [{}]]) {
      t.match(buildRequest(one, { path: { id } }), { violations: [{ path: '/input/path/id' }] },
        JSON.stringify([said, id]));
    }
    for (const id of ['..', ['a', '..'], [{ '../x': null, y: 1 }], [{ 'a/../b': null, y: 1 }]]) {
      t.match(buildRequest(one, { path: { id } }), { violations: [{}] }, JSON.stringify(id));
    }
    for (const id of [[null, 'a'], { a: null, b: 'c' }]) {
      const built = buildRequest(one, { path: { id } });
      t.match(built, { request: { path: /^\/things\/.*[ac]$/ } }, JSON.stringify([said, id]));
    }
  }
});

t.test('a value with slashes, where the document allows them', async (t) => {
  const one = importOne('/contents/{path}', {
    parameters: [parameter('path', 'path', { 'x-multi-segment': true })] });
  const pathOf = (path: string) => buildRequest(one, { path: { path } });
  t.match(pathOf('src/a b/main.ts'), { request: { path: '/contents/src%2Fa%20b%2Fmain.ts' } });
  for (const path of ['../x', 'a/../b', 'a/./b', 'a//b', '/a', 'a/', 'a%2fb', 'a\\b', 'a/%2e%2e']) {
    t.match(pathOf(path), { violations: [{ path: '/input/path/path' }] }, path);
  }
});

t.test('a path value cannot stand for another parameter', async (t) => {
  t.match(build({ path: { id: '{ids}', ids: '$&' } }),
    { request: { path: '/a/%7Bids%7D/b/%24%26' } });
});

t.test('a header value cannot begin another header', async (t) => {
  for (const value of ['a\r\nHost: evil', 'a\nb', '\0', 'ключ', ['a', 'b\r\n']]) {
    t.match(build({ header: { 'X-Trace': value } }),
      { violations: [{ path: '/input/header/X-Trace' }] });
  }
  const json = importOne('/x', { parameters: [
    { in: 'header', name: 'X-Json', content: { 'application/json': { schema: {} } } }] });
  t.match(buildRequest(json, { header: { 'X-Json': { 'ключ': '\r\n😀' } } }), {
    request: { headers: {
      'x-json': '{"\\u043a\\u043b\\u044e\\u0447":"\\r\\n\\ud83d\\ude00"}' } } });
});

t.test('headers that belong to the transport are no parameters', async (t) => {
  const names = ['Host', 'AUTHORIZATION', 'Cookie', 'Content-Length', 'Transfer-Encoding',
    'Connection', 'Proxy-Authorization', 'Expect', 'Upgrade'];
  const one = importOne('/x', { parameters: names.map((name) => parameter('header', name)) });
  t.same(one.request.parameters, []);
  t.same(buildRequest(one, { header: Object.fromEntries(names.map((name) => [name, 'x'])) }),
    { request: { method: 'POST', path: '/x', headers: { accept: 'application/json' } } });
});

// What any value may do to a URL: nothing but fill its own place.
t.test('values of any kind stay in their places', async (t) => {
  const one = importOne('/a/{id}/z', { parameters: [parameter('path', 'id'),
    parameter('query', 'q'), parameter('query', 'deep', { style: 'deepObject' }),
    parameter('cookie', 'c')] });
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string(),
    fc.constantFrom('../', '%2e%2e', '?', '#', '&a=b', ';', '\r\n', '\ud800', '@', ':', '\\'));
  const places = [text, fc.array(text), fc.dictionary(text, text)] as const;
  t.doesNotThrow(() => fc.assert(fc.property(...places, (value, list, object) => {
    const built = buildRequest(one, {
      path: { id: `x${value}` }, query: { q: list, deep: object }, cookie: { c: value },
    });
    if ('violations' in built) {
      return built.violations.every(({ path }) => path === '/input/path/id');
    }
    const { path, query = '', headers } = built.request;
    const url = new URL(`https://api.example.com${path}?${query}`);
    const pairs = [...url.searchParams];
    const sent = list.map((item) => item.toWellFormed());
    return url.origin === 'https://api.example.com' && url.pathname === path && url.hash === ''
      && path.split('/').length === 4
      && decodeURIComponent(path.split('/')[2]!) === `x${value}`.toWellFormed()
      && JSON.stringify(pairs.filter(([name]) => name === 'q').map(([, item]) => item))
        === JSON.stringify(sent)
      && pairs.length === list.length + Object.keys(object).length
      && !/[;\s,]/.test((headers.cookie ?? '').slice('c='.length));
  }), { numRuns: 500 }));
});
