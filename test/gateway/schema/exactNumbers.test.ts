import t from 'tap';
import { withExactNumbers } from '../../../src/gateway/schema/exactNumbers.ts';

const BIG = '1076543210012345678';
const root = {
  properties: {
    id: { type: 'integer' }, ref: { $ref: '#/$defs/Id' }, text: { type: 'string' }, free: {},
    either: { type: ['integer', 'string'] }, maybe: { anyOf: [{ $ref: '#/$defs/Id' },
      { type: 'null' }] },
    any: { oneOf: [{ type: 'integer' }, { type: 'string' }] },
    list: { type: 'array', items: { type: 'number' } },
    pair: { prefixItems: [{ type: 'string' }, { type: 'integer' }] },
    whole: { allOf: [{ properties: { id: { type: 'integer' } } }, { properties: {} }] },
    map: { additionalProperties: { type: 'integer' } },
    self: { $ref: '#' },
    kinds: { anyOf: [{ properties: { a: { type: 'integer' } } },
      { properties: { b: { type: 'integer' } } }] },
  },
  $defs: { Id: { type: 'integer', format: 'int64' } },
};
const written = (value: unknown) => JSON.stringify(withExactNumbers(root, root, value));

t.test('a large integer that is given as a text is a number where one is wanted', async (t) => {
  for (const value of [{ id: BIG }, { ref: `-${BIG}` }, { maybe: BIG }, { list: [1, BIG, BIG] },
    { pair: ['x', BIG] }, { whole: { id: BIG } }, { map: { x: BIG } },
    { self: { self: { id: BIG } } }, { kinds: { a: BIG, b: BIG } }]) {
    t.equal(written(value), JSON.stringify(value).replaceAll(/"(-?\d+)"/g, '$1'));
  }
});

t.test('all else is written as it is', async (t) => {
  for (const value of [{ text: BIG }, { free: BIG }, { either: BIG }, { any: BIG }, { other: BIG },
    { id: '9007199254740991' }, { id: `${BIG}.5` }, { id: `0${BIG}` }, { id: 7, list: [], map: {} },
    { pair: [BIG] }, { text: `"${BIG}"` }, { self: null }, BIG, null, [BIG]]) {
    t.equal(written(value), JSON.stringify(value));
  }
  const value = { text: 'x' };
  t.equal(withExactNumbers(root, root, value), value);
});
