import { Ajv2020 } from 'ajv/dist/2020.js';
import t from 'tap';
import { InputValidators } from '../../../src/gateway/calls/inputValidators.ts';
import { importOpenapi } from '../../../src/gateway/openapi/openapi.ts';
import { buildRequest } from '../../../src/gateway/openapi/request.ts';
import { SchemaBundler } from '../../../src/gateway/schema/bundle.ts';
import { documentOf } from '../support.ts';

const importOne = (document: Record<string, unknown>, hidden_parameters: string[] = []) =>
  importOpenapi(document, { slug: 'x', overrides: { '*': { hidden_parameters } } }).actions[0]!;

t.test('input is nested by place and closed', async (t) => {
  const action = importOne(documentOf('/items/{id}', 'post', {
    operationId: 'updateItem', summary: 'Update', description: 'Updates an item.',
    parameters: [
      { name: 'id', in: 'query', schema: { type: 'integer' }, description: 'Not the path one.' },
      { $ref: '#/components/parameters/Id' },
      { name: 'X-Trace', in: 'header', required: true, schema: { type: 'string' } },
      { name: 'Accept', in: 'header', schema: { type: 'string' } },
      { name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } },
      { name: 'session', in: 'cookie', schema: { type: 'string' } },
    ],
    requestBody: { required: true, content: {
      'text/plain': {}, 'application/json': { schema: { type: 'object', required: ['id'],
        properties: { id: { type: 'string' } } } } } },
  }, { components: { parameters: {
    Id: { name: 'id', in: 'path', required: true, schema: { type: 'string' } } } } }),
  ['header.idempotency-key']);
  t.same(action.input_schema, {
    type: 'object',
    properties: {
      path: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'],
        additionalProperties: false },
      query: { type: 'object',
        properties: { id: { type: 'integer', description: 'Not the path one.' } },
        additionalProperties: false },
      header: { type: 'object', properties: { 'X-Trace': { type: 'string' } },
        required: ['X-Trace'], additionalProperties: false },
      cookie: { type: 'object', properties: { session: { type: 'string' } },
        additionalProperties: false },
      body: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
    },
    required: ['path', 'header', 'body'],
    additionalProperties: false,
  });
  t.match(action, { name: 'x.items.update', title: 'Update', description: 'Updates an item.',
    effect: 'write', source_key: 'POST /items/{id}', output_schema: null,
    request: { body_media_type: 'application/json' } });
});

t.test("a path's templates of its query are none of its parameters", async (t) => {
  const query = ['page', 'size'].map((name) => ({ name, in: 'query', schema: {} }));
  const { actions: [action, other], report } = importOpenapi({ paths: {
    '/users{?page,size*,sort}': { get: { parameters: query } },
    '/users/{id}/keys{?page}{&size}': { get: { parameters: query } } } }, { slug: 'x' });
  t.match(action, { name: 'x.users.list', path: '/users', effect: 'read',
    source_key: 'GET /users{?page,size*,sort}' });
  t.strictSame(Object.keys(action!.input_schema.properties as object), ['query']);
  t.match(buildRequest(action!, { query: { page: 2 } }),
    { request: { path: '/users', query: 'page=2' } });
  t.match(other, { name: 'x.users.list_keys', path: '/users/{id}/keys' });
  t.ok(report.warnings.includes('GET /users{?page,size*,sort}: The query parameter sort of the path'
    + ' is not described and left out'));
});

t.test('a list for what is declared as one value and called a list', async (t) => {
  const one = { type: 'string', enum: ['open', 'closed'] };
  const { actions: [action], report } = importOpenapi(documentOf('/a', 'get', { parameters: [
    { name: 'statuses[]', in: 'query', schema: { ...one, uniqueItems: true } },
    { name: 'urgency', in: 'query', schema: { ...one, uniqueItems: true }, explode: true },
  ] }), { slug: 'x' });
  const given = (query: object) => new InputValidators().check(action!, { query }).violations;
  t.same(given({ 'statuses[]': ['open', 'closed'] }), []);
  t.same(given({ 'statuses[]': 'open' }), []);
  t.not(given({ 'statuses[]': ['new'] }).length, 0);
  t.not(given({ urgency: ['open'] }).length, 0);
  t.match(buildRequest(action!, { query: { 'statuses[]': ['open', 'closed'] } }),
    { request: { query: 'statuses%5B%5D=open&statuses%5B%5D=closed' } });
  t.match(report.warnings, ['GET /a: statuses[]: a list is taken, too, as its name says']);
});

