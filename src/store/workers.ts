import type { Sql } from './database.ts';
import { workerLock } from './locks.ts';
import { only } from './rows.ts';

interface WorkerLease {
  id: string;
  host: string;
  lease_ms: number;
}

/**
 * Registers a worker, or renews its lease, on the connection that holds its advisory lock. Taking
 * the lock again while it is held is a count and costs nothing; after the connection was lost it
 * takes it anew. Answers false while another connection still holds it: the lost one, until the
 * server has noticed. The lease runs on the database's clock.
 */
export async function renewWorker(lock: Sql, worker: WorkerLease): Promise<boolean> {
  return await renew(lock, worker, true);
}

/**
 * Renews the lease on any connection, while that of the lock is lost: the worker lives, and its
 * lease alone counts until it has the lock again.
 */
export async function renewUnlocked(sql: Sql, worker: WorkerLease): Promise<void> {
  await renew(sql, worker, false);
}

/**
 * Renews the lease of a worker that is too busy to do it, unless it is over: then others may have
 * taken its runs, and it has to find that out itself. Its lock stays what it is.
 */
export async function extendLease(sql: Sql, id: string, lease_ms: number): Promise<void> {
  await sql`
    update workers set lease_until = clock_timestamp() + ${lease_ms} * interval '1 millisecond'
    where id = ${id} and lease_until > clock_timestamp()`;
}

async function renew(
  sql: Sql, { id, host, lease_ms }: WorkerLease, takes_lock: boolean): Promise<boolean> {
  const { locked } = await only(sql<{ locked: boolean }[]>`
    with tried as materialized (
      select case when ${takes_lock}
        then pg_try_advisory_lock(hashtextextended(${workerLock(id)}, 0)) else false end as locked
    ), renewed as (
      insert into workers (id, host, lease_until, locked_at, sessions_killed)
      select ${id}, ${host}, clock_timestamp() + ${lease_ms} * interval '1 millisecond',
        case when t.locked then clock_timestamp() end, pg_stat_get_db_sessions_killed(d.oid)
      from tried t, pg_database d where d.datname = current_database()
      on conflict (id) do update set lease_until = excluded.lease_until, missed_at = null,
        locked_at = excluded.locked_at, sessions_killed = excluded.sessions_killed,
        steady_since = case when workers.lease_until < clock_timestamp() then clock_timestamp()
          else least(workers.steady_since, clock_timestamp()) end)
    select locked from tried`);
  return locked;
}

/** A worker whose lock is free for so long, although its lease is not over, is gone. */
export const GRACE_MS = 200;

/** What a worker knows that looks for others. */
interface Look {
  worker_id: string;
  lease_ms: number;
  /** It was not cut off itself lately, so that a free lock tells it something. */
  trusts_locks: boolean;
  /** A run is given up when it was lost so often without getting any further. */
  most_losses: number;
}

/**
 * Finds workers that are gone, and offers their runs to all. Answers how many workers are missed:
 * whether they are gone, a look after `GRACE_MS` will tell.
 */
export async function buryWorkers(
  sql: Sql, { worker_id, lease_ms, trusts_locks, most_losses }: Look,
): Promise<{ buried: number; missed: number }> {
  return await only(sql<{ buried: number; missed: number }[]>`
    select * from bury_workers(${worker_id}, ${lease_ms}, ${trusts_locks ? GRACE_MS : null},
      ${most_losses})`);
}

/** Ends a worker: its runs may be claimed at once. */
export async function removeWorker(sql: Sql, id: string): Promise<void> {
  await sql`delete from workers where id = ${id}`;
}
