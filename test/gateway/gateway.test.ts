/** The gateway on a database: what callers see, and that every attempt is recorded. */
import t, { type Test } from 'tap';
import { wholeWorkspace, type Caller } from '../../src/caller.ts';
import type { ActionDefinition } from '../../src/gateway/action/action.ts';
import { failure } from '../../src/gateway/action/failure.ts';
import type { ActionCall, ActionOutcome, CallContext } from '../../src/gateway/action/outcome.ts';
import { BUILTIN_SLUGS } from '../../src/gateway/gateway.ts';
import { createLog } from '../../src/log.ts';
import { getInvocation } from '../../src/store/actionInvocations.ts';
import { createBuiltinConnections, listConnectionRows } from '../../src/store/connections.ts';
import { isUnavailable } from '../../src/store/database.ts';
import { insertWorkspace } from '../../src/store/workspaces.ts';
import { testDatabase } from '../support/database.ts';
import { storedInput } from '../support/storedInput.ts';
import { storedRun } from '../support/storedRuns.ts';
import { definition, gatewayOf, source } from './support.ts';

const config = {
  action_timeout_ms: 60_000, action_result_limit_bytes: 4_096, approval_lifetime_s: 60,
  pending_approvals: 0, key_pending_approvals: null,
};
const api: CallContext = { source: 'api', read_only_only: true };
const mine: Caller = { workspace_id: 'wsp_1', api_key_id: 'key_1', agent: null };
const theirs: Caller = { workspace_id: 'wsp_2', api_key_id: 'key_2', agent: null };

/** A gateway with the integration github, connected in two workspaces; `perform` is its read. */
async function start(t: Test, perform?: ActionDefinition['perform'], settings: object = {}) {
  const { sql } = await testDatabase(t);
  for (const { workspace_id: id } of [mine, theirs]) {
    await insertWorkspace(sql, { id, name: id, model: null, instructions: null, limits: {} });
    await sql.begin((tx) => createBuiltinConnections(tx, id, [...BUILTIN_SLUGS, 'github']));
  }
  const read = definition(perform === undefined ? {} : { perform });
  const write = definition(
    { name: 'github.issues.create', effect: 'write', title: 'Create issue' });
  const gateway = gatewayOf({ sql, config: { ...config, ...settings },
    log: createLog('silent'), sources: [source([write, read])] });
  const recorded = (outcome: ActionOutcome) =>
    getInvocation(sql, wholeWorkspace(mine.workspace_id), outcome.invocation_id);
  const connectionOf = async ({ workspace_id }: Caller) =>
    (await listConnectionRows(sql, workspace_id))
      .find(({ integration }) => integration === 'github')!;
  return { sql, gateway, recorded, connectionOf };
}

t.test('a completed call and its record', async (t) => {
  const { sql, gateway, recorded, connectionOf } = await start(t, async ({ input }) =>
    ({ result: { input, bad: 'a\0\ud800' }, source_cursor: 'more' }));
  const { id } = await connectionOf(mine);
  const call = { action: 'github.issues.list', input: { state: 'open' } };
  const outcome = await gateway.perform(mine, call, api);
  t.match(outcome, { status: 'completed', invocation_id: /^inv_/, action: 'github.issues.list',
    connection_id: id, result: { input: { state: 'open' }, bad: 'a\ufffd\ufffd' },
    truncated: false, next_cursor: outcome.invocation_id, duration_ms: Number });
  t.match(await recorded(outcome), { status: 'completed', action: 'github.issues.list',
    connection_id: id, result: { bad: 'a\ufffd\ufffd' }, error: null,
    source: 'api', api_key_id: 'key_1', run_id: null, tool_call_id: null, truncated: false });
  t.strictSame(await storedInput(sql, outcome.invocation_id), { state: 'open' });
});

t.test('an agent is recorded with its run and tool call', async (t) => {
  const { sql, gateway, recorded } = await start(t);
  const { id: run_id } = await storedRun(sql, { status: 'running' });
  const outcome = await gateway.perform(mine, { action: 'github.issues.list' },
    { source: 'run', run_id, tool_call_id: 'call_1', read_only_only: false });
  t.match(await recorded(outcome), { source: 'run', run_id, tool_call_id: 'call_1' });
});

