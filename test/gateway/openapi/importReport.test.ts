import t from 'tap';
import { importOpenapi, type ImportOptions } from '../../../src/gateway/openapi/openapi.ts';
import { documentOf } from '../support.ts';

const run = (document: Record<string, unknown>, options: Partial<ImportOptions> = {}) =>
  importOpenapi(document, { slug: 'x', ...options });

t.test('what is skipped is reported with its reason', async (t) => {
  const document = { info: { title: ' Things ' }, paths: {
    '/things': {
      get: { operationId: 'listThings', parameters: [{ name: 'cursor', in: 'query', schema: {} }] },
      post: { operationId: 'searchThings' },
      delete: { operationId: 'deleteThings', 'x-internal': true },
      options: {}, trace: {},
    },
    '/admin': { 'x-internal': true, get: { operationId: 'admin' } },
    '/away': { $ref: 'other.yaml#/paths/away' },
    '/hidden': { get: {} },
    '/more': { get: {} },
    'x-note': { get: {} },
  } };
  const { actions, report } = run(document, { max_operations: 2, overrides: {
    'POST /things': { effect: 'read' }, 'GET /hidden': { hidden: true } } });
  t.match(actions, [
    { name: 'x.things.list', paged: true, effect: 'read', effect_source: 'rule' },
    { name: 'x.things.search', paged: false, effect: 'read', effect_source: 'operator' },
  ]);
  t.equal(actions.length, 2);
  t.match(report, { title: 'Things', operations: 9, imported: 2 });
  t.same(report.skipped, [
    { source_key: 'DELETE /things', reason: 'internal' },
    { source_key: 'OPTIONS /things', reason: 'method_not_supported' },
    { source_key: 'TRACE /things', reason: 'method_not_supported' },
    { source_key: 'GET /admin', reason: 'internal' },
    { source_key: '* /away', reason: 'external_reference' },
    { source_key: 'GET /hidden', reason: 'hidden' },
    { source_key: 'GET /more', reason: 'too_many_operations' },
  ]);
});

t.test('a re-import never renames, and gives no name a second time', async (t) => {
  const paths = {
    '/users': { get: { operationId: 'listUsers' } },
    '/people': { get: { operationId: 'listUsers', tags: ['Users'] } },
    '/teams': { get: { operationId: 'listTeams' } },
  };
  const names = new Map([['GET /users', 'x.users.list'], ['GET /gone', 'x.teams.list']]);
  const named = run({ paths }, { names }).actions.map(({ name }) => name);
  t.same(named, ['x.users.list', 'x.users.list_users', 'x.teams.list_teams'],
    'what is new makes way, also to what is gone');
  t.same(run({ paths }).actions.map(({ name }) => name),
    ['x.users.get_users', 'x.users.get_people', 'x.teams.list'],
    'a first import moves the whole group on');
});

