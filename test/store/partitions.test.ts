import t from 'tap';
import { newId } from '../../src/ids.ts';
import { connect, type Sql } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrate.ts';
import { ensurePartitions, weekOf } from '../../src/store/partitions.ts';
import { emptyDatabase } from '../support/database.ts';

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
  await sql.begin(async (transaction) => {
    await transaction`lock table run_events in access exclusive mode`;
    t.same(await ensurePartitions(sql, NOW_MS), []);
  });
  t.same(await ensurePartitions(sql, NOW_MS), WEEKS);
});
