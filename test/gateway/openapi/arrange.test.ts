import fc from 'fast-check';
import t from 'tap';
import { arrange, essence } from '../../../src/gateway/openapi/arrange.ts';

const object = (properties: object, rest: object = {}) =>
  ({ type: 'object', properties, additionalProperties: false, ...rest });

const SCHEMA = object({
  path: object({ owner: { type: 'string' }, number: { $ref: '#/$defs/Number' } }),
  query: object({ page: { type: ['integer', 'null'] }, all: { type: 'boolean' },
    size: { type: 'number' }, any: {}, id: { type: 'string' } }),
  body: { allOf: [{ $ref: '#/$defs/Issue' }], anyOf: [object({ open: {} }), object({ shut: {} })] },
}, { $defs: { Number: { type: 'integer' }, Issue: object({ title: {}, id: {} }) } });

const arranged = (input: object) => arrange(SCHEMA, input as Record<string, unknown>);

t.test('a field is put where it belongs', async (t) => {
  t.same(arranged({ owner: 'o', title: 'T', page: 2, shut: true }).input,
    { path: { owner: 'o' }, body: { title: 'T', shut: true }, query: { page: 2 } });
  t.same(arranged({ path: { number: 1 }, owner: 'o' }).input, { path: { number: 1, owner: 'o' } });
});

t.test('one that belongs to nothing, to two places, or is there already stays', async (t) => {
  for (const input of [{ nope: 1 }, { id: 1 }, { body: { title: 'a' }, title: 'b' },
    { body: 'text', title: 'b' }, { constructor: 1 }]) {
    t.same(arranged(input).input, input);
  }
  t.same(arranged({ id: 1 }).hints, { id: 'belongs into query or body; say which: {"query": {"id":'
    + ' …}}' });
  t.same(arranged({ nope: 1, constructor: 1 }).hints, {});
});

t.test('a text that is a number is one, where numbers are sent as texts', async (t) => {
  t.same(arranged({ number: '7', page: '-2', size: '1.5', all: 'true', id: 7, body: { id: '7' } })
    .input, { path: { number: 7 }, query: { page: -2, size: 1.5, all: true }, id: 7,
    body: { id: '7' } });
  t.same(arranged({ query: { id: 7 } }).input, { query: { id: '7' } });
  for (const text of ['', '07', '1e3', '0x1', ' 1', '1.0', '12345678901234567890', '1.5', 'x']) {
    t.same(arranged({ path: { number: text } }).input, { path: { number: text } }, text);
  }
  t.same(arranged({ query: { any: '7' } }).input, { query: { any: '7' } }, 'of any type');
});

t.test('a number that has lost digits, or may have, becomes no text', async (t) => {
  for (const id of ['1234567890123456789', '1.10', '1e21']) {
    const input = { query: { id: JSON.parse(id) as number } };
    t.same(arranged(input).input, input, id);
  }
  t.same(arranged({ query: { id: Number.MAX_SAFE_INTEGER } }).input,
    { query: { id: '9007199254740991' } });
});

t.test('what a place that takes any name may have meant is not moved', async (t) => {
  const query = object({ force: { type: 'boolean' } });
  for (const body of [{}, { type: 'object' }, { type: 'object', additionalProperties: true },
    { properties: { a: {} }, additionalProperties: { type: 'string' } },
    { properties: { a: {} }, anyOf: [{}, { patternProperties: { '^x': {} } }] }]) {
    const input = { body: { a: 'b' }, force: true };
    const { input: same, hints } = arrange(object({ query, body }), input);
    t.same(same, input, JSON.stringify(body));
    t.match(hints, { force: 'belongs into query or body; say which: {"query": {"force": …}}' });
  }
  for (const body of [{ type: 'array' }, object({}), { properties: { a: {} } }]) {
    t.same(arrange(object({ query, body }), { force: true }).input, { query: { force: true } });
  }
  t.same(arrange(object({ query, body: {} }), { other: 1 }), { input: { other: 1 }, hints: {} });
});

t.test('what is put right is right, and nothing is lost', async () => {
  const name = fc.constantFrom('owner', 'number', 'page', 'all', 'id', 'title', 'nope', 'path',
    'query', 'body', '__proto__');
  const value = fc.oneof(fc.constantFrom('7', 7, 'true', null),
    fc.dictionary(name, fc.constantFrom('7', 7), { maxKeys: 3 }));
  const leaves = (given: unknown): string[] => (typeof given === 'object' && given !== null
    ? Object.values(given).flatMap(leaves) : [String(given)]).sort();
  fc.assert(fc.property(fc.dictionary(name, value), (input) => {
    const { input: once } = arranged(input);
    return JSON.stringify(arranged(once).input) === JSON.stringify(once)
      && leaves(once).join() === leaves(input).join();
  }));
});

t.test('inputs of one request have one essence', async (t) => {
  const one = { query: { a: 0, b: '' }, body: { c: null, d: {} } };
  t.strictSame(essence({ ...one, path: {}, header: { e: null }, cookie: {},
    query: { ...one.query, f: null } }), one);
  t.strictSame(essence({ body: {}, content_type: null }), { body: {}, content_type: null });
});
