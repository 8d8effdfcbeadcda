import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import t, { type Test } from 'tap';
import type { JsonObject } from '../../../src/json.ts';
import { InputValidators } from '../../../src/gateway/calls/inputValidators.ts';
import { fileSchema } from '../../../src/gateway/openapi/files.ts';
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

t.test('a field that is called as what every object has may be left out', async (t) => {
  const properties = { constructor: { type: 'string' }, toString: { type: 'integer' } };
  t.same(violationsOf({ properties, additionalProperties: false }, {}), []);
  t.same(violationsOf({ properties }, { constructor: 1 }),
    [{ path: '/input/constructor', message: 'must be string' }]);
  t.match(violationsOf({ properties, required: ['constructor'] }, {}),
    [{ path: '/input/constructor', message: 'is required' }]);
  t.same(violationsOf({ dependentRequired: { valueOf: ['a'] }, maxProperties: 0 }, {}), []);
});

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
  t.same(violationsOf({ properties: { n: { type: ['string', 'null'] } } }, { n: 1 }),
    [{ path: '/input/n', message: 'must be string or null' }]);
  const bounded = { properties: { s: { minLength: 1 }, l: { maxItems: 2 } }, minProperties: 3 };
  t.same(violationsOf(bounded, { s: '', l: [1, 2, 3] }), [
    { path: '/input', message: 'must have at least 3 fields' },
    { path: '/input/s', message: 'must have at least 1 character' },
    { path: '/input/l', message: 'must have at most 2 items' }]);
});

t.test('an integer that is too large for a number may be the text of its digits', async (t) => {
  const properties = { id: { type: 'integer' }, size: { type: ['number', 'null'] },
    list: { type: 'array', items: { type: 'integer' } }, 'a/b': { type: 'integer' } };
  const ids = definition({ input_schema: { type: 'object', properties: {
    path: { type: 'object', properties } } } });
  const violations = (path: object) =>
    new InputValidators().check(ids, { path }).violations.map(({ path: at }) => at);
  const exact = '1076543210012345678';
  t.same(violations({ id: exact, size: `-${exact}`, list: [1, exact], 'a/b': exact }), []);
  t.same(violations({ id: exact, size: 'x' }), ['/input/path/size'], 'others are told');
  for (const id of ['7', '9007199254740991', `${exact}.5`, `0${exact}`, 'x', exact.repeat(3)]) {
    t.same(violations({ id }), ['/input/path/id'], id);
  }
  // Optional fields of FastAPI's documents are such alternatives.
  for (const one of [{ anyOf: [{ type: 'integer' }, { type: 'null' }] },
    { anyOf: [{ $ref: '#/$defs/Id' }, { type: 'null' }] },
    { oneOf: [{ type: 'integer' }, { type: 'array', items: { type: 'integer' } }] }]) {
    const properties = { id: one };
    t.same(violationsOf({ properties, $defs: { Id: { type: 'integer' } } }, { id: exact }), []);
    t.not(violationsOf({ properties, $defs: { Id: { type: 'integer' } } }, { id: 'x' }).length, 0);
  }
  t.same(violationsOf({ properties: { id: { type: 'integer', maximum: 100 } } }, { id: exact }),
    [{ path: '/input/id', message: 'must be <= 100' }], 'what it has to be is checked');
});

t.test('where one of several members is enough, one sentence says so', async (t) => {
  const file = definition({ input_schema: { type: 'object', properties: { body: fileSchema() } } });
  const check = (body: unknown) => new InputValidators().check(file, { body }).violations;
  const like = { path: '/input/body', message: 'must be like {"base64": …} or {"text": …}' };
  t.same(check({ text: 'x', filename: 'a' }), []);
  for (const body of ['text', 7, {}, { text: 'x', base64: 'eA==' }, 'x'.repeat(100_000)]) {
    t.same(check(body), [like]);
  }
  t.same(check({ data: 'x' }), [like, { path: '/input/body/data', message:
    'is not a known field; known are base64, text, filename, media_type' }]);
  const either = { anyOf: [{ required: ['a'] }, { required: ['b', 'c'] }] };
  t.same(violationsOf(either, { b: 1 }),
    [{ path: '/input', message: 'must be like {"a": …} or {"b": …, "c": …}' }]);
  t.same(violationsOf({ anyOf: [{ required: ['a'] }, { properties: { b: { const: 1 } } }] },
    { b: 2 }).length, 3, 'alternatives that say more are told each');
});