t.test('what leads nowhere is reported, not fetched', async (t) => {
  const { actions, report } = run(documentOf('/a/{id}/{other}', 'get', {
    parameters: [
      { name: 'q', in: 'query', schema: { $ref: 'https://example.com/schemas.json#/Q' } },
      { name: 'r', in: 'query', schema: { $ref: '#/components/schemas/Gone' } },
      { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
      { name: 'typo', in: 'path', required: true, schema: {} },
    ],
  }));
  t.match(report.warnings, [
    /GET .*: The path parameter typo is not in the path/,
    /GET .*: The path parameter other is not described/,
    /reference https:\/\/example\.com\/schemas\.json#\/Q leads out of the document/,
    /reference #\/components\/schemas\/Gone leads nowhere/,
  ]);
  t.match(actions[0]!.input_schema, { properties: {
    query: { properties: { q: {}, r: {} } },
    path: { properties: { id: { type: 'integer' }, other: { type: 'string' } },
      required: ['id', 'other'] },
  } });
});

t.test('security: schemes, alternatives, scopes, and no credential is a parameter', async (t) => {
  const flow = { authorizationUrl: 'https://a/auth', tokenUrl: 'https://a/token',
    scopes: { 'a:read': 'Reads' } };
  const { actions, report } = run(documentOf('/a', 'get', {
    security: [{ OAuth: ['b', 'a'] }, { OAuth: ['a:read'], Key: [] }],
    parameters: [{ name: 'X-API-Key', in: 'header', required: true, schema: {} },
      { name: 'x-api-key', in: 'query', schema: {} }],
  }, {
    security: [{ Basic: [] }],
    components: { securitySchemes: {
      OAuth: { type: 'oauth2', flows: { authorizationCode: flow, implicit: {} } },
      Key: { type: 'apiKey', in: 'header', name: 'x-api-key' },
      Basic: { type: 'http', scheme: 'Basic' }, Bearer: { type: 'http', scheme: 'bearer' },
      Digest: { type: 'http', scheme: 'digest' }, Broken: { type: 'apiKey' }, Null: null,
      Id: { type: 'openIdConnect', openIdConnectUrl: 'https://a/.well-known' },
    } },
  }));
  t.match(actions[0], {
    security: [[{ scheme: 'OAuth', scopes: ['b', 'a'] }],
      [{ scheme: 'OAuth', scopes: ['a:read'] }, { scheme: 'Key', scopes: [] }]],
    required_scopes: ['a:read'],
  });
  t.same(Object.keys(actions[0]!.input_schema.properties as object), ['query'],
    'the key is sent by the gateway');
  t.same(report.auth_methods, ['oauth2', 'api_key', 'basic', 'bearer']);
  t.match(report.security_schemes, [
    { name: 'OAuth', flows: { authorization_code: { authorization_url: 'https://a/auth',
      token_url: 'https://a/token', refresh_url: null, scopes: { 'a:read': 'Reads' } } } },
    { name: 'Key', placement: { in: 'header', name: 'x-api-key' } },
    { type: 'basic' }, { type: 'bearer' }, { type: 'unsupported' }, { type: 'unsupported' },
    { type: 'unsupported' }, { type: 'oauth2', openid_connect_url: 'https://a/.well-known' },
  ]);
  t.notOk('implicit' in report.security_schemes[0]!.flows!);
  t.same(run(documentOf('/a', 'get', { security: [] }, { security: [{ A: ['s'] }] }))
    .actions[0]!.required_scopes, [], 'an operation may need none');
});

t.test('servers are absolute, and an operation may have its own', async (t) => {
  const servers = [
    { url: '/v1' }, { url: 'https://{region}.example.com/{base}/',
      variables: { region: { default: 'eu' }, base: { enum: ['v2'] } } },
    { url: 'ftp://example.com' }, { url: '//example.com' }, { url: 3 }, null,
  ];
  const own = { servers: [{ url: 'https://uploads.example.com' }] };
  const document = { ...documentOf('/a', 'get', own), servers };
  const at = (document_url?: string) => run(document, { document_url }).report.servers
    .map(({ url }) => url);
  t.same(at('https://example.com/docs/openapi.json'), ['https://example.com/v1',
    'https://eu.example.com/v2', 'https://example.com']);
  t.equal(at()[0], '/v1', 'where the document came from is not known');
  t.same(run(document).report.servers[1]!.variables, ['region', 'base']);
  t.same(run(document).actions[0]!.servers, ['https://uploads.example.com']);
});

t.test('pages are recognised by the names of parameters', async (t) => {
  const pagingOf = (method: string, operation: object) =>
    run(documentOf('/a', method, operation)).actions[0]!.paging;
  const query = (...parameters: [string, string?][]) => ({ parameters: parameters
    .map(([name, type = 'string']) => ({ name, in: 'query', schema: { type } })) });
  t.same(pagingOf('get', query(['maxResults', 'integer'], ['pageToken'])),
    { style: 'cursor', place: 'query', parameter: 'pageToken', size_parameter: 'maxResults' });
  t.match(pagingOf('get', query(['per_page', 'integer'], ['page', 'integer'])),
    { style: 'page', parameter: 'page', size_parameter: 'per_page' });
  t.match(pagingOf('get', query(['startAt', 'integer'])), { style: 'offset' });
  t.equal(pagingOf('get', query(['starting_after', 'integer'])), null, 'a number is no cursor');
  t.equal(pagingOf('get', query(['after'])), null);
  t.match(pagingOf('get', query(['after'], ['limit'])), { style: 'cursor' });
  const body = { requestBody: { content: { 'application/json': { schema: {
    properties: { start_cursor: { type: 'string' }, page_size: { type: 'integer' } } } } } } };
  t.match(pagingOf('post', body), { place: 'body', parameter: 'start_cursor' });
  t.equal(pagingOf('patch', body), null);
});

t.test('a hash tells whether the input changed', async (t) => {
  const hashOf = (schema: object, rest: object = {}) => run(documentOf('/a', 'get', {
    parameters: [{ name: 'q', in: 'query', schema, ...rest }] })).actions[0]!.schema_hash;
  const hash = hashOf({ type: 'string', maxLength: 3 });
  t.match(hash, /^[0-9a-f]{64}$/);
  t.equal(hashOf({ maxLength: 3, type: 'string', example: 'x' }), hash, 'not by order or examples');
  t.not(hashOf({ type: 'string' }), hash);
  t.not(hashOf({ type: 'string', maxLength: 3 }, { style: 'pipeDelimited' }), hash);
});

t.test('what the operator overrides', async (t) => {
  const soft_error = { pointer: '/ok', equals: false, message_pointer: '/error' };
  const { actions: [action] } = run(documentOf('/a', 'get', {
    operationId: 'deleteAll',
    parameters: [{ name: 'Token', in: 'query', required: true, schema: {} },
      { name: 'q', in: 'query', schema: {} }],
  }), { overrides: {
    '*': { soft_error, hidden_parameters: ['query.token'], effect: 'write' },
    'GET /a': { effect: 'read' },
  } });
  t.match(action, { effect: 'read', effect_source: 'operator', soft_error });
  t.match(action!.input_schema, { properties: { query: { properties: { q: {} } } } });
  t.notMatch(action!.input_schema, { properties: { query: { properties: { Token: {} } } } });
});
