/** A revoked key ends what runs in its name: on two nodes, also where the news of it are lost. */
import t from 'tap';
import type { Sql, Transaction } from '../../src/store/database.ts';
import { createRuns } from '../../src/store/runCreation.ts';
import { grantTo } from '../gateway/service/support.ts';
import { connectTo, heldAction, testSource } from '../support/actions.ts';
import { collect, prompt, type Client } from '../support/client.ts';
import { soundLogs } from '../support/log.ts';
import {
  endlessRun, eventsOf, newSession, OFFLINE, queueRun, untilEvent,
} from '../support/runs.ts';
import { testServer } from '../support/server.ts';
import { untilSeen } from '../support/until.ts';
import { soundness } from '../support/soundness.ts';

soundness(t, 'a permission exceeded');

/** Nodes that hear of nothing but by NOTIFY, or by asking right before they act. */
const QUIET = { claim_poll_ms: 60_000, lease_ms: 600_000 };

const calls: string[] = [];
const held = new Map<string, ReturnType<typeof heldAction>>();
/** `lab.test.<key>`: each notes that it was called; `held` and `write` wait. */
const lab = testSource('lab', {
  read: { perform: async ({ input }) => calls.push(String(input.key)) },
  held: { perform: async (request, signal) =>
    held.get(String(request.input.key))!.action.perform(request, signal) },
  write: { effect: 'write', perform: async (request, signal) =>
    held.get(String(request.input.key))!.action.perform(request, signal) },
});

const api = await testServer(t, { config: { role: 'api' } });
const { client, sql, workspace_id } = api;
const node = await testServer(t, { config: { ...QUIET }, database: api, sources: [lab] });
await connectTo(sql, workspace_id, 'lab');
await grantTo(api, 'allow', 'lab.*');

interface Key {
  id: string;
  client: Client;
  /** The same key on the node that executes runs. */
  elsewhere: Client;
}

async function newKey(): Promise<Key> {
  const { id, api_key } = await client.expect(201, 'createApiKey',
    { body: { workspace_id, name: 'to be revoked' } });
  return { id, client: client.as(api_key), elsewhere: node.client.as(api_key) };
}

const revoke = (id: string) => client.expect(204, 'revokeApiKey', { path: { api_key_id: id } });
/** As a node does it that cannot tell the others, and does nothing more. */
const revokeSilently = (id: string, one: Sql | Transaction = sql) =>
  one`update api_keys set revoked_at = now() where id = ${id}`;

const endOf = async (run_id: string) => (await eventsOf(client, run_id)).at(-1)!;
const revoked = (previous_status: string) =>
  ({ type: 'run.cancelled', data: { previous_status, reason: 'api_key_revoked' } });

/** What the audit log says of calls of a key after its revocation. */
async function auditedAfter(id: string) {
  const rows = await sql<{ entry: string }[]>`
    select entry from audit_entries where workspace_id = ${workspace_id}
      and seq > (select seq from audit_entries where event = 'api_key.revoked' and target = ${id})
      and entry like ${`%${id}%`} order by seq`;
  return rows.map(({ entry }) => JSON.parse(entry) as Record<string, unknown>);
}

t.test('it holds for the very next request here, and at once on the other node', async (t) => {
  const key = await newKey();
  for (const inside of [key.client, key.elsewhere]) await inside.expect(200, 'listSessions');
  await revoke(key.id);
  await key.client.expect(401, 'listSessions');
  await untilSeen('a refusal on the other node',
    async () => (await key.elsewhere.call('listSessions')).status, (status) => status === 401);
  const [row] = await sql`select last_used_at > revoked_at as after from api_keys
    where id = ${key.id}`;
  t.not(row!.after, true, 'uses are not noted after it');
});

t.test('queued runs are cancelled, and those of other keys behind them go on', async (t) => {
  const key = await newKey();
  const session_id = await newSession(client);
  const running = await endlessRun(key.client, session_id);
  const queued = [await queueRun(key.client, session_id, '@rehearsal words=1'),
    await queueRun(key.elsewhere, session_id, '@rehearsal words=1')];
  const other = await queueRun(client, session_id, '@rehearsal words=1', OFFLINE);
  await revoke(key.id);
  for (const { id } of queued) t.match(await endOf(id), revoked('queued'));
  t.match(await endOf(running.id), revoked('running'));
  t.equal((await endOf(other.id)).type, 'run.completed');
  await revoke(key.id);
  t.strictSame(await auditedAfter(key.id), [], 'and to repeat it is nothing new');
});