t.test('what a call lacks is recorded too', async (t) => {
  const { sql, gateway, recorded } = await start(t, async () => { throw new Error('executed'); });
  const { id: run_id } = await storedRun(sql, { status: 'running' });
  const agent: CallContext = { source: 'run', run_id, read_only_only: false };
  const cases: [call: unknown, context: CallContext, code: string, action: string][] = [
    [{ action: 'github.nope' }, api, 'unknown_action', 'github.nope'],
    [{ action: 'github.issues.create' }, api, 'action_not_read_only', 'github.issues.create'],
    [{ action: 'github.issues.create' }, agent, 'not_permitted', 'github.issues.create'],
    [{ action: 'github.issues.list', input: { a: '\0' } }, api, 'invalid_input',
      'github.issues.list'],
    [{ action: `\0${'x'.repeat(1_000)}` }, api, 'unknown_action', `\ufffd${'x'.repeat(254)}`],
    ['not even an object', agent, 'invalid_input', '(none)'],
  ];
  for (const [call, context, code, action] of cases) {
    const outcome = await gateway.perform(mine, call as ActionCall, context);
    t.match(outcome, { status: 'missing', missing: [{ code }] });
    t.match(await recorded(outcome), { status: 'failed', action, connection_id: null, result: null,
      error: { code, message: String, details: { missing: [{ code }] } } });
  }
});

t.test("another workspace's connection is an unknown one", async (t) => {
  const { gateway, connectionOf } = await start(t);
  const answer = async (connection_id: string) => {
    const call = { action: 'github.issues.list', connection_id };
    const outcome = await gateway.perform(mine, call, api);
    return JSON.stringify('missing' in outcome ? outcome.missing : null)
      .replaceAll(connection_id, '<id>');
  };
  const foreign = await answer((await connectionOf(theirs)).id);
  t.equal(foreign, await answer('con_00000000000000000000000000'));
  t.match(foreign, /invalid_input/);
});

t.test('failures, faults, timeout and cancel are recorded', async (t) => {
  const thrown: unknown[] = [];
  const { gateway, recorded } = await start(t, async () => {
    if (thrown.length > 0) throw thrown.pop();
    return new Promise(() => {});
  }, { action_timeout_ms: 20 });
  const attempt = async (code: string, context: CallContext = api) => {
    const outcome = await gateway.perform(mine, { action: 'github.issues.list' }, context);
    t.match(outcome, { status: 'failed', error: { code } });
    const row = await recorded(outcome);
    t.match(row, { status: 'failed', connection_id: /^con_/, error: { code }, result: null });
    return row;
  };
  thrown.push(failure('\0'.repeat(9_000), { details: { body: 'x'.repeat(99_999) } }));
  const failed = await attempt('upstream_error');
  t.ok(JSON.stringify(failed?.error).length < 16_384, 'what it says is bounded');
  // The words and the cause of another service's database, which are not those of ours.
  const full = Object.assign(new Error('too many clients already'), { code: '53300' });
  thrown.push(Object.assign(failure('cache lookup failed for function 1'), { cause: full }));
  await attempt('upstream_error');
  thrown.push(new TypeError('a secret of the house'));
  t.notMatch(JSON.stringify(await attempt('internal_error')), 'secret');
  await attempt('upstream_timeout');
  await attempt('cancelled', { ...api, signal: AbortSignal.abort() });
});

