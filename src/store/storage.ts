/**
 * What workspaces have stored: inputs and outputs of runs, events, messages, action invocations,
 * and answers that are kept for a repeat. What is written counts by the length of its text, without
 * a row for which writers would wait; `recountStorage` makes of it what lies in the tables,
 * compressed, without what has expired.
 */
import type { Sql, Transaction } from './database.ts';
import { STORAGE_LOCK } from './locks.ts';
import { first } from './rows.ts';

const FOLDED_ROWS = 20_000;
/** A count reads all rows of a workspace, though no long texts. */
const COUNT_LIMIT_MS = 60 * 60 * 1_000;

/**
 * Adds what was written since the last time, and takes off what was deleted; one node at a time
 * does, the others skip it. What lies in a table may be a little more than was counted as it came.
 */
export async function foldStorage(sql: Sql): Promise<void> {
  await sql`
    with gone as (
      delete from storage_additions where ctid = any (array(
        select ctid from storage_additions
        where (select pg_try_advisory_xact_lock(${STORAGE_LOCK})) limit ${FOLDED_ROWS}))
      returning workspace_id, bytes
    )
    insert into storage as s (workspace_id, bytes, added, counted_at)
    select workspace_id, greatest(0, sum(bytes)), sum(bytes), now() from gone group by workspace_id
    on conflict (workspace_id) do update
    set bytes = greatest(0, s.bytes + excluded.added), added = s.added + excluded.added`;
}

/** Has all workspaces counted anew: something has expired. */
export async function doubtStorage(sql: Sql): Promise<void> {
  await sql`update storage set counted_at = null where counted_at is not null`;
}

/**
 * Counts what the workspaces have that were not counted for a day, one after the other. Each is
 * marked before it is counted: one that takes too long keeps no other from it. Sizes are those that
 * are stored, so that no long text is read. It begins with no other once `signal` is aborted.
 */
export async function recountStorage(sql: Sql, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const due = await first(sql<{ workspace_id: string }[]>`
      update storage set counted_at = now() where workspace_id = (
        select workspace_id from storage
        where counted_at is null or counted_at not between now() - interval '1 day' and now()
        order by counted_at nulls first limit 1 for update skip locked)
      returning workspace_id`);
    if (!due) return;
    await sql.begin((tx) => count(tx, due.workspace_id), { limit_ms: COUNT_LIMIT_MS });
  }
}

/** Nothing waits for it: what comes or goes meanwhile may count twice until the next time. */
async function count(tx: Transaction, workspace_id: string): Promise<void> {
  const before = await first(tx<{ added: number }[]>`
    select added from storage where workspace_id = ${workspace_id}`);
  const found = await first(tx<{ bytes: number }[]>`
    select (
      (select coalesce(sum(coalesce(pg_column_size(input), 0) + pg_column_size(output)
          + coalesce(pg_column_size(listed_input), 0) + pg_column_size(metadata)), 0)
        from runs where workspace_id = ${workspace_id})
      + (select coalesce(sum(pg_column_size(data)), 0)
        from run_events where workspace_id = ${workspace_id})
      + (select coalesce(sum(pg_column_size(content) + coalesce(pg_column_size(provider), 0)), 0)
        from messages where workspace_id = ${workspace_id})
      + (select coalesce(sum(pg_column_size(input) + coalesce(pg_column_size(result), 0)
          + coalesce(pg_column_size(error), 0)), 0)
        from action_invocations where workspace_id = ${workspace_id})
      + (select coalesce(sum(pg_column_size(key) + pg_column_size(value)), 0)
        from metadata_pairs where workspace_id = ${workspace_id})
      + (select coalesce(sum(pg_column_size(body)), 0)
        from idempotency_keys where workspace_id = ${workspace_id}))::float8 as bytes`);
  await tx`
    update storage
    set bytes = greatest(0, ${found!.bytes}::bigint + added - ${before!.added}::bigint)
    where workspace_id = ${workspace_id}`;
}

/** What a workspace has stored, as it was a few seconds ago, and its own limit of that. */
export async function storageOf(
  sql: Sql, workspace_id: string): Promise<{ bytes: number; limit: number | null } | undefined> {
  return await first(sql<{ bytes: number; limit: number | null }[]>`
    select coalesce(s.bytes, 0)::float8 as bytes,
      (w.limits->>'max_storage_bytes')::float8 as limit
    from workspaces w left join storage s on s.workspace_id = w.id where w.id = ${workspace_id}`);
}
