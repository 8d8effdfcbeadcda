import fc from 'fast-check';
import t from 'tap';
import { brief } from '../../../src/gateway/schema/brief.ts';
import { branchOf, SchemaOpener } from '../../../src/gateway/schema/opened.ts';
import { outline } from '../../../src/gateway/schema/outline.ts';
import type { JsonObject } from '../../../src/json.ts';

const LIMITS = { enough_chars: 2_000, most_chars: 6_000 };
const show = (schema: object, limits = LIMITS) =>
  outline(schema as JsonObject, schema, '', limits);
const text = (description = '') => ({ type: 'string', ...(description && { description }) });
const many = (count: number, of: (nth: number) => object) =>
  Object.fromEntries(Array.from({ length: count }, (_, nth) => [`field_${nth}`, of(nth)]));

t.test('a small schema is shown whole, its references in place', async (t) => {
  const schema = {
    type: 'object', required: ['body'], additionalProperties: false, $defs: {
      Item: { type: 'object', required: ['id'], properties: { id: { type: 'integer', minimum: 1 },
        tags: { type: 'array', items: text() } } } },
    properties: { body: { type: 'object', properties: {
      items: { type: 'array', items: { $ref: '#/$defs/Item' } } } } },
  };
  t.same(show(schema), { is_whole: true, schema: { type: 'object', required: ['body'],
    properties: { body: { type: 'object', properties: { items: { type: 'array', items: {
      type: 'object', required: ['id'], properties: { id: { type: 'integer', minimum: 1 },
        tags: { type: 'array', items: { type: 'string' } } } } } } } } } });
});

t.test('what is required comes first, and what is left out says how to see it', async (t) => {
  const deep = (levels: number): object => levels === 0 ? text('At the end.')
    : { type: 'object', description: 'One level.', properties: many(4, () => deep(levels - 1)) };
  const schema = { type: 'object', required: ['body'], properties: {
    body: { type: 'object', required: ['name', 'needed'], properties: {
      extra: deep(5), name: text('What it is called.'),
      needed: { type: 'object', required: ['a'], properties: { a: text(), b: deep(4) } } } } } };
  const { schema: shown, is_whole } = show(schema);
  t.notOk(is_whole);
  const body = (shown as { properties: { body: JsonObject } }).properties.body;
  t.same(Object.keys(body.properties as object), ['name', 'needed', 'extra']);
  t.match(body.properties, { name: { type: 'string', description: 'What it is called.' },
    needed: { required: ['a'], properties: { a: { type: 'string' } } } });
  const branches = JSON.stringify(shown).match(/"branch":"[^"]+"/g)!
    .map((one) => one.slice(10, -1));
  t.ok(branches.some((branch) => branch.startsWith('body.extra')), branches.join());
  for (const branch of branches) {
    t.not(branchOf(schema as JsonObject, branch), undefined, branch);
  }
});

t.test('optional names are listed where there is no room for more', async (t) => {
  const long = 'A description of some length, which says what the field is for. '.repeat(5);
  const schema = { type: 'object', required: ['body'], properties: { body: { type: 'object',
    required: ['field_7'], properties: many(90, () => text(long)) } } };
  const { body } = show(schema).schema.properties as { body: JsonObject };
  t.same(Object.keys(body.properties as object), ['field_7']);
  t.equal((body.optional as string[]).length, 89);
  const huge = show({ type: 'object', properties: many(5_000, () => text(long)) });
  t.match(huge.schema, { type: 'object', optional: ['field_0', 'field_1'], optional_more: Number });
  t.ok(JSON.stringify(huge.schema).length <= LIMITS.most_chars);
});

t.test('an enum is whole or no enum', async (t) => {
  const values = Array.from({ length: 300 }, (_, nth) => `value ${nth}`);
  const schema = { type: 'object', properties: { one: { type: 'string', enum: values },
    two: { type: 'string', enum: ['a', 'b'] } } };
  const { one, two } = show(schema).schema.properties as Record<string, JsonObject>;
  t.match(one, { type: 'string', examples: ['value 0'], values: 300, branch: 'one' });
  t.same(two, { type: 'string', enum: ['a', 'b'] });
  t.same(outline(schema as JsonObject, schema.properties.one, 'one',
    { enough_chars: 9_000, most_chars: 9_000 }).schema.enum, values);
});