t.test('several values in one text, where a document says so in words alone', async (t) => {
  const kinds = { type: 'string', enum: ['blitz', 'rapid'] };
  const given = (description: string, value: unknown, schema: object = kinds) => {
    const action = importOne(documentOf('/games', 'get', { parameters: [
      { name: 'kinds', in: 'query', description, schema }] },
    { components: { schemas: { Kind: { ...kinds, description: 'Comma-separated.' } } } }));
    return new InputValidators().check(action, { query: { kinds: value } }).violations;
  };
  for (const words of ['Multiple kinds can be specified, separated by a comma.',
    'A comma-separated list', 'Semikolon-separierte mehrere Werte möglich', 'Pipe delimited']) {
    t.same(given(words, 'blitz,rapid'), [], words);
    t.same(given(words, 'blitz'), []);
    t.match(given(words, 'chess'), [{ path: '/input/query/kinds' }]);
  }
  t.same(given('Which ones', 'blitz,rapid', { $ref: '#/components/schemas/Kind' }), []);
  t.same(given('Semikolon-separiert', '1;2', { type: 'integer', enum: [1, 2] }), []);
  t.match(given('Which kind, of those named above.', 'blitz,rapid'), [{
    message: 'must be one of "blitz", "rapid"' }]);
});

t.test('a parameter that may hold nothing is a text: Jira has states of sprints so', async (t) => {
  const action = importOne(documentOf('/sprint', 'get', { parameters: [
    { name: 'state', in: 'query', description: 'Filters.',
      schema: { type: 'object', additionalProperties: false } }] }));
  const state = { type: 'string', description: 'Filters.' };
  t.match(action.input_schema, { properties: { query: { properties: { state } } } });
  const input = { query: { state: 'active,future' } };
  t.same(new InputValidators().check(action, input).violations, []);
  t.match(buildRequest(action, input), { request: { query: 'state=active%2Cfuture' } });
});

t.test('parameters of the operation replace those of the path', async (t) => {
  const { input_schema } = importOne({ paths: { '/a': {
    parameters: [{ name: 'q', in: 'query', schema: { type: 'string' } },
      { name: 'r', in: 'query', required: true, schema: { type: 'string' } }],
    get: { parameters: [{ name: 'q', in: 'query', schema: { type: 'integer' } }] },
  } } });
  t.match(input_schema, { properties: { query: {
    properties: { q: { type: 'integer' }, r: { type: 'string' } }, required: ['r'] } } });
});

t.test('references are bundled, once each, also cyclic ones', async (t) => {
  const document = documentOf('/nodes', 'post', {
    requestBody: { content: { 'application/json': {
      schema: { $ref: '#/components/schemas/Node' } } } },
    responses: { 201: { $ref: '#/components/responses/Node' } },
  }, { components: {
    responses: { Node: { content: { 'application/json': {
      schema: { $ref: '#/components/schemas/Node' } } } } },
    schemas: {
      Node: { type: 'object', required: ['name'], additionalProperties: false,
        properties: { name: { type: 'string' }, parent: { $ref: '#/components/schemas/Node' },
          children: { type: 'array', items: { $ref: '#/components/schemas/Node' } } } },
      Unused: { type: 'string' },
    },
  } });
  const { input_schema, output_schema } = importOne(document);
  t.same(Object.keys(input_schema.$defs as object), ['Node']);
  t.match(input_schema, { properties: { body: { $ref: '#/$defs/Node' } },
    $defs: { Node: { properties: { parent: { $ref: '#/$defs/Node' } } } } });
  t.match(output_schema, { $ref: '#/$defs/Node', $defs: { Node: { type: 'object' } } });
  const validate = new Ajv2020().compile(input_schema);
  const child = (child: object) => ({ body: { name: 'a', children: [child] } });
  t.ok(validate(child({ name: 'b', parent: { name: 'c' } })));
  t.notOk(validate(child({ name: 'b', parent: { nam: 'c' } })));
});

