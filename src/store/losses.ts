/** Whose fault it is that runs were lost with their workers. */
import type { Sql } from './database.ts';
import { first } from './rows.ts';
import type { RunOfWorker } from './runs.ts';

/**
 * Says of a worker that lives whether it `caused` that runs were taken for lost with it: it hung,
 * and they count as lost for good. Otherwise the machine, the database or the network was unwell,
 * and the losses are taken back. Answers how many runs that were.
 */
export async function settleLosses(
  sql: Sql, worker_id: string, caused: boolean): Promise<number> {
  // It may have got a run back before it had settled the loss, and have lost it again.
  const runs = await sql`
    update runs set lost_with = array_remove(lost_with, ${worker_id}),
      losses = case when ${caused} then losses
        else greatest(0, losses - cardinality(array_positions(lost_with, ${worker_id}))) end,
      condemned = condemned and ${caused},
      offered_at = case when ${caused} then offered_at else clock_timestamp() end
    where status = 'running' and losses > 0 and ${worker_id} = any(lost_with)
    returning id`;
  return runs.length;
}

/**
 * Whether a run that is condemned, and was claimed to be given up, is the cause of its losses. It
 * is innocent, and acquitted, if a worker that it was lost with lives after all, and has not said
 * yet that it hung. That is unknown while the lease of the worker that asks was over less than
 * `lease_ms` ago: what had cut it off may have cut off those who would take their losses back.
 */
export async function judgeCondemned(
  sql: Sql, { workspace_id, id, attempt }: RunOfWorker, lease_ms: number,
): Promise<'cause' | 'innocent' | 'unknown'> {
  const row = await first(sql<{ is_cause: boolean; can_tell: boolean }[]>`
    with judged as (
      select r.workspace_id, r.id,
        r.condemned and not exists (select from workers w
          -- Whose lease was renewed since it was missed.
          where w.id = any(r.lost_with) and w.lease_until > clock_timestamp()
            and w.missed_at is null) as is_cause,
        exists (select from workers w where w.id = r.worker_id
          and w.steady_since < clock_timestamp() - ${lease_ms} * interval '1 millisecond')
          as can_tell
      from runs r
      where r.workspace_id = ${workspace_id} and r.id = ${id} and r.attempt = ${attempt}
        and r.status = 'running' for update
    ), acquitted as (
      update runs r set condemned = false from judged j
      where r.workspace_id = j.workspace_id and r.id = j.id and not j.is_cause
    )
    select is_cause, can_tell from judged`);
  // Cancelled, or another worker's by now: its next write says so.
  if (row === undefined || !row.is_cause) return 'innocent';
  return row.can_tell ? 'cause' : 'unknown';
}
