import { Background } from '../coalesce.ts';
import type { Log } from '../log.ts';
import { NO_METERS, type Meters } from '../telemetry/metrics.ts';
import type { Sql, Transaction } from './database.ts';
import { removeExpiredApprovals } from './approvals.ts';
import { removeEndedSessions } from './dashboardSessions.ts';
import { removeUnusedEmbeddings } from './embeddings.ts';
import { databaseClock } from './inspection.ts';
import { HOUSEKEEPING_LOCK } from './locks.ts';
import { removeDeadNodes } from './nodes.ts';
import { removeExpiredOAuthFlows } from './oauthFlows.ts';
import {
  deleteExpiredEvents, dropExpiredPartitions, ensurePartitions, HOUSEKEEPING_LIMIT_MS,
} from './partitions.ts';
import { deleteSome, only } from './rows.ts';
import { doubtStorage, recountStorage } from './storage.ts';
import {
  deleteWriteIntents, NO_RUN, recordUnknownWrites, type WriteKey,
} from './writeIntents.ts';

const BATCH_ROWS = 5_000;
const DAY_MS = 86_400_000;
const INTERVAL_MS = 10 * 60 * 1_000;

export interface HouseOptions {
  /**
   * Days for which the events of a run are kept after its end, at least, and approvals that were
   * not used after they have expired; 0: for good.
   */
  event_retention_days: number;
  log: Log;
  meters?: Meters;
  /** Begins nothing more once it is aborted, and says nothing of what then fails. */
  signal?: AbortSignal;
}

interface HouseTask {
  /** The number of its lock; no other task ever gets the same. */
  number: number;
  /** For the log: the kind of rows that it removes. */
  name: string;
  /** Removes up to `limit`; answers how many. Fewer: there are no more. */
  doBatch(tx: Transaction, limit: number): Promise<number>;
}

/** Keeps house when it is asked to, and now and then. */
export function openHouse(
  sql: Sql, options: Omit<HouseOptions, 'signal'>): Background {
  const house = new Background((signal) => keepHouse(sql, { ...options, signal }), INTERVAL_MS);
  house.open();
  return house;
}

/**
 * Keeps house in the database, on every node, now and then: makes the partitions of the weeks to
 * come, and removes expired rows. One node at a time does a task; the others skip it. A fault is
 * logged, and the task is done the next time.
 */
export async function keepHouse(sql: Sql, options: HouseOptions): Promise<void> {
  const { log, event_retention_days, meters = NO_METERS, signal } = options;
  const safely = async <T>(name: string, work: () => Promise<T>): Promise<T | undefined> => {
    if (signal?.aborted) return undefined;
    try {
      return await work();
    } catch (error) {
      if (signal?.aborted) return undefined;
      log.warn({ err: error, task: name }, 'housekeeping in the database failed');
      return undefined;
    }
  };
  await safely('partitions', async () => {
    const created = await ensurePartitions(sql, await databaseClock(sql), log);
    if (created.length > 0) log.info({ partitions: created }, 'partitions created');
  });
  const before_ms = event_retention_days === 0 ? undefined
    : await safely('time of what expires', async () =>
      await timeNow(sql) - event_retention_days * DAY_MS);
  if (before_ms !== undefined) {
    await safely('expired partitions', async () => {
      const dropped = await dropExpiredPartitions(sql, before_ms, log);
      if (dropped.length > 0) await doubtStorage(sql);
    });
  }
  for (const task of tasksOf(before_ms, meters)) {
    await safely(task.name, () => perform(sql, task, options));
  }
  await safely('count of what is stored', () => recountStorage(sql, signal));
}

/** `before_ms`: what had its end before it has expired; undefined: nothing that ends expires. */
function tasksOf(before_ms: number | undefined, meters: Meters): HouseTask[] {
  const tasks: HouseTask[] = [
    { number: 2, name: 'expired idempotency keys',
      doBatch: (tx, limit) =>
        deleteSome(tx, tx`idempotency_keys`, tx`expires_at <= now()`, limit) },
    { number: 3, name: 'write intents of ended runs',
      doBatch: (tx, limit) => removeWriteIntents(tx, limit, meters) },
    { number: 4, name: 'dead workers', doBatch: removeDeadWorkers },
    { number: 5, name: 'authorizations that nobody finished', doBatch: removeExpiredOAuthFlows },
    { number: 7, name: 'old sessions of the dashboard', doBatch: removeEndedSessions },
    { number: 8, name: 'embeddings that no node uses', doBatch: removeUnusedEmbeddings },
    { number: 9, name: 'dead nodes', doBatch: removeDeadNodes },
  ];
  return before_ms === undefined ? tasks : [
    ...tasks,
    { number: 1, name: 'expired events outside the partitions',
      doBatch: (tx, limit) => deleteExpiredEvents(tx, before_ms, limit) },
    { number: 6, name: 'approvals that expired long ago',
      doBatch: (tx, limit) => removeExpiredApprovals(tx, before_ms, limit) },
  ];
}

/**
 * The time by this node's clock or the database's, whichever is earlier: one clock that is wrong
 * may keep for longer what has expired, but must not delete what has not.
 */
async function timeNow(sql: Sql): Promise<number> {
  return Math.min(Date.now(), await databaseClock(sql));
}

async function perform(
  sql: Sql, task: HouseTask, { log, signal }: Pick<HouseOptions, 'log' | 'signal'>,
): Promise<void> {
  let done = 0;
  while (!signal?.aborted) {
    // A transaction for each batch: a long one would keep dead rows alive everywhere.
    const rows = await sql.begin(async (tx) => {
      const { taken } = await only(tx<{ taken: boolean }[]>`
        select pg_try_advisory_xact_lock(${HOUSEKEEPING_LOCK}, ${task.number}) as taken`);
      return taken ? await task.doBatch(tx, BATCH_ROWS) : 0;
    }, { limit_ms: HOUSEKEEPING_LIMIT_MS });
    done += rows;
    if (rows < BATCH_ROWS) break;
  }
  if (done > 0) log.info({ task: task.name, rows: done }, 'housekeeping');
}

/**
 * Removes the write intents of runs that have ended, and of calls of no run; no call may take as
 * long as an hour. Whoever ends a run settles its writes (settle_writes), but nobody takes over the
 * call of an MCP client whose node was lost: then this records that the outcome is unknown.
 */
async function removeWriteIntents(
  tx: Transaction, limit: number, meters: Meters): Promise<number> {
  const gone = await tx<WriteKey[]>`
    select i.workspace_id, i.run_id, i.tool_call_id from write_intents i
    left join runs r on r.workspace_id = i.workspace_id and r.id = i.run_id
    where i.created_at < now() - interval '1 hour'
      and (i.run_id = ${NO_RUN} or r.status in ('completed', 'failed', 'cancelled'))
    limit ${limit}`;
  if (gone.length === 0) return 0;
  for (const { integration } of await recordUnknownWrites(tx, gone)) {
    meters.outcomes_unknown_total.add(1, { integration });
  }
  await deleteWriteIntents(tx, gone);
  return gone.length;
}

/** Workers that have been dead for an hour and execute nothing. */
async function removeDeadWorkers(tx: Transaction): Promise<number> {
  const removed = await tx`
    delete from workers w where w.lease_until < clock_timestamp() - interval '1 hour'
      and not exists (select 1 from runs r where r.status = 'running' and r.worker_id = w.id)`;
  return removed.count;
}
