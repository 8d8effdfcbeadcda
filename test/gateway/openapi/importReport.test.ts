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
    { name: 'x.things.list', paged: true, effect: 'read' },
    { name: 'x.things.search', paged: false, effect: 'read' },
  ]);
  t.equal(actions.length, 2);
  t.match(report, { title: 'Things', operations: 9, imported: 2 });
  t.same(report.skipped, [
    { source_key: 'DELETE /things', reason: 'internal' },
    { source_key: 'OPTIONS /things', reason: 'method_not_supported' },
    { source_key: 'TRACE /things', reason: 'method_not_supported' },
    { source_key: 'GET /admin', reason: 'internal' },
    { source_key: '* /away', reason: 'external_reference' },
    { source_key: 'GET /more', reason: 'too_many_operations' },
    { source_key: 'GET /hidden', reason: 'hidden' },
  ]);
});

t.test('a host that is not said whole is none, as Sentry has one', async (t) => {
  const { actions, report } = run({ servers: [{ url: 'https://{region}.example.com/{base}' }],
    paths: { '/things': { get: { servers: [{ url: 'https://{region}.example.com' }] } } } });
  t.same(report.servers, []);
  t.same(report.warnings, []);
  t.notMatch(JSON.stringify(actions[0]), 'https://', 'it is called where the integration is');
  t.same(run({ servers: [{ url: 'https://example.com/{base}' }], paths: {} }).report.servers,
    ['https://example.com']);
});

t.test('what only OpenAPI 3.2 has is named', async (t) => {
  const { actions, report } = run({ openapi: '3.2.0', paths: { '/things': {
    get: { parameters: [{ in: 'querystring', name: 'q', required: true, content: {} }] },
    query: { operationId: 'queryThings' },
    additionalOperations: { COPY: { operationId: 'copyThings' } },
  } } });
  t.same(actions.map(({ name }) => name), ['x.things.list']);
  t.same(report.skipped, ['COPY', 'QUERY'].map((method) =>
    ({ source_key: `${method} /things`, reason: 'method_not_supported' })));
  t.same(report.warnings, [
    'GET /things: The parameter q has the place querystring, which OpenAPI 3.1 does not know,'
      + ' and is left out']);
});

t.test('operations that share an operationId are named', async (t) => {
  const get = (operationId?: string) => ({ get: { operationId } });
  const paths = { '/a': get('list'), '/b': get('list'), '/c': get('other'), '/d': get(),
    '/e': get(), '/f': { post: { operationId: 'list', 'x-internal': true } } };
  const { actions, report } = run({ paths });
  t.equal(new Set(actions.map(({ name }) => name)).size, 5, 'each has a name of its own');
  t.same(report.warnings, ['Several operations have the same operationId, which OpenAPI does not'
    + ' allow: list (GET /a, GET /b). Each is an action, but if one of them moves to another path,'
    + ' the import cannot tell which it was']);
  const many = Object.fromEntries(Array.from({ length: 44 }, (_, at) =>
    [`/${at}`, get(`i${at % 22}`)]));
  t.match(run({ paths: many }).report.warnings[0], /, i9 \(GET \/9, GET \/31\) and 12 more\. Each/);
});

t.test('a re-import never renames, and gives no name a second time', async (t) => {
  const paths = {
    '/users': { get: { operationId: 'listUsers' } },
    '/people': { get: { operationId: 'listUsers', tags: ['Users'] } },
    '/teams': { get: { operationId: 'listTeams' } },
  };
  const known = [['GET /users', 'x.users.list'], ['GET /gone', 'x.teams.list']].map(
    ([source_key, name]) =>
      ({ source_key: source_key!, name: name!, operation_id: null, removed: false }));
  const named = run({ paths }, { known }).actions.map(({ name }) => name);
  t.same(named, ['x.users.list', 'x.users.list_users', 'x.teams.list_teams'],
    'what is new makes way, also to what is gone');
  t.same(run({ paths }).actions.map(({ name }) => name),
    ['x.users.get_users', 'x.users.get_people', 'x.teams.list'],
    'a first import moves the whole group on');
});