t.test('what references and schemas real documents have', async (t) => {
  const document = { components: { schemas: {
    'a/b': { type: 'string' }, c: { type: 'object', properties: { Id: { type: 'integer' } } },
    Id: { $ref: '#/components/schemas/c/properties/Id' },
  } } };
  const bundle = (schema: unknown, for_input = true) =>
    new SchemaBundler(document).bundle(schema, { for_input }).schema;
  t.same(bundle({ $ref: '#/components/schemas/a~1b' }),
    { $ref: '#/$defs/a_b', $defs: { a_b: { type: 'string' } } }, 'escaped pointers');
  t.same(bundle({ $ref: '#/components/schemas/Id', description: 'Mine' }), {
    $ref: '#/$defs/Id', description: 'Mine',
    $defs: { Id: { $ref: '#/$defs/c_properties_Id' }, c_properties_Id: { type: 'integer' } },
  }, 'siblings of a reference, a reference into a schema');
  t.same(bundle({ $ref: 'other.yaml#/Foo' }), {}, 'a reference to nowhere allows anything');
  t.same(bundle({ properties: { example: { type: 'string', example: 'x', 'x-y': 1 } },
    discriminator: {}, pattern: '(?i)a' }), { properties: { example: { type: 'string' } } },
  'a property called example stays, the annotation goes');
  t.same(bundle({ enum: [{ $ref: '#/a', example: 1 }] }), { enum: [{ $ref: '#/a', example: 1 }] },
    'values are no schemas');
  const readOnly = { properties: { id: { readOnly: true }, name: {} }, required: ['id', 'name'] };
  t.same(bundle(readOnly).required, ['name'], 'what only comes back is not required in an input');
  t.same(bundle(readOnly, false).required, ['id', 'name']);
  t.same(bundle(false), { not: {} });
});

t.test('thousands of chained definitions do not overflow the stack', async (t) => {
  const count = 20_000;
  const schemas = Object.fromEntries(Array.from({ length: count }, (_, i) =>
    [`s${i}`, { properties: { next: { $ref: `#/components/schemas/s${i + 1}` } } }]));
  const { schema: { $defs } } = new SchemaBundler({ components: { schemas } })
    .bundle({ $ref: '#/components/schemas/s0' }, { for_input: true });
  t.equal(Object.keys($defs as object).length, count);
});

t.test('the result is described by the first successful JSON response', async (t) => {
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });
  const outputOf = (responses: object) =>
    importOne(documentOf('/a', 'get', { responses })).output_schema;
  t.same(outputOf({ 202: json({ type: 'object' }), 200: json({ type: 'string' }) }),
    { type: 'string' });
  t.same(outputOf({ 200: { content: { 'text/event-stream': {} } }, 201: json({ type: 'null' }) }),
    { type: 'null' });
  t.equal(outputOf({ 204: {}, 404: json({ type: 'string' }) }), null);
  t.same(outputOf({ 200: { content: { 'text/html': {},
    'application/problem+json; charset=utf-8': { schema: { type: 'array' } } } } }),
  { type: 'array' });
});

t.test('a document of the wrong shapes yields what can be read', async (t) => {
  t.same(importOpenapi({}, { slug: 'x' }).actions, []);
  t.same(importOpenapi({ paths: [] }, { slug: 'x' }).actions, []);
  const { actions: [action] } = importOpenapi({ paths: { '/a': { post: 'no',
    get: { parameters: [null, { in: 'query' }], tags: 'a', requestBody: 3, responses: null },
  } } }, { slug: 'x' });
  t.match(action, { name: 'x.a.get', title: 'Get a', description: 'Get a',
    input_schema: { type: 'object', properties: {} } });
});
