import t from 'tap';
import type { McpIntegration } from '../../../src/gateway/mcp/integration.ts';
import {
  toActions, type ImportChoice, type KnownActions,
} from '../../../src/gateway/mcp/toActions.ts';

const tool = (name: unknown, rest: object = {}) =>
  ({ name, inputSchema: { type: 'object' }, ...rest });

function read(
  listed: unknown[], choice: ImportChoice = {}, changes: Partial<McpIntegration> = {}) {
  return toActions({ slug: 's', title: 'S', mcp: { url: 'https://example.com' }, ...changes },
    listed, false, choice);
}

const knownOf = (listed: unknown[]): KnownActions => new Map(read(listed).actions
  .map(({ source_key, name, schema_hash }) => [source_key, { name, schema_hash }]));

t.test('an action is what the tool says, within bounds', async (t) => {
  const [action] = read([tool('getUser', { title: 'Get\0 user', description: 'd'.repeat(5_000),
    outputSchema: { type: 'object', properties: { id: { type: 'string' } } },
    inputSchema: { type: 'object', properties: { id: { type: 'string' } } } })]).actions;
  t.match(action, {
    name: 's.tools.get_user', integration: 's', source_key: 'getUser', title: 'Get\uFFFD user',
    effect: 'write', paged: false, quarantined: false,
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
  const effects = (changes: Partial<McpIntegration>) => read(listed, {}, changes).actions
    .map(({ effect }) => effect);
  const url = 'https://example.com';
  t.same(effects({}), ['write', 'write', 'write', 'destructive', 'destructive', 'write']);
  t.same(effects({ mcp: { url, trust_hints: true } }), ['write', 'read', 'write',
    'destructive', 'destructive', 'write']);
  t.same(effects({ overrides: { none: { effect: 'read' }, read: { effect: 'destructive' },
    both: { effect: 'write' } } }), ['read', 'destructive', 'write', 'destructive', 'write',
    'write']);
  t.equal(read([tool('constructor')], {}, { overrides: {} }).actions[0]!.effect, 'write');
});

t.test('names persist, and a new tool does not take one', async (t) => {
  const known = knownOf([tool('get_user'), tool('gone')]);
  const { actions } = read([tool('getUser'), tool('get_user'), tool('Gone')], { known });
  t.same(actions.map(({ name }) => name), [
    's.tools.get_user_e28ebf', 's.tools.get_user', 's.tools.gone_55f6a8']);
});

t.test('a changed schema or hint is quarantined until it is accepted', async (t) => {
  const schema = { type: 'object', properties: { a: { type: 'string' }, b: {} }, required: ['a'] };
  const before = [tool('x', { inputSchema: schema, description: 'Before' })];
  const known = knownOf(before);
  const accepted = known.get('x')!.schema_hash;
  const state = (changed: object, choice: ImportChoice = {}) => {
    const { actions } = read([{ ...before[0], ...changed }], { known, ...choice });
    const [{ quarantined, schema_hash }] = actions as [typeof actions[number]];
    return { quarantined, accepted: schema_hash === accepted };
  };
  const same = { quarantined: false, accepted: true };
  const held = { quarantined: true, accepted: true };
  t.same(state({}), same);
  t.same(state({ description: 'After', title: 'X' }), same, 'words may change');
  t.same(state({ inputSchema: { required: ['a'], properties: { b: {}, a: { type: 'string' } },
    type: 'object' } }), same, 'and the order');
  t.same(state({ annotations: {} }), same, 'no hints are no hints');
  const widened = { inputSchema: { ...schema, required: [] } };
  t.same(state(widened), held);
  t.same(state({ outputSchema: { type: 'object' } }), held);
  for (const hint of ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']) {
    t.same(state({ annotations: { [hint]: false } }), held, hint);
  }
  t.same(state({ inputSchema: { ...schema, properties: { a: { type: 'string', 'x-new': 1 } } } }),
    held, 'also what no validator reads');
  t.same(state(widened, { accept: true }), { quarantined: false, accepted: false });
  t.same(read([tool('x'), tool('new')], { known }).actions.map(({ quarantined }) => quarantined),
    [true, false], 'a new one is not a changed one');
});

t.test('what is no tool is skipped, and said so', async (t) => {
  let deep: unknown = {};
  for (let n = 0; n < 100_000; n++) deep = { properties: { deep } };
  const { actions, report } = read([
    null, 'x', {}, tool(''), tool(7), tool('n'.repeat(201)), tool('nul\0'), tool('\uD800'),
    tool('list', { inputSchema: [] }), tool('string', { inputSchema: { type: 'string' } }),
    tool('deep', { inputSchema: deep }), tool('large', { inputSchema: { x: 'x'.repeat(300_000) } }),
    tool('large output', { outputSchema: { x: 'x'.repeat(300_000) } }),
    tool('good'), tool('good', { inputSchema: { type: 'object', required: ['evil'] } }),
  ]);
  t.same(actions.map(({ source_key }) => source_key), ['good']);
  t.same(actions[0]!.input_schema, { type: 'object' }, 'the first counts');
  t.same(report.skipped.map(({ reason }) => reason), [
    ...Array<string>(8).fill('its name is not a text of 1 to 200 characters'),
    'its input schema is not an object', 'its input schema does not describe an object',
    'its input schema is nested deeper than 64 levels',
    'its input schema is longer than 262144 characters', 'its schemas are too large',
    'another tool before it has the same name',
  ]);
});
