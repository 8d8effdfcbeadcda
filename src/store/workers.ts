import type { Sql } from './database.ts';
import { only } from './rows.ts';

/**
 * Registers a worker, or renews its lease, on the connection that holds its advisory lock. Taking
 * the lock again while it is held is a count and costs nothing; after the connection was lost it
 * takes it anew. Answers false while another connection still holds it: the lost one, until the
 * server has noticed. The lease runs on the database's clock.
 */
export async function renewWorker(
  lock: Sql, worker: { id: string; host: string; lease_ms: number }): Promise<boolean> {
  const [row] = await lock<{ locked: boolean }[]>`
    with tried as materialized (
      select pg_try_advisory_lock(hashtextextended(${worker.id}, 0)) as locked
    ), renewed as (
      insert into workers (id, host, lease_until, locked_at)
      select ${worker.id}, ${worker.host},
        clock_timestamp() + ${worker.lease_ms} * interval '1 millisecond',
        case when locked then clock_timestamp() end
      from tried
      on conflict (id) do update set lease_until = excluded.lease_until,
        locked_at = coalesce(excluded.locked_at, workers.locked_at), missed_at = null,
        steady_since = case when workers.lease_until < clock_timestamp() then clock_timestamp()
          else workers.steady_since end)
    select locked from tried`;
  return row!.locked;
}

/** A worker whose lock is free for so long, although its lease is not over, is gone. */
export const GRACE_MS = 400;

/**
 * Finds workers that are gone, and offers their runs to all. Answers how many workers are missed:
 * whether they are gone, a look after `GRACE_MS` will tell.
 */
export async function buryWorkers(
  sql: Sql, worker_id: string, lease_ms: number): Promise<{ buried: number; missed: number }> {
  return await only(sql<{ buried: number; missed: number }[]>`
    select * from bury_workers(${worker_id}, ${lease_ms}, ${GRACE_MS})`);
}

/** The worker lives and has lost the connection that holds its lock: its lease alone counts. */
export async function giveUpLock(sql: Sql, id: string): Promise<void> {
  await sql`update workers set locked_at = null where id = ${id}`;
}

/** Ends a worker: its runs may be claimed at once. */
export async function removeWorker(sql: Sql, id: string): Promise<void> {
  await sql`delete from workers where id = ${id}`;
}
