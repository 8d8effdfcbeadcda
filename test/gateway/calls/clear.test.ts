/** An approval and the call that uses it up: the one is used exactly when the other leaves. */
import t from 'tap';
import { readConfig, type Config } from '../../../src/config.ts';
import type { ActionDefinition } from '../../../src/gateway/action/action.ts';
import { failure, lacks } from '../../../src/gateway/action/failure.ts';
import type { ActionOutcome, CallContext } from '../../../src/gateway/action/outcome.ts';
import { createLog } from '../../../src/log.ts';
import {
  decideApprovalRow, expireApprovals, expireApprovalsOf, getApprovalRow, giveApprovalBack,
} from '../../../src/store/approvals.ts';
import type { Transaction } from '../../../src/store/database.ts';
import { approvalLock } from '../../../src/store/locks.ts';
import { insertWriteIntent } from '../../../src/store/writeIntents.ts';
import { connectTo } from '../../support/actions.ts';
import { testDatabase } from '../../support/database.ts';
import { hold } from '../../support/openTransaction.ts';
import { storedRun } from '../../support/storedRuns.ts';
import { untilSeen } from '../../support/until.ts';
import { definition, gatewayOf, source } from '../support.ts';

const { sql } = await testDatabase(t);
const caller = { workspace_id: 'wsp_1', api_key_id: 'key_1', agent: null };
await storedRun(sql, { status: 'completed' });
await connectTo(sql, caller.workspace_id, 'github');
await sql`insert into grants (workspace_id, id, actions, decision)
  values ('wsp_1', 'grt_1', '*', 'require_approval')`;

let inputs = 0;
let calls = 0;
const well: ActionDefinition['perform'] = async () => {
  calls += 1;
  return { result: null, source_cursor: null };
};
/** What calls do; a test changes it. */
let performing = well;
const perform: typeof well = (...call) => performing(...call);
t.afterEach(() => { performing = well; });
const input_schema = { type: 'object' };
const gateway = gatewayOf({
  sql, log: createLog('silent'), config: readConfig({}),
  sources: [source([
    definition({ name: 'github.issues.edit', effect: 'write', input_schema, perform }),
    definition({ name: 'github.issues.get', input_schema, perform })])],
});

function approvalOf(outcome: ActionOutcome): string {
  const [gap] = 'missing' in outcome ? outcome.missing : [];
  if (gap?.code !== 'approval_required') throw new Error(JSON.stringify(outcome));
  return gap.approval_id;
}

/** A call of a running run, which somebody has approved. */
async function approvedCall(action = 'github.issues.edit') {
  const input = { call: ++inputs };
  const { id: run_id } = await storedRun(sql, { status: 'running' });
  const call = (changes: Partial<CallContext> = {}) => gateway.perform(caller, { action, input }, {
    source: 'run', run_id, attempt: 1, tool_call_id: 'call_1', read_only_only: false, ...changes,
  });
  const approval_id = approvalOf(await call());
  await decideApprovalRow(sql, approval_id, 'approved', null);
  const status = async () => (await getApprovalRow(sql, approval_id))!.status;
  const intents = () => sql`select invocation_id from write_intents where run_id = ${run_id}`;
  return { call, run_id, approval_id, status, intents };
}

t.test('it is used in the transaction that writes down the intent', async (t) => {
  const { call, run_id, approval_id, status, intents } = await approvedCall();
  t.same(await intents(), [], 'asking for an approval is no intent');
  const { invocation_id, status: ended } = await call();
  t.equal(ended, 'completed');
  t.equal(await status(), 'used');
  t.same(await sql`select a.invocation_id, a.xmin::text = w.xmin::text as together
    from approvals a, write_intents w where a.id = ${approval_id} and w.run_id = ${run_id}`,
  [{ invocation_id, together: true }]);
});