t.test('what reads by its method and writes by its words is reported', async (t) => {
  const paths = (number: number) => Object.fromEntries(Array.from({ length: number }, (_, n) =>
    [`/servers/${n}/poweroff`, { get: {} }]));
  const warningsOf = (all: object, overrides = {}) => importOpenapi(
    { openapi: '3.1.0', paths: all }, { slug: 's', overrides }).report.warnings;
  t.match(warningsOf({ '/list': { get: {} }, '/x/withdraw': { get: {}, post: {} } }),
    [/^1 of the operations .* by their words, .*override the effect: GET \/x\/withdraw$/]);
  t.match(warningsOf(paths(30)), [/^30 of .*: GET \/servers\/0\/poweroff, .* and 10 more$/]);
  t.same(warningsOf(paths(1), { 'GET /servers/0/poweroff': { effect: 'read' } }), [],
    'not what an operator has said');
});

t.test('what leads out of the document is an error, and what needs it is left out', async (t) => {
  const elsewhere = { $ref: 'https://example.com/schemas.json#/Q' };
  const hidden = { paths: { '/a': { get: {} } }, components: {
    parameters: { Q: elsewhere }, requestBodies: { B: { content: { 'a/b': elsewhere } } },
    schemas: { Deep: { type: 'array', items: elsewhere } } } };
  const [parameter, schema] = ['parameters', 'schemas'].map((kind) =>
    ({ $ref: `#/components/${kind}/${kind === 'schemas' ? 'Deep' : 'Q'}` }));
  for (const operation of [{ parameters: [elsewhere] }, { parameters: [parameter] },
    { requestBody: elsewhere }, { requestBody: { $ref: '#/components/requestBodies/B' } },
    { parameters: [{ in: 'query', name: 'q', schema: elsewhere }] },
    { requestBody: { content: { 'application/json': { schema } } } }]) {
    const { actions, report } = run({ ...hidden,
      paths: { ...hidden.paths, '/b': { post: operation }, '/c': { put: operation } } });
    t.same(actions.map(({ source_key }) => source_key), ['GET /a'], JSON.stringify(operation));
    t.match(report, { operations: 3, imported: 1, errors: [/^2 operations .*schemas\.json#\/Q/],
      skipped: [{ source_key: 'POST /b', reason: 'external_reference' }, {}] });
  }
  const { actions, report } = run(documentOf('/a', 'get', { responses: { 200: {
    content: { 'application/json': { schema } } } } }, { components: hidden.components }));
  t.match(actions, [{ output_schema: {} }], 'results are described for orientation only');
  t.match([report.errors, report.warnings], [[], [/leads out of the document/]]);
});

t.test('what is not in the document is an error as well, but for schemas', async (t) => {
  const nope = { $ref: '#/components/parameters/Nope' };
  const components = { parameters: { Circle: { $ref: '#/components/parameters/Circle' },
    Chain: nope, Null: null } };
  const refer = (name: string) => ({ $ref: `#/components/parameters/${name}` });
  for (const [reference, operation] of [['parameters/Nope', { parameters: [nope] }],
    ['parameters/Nope', { parameters: [refer('Chain')] }],
    ['parameters/Circle', { parameters: [refer('Circle')] }],
    ['parameters/Null', { parameters: [refer('Null')] }],
    ['requestBodies/Nope', { requestBody: { $ref: '#/components/requestBodies/Nope' } }],
    ['Nope', { requestBody: { content: { 'application/json': { $ref: '#/Nope' } } } }],
  ] as const) {
    const { actions, report } = run({ components,
      paths: { '/a': { get: {} }, '/b': { post: operation } } });
    t.same(actions.map(({ source_key }) => source_key), ['GET /a'], reference);
    t.same(report.skipped, [{ source_key: 'POST /b', reason: 'external_reference' }]);
    t.match(report.errors, [`1 operation is left out: the reference #/`]);
    t.match(report.errors, [`${reference} leads to what is neither in the document`]);
  }
  t.match(run({ components, paths: { '/a': { parameters: [nope], get: {} } } }).report,
    { imported: 0, errors: [/parameters\/Nope/] }, 'of the path as well');
});

t.test('credentials that cannot be given are said at the import', async (t) => {
  const schemes = {
    aws: { type: 'apiKey', in: 'header', name: 'Authorization',
      'x-amazon-apigateway-authtype': 'awsSigv4' },
    digest: { type: 'http', scheme: 'Digest' }, tls: { type: 'mutualTLS' },
    key: { type: 'apiKey', in: 'header', name: 'x-key' }, token: { type: 'http', scheme: 'Token' },
  };
  const securities: Record<string, object[]> = {
    aws: [{ aws: [] }], both: [{ digest: [], key: [] }, { tls: [] }], either: [{ aws: [] },
      { key: [] }], none: [{ aws: [] }, {}], odd: [{ token: [] }], unknown: [{ gone: [] }],
    all: [] };
  const document = { paths: Object.fromEntries(Object.entries(securities).map(([name, security]) =>
    [`/${name}`, { get: { security } }])), components: { securitySchemes: schemes } };
  const { actions, report } = run(document);
  t.same(actions.map(({ source_key }) => source_key.slice(5)),
    ['either', 'none', 'odd', 'unknown', 'all']);
  t.same(report.skipped, ['aws', 'both'].map((name) =>
    ({ source_key: `GET /${name}`, reason: 'credentials_not_served' })));
  t.match(report.errors, [/^1 operation is left out: AWS Signature Version 4 is not served/,
    /^1 .*: HTTP Digest, mutual TLS is not served.*signed_elsewhere/]);
  t.same(report.auth_methods, ['api_key']);
  const signed = importOpenapi({ openapi: '3.1.0', ...document },
    { slug: 's', overrides: { '*': { signed_elsewhere: true } } });
  t.same([signed.actions.length, signed.report.errors], [7, []]);
});

t.test('what leads nowhere is reported, not fetched', async (t) => {
  const { actions, report } = run(documentOf('/a/{id}/{other}', 'get', {
    parameters: [
      { name: 'q', in: 'query', schema: { $ref: '#/components/schemas/Lost' } },
      { name: 'r', in: 'query', schema: { $ref: '#/components/schemas/Gone' } },
      { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
      { name: 'typo', in: 'path', required: true, schema: {} },
    ],
  }));
  t.match(report.warnings, [
    /GET .*: The path parameter typo is not in the path/,
    /GET .*: The path parameter other is not described/,
    /reference #\/components\/schemas\/Lost leads nowhere/,
    /reference #\/components\/schemas\/Gone leads nowhere/,
  ]);
  t.match(actions[0]!.input_schema, { properties: {
    query: { properties: { q: {}, r: {} } },
    path: { properties: { id: { type: 'integer' }, other: { type: 'string' } },
      required: ['id', 'other'] },
  } });
});

t.test('of OAuth 2.0 by flows that are not done here a token is taken', async (t) => {
  const methods = (...securitySchemes: object[]) =>
    run({ paths: {}, components: { securitySchemes: { ...securitySchemes } } }).report.auth_methods;
  const oauth = (...flows: string[]) => ({ type: 'oauth2', flows: Object.fromEntries(
    flows.map((flow) => [flow, { tokenUrl: 'https://a/token', scopes: {} }])) });
  t.same(methods(oauth('implicit')), ['bearer']);
  t.same(methods(oauth('password')), ['bearer'], 'FastAPI');
  t.same(methods(oauth('password', 'clientCredentials')), ['oauth2']);
  t.same(methods(oauth('implicit'), { type: 'apiKey', in: 'header', name: 'api_key' }),
    ['bearer', 'api_key'], 'the pet store');
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
  t.same(Object.keys(actions[0]!.input_schema.properties as object), ['query'],
    'the key is sent by the gateway');
  t.same(report.auth_methods, ['oauth2', 'api_key', 'basic', 'bearer']);
  t.match(report.security_schemes, [
    { name: 'OAuth', flows: { authorization_code: { authorization_url: 'https://a/auth',
      token_url: 'https://a/token', refresh_url: null, scopes: { 'a:read': 'Reads' } } },
    required_scopes: { read: ['a:read'], other: [] } },
    { name: 'Key', placement: { in: 'header', name: 'x-api-key' } },
    { type: 'basic' }, { type: 'bearer' }, { type: 'unsupported' }, { type: 'unsupported' },
    { type: 'unsupported' }, { type: 'oauth2', openid_connect_url: 'https://a/.well-known' },
  ]);
  t.notOk('implicit' in report.security_schemes[0]!.flows!);
});

t.test('the scopes that actions need at least, by what they do', async (t) => {
  const needs = (...operations: object[]) => run({
    paths: Object.fromEntries(operations.map((one, index) => [`/a/${index}`, one])),
    security: [{ A: ['s'] }], components: { securitySchemes: {
      A: { type: 'oauth2', flows: {} }, B: { type: 'oauth2', flows: {} } } },
  }).report.security_schemes.map(({ required_scopes }) => required_scopes);
  const nothing = { read: [], other: [] };
  t.strictSame(needs({ get: {} }), [{ read: ['s'], other: [] }, nothing], 'as the document says');
  t.strictSame(needs({ get: { security: [] } }), [nothing, nothing], 'an operation may need none');
  t.strictSame(needs({ get: { security: [{ A: ['s'] }, {}] } }), [nothing, nothing],
    'and may leave the choice');
  t.strictSame(needs({ get: { security: [{ A: ['drive'] }, { A: ['drive.readonly'] }] } })[0]!.read,
    ['drive.readonly'], 'of two that will do, the one that reads');
  t.strictSame(needs({ get: { security: [{ A: ['r'], B: ['b'] }, { B: ['x', 'y'] }] },
    put: { security: [{ A: ['w', 'r', 3, ''] }] } }),
  [{ read: ['r'], other: ['w'] }, { read: ['b'], other: [] }], 'what others need besides');
  const many = Array.from({ length: 300 }, (_, index) => `s${index}`);
  const [cut] = needs({ put: { security: [{ A: many }] } });
  t.equal(cut!.other.length, 200);
});

t.test('what a document says about authentication is bounded', async (t) => {
  const scopes = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`s${index}`, 'x']));
  const flow = { authorizationUrl: 'javascript:x', tokenUrl: 'https://[', scopes: { ...scopes,
    ['x'.repeat(201)]: 'long' } };
  const scheme = { type: 'oauth2', description: 'd'.repeat(1_000),
    flows: { authorizationCode: flow, clientCredentials: { scopes: { a: 'd'.repeat(1_000) } } } };
  const { security_schemes } = run({ components: { securitySchemes: Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [index === 0 ? 'x'.repeat(201) : `n${index}`, scheme]),
  ) } }).report;
  t.equal(security_schemes.length, 50);
  const [{ description, flows } = {}] = security_schemes;
  t.equal(description!.length, 500);
  const { authorization_code, client_credentials } = flows!;
  t.equal(Object.keys(authorization_code!.scopes).length, 200);
  t.match([authorization_code!.authorization_url, authorization_code!.token_url], [null, null]);
  t.equal(client_credentials!.scopes.a!.length, 500);
});

