import t from 'tap';
import { wholeWorkspace } from '../../src/caller.ts';
import { newId } from '../../src/ids.ts';
import { connect, type Sql } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrate.ts';
import {
  deleteExpiredEvents, dropExpiredPartitions, ensurePartitions, weekOf,
} from '../../src/store/partitions.ts';
import { getRunRow } from '../../src/store/runs.ts';
import { emptyDatabase } from '../support/database.ts';
import { openTransaction } from '../support/openTransaction.ts';
import { storedRun } from '../support/storedRuns.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 3, 41);
const WEEK_MS = 7 * 86_400_000;
const WEEKS = ['run_events_2026w47', 'run_events_2026w48', 'run_events_2026w49'];

async function migrated(t: Parameters<typeof emptyDatabase>[0]) {
  const database = await emptyDatabase(t);
  await migrate(database.sql);
  return database;
}

async function insertEvent(sql: Sql, time_ms: number): Promise<string> {
  const [row] = await sql<{ partition: string }[]>`
    insert into run_events (workspace_id, run_id, seq, type, data)
    values ('wsp_1', ${newId('run', time_ms)}, 1, 'run.created', '{}')
    returning tableoid::regclass::text as partition`;
  return row!.partition;
}

t.test('a week runs from Monday 00:00 UTC and has its ISO name', async (t) => {
  const week = weekOf(NOW_MS);
  t.equal(week.name, 'run_events_2026w47');
  t.equal(new Date(week.start_ms).toISOString(), '2026-11-16T00:00:00.000Z');
  t.equal(new Date(week.end_ms).toISOString(), '2026-11-23T00:00:00.000Z');
  t.equal(weekOf(week.end_ms - 1).name, week.name);
  t.equal(weekOf(week.end_ms).name, 'run_events_2026w48');
  // The turns of the year, where the week's year is not the day's.
  t.equal(weekOf(Date.UTC(2027, 0, 1)).name, 'run_events_2026w53');
  t.equal(weekOf(Date.UTC(2024, 11, 30)).name, 'run_events_2025w01');
  t.equal(weekOf(Date.UTC(2026, 0, 1)).name, 'run_events_2026w01');
});

t.test('this week and the next two get partitions, and events go there', async (t) => {
  const { sql } = await migrated(t);
  t.same(await ensurePartitions(sql, NOW_MS), WEEKS);
  t.same(await ensurePartitions(sql, NOW_MS), [], 'a second time there is nothing to do');
  const { start_ms } = weekOf(NOW_MS);
  for (const [i, week] of WEEKS.entries()) {
    t.equal(await insertEvent(sql, start_ms + i * WEEK_MS), week, 'the first millisecond');
    t.equal(await insertEvent(sql, start_ms + (i + 1) * WEEK_MS - 1), week, 'the last one');
  }
  t.equal(await insertEvent(sql, start_ms - 1), 'run_events_default');
  t.equal(await insertEvent(sql, start_ms + 3 * WEEK_MS), 'run_events_default');
  t.same(await ensurePartitions(sql, NOW_MS + WEEK_MS), [],
    'of week 50 the default holds an event');
});

t.test('partitions have the keys and indexes of run_events', async (t) => {
  const { sql } = await migrated(t);
  await ensurePartitions(sql, NOW_MS);
  const indexes = async (table: string) => (await sql<{ definition: string }[]>`
    select regexp_replace(indexdef, '.* USING', '') as definition from pg_indexes
    where tablename = ${table} order by 1`).map((row) => row.definition);
  const expected = await indexes('run_events');
  t.ok(expected.length >= 2);
  t.same(await indexes(WEEKS[0]!), expected);
  await sql`insert into run_events (workspace_id, run_id, seq, type, data)
    values ('wsp_1', ${newId('run', NOW_MS).slice(0, 14) + '0'.repeat(16)}, 1, 'x', '{}')`;
  await t.rejects(sql`insert into run_events (workspace_id, run_id, seq, type, data)
    values ('wsp_1', ${newId('run', NOW_MS).slice(0, 14) + '0'.repeat(16)}, 1, 'x', '{}')`,
  { code: '23505' }, 'an event number is given once');
});