t.test('a call that does not leave leaves it as it is', async (t) => {
  const before = calls;
  const unable: [string, (run_id: string) => unknown, Partial<CallContext>][] = [
    ['its run was cancelled', (run_id) => sql`
      update runs set status = 'cancelled', finished_at = now() where id = ${run_id}`, {}],
    ['its run was taken over', (run_id) => sql`
      update runs set attempt = 2 where id = ${run_id}`, {}],
    ['it was broken off', () => {}, { signal: AbortSignal.abort() }],
    ['its worker stops', () => {}, { windDown: AbortSignal.abort() }],
  ];
  for (const action of ['github.issues.edit', 'github.issues.get']) {
    for (const [why, change, context] of unable) {
      const { call, run_id, status, intents } = await approvedCall(action);
      await change(run_id);
      t.match(await call(context), { status: 'failed', error: { code: 'cancelled' } }, why);
      t.equal(await status(), 'approved', why);
      t.same(await intents(), [], why);
    }
  }
  const { call, run_id, status } = await approvedCall();
  await insertWriteIntent(sql, {
    workspace_id: 'wsp_1', run_id, tool_call_id: 'call_1', invocation_id: 'inv_before',
    action: 'github.issues.edit', connection_id: 'con_1', api_key_id: 'key_1', input: {},
  }, 1);
  t.match(await call(), { status: 'failed', error: { code: 'internal_error' } });
  t.equal(await status(), 'approved', 'what cannot be written down');
  t.equal(calls, before);
});

t.test('reading, too, uses it once', async (t) => {
  for (const changes of [{}, { source: 'api', run_id: undefined }] as Partial<CallContext>[]) {
    const { call, status } = await approvedCall('github.issues.get');
    t.match(await call(changes), { status: 'completed' });
    t.equal(await status(), 'used');
    t.match(await call(changes), { missing: [{ code: 'approval_required', status: 'pending' }] });
  }
});

t.test('one that is given while the call asks for it is used', async (t) => {
  const { call, approval_id, status } = await approvedCall();
  await sql`update approvals set status = 'pending', decided_at = null where id = ${approval_id}`;
  const [row] = await sql<{ input_sha256: Buffer }[]>`
    select input_sha256 from approvals where id = ${approval_id}`;
  const release = await hold(sql, (tx) => tx`select pg_advisory_xact_lock(hashtextextended(
    ${approvalLock(caller.workspace_id, row!.input_sha256)}, 0))`);
  const outcome = call();
  // It has found none that it could use by then.
  await untilSeen('a call that asks for an approval', async () => (await sql`
    select from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`).length > 0);
  await decideApprovalRow(sql, approval_id, 'approved', null);
  await release();
  t.match(await outcome, { status: 'completed' });
  t.equal(await status(), 'used');
  t.same(await sql`select id from approvals where input_sha256 = ${row!.input_sha256}`,
    [{ id: approval_id }], 'and no other is asked for');
});

t.test('a denial says why', async (t) => {
  for (const reason of ['Not on a Sunday.', null]) {
    const { call, approval_id } = await approvedCall();
    await sql`update approvals set status = 'pending', decided_at = null where id = ${approval_id}`;
    t.match(await call(), { missing: [{ status: 'pending', reason: null, approval_id }] });
    await decideApprovalRow(sql, approval_id, 'denied', reason);
    t.match(await call(), { missing: [{ code: 'approval_required', status: 'denied', reason,
      message: reason ? / was denied \(Not on a Sunday\.\)\. That stands until 20/
        : / was denied\. That stands until 20/ }],
    });
  }
});

const ACTIONS = ['github.issues.edit', 'github.issues.get'];

/** An action of which something leaves before it fails. */
const leaving = (fail: () => never): typeof well => async ({ departure }) => {
  departure.mark();
  return fail();
};

t.test('a call of which nothing was sent gives it back', async (t) => {
  const gap = { code: 'unknown_action' as const, message: 'x', action: 'a', suggestions: [] };
  for (const action of ACTIONS) {
    for (const thrown of [failure('x'), lacks(gap), new TypeError('a fault of ours')]) {
      const { call, approval_id, status } = await approvedCall(action);
      performing = async () => { throw thrown; };
      t.match(await call(), { status: /failed|missing/ });
      t.equal(await status(), 'approved');
      performing = well;
      const { invocation_id, status: ended } = await call({ tool_call_id: 'call_2' });
      t.equal(ended, 'completed');
      t.same(await sql`select status, invocation_id from approvals where id = ${approval_id}`,
        [{ status: 'used', invocation_id }]);
    }
  }
});

