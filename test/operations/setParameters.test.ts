/** Parameters that the operator sets for every call, and those that the document says itself. */
import t from 'tap';
import { connectPets, petIntegration, startPetStore } from '../support/petStore.ts';
import { testServer } from '../support/server.ts';

const server = await testServer(t);
const { client, workspace_id } = server;
const store = await startPetStore(t);
const slug = { slug: 'pets' };

const parameter = (place: string, name: string, schema: object = { type: 'string' }) =>
  ({ name, in: place, required: true, schema });
const ok = { responses: { 200: { description: 'ok' } } };
const json = { 'application/json': { schema: { type: 'object' } } };
/** As Notion, Slack, Twilio and Azure have it: what no caller should have to know. */
const DOCUMENT = {
  openapi: '3.1.0', info: { title: 'Pets', version: '1' }, security: [{ key: [] }],
  components: {
    securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'key' } },
    schemas: { Version: { type: 'string', enum: ['v1'] } },
  },
  paths: {
    '/accounts/{account_id}/pets': {
      parameters: [parameter('path', 'account_id'), parameter('header', 'Pets-Version')],
      get: { operationId: 'pets/list', ...ok, parameters: [
        { name: 'limit', in: 'query', schema: { type: 'integer', default: 10 } },
        parameter('query', 'key')] },
      post: { operationId: 'pets/create', ...ok, requestBody: { content: json } },
    },
    '/pets': { get: { operationId: 'pets/find', ...ok, parameters: [
      { name: 'filter', in: 'query', schema: { type: 'object' } },
      { name: 'deep', in: 'query', style: 'deepObject', schema: { type: 'object' } },
      { name: 'jar', in: 'cookie', schema: { type: 'object' } }] } },
    '/own?api-version={version}': { get: { operationId: 'own/find', ...ok,
      parameters: [parameter('path', 'version')] } },
    '/{version}/pets/{pet_id}': { get: { operationId: 'pets/get', ...ok, parameters: [
      parameter('path', 'version', { $ref: '#/components/schemas/Version' }),
      parameter('path', 'pet_id'), parameter('query', 'kinds', { type: 'array', default: ['a'],
        items: { type: 'string' } }), parameter('header', 'X-Kind', { default: 'dog' })] } },
  },
};
const parameters = { 'path.account_id': 'AC1', 'header.pets-version': '2022-06-28',
  'query.api-version': 7, 'header.Accept': 'application/vnd.pets+json' };
const body = petIntegration(store, { document: DOCUMENT, overrides: { '*': { parameters } } });

const schemaOf = async (name: string) => {
  const { input_schema } = await client.expect(200, 'getAction', { path: { action: name } });
  return input_schema;
};
const call = (action: string, input: object = {}) =>
  client.expect(201, 'createActionInvocation', { body: { action, input: input as never } });

t.test('what the operator sets is sent with every call, and hidden', async (t) => {
  const made = await client.expect(201, 'createIntegration', { body });
  t.strictSame(made.overrides, { '*': { parameters } });
  await connectPets(client, workspace_id, { credentials: { type: 'api_key', value: 'k' } });
  t.strictSame(await schemaOf('pets.pets.list'), { type: 'object', additionalProperties: false,
    properties: { query: { type: 'object', additionalProperties: false,
      properties: { limit: { type: 'integer', default: 10 } } } } });
  await call('pets.pets.list', { query: { limit: 5 } });
  t.match(store.visits.at(-1), { target: '/accounts/AC1/pets?api-version=7&limit=5&key=k',
    headers: { 'pets-version': '2022-06-28', accept: 'application/vnd.pets+json' } });
});

t.test('callers do not get to set it', async (t) => {
  const before = store.visits.length;
  for (const [input, path] of [
    [{ header: { 'Pets-Version': 'x' } }, '/input/header/Pets-Version'],
    [{ path: { account_id: 'x' } }, '/input/path/account_id'],
    [{ query: { 'API-version': '1' } }, '/input/query/API-version'],
    [{ query: { key: 'x' } }, '/input/query/key'],
  ] as const) {
    const { details } = await client.expect(400, 'createActionInvocation',
      { body: { action: 'pets.pets.list', input } });
    t.match(details, { missing: [{ code: 'invalid_input', violations: [
      { path, message: 'is not for callers to set; leave it out' }] }] });
    t.equal((details as { missing: { violations: [] }[] }).missing[0]!.violations.length, 1);
  }
  t.equal(store.visits.length, before);
});