t.test('a call on its way is recorded as what it is, and no other follows', async (t) => {
  const key = await newKey();
  const writing = heldAction();
  held.set(key.id, writing);
  const { id } = await queueRun(key.client, await newSession(key.client),
    `call lab.test.write {"key": "${key.id}"}\ncall lab.test.read {"key": "${key.id}"}`, OFFLINE);
  await writing.begun;
  await revoke(key.id);
  t.match(await endOf(id), revoked('running'));
  const audited = await untilSeen('the entry of the call', () => auditedAfter(key.id),
    ({ length }) => length > 0);
  t.match(audited, [{ event: 'action.called', target: 'lab.test.write', outcome: 'unknown',
    reason: 'outcome_unknown', details: { api_key_id: key.id, left_before_revocation: true } }]);
  const recorded = await untilSeen('the record of the call', () => sql<{ error: unknown }[]>`
    select error from action_invocations where run_id = ${id}`, ({ length }) => length > 0);
  t.match(recorded[0]!.error, { code: 'outcome_unknown' });
  t.notOk(calls.includes(key.id));
});

t.test('where the news are lost, the next step or call asks', async (t) => {
  const key = await newKey();
  const reading = heldAction();
  held.set(key.id, reading);
  const line = (action: string) => `call lab.test.${action} {"key": "${key.id}"}`;
  const { id } = await queueRun(key.client, await newSession(key.client),
    [line('held'), line('read'), line('write')].join('\n'), OFFLINE);
  await reading.begun;
  await revokeSilently(key.id);
  reading.release();
  t.match(await endOf(id), revoked('running'));
  t.notOk(calls.includes(key.id), 'the second call was not made');
  t.equal(reading.calls, 1, 'nor the third');
});

t.test('a refusal is not recorded in its name either', async (t) => {
  const key = await newKey();
  const before = (await sql`select from audit_entries`).length;
  // Trusted for a moment, as on a node that has not heard of it.
  await key.elsewhere.expect(200, 'listSessions');
  await revokeSilently(key.id);
  const { status } = await key.elsewhere.call('createActionInvocation',
    { body: { action: 'lab.test.write' } });
  t.equal(status, 401);
  t.equal((await key.elsewhere.call('createRun', {
    path: { session_id: await newSession(client) }, body: prompt('x') })).status, 401);
  t.equal((await sql`select from audit_entries`).length, before);
  t.equal((await sql`select from runs where api_key_id = ${key.id}`).length, 0);
});

t.test('open answers end: streams as such, waits and calls with 401', async (t) => {
  const key = await newKey();
  const reading = heldAction();
  held.set(key.id, reading);
  const run = await endlessRun(client, await newSession(client));
  const stream = collect(key.elsewhere.events('streamRunEvents', { path: { run_id: run.id } }));
  const { id: session_id } = await client.expect(201, 'createSession');
  const waiting = key.elsewhere.call('createRun', { path: { session_id },
    body: prompt('@rehearsal words=1000 delay_ms=60000', { ...OFFLINE, wait: true }) });
  const calling = key.elsewhere.call('createActionInvocation',
    { body: { action: 'lab.test.held', input: { key: key.id } } });
  await reading.begun;
  await untilSeen('the run that is waited for', async () => (await client.expect(200, 'listRuns',
    { query: { session_id } })).data[0]?.status, (status) => status === 'running');
  await revoke(key.id);
  t.notMatch((await stream).at(-1)!.type, /run\.(completed|failed|cancelled)/);
  t.equal((await waiting).status, 401);
  t.equal((await calling).status, 401);
  t.equal((await client.expect(200, 'getRun', { path: { run_id: run.id } })).status, 'running',
    'the run of another key goes on');
  await client.call('cancelRun', { path: { run_id: run.id } });
});

const RUN_OF_MANY = {
  concurrency: 'enqueue' as const, source: 'api' as const, model: 'rehearsal', instructions: null,
  max_steps: 1, timeout_s: 60, input: [], metadata: {}, messages: [],
};

