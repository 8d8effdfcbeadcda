import t from 'tap';
import { InputValidators } from '../../../src/gateway/calls/inputValidators.ts';
import type { JsonObject } from '../../../src/json.ts';
import { importOpenapi } from '../../../src/gateway/openapi/openapi.ts';
import { withoutCircles } from '../../../src/gateway/schema/circles.ts';
import { definition, documentOf } from '../support.ts';

const to = (name: string) => ({ $ref: `#/$defs/${name}` });
const component = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const kind = (name: string, type: string) => ({ type: 'object',
  properties: { kind: { const: name }, [name]: { type } }, required: [name] });

function refused(input_schema: JsonObject, input: unknown): string[] {
  return new InputValidators().check(definition({ input_schema }), input).violations
    .map(({ path, message }) => `${path} ${message}`);
}

t.test('a base that is one of its kinds, each of which is all of the base', async (t) => {
  const base = { type: 'object', required: ['id'],
    properties: { id: { type: 'integer' }, kind: { type: 'string' } } };
  const schemas = {
    Pet: { ...base, oneOf: [component('Cat'), component('Dog')] },
    Cat: { allOf: [component('Pet'), kind('cat', 'string')] },
    Dog: { allOf: [component('Pet'), kind('dog', 'integer')] },
  };
  for (const name of ['Pet', 'Cat']) {
    const { actions: [action] } = importOpenapi(documentOf('/pets', 'post', { requestBody: {
      required: true, content: { 'application/json': { schema: component(name) } } } },
    { components: { schemas } }), { slug: 'x' });
    const told = (body: object) => refused(action!.input_schema, { body });
    t.same(told({ id: 1, kind: 'cat', cat: 'Tom' }), [], name);
    t.match(told({ kind: 'cat', cat: 'Tom' }), ['/input/body/id is required'], name);
    t.match(told({ id: 1, kind: 'cat', cat: 1 }).join(), /\/input\/body\/cat must be string/, name);
  }
});

t.test('a schema that is itself allows anything, with what it says besides', async (t) => {
  for (const schema of [to('A'), { allOf: [to('A')] }, { anyOf: [to('A'), to('B')] },
    { if: to('A'), then: true }, { if: { required: ['n'] }, then: to('A') },
    { dependentSchemas: { n: to('A') } }]) {
    const root = { ...to('A'), $defs: { A: schema, B: to('A') } };
    t.same(refused(root, { n: 1 }), [], JSON.stringify(schema));
  }
  const own = { ...to('A'), $defs: { A: { ...to('A'), properties: { n: { type: 'integer' } } } } };
  t.same(refused(own, { n: 'x' }), ['/input/n must be integer']);
});

t.test('a circle that is entered twice is checked whole where it is entered first', async (t) => {
  const $defs = { Pet: { required: ['id'], oneOf: [to('Cat'), to('Dog')] },
    Cat: { allOf: [to('Pet'), kind('cat', 'string')] },
    Dog: { allOf: [to('Pet'), kind('dog', 'integer')] } };
  const both = { properties: { a: to('Cat'), b: to('Dog') }, $defs };
  t.same(refused(both, { a: { id: 1, cat: 'x' }, b: { id: 2, dog: 1 } }), []);
  t.same(refused(both, { a: { cat: 'x' }, b: { dog: 1 } }), ['/input/a/id is required']);
});

t.test('what is left of a circle refuses nothing', async (t) => {
  const one = { ...to('A'), $defs: {
    A: { allOf: [to('B'), { properties: { a: {} } }], unevaluatedProperties: false },
    B: { oneOf: [to('A'), { properties: { b: { type: 'integer' } } }] },
  } };
  t.same(refused(one, { a: 1, b: 2 }), [], 'neither as one more alternative nor as unknown');
  const around = { ...to('B'), $defs: { B: { properties: { b: {} }, allOf: [to('A')] },
    A: { allOf: [to('B')], properties: { a: {} }, unevaluatedProperties: false } } };
  t.same(refused(around, { a: 1, b: 2 }), [], 'nor as unknown to what is entered second');
  const not = { ...to('A'), $defs: { A: { not: { ...to('A'), type: 'string' } } } };
  t.same(refused(not, {}), []);
});

t.test('schemas within themselves for other values stay as they are', async (t) => {
  const tree = { ...to('Tree'), $defs: { Tree: { type: 'object', required: ['v'],
    properties: { v: { type: 'integer' }, left: to('Tree'), right: { anyOf: [to('Tree'), {}] },
      kids: { type: 'array', items: to('Tree') } },
    additionalProperties: { allOf: [to('Tree')] } } } };
  t.equal(withoutCircles(tree), tree);
  const twice = { allOf: [to('A'), to('B'), to('A')],
    $defs: { A: to('B'), B: { type: 'object' } } };
  t.equal(withoutCircles(twice), twice);
  t.same(refused(tree, { v: 1, kids: [{ v: 1 }, {}] }), ['/input/kids/1/v is required']);
});
