/** Plans that are made once, in an empty database, are those of a full one, and read little. */
import t, { type Test } from 'tap';
import { wholeWorkspace } from '../../src/caller.ts';
import { lowestId, newId } from '../../src/ids.ts';
import type { OperationContext } from '../../src/operations/operation.ts';
import { listRuns } from '../../src/operations/listRuns.ts';
import { listInvocations } from '../../src/store/actionInvocations.ts';
import { listAudit } from '../../src/store/auditEntries.ts';
import { connect, type Sql, type Transaction } from '../../src/store/database.ts';
import { countRuns, HOUR_MS } from '../../src/store/overview.ts';
import { deleteExpiredEvents } from '../../src/store/partitions.ts';
import { createRuns } from '../../src/store/runCreation.ts';
import { appendToRuns, cancelRunRow, claimRuns } from '../../src/store/runs.ts';
import { listSessionRows } from '../../src/store/sessions.ts';
import { testDatabase } from '../support/database.ts';
import { completion, newRun, storeWorkers } from '../support/storedRuns.ts';

const WORKSPACE = 'wsp_1';
const SESSIONS = 60;
const AT_ONCE = 10;
/** Index entries per look: an update leaves one behind, and runs of a group are counted. */
const FEW = AT_ONCE + 2;

/** Creates, claims and ends a run of each session, some at once, and cancels one more of each. */
async function work(sql: Sql, sessions: string[]): Promise<void> {
  await storeWorkers(sql, 'wrk_1');
  for (let i = 0; i < sessions.length; i += AT_ONCE) {
    const some = sessions.slice(i, i + AT_ONCE);
    const fresh = () => some.map((session_id) => newRun(session_id, {
      max_queued_runs: 1_000, max_queued_runs_of_key: 1_000 }));
    await createRuns(sql, fresh());
    const queued = fresh();
    await createRuns(sql, queued);
    const claimed = await claimRuns(sql, 'wrk_1', AT_ONCE);
    await appendToRuns(sql, claimed.map(completion));
    for (const { id } of queued) await cancelRunRow(sql, WORKSPACE, id, 'requested');
  }
}

/**
 * How often each index of all runs or sessions was looked into, and the entries that were read.
 * (Those of some runs alone, such as of those that are queued, hold what runs that are no longer
 * such have left, for as long as anything in the database looks back.)
 */
async function reads(sql: Sql) {
  await sql`select pg_stat_force_next_flush()`;
  const rows = await sql<{ name: string; looks: number; entries: number }[]>`
    select indexrelname as name, idx_scan::int as looks, idx_tup_read::int as entries
    from pg_stat_user_indexes s join pg_index i on i.indexrelid = s.indexrelid
    where relname in ('runs', 'sessions') and (i.indpred is null
      or pg_get_expr(i.indpred, i.indrelid) like '(% IS NOT NULL)')`;
  return new Map(rows.map(({ name, ...of }) => [name, of]));
}

const STATES: Record<string, (sql: Sql, sessions: string[]) => Promise<unknown>> = {
  'nothing is there yet': async () => {},
  'the database knows that there is one run': async (sql, [session]) => {
    await work(sql, [session!]);
    await sql`analyze`;
  },
  'the database knows that there are a few': async (sql, sessions) => {
    await work(sql, sessions.slice(0, 3));
    await sql`analyze`;
  },
};

