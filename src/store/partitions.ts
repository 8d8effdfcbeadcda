import type { Log } from '../log.ts';
import { lowestId } from '../ids.ts';
import { isLocked, type Sql, type Transaction } from './database.ts';
import { PARTITION_LOCK } from './locks.ts';
import { some } from './rows.ts';

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
// Monday, 5 January 1970.
const FIRST_MONDAY_MS = 4 * DAY_MS;
const WEEKS_AHEAD = 2;

/** Work on a whole table, which no request waits for, may take longer than that of a request. */
export const HOUSEKEEPING_LIMIT_MS = 5 * 60 * 1_000;
/** Longest wait for a lock for which all readers and writers of run_events wait, too. */
const DROP_LOCK_TIMEOUT = '300ms';

/** A week from Monday 00:00 UTC, named after its ISO year and number. */
export interface Week {
  name: string;
  start_ms: number;
  end_ms: number;
}

/**
 * Makes sure that `run_events` has its partitions for this week and the next two; to be called at
 * start and about once a day. Several nodes may do so at once. A week of which the default
 * partition already holds events stays there: nothing is lost, it is merely not dropped as one.
 * Answers the names of the partitions that were created.
 */
export async function ensurePartitions(
  sql: Sql, now_ms: number = Date.now(), log?: Log): Promise<string[]> {
  const created: string[] = [];
  for (let ahead = 0; ahead <= WEEKS_AHEAD; ahead++) {
    const week = weekOf(now_ms + ahead * WEEK_MS);
    const outcome = await createPartition(sql, week);
    if (outcome === 'created') {
      created.push(week.name);
      log?.debug({ partition: week.name }, 'partition created');
    } else if (outcome !== 'exists') log?.warn({ partition: week.name }, OBSTACLES[outcome]);
    // The next week's partition would have to wait as long.
    if (outcome === 'locked') break;
  }
  return created;
}

/**
 * Drops the partitions of weeks that were over before `before_ms`, unless a run of that week is
 * open or ended later than that: its events are kept as long. Answers the names of those dropped.
 *
 * Dropping locks all of run_events for a moment. If it does not get the lock soon, it is left for
 * the next time, so that readers and writers do not wait behind it.
 */
export async function dropExpiredPartitions(
  sql: Sql, before_ms: number, log?: Log): Promise<string[]> {
  const dropped: string[] = [];
  for (const partition of await listPartitions(sql)) {
    if (partition.end > lowestId('run', before_ms)) continue;
    try {
      const done = await sql.begin((tx) => dropPartition(tx, partition, before_ms),
        { limit_ms: HOUSEKEEPING_LIMIT_MS });
      if (!done) continue;
      dropped.push(partition.name);
      log?.info({ partition: partition.name }, 'partition dropped: its events have expired');
    } catch (error) {
      if (!isLocked(error)) throw error;
      log?.warn({ partition: partition.name }, 'run_events is in use; it is dropped another time');
    }
  }
  return dropped;
}

interface Partition {
  name: string;
  /** The first run id of its week, and the first of the next. */
  start: string;
  end: string;
}

async function listPartitions(sql: Sql): Promise<Partition[]> {
  const rows = await sql<{ name: string; bounds: string }[]>`
    select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bounds
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'run_events'::regclass order by 1`;
  return rows.flatMap(({ name, bounds }) => {
    const [, start, end] = /FROM \('(\w+)'\) TO \('(\w+)'\)/.exec(bounds) ?? [];
    return start === undefined || end === undefined ? [] : [{ name, start, end }];
  });
}

async function dropPartition(
  tx: Transaction, { name, start, end }: Partition, before_ms: number): Promise<boolean> {
  await tx`select pg_advisory_xact_lock(${PARTITION_LOCK})`;
  if (!await exists(tx, name)) return false;
  // Runs of so long ago only change if they are open, so that this holds until the commit. Those of
  // each workspace are found by their ids; there is no index of the ids of all.
  const is_needed = await some(tx`
    select from workspaces w cross join lateral (
      select from runs where workspace_id = w.id and id >= ${start} and id < ${end} and (
        finished_at is null or finished_at >= ${new Date(before_ms)}) limit 1) r limit 1`);
  if (is_needed) return false;
  await tx.unsafe(`set local lock_timeout = '${DROP_LOCK_TIMEOUT}'; drop table ${name}`);
  return true;
}

/**
 * Deletes what has expired from the default partition, at most `limit` events and each run's first
 * ones first, so that what is left of a run has no gap. Answers how many.
 */
export async function deleteExpiredEvents(
  tx: Transaction, before_ms: number, limit: number): Promise<number> {
  const deleted = await tx`
    delete from run_events_default where ctid = any (array(
      select e.ctid from run_events_default e
      where e.run_id < ${lowestId('run', before_ms)} and (
        select true from runs r where r.workspace_id = e.workspace_id and r.id = e.run_id
          and (r.finished_at is null or r.finished_at >= ${new Date(before_ms)})) is null
      order by e.workspace_id, e.run_id, e.seq limit ${limit}))`;
  return deleted.count;
}

/** The week that holds a time, such as `run_events_2026w47`. */
export function weekOf(time_ms: number): Week {
  const since_ms = time_ms - FIRST_MONDAY_MS;
  const start_ms = FIRST_MONDAY_MS + Math.floor(since_ms / WEEK_MS) * WEEK_MS;
  // ISO 8601: a week belongs to the year of its Thursday.
  const thursday = new Date(start_ms + 3 * DAY_MS);
  const year = thursday.getUTCFullYear();
  const number = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / WEEK_MS) + 1;
  return {
    name: `run_events_${year}w${String(number).padStart(2, '0')}`,
    start_ms, end_ms: start_ms + WEEK_MS,
  };
}

// Neither does harm: the default partition takes events that have no other partition.
const OBSTACLES = {
  occupied: 'events of this week are in run_events_default already; they stay there',
  locked: 'run_events is in use; the partition will be created another time',
};

type PartitionOutcome = 'created' | 'exists' | keyof typeof OBSTACLES;

async function createPartition(sql: Sql, week: Week): Promise<PartitionOutcome> {
  // Outside the transaction first: mostly there is nothing to do.
  if (await exists(sql, week.name)) return 'exists';
  try {
    return await sql.begin((transaction) => attachNew(transaction, week)) as PartitionOutcome;
  } catch (error) {
    if (isLocked(error)) return 'locked';
    if ((error as { code?: string }).code === '23514') return 'occupied'; // by a check
    throw error;
  }
}

/**
 * Creates the table and attaches it: `create table … partition of` would lock all of run_events
 * against reading, this only locks the default partition, for a moment.
 */
async function attachNew(transaction: Transaction, week: Week): Promise<PartitionOutcome> {
  await transaction`select pg_advisory_xact_lock(${PARTITION_LOCK})`;
  if (await exists(transaction, week.name)) return 'exists';
  await transaction`set local lock_timeout = '1s'`;
  // The bounds consist of the characters of ids, and the name of ours.
  await transaction.unsafe(`
    create table ${week.name} (
      like run_events including defaults including constraints including storage);
    alter table run_events attach partition ${week.name} for values
      from ('${lowestId('run', week.start_ms)}') to ('${lowestId('run', week.end_ms)}')`);
  return 'created';
}

/** Reads pg_class: to_regclass reads a cache, which missed tables made while a lock waited. */
async function exists(sql: Sql | Transaction, name: string): Promise<boolean> {
  return await some(sql`
    select from pg_class parent join pg_class other using (relnamespace)
    where parent.oid = 'run_events'::regclass and other.relname = ${name}`);
}
