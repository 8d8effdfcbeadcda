import t from 'tap';
import { describeTool } from '../../../src/gateway/catalogue/tool.ts';
import { unknownAction } from '../../../src/gateway/catalogue/unknownAction.ts';
import { isListed } from '../../../src/gateway/catalogue/visibility.ts';
import type { ConnectionStatus } from '../../../src/store/connections.ts';
import { connection, definition, grant, source, visibleOf } from '../support.ts';

t.test('reading is allowed, the rest is not', async (t) => {
  const effects = ['read', 'write', 'destructive'] as const;
  const actions = effects.map((effect) => definition({ name: `github.a.${effect}`, effect }));
  const visible = visibleOf([source(actions)], [connection()]);
  t.same(effects.map((effect) => visible.get(`github.a.${effect}`)?.judge(null).permission),
    ['allow', 'not_permitted', 'not_permitted']);
});

const listed: [ConnectionStatus | null, boolean][] = [
  ['connected', true], ['needs_reconnect', false], ['pending', false], ['disabled', false],
  [null, false],
];
for (const [status, expected] of listed) {
  t.test(`with ${status ?? 'no'} connection an action is ${expected ? '' : 'not '}listed`,
    async (t) => {
      const connections = status === null ? [] : [connection({ status })];
      const action = visibleOf([source([definition()])], connections)
        .get('github.issues.list');
      t.equal(action && isListed(action), expected);
    });
}

t.test('a connection counts for its own integration only', async (t) => {
  const slack = definition({ name: 'slack.a.b', integration: 'slack' });
  const visible = visibleOf(
    [source([definition()]), source([slack], 'slack')], [connection()]);
  t.same([...visible.values()].map(isListed), [true, false]);
  t.same([...visible.values('slack')].map(({ definition }) => definition.name), ['slack.a.b']);
});

t.test('connections to what exists are told by age', async (t) => {
  const slack = definition({ name: 'slack.a.b', integration: 'slack' });
  const by_age = ['slack', 'github', 'slack', 'gone', 'github']
    .map((integration, at) => connection({ id: `con_${at}`, integration }));
  const visible = visibleOf([source([slack], 'slack'), source([definition()])], by_age);
  t.same(visible.connections().map(({ id }) => id), ['con_0', 'con_1', 'con_2', 'con_4']);
});

t.test('the tool names the connected integrations, sorted, at most 50', async (t) => {
  const slugs = Array.from({ length: 60 }, (_, i) => `s${String(99 - i)}`);
  const sources = slugs.map((slug) => source(
    [definition({ name: `${slug}.a.b`, integration: slug })], slug));
  const connections = slugs.slice(0, 52).map((slug) => connection({ integration: slug }));
  const tool = describeTool(visibleOf(sources, connections));
  t.match(tool.description, / s48 \(S48\), s49 \(S49\), .*s97 \(S97\), and 2 more\.$/);
  t.notMatch(tool.description, /s98|s47/);
  t.equal(tool.name, 'call_action');
  const { input_schema } = tool as { input_schema: Record<string, object> };
  t.equal(Object.keys(input_schema.properties!)[0], 'action');
  t.same(input_schema.required, ['action']);
  t.notOk(['oneOf', 'anyOf', 'allOf'].some((keyword) => keyword in input_schema));
  t.match(describeTool(visibleOf(sources, [])).description, /integrations: none\./);
});

t.test('the tool names what has to be reconnected, unless another account works', async (t) => {
  const told = (...statuses: ConnectionStatus[]) => describeTool(visibleOf([source([definition()])],
    statuses.map((status, at) => connection({ id: `con_${at}`, status })))).description;
  t.match(told('needs_reconnect', 'disabled'),
    /Connected integrations: none\. To be reconnected before .*: github \(GITHUB\)\.$/);
  for (const statuses of [['needs_reconnect', 'connected'], ['disabled'], ['pending']] as const) {
    t.notMatch(told(...statuses), /reconnected/, statuses.join());
  }
});

t.test('an account that works and is denied does not hide that another has to be reconnected',
  async (t) => {
    const visible = visibleOf([source([definition()])],
      [connection({ id: 'con_1' }), connection({ id: 'con_2', status: 'needs_reconnect' })],
      [grant({ decision: 'deny', actions: 'github.*', connection_id: 'con_1' })]);
    t.strictSame([...visible.broken()].map(({ slug }) => slug), ['github']);
    t.match(await unknownAction('gitlab.nothing.here', visible),
      { message: /Connected are no integrations; to be reconnected before .* used: github\. / });
    t.match(await unknownAction('github.nothing.here', visible),
      { message: /here"\. github has to be reconnected before its actions are found: / });
  });