async function watch(t: Test, prepare: typeof STATES[string]): Promise<void> {
  const { sql, url } = await testDatabase(t);
  const sessions = Array.from({ length: SESSIONS }, () => newId('ses'));
  await sql`insert into workspaces (id, name) values (${WORKSPACE}, 'test')`;
  await sql`insert into sessions (workspace_id, id)
    select ${WORKSPACE}, id from unnest(${sessions.slice(0, 3)}::text[]) id`;
  await prepare(sql, sessions);
  const own = connect(url, { max: 1 });
  t.teardown(() => own.end());
  await work(own, sessions.slice(0, 1)); // the plans
  await sql`insert into sessions (workspace_id, id)
    select ${WORKSPACE}, id from unnest(${sessions.slice(3)}::text[]) id`;
  for (let i = 0; i < 3; i++) await work(own, sessions);
  const before = await reads(own);
  await work(own, sessions);
  for (const [name, { looks, entries }] of await reads(own)) {
    const { looks: seen = 0, entries: read = 0 } = before.get(name) ?? {};
    t.ok(entries - read <= FEW * (looks - seen),
      `${name}: ${entries - read} entries in ${looks - seen} looks`);
  }
}

for (const [name, prepare] of Object.entries(STATES)) {
  t.test(`plans made when ${name}`, (t) => watch(t, prepare));
}

t.test('a look for one row by its key can take no index but that of the key', async (t) => {
  const { sql } = await testDatabase(t);
  const others = await sql`
    select i.indexrelid::regclass::text as index from pg_index i
    join pg_index key on key.indrelid = i.indrelid and key.indisprimary
    join pg_class c on c.oid = i.indrelid and c.relnamespace = 'public'::regnamespace
    where not i.indisprimary and not i.indisunique and i.indpred is null
      and i.indkey[0] = key.indkey[0] and key.indnatts > 1`;
  t.strictSame([...others], [], 'give it a `where … is not null`: see 0001-runs.sql');
});

/** For thousands of rows in one statement, on a slow machine. */
const FILL_LIMIT_MS = 60_000;

/** A connection of its own, and how many rows of a table it has read since it was asked last. */
async function reader(t: Test, table: string) {
  const { sql, url } = await testDatabase(t);
  const own = connect(url, { max: 1 });
  t.teardown(() => own.end());
  // As they come to be where a statement is executed often.
  await own`set plan_cache_mode = force_generic_plan`;
  let before = 0;
  const rowsRead = async () => {
    await own`select pg_stat_force_next_flush()`;
    const [row] = await own<{ rows: number }[]>`
      select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_user_tables
      where relname = ${table}`;
    const read = row!.rows - before;
    before = row!.rows;
    return read;
  };
  const fill = (work: (sql: Transaction) => Promise<unknown>) =>
    sql.begin(work, { limit_ms: FILL_LIMIT_MS });
  return { sql, fill, own, rowsRead };
}

t.test('a page of what one actor did is read, not all of it', async (t) => {
  const { sql, fill, own, rowsRead } = await reader(t, 'audit_entries');
  await fill((sql) => sql`
    insert into audit_entries (seq, event, entry, hash)
    select n, 'test.done', format('{"actor":{"type":"api_key","id":"key_%s"}}', n % 10), ''
    from generate_series(1, 20000) n`);
  await sql`analyze audit_entries`;
  await rowsRead();
  const page = await listAudit(own, { actor: 'key_7' }, { limit: 20, order: 'desc' });
  t.equal(page.length, 21);
  const read = await rowsRead();
  t.ok(read < 1_000, `${read} rows were read, of 2,000 of the actor`);
});

t.test('of calls that few are like, few are read', async (t) => {
  const { sql, fill, own, rowsRead } = await reader(t, 'action_invocations');
  await fill((sql) => sql`
    insert into action_invocations (workspace_id, id, action, status, source, run_id, input, error,
      duration_ms)
    select ${WORKSPACE}, 'inv_' || lpad(n::text, 6, '0'), 'github.get_' || n % 10,
      case when n = 7 then 'failed' else 'completed' end, 'run', 'run_1', '{}',
      case when n = 7 then '{}'::json end, 1
    from generate_series(1, 20000) n`);
  await sql`analyze action_invocations`;
  for (const filter of [{ action: 'github.get_7', status: 'failed' },
    { source: 'api', status: 'failed' }, { source: 'mcp' }]) {
    await rowsRead();
    const found = await listInvocations(
      own, wholeWorkspace(WORKSPACE), filter, { limit: 20, order: 'desc' });
    t.equal(found.length, 'action' in filter ? 1 : 0);
    const read = await rowsRead();
    t.ok(read < 100, `${JSON.stringify(filter)}: ${read} rows were read, of 20,000`);
  }
});

