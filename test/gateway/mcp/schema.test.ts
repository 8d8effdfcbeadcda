import t from 'tap';
import { InputValidators } from '../../../src/gateway/calls/inputValidators.ts';
import { Copies, fingerprint, toInputSchema } from '../../../src/gateway/mcp/schema.ts';
import { readTools } from '../../../src/gateway/mcp/tools.ts';
import { definition } from '../support.ts';

function schemaOf(raw: object): Record<string, unknown> {
  const read = toInputSchema(raw, new Copies());
  if ('problem' in read) throw new Error(read.problem);
  return read.schema;
}

t.test('regular expressions of a server are told, not run', async (t) => {
  const input_schema = schemaOf({ type: 'object', additionalProperties: false,
    patternProperties: { '^(a+)+$': { type: 'integer' } },
    properties: { pattern: { type: 'string', description: 'A name.', pattern: '^(a+)+$' },
      properties: { type: 'array', items: { type: 'string', pattern: 'x' },
        default: [{ pattern: 'kept' }] } } });
  t.same(input_schema, { type: 'object', properties: {
    pattern: { type: 'string', description: 'A name. (Pattern: ^(a+)+$)' },
    properties: { type: 'array', items: { type: 'string', description: '(Pattern: x)' },
      default: [{ pattern: 'kept' }] } } });
  const validators = new InputValidators();
  const input = { pattern: `${'a'.repeat(100)}!`, [`${'a'.repeat(100)}!`]: 1 };
  t.same(validators.check(definition({ input_schema }), input).violations, []);
});

t.test('what has a default may be left out, whatever is said to be required', async (t) => {
  const level = { type: 'string', enum: ['info', 'error'], default: 'info' };
  const input_schema = schemaOf({ type: 'object', required: ['level', 'url', 'constructor'],
    properties: { level, url: { type: 'string' }, required: { type: 'array', items: {
      type: 'object', required: ['level'], properties: { level } } } } });
  const check = (input: object) =>
    new InputValidators().check(definition({ input_schema }), input).violations;
  t.match(input_schema, { required: ['url', 'constructor'] });
  t.same(check({ url: 'a', constructor: 1, required: [{}] }), []);
  t.match(check({ url: 'a', constructor: 1, level: 'x' }), [{ path: '/input/level' }]);
  t.match(check({ constructor: 1 }), [{ path: '/input/url', message: 'is required' }]);
  t.notHas(schemaOf({ type: 'object', required: ['level'], properties: { level } }),
    { required: [] }, 'an empty list says nothing');
});

t.test('arguments that may be left out as a whole are those of an object', async (t) => {
  const properties = { a: { type: 'string' } };
  t.same(schemaOf({ type: ['object', 'null'], properties }), { type: 'object', properties });
  t.match(toInputSchema({ type: ['string', 'null'] }, new Copies()),
    { problem: /does not describe an object/ });
});

t.test('references stay within the schema', async (t) => {
  const input_schema = schemaOf({ type: 'object', $id: 'https://example.com/x',
    $schema: 'http://json-schema.org/draft-07/schema#',
    definitions: { Node: { type: 'object', required: ['name'],
      properties: { name: { type: 'string' }, next: { $ref: '#/definitions/Node' } } } },
    properties: { node: { $ref: '#/definitions/Node' }, elsewhere: { $ref: 'file:///etc/passwd' },
      nowhere: { $ref: '#/definitions/None' } } });
  const check = (input: object) =>
    new InputValidators().check(definition({ input_schema }), input).violations;
  t.same(check({ node: { name: 'a', next: { name: 'b' } }, elsewhere: 1, nowhere: 2 }), []);
  t.match(check({ node: { name: 'a', next: {} } }), [{ path: '/input/node/next/name' }]);
});

t.test('all schemas of a list together refer to no more of themselves', async (t) => {
  // Each pointer leads to the same, in another writing.
  const anyOf = Array.from({ length: 64 }, (_, n) => ({ $ref: `#/${[...'xxxxxx']
    .map((letter, at) => ((n >> at) & 1 ? '%78' : letter)).join('')}` }));
  const inputSchema = { type: 'object', anyOf, xxxxxx: { description: 'x'.repeat(30_000) } };
  const plain = { type: 'object', properties: { a: { $ref: '#/properties/b' }, b: {} } };
  const { tools, skipped } = readTools([{ name: 'a', inputSchema }, { name: 'b', inputSchema },
    { name: 'c', inputSchema }, { name: 'd', inputSchema: plain }], (value) => value);
  t.same(tools.map(({ source_key }) => source_key), ['a', 'b', 'd']);
  t.match(skipped, [{ source_key: 'c', reason: /refer to too much of themselves/ }]);
});

t.test('what is kept of a schema is no larger than what is taken of one', async (t) => {
  const levels = Array.from({ length: 18 }, (_, n) => n);
  const x = levels.reduce((inner: object) => ({ type: 'object', properties: { inner } }),
    { type: 'object', description: 'x'.repeat(100_000) });
  const properties = Object.fromEntries(levels.map((n) =>
    [`p${n}`, { $ref: `#/definitions/x${'/properties/inner'.repeat(n)}` }]));
  const input_schema = schemaOf({ properties, definitions: { x } });
  t.ok(JSON.stringify(input_schema).length <= 262_144);
  const check = (input: object) =>
    new InputValidators().check(definition({ input_schema }), input).violations;
  t.match(check({ p0: 1 }), [{ path: '/input/p0' }], 'the first is checked');
  t.same(check({ p9: 1 }), [], 'and what is left out, by the server');
});

t.test('a fingerprint is of the content alone', async (t) => {
  t.equal(fingerprint({ a: 1, b: [{ c: 2, d: null }] }),
    fingerprint({ b: [{ d: null, c: 2 }], a: 1 }));
  const different = [{}, [], null, { a: [] }, { a: {} }, [['a', []]], 'a', [1, 2], [2, 1]];
  t.equal(new Set(different.map(fingerprint)).size, different.length);
});
