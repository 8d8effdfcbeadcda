/** Which runs were taken for lost with their worker, whatever became of them afterwards. */
import type { Lab } from './lab.ts';

/** From now on the database of the lab remembers each loss, and what was known of the worker. */
export async function rememberLosses({ sql }: Lab): Promise<void> {
  await sql`create table lab_losses (run_id text, worker_id text, lease_is_over boolean)`;
  await sql`
    create function remember_loss() returns trigger language plpgsql as $$
    begin
      insert into lab_losses select new.id, w.id, w.lease_until < clock_timestamp()
      from workers w where w.id = old.worker_id;
      return new;
    end $$`;
  await sql`create trigger remember_loss after update on runs for each row
    when (new.losses > old.losses) execute function remember_loss()`;
}

/**
 * For when every worker lived: a run that was lost while the lease was not over is a violation. A
 * lease that is over tells of a machine that is too slow for the short one of the tests.
 */
export async function expectNoLoss({ sql, journal }: Lab): Promise<void> {
  const losses = await sql<{ run_id: string; worker_id: string; lease_is_over: boolean }[]>`
    select run_id, worker_id, lease_is_over from lab_losses`;
  for (const { run_id, worker_id, lease_is_over } of losses) {
    if (lease_is_over) journal.count('runs lost with a lease that was over');
    else journal.violation(`${run_id} was taken for lost with ${worker_id}, which lives`);
  }
}
