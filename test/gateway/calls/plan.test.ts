import t from 'tap';
import type { ActionCall, MissingOutcome } from '../../../src/gateway/action/outcome.ts';
import { ActionGone } from '../../../src/gateway/action/action.ts';
import { ActionFailure } from '../../../src/gateway/action/failure.ts';
import { InputValidators } from '../../../src/gateway/calls/inputValidators.ts';
import type { PlannedCall } from '../../../src/gateway/calls/call.ts';
import { findAction, planCall } from '../../../src/gateway/calls/plan.ts';
import type { VisibleActions } from '../../../src/gateway/catalogue/visibility.ts';
import type { Connection } from '../../../src/store/connections.ts';
import { arrange } from '../../../src/gateway/openapi/arrange.ts';
import type { Grant } from '../../../src/store/grants.ts';
import { connection, definition, grant, source, visibleOf } from '../support.ts';

const read = definition();
const write = definition({ name: 'github.issues.create', effect: 'write' });
const paged = definition({ name: 'github.issues.search', paged: true,
  turnTo: (input) => ({ input, described: input }) });

/** The plan of a call, or what it lacks. */
async function planned(
  call: ActionCall, read_only_only: boolean, visible: VisibleActions, validators: InputValidators,
): Promise<PlannedCall | ActionFailure['outcome']> {
  try {
    const asker = { workspace_id: visible.workspace_id, read_only_only };
    return await planCall(call, await findAction(call, visible), asker, validators);
  } catch (error) {
    if (error instanceof ActionFailure) return error.outcome;
    throw error;
  }
}

/** What comes of a call in a workspace that has `connections`. */
function plan(call: unknown, connections: Connection[] = [connection()], read_only_only = false) {
  const visible = visibleOf([source([read, write, paged])], connections);
  return planned(call as ActionCall, read_only_only, visible, new InputValidators());
}

t.test('a call that lacks nothing', async (t) => {
  t.same(await plan({ action: read.name, input: { state: 'open' }, fields: ['a.b'] }), {
    definition: read, integration: source([]).integration, fields: ['a.b'],
    approval_scope: null, granted: false,
    input: { state: 'open' }, cursor: null,
    request: { input: { state: 'open' }, connection: connection() } });
  const nothing = { input: null, connection_id: null, fields: null, cursor: null };
  t.match(await plan({ action: read.name, ...nothing }),
    { request: { input: {} }, fields: null }, 'null stands for left out');
  t.match(await plan({ action: paged.name, cursor: 'c' }), { cursor: 'c' });
});

t.test('all gaps at once, permission first', async (t) => {
  const call = { action: write.name, input: { state: 'ajar' }, cursor: 'c' };
  t.same(await plan(call, []), { status: 'missing', missing: [
    { code: 'not_permitted',
      message: 'github.issues.create changes data and no grant allows it in this workspace. The'
        + ' operator of this service can grant it: `gatehouse grants add --actions'
        + ' github.issues.create --workspace wsp_1`.',
      action: write.name, effect: 'write', who_can_grant: 'operator',
      grant_needed: { actions: write.name, decision: 'allow' } },
    { code: 'not_connected',
      message: 'The workspace has no connection to the integration "github" (GITHUB). The operator'
        + ' of this service can connect it: `gatehouse connections add github --workspace'
        + ' wsp_1`.',
      integration: 'github', auth_methods: ['bearer'], who_can_connect: 'operator' },
    { code: 'invalid_input',
      message: 'The input of github.issues.create is not valid: /cursor is given, but the action'
        + ' has no pages.',
      violations: [{ path: '/cursor', message: 'is given, but the action has no pages' }],
      schema: {} },
  ] }, 'the input is not looked at');
  t.match(await plan({ action: read.name, input: { state: 'ajar' }, cursor: 'c' }, []), { missing: [
    { code: 'not_connected' },
    { code: 'invalid_input',
      violations: [{ path: '/cursor', message: 'is given, but the action has no pages' },
        { path: '/input/state', message: 'must be one of "open", "closed"' }],
      schema: { '/input/state': { type: 'string', enum: ['open', 'closed'] } } },
  ] });
});