t.test('what alternatives ask of one value is one sentence', async (t) => {
  const circle = { type: 'object', required: ['Circle'], properties: { Circle: {} } };
  const properties = { shape: { anyOf: [{ enum: ['Empty'] }, circle, { $ref: '#/$defs/N' }] } };
  const check = (shape: unknown) => violationsOf({ properties, $defs: { N: { const: 7 } } },
    { shape });
  t.same(check({ Circle: 1 }), []);
  t.same(check('Hexagon'), [{ path: '/input/shape',
    message: 'must be one of "Empty", or must be object, or must be 7' }]);
  t.same(check({}), [
    { path: '/input/shape', message: 'must be one of "Empty", or must be 7' },
    { path: '/input/shape/Circle', message: 'is required' }]);
});

t.test('of alternatives that a member tells apart, the one that it names is told', async (t) => {
  const alternative = (kind: unknown, name: string) => ({ type: 'object', required: ['kind', name],
    properties: { kind, [name]: { type: 'number' } } });
  const $defs = { B: alternative({ $ref: '#/$defs/Kind' }, 'b'), Kind: { enum: ['b', 'c'] } };
  for (const choice of ['oneOf', 'anyOf']) {
    const shape = { [choice]: [alternative({ const: 'a' }, 'a'), { $ref: '#/$defs/B' }] };
    const check = (given: unknown) => violationsOf({ properties: { shape }, $defs },
      { shape: given });
    for (const ok of [{ kind: 'a', a: 1 }, { kind: 'c', b: 1, a: 'x' }]) t.same(check(ok), []);
    t.same(check({ kind: 'b' }), [{ path: '/input/shape/b', message: 'is required' }]);
    t.same(check({ kind: 'a', a: 'x' }), [{ path: '/input/shape/a', message: 'must be number' }]);
    t.same(check({ kind: 'd', a: 1 }),
      [{ path: '/input/shape/kind', message: 'must be one of "a", "b", "c"' }]);
    t.same(check({ a: 1 }), [{ path: '/input/shape/kind', message: 'is required' }]);
    t.same(check('a'), [{ path: '/input/shape', message: 'must be object' }]);
  }
  const bare = ['a', 'b'].map((kind) =>
    ({ required: ['kind'], properties: { kind: { const: kind } } }));
  const found = (shape: JsonObject) => violationsOf({ properties: { shape } }, { shape: 'a' });
  t.same(found({ anyOf: bare }), []);
  t.equal(found({ oneOf: bare }).length, 1, 'what is no object fits both');
  // Each is an object by what it is made of.
  const made = bare.map((one) => ({ allOf: [{ type: 'object' }], ...one }));
  t.equal(found({ anyOf: made }).length > 0, true, 'a type may be said elsewhere');
  const same = { oneOf: [alternative({ const: 'a' }, 'a'), alternative({ const: 'a' }, 'b')] };
  t.same(violationsOf(same, { kind: 'a', b: 1 }), []);
  t.equal(violationsOf(same, { kind: 'a', a: 1, b: 1 }).length, 1, 'but for one told by nothing');
});

t.test('multiples are of the numbers as they are written', async (t) => {
  const isMultiple = (value: number, step: number) =>
    violationsOf({ properties: { n: { multipleOf: step } } }, { n: value }).length === 0;
  for (const [value, step] of [[19.99, 0.01], [-0.07, 0.01], [0.3, 0.1], [1.005, 0.001], [0, 0.01],
    [123_456_789.01, 0.01], [1e22, 1], [12, 4], [7.5, 2.5]] as const) {
    t.ok(isMultiple(value, step), `${value} of ${step}`);
  }
  for (const [value, step] of [[19.995, 0.01], [0.01, 0.1], [12, 5], [1.5, 1], [1e-20, 0.01],
    [2 ** 53 - 1, 2]] as const) {
    t.notOk(isMultiple(value, step), `${value} of ${step}`);
  }
  t.same(violationsOf({ properties: { n: { multipleOf: 0.5 } } }, { n: 0.7 }),
    [{ path: '/input/n', message: 'must be multiple of 0.5' }]);
});