t.test('of sessions with a pair of metadata, those of a page are read', async (t) => {
  const { sql, fill, own, rowsRead } = await reader(t, 'sessions');
  await sql`insert into workspaces (id, name) values (${WORKSPACE}, 'test')`;
  // More have the pair than are looked at one by one, and one user has the oldest ones.
  await fill((sql) => sql`
    insert into sessions (workspace_id, id, status, title, metadata)
    select ${WORKSPACE}, 'ses_' || lpad(n::text, 6, '0'),
      case when n % 1000 = 7 then 'archived' else 'active' end, 'talk ' || n,
      json_build_object('team', 'growth', 'user', case when n <= 30 then 'u1' else 'u2' end)
    from generate_series(1, 12000) n`);
  await sql`analyze`;
  const scope = wholeWorkspace(WORKSPACE);
  for (const [filter, within, rows] of [
    [{ metadata: 'user=u1' }, scope, 21], [{ metadata: 'team=growth' }, scope, 21],
    [{ metadata: 'user=u1', status: 'archived' }, scope, 1],
    [{ metadata: 'user=u1', query: 'talk 29' }, scope, 1],
    [{ metadata: 'team=growth', status: 'archived' }, scope, 12],
    [{ metadata: 'team=growth' }, { ...scope, session_id: 'ses_000007' }, 1],
    [{ metadata: 'user=u2' }, { ...scope, session_id: 'ses_000007' }, 0],
  ] as const) {
    await rowsRead();
    const found = await listSessionRows(own, within, filter, { limit: 20, order: 'desc' });
    t.equal(found.length, rows, JSON.stringify(filter));
    const read = await rowsRead();
    t.ok(read < 100, `${JSON.stringify(filter)}: ${read} rows were read, of 12,000`);
  }
});

t.test('of runs with a pair of metadata, too, as a request asks for them', async (t) => {
  const { sql, fill, own, rowsRead } = await reader(t, 'runs');
  await sql`insert into workspaces (id, name) values (${WORKSPACE}, 'test')`;
  await sql`insert into sessions (workspace_id, id) values (${WORKSPACE}, 'ses_1')`;
  // More have the pair than are looked at one by one, and all others are newer.
  await fill((sql) => sql`
    insert into runs (workspace_id, id, session_id, status, head, attempt, worker_id, last_seq,
      source, model, max_steps, timeout_s, input, metadata, started_at, finished_at)
    select ${WORKSPACE}, 'run_' || lpad(n::text, 6, '0'), 'ses_1', 'completed', false, 1, 'wrk_1',
      1, 'api', 'rehearsal', 1, 60, '[]',
      case when n <= 11000 then '{"team":"growth"}'::json else '{}'::json end, now(), now()
    from generate_series(1, 22000) n`);
  await sql`analyze`;
  const scope = wholeWorkspace(WORKSPACE);
  const query = { metadata: 'team=growth', limit: 20, order: 'desc' };
  const context = { caller: scope, scope, params: { query }, services: { sql: own } };
  await rowsRead();
  const { body } = await listRuns(context as unknown as OperationContext<'listRuns'>);
  t.equal(body.data[0]?.id, 'run_011000');
  t.equal(body.data.length, 20);
  const read = await rowsRead();
  t.ok(read < 100, `${read} rows were read, of 22,000`);
});

