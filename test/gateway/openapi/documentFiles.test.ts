import t from 'tap';
import { HANDED_OVER } from '../../../src/gateway/openapi/bundleFiles.ts';
import { loadDocument } from '../../../src/gateway/openapi/document.ts';
import { inOneDocument } from '../../../src/gateway/openapi/documentFiles.ts';
import { importOpenapi } from '../../../src/gateway/openapi/openapi.ts';
import { upgradeDocument } from '../../../src/gateway/openapi/upgrade.ts';
import { never } from '../egress/support.ts';

const ROOT = `
openapi: 3.0.0
info: {title: x, version: '1'}
paths:
  /pets: {$ref: './paths/pets.yaml'}
  /toys:
    post:
      parameters: [{$ref: 'common.json#/limit'}]
      requestBody: {content: {application/json: {schema: {$ref: 'schemas/pet.yaml#/Pet'}}}}
      responses: {'200': {description: ok}}
`;
const FILES: Record<string, string> = {
  'paths/pets.yaml': `
get:
  parameters: [{$ref: '../common.json#/limit'}]
  responses: {'200': {description: ok, content: {application/json: {schema: {
    type: array, items: {$ref: '../schemas/pet.yaml#/Pet'}}}}}}
`,
  'common.json': '{"limit": {"in": "query", "name": "limit", "schema": {"type": "integer"}}}',
  'schemas/pet.yaml': `
Pet: {type: object, required: [name], properties: {name: {$ref: '#/Name'},
  friend: {$ref: 'pet.yaml#/Pet'}, home: {$ref: '../document#/info'}}}
Name: {type: string, maxLength: 5}
`,
};

async function imported(root: string, files: Record<string, string>) {
  const asked: string[] = [];
  const text = await inOneDocument(root, { place: HANDED_OVER, load: async (address) => {
    const name = address.slice(HANDED_OVER.length - 'document'.length);
    asked.push(name);
    return files[name] ?? null;
  } }, never);
  const made = importOpenapi(upgradeDocument(loadDocument(text)).document, { slug: 'x' });
  return { ...made, text, asked };
}

t.test('a document in several files becomes one', async (t) => {
  const { actions, report, asked } = await imported(ROOT, FILES);
  t.same(asked.sort(), Object.keys(FILES).sort(), 'each is asked for once');
  t.same([report.imported, report.errors, report.skipped], [2, [], []]);
  t.match(actions[0]!.input_schema,
    { properties: { query: { properties: { limit: { type: 'integer' } } } } });
  const { $defs, properties } = actions[1]!.input_schema as Record<string, Record<string, object>>;
  t.match(properties!.body, { $ref: /^#\/\$defs\// });
  t.match(Object.values($defs!).map((one) => (one as { type: string }).type).sort(),
    ['object', 'string', undefined]);
  t.match(actions[0]!.output_schema, { type: 'array' });
});

t.test('operations in files of their own', async (t) => {
  const { actions, report } = await imported(`
openapi: 3.0.0
info: {title: x, version: '1'}
paths:
  /toys:
    get: {$ref: 'paths/toys.yaml#/list'}
    post: {$ref: 'paths/toys.yaml#/create'}
    put: {$ref: 'paths/none.yaml'}
    delete: {$ref: '#/nowhere'}
`, { ...FILES, 'paths/toys.yaml': `
list: {summary: List toys, parameters: [{$ref: '../common.json#/limit'}]}
create: {requestBody: {content: {application/json: {schema: {
  $ref: '../schemas/pet.yaml#/Pet'}}}}}
` });
  t.match(actions, [{ source_key: 'GET /toys', title: 'List toys',
    input_schema: { properties: { query: { properties: { limit: {} } } } } },
  { source_key: 'POST /toys', input_schema: { properties: { body: {} } } }]);
  t.same(report.skipped.map(({ source_key, reason }) => [source_key, reason]), [
    ['PUT /toys', 'external_reference'], ['DELETE /toys', 'external_reference']],
  'and none is imported hollow');
});

t.test('Swagger 2.0 in several files', async (t) => {
  const swagger = `
swagger: '2.0'
info: {title: x, version: '1'}
host: example.com
paths:
  /pets: {$ref: 'paths.yaml#/pets'}
`;
  const paths = `
pets:
  post:
    parameters: [{$ref: '#/limit'}, {in: body, name: pet, schema: {$ref: 'pet.yaml'}}]
    responses: {'200': {description: ok}}
limit: {in: query, name: limit, type: integer}
`;
  const { actions, report } = await imported(swagger,
    { 'paths.yaml': paths, 'pet.yaml': 'type: object\nproperties: {name: {type: string}}' });
  t.same(report.errors, []);
  t.match(actions[0]!.input_schema, {
    properties: { query: { properties: { limit: { type: 'integer' } } } } });
  t.match(Object.values(actions[0]!.input_schema.$defs as object), [{ type: 'object' }]);
});

t.test('what cannot be had is an error, and nothing is imported hollow', async (t) => {
  for (const missing of Object.keys(FILES)) {
    const { [missing]: _, ...rest } = FILES;
    const { actions, report } = await imported(ROOT, rest);
    const left = missing === 'paths/pets.yaml' ? ['x.toys.create']
      : missing === 'common.json' ? [] : ['x.pets.list'];
    t.same(actions.map(({ name }) => name), left, missing);
    t.equal(report.skipped.length, 2 - left.length);
    t.match(report.skipped, [{ reason: 'external_reference' }]);
    t.match(report.errors.join(), missing.split('/').at(-1)!);
  }
  const swagger = (paths: string) => imported(
    `swagger: '2.0'\ninfo: {title: x, version: '1'}\npaths: {/a: ${paths}}`, {});
  t.match((await swagger('{$ref: a.yaml}')).report.skipped,
    [{ source_key: '* /a', reason: 'external_reference' }]);
  t.match((await swagger('{get: {parameters: [{$ref: a.yaml}], responses: {}}}')).report.skipped,
    [{ source_key: 'GET /a', reason: 'external_reference' }]);
  for (const [paths, source_key] of [['{$ref: "#/nope"}', '* /a'],
    ['{get: {parameters: [{$ref: "#/parameters/nope"}], responses: {}}}', 'GET /a'],
    ['{parameters: [{$ref: "#/parameters/nope"}], get: {responses: {}}}', 'GET /a']] as const) {
    t.same((await swagger(paths)).report.skipped, [{ source_key, reason: 'external_reference' }]);
  }
  t.equal((await imported(ROOT, {})).text, ROOT, 'the document stays as it is');
});

t.test('files are bounded, and say which one is wrong', async (t) => {
  const refers = (count: number) => JSON.stringify({ openapi: '3.1.0', paths: Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`/${i}`, { $ref: `${i}.yaml` }])) });
  await t.rejects(imported(refers(2_001), {}), { message: /more than 2000 files/ });
  let depth = 0;
  await t.rejects(inOneDocument('{"$ref": "0"}', { place: HANDED_OVER,
    load: async () => `{"$ref": "${++depth}"}` }, never), { message: /more than 12 times/ });
  const big = 'x'.repeat(17 * 1_048_576);
  await t.rejects(imported(refers(2), { '0.yaml': big, '1.yaml': big }), { message: /32 MB/ });
  await t.rejects(imported(refers(1), { '0.yaml': '{' }), { message: /refers to 0\.yaml: / });
  await t.rejects(imported(refers(1).replace('0.yaml', '100%.yaml'), { '100%.yaml': '{' }),
    { message: /refers to 100%\.yaml: / });
});
