import t from 'tap';
import type { ActionCall, MissingOutcome } from '../../../src/gateway/action/outcome.ts';
import { InputValidators } from '../../../src/gateway/calls/inputValidators.ts';
import { planCall } from '../../../src/gateway/calls/plan.ts';
import type { Connection } from '../../../src/store/connections.ts';
import { connection, definition, source, visibleOf } from '../support.ts';

const read = definition();
const write = definition({ name: 'github.issues.create', effect: 'write' });
const paged = definition({ name: 'github.issues.search', paged: true,
  turnTo: (input) => ({ input, described: input }) });

/** What comes of a call in a workspace that has `connections`. */
function plan(call: unknown, connections: Connection[] = [connection()], read_only_only = false) {
  const visible = visibleOf([source([read, write, paged])], connections);
  return planCall(call as ActionCall, read_only_only, visible, new InputValidators());
}

t.test('a call that lacks nothing', async (t) => {
  t.same(plan({ action: read.name, input: { state: 'open' }, fields: ['a.b'] }), {
    status: 'planned', definition: read, integration: source([]).integration, fields: ['a.b'],
    approval_scope: null, granted: false,
    request: { input: { state: 'open' }, connection: connection() }, cursor: null });
  t.match(plan({ action: read.name, input: null, connection_id: null, fields: null, cursor: null }),
    { status: 'planned', request: { input: {} }, fields: null }, 'null stands for left out');
  t.match(plan({ action: paged.name, cursor: 'c' }), { cursor: 'c' });
});

t.test('all gaps at once, permission first', async (t) => {
  const call = { action: write.name, input: { state: 'ajar' }, cursor: 'c' };
  t.same(plan(call, []), { status: 'missing', missing: [
    { code: 'not_permitted',
      message: 'github.issues.create changes data and no grant allows it in this workspace. The'
        + ' operator of this service can grant it: `gatehouse grants add --actions'
        + ' github.issues.create`.',
      action: write.name, effect: 'write', who_can_grant: 'operator',
      grant_needed: { actions: write.name, decision: 'allow' } },
    { code: 'not_connected',
      message: 'The workspace has no connection to the integration "github" (GITHUB). The operator'
        + ' of this service can connect it: `gatehouse connections add github`.',
      integration: 'github', auth_methods: ['bearer'], who_can_connect: 'operator' },
    { code: 'invalid_input',
      message: 'The input of github.issues.create is not valid: /cursor is given, but the action'
        + ' has no pages.',
      violations: [{ path: '/cursor', message: 'is given, but the action has no pages' }],
      schema: {} },
  ] }, 'the input is not looked at');
  t.match(plan({ action: read.name, input: { state: 'ajar' }, cursor: 'c' }, []), { missing: [
    { code: 'not_connected' },
    { code: 'invalid_input',
      violations: [{ path: '/cursor', message: 'is given, but the action has no pages' },
        { path: '/input/state', message: 'must be one of "open", "closed"' }],
      schema: { '/input/state': { type: 'string', enum: ['open', 'closed'] } } },
  ] });
});

t.test('the schema of an action is not applied for who may not call it', async (t) => {
  const visible = visibleOf([source([read, write])], [connection()]);
  const validators = { check: () => t.fail('nobody is to look at the input') };
  t.match(planCall({ action: write.name, input: { state: 'ajar' } }, false, visible,
    validators as unknown as InputValidators), { missing: [{ code: 'not_permitted' }] });
  t.match(planCall({ action: write.name, input: { state: 'ajar' } }, true, visible,
    validators as unknown as InputValidators), { missing: [{ code: 'action_not_read_only' }] });
});

t.test('a direct call of what does not only read is refused before all else', async (t) => {
  t.match(plan({ action: write.name, input: 3 }, [], true),
    { missing: [{ code: 'action_not_read_only', action: write.name, effect: 'write' }] });
  t.equal((plan({ action: write.name, input: 3 }, [], true) as MissingOutcome).missing.length, 1);
  t.match(plan({ action: read.name }, undefined, true), { status: 'planned' });
});