t.test('addresses of authentication are seen from the server', async (t) => {
  const tokenUrl = (
    url: string, servers: string[], options: Partial<ImportOptions> = {}) => run({
    servers: servers.map((one) => ({ url: one })), components: { securitySchemes: {
      A: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: url } } } } },
  }, options).report.security_schemes[0]!.flows!.client_credentials!.token_url;
  const document_url = 'https://docs.example/x/openapi.json';
  t.equal(tokenUrl('https://auth.example/t', []), 'https://auth.example/t');
  t.equal(tokenUrl('/t', ['https://a.example/v1']), 'https://a.example/t');
  t.equal(tokenUrl('t', ['https://a.example/v1']), 'https://a.example/t');
  t.equal(tokenUrl('t', ['https://a.example/v1/']), 'https://a.example/v1/t');
  t.equal(tokenUrl('t', ['https://a.example/v1/'], { base_url: 'https://a.example/v1' }),
    'https://a.example/v1/t', 'also when it is imported anew');
  t.equal(tokenUrl('/t', ['https://a.example'], { base_url: 'https://test.example/v1' }),
    'https://test.example/t', "the operator's server goes first");
  t.equal(tokenUrl('/t', ['/v1'], { document_url }), 'https://docs.example/t');
  t.equal(tokenUrl('t', [], { document_url }), 'https://docs.example/x/t');
  t.equal(tokenUrl('/t', ['/v1']), null, 'nobody knows where');
  for (const url of ['ftp://a.example', 'data:,x', ' ']) t.equal(tokenUrl(url, []), null, url);
});

