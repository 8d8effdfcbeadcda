import t from 'tap';
import { InputValidators } from '../../../src/gateway/calls/inputValidators.ts';
import { Copies, toInputSchema } from '../../../src/gateway/mcp/schema.ts';
import { importOpenapi } from '../../../src/gateway/openapi/openapi.ts';
import { uncheckedPatterns } from '../../../src/gateway/openapi/uncheckedPatterns.ts';
import { Validators } from '../../../src/gateway/schema/validators.ts';
import type { JsonObject } from '../../../src/json.ts';

/** No regular expression of JavaScript; and one that cannot be matched in linear time. */
const UNCHECKED = ['(?i)^a', '^(?!a)'];
const LEFT_OUT = /^A `not` or `if` around a pattern or a format that is not checked/;

function imported(schema: JsonObject, schemas: JsonObject = {}) {
  const { actions: [action], report } = importOpenapi({ openapi: '3.1.0', components: { schemas },
    paths: { '/x': { post: { responses: {}, requestBody: {
      content: { 'application/json': { schema } } } } } } }, { slug: 'acme' });
  const warnings = [...report.warnings, ...uncheckedPatterns([action!.input_schema])];
  const refused = (body: unknown) =>
    new InputValidators().check(action!, { body }).violations.length > 0;
  return { refused, warnings, schema: action!.input_schema };
}

t.test('a pattern that the flag u refuses is checked', async (t) => {
  const { refused, warnings, schema } = imported({ properties: {
    id: { type: 'string', pattern: '^[a-f0-9]{8}\\-[0-9]{4}$' } },
  patternProperties: { '^x\\-': { type: 'integer' } }, additionalProperties: false });
  t.ok(refused({ id: '../../etc' }));
  t.notOk(refused({ id: '01234567-0123' }));
  t.ok(refused({ 'x-a': 'b' }));
  t.ok(refused({ y: 1 }));
  t.notOk(refused({ 'x-a': 1 }));
  t.strictSame(warnings, []);
  t.match(JSON.stringify(schema), '8}-[0-9]', 'written so that validators of others take it');
});

for (const pattern of UNCHECKED) {
  t.test(`what is around ${pattern} refuses nothing for it`, async (t) => {
    const named = { N: { $ref: '#/components/schemas/M' }, M: { type: 'string', pattern } };
    for (const inner of [{ type: 'string', pattern }, { $ref: '#/components/schemas/N' },
      { anyOf: [{ pattern }, { const: 1 }] }, { properties: { a: { not: { pattern } } } }]) {
      const { refused, warnings } = imported({ properties: { not: { not: inner },
        chosen: { if: inner, then: { maxLength: 1 }, else: { maxLength: 2 } },
        one: { anyOf: [{}], oneOf: [inner, { type: 'string' }] },
        few: { contains: inner, maxContains: 1 } } }, named);
      t.notOk(refused({ not: 'bcd' }));
      t.notOk(refused({ chosen: 'bcd' }));
      t.notOk(refused({ one: 'bcd' }));
      t.notOk(refused({ few: ['a', 'b'] }));
      t.equal(warnings.filter((warning) => LEFT_OUT.test(warning)).length, 1, String(warnings));
      t.ok(warnings.some((warning) => warning.startsWith(`The pattern ${pattern} is not checked`)));
    }
    const names = imported({ patternProperties: { [pattern]: { type: 'integer' } },
      additionalProperties: false });
    t.notOk(names.refused({ b: 1 }), 'names that it may allow');
  });
}

t.test('nor for a format, an unknown type or a reference that leads nowhere', async (t) => {
  const accepts = (schema: JsonObject, value: unknown) =>
    new Validators(schema, JSON.stringify(schema)).of('first')(value);
  for (const inner of [{ format: 'date' }, { type: 'file' }, { $ref: '#/nowhere' }]) {
    t.ok(accepts({ not: inner }, 1), JSON.stringify(inner));
  }
  t.ok(accepts({ oneOf: [{ format: 'date' }, { const: 'x' }] }, 'x'), 'both may hold');
  t.notOk(accepts({ not: { type: 'string' } }, 'x'));
});

t.test('what is left out makes nothing unknown', async (t) => {
  const accepts = (schema: JsonObject, value: unknown) =>
    new Validators({ ...schema, unevaluatedProperties: false },
      JSON.stringify({ ...schema, unevaluatedProperties: false })).of('first')(value);
  const b = { properties: { b: { pattern: UNCHECKED[1] } } };
  t.ok(accepts({ oneOf: [b, { required: ['q'] }], anyOf: [{ properties: { a: {} } }] },
    { b: '1' }));
  t.ok(accepts({ allOf: [{ patternProperties: { '(?=x)y': {} } }] }, { xy: 1 }));
  t.notOk(accepts({ allOf: [{ properties: { a: {} } }] }, { b: 1 }));
});

t.test('around what is checked everything stays', async (t) => {
  const pattern = '^a\\-';
  const { refused, warnings } = imported({ properties: { not: { not: { pattern } },
    chosen: { if: { pattern }, then: { maxLength: 3 } },
    pattern: { not: { properties: { pattern: { enum: [{ pattern: UNCHECKED[0] }] } } } } } });
  t.ok(refused({ not: 'a-b' }));
  t.notOk(refused({ not: 'b' }));
  t.ok(refused({ chosen: 'a-bc' }));
  t.notOk(refused({ chosen: 'bcde' }));
  t.ok(refused({ pattern: {} }), 'a value is no schema');
  t.strictSame(warnings, []);
});

t.test('the patterns of MCP servers leave nothing that refuses for them', async (t) => {
  const read = toInputSchema({ type: 'object', properties: {
    a: { not: { pattern: 'x' } }, b: { not: { $ref: '#/$defs/B' } }, c: { not: { const: 1 } } },
  $defs: { B: { pattern: 'x' } } }, new Copies());
  t.match(read, { schema: { properties: { a: {}, b: {}, c: { not: { const: 1 } } } } });
  t.notMatch(read, { schema: { properties: { a: { not: {} } } } });
  t.notMatch(read, { schema: { properties: { b: { not: {} } } } });
});