t.test('unknown actions come with visible suggestions', async (t) => {
  t.match(plan({ action: 'github.issue.lists' }), { missing: [{ code: 'unknown_action',
    action: 'github.issue.lists', suggestions: ['github.issues.list', /^github/, /^github/] }] });
  t.match(plan({ action: 'github.issue.lists' }, []), { missing: [{ code: 'unknown_action',
    suggestions: [], message: /gateway\.actions\.search/ }] }, 'none of what is not connected');
  const long = plan({ action: 'x'.repeat(100_000) }) as MissingOutcome;
  t.ok(long.missing[0]!.message.length < 400);
});

t.test('which connection', async (t) => {
  const second = connection({ id: 'con_2', account_label: null });
  const broken = connection({ id: 'con_3', status: 'needs_reconnect', status_reason: 'revoked' });
  const call = { action: read.name };
  t.match(plan(call, [connection(), second]), { missing: [{ code: 'connection_ambiguous',
    integration: 'github', connections: [{ connection_id: 'con_1', account_label: 'octocat' },
      { connection_id: 'con_2', account_label: null }] }] });
  t.match(plan({ ...call, connection_id: 'con_2' }, [connection(), second]),
    { request: { connection: { id: 'con_2' } } });
  t.match(plan(call, [connection(), broken]),
    { request: { connection: { id: 'con_1' } } });
  t.match(plan(call, [broken]), { missing: [{ code: 'needs_reconnect', connection_id: 'con_3',
    account_label: 'octocat', reason: 'revoked', since: '2026-11-21T09:00:00.000Z' }] });
  t.match(plan({ ...call, connection_id: 'con_3' }, [connection(), broken]),
    { missing: [{ code: 'needs_reconnect', connection_id: 'con_3' }] });
  for (const status of ['pending', 'disabled'] as const) {
    t.match(plan(call, [connection({ status })]), { missing: [{ code: 'not_connected' }] });
  }
  t.match(plan(call, [connection({ status: 'pending' })]),
    { missing: [{ message: /gatehouse connections add github/ }] });
  t.match(plan(call, [connection({ status: 'disabled' })]), { missing: [{
    message: 'The connection con_1 (octocat) to the integration "github" (GITHUB) is disabled. The'
      + ' operator of this service can enable it: `gatehouse connections update con_1 --enable`.',
  }] });
});

t.test('a connection of another integration is an unknown one', async (t) => {
  const connections = [connection(), connection({ id: 'con_9', integration: 'slack' })];
  const other = plan({ action: read.name, connection_id: 'con_9' }, connections);
  t.match(other, { missing: [{ code: 'invalid_input', violations: [{ path: '/connection_id',
    message: 'names no connection of the workspace to github that can be used' }] }] });
  t.same(other, plan({ action: read.name, connection_id: 'con_none' }, connections));
});

t.test('whatever a model makes up is answered', async (t) => {
  const violations = (call: unknown) =>
    (plan(call) as unknown as { missing: { violations: { path: string }[] }[] })
      .missing[0]?.violations.map(({ path }) => path);
  for (const call of [null, undefined, 'github.issues', [], {}, { action: '' }, { action: 5 }]) {
    t.same(violations(call), ['/action'], JSON.stringify(call));
  }
  t.same(violations({ action: read.name, input: 'state=open', connection_id: 1, fields: 'a',
    cursor: '', state: 'open' }), ['/state', '/input', '/connection_id', '/cursor', '/fields',
    '/connection_id', '/cursor']);
  t.same(violations({ action: read.name, fields: [''] }), ['/fields']);
  t.same(violations({ action: read.name, fields: Array(101).fill('a') }), ['/fields']);
  t.match(plan({ action: read.name, fields: [] }), { status: 'planned', fields: null });
});