t.test('schemas without an end, and alternatives', async (t) => {
  const tree = { type: 'object', properties: { left: { $ref: '#' }, right: { $ref: '#' },
    any: { anyOf: [text(), { $ref: '#' }] }, map: { additionalProperties: { $ref: '#' } },
    pair: { prefixItems: [{ $ref: '#' }, text()] } } };
  t.ok(JSON.stringify(show(tree).schema).length <= LIMITS.most_chars);
  for (const branch of ['left.right.left', 'any.1.left', 'any.left', 'map.*.left', 'pair.1']) {
    t.not(branchOf(tree as JsonObject, branch), undefined, branch);
  }
  for (const branch of ['', 'lft', 'any.7', 'left.', 'constructor', '*', 'left..right']) {
    t.equal(branchOf(tree as JsonObject, branch), undefined, branch);
  }
  const loop = { $ref: '#/$defs/A', $defs: { A: { allOf: [{ $ref: '#/$defs/B' }] },
    B: { allOf: [{ $ref: '#/$defs/A' }, { properties: { x: text() } }] } } };
  t.match(show(loop).schema, { properties: { x: { type: 'string' } } });
  t.equal(branchOf({ properties: { 'a.b': text() } }, 'a.b')?.valueOf !== undefined, true);
  t.same(new SchemaOpener({}).open({ allOf: [{ required: ['a'], properties: { a: text() } },
    { required: ['b'], properties: { b: text() } }] }),
  { required: ['a', 'b'], properties: { a: text(), b: text() } });
});

t.test('a schema within itself is shown once, and there it says where', async (t) => {
  const Node = { type: 'object', required: ['name'], properties: { name: text(),
    self: { $ref: '#/$defs/Node' }, list: { type: 'array', items: { $ref: '#/$defs/Node' } },
    map: { additionalProperties: { $ref: '#/$defs/Node' } } } };
  const of = (properties: object) => ({ properties, $defs: { Node } });
  const once = (branch: string) => ({ ...Node, properties: { name: text(),
    self: { type: 'object', branch }, list: { type: 'array', items: { type: 'object', branch } },
    map: { additionalProperties: { type: 'object', branch } } } });
  t.same(show(of({ body: { $ref: '#/$defs/Node' }, other: { $ref: '#/$defs/Node' } })),
    { is_whole: true, schema: { properties: { body: once('body'), other: once('other') } } },
    'beside itself it is shown again');
  const root = { properties: { self: { $ref: '#' }, name: text() } };
  t.same(show(root).schema, { properties: { self: { branch: 'self' }, name: text() } });
  t.same(outline(root, branchOf(root, 'self'), 'self', LIMITS).schema,
    { properties: { self: { branch: 'self' }, name: text() } });
});

t.test('names by a pattern are no names of any kind', async (t) => {
  const [x, y, any] = [{ type: 'integer' }, { properties: { a: text() } }, { const: 1 }];
  const closed = { patternProperties: { '^x-': x } };
  t.same(show({ ...closed, additionalProperties: false }), { is_whole: true, schema: closed });
  t.same(branchOf(closed, '*'), x);
  const several = { patternProperties: { '^x-': x, '^y-': y }, additionalProperties: any };
  t.same(show(several), { is_whole: true, schema: several });
  t.same(['*.0', '*.1', '*.2'].map((branch) => branchOf(several, branch)), [x, y, any]);
});

t.test('what has to be there beside something else is told, or that it is left out', async (t) => {
  const schema = { properties: { a: text(), b: text() }, dependentRequired: { a: ['b'] } };
  t.same(show(schema), { is_whole: true, schema });
  const dependentRequired = { a: Array.from({ length: 900 }, (_, nth) => `field_${nth}`) };
  t.same(show({ ...schema, dependentRequired }),
    { is_whole: false, schema: { properties: { a: text(), b: text() } } });
});

t.test('what is required is told wherever it stands', async (t) => {
  const either = { type: 'object', properties: { title: text(), issue: text() },
    anyOf: [{ required: ['title'] }, { required: ['issue'] }] };
  t.same(show(either), { is_whole: true, schema: either });
  const map = { type: 'object', required: ['a'], additionalProperties: text() };
  t.same(show(map), { is_whole: true, schema: map });
  const names = Array.from({ length: 800 }, (_, nth) => `field_${nth}`);
  const long = show({ type: 'object', required: names });
  t.match(long, { is_whole: false, schema: { required: ['field_0'], required_more: Number } });
});

