import type { Sql } from '../../src/store/database.ts';
import { untilSeen } from './until.ts';

interface Condemned { status: string; condemned: boolean; wait_s: number; lost_with: string[] }

/** What the database says of a run that is to be given up, once that `holds`. */
export async function untilCondemned(
  sql: Sql, run_id: string, holds = ({ condemned }: Condemned) => condemned): Promise<Condemned> {
  const [row] = await untilSeen('a run that is condemned', () => sql<Condemned[]>`
    select status, condemned, lost_with,
      extract(epoch from greatest(offered_at, updated_at) - updated_at)::float8 as wait_s
    from runs where id = ${run_id}`, ([run]) => holds(run!));
  return row!;
}

/**
 * Has the times be over that workers have to come back, and that one must have lived to give a run
 * up, until the run has ended.
 */
export async function untilGivenUp(sql: Sql, run_id: string): Promise<void> {
  await sql`update runs set offered_at = '-infinity' where id = ${run_id}`;
  await untilSeen('a run that is given up', async () => {
    await sql`update workers set steady_since = '-infinity'`;
    return await sql<{ status: string }[]>`select status from runs where id = ${run_id}`;
  }, ([run]) => run!.status === 'failed');
}