t.test('servers are absolute, and an operation may have its own', async (t) => {
  const servers = [
    { url: '/v1' }, { url: 'https://{region}.example.com/{base}/',
      variables: { region: { default: 'eu' }, base: { enum: ['v2'] } } },
    { url: 'ftp://example.com' }, { url: '//example.com' }, { url: 3 }, null,
  ];
  const own = { servers: [{ url: 'https://uploads.example.com' }] };
  const document = { ...documentOf('/a', 'get', own), servers };
  const at = (document_url?: string) => run(document, { document_url }).report.servers;
  t.same(at('https://example.com/docs/openapi.json'), ['https://example.com/v1',
    'https://eu.example.com/v2', 'https://example.com']);
  t.equal(at()[0], '/v1', 'where the document came from is not known');
  t.same(run(document).actions[0]!.servers, ['https://uploads.example.com']);
});

t.test('an address that is to be filled in is told, unless the operator names one', async (t) => {
  const told = (url: string, variables = {}, base_url?: string) => run(
    { ...documentOf('/a', 'get', {}), servers: [{ url: '/v1' }, { url, variables }] }, { base_url })
    .report.warnings;
  const org = { org: { default: 'acme' } };
  t.match(told('https://{org}.service.com', org), [/^Called at https:\/\/acme\.service\.com, in /]);
  for (const host of ['your-domain.atlassian.net', 'subdomain.okta.com', 'my-shop.service.com',
    'HOSTNAME']) {
    t.match(told(`https://${host}/api`),
      [/which looks like an example, .* x --api-url <url>$/], host);
  }
  for (const host of ['api.service.com', 'myservice.com', 'tenants.service.com/{org}']) {
    t.same(told(`https://${host}`, org), [], host);
  }
  t.same(told('https://{org}.service.com', org, 'https://us.service.com'), []);
  t.match(told('https://{org}.service.com/', org, 'https://acme.service.com'), [/fill in org,/],
    'kept from the first import');
  for (const [url, variables] of [
    ['{scheme}://api.service.com', { scheme: { default: 'https' } }],
    ['https://api.service.com:{port}', { port: { default: '443' } }],
    ['https://{env}.service.com', { env: { default: 'api', enum: ['api'] } }],
  ] as const) t.same(told(url, variables), [], url);
  t.same(run({ ...documentOf('/a', 'get', {}), servers: [{ url: '/v1' }] },
    { document_url: 'https://my.service.com/openapi.json' }).report.warnings, [],
  'the operator has named this host');
});