t.test('many runs of many sessions; the node that revoked is gone', async (t) => {
  const key = await newKey();
  const many = 1_000;
  await sql`insert into sessions (workspace_id, id)
    select ${workspace_id}, 'ses_many_' || n from generate_series(1, 10) n`;
  // Together: nobody claims one of them before the key is revoked.
  await sql.begin(async (tx) => {
    for (let n = 1; n <= many; n++) {
      await createRuns(tx, [{ ...RUN_OF_MANY, workspace_id, session_id: `ses_many_${n % 10 + 1}`,
        id: `run_many_${n}`, api_key_id: n % 4 === 0 ? 'key_other' : key.id }]);
    }
    await revokeSilently(key.id, tx);
  }, { limit_ms: 60_000 });
  const counts = () => sql`select api_key_id = ${key.id} as own, status, count(*)::int as count
    from runs where id like 'run_many_%' group by 1, 2 order by 1, 2`;
  await untilSeen('no open run of the key', async () => await sql`
    select status, count(*)::int from runs where id like 'run_many_%' and api_key_id = ${key.id}
    group by 1`, (rows) => rows.every(({ status }) => status === 'cancelled'));
  t.match((await counts()).at(-1), { own: true, status: 'cancelled', count: many * 3 / 4 });
});

t.test('approvals that it asked for cannot be used any more', async (t) => {
  const key = await newKey();
  const { id: grant_id } = await grantTo(api, 'require_approval', 'lab.test.write');
  const { id } = await queueRun(key.client, await newSession(key.client),
    `call lab.test.write {"key": "${key.id}"}`, OFFLINE);
  await untilEvent(client, id, 'run.completed');
  const mine = async () => (await client.expect(200, 'listApprovals', { query: { workspace_id } }))
    .data.find(({ api_key_id }) => api_key_id === key.id)!;
  const { id: approval_id } = await mine();
  await revoke(key.id);
  t.match(await untilSeen('an approval that is over', mine, ({ status }) => status === 'expired'),
    { reason: 'api_key_revoked' });
  t.match(await client.expect(409, 'decideApproval',
    { path: { approval_id }, body: { decision: 'approve' } }), { code: 'approval_decided' });
  await client.call('deleteGrant', { path: { grant_id } });
});

t.test('a node whose ear was cut off hears all the same', async (t) => {
  const key = await newKey();
  const run = await endlessRun(key.elsewhere, await newSession(key.client));
  const stream = collect(key.elsewhere.events('streamRunEvents', { path: { run_id: run.id } }));
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query ilike 'listen %'`;
  await revoke(key.id);
  await stream;
  await untilSeen('a refusal', async () => (await key.elsewhere.call('listSessions')).status,
    (status) => status === 401);
  t.match(await endOf(run.id), revoked('running'));
});

t.test('a workspace that is archived ends as all of its keys', async (t) => {
  const { id } = await client.expect(201, 'createWorkspace', { body: { name: 'to be archived' } });
  const { api_key } = await client.expect(201, 'createApiKey',
    { body: { workspace_id: id, name: 'x' } });
  const [inside, elsewhere] = [client.as(api_key), node.client.as(api_key)];
  const running = await endlessRun(inside, await newSession(inside));
  const queued = await queueRun(elsewhere, running.session_id, 'x');
  const events = collect(elsewhere.events('streamRunEvents', { path: { run_id: running.id } }));
  const archive = (status: string) => client.expect(200, 'updateWorkspace',
    { path: { workspace_id: id }, body: { status } });
  t.match(await archive('archived'), { status: 'archived', name: 'to be archived' });
  t.match(await inside.expect(401, 'listSessions'), { error: /, or its workspace archived\.$/ });
  await events;
  const runs = () => sql<{ id: string; status: string }[]>`
    select id, status from runs where workspace_id = ${id}`;
  await untilSeen('no open run', runs, (rows) =>
    rows.length === 2 && rows.every(({ status }) => status === 'cancelled'));
  await archive('archived');
  t.match(await archive('active'), { status: 'active' });
  t.equal((await inside.expect(200, 'getRun', { path: { run_id: queued.id } })).status,
    'cancelled', 'what was ended stays ended');
  t.match((await eventsOf(inside, running.id)).at(-1),
    { data: { previous_status: 'running', reason: 'workspace_archived' } });
  await untilSeen('an open door on the other node', async () =>
    (await elsewhere.call('listSessions')).status, (status) => status === 200);
});

t.test('every log in this database is sound', async (t) => await soundLogs(t, sql));
