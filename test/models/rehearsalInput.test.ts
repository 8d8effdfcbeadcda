import t from 'tap';
import { fillInput } from '../../src/models/rehearsalInput.ts';

const string = { type: 'string' };
const integer = { type: 'integer' };
const object = (properties: object, ...required: string[]) =>
  ({ type: 'object', properties, required });

t.test('the flat input of built-in actions', async (t) => {
  const schema = object({ query: string, limit: integer, read_only: { type: 'boolean' } }, 'query');
  t.strictSame(fillInput(schema, 'list actions limit=5, read_only: true'), {
    input: { query: 'list actions limit=5, read_only: true', limit: 5, read_only: true },
    missing: [],
  });
  t.strictSame(fillInput(object({ title: string, note: string }), 'a session "Plans" "x"').input,
    { title: 'Plans' }, 'what is quoted may be a title, even if none is required');
  t.strictSame(fillInput(schema, 'find "open issues" 7').input, { query: 'open issues' });
});

t.test('the nested input of imported actions', async (t) => {
  const schema = object({
    path: object({ owner: string, repo: string, number: integer }, 'owner', 'repo', 'number'),
    query: object({ state: { enum: ['open', 'closed'] }, page: integer }),
    body: object({ title: string, labels: { type: 'array' } }, 'title', 'labels'),
  }, 'path', 'body');
  t.strictSame(fillInput(schema, 'issue 42 of octocat/hello-world. title: "A b" state=Closed'), {
    input: {
      path: { owner: 'octocat', repo: 'hello-world', number: 42 },
      query: { state: 'closed' },
      body: { title: 'A b', labels: [] },
    },
    missing: ['body.labels'],
  });
});

t.test('ids are told apart by their prefix', async (t) => {
  const schema = object({ path: object({ session_id: string, run_id: string },
    'session_id', 'run_id') }, 'path');
  const text = 'run_01jd00000000000000000000ab of ses_01jd00000000000000000000cd';
  t.strictSame(fillInput(schema, text).input, { path: {
    session_id: 'ses_01jd00000000000000000000cd', run_id: 'run_01jd00000000000000000000ab' } });
});

t.test('what is missing gets a placeholder of its type, unless it has a default', async (t) => {
  const schema = object({
    name: string, count: integer, flag: { type: 'boolean' }, kind: { enum: ['a', 'b'] },
    any: {}, fixed: { const: 1 }, usual: { type: 'string', default: 'x' },
    optional: object({ inner: string }, 'inner'),
  }, 'name', 'count', 'flag', 'kind', 'any', 'fixed', 'usual');
  t.strictSame(fillInput(schema, 'do it'), {
    input: { name: '<name>', count: 0, flag: false, kind: 'a', any: '<any>', fixed: 1 },
    missing: ['name', 'count', 'flag', 'kind', 'any'],
  });
});

t.test('the type of what may be null is said in an alternative', async (t) => {
  const or_null = (schema: object) => ({ anyOf: [schema, { type: 'null' }] });
  const schema = {
    ...object({
      title: or_null(string), city: { oneOf: [{ type: 'null' }, { $ref: '#/$defs/City' }] },
      limit: or_null(integer), kind: { allOf: [{ $ref: '#/$defs/Kind' }], default: 'b' },
      note: { anyOf: [{ $ref: '#/$defs/City' }, { const: null }], default: 'x' },
      owl: or_null({ $ref: '#/$defs/Owl' }), none: { anyOf: [{ enum: [null] }] },
      loop: { $ref: '#/$defs/Loop' },
    }, 'city', 'limit', 'kind', 'note', 'owl'),
    $defs: {
      City: or_null(string), Kind: { enum: ['a', 'b'] }, Owl: object({ name: string }, 'name'),
      Loop: { anyOf: [{ $ref: '#/$defs/Loop' }] },
    },
  };
  const text = 'city=Berlin limit=5 title: "Plans" name=Ada none=1 loop=2';
  t.strictSame(fillInput(schema, text), {
    input: { title: 'Plans', city: 'Berlin', limit: 5, owl: { name: 'Ada' } }, missing: [],
  });
  t.strictSame(fillInput(schema, 'kind=a').input, {
    city: '<city>', limit: 0, kind: 'a', owl: { name: '<name>' } });
});

t.test('schemas that refer, to themselves too, or that are none', async (t) => {
  const schema = {
    ...object({ body: { $ref: '#/$defs/node' } }, 'body'),
    $defs: { node: object({ name: string, child: { $ref: '#/$defs/node' } }, 'name', 'child') },
  };
  const { input, missing } = fillInput(schema, 'name=x');
  t.match(input, { body: { name: 'x', child: { name: 'x' } } });
  t.ok(missing.length > 0, 'it ends');
  const loop = { $ref: '#' };
  for (const odd of [loop, null, true, 5, [], { properties: 5 }, { required: [1] }]) {
    t.strictSame(fillInput(odd, 'x'), { input: {}, missing: [] });
  }
});

t.test('a schema that contains itself a billion times', async (t) => {
  const names = Array.from({ length: 200 }, (_, i) => `p${i}`);
  const properties = Object.fromEntries(names.map((name) => [name, { $ref: '#/$defs/node' }]));
  const node = { properties, required: names };
  t.match(fillInput({ ...node, $defs: { node } }, 'hello').input, { p0: { p0: {} } });
});