t.test('pages are recognised by the names of parameters', async (t) => {
  const pagingOf = (method: string, operation: object) =>
    run(documentOf('/a', method, operation), { overrides: { '*': { effect: 'read' } } })
      .actions[0]!.paging;
  const query = (...parameters: [string, string?][]) => ({ parameters: parameters
    .map(([name, type = 'string']) => ({ name, in: 'query', schema: { type } })) });
  t.same(pagingOf('get', query(['maxResults', 'integer'], ['pageToken'])),
    { style: 'cursor', place: 'query', parameter: 'pageToken', size_parameter: 'maxResults',
      hidden: [] });
  t.match(pagingOf('get', query(['per_page', 'integer'], ['page', 'integer'])),
    { style: 'page', parameter: 'page', size_parameter: 'per_page' });
  t.match(pagingOf('get', query(['startAt', 'integer'])), { style: 'offset' });
  t.match(pagingOf('get', query(['starting_after', 'integer'])), { style: 'cursor' });
  t.equal(pagingOf('get', query(['after', 'integer'])), null, 'a number may be a time');
  t.equal(pagingOf('get', query(['after'])), null);
  t.match(pagingOf('get', query(['after'], ['limit'])), { style: 'cursor' });
  const body = { requestBody: { content: { 'application/json': { schema: {
    properties: { start_cursor: { type: 'string' }, page_size: { type: 'integer' } } } } } } };
  t.match(pagingOf('post', body), { place: 'body', parameter: 'start_cursor' });
  t.equal(pagingOf('patch', body), null);
  t.equal(run(documentOf('/a', 'post', body)).actions[0]!.paging, null, 'a write has no pages');
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
  t.match(action, { effect: 'read', soft_error });
  t.match(action!.input_schema, { properties: { query: { properties: { q: {} } } } });
  t.notMatch(action!.input_schema, { properties: { query: { properties: { Token: {} } } } });
});

t.test('a path that holds an apostrophe stays one word of the offered command', async (t) => {
  const { report } = run(documentOf("/o'hare/search", 'post', { operationId: 'searchByWord' }));
  t.match(report.warnings[0], "--effect 'POST /o'\\''hare/search=read'");
});
