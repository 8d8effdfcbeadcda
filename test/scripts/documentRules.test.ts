/** Each rule of the document catches what it is there for, and the document breaks none. */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { parse } from 'yaml';
import { ROOT, readDocument, type OpenapiDocument } from '../../scripts/document.ts';
import { ruleFaults } from '../../scripts/documentRules.ts';
import { portabilityFaults } from '../../scripts/portableYaml.ts';

t.test('openapi.yaml breaks no rule', async (t) => {
  t.strictSame(portabilityFaults(readFileSync(new URL('openapi.yaml', ROOT), 'utf8')), []);
  t.strictSame(ruleFaults(readDocument()), []);
});

t.test('what a reader of YAML 1.1 refuses or misreads is named with its line', async (t) => {
  const misread = [
    'a: {b: Which?}', 'a: [c?d]', 'a: {b: http://x}', 'a: yes', 'on: 1', 'y: 1', 'a: 017',
    'a: 0o17', 'a: 1:30', 'a: 2026-11-21', 'a: 1e5', 'a: .5', 'a: 1_000', 'a: =', '<<: {a: 1}',
    'a: 1\na: 2',
  ];
  for (const text of misread) t.equal(portabilityFaults(text).length, 1, text);
  t.match(portabilityFaults('a: 1\nb: {c: Which?}'), [/^line 2: .*; quote Which\?$/]);
  for (const text of ['a: Which?', 'a: {b: "c?"}', "a: 'yes'", 'a: 12', 'a: -1.5', 'a: true',
    'a: null', "a: '2026-11-21'", "'on': 3.1.0"]) {
    t.strictSame(portabilityFaults(text), [], text);
  }
});

/** A document of one operation that breaks nothing, with `changes` to its parts. */
function documentWith({
  schema = '{ type: string }', response = '', more = '', operation = '', answer = '',
}): OpenapiDocument {
  return parse(`
openapi: 3.1.0
paths:
  /things:
    post:
      operationId: getThing
      ${operation}
      responses:
        '200': ${response || "{ $ref: '#/components/responses/ThingFound' }"}
components:
  schemas:
    Thing: { type: object, properties: { field: ${schema} } }
  responses:
    ThingFound: { description: x, content: { application/json: {
      schema: { $ref: '#/components/schemas/Thing' }, ${answer} } } }
    ${more}
`) as OpenapiDocument;
}

