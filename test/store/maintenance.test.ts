import t from 'tap';
import { wholeWorkspace } from '../../src/caller.ts';
import { newId } from '../../src/ids.ts';
import { createLog } from '../../src/log.ts';
import { getInvocation } from '../../src/store/actionInvocations.ts';
import { connect, type Sql } from '../../src/store/database.ts';
import { keepHouse } from '../../src/store/maintenance.ts';
import { ensurePartitions } from '../../src/store/partitions.ts';
import { insertLoneWriteIntent, insertWriteIntent } from '../../src/store/writeIntents.ts';
import { NO_METERS } from '../../src/telemetry/metrics.ts';
import { testDatabase } from '../support/database.ts';
import { hold } from '../support/openTransaction.ts';
import { storedRun } from '../support/storedRuns.ts';
import { storedInput } from '../support/storedInput.ts';

const log = createLog('silent');
const keep = (sql: Sql) => keepHouse(sql, { event_retention_days: 0, log });

const keysOf = async (sql: Sql) => (await sql<{ key: string }[]>`
  select key from idempotency_keys order by key`).map((row) => row.key);

async function insertKeys(sql: Sql, ...keys: [key: string, expires_in: string][]): Promise<void> {
  for (const [key, expires_in] of keys) {
    await sql`insert into idempotency_keys (workspace_id, asker, key, request_sha256, expires_at)
      values ('wsp_1', 'key_1', ${key}, '', now() + ${expires_in}::interval)`;
  }
}

t.test('idempotency keys go when they have expired', async (t) => {
  const { sql } = await testDatabase(t);
  await insertKeys(sql, ['old', '-1 second'], ['young', '1 hour']);
  await sql`insert into idempotency_keys (workspace_id, asker, key, request_sha256, expires_at)
    select 'wsp_1', 'key_1', 'many' || n, '', now() from generate_series(1, 12000) n`;
  await keep(sql);
  t.same(await keysOf(sql), ['young'], 'more than one batch of them');
});

t.test('what is told to stop begins no other batch', async (t) => {
  const { sql } = await testDatabase(t);
  await sql`insert into idempotency_keys (workspace_id, asker, key, request_sha256, expires_at)
    select 'wsp_1', 'key_1', 'many' || n, '', now() from generate_series(1, 12000) n`;
  const stop = new AbortController();
  const begin: Sql['begin'] = async (work, options) => {
    const done = await sql.begin(work, options);
    stop.abort();
    return done;
  };
  const stopping = Object.assign(((...given) => sql(...given)) as Sql, sql, { begin });
  await keepHouse(stopping, { event_retention_days: 30, log, signal: stop.signal });
  t.equal((await keysOf(sql)).length, 7_000);
});

t.test('workers go an hour after their death, if they execute nothing', async (t) => {
  const { sql } = await testDatabase(t);
  await sql`insert into workers (id, host, lease_until) values
    ('wrk_alive', 'test', now() + interval '1 minute'),
    ('wrk_late', 'test', now() - interval '50 minutes'),
    ('wrk_dead', 'test', now() - interval '70 minutes'),
    ('wrk_owing', 'test', now() - interval '70 minutes')`;
  await storedRun(sql, { status: 'running', worker_id: 'wrk_owing' });
  await keep(sql);
  const left = await sql<{ id: string }[]>`select id from workers order by id`;
  t.same(left.map((row) => row.id), ['wrk_alive', 'wrk_late', 'wrk_owing']);
});

t.test('nodes go an hour after their death, and if the clock was set back since', async (t) => {
  const { sql } = await testDatabase(t);
  const hosts = { gone: '-2 hours', dead: '-50 minutes', lives: '30 seconds', ahead: '3 hours' };
  for (const [host, ends_in] of Object.entries(hosts)) {
    await sql`insert into nodes (id, host, pid, master_keys, settings, lease_until)
      values (gen_random_uuid(), ${host}, 1, '{}', '{}', clock_timestamp() + ${ends_in}::interval)`;
  }
  await keep(sql);
  const left = await sql<{ host: string }[]>`select host from nodes order by host`;
  t.same(left.map(({ host }) => host), ['dead', 'lives']);
});