t.test('nor by another parameter, whose value names it', async (t) => {
  const hidden_parameters = ['query.deep[secret]', 'query.account_id', 'cookie.Session'];
  await client.expect(200, 'updateIntegration', { path: slug,
    body: { overrides: { '*': { parameters, hidden_parameters } } } });
  const before = store.visits.length;
  const finds = (await client.expect(200, 'listActions', { query: { integration: 'pets' } })).data
    .map(({ name }) => name).filter((name) => !/pets\.pets\.(list|get|create)$/.test(name));
  t.equal(finds.length, 2);
  const own = finds.find((name) => name.startsWith('pets.own'))!;
  const pets = finds.find((name) => name !== own)!;
  for (const [action, input, path] of [
    [pets, { query: { filter: { good: 'x', 'Api-version': '1' } } }, '/input/query/filter'],
    [pets, { query: { filter: { 'api-version[]': ['1'] } } }, '/input/query/filter'],
    [pets, { query: { filter: { ' account.id': '1' } } }, '/input/query/filter'],
    [pets, { query: { filter: { 'account[id': '1' } } }, '/input/query/filter'],
    [pets, { query: { filter: { key: 'other' } } }, '/input/query/filter'],
    [pets, { query: { deep: { secret: 'x' } } }, '/input/query/deep'],
    [pets, { cookie: { jar: { session: 'x' } } }, '/input/cookie/jar'],
    [own, { path: { version: '1' } }, '/input/path/version'],
  ] as const) {
    const { details } = await client.expect(400, 'createActionInvocation',
      { body: { action, input } });
    t.match(details, { missing: [{ code: 'invalid_input', violations: [
      { path, message: /^sets .*, which is not for callers to set$/ }] }] });
  }
  t.equal(store.visits.length, before);
  await call(pets, { query: { filter: { a: 1 }, deep: { b: 2 } }, cookie: { jar: { c: 3 } } });
  t.match(store.visits.at(-1), { target: '/pets?api-version=7&a=1&deep%5Bb%5D=2&key=k',
    headers: { cookie: 'c=3' } });
});

t.test('what the document wants and says itself is sent, and not asked for', async (t) => {
  const schema = await schemaOf('pets.pets.get') as Record<string, Record<string, object>>;
  t.strictSame(schema.required, ['path']);
  t.match(schema, { properties: {
    path: { required: ['pet_id'] }, query: { required: undefined } } });
  await call('pets.pets.get', { path: { pet_id: '1' } });
  t.match(store.visits.at(-1), { target: '/v1/pets/1?api-version=7&kinds=a&key=k',
    headers: { 'x-kind': 'dog' } });
  await call('pets.pets.get', { path: { pet_id: '1' }, query: { kinds: ['b', 'c'] },
    header: { 'X-Kind': 'cat' } });
  t.match(store.visits.at(-1), { target: '/v1/pets/1?api-version=7&kinds=b&kinds=c&key=k',
    headers: { 'x-kind': 'cat' } });
});

t.test('for one operation more; and an approval is for what was sent then', async (t) => {
  await client.expect(201, 'createGrant',
    { body: { workspace_id, actions: 'pets.pets.get', decision: 'require_approval' } });
  const asked = async () => {
    const { details } = await client.expect(403, 'createActionInvocation',
      { body: { action: 'pets.pets.get', input: { path: { pet_id: '1' } } } });
    const [{ approval_id }] = (details as { missing: [{ approval_id: string }] }).missing;
    return { path: { approval_id } };
  };
  const first = await asked();
  t.match(await client.expect(200, 'getApproval', first), { request: {
    url: /\/v1\/pets\/1\?api-version=7&kinds=a$/, headers: { 'pets-version': '2022-06-28' } } });
  const overrides = { '*': { parameters },
    'GET /{version}/pets/{pet_id}': {
      parameters: { 'header.PETS-version': '2', 'query.x': true } } };
  const made = await client.expect(200, 'updateIntegration', { path: slug, body: { overrides } });
  t.strictSame(made.overrides, overrides);
  t.match(await client.expect(200, 'getApproval', first), { status: 'expired' });
  t.match(await client.expect(200, 'getApproval', await asked()), { request: {
    url: /\/v1\/pets\/1\?api-version=7&x=true&kinds=a$/, headers: { 'pets-version': '2' } } });
});

t.test('what authenticates, and what belongs to the gateway, cannot be set', async (t) => {
  for (const [name, value] of Object.entries({ 'header.Authorization': 'x', 'header.Cookie': 'x',
    'header.host': 'x', 'header.Idempotency-Key': 'x', 'header.content-type': 'x', 'cookie.a': 'x',
    a: 'x', 'path.a': 'a/b', 'path.b': '..', 'header.a b': 'x', 'header.a': 'a\nb' })) {
    t.match(await client.expect(400, 'createIntegration', { body: { ...body, slug: 'other',
      overrides: { '*': { parameters: { [name]: value } } } } }), { code: 'invalid_request',
      param: `/overrides/*/parameters/${name}` }, name);
  }
  const { report } = await client.expect(201, 'createIntegration', { body: { ...body,
    slug: 'other', overrides: { '*': { parameters: { 'query.KEY': 'x' } } } } });
  t.match(report.warnings, [/^GET .*: The parameter query\.key is not set, for the credentials /]);
});
