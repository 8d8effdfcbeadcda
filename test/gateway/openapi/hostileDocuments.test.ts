/** Documents that hold anything anywhere: they are imported or refused, and nothing else. */
import t, { type Test } from 'tap';
import { readTools } from '../../../src/gateway/mcp/tools.ts';
import { DocumentError } from '../../../src/gateway/openapi/documentError.ts';
import { importOpenapi } from '../../../src/gateway/openapi/openapi.ts';
import { upgradeDocument } from '../../../src/gateway/openapi/upgrade.ts';
import { isContainer, type JsonObject } from '../../../src/json.ts';

/** `String` throws at the last two. */
const ODD: readonly unknown[] =
  [null, 7, {}, [null], { toString: 1, valueOf: 1 }, [{ toString: 1, valueOf: 1 }]];

const PET = {
  oneOf: [{ $ref: '#/components/schemas/Cat' }], required: ['kind'], type: 'object',
  discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat' } },
  properties: { kind: { type: 'string', enum: ['cat'], pattern: '^c', default: 'cat' } },
};
const OPENAPI = {
  openapi: '3.0.3', info: { title: 'Pets', version: '1' }, tags: [{ name: 'pets' }],
  servers: [{ url: 'https://{region}.example.com',
    variables: { region: { default: 'eu', enum: ['eu'] } } }],
  security: [{ key: ['read'] }],
  paths: { '/pets/{id}': {
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
    post: {
      operationId: 'updatePet', tags: ['pets'], summary: 'Update', description: 'Updates',
      parameters: [
        { name: 'f[]', in: 'query', style: 'form', explode: true, description: 'F',
          schema: { type: 'string' } },
        { name: 'X-A', in: 'header', content: { 'application/json': { schema: {} } } },
      ],
      requestBody: { required: true, content: { 'multipart/form-data': {
        schema: { $ref: '#/components/schemas/Pet' },
        encoding: { kind: { contentType: 'text/plain', style: 'form', explode: true } } } } },
      responses: { 200: { content: { 'application/json': {
        schema: { type: 'array', items: { type: 'integer' } } } } } },
    },
  } },
  components: {
    schemas: { Pet: PET, Cat: { allOf: [{ type: 'object', nullable: true }] } },
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' },
      oauth: { type: 'oauth2', flows: {
        clientCredentials: { tokenUrl: '/t', scopes: { a: 'A' } } } } },
  },
};
const SWAGGER = {
  swagger: '2.0', host: 'example.com', basePath: '/v1', schemes: ['https'],
  consumes: ['application/json'],
  parameters: { Id: { name: 'id', in: 'path', type: 'string' } },
  securityDefinitions: { key: { type: 'apiKey', in: 'query', name: 'key' },
    oauth: { type: 'oauth2', flow: 'accessCode', tokenUrl: 'https://example.com/t',
      authorizationUrl: 'https://example.com/a', scopes: { a: 'A' } } },
  paths: { '/pets/{id}': {
    parameters: [{ $ref: '#/parameters/Id' }],
    get: { parameters: [{ name: 'f', in: 'query', type: 'array', collectionFormat: 'csv',
      items: { type: 'string', collectionFormat: 'csv' } }],
    responses: { 200: { schema: { type: 'string' }, headers: { X: { type: 'string' } } } } },
    post: { consumes: ['multipart/form-data'], parameters: [
      { name: 'l', in: 'formData', type: 'array', items: {}, collectionFormat: 'pipes' },
      { name: 'file', in: 'formData', type: 'file' }], responses: {} },
  } },
};
const TOOL = { name: 'pet', title: 'Pet', description: 'A pet', annotations: { readOnlyHint: true },
  inputSchema: { ...PET, $defs: { Cat: { type: 'object' } } }, outputSchema: { type: 'object' } };

t.test('odd values in every place of OpenAPI 3', async (t) => {
  t.equal(importOf(OPENAPI).actions.length, 1);
  importAll(t, OPENAPI);
});

t.test('odd values in every place of Swagger 2.0', async (t) => {
  t.equal(importOf(SWAGGER).actions.length, 2);
  importAll(t, SWAGGER);
});

t.test("odd values in every place of an MCP server's tool", async (t) => {
  const { tools } = readTools([TOOL], (text) => text);
  t.match(tools, [{ source_key: 'pet' }]);
  for (const { changed, place } of variants(TOOL)) {
    t.doesNotThrow(() => readTools([changed], (text) => text), place);
  }
});

t.test('what is nearly right is read, and what is not is named', async (t) => {
  const { actions, report } = importOf({ openapi: '3.1.0', paths: { '/pets': { get: { parameters: [
    { name: 'q', in: 'Query', schema: { type: 'string' } },
    { name: 2024, in: 'query', schema: { type: 'string' } },
    { name: 'b', in: 'body', schema: {} }, { name: 'c' }, { in: 'query' },
    { name: 'X Trace: a', in: 'header', schema: {} }, null,
  ] } } } });
  t.match(actions[0]!.request.parameters, [{ place: 'query', name: 'q' },
    { place: 'query', name: '2024' }]);
  t.same(report.warnings.map((words) => words.replace('GET /pets: The parameter ', '')), [
    'b has the place body, which OpenAPI 3.1 does not know, and is left out',
    'c says no place (`in`) that there is and is left out',
    'GET /pets: A parameter has no name and is left out',
    'X Trace: a has a name that no header can have and is left out',
  ]);
});

t.test('ids and paths of very many words take no longer than they are long', async (t) => {
  const many = 40_000;
  const long: [path: string, id: string][] = [['/a', 'Aa'.repeat(many)],
    [`/${'aa'.repeat(many)}`, 'Aa'.repeat(many)],
    [`${'/api'.repeat(many)}/books`, `${'api_'.repeat(many)}books_list`]];
  for (const [path, operationId] of long) {
    const begun = process.threadCpuUsage();
    importOf({ openapi: '3.1.0', paths: { [path]: { get: { operationId } } } });
    t.ok(process.threadCpuUsage(begun).user < 3_000_000, path.slice(0, 9));
  }
});

function importOf(document: JsonObject) {
  return importOpenapi(upgradeDocument(document).document, { slug: 'x' });
}

/** What is wrong in one place costs that alone, but where the document says what it is. */
function importAll(t: Test, document: JsonObject): void {
  for (const { changed, place } of variants(document)) {
    try {
      importOf(changed);
    } catch (error) {
      const isRefused = error instanceof DocumentError && /^(openapi|swagger)$/.test(place);
      if (!isRefused) t.fail(`${place}: ${String(error)}`);
    }
  }
}

/** The value with each of the odd ones in each of its places. */
function* variants(value: JsonObject): Generator<{ changed: JsonObject, place: string }> {
  for (const names of placesIn(value)) {
    for (const odd of ODD) {
      const changed = structuredClone(value);
      let at = changed;
      for (const name of names.slice(0, -1)) at = at[name] as JsonObject;
      at[names.at(-1)!] = odd;
      yield { changed, place: names.join(' ') };
    }
  }
}

function placesIn(value: object, above: readonly string[] = []): string[][] {
  return Object.entries(value).flatMap(([name, inner]) =>
    [[...above, name], ...(isContainer(inner) ? placesIn(inner, [...above, name]) : [])]);
}
