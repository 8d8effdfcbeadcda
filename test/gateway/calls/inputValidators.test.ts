import t from 'tap';
import { InputValidators } from '../../../src/gateway/calls/inputValidators.ts';
import { definition } from '../support.ts';

const schema = {
  type: 'object',
  properties: {
    query: { type: 'object', additionalProperties: false,
      properties: { limit: { type: 'integer', maximum: 100 }, 'a/b': { type: 'string' } } },
    body: { $ref: '#/$defs/Body' },
  },
  required: ['body'],
  additionalProperties: false,
  $defs: {
    Body: { type: 'object', required: ['kind'], properties: {
      kind: { $ref: '#/$defs/Kind', description: 'Which.' },
      list: { type: 'array', items: { type: 'string' } } } },
    Kind: { type: 'string', enum: ['a', 'b'] },
  },
};
const action = definition({ input_schema: schema });

t.test('violations have paths and the slice of the schema', async (t) => {
  const check = (input: unknown) => new InputValidators().check(action, input);
  t.same(check({ body: { kind: 'a' } }), { violations: [], schema: {} });
  t.same(check({ body: {}, query: { limit: 101, 'a/b': 1, other: 1 }, extra: 1 }), {
    violations: [
      { path: '/input/extra', message: 'is not a known field; known are query, body' },
      { path: '/input/query/other', message: 'is not a known field; known are limit, a/b' },
      { path: '/input/query/limit', message: 'must be <= 100' },
      { path: '/input/query/a~1b', message: 'must be string' },
      { path: '/input/body/kind', message: 'is required' },
    ],
    schema: {
      '/input/query/limit': { type: 'integer', maximum: 100 },
      '/input/query/a~1b': { type: 'string' },
      '/input/body/kind': { type: 'string', enum: ['a', 'b'], description: 'Which.' },
    },
  });
  t.match(check({ body: { kind: 'c' } }).violations,
    [{ path: '/input/body/kind', message: 'must be one of "a", "b"' }]);
});

t.test('reports are bounded', async (t) => {
  const list = (length: number) => ({ body: { kind: 'a', list: Array(length).fill(1) } });
  const validators = new InputValidators();
  t.equal(validators.check(action, list(1_000)).violations.length, 20);
  t.equal(validators.check(action, list(100_000)).violations.length, 1,
    'of a large input the first is enough');
  const properties = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`p${i}`, {}]));
  const large = definition({ input_schema: { type: 'object', required: ['p'],
    properties: { p: { type: 'object', required: ['q'], properties } } } });
  t.match(validators.check(large, {}).schema,
    { '/input/p': { type: 'object', required: ['q'], known_fields: { length: 50 } } });
});

t.test('the least recently used validators are forgotten', async (t) => {
  const validators = new InputValidators(2);
  const [a, b, c] = ['a', 'b', 'c'].map((name) =>
    definition({ name, input_schema: { type: 'object', required: [name] } }));
  for (const one of [a, b, a, c, a, b]) {
    t.equal(validators.check(one!, {}).violations[0]?.path, `/input/${one!.name}`);
  }
  t.equal(validators.size, 2);
});

t.test('a schema that is none is a fault, not a violation', async (t) => {
  const broken = definition({ input_schema: { $ref: '#/$defs/Nowhere' } });
  t.throws(() => new InputValidators().check(broken, {}),
    { message: 'The input schema of github.issues.list cannot be compiled' });
});