t.test('of what says that it reads, untrusted, no more is said than is known', async (t) => {
  const said = { ...write, said_to_read: true };
  const visible = visibleOf([source([said])], [connection()]);
  const told = async (direct: boolean) => ((await planned({ action: said.name }, direct, visible,
    new InputValidators())) as MissingOutcome).missing[0]!.message;
  const how = / wsp_1`, or, .* integrations update github --effect github\.issues\.create=read`\.$/;
  for (const direct of [false, true]) {
    t.match(await told(direct), /^github\.issues\.create counts as changing data \(its server/);
    t.match(await told(direct), how);
  }
});

t.test('the schema of an action is not applied for who may not call it', async (t) => {
  const visible = visibleOf([source([read, write])], [connection()]);
  const look = () => t.fail('nobody is to look at the input');
  const validators = { check: look, fit: look };
  t.match(await planned({ action: write.name, input: { state: 'ajar' } }, false, visible,
    validators as unknown as InputValidators), { missing: [{ code: 'not_permitted' }] });
  t.match(await planned({ action: write.name, input: { state: 'ajar' } }, true, visible,
    validators as unknown as InputValidators), { missing: [{ code: 'action_not_read_only' }] });
});

t.test('a direct call of what does not only read is refused before all else', async (t) => {
  const { missing } = await plan({ action: write.name, input: 3 }, [], true) as MissingOutcome;
  t.match(missing, [{ code: 'action_not_read_only', action: write.name, effect: 'write' }]);
  t.equal(missing.length, 1);
  t.match(missing[0]!.message, / has to grant that: `gatehouse grants add /);
  t.match(await plan({ action: read.name }, undefined, true), { definition: read });
});

t.test('a direct call of what a grant lets agents do does not ask for another one', async (t) => {
  for (const decision of ['allow', 'require_approval'] as const) {
    const visible = visibleOf([source([read, write])], [connection()], [grant({ decision })]);
    const { missing: [gap] } = await planned({ action: write.name }, true, visible,
      new InputValidators()) as MissingOutcome;
    t.match(gap, { code: 'action_not_read_only', message: /in a run, as a grant allows\.$/ });
  }
});

t.test('unknown actions come with visible suggestions', async (t) => {
  t.match(await plan({ action: 'github.issue.lists' }), { missing: [{ code: 'unknown_action',
    action: 'github.issue.lists', suggestions: ['github.issues.list', /^github/, /^github/] }] });
  t.match(await plan({ action: 'github.issue.lists' }, []), { missing: [{ code: 'unknown_action',
    suggestions: [], message: /gateway\.actions\.search/ }] }, 'none of what is not connected');
  const suggested = async (action: string) => (await plan({ action }) as unknown as
    { missing: { suggestions: string[] }[] }).missing[0]!.suggestions;
  t.same(await suggested('salesforce.issues.list'), [], 'an unknown integration has no strangers');
  t.match(await plan({ action: 'salesforce.issues.list' }), { missing: [{ message:
    /"salesforce.issues.list"\. Connected are github\. Search for one/ }] });
  t.equal((await suggested('githb.issues.list'))[0], read.name, 'a misspelt one has');
  t.equal((await suggested('issues.list'))[0], read.name, 'and so has one that is left out');
  t.equal((await suggested('create_issue'))[0], write.name);
  const long = await plan({ action: 'x'.repeat(100_000) }) as MissingOutcome;
  t.ok(long.missing[0]!.message.length < 400);
});

t.test('an action that is removed meanwhile is an unknown one', async (t) => {
  const gone = { ...read, open: () => Promise.reject(new ActionGone(read.name)) };
  const visible = visibleOf([source([gone, write])], [connection()]);
  t.match(await planned({ action: read.name }, false, visible, new InputValidators()),
    { missing: [{ code: 'unknown_action', suggestions: [write.name], action: read.name }] });
});

t.test('an input that takes too long to be put right stays wrong', async (t) => {
  for (const arrange of [() => { for (;;); }, function again(): never { return again(); }]) {
    const slow = definition({ arrange });
    const visible = visibleOf([source([slow])], [connection()]);
    t.match(await planned({ action: slow.name, input: { state: 'ajar' } }, false, visible,
      new InputValidators()), { missing: [{ code: 'invalid_input',
      violations: [{ path: '/input/state' }] }] });
  }
});

t.test('of thousands of connections so many are told as somebody reads', async (t) => {
  const many = (changes: Partial<Connection>) => Array.from({ length: 3_000 }, (_, at) =>
    connection({ id: `con_${at}`, ...changes }));
  const gapsOf = async (connections: Connection[]) =>
    (await plan({ action: read.name }, connections) as MissingOutcome).missing;
  const ambiguous = await gapsOf(many({}));
  t.match(ambiguous, [{ code: 'connection_ambiguous',
    message: /has 3000 connections .*The first 100 are named here; gateway.connections/ }]);
  t.equal((ambiguous[0] as { connections?: object[] }).connections!.length, 100);
  t.equal((await gapsOf(many({ status: 'needs_reconnect' }))).length, 10);
});

t.test('which connection', async (t) => {
  const second = connection({ id: 'con_2', account_label: null });
  const broken = connection({ id: 'con_3', status: 'needs_reconnect', status_reason: 'revoked' });
  const call = { action: read.name };
  t.match(await plan(call, [connection(), second]), { missing: [{ code: 'connection_ambiguous',
    integration: 'github', connections: [{ connection_id: 'con_1', account_label: 'octocat' },
      { connection_id: 'con_2', account_label: null }] }] });
  t.match(await plan({ ...call, connection_id: 'con_2' }, [connection(), second]),
    { request: { connection: { id: 'con_2' } } });
  t.match(await plan(call, [connection(), broken]),
    { request: { connection: { id: 'con_1' } } });
  t.match(await plan(call, [broken]), { missing: [{ code: 'needs_reconnect', connection_id: 'con_3',
    account_label: 'octocat', reason: 'revoked' }] });
  t.match(await plan({ ...call, connection_id: 'con_3' }, [connection(), broken]),
    { missing: [{ code: 'needs_reconnect', connection_id: 'con_3' }] });
  for (const status of ['pending', 'disabled'] as const) {
    t.match(await plan(call, [connection({ status })]), { missing: [{ code: 'not_connected' }] });
  }
  t.match(await plan(call, [connection({ status: 'pending' })]), { missing: [{
    message: 'The connection con_1 (octocat) to the integration "github" (GITHUB) is pending. The'
      + ' operator of this service can have somebody consent to it: `gatehouse connections'
      + ' reconnect con_1`.',
  }] });
  t.match(await plan(call, [connection({ status: 'disabled' })]), { missing: [{
    message: 'The connection con_1 (octocat) to the integration "github" (GITHUB) is disabled. The'
      + ' operator of this service can enable it: `gatehouse connections update con_1 --enable`.',
  }] });
});