t.test('several nodes may do it at once, while others append', async (t) => {
  const { sql, url } = await migrated(t);
  const nodes = Array.from({ length: 6 }, () => connect(url, { max: 1 }));
  t.teardown(() => Promise.all(nodes.map((node) => node.end())));
  const [created] = await Promise.all([
    Promise.all(nodes.map((node) => ensurePartitions(node, NOW_MS))),
    ...Array.from({ length: 20 }, () => insertEvent(sql, NOW_MS - WEEK_MS)),
  ]);
  t.same(created!.flat().sort(), WEEKS, 'each was created by one of them');
});

t.test('a week that the default partition has begun is left there', async (t) => {
  const { sql } = await migrated(t);
  t.equal(await insertEvent(sql, NOW_MS), 'run_events_default');
  t.same(await ensurePartitions(sql, NOW_MS), WEEKS.slice(1));
  t.equal(await insertEvent(sql, NOW_MS), 'run_events_default', 'and goes on there');
});

t.test('a lock on run_events delays it, and fails nothing', async (t) => {
  const { sql } = await migrated(t);
  await openTransaction(sql, async (transaction) => {
    await transaction`lock table run_events in access exclusive mode`;
    t.same(await ensurePartitions(sql, NOW_MS), []);
  });
  t.same(await ensurePartitions(sql, NOW_MS), WEEKS);
});

t.test('weeks that have expired are dropped, and nothing else', async (t) => {
  const { sql } = await migrated(t);
  const week = (ago: number) => NOW_MS - ago * WEEK_MS;
  for (const ago of [6, 5, 4, 3]) await ensurePartitions(sql, week(ago));
  const done = await storedRun(sql,
    { status: 'completed', created_ms: week(6), events: 3 });
  const late = await storedRun(sql,
    { status: 'failed', created_ms: week(5), finished_ms: week(1), events: 3 });
  const open = await storedRun(sql, { status: 'running', created_ms: week(4), events: 3 });
  const recent = await storedRun(sql, { status: 'completed', created_ms: week(2), events: 3 });
  const left = await storedRun(sql, { status: 'completed', created_ms: week(9), events: 3 });
  const before_ms = week(2);
  t.same(await dropExpiredPartitions(sql, before_ms), [
    weekOf(week(6)).name, weekOf(week(3)).name,
  ]);
  const kept = async () => (await sql<{ run_id: string }[]>`
    select distinct run_id from run_events order by run_id`).map((row) => row.run_id);
  t.same(await kept(), [left, late, open, recent].map((run) => run.id).toSorted());
  t.equal(await sql.begin((tx) => deleteExpiredEvents(tx, before_ms, 2)), 2);
  t.equal((await sql`select seq from run_events where run_id = ${left.id}`)[0]!.seq, 3,
    'the first go first: there is never a gap');
  t.equal(await sql.begin((tx) => deleteExpiredEvents(tx, before_ms, 2)), 1);
  t.same(await dropExpiredPartitions(sql, before_ms), [], 'the others are needed still');
  await sql`update runs set status = 'cancelled', finished_at = ${new Date(week(3))}
    where id = ${open.id}`;
  t.same(await dropExpiredPartitions(sql, before_ms), [weekOf(week(4)).name]);
  t.same(await kept(), [late.id, recent.id]);
  t.equal((await sql`select from runs`).length, 5, 'the runs stay');
  t.equal((await getRunRow(sql, wholeWorkspace('wsp_1'), done.id))!.last_seq, 3);
});

t.test('who reads run_events for long keeps a week from being dropped, not others waiting',
  async (t) => {
    const { sql } = await migrated(t);
    await ensurePartitions(sql, NOW_MS - 9 * WEEK_MS);
    const names = await openTransaction(sql, async (transaction) => {
      await transaction`select count(*) from run_events`;
      return await dropExpiredPartitions(sql, NOW_MS);
    });
    t.same(names, []);
    t.equal((await dropExpiredPartitions(sql, NOW_MS)).length, 3);
  });
