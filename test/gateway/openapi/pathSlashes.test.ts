import fc from 'fast-check';
import t from 'tap';
import { InputValidators } from '../../../src/gateway/calls/inputValidators.ts';
import { importOpenapi, type ImportOptions } from '../../../src/gateway/openapi/openapi.ts';
import { buildRequest } from '../../../src/gateway/openapi/request.ts';
import { documentOf } from '../support.ts';

const GOOGLE = { title: 'x', version: '1', 'x-origin': [{ format: 'google' }] };
const parameter = (name: string, rest: object = {}) =>
  ({ in: 'path', name, required: true, schema: { type: 'string' }, ...rest });

function importOne(
  path: string, parameters: object[], rest: object = {}, options: Partial<ImportOptions> = {}) {
  const { info, ...operation } = rest as { info?: object };
  const document = { ...documentOf(path, 'post', { parameters, ...operation }),
    ...(info !== undefined && { info }) };
  return importOpenapi(document, { slug: 'x', ...options }).actions[0]!;
}

/** The path of the request; `refused` if the value may not be sent. */
function pathOf(action: ReturnType<typeof importOne>, values: Record<string, unknown>): string {
  if (new InputValidators().check(action, { path: values }).violations.length > 0) return 'refused';
  const built = buildRequest(action, { path: values });
  return 'request' in built ? built.request.path : 'refused';
}

const ASIDE = ['../x', 'a/../b', 'a/./b', 'a//b', '/a', 'a/', 'a%2fb', 'a/b%2Fc', 'a\\b', 'a%5cb',
  'a/%2e%2e', 'a/%2e%2e/b', 'a/.%2E', 'a/%252e%252e/b', 'a/%25252e%25252e', '..', '.', '', 'a/\n',
  'a%00/b', 'a/..;/b', 'a/;/b', 'a/.;x', '..%3b/a'];

t.test('slashes by the document\'s word', async (t) => {
  const rows: [string, ReturnType<typeof importOne>, string, string][] = [
    ['a mark', importOne('/c/{p}', [parameter('p', { 'x-multi-segment': true })]), 'a b/c',
      '/c/a%20b%2Fc'],
    ['a description', importOne('/c/{p}', [parameter('p', {
      description: 'The id or URL-encoded path of the project' })]), 'group/site',
    '/c/group%2Fsite'],
    ['allowReserved', importOne('/c/{p}', [parameter('p', { allowReserved: true })]), 'a/b:c?d#e',
      '/c/a/b%3Ac%3Fd%23e'],
    ['RFC 6570', importOne('/c/{+p}', [parameter('p')]), 'a/b', '/c/a/b'],
    ['RFC 6570, described so', importOne('/c/{+p}', [parameter('+p')]), 'a/b', '/c/a/b'],
    ['Amazon\'s gateway', importOne('/c/{p+}', [parameter('p')]), 'a/b', '/c/a/b'],
    ['a pattern of a name', importOne('/v1/{p}', [parameter('p', {
      schema: { type: 'string', pattern: 'projects/[^/]+/topics/[^/]+' } })]),
    'projects/a/topics/b', '/v1/projects/a/topics/b'],
    ['another pattern', importOne('/c/{p}', [parameter('p', {
      schema: { type: 'string', pattern: '^[a-z]+/[a-z]+$' } })]), 'octo/site', '/c/octo%2Fsite'],
    ['Google\'s template', importOne('/v1/{p=projects/*}:run', [parameter('p')]), 'projects/a',
      '/v1/projects/a:run'],
  ];
  for (const [what, action, value, path] of rows) {
    const name = action.request.parameters[0]!.name;
    t.equal(pathOf(action, { [name]: value }), path, what);
    for (const aside of ASIDE) {
      t.equal(pathOf(action, { [name]: aside }), 'refused', `${what}: ${aside}`);
    }
  }
});

t.test('values with slashes that are encoded twice, as Zoom and Harbor want them', (t) => {
  for (const description of ['If a UUID starts with "/", you must **double encode** it.',
    'If it contains slash, encode it twice over with URL encoding. e.g. a/b -> a%252Fb']) {
    const action = importOne('/c/{p}/d', [parameter('p', { description })]);
    t.equal(pathOf(action, { p: '/a//b==' }), '/c/%252Fa%252F%252Fb%253D%253D/d');
    t.equal(pathOf(action, { p: 'b==' }), '/c/b%3D%3D/d');
    for (const aside of ASIDE.filter((text) => !['a//b', '/a', 'a/'].includes(text))) {
      t.equal(pathOf(action, { p: aside }), 'refused', aside);
    }
  }
  t.end();
});

t.test('nothing but what the document says a name looks like', async (t) => {
  const described = importOne('/v1/{p}', [parameter('p', {
    schema: { type: 'string', pattern: 'projects/[^/]+|folders/[^/]+' } })]);
  t.equal(pathOf(described, { p: 'folders/a' }), '/v1/folders/a');
  const publish = importOne('/v1/{topic}:publish', [parameter('topic')],
    { info: GOOGLE, operationId: 'pubsub.projects.topics.publish' });
  t.equal(pathOf(publish, { topic: 'projects/a/topics/b' }), '/v1/projects/a/topics/b:publish');
  const list = importOne('/v1/{parent}/topics', [parameter('parent')],
    { info: GOOGLE, operationId: 'pubsub.projects.topics.list' });
  t.equal(pathOf(list, { parent: 'projects/a' }), '/v1/projects/a/topics');
  const single = importOne('/v1/{name}', [parameter('name')],
    { info: GOOGLE, operationId: 'x.projects.locations.getConfig' });
  t.equal(pathOf(single, { name: 'projects/a/locations/b/config' }),
    '/v1/projects/a/locations/b/config');
  for (const [action, values] of [
    [described, { p: 'projects/a/topics/b' }], [described, { p: 'x/projects/a' }],
    [publish, { topic: 'projects/a/subscriptions/b' }], [publish, { topic: ['projects/a', 'x/y'] }],
    [publish, { topic: 'projects/a/topics/b/messages' }], [publish, { topic: 'projects/a' }],
    [list, { parent: 'projects/a/topics/b' }], [single, { name: 'projects/a/topics/b/config' }],
  ] as const) {
    t.equal(pathOf(action, values), 'refused', JSON.stringify(values));
  }
  const verb = pathOf(publish, { topic: 'projects/a/topics/b:delete' });
  t.equal(verb, '/v1/projects/a/topics/b%3Adelete:publish', 'a value adds no verb of its own');
});

