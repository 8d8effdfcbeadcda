import t from 'tap';
import type { JsonObject } from '../../src/gateway/json.ts';
import { importOpenapi } from '../../src/gateway/sources/openapi.ts';
import { buildRequest } from '../../src/gateway/sources/request.ts';
import { documentOf } from './support.ts';

const parameter = (place: string, name: string, rest: object = {}) =>
  ({ in: place, name, schema: {}, ...rest });
const [action] = importOpenapi(documentOf('/a/{id}/b/{ids}', 'post', {
  parameters: [
    parameter('path', 'id'), parameter('path', 'ids'),
    parameter('query', 'tag'), parameter('query', 'csv', { explode: false }),
    parameter('query', 'pipes', { explode: false, style: 'pipeDelimited' }),
    parameter('query', 'filter', { style: 'deepObject' }),
    parameter('query', 'flat'), parameter('query', 'cursor'),
    { in: 'query', name: 'json', content: { 'application/json': { schema: {} } } },
    parameter('header', 'X-Trace'),
  ],
  requestBody: { content: { 'application/merge-patch+json': { schema: {} } } },
}), { slug: 'x' });
const build = (input: JsonObject, cursor: string | null = null) =>
  buildRequest(action!, { path: { id: '1', ids: '2' }, ...input }, cursor);

t.test('each parameter is written in its style', async (t) => {
  t.same(build({
    path: { id: 'a b?&#é', ids: [1, 2] },
    query: { tag: ['x', 'y&z'], csv: ['a,b', 'c'], pipes: ['a', 'b'], filter: { a: 1, 'b c': true },
      flat: { k: 'v' }, json: { deep: [1] } },
    header: { 'X-Trace': 't1' },
    body: { a: 1 },
  }, 'next page'), { request: {
    method: 'POST',
    path: '/a/a%20b%3F%26%23%C3%A9/b/1%2C2',
    query: 'tag=x&tag=y%26z&csv=a%2Cb,c&pipes=a|b&filter%5Ba%5D=1&filter%5Bb%20c%5D=true&k=v'
      + '&cursor=next%20page&json=%7B%22deep%22%3A%5B1%5D%7D',
    headers: { accept: 'application/json', 'x-trace': 't1',
      'content-type': 'application/merge-patch+json' },
    body: { a: 1 },
  } });
});

t.test('nothing given, nothing sent', async (t) => {
  t.same(build({}), { request: {
    method: 'POST', path: '/a/1/b/2', headers: { accept: 'application/json' } } });
  t.notHas(build({ query: { tag: null, unknown: 'x' } }), { request: { query: /./ } });
});

for (const value of ['..', '.', '../x', 'a/b', 'a\\b', '..%2fx', '%5C', 'a\r\nb', '\0', '']) {
  t.test(`a path value ${JSON.stringify(value)} is refused`, async (t) => {
    const built = build({ path: { id: value, ids: '..' } });
    t.match(built, { violations: [{ path: '/input/path/id' }, { path: '/input/path/ids' }] });
  });
}

t.test('a path value cannot stand for another parameter', async (t) => {
  t.match(build({ path: { id: '{ids}', ids: '$&' } }),
    { request: { path: '/a/%7Bids%7D/b/%24%26' } });
});

t.test('a header value cannot begin another header', async (t) => {
  t.match(build({ header: { 'X-Trace': 'a\r\nHost: evil' } }),
    { violations: [{ path: '/input/header/X-Trace' }] });
});
