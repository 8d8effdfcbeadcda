import t from 'tap';
import { InputValidators } from '../../../src/gateway/calls/inputValidators.ts';
import type { JsonObject } from '../../../src/json.ts';
import { definition } from '../support.ts';

const text = { type: 'string' };
const closed = (properties: object, more: object = {}) =>
  ({ type: 'object', properties, additionalProperties: false, ...more });

const check = (schema: JsonObject) => {
  const validators = new InputValidators();
  const action = definition({ input_schema: schema });
  return (input: object) => validators.check(action, input).violations
    .map(({ path, message }) => `${path} ${message}`);
};

const $defs = {
  Base: closed({ id: text }, { required: ['id'] }),
  Middle: { allOf: [{ $ref: '#/$defs/Base' }, closed({ size: { type: 'integer' } })] },
  Leaf: { allOf: [{ $ref: '#/$defs/Middle' }], ...closed({ name: text }, { required: ['name'] }) },
};

t.test('parts that take no further fields take those of each other', async (t) => {
  const inherited = check({ ...closed({ body: { $ref: '#/$defs/Leaf' },
    base: { $ref: '#/$defs/Base' } }), $defs });
  t.same(inherited({ body: { id: 'a', name: 'b', size: 1 }, base: { id: 'a' } }), []);
  t.same(inherited({ body: { id: 'a', size: 'x' } }),
    ['/input/body/size must be integer', '/input/body/name is required'],
    'each part is checked');
  t.same(inherited({ body: { id: 'a', name: 'b', other: 1 } }),
    ['/input/body/other is not a known field; known are name, size, id']);
  t.same(inherited({ base: { id: 'a', name: 'b' } }),
    ['/input/base/name is not a known field; known are id'], 'the part alone is as it was');
});

t.test('names of alternatives, and those that are only required', async (t) => {
  const either = check({ allOf: [closed({ a: text }), { required: ['b'] },
    { anyOf: [{ properties: { c: text } }, { $ref: '#/$defs/Base' }] }], $defs });
  t.same(either({ a: 'x', b: 1, c: 'x' }), []);
  t.same(either({ b: 1, d: 1 }), ['/input/d is not a known field; known are a, b, c, id']);
});

t.test('alternatives that take no further fields take what is named beside them', async (t) => {
  const query = check({ properties: { q: { anyOf: [
    { allOf: [{ anyOf: [{ $ref: '#/$defs/Text' }, { $ref: '#/$defs/Base' }] },
      { properties: { index: text }, required: ['index'] }] },
    { allOf: [{ $ref: '#/$defs/Base' }, { required: ['never'] }] }] } },
  $defs: { ...$defs, Text: closed({ params: text }) } });
  t.same(query({ q: { index: 'a', params: 'x=1' } }), []);
  t.same(query({ q: { index: 'a', id: 'b' } }), []);
  t.match(query({ q: { index: 'a', id: 'b', other: 1 } }), [/other is not a known field/]);
  t.match(query({ q: { params: 'x=1' } }), [/index is required/]);
  const open = check({ allOf: [{ anyOf: [closed({ a: text }), { type: 'object' }] },
    { properties: { b: text } }] });
  t.same(open({ a: 'x', b: 'x', c: 1 }), [], 'one alternative takes any');
  const apart = check({ allOf: [{ anyOf: [closed({ a: text }), closed({ b: text })] }] });
  t.same(apart({ a: 'x' }), []);
  t.not(apart({ a: 'x', b: 'x' }).length, 0, 'what others name is none of theirs');
});

t.test('where more may be named than is looked for, all is taken', async (t) => {
  const named = check({ allOf: [closed({ a: text }), { patternProperties: { '^x': text } }] });
  t.same(named({ a: 'x', x1: 'y' }), []);
  t.same(named({ x1: 1 }), ['/input/x1 must be string']);
});

t.test('what does not exclude each other stays as it is', async (t) => {
  const one = check({ allOf: [closed({ a: text }), { required: ['a'] }] });
  t.same(one({ a: 'x' }), []);
  t.same(one({ a: 'x', b: 1 }), ['/input/b is not a known field; known are a']);
  const list = check({ properties: { l: { type: 'array', items: { allOf: [closed({ a: text }),
    closed({ l: { items: { $ref: '#/$defs/Leaf' } } })] } } }, $defs });
  t.same(list({ l: [{ a: 'x', l: [{ id: 'a', name: 'b' }] }] }), [], 'within each other');
  const circle = check({ properties: { x: { $ref: '#/$defs/A' } },
    $defs: { A: { allOf: [closed({ a: text }), closed({ x: { $ref: '#/$defs/A' } })] } } });
  t.same(circle({ x: { a: 'x', x: { a: 'y', x: {} } } }), []);
  t.same(circle({ x: { x: { b: 1 } } }), ['/input/x/x/b is not a known field; known are a, x']);
});
