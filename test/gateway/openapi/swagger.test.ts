/** Swagger 2.0, in particular what @scalar/openapi-upgrader by itself gets wrong. */
import t from 'tap';
import { importOpenapi } from '../../../src/gateway/openapi/openapi.ts';
import { serialiseBody } from '../../../src/gateway/openapi/requestBody.ts';
import { upgradeDocument } from '../../../src/gateway/openapi/upgrade.ts';

const importSwagger = (document: object, document_url?: string) => importOpenapi(
  upgradeDocument({ swagger: '2.0', ...document }, document_url).document,
  { slug: 'x', document_url });
const operation = (operation: object, rest: object = {}) =>
  importSwagger({ paths: { '/a': { post: operation } }, ...rest }).actions[0]!;

t.test('servers come from host, base path and schemes', async (t) => {
  const servers = (document: object, url?: string) =>
    importSwagger(document, url).report.servers;
  t.same(servers({ host: 'a.example', basePath: '/v1', schemes: ['http', 'https', 'ws'] }),
    ['https://a.example/v1', 'http://a.example/v1'], 'the safe one first');
  t.same(servers({ host: 'a.example' }), ['https://a.example'], 'https if nothing is said');
  t.same(servers({ host: 'a.example' }, 'http://a.example/api.json'), ['http://a.example']);
  t.same(servers({ basePath: 'v1' }, 'https://b.example/docs/api.json'), ['https://b.example/v1']);
  t.same(servers({ basePath: '/v1' }), ['/v1']);
  t.same(servers({}), []);
});

t.test('forms keep their fields whole', async (t) => {
  const fields = [
    { in: 'formData', name: 'tags', type: 'array', items: { type: 'string', enum: ['a'] },
      collectionFormat: 'multi', required: true },
    { in: 'formData', name: 'csv', type: 'array', items: { type: 'integer' } },
    { in: 'formData', name: 'n', type: 'integer', minimum: 1, default: 2, description: 'N' },
  ];
  const form = operation({ parameters: fields });
  t.match(form.request, { body_media_type: 'application/x-www-form-urlencoded',
    body_encoding: { tags: { explode: true }, csv: { explode: false } } });
  t.same(form.input_schema.properties, { body: { type: 'object', required: ['tags'], properties: {
    tags: { type: 'array', items: { type: 'string', enum: ['a'] } },
    csv: { type: 'array', items: { type: 'integer' } },
    n: { type: 'integer', minimum: 1, default: 2, description: 'N' } } } });
  t.same(form.input_schema.required, ['body']);
  const multipart = { consumes: ['multipart/form-data'] };
  t.equal(operation({ ...multipart, parameters: fields }).request.body_media_type,
    'multipart/form-data');
  const file = { in: 'formData', name: 'f', type: 'file' };
  const upload = operation({ parameters: [...fields, file] });
  t.match(upload.request, { body_media_type: 'multipart/form-data' });
  t.match(upload.input_schema, { properties: { body: { properties: {
    f: { type: 'object', properties: { base64: { type: 'string' } } } } } } });
});

t.test('bodies take the media types of their operation', async (t) => {
  const body = { in: 'body', name: 'body', required: true, description: 'B',
    schema: { $ref: '#/definitions/A' } };
  const definitions = { A: { type: 'object', properties: {
    example: { type: 'string' }, n: { type: 'integer', 'x-nullable': true } } } };
  const consumes = ['application/xml'];
  const action = operation({ parameters: [body], consumes: ['text/json', 'application/vnd+json'] },
    { consumes, definitions });
  t.equal(action.request.body_media_type, 'text/json');
  t.match(action.input_schema, { required: ['body'], $defs: { A: { properties: {
    example: { type: 'string' }, n: { type: ['integer', 'null'] } } } } });
  t.equal(operation({ parameters: [body] }, { consumes, definitions }).request.body_media_type,
    'application/xml');
  t.equal(operation({ parameters: [body], consumes: [] }, { definitions }).request.body_media_type,
    'application/json');
});

t.test('parameters behind references, and those of the path', async (t) => {
  const { actions } = importSwagger({
    parameters: {
      Body: { in: 'body', name: 'b', schema: { type: 'object' } },
      Form: { in: 'formData', name: 'f', type: 'string' },
      Limit: { in: 'query', name: 'limit', type: 'integer', maximum: 10, exclusiveMaximum: true },
    },
    paths: {
      '/a': { post: { parameters: [{ $ref: '#/parameters/Body' }, { $ref: '#/parameters/Limit' }] },
        put: { parameters: [{ $ref: '#/parameters/Form' }] } },
      '/b': { post: {}, parameters: [{ $ref: '#/parameters/Body' }, { $ref: '#/parameters/Limit' }],
        get: { parameters: [{ in: 'query', name: 'limit', type: 'string' }] } },
    },
  });
  const [post, put, get, second] = actions;
  t.match(post!.input_schema.properties, { body: { type: 'object' },
    query: { properties: { limit: { type: 'integer', exclusiveMaximum: 10 } } } });
  t.match(put!.input_schema.properties, { body: { properties: { f: { type: 'string' } } } });
  t.match(get!.input_schema.properties, { query: { properties: { limit: { type: 'string' } } } });
  t.match(second!.input_schema.properties,
    { query: { properties: { limit: { type: 'integer' } } }, body: {} },
    'a shared parameter is whole also the second time');
});