t.test('large results are cut, but not before the fields are chosen', async (t) => {
  const items = Array.from({ length: 100 }, (_, id) => ({ id, text: 'x'.repeat(100) }));
  const report = { result: { truncated: { bytes: null }, head: '[{' }, source_cursor: null,
    truncated: true, is_kept: true };
  const { gateway, recorded } = await start(t, async ({ input, fields }) => {
    if ('state' in input) return { ...report, result: { ...report.result, fields } };
    return { result: { items }, source_cursor: null };
  });
  const action = 'github.issues.list';
  const cut = await gateway.perform(mine, { action }, api);
  t.match(cut, { status: 'completed', truncated: true,
    result: { truncated: { bytes: JSON.stringify({ items }).length, returned: Number } } });
  t.match(await recorded(cut), { truncated: true, result: { head: /^\{"items":/ } });
  t.match(await gateway.perform(mine, { action, fields: ['items.id'] }, api),
    { truncated: false, result: { items: items.map(({ id }) => ({ id })) } });
  const call = { action, input: { state: 'open' }, fields: ['a'] };
  const unread = await gateway.perform(mine, call, api);
  t.match(unread, { truncated: true, result: { ...report.result, fields: ['a'] } },
    'a report of what was cut is told whole');
  t.notOk('is_kept' in unread || 'unknown_fields' in unread);
});

t.test('an attempt that cannot be recorded is never lost silently', async (t) => {
  const { sql, gateway } = await start(t, async () => {
    await sql.end({ timeout_ms: 0 });
    return { result: 1, source_cursor: null };
  });
  const error: unknown = await gateway.perform(mine, { action: 'github.issues.list' }, api)
    .catch((thrown: unknown) => thrown);
  t.ok(isUnavailable(error), String(error));
});

t.test('a database that goes away during an action is no fault of the call', async (t) => {
  const { gateway } = await start(t, async () => {
    throw Object.assign(new Error('terminating connection'), { code: '57P01' });
  });
  await t.rejects(gateway.perform(mine, { action: 'github.issues.list' }, api), { code: '57P01' });
});

t.test('lists and searches show what is connected', async (t) => {
  const { sql, gateway, connectionOf } = await start(t);
  const names = async (filter: object) =>
    (await gateway.catalogue.list(mine, filter, '', 10)).map(({ name }) => name);
  t.same(await names({}), ['gateway.actions.describe', 'gateway.actions.search',
    'gateway.connections.list', 'github.issues.create', 'github.issues.list']);
  t.same(await names({ integration: 'github', read_only: false }), ['github.issues.create']);
  t.same(await names({ integration: 'slack' }), []);
  const { id, account_label } = await connectionOf(mine);
  t.match(await gateway.catalogue.search(mine, { query: 'issues', read_only: true }), { data: [
    { object: 'action', name: 'github.issues.list', read_only: true, effect: 'read', score: Number,
      connections: [{ connection_id: id, account_label }] }], unknown_words: [], hint: null });
  t.equal((await gateway.catalogue.search(mine, { query: 'issues', limit: 1 })).data.length, 1);

  await sql`update connections set status = 'needs_reconnect' where id = ${id}`;
  t.same(await names({ integration: 'github' }), []);
  t.match(await gateway.catalogue.search(mine, { query: 'issues', integration: 'github' }),
    { data: [], hint: /^github has to be reconnected before its actions are found:/ });
  t.match(await gateway.catalogue.search(mine, { query: 'order a pizza' }),
    { data: [], hint: /^Nothing fits\. .* What has to be reconnected .*: github\.$/ });
  t.match((await gateway.catalogue.describeTool(mine)).description,
    /integrations: gateway \(Gateway\)\. To be reconnected .* used: github \(GITHUB\)\.$/);
  t.match(await gateway.perform(mine, { action: 'github.issues.list' }, api),
    { status: 'missing', missing: [{ code: 'needs_reconnect', connection_id: id }] });
  t.equal((await gateway.catalogue.list(
    theirs, { integration: 'github' }, '', 10)).length, 2);
});

t.test('the actions of the gateway itself', async (t) => {
  const { gateway } = await start(t);
  const resultOf = async (action: string, input: object) => {
    const outcome = await gateway.perform(mine, { action, input }, api);
    return outcome.status === 'completed' ? outcome.result : outcome;
  };
  const found = await resultOf('gateway.actions.search',
    { query: 'list issues', integration: 'github', read_only: true });
  t.match(found, { object: 'list', data: [{ name: 'github.issues.list', score: Number }] });
  t.same(Object.keys((found as { data: object[] }).data[0]!),
    ['name', 'title', 'effect', 'integration', 'score']);
  t.same(Object.keys(found as object), ['object', 'data'], 'nothing is said of what is clear');
  t.match(await resultOf('gateway.actions.search', { query: 'list zyzzyva issues' }),
    { data: [{ name: 'github.issues.list' }], unknown_words: ['zyzzyva'] });
  t.same(await resultOf('gateway.actions.search', { query: 'order a pizza with mushrooms' }), {
    object: 'list', data: [], unknown_words: ['order', 'pizza', 'mushrooms'], hint: 'Nothing fits.'
      + ' Search once more in other words; if nothing fits then either, no connected integration'
      + ' can do this.',
  });
  t.same(await resultOf('gateway.actions.search', { query: 'list issues', integration: null,
    read_only: null, limit: null }), await resultOf('gateway.actions.search',
    { query: 'list issues' }), 'what may be left out may be null');
  t.match(await resultOf('gateway.actions.search', { query: null, limit: null }),
    { missing: [{ violations: [{ path: '/input/query', message: 'must be string' },
      { path: '/input/limit' }] }] }, 'and nothing else');
  t.match(await resultOf('gateway.actions.describe', { name: 'github.issues.create' }),
    { name: 'github.issues.create', effect: 'write', input_schema: { type: 'object' } });
  t.match(await resultOf('gateway.actions.describe', { name: 'github.issue.list' }),
    { status: 'missing',
      missing: [{ code: 'unknown_action', suggestions: ['github.issues.list'] }] });
  t.match(await resultOf('gateway.connections.list', {}), { object: 'list', data: [
    { integration: 'gateway', connection_id: /^con_/, status: 'connected' },
    { integration: 'github', name: 'github', account_label: null }] });
});

t.test('two integrations of one slug are refused', async (t) => {
  const { sql } = await testDatabase(t);
  t.throws(() => gatewayOf({ sql, config, log: createLog('silent'),
    sources: [source([]), source([])] }), { message: 'Two integrations have the same slug' });
});