t.test('a connection of another integration is an unknown one', async (t) => {
  const connections = [connection(), connection({ id: 'con_9', integration: 'slack' })];
  const other = await plan({ action: read.name, connection_id: 'con_9' }, connections);
  t.match(other, { missing: [{ code: 'invalid_input', violations: [{ path: '/connection_id',
    message: 'names no connection of the workspace to github that can be used; there is con_1'
      + ' (octocat)' }] }] });
  t.same(other, await plan({ action: read.name, connection_id: 'con_none' }, connections));
});

t.test('an input is put right if that can be meant in one way only', async (t) => {
  const issue = definition({
    name: 'github.issues.close', effect: 'read',
    input_schema: { type: 'object', required: ['path'], additionalProperties: false, properties: {
      path: { type: 'object', required: ['number'], additionalProperties: false,
        properties: { number: { type: 'integer' } } },
      body: { type: 'object', properties: { state: { type: 'string' } } } } },
    arrange: (input) => arrange(issue.input_schema, input),
  });
  const visible = visibleOf([source([issue])], [connection()]);
  const validators = new InputValidators();
  const asked = (input: object, grants: Grant[] = []) => planned({ action: issue.name, input },
    false, grants.length === 0 ? visible : visibleOf([source([{ ...issue, effect: 'write' }])],
      [connection()], grants), validators);
  const right = { path: { number: 7 }, body: { state: 'closed' } };
  t.match(await asked({ number: '7', state: 'closed' }), { request: { input: right } });
  t.same(await asked({ number: '7', state: 'closed' }), await asked(right),
    'as if it had been given so');
  t.match(await asked({ number: 'seven', state: 'closed', size: 1 }), { missing: [{ violations: [
    { path: '/input/path', message: 'is required' },
    { path: '/input/number', message: 'belongs into path: {"path": {"number": …}}' },
    { path: '/input/state', message: 'belongs into body: {"body": {"state": …}}' },
    { path: '/input/size', message: /^is not a known field/ }] }] });
  const loose = { path: { number: 7 }, body: { number: '7', path: { number: '7' } } };
  t.match(await asked(loose), { request: { input: loose } }, 'what fits is not touched');
  t.match(await asked({ number: '7' }, [grant({ actions: 'github.nothing' })]),
    { missing: [{ code: 'not_permitted' }] }, 'permission comes first');
});

t.test('whatever a model makes up is answered', async (t) => {
  const violations = async (call: unknown) =>
    (await plan(call) as unknown as { missing: { violations: { path: string }[] }[] })
      .missing[0]?.violations.map(({ path }) => path);
  for (const call of [null, undefined, 'github.issues', [], {}, { action: '' }, { action: 5 }]) {
    t.same(await violations(call), ['/action'], JSON.stringify(call));
  }
  t.same(await violations({ action: read.name, input: 'state=open', connection_id: 1, fields: 'a',
    cursor: '', state: 'open' }), ['/state', '/input', '/connection_id', '/cursor', '/fields',
    '/connection_id', '/cursor']);
  t.same(await violations({ action: read.name, fields: [''] }), ['/fields']);
  t.same(await violations({ action: read.name, fields: Array(101).fill('a') }), ['/fields']);
  t.match(await plan({ action: read.name, fields: [] }), { definition: read, fields: null });
});