t.test('approvals go some time after they have expired, if they were not used', async (t) => {
  const { sql } = await testDatabase(t);
  await sql`insert into workspaces (id, name) values ('wsp_1', 'test')`;
  for (const [id, status, expired_days] of [
    ['apr_old', 'pending', 31], ['apr_denied', 'denied', 31], ['apr_approved', 'approved', 31],
    ['apr_used', 'used', 31], ['apr_late', 'pending', 29], ['apr_open', 'pending', -1]] as const) {
    await sql`
      insert into approvals (workspace_id, id, action, effect, connection_id, input, input_bytes,
        input_sha256, status, decided_at, invocation_id, expires_at)
      values ('wsp_1', ${id}, 'x.y', 'write', 'con_1', '{}', 2, '', ${status},
        ${status === 'pending' ? null : new Date()}, ${status === 'used' ? 'inv_1' : null},
        now() - ${expired_days} * interval '1 day')`;
  }
  const left = async () => (await sql<{ id: string }[]>`select id from approvals order by id`)
    .map(({ id }) => id);
  await keep(sql);
  t.equal((await left()).length, 6, 'for good');
  await keepHouse(sql, { event_retention_days: 30, log });
  t.same(await left(), ['apr_late', 'apr_open', 'apr_used']);
});

t.test('a task is done by one node at a time, and a fault of one fails no other', async (t) => {
  const { sql, url } = await testDatabase(t);
  const other = connect(url, { max: 2 });
  t.teardown(() => other.end());
  await insertKeys(sql, ['old', '-1 second']);
  await sql`insert into workers (id, host, lease_until) values ('wrk_dead', 'test', '-infinity')`;
  const release = await hold(other, (tx) => tx`select pg_advisory_xact_lock(473527091, 2)`);
  await keep(sql);
  t.same(await keysOf(sql), ['old'], 'left to the node that is at it');
  t.equal((await sql`select from workers`).length, 0, 'the other tasks are done');
  await release();
  await sql`alter table workers rename to workers_gone`;
  await keep(sql);
  t.same(await keysOf(sql), []);
});

t.test('events go when their time is over; with 0 days they stay', async (t) => {
  const { sql } = await testDatabase(t);
  const DAY_MS = 86_400_000;
  const now_ms = Date.now();
  await ensurePartitions(sql, now_ms - 60 * DAY_MS);
  const ended = (days_ago: number) => storedRun(sql,
    { status: 'completed', created_ms: now_ms - days_ago * DAY_MS, events: 2 });
  // In a partition of its week, in the default partition, and young.
  const [week, outside, young] = [await ended(60), await ended(90), await ended(20)];
  const kept = async () => (await sql<{ run_id: string }[]>`
    select distinct run_id from run_events`).map((row) => row.run_id).toSorted();
  await keep(sql);
  t.same(await kept(), [week, outside, young].map(({ id }) => id).toSorted());
  await keepHouse(sql, { event_retention_days: 30, log });
  t.same(await kept(), [young.id]);
});

t.test('a node whose clock is ahead deletes nothing that is kept by the database', async (t) => {
  const { sql } = await testDatabase(t);
  const now_ms = Date.now();
  const run = await storedRun(sql, { status: 'completed', created_ms: now_ms, events: 2 });
  await ensurePartitions(sql, now_ms + 45 * 86_400_000);
  const ahead = t.capture(Date, 'now', () => now_ms + 45 * 86_400_000);
  await keepHouse(sql, { event_retention_days: 30, log });
  t.ok(ahead().length > 0, 'its clock was looked at');
  const kept = await sql<{ run_id: string }[]>`select run_id from run_events`;
  t.same(kept.map(({ run_id }) => run_id), [run.id, run.id]);
});

