/** What the runs of a day (UTC, by the clock of the database) have used of their workspace. */
import { lowestId, timeOfDay } from '../ids.ts';
import type { Sql, Transaction } from './database.ts';
import type { Statement } from './driver/statement.ts';
import { only } from './rows.ts';
import { CLOCKS_APART_MS } from './runs.ts';

const DAY_MS = 24 * 3_600_000;
const today = (sql: Sql | Transaction) => sql`(now() at time zone 'utc')::date`;
/** When the day began. */
export const midnight = (sql: Sql | Transaction) =>
  sql`${today(sql)}::timestamp at time zone 'utc'`;

/**
 * Tokens of the runs that a workspace has created since midnight, UTC, committed or not; those too
 * that were deleted with their sessions since.
 */
export async function tokensToday(sql: Sql, workspace_id: string): Promise<number> {
  // Midnight is by the database's clock, and so are ids, about: earlier ones are left out.
  const earlier = lowestId('run', timeOfDay() - DAY_MS - CLOCKS_APART_MS);
  const { tokens } = await only(sql<{ tokens: number }[]>`
    select ((
      select coalesce(sum(input_tokens + output_tokens + uncommitted_tokens), 0) from runs
      where workspace_id = ${workspace_id} and id >= ${earlier}
        and created_at >= ${midnight(sql)}
    ) + coalesce((
      select tokens from deleted_run_tokens
      where workspace_id = ${workspace_id} and day = ${today(sql)}), 0))::float8 as tokens`);
  return tokens;
}

/**
 * Counts what a step of a run has used that is not committed. It is used whoever executes the run
 * by now, if it has ended, and if it was deleted with its session.
 */
export async function addUncommittedTokens(
  sql: Sql, { workspace_id, id }: { workspace_id: string; id: string }, tokens: number,
): Promise<void> {
  await sql`
    with counted as (
      update runs set uncommitted_tokens = uncommitted_tokens + ${tokens}
      where workspace_id = ${workspace_id} and id = ${id} returning id
    )
    ${countDeleted(sql, workspace_id, tokens, sql`where not exists (select from counted)`)}`;
}

/** Counts what runs of today have used that are deleted in this transaction. */
export async function addTokensOfDeleted(
  tx: Transaction, workspace_id: string, tokens: number): Promise<void> {
  await tx`${countDeleted(tx, workspace_id, tokens, tx``)}`;
}

const countDeleted = (
  sql: Sql | Transaction, workspace_id: string, tokens: number, where: Statement<unknown>) => sql`
  insert into deleted_run_tokens as d (workspace_id, day, tokens)
  select ${workspace_id}, ${today(sql)}, ${tokens}::bigint ${where}
  on conflict (workspace_id) do update set day = excluded.day,
    tokens = excluded.tokens + case when d.day = excluded.day then d.tokens else 0 end
  -- Not those of yesterday that are committed after the first of today; a day further ahead is of a
  -- clock that was wrong.
  where d.day <= excluded.day or d.day > excluded.day + 1`;