t.test('one that was sent, or may have been, does not', async (t) => {
  const fates: [string, typeof well][] = [
    ['it was answered', leaving(() => { throw failure('x'); })],
    ['nobody knows', leaving(() => { throw failure('x', { code: 'outcome_unknown' }); })],
    ['a fault of ours', leaving(() => { throw new TypeError('oops'); })],
    ['it ends with nothing sent, but after its time', (_request, _caller, signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () =>
        reject(failure('x'))))],
  ];
  for (const action of ACTIONS) {
    for (const [why, fate] of fates) {
      const { call, status } = await approvedCall(action);
      const cancel = new AbortController();
      performing = (...given) => {
        const ended = fate(...given);
        cancel.abort();
        return ended;
      };
      const signal = why.includes('time') ? { signal: cancel.signal } : {};
      t.match(await call(signal), { status: 'failed' }, why);
      t.equal(await status(), 'used', why);
    }
  }
});

t.test('it is given back by the attempt that used it alone', async (t) => {
  const { call, approval_id, status } = await approvedCall();
  const { invocation_id } = await call();
  await giveApprovalBack(sql, caller.workspace_id, approval_id, 'inv_another');
  t.equal(await status(), 'used');
  await giveApprovalBack(sql, caller.workspace_id, approval_id, invocation_id);
  t.equal(await status(), 'approved');
  await sql`update approvals set status = 'denied' where id = ${approval_id}`;
  await giveApprovalBack(sql, caller.workspace_id, approval_id, invocation_id);
  t.equal(await status(), 'denied');
});

t.test('what changes meanwhile takes it away: it does not come back', async (t) => {
  const [row] = await sql<{ id: string }[]>`select id from connections`;
  const account = { workspace_id: caller.workspace_id, connection_id: row!.id };
  for (const [why, change] of Object.entries({
    'the integration': (tx: Transaction) => expireApprovals(tx, 'github', null),
    'the account': (tx: Transaction) => expireApprovalsOf(tx, account),
  })) {
    const { call, approval_id, status } = await approvedCall();
    const { invocation_id } = await call();
    t.equal(await status(), 'used');
    await sql.begin(change);
    await giveApprovalBack(sql, caller.workspace_id, approval_id, invocation_id);
    t.equal(await status(), 'expired', why);
  }
});

t.test('reading that a later attempt of the run repeats takes it again', async (t) => {
  const { call, run_id, approval_id, status } = await approvedCall('github.issues.get');
  const stops = new AbortController();
  performing = async () => {
    stops.abort();
    return new Promise(() => {});
  };
  t.match(await call({ windDown: stops.signal }),
    { status: 'failed', error: { code: 'cancelled' } });
  t.equal(await status(), 'used');
  performing = well;
  for (const attempt of [2, 3]) {
    await sql`update runs set attempt = ${attempt} where id = ${run_id}`;
    // What the lost attempt did is not always on record.
    await sql`delete from action_invocations where run_id = ${run_id}`;
    const another = { attempt, tool_call_id: 'call_2' };
    t.match(await call(another), { missing: [{ code: 'approval_required' }] });
    const { invocation_id, status: ended } = await call({ attempt });
    t.equal(ended, 'completed');
    t.same(await sql`select status, invocation_id from approvals where id = ${approval_id}`,
      [{ status: 'used', invocation_id }]);
  }
  const other = await storedRun(sql, { status: 'running' });
  await sql`update runs set attempt = 2 where id = ${other.id}`;
  t.match(await call({ run_id: other.id, attempt: 2 }), { missing: [{}] }, 'another run');
});

t.test('a write that may have left is not repeated, with the approval or without', async (t) => {
  const { call, run_id, approval_id, status } = await approvedCall();
  const stops = new AbortController();
  // Using the approval is not leaving: a call that ends in between is made again.
  performing = async () => {
    stops.abort();
    return new Promise(() => {});
  };
  await call({ signal: stops.signal });
  t.equal(await status(), 'used');
  performing = well;
  const before = calls;
  await sql`update runs set attempt = 2 where id = ${run_id}`;
  t.match(await call({ attempt: 2 }), { error: { code: 'outcome_unknown' } });
  t.match(await call({ attempt: 2, tool_call_id: 'call_2' }),
    { missing: [{ code: 'approval_required', status: 'pending' }] });
  t.equal(calls, before);
  t.not(approvalOf(await call({ attempt: 2, tool_call_id: 'call_3' })), approval_id);
});

