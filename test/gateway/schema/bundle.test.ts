import { Ajv2020 } from 'ajv/dist/2020.js';
import t from 'tap';
import { SchemaBundler } from '../../../src/gateway/schema/bundle.ts';

const bundle = (schema: unknown, for_input = true, document: Record<string, unknown> = {}) =>
  new SchemaBundler(document).bundle(schema, { for_input }).schema;

t.test('nullable, in all the places where it is written', async (t) => {
  t.same(bundle({ type: 'string', nullable: true }), { type: ['string', 'null'] });
  t.same(bundle({ type: 'string', enum: ['a'], nullable: true }),
    { type: ['string', 'null'], enum: ['a', null] });
  t.same(bundle({ 'x-nullable': true, type: 'integer' }), { type: ['integer', 'null'] });
  t.same(bundle({ nullable: true, description: 'd', allOf: [{ type: 'object' }] }),
    { description: 'd', anyOf: [{ allOf: [{ type: 'object' }] }, { type: 'null' }] });
  t.same(bundle({ nullable: true, $ref: '#/components/schemas/A' }, true,
    { components: { schemas: { A: { type: 'string' } } } }),
  { anyOf: [{ $ref: '#/$defs/A' }, { type: 'null' }], $defs: { A: { type: 'string' } } });
  t.same(bundle({ nullable: false, type: 'string' }), { type: 'string' });
  t.same(bundle({ properties: { nullable: { type: 'boolean' }, example: { type: 'string' } } }),
    { properties: { nullable: { type: 'boolean' }, example: { type: 'string' } } },
    'properties may be called like keywords');
});

t.test('values of a map that are called mere objects may be anything in an input', async (t) => {
  const map = (of: object) => ({ type: 'object', additionalProperties: of });
  for (const mere of [{ type: 'object' }, { type: 'object', nullable: true, example: 7 },
    { type: 'object', additionalProperties: false, nullable: true },
    { type: ['object', 'null'] }, { type: ['object'] }]) {
    t.same(bundle(map(mere)), map({}));
  }
  t.same(bundle(map({ type: 'object', description: 'd' })), map({ description: 'd' }));
  t.same(bundle(map({ type: 'object' }), false), map({ type: 'object' }), 'an answer');
  for (const said of [{ type: 'object', properties: { a: {} } },
    { type: 'object', minProperties: 1 }, map({ type: 'string' }), { type: 'string' },
    { type: ['object', 'string'] }, { type: ['null'] }]) {
    t.same(bundle(map(said)), map(said));
  }
  const property = { properties: { a: { type: 'object' } } };
  t.same(bundle(property), property);
});

t.test('so may they if they refer to what says no more', async (t) => {
  const to = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const schemas = { Value: { type: 'object', title: 'v' }, User: { properties: { a: {} } },
    Alias: { ...to('Value'), description: 'a' }, Least: { ...to('Value'), minProperties: 1 },
    Circle: to('Round'), Round: to('Circle'), Text: { type: 'string' },
    Texts: { type: 'object', additionalProperties: { type: 'string' } } };
  const map = (of: string, more = {}) => ({ type: 'object',
    additionalProperties: { ...to(of), ...more } });
  const input = (schema: object) => bundle(schema, true, { components: { schemas } });
  t.same(input(map('Value')), { type: 'object', additionalProperties: { title: 'v' } });
  t.same(input(map('Value', { description: 'd', nullable: true })),
    { type: 'object', additionalProperties: { title: 'v', description: 'd' } });
  t.same(input(map('Alias')),
    { type: 'object', additionalProperties: { title: 'v', description: 'a' } });
  t.same(input(map('Alias', { description: 'd' })),
    { type: 'object', additionalProperties: { title: 'v', description: 'd' } }, 'the nearest one');
  for (const [name, beside] of [['User', {}], ['Value', { minProperties: 1 }], ['Least', {}],
    ['Text', { type: 'object' }], ['Texts', { additionalProperties: true }], ['Circle', {}],
  ] as const) {
    t.same(input(map(name, beside)).additionalProperties, { $ref: `#/$defs/${name}`, ...beside });
  }
  t.match(input(map('Nowhere')), { additionalProperties: {} });
  const bundler = new SchemaBundler({});
  bundler.bundle(map('Nowhere', { type: 'object' }), { for_input: true });
  t.same([...bundler.unresolved], ['#/components/schemas/Nowhere']);
});

t.test('bounds of both dialects', async (t) => {
  t.same(bundle({ minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false }),
    { minimum: 1, exclusiveMinimum: 1, maximum: 9 });
  t.same(bundle({ exclusiveMinimum: 3 }), { exclusiveMinimum: 3 });
});