t.test('a queue is counted once for all runs that are created together', async (t) => {
  const { sql, own } = await reader(t, 'runs');
  const entries = async () => {
    await own`select pg_stat_force_next_flush()`;
    const [row] = await own<{ entries: number }[]>`
      select sum(idx_tup_read)::int as entries from pg_stat_user_indexes where relname = 'runs'`;
    return row!.entries;
  };
  const sessions = Array.from({ length: AT_ONCE + 1 }, () => newId('ses'));
  await sql`insert into workspaces (id, name) values (${WORKSPACE}, 'test')`;
  await sql`insert into sessions (workspace_id, id)
    select ${WORKSPACE}, id from unnest(${sessions}::text[]) id`;
  await sql`
    insert into runs (workspace_id, id, session_id, head, last_seq, source, api_key_id, model,
      max_steps, timeout_s)
    select ${WORKSPACE}, 'run_' || n, ${sessions[0]!}, n = 1, 1, 'api', 'key_1', 'rehearsal', 1, 60
    from generate_series(1, 2000) n`;
  await sql`analyze runs`;
  const before = await entries();
  const { outcomes } = await createRuns(own, sessions.slice(1).map((session_id, nth) => newRun(
    session_id, { max_queued_runs: 3_000, max_queued_runs_of_key: nth < 5 ? 3_000 : 2_000 })));
  t.same(outcomes.map(({ outcome }) => outcome), [
    ...Array(5).fill('created'), ...Array(AT_ONCE - 5).fill('key_queue_full')]);
  const read = await entries() - before;
  t.ok(read < 9_000, `${read} entries were read: of the workspace and of its key, for two limits`);
});

t.test('of runs that events are to be removed of, no others are read', async (t) => {
  const { sql, fill, own, rowsRead } = await reader(t, 'runs');
  await sql`insert into workspaces (id, name) values (${WORKSPACE}, 'test')`;
  await sql`insert into sessions (workspace_id, id) values (${WORKSPACE}, 'ses_1')`;
  await fill((sql) => sql`
    with ended as (
      insert into runs (workspace_id, id, session_id, status, head, attempt, worker_id, last_seq,
        source, model, max_steps, timeout_s, input, started_at, finished_at)
      select ${WORKSPACE}, 'run_00' || lpad(n::text, 6, '0'), 'ses_1', 'completed', false, 1,
        'wrk_1', 1, 'api', 'rehearsal', 1, 60, '[]', '1970-01-02', '1970-01-02'
      from generate_series(1, 20000) n
      returning workspace_id, id)
    insert into run_events_default (workspace_id, run_id, seq, type, data)
    select workspace_id, id, 1, 'run.created', '{}' from ended`);
  await sql`analyze runs, run_events_default`;
  await rowsRead();
  t.equal(await own.begin((tx) => deleteExpiredEvents(tx, Date.now(), 500)), 500);
  const read = await rowsRead();
  t.ok(read <= 500, `${read} runs were read, of 20,000, for 500 events`);
});

t.test('runs of an hour are found by their workspaces', async (t) => {
  const { sql, own } = await reader(t, 'runs');
  const looks = async () => (await reads(own)).get('runs_pkey')!.looks;
  await sql`insert into workspaces (id, name) select 'wsp_' || n, 'test'
    from generate_series(1, 200) n`;
  await sql`insert into sessions (workspace_id, id) select id, 'ses_1' from workspaces`;
  await sql`
    insert into runs (workspace_id, id, session_id, status, head, attempt, worker_id, last_seq,
      source, model, max_steps, timeout_s, input, started_at, finished_at)
    select w.id, ${lowestId('run', Date.now())} || w.id || n, 'ses_1', 'completed', false, 1,
      'wrk_1', 1, 'api', 'rehearsal', 1, 60, '[]', now(), now()
    from workspaces w, generate_series(1, 20) n`;
  await sql`analyze workspaces, runs`;
  const hour = Math.floor(Date.now() / HOUR_MS);
  const before = await looks();
  const { groups } = await countRuns(own, {}, hour - 1, hour);
  t.equal(groups.reduce((sum, { runs }) => sum + runs, 0), 4_000);
  t.ok(await looks() - before >= 200, 'at least one look for each workspace');
});