/** A gateway with these limits of approvals. */
const limitedTo = (config: Partial<Config>) => gatewayOf({
  sql, log: createLog('silent'), config: readConfig({}, config),
  sources: [source([definition({ name: 'github.issues.edit', effect: 'write', input_schema,
    perform }), definition({ name: 'github.issues.get', input_schema, perform })])],
});

t.test('so many may wait in a workspace, and the next is told so at once', async (t) => {
  const limited = limitedTo({ pending_approvals: 3, key_pending_approvals: 0 });
  const others = { workspace_id: 'wsp_2', api_key_id: 'key_2', agent: null };
  await sql`insert into workspaces (id, name) values ('wsp_2', 'other')`;
  await connectTo(sql, 'wsp_2', 'github');
  await sql`insert into grants (workspace_id, id, actions, decision)
    values ('wsp_2', 'grt_1', 'github.issues.edit', 'require_approval')`;
  await sql`update approvals set status = 'pending', decided_at = null, invocation_id = null,
    used_by_run_id = null, used_by_tool_call_id = null, expires_at = now() - interval '1 second'`;
  const ask = (call: number, by = others) => limited.perform(by,
    { action: 'github.issues.edit', input: { call } },
    { source: 'api', read_only_only: false });
  const pending = async (workspace_id: string) => (await sql`select id from approvals
    where workspace_id = ${workspace_id} and status = 'pending' and expires_at >= now()`).length;
  // Different calls at once: none slips through between the count and the row.
  const outcomes = await Promise.all(Array.from({ length: 12 }, (_, i) => ask(i)));
  const gaps = outcomes.map((outcome) => 'missing' in outcome ? outcome.missing[0]! : undefined);
  t.equal(gaps.filter((gap) => gap?.code === 'approval_required').length, 3);
  t.equal(await pending('wsp_2'), 3);
  const full = gaps.filter((gap) => gap?.code === 'approvals_full');
  t.equal(full.length, 9);
  t.match(full[0], { action: 'github.issues.edit', effect: 'write', most_pending: 3,
    message: /gatehouse approvals list/, read_only_alternatives: ['github.issues.get'],
    who_can_approve: 'operator' });
  const asked = gaps.findIndex((gap) => gap?.code === 'approval_required');
  t.match(await ask(asked), { missing: [{ code: 'approval_required' }] }, 'what waits still waits');
  const first = await ask(13, caller);
  t.match(first, { missing: [{ code: 'approval_required' }] },
    'another workspace has its own, and what has expired does not count');
  await decideApprovalRow(sql, approvalOf(outcomes[asked]!), 'denied', null);
  t.match(await ask(20), { missing: [{ code: 'approval_required' }] }, 'a decision makes room');
  t.match(await ask(21), { missing: [{ code: 'approvals_full' }] });
  const [entry] = await sql<{ entry: string }[]>`
    select entry from audit_entries where workspace_id = 'wsp_2' order by seq desc limit 1`;
  t.match(entry!.entry, /approvals_full/, 'and it is in the audit log');
});

t.test('one key cannot take all that may wait in its workspace', async (t) => {
  const limited = limitedTo({ pending_approvals: 5 });
  await sql`insert into workspaces (id, name) values ('wsp_3', 'keys')`;
  await connectTo(sql, 'wsp_3', 'github');
  await sql`insert into grants (workspace_id, id, actions, decision)
    values ('wsp_3', 'grt_1', 'github.issues.edit', 'require_approval')`;
  const ask = async (api_key_id: string, call: number) => {
    const outcome = await limited.perform({ workspace_id: 'wsp_3', api_key_id, agent: null },
      { action: 'github.issues.edit', input: { call } }, { source: 'api', read_only_only: false });
    return 'missing' in outcome ? outcome.missing[0]! : undefined;
  };
  const gaps = await Promise.all(Array.from({ length: 8 }, (_, i) => ask('key_one', i)));
  t.equal(gaps.filter((gap) => gap?.code === 'approval_required').length, 3, 'half, rounded up');
  t.match(gaps.find((gap) => gap?.code === 'approvals_full'),
    { most_pending: 3, message: /3 calls of this api key wait/ });
  t.match(await Promise.all([ask('key_two', 1), ask('key_two', 2)]),
    [{ code: 'approval_required' }, { code: 'approval_required' }]);
  t.match(await ask('key_two', 3),
    { code: 'approvals_full', most_pending: 5, message: /5 calls of the workspace wait/ });
});
