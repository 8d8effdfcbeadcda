import type { Sql } from './database.ts';

const BATCH_ROWS = 5_000;

/**
 * Removes what nobody needs any more: idempotency keys that have expired, and workers that have
 * been dead for an hour and execute nothing. In batches, and by as many nodes at once as may be.
 */
export async function removeExpired(sql: Sql): Promise<void> {
  for (;;) {
    const removed = await sql`
      delete from idempotency_keys where (workspace_id, key) in (
        select workspace_id, key from idempotency_keys where expires_at <= now()
        limit ${BATCH_ROWS} for update skip locked)`;
    if (removed.count < BATCH_ROWS) break;
  }
  await sql`
    delete from workers w where w.lease_until < clock_timestamp() - interval '1 hour'
      and not exists (select 1 from runs r where r.status = 'running' and r.worker_id = w.id)`;
}