t.test('there is one way to say that something may be null', async (t) => {
  const text = "oneOf: [{ type: string }, { type: 'null' }]";
  t.strictSame(ruleFaults(documentWith({ schema: `{ ${text} }` })), []);
  t.strictSame(ruleFaults(documentWith({
    schema: "{ type: object, properties: { type: { type: string }, nullable: { type: string } } }",
  })), [], 'properties with the names of keywords');
  const others = [
    "{ type: [string, 'null'] }", '{ type: string, nullable: true }', `{ type: string, ${text} }`,
    "{ anyOf: [{ type: string }, { type: 'null' }] }",
    "{ oneOf: [{ type: 'null' }, { type: string }] }",
    "{ oneOf: [{ type: string }, { type: number }, { type: 'null' }] }",
    "{ type: array, items: { type: [string, 'null'] } }",
  ];
  for (const schema of others) {
    t.match(ruleFaults(documentWith({ schema })), [/^#\/components\/schemas\/Thing\/.*oneOf/],
      schema);
  }
});

t.test('what is fixed to values are texts', async (t) => {
  for (const schema of ['{ type: string, const: run }', '{ type: boolean }']) {
    t.strictSame(ruleFaults(documentWith({ schema })), []);
  }
  for (const schema of ['{ type: boolean, const: true }', '{ type: integer, const: 0 }',
    '{ type: boolean, enum: [true] }']) {
    t.match(ruleFaults(documentWith({ schema })).join(), /field: only texts may be fixed/, schema);
  }
});

t.test('responses have names; no schema has those, or those of parameters', async (t) => {
  t.strictSame(ruleFaults(documentWith({ response: '{ description: In place. }' })),
    ['getThing: name 200 under components/responses']);
  t.match(ruleFaults(documentWith({ more: 'Thing: { description: x }' })),
    [/^#\/components\/responses\/Thing: a schema has this name/]);
  const parameters = { Thing: { name: 'a', in: 'path', schema: { type: 'integer' } } };
  const document = documentWith({});
  t.match(ruleFaults({ ...document, components: { ...document.components, parameters } }),
    [/^#\/components\/parameters\/Thing: a schema has this name/]);
});

t.test('a list that may be left out may be empty', async (t) => {
  const list = '{ type: array, minItems: 1, items: { type: string } }';
  const whole = `{ type: object, required: [list], properties: { list: ${list} } }`;
  t.strictSame(ruleFaults(documentWith({ schema: whole })), []);
  t.match(ruleFaults(documentWith({ schema: whole.replace('required: [list], ', '') })),
    [/Thing\/properties\/field: list may be left out, .* no minItems$/]);
});

t.test('answers may grow', async (t) => {
  const faults = (schema: string) => ruleFaults(documentWith({ schema }));
  t.strictSame(faults('{ type: string, x-extensible-enum: [a] }'), []);
  t.strictSame(faults('{ type: string, enum: [active, archived] }'), [], 'a complete life');
  t.match(faults('{ type: string, enum: [a, b] }'), [/field: say x-extensible-enum/]);
  t.match(faults('{ type: object, additionalProperties: false }'), [/field: answers gain fields/]);
  const asked = 'requestBody: { content: { application/json: { schema: { type: object,'
    + ' additionalProperties: false, properties: { a: { enum: [a, b] } } } } } }';
  t.strictSame(ruleFaults(documentWith({ operation: asked })), [], 'requests are complete');
});

t.test('nothing that nobody has is filled in, and what is refused is said', async (t) => {
  const parameters = (words: string) =>
    ruleFaults(documentWith({ operation: `parameters: [{ name: id, in: query, ${words} }]` }));
  t.strictSame(parameters("schema: { type: string, pattern: '^a$' }"), []);
  t.strictSame(parameters('schema: { type: integer, default: 20 }'), []);
  t.match(parameters('example: ses_1, schema: { type: integer }'), [/^getThing: id: viewers/]);
  t.match(parameters('examples: { a: { value: 1 } }, schema: { type: integer }'), [/: viewers/]);
  t.match(parameters('schema: { type: string }'), [/^getThing: id: .* U\+0000/]);
});

t.test('an id in a body says what the service refuses', async (t) => {
  const body = (properties: string, more = '') => ruleFaults(documentWith({
    operation: `requestBody: { content: { application/json: { schema: {
        type: object, properties: { ${properties} } } } } }`,
    ...(more && { schema: more }),
  }));
  const id = "{ type: string, pattern: '^[^\\x00]+$' }";
  t.strictSame(body(`id: ${id}, key_ids: { type: array, items: ${id} }`), []);
  t.strictSame(body('text: { type: string }, client_id: { type: string }, paid: { type: string },'
    + ' id: { type: integer }'), [], 'what is no id of ours');
  t.strictSame(body('run_id: { enum: [a] }'), []);
  const message = /^getThing: \w+: the service refuses U\+0000 in it; say so by a pattern$/;
  for (const schema of ['{ type: string }', '{ type: string, maxLength: 128 }',
    "{ oneOf: [{ type: string }, { type: 'null' }] }"]) {
    t.match(body(`run_id: ${schema}`), [message], schema);
    t.match(body(`ids: { type: array, items: ${schema} }`), [message], `a list of ${schema}`);
    t.match(body(`deep: { type: object, properties: { id: ${schema} } }`), [message], 'inside');
  }
  t.match(body("more: { $ref: '#/components/schemas/Thing' }",
    '{ type: object, properties: { id: { type: string } } }'), [message], 'by a reference');
  t.strictSame(ruleFaults(documentWith({
    schema: '{ type: object, properties: { id: { type: string } } }' })), [], 'an answer has any');
});

t.test('requests and successes share the names of examples', async (t) => {
  const examples = (...names: string[]) =>
    `examples: { ${names.map((name) => `${name}: { value: {} }`).join(', ')} }`;
  const pair = (asked: string[], answered: string[]) => ruleFaults(documentWith({
    operation: `requestBody: { content: { application/json: { ${examples(...asked)} } } }`,
    answer: examples(...answered),
  }));
  t.strictSame(pair(['a', 'b'], ['b', 'a']), []);
  t.match(pair(['a', 'b'], ['a']), ['getThing: no success has an example "b", as the request has']);
  t.match(pair(['a'], ['a', 'b']), ['getThing: the request has no example "b", as a success has']);
});