t.test('what is required beside something else', async (t) => {
  t.same(violationsOf({ dependentRequired: { a: ['b'] } }, { a: 1 }),
    [{ path: '/input/b', message: 'is required beside a' }]);
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

t.test('a list that is too long to be shown is outlined with its items', async (t) => {
  const description = 'd'.repeat(1_000);
  const schemaOf = (list: object) => new InputValidators().check(definition({ input_schema: {
    required: ['fees'], properties: { fees: { type: 'array', description, ...list } },
    $defs: { Fee: { required: ['code'], properties: { code: { description }, units: {} } } },
  } }), {}).schema?.['/input/fees'];
  t.same(schemaOf({ items: { $ref: '#/$defs/Fee' } }), { type: 'array',
    items: { required: ['code'], known_fields: ['code', 'units'] } });
  t.same(schemaOf({ items: { enum: ['a'] } }), { type: 'array', items: { enum: ['a'] } });
  t.same(schemaOf({}), { type: 'array' }, 'nothing is known of them');
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
    { message: 'cannot be prepared' });
});

const TOO_LONG = [{ path: '/input', message: /takes too long to be checked/ }];
const list = <T>(length: number, item: (place: number) => T) =>
  Array.from({ length }, (_, place) => item(place));

const twice = (name: string) => ({ allOf: list(2, () => ({ $ref: `#/$defs/${name}` })) });
/** 2^40 times the same. */
const laughs = Object.fromEntries(list(40, (i) =>
  [`A${i}`, i < 39 ? twice(`A${i + 1}`) : { type: 'string' }]));

/** What comes of an input; a check that hangs would never answer. */
function violationsOf(input_schema: JsonObject, input: unknown) {
  const validators = new InputValidators();
  const one = definition({ input_schema: { type: 'object', ...input_schema } });
  validators.check(one, {});
  return validators.check(one, input).violations;
}

t.test('no check goes on for ever', async (t) => {
  t.match(violationsOf({ properties: { x: twice('A0') }, $defs: laughs }, { x: 'a' }), TOO_LONG);
  const either = (required: string) => ({ required: [required],
    properties: { x: { $ref: '#/$defs/A' } } });
  let deep = {};
  for (let i = 0; i < 50; i++) deep = { x: deep };
  t.match(violationsOf({ properties: { x: { $ref: '#/$defs/A' } },
    $defs: { A: { anyOf: [either('y'), either('z')] } } }, deep), TOO_LONG,
  'two ways at each level');
  t.same(violationsOf({ properties: { x: { $ref: '#/$defs/A' } },
    $defs: { A: { allOf: [{ $ref: '#/$defs/A' }] } } }, { x: 1 }), [], 'a circle');
  const items = { allOf: list(900, () => ({ not: { type: 'null' } })) };
  t.match(violationsOf({ properties: { l: { items } } }, { l: list(200_000, (i) => i) }), TOO_LONG,
    'a large schema for each of many items');
});

t.test('each field is held to its own pattern', async (t) => {
  const two = definition({ input_schema: { type: 'object', properties: {
    account: { type: 'string', pattern: '^AC' }, recording: { type: 'string', pattern: '^RE' },
  }, patternProperties: { '^x-': { type: 'integer' } } } });
  const check = (input: unknown) => new InputValidators().check(two, input).violations;
  t.same(check({ account: 'AC1', recording: 'RE1', 'x-a': 1 }), []);
  t.match(check({ account: 'RE1', recording: 'AC1', 'x-a': 'b' }),
    [{ path: '/input/account' }, { path: '/input/recording' }, { path: '/input/x-a' }]);
});

t.test('a field may have the name of a method of every object', async (t) => {
  const one = { valueOf: 1, toString: { a: 'x' } };
  for (const schema of [{ enum: [{ a: 1 }, one] }, { const: one }]) {
    const of = (e: unknown) => violationsOf({ properties: { e: schema } }, { e });
    t.same(of({ toString: { a: 'x' }, valueOf: 1 }), []);
    t.match(of({ valueOf: 1 }), [{ path: '/input/e', message: /^must be / }]);
    t.match(of({ hasOwnProperty: null }), [{ path: '/input/e', message: /^must be / }]);
  }
});

t.test('patterns and unique items take time in proportion to the input', async (t) => {
  const name = { type: 'string', pattern: '^[a-zA-Z0-9]+([-a-zA-Z0-9]?[a-zA-Z0-9])*$' };
  const hostile = `${'a'.repeat(64)}!`;
  t.match(violationsOf({ properties: { name } }, { name: hostile }),
    [{ path: '/input/name', message: /^must match pattern/ }]);
  const names = {
    patternProperties: { '^(a+)+$': { type: 'integer' } }, additionalProperties: false,
  };
  t.match(violationsOf(names, { [hostile]: 1 }), [{ message: /^is not a known field/ }]);
  t.match(violationsOf(names, { aa: 'b' }), [{ path: '/input/aa', message: 'must be integer' }]);
  t.same(violationsOf({ ...names, patternProperties: { '^(?!x)': { type: 'integer' } } },
    { a: 'b' }), [], 'names by a pattern that cannot be checked are left to the service');
  t.same(violationsOf({ properties: { name: { pattern: '^(?=(a+)+$)' } } }, { name: hostile }), []);
  const unique = { properties: { l: { uniqueItems: true } } };
  t.same(violationsOf(unique, { l: list(20_000, (id) => ({ id, tags: [] })) }), []);
  t.match(violationsOf(unique, { l: [{ a: 1, b: [2] }, 1, '1', { b: [2], a: 1 }] }),
    [{ path: '/input/l', message: 'must NOT have duplicate items' }]);
  t.same(violationsOf({ properties: { l: { uniqueItems: false } } }, { l: [1, 1] }), []);
});

t.test('a schema that takes too long to prepare is prepared once', async (t) => {
  const validators = new InputValidators();
  // So deep that neither Ajv nor the engine that compiles its code can follow.
  const one = definition({ input_schema: list(2_000, (i) => i).reduce<JsonObject>(
    (below) => ({ allOf: [below] }), { type: 'string' }) });
  const faults = list(2, () => {
    try {
      return validators.check(one, {});
    } catch (fault) {
      return fault;
    }
  });
  t.match(faults[0], { message: /cannot be prepared/ });
  t.equal(faults[1], faults[0]);
});

/** Takes Ajv ten seconds: for each part it copies the names of all before. */
const slow: JsonObject = { unevaluatedProperties: false,
  allOf: list(4_400, (i) => ({ properties: { [`a${i}`]: {} } })) };
const again = (schema: JsonObject) =>
  definition({ input_schema: JSON.parse(JSON.stringify(schema)) as JsonObject });

/** How many schemas Ajv is asked to compile until the test is over. */
function compiles(t: Test): { count: number } {
  const counted = { count: 0 };
  const { compile } = Ajv2020.prototype;
  t.teardown(() => {
    Ajv2020.prototype.compile = compile;
  });
  Ajv2020.prototype.compile = function compiled(this: Ajv2020, ...given: [AnySchema]) {
    counted.count += 1;
    return compile.apply(this, given);
  } as typeof compile;
  return counted;
}

t.test('a schema is compiled once, however often its definition is read', async (t) => {
  const counted = compiles(t);
  const validators = new InputValidators(2);
  for (let i = 0; i < 3; i++) {
    t.throws(() => validators.check(again(slow), {}), { name: 'Error', message:
      'takes more than 500 ms of the processor to be prepared' });
  }
  t.throws(() => validators.check(again(slow), { a: 'x'.repeat(70_000) }), 'of large inputs, too');
  const first = counted.count;
  t.ok(first <= 3, `${first}: begun anew where the processor was busy with something else`);
  for (const name of ['b', 'c', 'd']) {
    validators.check(again({ type: 'object', required: [name] }), {});
  }
  const all = counted.count;
  t.ok(all >= first + 3 && all <= first + 9, `three schemas in ${all - first} tries`);
  t.throws(() => validators.check(again(slow), {}), 'others do not drive it out');
  t.match(validators.check(again({ type: 'object', required: ['d'] }), {}).violations,
    [{ path: '/input/d' }]);
  t.equal(counted.count, all, 'the same schema, read anew');
});

t.test('an input that is cut off costs no validator', async (t) => {
  const counted = compiles(t);
  const validators = new InputValidators();
  const endless = { type: 'object', properties: { x: twice('A0'), y: { type: 'string' } },
    $defs: laughs };
  for (let i = 0; i < 3; i++) {
    t.match(validators.check(again(endless), { x: 'a' }).violations, TOO_LONG);
    t.match(validators.check(again(endless), { y: 1 }).violations, [{ path: '/input/y' }]);
  }
  t.equal(counted.count, 1);
});
