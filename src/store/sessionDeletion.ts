/** What goes with a session: a transaction deletes some of its runs with all they hold. */
import type { Transaction } from './database.ts';
import type { Statement } from './driver/statement.ts';
import { IDEMPOTENCY_HOURS } from './idempotencyKeys.ts';
import { first, some } from './rows.ts';
import { midnight } from './tokens.ts';
import type { WriteKey } from './writeIntents.ts';

/** A transaction deletes at most so many runs, or those that have so many events. */
export const MOST_RUNS = 100;
const EVENTS = 5_000;

/** A run that is to be deleted. It has ended, and its row is locked. */
export interface DoomedRun {
  id: string;
  seq: number;
  last_seq: number;
  /** What it has used, if it was created today (UTC); 0 otherwise. */
  tokens_today: number;
}

/**
 * Locks a session against new runs, and others that delete it. Answers whether there is one, and
 * its first run that has not ended.
 */
export async function lockSession(
  tx: Transaction, workspace_id: string, id: string,
): Promise<{ open_run_id: string | null } | undefined> {
  const is_there = await some(tx`
    select from sessions where workspace_id = ${workspace_id} and id = ${id} for update`);
  if (!is_there) return undefined;
  // A statement of its own: it sees what was committed while the first one waited.
  const open = await first(tx<{ id: string }[]>`
    select id from runs where workspace_id = ${workspace_id} and session_id = ${id}
      and status in ('queued', 'running') order by seq limit 1`);
  return { open_run_id: open?.id ?? null };
}

/** Locks the oldest runs of a session, at most so many, or fewer with many events. All ended. */
export async function lockOldestRuns(
  tx: Transaction, workspace_id: string, session_id: string, most_runs: number,
): Promise<DoomedRun[]> {
  const oldest = await tx<DoomedRun[]>`
    select id, seq, last_seq,
      case when created_at >= ${midnight(tx)}
        then input_tokens + output_tokens + uncommitted_tokens else 0 end as tokens_today
    from runs where workspace_id = ${workspace_id} and session_id = ${session_id}
    order by id limit ${most_runs} for update`;
  let events = 0;
  const rest = oldest.findIndex(({ last_seq }, place) =>
    (events += last_seq) > EVENTS && place > 0);
  return rest === -1 ? oldest : oldest.slice(0, rest);
}

/** The intents of these runs that are left. */
export function intentsOf(
  tx: Transaction, workspace_id: string, runs: readonly DoomedRun[]): Promise<WriteKey[]> {
  return tx<WriteKey[]>`
    select workspace_id, run_id, tool_call_id from write_intents
    where workspace_id = ${workspace_id} and run_id = any (${runs.map(({ id }) => id)}::text[])`;
}

/**
 * Deletes runs that are locked, and what they hold; what that took is not stored any more. Whatever
 * else is written of a run locks it before: nothing comes after this.
 */
export async function deleteRuns(
  tx: Transaction, workspace_id: string, session_id: string, runs: readonly DoomedRun[],
): Promise<void> {
  const ids = runs.map(({ id }) => id);
  // A denial goes by the digest of its call; lifted by a delete, it would be asked for again.
  const stands = tx`status = 'denied' and expires_at > now()`;
  const ofRuns = tx`workspace_id = ${workspace_id} and run_id = any (${ids}::text[])`;
  await tx`
    with told as (
      delete from run_events where ${ofRuns} returning pg_column_size(data) as bytes
    ), said as (
      delete from messages where workspace_id = ${workspace_id} and session_id = ${session_id}
        and run_seq = any (${runs.map(({ seq }) => seq)}::bigint[])
      returning pg_column_size(content) + coalesce(pg_column_size(provider), 0) as bytes
    ), called as (
      delete from action_invocations where ${ofRuns}
      returning pg_column_size(input) + coalesce(pg_column_size(result), 0)
        + coalesce(pg_column_size(error), 0) as bytes
    ), denied as (
      update approvals set run_id = null, input = '{}', input_bytes = 2, reason = null
      where ${ofRuns} and ${stands}
    ), asked as (
      delete from approvals where ${ofRuns} and not (${stands})
    ), intended as (
      delete from write_intents where ${ofRuns}
    ), paired as (
      delete from metadata_pairs where ctid = any (array(${pairsOf(
        tx, tx`runs t`, tx`t.workspace_id = ${workspace_id} and t.id = any (${ids}::text[])`)}))
      returning pg_column_size(key) + pg_column_size(value) as bytes
    ), gone as (
      delete from runs where workspace_id = ${workspace_id} and id = any (${ids}::text[])
      returning coalesce(pg_column_size(input), 0) + pg_column_size(output)
        + coalesce(pg_column_size(listed_input), 0) + pg_column_size(metadata) as bytes
    )
    insert into storage_additions (workspace_id, bytes)
    select ${workspace_id}, -sum(bytes) from (
      select bytes from told union all select bytes from said union all select bytes from called
      union all select bytes from paired union all select bytes from gone) freed
    having sum(bytes) > 0`;
}

/**
 * The places of the pairs of the rows of `table t`. One by one, by their keys: left to choose, the
 * planner may read all of the workspace's.
 */
const pairsOf = (
  tx: Transaction, table: Statement<unknown>, such: Statement<unknown>) => tx`
  select p.place from ${table} cross join lateral json_each_text(t.metadata) m
  cross join lateral (
    select ctid as place from metadata_pairs
    where workspace_id = t.workspace_id and key = m.key and value = m.value and id = t.id
    limit 1) p
  where ${such}`;

/**
 * Deletes a session that is locked, if it has no runs any more; answers whether it had none. An
 * idempotency key by which it was made stays until it expires, without the answer: that is the
 * session as it was. It was stored in the same transaction.
 */
export async function deleteSessionRow(
  tx: Transaction, workspace_id: string, id: string): Promise<boolean> {
  if (await some(tx`select from runs
    where workspace_id = ${workspace_id} and session_id = ${id} limit 1`)) return false;
  const row = tx`t.workspace_id = ${workspace_id} and t.id = ${id}`;
  await tx`
    with paired as (
      delete from metadata_pairs where ctid = any (array(${pairsOf(tx, tx`sessions t`, row)}))
    ), answered as (
      update idempotency_keys k set body = null from sessions t
      where ${row} and k.workspace_id = t.workspace_id and k.resource_id = t.id
        and k.expires_at = t.created_at + ${IDEMPOTENCY_HOURS} * interval '1 hour'
    )
    delete from sessions t where ${row}`;
  // New texts count by their length, and what is deleted by what it took, which may be far less.
  await tx`update storage set counted_at = null where workspace_id = ${workspace_id}`;
  return true;
}