t.test('what no validator could be compiled from is left out', async (t) => {
  const schema = {
    type: 'object', required: true, properties: {
      a: { type: 'file' }, b: { type: 'String' }, c: { type: 'whatever', enum: [] },
      d: { type: 'string', minLength: '3', pattern: '(?i)x', multipleOf: 0 },
      e: { type: 'array', items: [{ type: 'string' }] }, f: { type: 'array', items: null },
      g: { type: ['string', 'null', 'null'] }, h: { allOf: [], anyOf: 'x', not: 3 },
      i: { required: ['a', 'a', 1], maximum: 'INF', uniqueItems: 'yes', format: 3 },
      j: 'string', k: null,
    },
    additionalProperties: 'yes', patternProperties: { '(?<': {}, '^x-': { type: 'int' } },
  };
  const bundled = bundle(schema);
  t.same(bundled, {
    type: 'object', properties: {
      a: { type: 'string' }, b: { type: 'string' }, c: {}, d: { type: 'string' },
      e: { type: 'array', prefixItems: [{ type: 'string' }] }, f: { type: 'array' },
      g: { type: ['string', 'null'] }, h: {}, i: { required: ['a'] }, j: {}, k: {},
    },
    patternProperties: { '^x-': { type: 'integer' } },
  });
  t.doesNotThrow(() => new Ajv2020({ strict: false }).compile(bundled));
});

t.test('what is required beside something else stays, but for what only comes back', async (t) => {
  const properties = { a: {}, b: {}, id: { readOnly: true } };
  t.same(bundle({ properties, dependentRequired: { a: ['b', 'id', 7], b: ['id'], id: 'a' } }),
    { properties, dependentRequired: { a: ['b'] } });
  t.notOk('dependentRequired' in bundle({ dependentRequired: { b: [] } }));
});

t.test('alternatives of an input may overlap', async (t) => {
  const schema = { oneOf: [{ type: 'string' }, { type: 'string', maxLength: 3 }] };
  t.same(Object.keys(bundle(schema)), ['anyOf']);
  t.same(Object.keys(bundle(schema, false)), ['oneOf']);
  t.same(Object.keys(bundle({ ...schema, anyOf: [{}] })), ['oneOf', 'anyOf']);
});

t.test('alternatives are titled by what chooses them, where a document maps it', async (t) => {
  const kinds = { type: 'object', properties: { kind: { enum: ['a', 'b', 'c'] } } };
  const document = { components: { schemas: { A: kinds, B: kinds, C: kinds } } };
  const of = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const mapping = { a: of('A').$ref, b: 'B', also: 'B', __proto__: null };
  for (const keyword of ['oneOf', 'anyOf']) {
    t.match(bundle({ [keyword]: [of('A'), of('B'), of('C'), { type: 'object' }],
      discriminator: { propertyName: 'kind', mapping } }, true, document), { anyOf: [
      { title: 'kind: a', $ref: '#/$defs/A' }, { title: 'kind: b, also', $ref: '#/$defs/B' },
      { title: undefined }, { title: undefined }] }, keyword);
  }
  const many = Object.fromEntries(Array.from({ length: 7 }, (_, nth) => [`k${nth}`, 'A']));
  t.match(bundle({ oneOf: [of('A')], discriminator: { propertyName: 'kind', mapping: many } },
    true, document), { anyOf: [{ title: 'kind: k0, k1, k2, k3, k4, …' }] });
  for (const discriminator of ['kind', { propertyName: 'kind' }, { mapping }]) {
    t.same(bundle({ oneOf: [of('A')], discriminator }, true, document).anyOf,
      [{ $ref: '#/$defs/A' }]);
  }
});

t.test('names of definitions follow from the references alone', async (t) => {
  const document = { components: { schemas: {
    'a/b': { type: 'string' }, 'a b': { type: 'integer' }, c: { type: 'null' } } } };
  const one = { $ref: '#/components/schemas/a~1b' };
  const two = { $ref: '#/components/schemas/a%20b' };
  const names = (...items: object[]) =>
    Object.keys(bundle({ prefixItems: items }, true, document).$defs as object).sort();
  const both = names(one, two);
  t.equal(both.length, 2);
  t.match(both, [/^a_b_[0-9a-f]{6}$/, /^a_b_[0-9a-f]{6}$/]);
  t.same(names(two, one), both);
  t.ok(both.includes(names(two)[0]!));
});

t.test('what is too large loses what lies deepest', async (t) => {
  const filler = 'x'.repeat(200);
  const schemas = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`s${i}`, {
    type: 'object', description: filler,
    properties: { next: { $ref: `#/components/schemas/s${i + 1}` } } }]));
  const bundler = new SchemaBundler({ components: { schemas: { ...schemas, s50: {} } } });
  const { schema, cut } = bundler.bundle(
    { $ref: '#/components/schemas/s0' }, { for_input: true, limit_chars: 3_000 });
  t.equal(cut, true);
  t.ok(JSON.stringify(schema).length < 3_500);
  const validate = new Ajv2020({ strict: false }).compile(schema);
  t.notOk(validate('x'), 'the outer ones are checked');
  t.ok(validate({ next: { next: {} } }));
  t.notOk(validate({ next: { next: 3 } }));

  let nested: object = { type: 'string' };
  for (let i = 0; i < 20; i++) {
    nested = { type: 'object', description: filler, properties: { next: nested } };
  }
  const inline = bundler.bundle(nested, { for_input: false, limit_chars: 3_000 });
  t.equal(inline.cut, true, 'also without any definition');
  t.ok(JSON.stringify(inline.schema).length < 3_000);
  t.equal(bundler.bundle({ type: 'string' }, { for_input: true, limit_chars: 99 }).cut, false);
});
