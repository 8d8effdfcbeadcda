import t from 'tap';
import type { McpIntegration } from '../../../src/gateway/mcp/integration.ts';
import { toActions, type KnownNames } from '../../../src/gateway/mcp/toActions.ts';

const tool = (name: unknown, rest: object = {}) =>
  ({ name, inputSchema: { type: 'object' }, ...rest });

function read(
  listed: unknown[], known: KnownNames = new Map(), changes: Partial<McpIntegration> = {}) {
  return toActions({ slug: 's', title: 'S', mcp: { url: 'https://example.com' }, ...changes },
    listed, (text) => text, known);
}

const knownOf = (listed: unknown[]): KnownNames => new Map(read(listed).actions
  .map(({ source_key, name }) => [source_key, name]));

t.test('an action is what the tool says, within bounds', async (t) => {
  const [action] = read([tool('getUser', { title: 'Get\0 user', description: 'd'.repeat(5_000),
    outputSchema: { type: 'object', properties: { id: { type: 'string' } } },
    inputSchema: { type: 'object', properties: { id: { type: 'string' } } } })]).actions;
  t.match(action, {
    name: 's.tools.get_user', integration: 's', source_key: 'getUser', title: 'Get\uFFFD user',
    effect: 'write', paged: false,
    input_schema: { type: 'object', properties: { id: { type: 'string' } } },
    output_schema: { properties: { id: { type: 'string' } } },
  });
  t.equal(action!.description.length, 4_000);
  const [bare] = read([{ name: 'list-all_issues' }]).actions;
  t.match(bare, { title: 'list all issues', description: 'list all issues',
    input_schema: { type: 'object' }, output_schema: null });
});

t.test('a tool writes unless a trusted hint, or the operator, says otherwise', async (t) => {
  const listed = [
    tool('none'), tool('read', { annotations: { readOnlyHint: true } }),
    tool('text', { annotations: { readOnlyHint: 'true' } }),
    tool('destroy', { annotations: { destructiveHint: true } }),
    tool('both', { annotations: { readOnlyHint: true, destructiveHint: true } }),
    tool('no', { annotations: { destructiveHint: false, readOnlyHint: false } }),
  ];
  const effects = (changes: Partial<McpIntegration>) => read(listed, undefined, changes).actions
    .map(({ effect }) => effect);
  const url = 'https://example.com';
  t.same(effects({}), ['write', 'write', 'write', 'destructive', 'destructive', 'write']);
  t.same(effects({ mcp: { url, trust_hints: true } }), ['write', 'read', 'write',
    'destructive', 'read', 'write'], 'what only reads destroys nothing, whatever it says of that');
  t.same(effects({ overrides: { none: { effect: 'read' }, read: { effect: 'destructive' },
    both: { effect: 'write' } } }), ['read', 'destructive', 'write', 'destructive', 'write',
    'write']);
  t.equal(read([tool('constructor')], undefined, { overrides: {} }).actions[0]!.effect, 'write');
});

t.test('names persist, and a new tool does not take one', async (t) => {
  const known = knownOf([tool('get_user'), tool('gone')]);
  const { actions } = read([tool('getUser'), tool('get_user'), tool('Gone')], known);
  t.same(actions.map(({ name }) => name), [
    's.tools.get_user_e28ebf', 's.tools.get_user', 's.tools.gone_55f6a8']);
});

t.test('another schema or hint is another hash, other words are not', async (t) => {
  const schema = { type: 'object', properties: { a: { type: 'string' }, b: {} }, required: ['a'] };
  const before = tool('x', { inputSchema: schema, description: 'Before' });
  const hashOf = (changed: object) => read([{ ...before, ...changed }]).actions[0]!.schema_hash;
  const accepted = hashOf({});
  const same = (changed: object, says = '') => t.equal(hashOf(changed), accepted, says);
  const other = (changed: object, says = '') => t.not(hashOf(changed), accepted, says);
  same({ description: 'After', title: 'X' }, 'words may change');
  same({ inputSchema: { required: ['a'], properties: { b: {}, a: { type: 'string' } },
    type: 'object' } }, 'and the order');
  same({ annotations: {} }, 'no hints are no hints');
  other({ inputSchema: { ...schema, required: [] } });
  other({ outputSchema: { type: 'object' } });
  for (const hint of ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']) {
    other({ annotations: { [hint]: false } }, hint);
  }
  const described = (description: string) =>
    ({ inputSchema: { ...schema, properties: { a: { type: 'string', description } } } });
  other(described('as before'), 'words within a schema are of the schema');
  other({ inputSchema: { ...schema, properties: { a: { type: 'string', 'x-new': 1 } } } },
    'also what no validator reads');
});

t.test('what is no tool is skipped, and said so', async (t) => {
  let deep: unknown = {};
  for (let n = 0; n < 100_000; n++) deep = { properties: { deep } };
  const { actions, skipped } = read([
    null, 'x', {}, tool(''), tool(7), tool('n'.repeat(201)), tool('nul\0'), tool('\uD800'),
    tool('list', { inputSchema: [] }), tool('string', { inputSchema: { type: 'string' } }),
    tool('deep', { inputSchema: deep }), tool('large', { inputSchema: { x: 'x'.repeat(300_000) } }),
    tool('large output', { outputSchema: { x: 'x'.repeat(300_000) } }),
    tool('good'), tool('good', { inputSchema: { type: 'object', required: ['evil'] } }),
    tool('long', { execution: { taskSupport: 'required' } }), tool('resources/read'),
  ]);
  t.same(actions.map(({ source_key }) => source_key), ['good']);
  t.same(actions[0]!.input_schema, { type: 'object' }, 'the first counts');
  t.same(skipped.map(({ reason }) => reason), [
    ...Array<string>(8).fill('its name is not a text of 1 to 200 characters'),
    'its input schema is not an object', 'its input schema does not describe an object',
    'its input schema is nested deeper than 64 levels',
    'its input schema is longer than 262144 characters', 'its schemas are too large',
    'another tool before it has the same name',
    'it can be called as a task alone, and tasks are not known here',
    'its name is that of an action of this service',
  ]);
});