t.test('of a write that nobody will resume, it is said that its outcome is unknown', async (t) => {
  const { sql } = await testDatabase(t);
  const intend = async (age: string) => {
    const { id: run_id, attempt, workspace_id } = await storedRun(sql, { status: 'running' });
    const invocation_id = newId('inv');
    t.ok(await insertWriteIntent(sql, {
      workspace_id, run_id, tool_call_id: 'call_1', invocation_id, action: 'lab.item.delete',
      connection_id: 'con_1', api_key_id: 'key_1', input: { a: 1 },
    }, attempt));
    await sql`update write_intents set created_at = now() - ${age}::interval
      where run_id = ${run_id}`;
    return { run_id, invocation_id };
  };
  const [open, young, old] = [await intend('2 hours'), await intend('1 minute'),
    await intend('2 hours')];
  await sql`update runs set status = 'cancelled', finished_at = now()
    where id = any(${[young.run_id, old.run_id]}::text[])`;
  const unknown: string[] = [];
  const add = (_: number, { integration }: { integration: string }) =>
    void unknown.push(integration);
  const meters = { ...NO_METERS, outcomes_unknown_total: { add } };
  await keepHouse(sql, { event_retention_days: 0, log, meters });
  t.same(unknown, ['lab'], 'counted by the integration');
  const left = await sql<{ run_id: string }[]>`select run_id from write_intents`;
  t.same(left.map((row) => row.run_id).toSorted(), [open.run_id, young.run_id].toSorted());
  t.match(await getInvocation(sql, wholeWorkspace('wsp_1'), old.invocation_id), {
    status: 'failed', error: { code: 'outcome_unknown' }, action: 'lab.item.delete',
    source: 'run', run_id: old.run_id, tool_call_id: 'call_1',
  });
  t.strictSame(await storedInput(sql, old.invocation_id), { a: 1 });
  const [said] = await sql<{ entry: string }[]>`select entry from audit_entries`;
  t.strictSame(JSON.parse(said!.entry), {
    workspace_id: 'wsp_1', actor: { type: 'run', id: old.run_id }, event: 'action.called',
    target: 'lab.item.delete', outcome: 'unknown', reason: 'outcome_unknown', request_id: null,
    details: { invocation_id: old.invocation_id, connection_id: 'con_1', api_key_id: 'key_1',
      source: 'run' },
  });
  t.equal(await getInvocation(sql, wholeWorkspace('wsp_1'), open.invocation_id), undefined);
});

t.test('of the write of a lost MCP client, the audit log says whose it was', async (t) => {
  const { sql } = await testDatabase(t);
  await sql`insert into workspaces (id, name) values ('wsp_1', 'one')`;
  await sql`insert into api_keys (workspace_id, id, name, hint, sha256)
    values ('wsp_1', 'key_1', 'one', '', 'x')`;
  const whose = [{ person: null, request_id: null },
    { person: 'o"hara@example.com', request_id: 'req_1' }];
  for (const who of whose) {
    t.ok(await insertLoneWriteIntent(sql, {
      workspace_id: 'wsp_1', invocation_id: newId('inv'), action: 'lab.item.delete',
      connection_id: 'con_1', api_key_id: 'key_1', input: {}, ...who,
    }));
  }
  await sql`update write_intents set created_at = now() - interval '2 hours'`;
  await keepHouse(sql, { event_retention_days: 0, log });
  const said = (await sql<{ entry: string }[]>`select entry from audit_entries`)
    .map(({ entry }) => JSON.parse(entry)).toSorted((a, b) => Number(a.request_id !== null)
      - Number(b.request_id !== null));
  const entry = { event: 'action.called', outcome: 'unknown', details: { source: 'mcp' } };
  t.match(said, [
    { ...entry, actor: { type: 'api_key', id: 'key_1' }, request_id: null },
    { ...entry, actor: { type: 'person', id: 'o"hara@example.com' }, request_id: 'req_1' },
  ]);
});
