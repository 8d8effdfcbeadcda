import type { Sql } from './database.ts';

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
        locked_at = coalesce(excluded.locked_at, workers.locked_at))
    select locked from tried`;
  return row!.locked;
}

/** Ends a worker: its runs may be claimed at once. */
export async function removeWorker(sql: Sql, id: string): Promise<void> {
  await sql`delete from workers where id = ${id}`;
}