t.test('how lists are written', async (t) => {
  const list = (name: string, collectionFormat?: string, place = 'query') =>
    ({ in: place, name, type: 'array', items: { type: 'string' }, collectionFormat });
  const { request: { parameters } } = operation({ parameters: [list('none'), list('csv', 'csv'),
    list('ssv', 'ssv'), list('tsv', 'tsv'), list('pipes', 'pipes'), list('multi', 'multi'),
    list('X-Csv', 'csv', 'header')] });
  t.match(parameters, [
    { name: 'none', style: 'form', explode: false }, { name: 'csv', style: 'form', explode: false },
    { name: 'ssv', style: 'spaceDelimited', explode: false },
    { name: 'tsv', style: 'tabDelimited', explode: false },
    { name: 'pipes', style: 'pipeDelimited', explode: false },
    { name: 'multi', style: 'form', explode: true },
    { name: 'X-Csv', style: 'simple', explode: false },
  ]);
});

t.test('how the lists of forms are written', async (t) => {
  const written = (collectionFormat: string | undefined, consumes: string[] = []) => {
    const field = { in: 'formData', name: 'x', type: 'array', items: { type: 'string' },
      collectionFormat };
    const { request, input_schema } = operation({ consumes, parameters: [field] });
    const made = serialiseBody(
      request.body_media_type!, { x: ['a', 'b'] }, { ...request, input_schema });
    return 'body' in made ? String(made.body) : made;
  };
  for (const [format, form, part] of [[undefined, 'x=a,b', 'a,b'], ['csv', 'x=a,b', 'a,b'],
    ['ssv', 'x=a%20b', 'a b'], ['tsv', 'x=a%09b', 'a\tb'], ['pipes', 'x=a%7Cb', 'a|b'],
    ['multi', 'x=a&x=b', 'b']] as const) {
    t.equal(written(format), form, form);
    t.match(written(format, ['multipart/form-data']), `name="x"\r\n\r\n${part}\r\n`, form);
  }
});

t.test('responses and security', async (t) => {
  const { actions, report } = importSwagger({
    produces: ['text/xml'], security: [{ oauth: ['r'] }],
    responses: { Shared: { description: 'd', schema: { type: 'integer' } } },
    securityDefinitions: {
      oauth: { type: 'oauth2', flow: 'accessCode', authorizationUrl: 'https://a/auth',
        tokenUrl: 'https://a/token', scopes: { r: 'Reads' } },
      app: { type: 'oauth2', flow: 'application', tokenUrl: 'https://a/token' },
      basic: { type: 'basic' }, key: { type: 'apiKey', in: 'query', name: 'k' }, none: null,
    },
    paths: { '/a': {
      get: { produces: ['application/json'], responses: { 200: { schema: { type: 'string' } } } },
      put: { responses: { 200: { schema: { type: 'string' } }, 201: null } },
      delete: { responses: { 200: { $ref: '#/responses/Shared' } } },
    } },
  });
  t.same(actions.map(({ output_schema }) => output_schema), [{ type: 'string' }, null, null],
    "the operation's media type goes first; XML is not described");
  t.match(report.security_schemes, [
    { type: 'oauth2', flows: { authorization_code: { authorization_url: 'https://a/auth',
      token_url: 'https://a/token', scopes: { r: 'Reads' } } },
    required_scopes: { read: ['r'], other: [] } },
    { type: 'oauth2', flows: { client_credentials: { token_url: 'https://a/token' } } },
    { type: 'basic' }, { type: 'api_key', placement: { in: 'query', name: 'k' } },
  ]);
});

t.test('nothing of the wrong shape makes it fail', async (t) => {
  const wrong = [null, 3, 'x', [], {}, [null], { a: null }, { a: [] }];
  for (const value of wrong) {
    for (const key of ['paths', 'definitions', 'parameters', 'responses', 'securityDefinitions',
      'consumes', 'produces', 'schemes', 'host', 'basePath', 'security', 'tags']) {
      t.doesNotThrow(() => importSwagger({ [key]: value }), `${key}: ${JSON.stringify(value)}`);
    }
    for (const key of ['parameters', 'responses', 'consumes', 'produces', 'security', 'tags']) {
      t.doesNotThrow(() => operation({ [key]: value }), `${key}: ${JSON.stringify(value)}`);
    }
    t.doesNotThrow(() => importSwagger({ paths: { '/a': { 'x-a': value, parameters: value,
      get: value, post: { parameters: [value, { name: 'a' }], responses: { 200: value } } } } }));
  }
});
