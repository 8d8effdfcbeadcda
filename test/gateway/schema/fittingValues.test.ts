/** Values that a document writes in another type than it declares. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import t from 'tap';
import { arrange } from '../../../src/gateway/openapi/arrange.ts';
import { SchemaBundler } from '../../../src/gateway/schema/bundle.ts';

const bundle = (schema: object, for_input = true) =>
  new SchemaBundler({}).bundle(schema, { for_input }).schema;
const takes = (schema: object, value: unknown) =>
  new Ajv2020({ strict: false }).compile(bundle(schema))(value);

t.test('a value gets the declared type where nothing of it is lost', async (t) => {
  const rows: [given: object, becomes: object][] = [
    [{ type: 'string', enum: [1, 2], default: 1 }, { type: 'string', enum: ['1', '2'],
      default: '1' }],
    [{ type: 'boolean', enum: ['true', 'false'] }, { type: 'boolean', enum: [true, false] }],
    [{ type: 'string', enum: [true, 'maybe', 'true'] },
      { type: 'string', enum: ['true', 'maybe'] }],
    [{ type: 'integer', enum: ['1', '2'], default: '2' },
      { type: 'integer', enum: [1, 2], default: 2 }],
    [{ type: 'number', const: '1.5' }, { type: 'number', const: 1.5 }],
    [{ type: 'text', const: 7 }, { type: 'string', const: '7' }],
    [{ type: ['string', 'null'], enum: [1, null] },
      { type: ['string', 'null'], enum: ['1', null] }],
    [{ type: 'string', enum: [1], nullable: true },
      { type: ['string', 'null'], enum: ['1', null] }],
    [{ type: 'integer', default: 'x' }, { type: 'integer', default: 'x' }],
    [{ type: 'array', items: { type: 'string' }, enum: ['a', 1] },
      { type: 'array', items: { type: 'string', enum: ['a', '1'] } }],
    [{ type: 'array', enum: ['a'], nullable: true },
      { type: ['array', 'null'], items: { enum: ['a'] } }],
    [{ properties: { a: { type: 'string', enum: [1] } } },
      { properties: { a: { type: 'string', enum: ['1'] } } }],
  ];
  for (const [given, becomes] of rows) t.strictSame(bundle(given), becomes, JSON.stringify(given));
});

t.test('where something would be, values are as they are, and the type goes', async (t) => {
  const rows: [given: object, becomes: object][] = [
    [{ type: 'string', enum: [1, 1.1] }, { enum: [1, 1.1] }],
    [{ type: 'integer', enum: ['1.0', '007'] }, { enum: ['1.0', '007'] }],
    [{ type: 'boolean', enum: ['True', 'False'] }, { enum: ['True', 'False'] }],
    [{ type: 'boolean', enum: [0, 1] }, { enum: [0, 1] }],
    [{ type: 'integer', enum: ['9007199254740993'] }, { enum: ['9007199254740993'] }],
    [{ type: 'object', const: 'a' }, { const: 'a' }],
    [{ type: 'string', enum: [null] }, { enum: [null] }],
  ];
  for (const [given, becomes] of rows) t.strictSame(bundle(given), becomes, JSON.stringify(given));
  const kept = { type: 'string', enum: ['a', null, {}] };
  t.strictSame(bundle(kept), kept, 'one fits');
  t.strictSame(bundle({ type: 'unknown', enum: ['1'] }), { enum: ['1'] });
  const lists = { type: 'array', enum: [['a'], 'b'] };
  t.strictSame(bundle(lists), lists);
});

t.test('what could never be given can be, and results are told as they are', async (t) => {
  for (const schema of [{ type: 'string', enum: [1, 2] }, { type: 'string', const: 2 }]) {
    const place = { type: 'object', properties: { v: bundle(schema) } };
    const { input } = arrange({ type: 'object', properties: { query: place } },
      { query: { v: 2 } });
    t.ok(takes(schema, (input.query as { v: unknown }).v), JSON.stringify(schema));
  }
  t.ok(takes({ type: 'boolean', enum: ['true', 'false'] }, true));
  t.ok(takes({ type: 'string', enum: [1, 1.1] }, 1.1));
  t.notOk(takes({ type: 'string', enum: [1, 2] }, '3'));
  const result = { type: 'string', enum: [1, 2] };
  t.strictSame(bundle(result, false), result);
});
