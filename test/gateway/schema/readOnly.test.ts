/** Properties that only come back, and are not asked for in an input. */
import t from 'tap';
import { importOpenapi } from '../../../src/gateway/openapi/openapi.ts';
import { SchemaBundler } from '../../../src/gateway/schema/bundle.ts';
import type { JsonObject } from '../../../src/json.ts';
import { documentOf } from '../support.ts';

const to = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const components = { schemas: {
  Id: { type: 'string', readOnly: true }, Chain: to('Id'), Wrapped: { allOf: [to('Id')] },
  Circle: to('Circle'), Name: { type: 'string' },
  Base: { type: 'object', properties: { id: { type: 'string', readOnly: true }, name: {} } },
  Deep: { allOf: [{ description: 'x' }, to('Base')] },
  Loop: { allOf: [to('Loop'), to('Base')] },
} };
const bundle = (schema: object, for_input = true) =>
  new SchemaBundler({ components }).bundle(schema, { for_input }).schema;
const required = ['id', 'name'];

t.test('it may be said behind references', async (t) => {
  for (const name of ['Id', 'Chain', 'Wrapped']) {
    const schema = { required, properties: { id: to(name), name: to('Name') } };
    t.strictSame(bundle(schema).required, ['name'], name);
    t.strictSame(bundle(schema, false).required, required, 'of a result it is');
  }
  for (const name of ['Name', 'Circle', 'Nowhere']) {
    t.strictSame(bundle({ required, properties: { id: to(name) } }).required, required, name);
  }
});

t.test('it may be said in another part of all', async (t) => {
  const partOf = (schema: object) => (bundle(schema).allOf as JsonObject[]).at(-1)!.required;
  for (const name of ['Base', 'Deep', 'Loop']) {
    t.strictSame(partOf({ allOf: [to(name), { required }] }), ['name'], name);
    t.match(bundle({ allOf: [to(name), { allOf: [{ required }] }] }),
      { allOf: [{}, { allOf: [{ required: ['name'] }] }] });
    t.strictSame(bundle({ allOf: [to(name)], required }).required, ['name'], 'or around them');
    t.strictSame(bundle({ ...to(name), required }).required, ['name'], 'or beside a reference');
  }
  t.strictSame(partOf({ properties: { id: to('Id') }, allOf: [{ required }] }), ['name']);
  t.strictSame(partOf({ allOf: [to('Name'), { required }] }), required);
  t.strictSame(partOf({ allOf: [{ properties: { a: to('Base') } }, { required }] }), required,
    'not further in');
  t.strictSame(partOf({ allOf: [to('Base'), { required, properties: { id: to('Name') } }] }),
    required, 'who requires it describes it otherwise');
});

t.test('a parameter that is required is, whatever its schema says', async (t) => {
  const { actions: [action] } = importOpenapi(documentOf('/a/{id}', 'post', {
    parameters: [{ name: 'id', in: 'path', required: true, schema: to('Id') },
      { name: 'q', in: 'query', required: true, schema: { type: 'string', readOnly: true } }],
    requestBody: { required: true, content: { 'application/json': { schema: {
      required, properties: { id: to('Id') } } } } },
  }, { components }), { slug: 'x' });
  t.match(action!.input_schema, { required: ['path', 'query', 'body'], properties: {
    path: { required: ['id'] }, query: { required: ['q'] }, body: { required: ['name'] } } });
});

t.test('what is looked at does not grow with the square of a document', async (t) => {
  const count = 3_000;
  const chain = (i: number) => ({ $ref: `#/components/schemas/s${i}` });
  const schemas = Object.fromEntries(Array.from({ length: count }, (_, i) => [`s${i}`, {
    allOf: [chain(i + 1), chain(Math.min(i + 2, count))], required: ['id'] }]));
  let looked = 0;
  const counting = new Proxy({ ...schemas, [`s${count}`]: {} }, { get: (target, name) => {
    looked += 1;
    return Reflect.get(target, name);
  } });
  new SchemaBundler({ components: { schemas: counting } })
    .bundle(chain(0), { for_input: true });
  t.ok(looked < count * 250, `${looked} schemas were looked at`);
});