t.test('what several parts say is lost in none of them', async (t) => {
  const one = (name: string) => ({ type: 'object', properties: { [name]: text() } });
  const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'e'].map(one);
  const schema = { allOf: [{ anyOf: [a, b], oneOf: [c] }, { anyOf: [d] }, { oneOf: [e] }] };
  t.same(show(schema), { is_whole: true, schema: {
    anyOf: [a, b], oneOf: [c], allOf: [{ anyOf: [d] }, { oneOf: [e] }] } });
  t.same([0, 1, 2, 3, 4, 5].map((nth) => branchOf(schema, String(nth))),
    [a, b, c, d, e, undefined], 'a number counts on from list to list');
  const deep = { properties: { x: { allOf: [{ anyOf: [a, b] },
    { oneOf: [b, { enum: Array.from({ length: 300 }, (_, nth) => `value ${nth}`) }] }] } } };
  t.match(show(deep).schema, { properties: { x: { oneOf: [{}, { branch: 'x.3' }] } } });
  const list = { allOf: [{ items: a }, { items: b }, { items: { required: ['b'] } }] };
  t.same(show(list).schema, { items: { type: 'object', required: ['b'],
    properties: { a: text(), b: text() } } });
});

t.test('a branch through alternatives without an end is given up', async (t) => {
  const schema = (alternatives: (nth: number) => object, $defs: object = {}) =>
    ({ $ref: '#/$defs/B', $defs: { ...$defs, B: { anyOf: Array.from({ length: 600 },
      (_, nth) => alternatives(nth)) }, X: { properties: { a: { $ref: '#/$defs/B' } } } } });
  const same = schema(() => ({ $ref: '#/$defs/X' }));
  t.not(branchOf(same, 'a.a'), undefined, 'what is the same is looked into once');
  t.equal(branchOf(same, Array(33).fill('a').join('.')), undefined, 'too many names');
  const each = schema((nth) => ({ $ref: '#/$defs/X', title: `No. ${nth}` }));
  t.not(branchOf(each, 'a.a'), undefined);
  for (const branch of ['a.a.a.a', 'a.a.a.a.a']) t.equal(branchOf(each, branch), undefined, branch);
});

t.test('any schema becomes JSON within the limit', async () => {
  const name = fc.constantFrom('a', 'b', 'body', 'path', 'items', '__proto__', 'x'.repeat(400));
  const { schema: any } = fc.letrec((tie) => ({
    schema: fc.oneof({ maxDepth: 4, withCrossShrink: true },
      fc.constantFrom<unknown>(true, false, {}, null, { $ref: '#' }, { type: 'string' },
        { enum: ['x'.repeat(3_000), 1] }, { $ref: '#/nowhere' }),
      fc.record({
        type: fc.constantFrom('object', 'array', ['string', 'null']),
        description: fc.string({ maxLength: 300 }), required: fc.array(name, { maxLength: 3 }),
        properties: fc.dictionary(name, tie('schema')), items: tie('schema'),
        anyOf: fc.array(tie('schema'), { maxLength: 3 }), allOf: fc.array(tie('schema')),
        additionalProperties: tie('schema'), prefixItems: fc.array(tie('schema')),
      }, { requiredKeys: [] })),
  }));
  fc.assert(fc.property(any, (schema) => {
    const root = (typeof schema === 'object' && schema !== null ? schema : {}) as JsonObject;
    const { schema: shown } = outline(root, root, '', { enough_chars: 500, most_chars: 4_000 });
    return JSON.stringify(shown).length <= 4_000;
  }));
});

t.test('a text is cut between sentences or words', async (t) => {
  t.equal(brief('See [the\n page](https://x.example/y) of  it.', 100), 'See the page of it.');
  t.equal(brief('One sentence here. And another one that is longer.', 30), 'One sentence here. …');
  t.equal(brief('Some words without an end', 12), 'Some words…');
  t.equal(brief('x'.repeat(50), 10), `${'x'.repeat(9)}…`);
  t.equal(brief('anything', 0), '');
});
