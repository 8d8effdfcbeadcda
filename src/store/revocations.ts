/** What a revoked key, or an archived workspace, ends; and how far that has come. */
import type { Sql, Transaction } from './database.ts';
import type { Statement } from './driver/statement.ts';
import { first, only } from './rows.ts';

/** Why what runs in the name of a key ends. */
export type EndReason = 'api_key_revoked' | 'workspace_archived';

/** A key, or a whole workspace (`api_key_id` null), whose runs are to end. */
export interface Ended {
  workspace_id: string;
  api_key_id: string | null;
  reason: EndReason;
}

/**
 * For so long after a revocation, what runs in its name is looked for again: a request that was let
 * in just before may still be making something.
 */
const LATE_S = 5;
/** Keys and workspaces that are looked at in one round. */
const ENDED_LIMIT = 100;
/** Open runs that one transaction looks at. */
const BATCH_RUNS = 100;
const BATCH_APPROVALS = 1_000;

/** Why a key is not good any more; null if it is, or was never known. */
export async function endReason(
  sql: Sql | Transaction, workspace_id: string, api_key_id: string): Promise<EndReason | null> {
  const { reason } = await only(sql<{ reason: EndReason | null }[]>`
    select ${endReasonOf(sql, workspace_id, api_key_id)} as reason`);
  return reason;
}

/** The same as an expression of a statement; the key may be a column of it. */
export function endReasonOf(
  sql: Sql | Transaction, workspace_id: string, api_key_id: string | Statement<unknown>) {
  return sql`(
    select case when k.revoked_at is not null then 'api_key_revoked'
      when w.archived_at is not null then 'workspace_archived' end
    from api_keys k join workspaces w on w.id = k.workspace_id
    where k.workspace_id = ${workspace_id} and k.id = ${api_key_id})`;
}

/**
 * As `endReason`, for what is of no run. A run goes on to its end when its key expires, for it was
 * accepted while the key was good; nothing else is done in the name of an expired key.
 */
export async function loneEndReason(
  sql: Sql, workspace_id: string, api_key_id: string,
): Promise<EndReason | 'api_key_expired' | null> {
  const { reason } = await only(sql<{ reason: EndReason | 'api_key_expired' | null }[]>`
    select ${loneEndReasonOf(sql, workspace_id, api_key_id)} as reason`);
  return reason;
}

/** The same as an expression of a statement. */
export function loneEndReasonOf(
  sql: Sql | Transaction, workspace_id: string, api_key_id: string) {
  return sql`coalesce(${endReasonOf(sql, workspace_id, api_key_id)}, (
    select 'api_key_expired' from api_keys
    where workspace_id = ${workspace_id} and id = ${api_key_id} and expires_at <= now()))`;
}

/** Those whose runs are still to be ended. */
export function listEnded(sql: Sql): Promise<Ended[]> {
  return sql<Ended[]>`
    select workspace_id, id as api_key_id, 'api_key_revoked' as reason from api_keys
    where revoked_at is not null and ended_at is null
    union all
    select id, null, 'workspace_archived' from workspaces
    where archived_at is not null and ended_at is null
    limit ${ENDED_LIMIT}`;
}

/** A place in the order of a workspace's open runs. */
export interface RunPosition {
  session_id: string;
  seq: number;
}

export const BEGINNING: RunPosition = { session_id: '', seq: 0 };

/** Cancels the next open runs; `place` null: there are no more. Undefined: another node does it. */
export async function cancelNext(
  sql: Sql, { workspace_id, api_key_id, reason }: Ended, { session_id, seq }: RunPosition,
): Promise<{ cancelled: string[]; place: RunPosition | null } | undefined> {
  const row = await first(sql<
    { cancelled: string[]; session_id: string | null; seq: number }[]>`
    select * from cancel_open_runs(
      ${workspace_id}, ${api_key_id}, ${session_id}, ${seq}, ${BATCH_RUNS}, ${reason})`);
  return row && { cancelled: row.cancelled,
    place: row.session_id === null ? null : { session_id: row.session_id, seq: row.seq } };
}

/**
 * Lets approvals expire that were asked for in the name of a key, decided or not. Answers whether
 * there may be more. It waits for one that is being decided: what is passed over would stay.
 */
export async function withdrawApprovals(
  sql: Sql, { workspace_id, api_key_id, reason }: Ended): Promise<boolean> {
  const withdrawn = await sql`
    update approvals set expires_at = now() - interval '1 millisecond',
      reason = coalesce(reason, ${reason})
    where (workspace_id, id) in (
      select workspace_id, id from approvals
      where workspace_id = ${workspace_id} and status in ('pending', 'approved')
        and expires_at >= now()
        and case when ${api_key_id}::text is null
          -- It may be active again by now.
          then exists (select from workspaces w
            where w.id = approvals.workspace_id and w.archived_at is not null)
          else api_key_id = ${api_key_id} end
      limit ${BATCH_APPROVALS} for update)`;
  return withdrawn.count === BATCH_APPROVALS;
}

/** Notes that nothing is left to end, unless something may still be on its way. */
export async function noteEnded(sql: Sql, { workspace_id, api_key_id }: Ended): Promise<void> {
  if (api_key_id === null) {
    await sql`
      update workspaces set ended_at = now() where id = ${workspace_id} and ended_at is null
        and archived_at < now() - ${LATE_S} * interval '1 second'`;
  } else {
    await sql`
      update api_keys set ended_at = now()
      where workspace_id = ${workspace_id} and id = ${api_key_id} and ended_at is null
        and revoked_at < now() - ${LATE_S} * interval '1 second'`;
  }
}
