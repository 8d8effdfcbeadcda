import type { Log } from '../log.ts';
import { lowestId } from '../ids.ts';
import type { Sql, Transaction } from './database.ts';

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
// Monday, 5 January 1970.
const FIRST_MONDAY_MS = 4 * DAY_MS;
const WEEKS_AHEAD = 2;
// Any fixed number; whoever adds or drops partitions holds it.
const PARTITION_LOCK = 4_735_270_914;

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
      log?.info({ partition: week.name }, 'partition created');
    } else if (outcome !== 'exists') log?.warn({ partition: week.name }, OBSTACLES[outcome]);
    // The next one would only wait as long.
    if (outcome === 'locked') break;
  }
  return created;
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

// Neither does harm: the default partition takes what has no partition of its own.
const OBSTACLES = {
  occupied: 'events of this week are in run_events_default already; they stay there',
  locked: 'run_events is in use; the partition will be created another time',
};

type Outcome = 'created' | 'exists' | keyof typeof OBSTACLES;

async function createPartition(sql: Sql, week: Week): Promise<Outcome> {
  // Outside the transaction first: mostly there is nothing to do.
  if (await exists(sql, week.name)) return 'exists';
  try {
    return await sql.begin((transaction) => attachNew(transaction, week)) as Outcome;
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === '23514') return 'occupied';
    if (code === '55P03') return 'locked';
    throw error;
  }
}

/**
 * Creates the table and attaches it: `create table … partition of` would lock all of run_events
 * against reading, this only locks the default partition, for a moment.
 */
async function attachNew(transaction: Transaction, week: Week): Promise<Outcome> {
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

/** Reads the table of tables: to_regclass reads a cache, and missed what a lock waited for. */
async function exists(sql: Sql | Transaction, name: string): Promise<boolean> {
  const [row] = await sql<{ found: boolean }[]>`
    select exists (
      select from pg_class parent join pg_class other using (relnamespace)
      where parent.oid = 'run_events'::regclass and other.relname = ${name}) as found`;
  return row!.found;
}