t.test('without a word there are none', async (t) => {
  for (const action of [
    importOne('/v1/{name}', [parameter('name')], { operationId: 'pubsub.projects.topics.get' }),
    importOne('/v1/a/{name}', [parameter('name')],
      { info: GOOGLE, operationId: 'pubsub.projects.topics.get' }),
    importOne('/v1/{name}', [parameter('name')], { info: GOOGLE, operationId: 'x.get' }),
    // The pattern cannot be held, so it allows nothing.
    importOne('/c/{name}', [parameter('name', {
      schema: { type: 'string', pattern: '^(?!x)a/[^/]+$' } })]),
  ]) t.equal(pathOf(action, { name: 'a/b' }), 'refused');
});

t.test('slashes by the operator\'s word, for this parameter alone', async (t) => {
  const path = '/projects/{id}/files/{file}';
  const parameters = [parameter('id'), parameter('file')];
  const one = (path_slashes: Record<string, 'encoded' | 'reserved'>) =>
    importOne(path, parameters, {}, { overrides: { 'x.*': { path_slashes } } });
  const values = { id: 'a/b', file: 'c/d' };
  t.equal(pathOf(one({ '*': 'encoded' }), values), '/projects/a%2Fb/files/c%2Fd');
  t.equal(pathOf(one({ id: 'encoded', '*': 'reserved' }), values), '/projects/a%2Fb/files/c/d');
  t.equal(pathOf(one({ file: 'reserved' }), values), 'refused');
  t.equal(pathOf(one({ file: 'reserved' }), { ...values, id: 'a' }), '/projects/a/files/c/d');
});

// RabbitMQ's virtual hosts: the one that there always is has the name `/`.
t.test('a slash at the beginning, or alone, by the operator\'s word', async (t) => {
  const path = '/queues/{vhost}/{name}';
  const one = (slashes: 'encoded' | 'reserved', named = 'vhost') => importOne(
    path, [parameter('vhost'), parameter('name')], {},
    { overrides: { 'x.*': { path_slashes: { [named]: slashes } } } });
  for (const [vhost, sent] of [['/', '%2F'], ['/prod', '%2Fprod'], ['/a/b', '%2Fa%2Fb']]) {
    t.equal(pathOf(one('encoded'), { vhost, name: 'q' }), `/queues/${sent}/q`);
    t.equal(pathOf(one('reserved'), { vhost, name: 'q' }), 'refused');
    t.equal(pathOf(one('encoded'), { vhost: 'a', name: vhost }), 'refused', 'of another one');
    if (vhost!.startsWith('/')) {
      t.equal(pathOf(one('encoded', '*'), { vhost, name: 'q' }), 'refused', 'of a word for all');
    }
  }
  const others = ['//', '/..', '%2F', '/a/', '%2Fa', '%252Fa'];
  for (const vhost of [...ASIDE.filter((text) => text !== '/a'), ...others]) {
    t.equal(pathOf(one('encoded'), { vhost, name: 'q' }), 'refused', vhost);
  }
});

t.test('whose word it is, is said where slashes alone are wrong', async (t) => {
  const action = importOne('/contents/{path}', [parameter('path')]);
  const marked = importOne('/c/{path}', [parameter('path', { 'x-multi-segment': true })]);
  const told = (path: string, of = action) => {
    const built = buildRequest(of, { path: { path } });
    return 'violations' in built ? built.violations[0]!.message : '';
  };
  const how = /the operator of this service can .* \{"path": "encoded"\}\}$/;
  for (const path of ['src/main.ts', '/', '/a']) t.match(told(path), how, path);
  for (const path of ['', '..', 'a/../b', '//', 'a/\n']) t.notMatch(told(path), 'operator', path);
  t.match(told('/a', marked), how, 'where the document says less than that');
  t.notMatch(told('a//b', marked), 'operator');
});

// What a value may do to a path: add segments behind those of the operation, and nothing else.
t.test('a value never leaves what comes before and after it', async (t) => {
  const action = importOne('/a/{p}/z', [parameter('p', { allowReserved: true })]);
  const part = fc.oneof(fc.string({ unit: 'binary' }),
    fc.constantFrom('/', '..', '.', '%2e', '%2F', '%25', '\\', ';', '?', '#', ':', '@', '//'));
  t.doesNotThrow(() => fc.assert(fc.property(fc.array(part), (parts) => {
    const built = buildRequest(action, { path: { p: parts.join('') } });
    if ('violations' in built) return true;
    const { path } = built.request;
    const url = new URL(`https://api.example.com${path}`);
    return url.pathname === path && url.search === '' && url.hash === ''
      && path.startsWith('/a/') && path.endsWith('/z') && !/\/\/|\/\.{1,2}\//.test(path);
  }), { numRuns: 300 }));
});
