import type { Sql, Transaction } from './database.ts';
import type { Statement } from './driver/statement.ts';
import { approvalLock, pendingApprovalsLock } from './locks.ts';
import {
  conditions, deleteSome, first, keyset, only, sizedPage, some, type Filter, type Page,
  type RowOf, type Schemas, type SizedPage,
} from './rows.ts';

export type ApprovalStatus = Schemas['ApprovalStatus'];

export type ApprovalRow = RowOf<'Approval', 'action_title' | 'request'>;

/** The exact call that an approval is for, and the key that makes it. */
export interface ApprovedCall extends Pick<ApprovalRow, 'scope'> {
  workspace_id: string;
  api_key_id: string;
  action: string;
  connection_id: string;
  input_sha256: Buffer;
}

export interface NewApproval extends ApprovedCall, Pick<ApprovalRow, 'id' | 'run_id' | 'effect'> {
  input: unknown;
  lifetime_ms: number;
}

/** Of whom so many approvals may be pending, at most; null for no limit. */
export interface PendingLimit {
  of: 'api_key' | 'workspace';
  most_pending: number | null;
}

// An approval that was not used in time has expired, even if it had been approved or denied.
const columns = (sql: Sql | Transaction) => sql`
  id, workspace_id, api_key_id, scope, run_id, action, effect, connection_id, input,
  case when status <> 'used' and expires_at < now() then 'expired' else status end as status,
  reason, created_at, decided_at, expires_at, ${ofConnection(sql, 'name')} as connection_name,
  ${ofConnection(sql, 'account_label')} as account_label`;

// The same, as indexes know it: of the status that is told they know nothing.
const HAS_STATUS: Record<ApprovalStatus, string> = {
  pending: "status = 'pending' and expires_at >= now()",
  approved: "status = 'approved' and expires_at >= now()",
  denied: "status = 'denied' and expires_at >= now()",
  expired: "status <> 'used' and expires_at < now()",
  used: "status = 'used'",
};

const ofConnection = (sql: Sql | Transaction, column: 'name' | 'account_label') => sql`(
  select c.${sql.unsafe(column)} from connections c
  where c.workspace_id = approvals.workspace_id and c.id = approvals.connection_id)`;

// An approval that another key has asked for counts only if it was asked for with the scope
// `workspace`, and if the grant says `workspace` now as well.
const sameCall = (sql: Sql | Transaction, call: ApprovedCall) => sql`
  workspace_id = ${call.workspace_id} and action = ${call.action}
    and connection_id = ${call.connection_id} and input_sha256 = ${call.input_sha256}
    and expires_at >= now() and (api_key_id = ${call.api_key_id}
      or (scope = 'workspace' and ${call.scope} = 'workspace'))`;

/** The attempt that an approval is used by, and the tool call of a run that it belongs to. */
export interface ApprovalUse {
  invocation_id: string;
  run_id: string | null;
  tool_call_id: string | null;
}

/** Uses up an approval of this call, if there is one. Of two calls at once, one gets it. */
export async function takeApproval(
  sql: Sql | Transaction, call: ApprovedCall, use: ApprovalUse): Promise<string | null> {
  const row = await first(sql<{ id: string }[]>`
    update approvals set status = 'used', invocation_id = ${use.invocation_id},
      used_by_run_id = ${use.run_id}, used_by_tool_call_id = ${use.tool_call_id}
    where status = 'approved' and (workspace_id, id) = (
      select workspace_id, id from approvals
      where ${sameCall(sql, call)} and status = 'approved'
      order by id limit 1 for update skip locked)
    returning id`);
  return row?.id ?? null;
}

/** Takes over the approval that the same tool call has used already, in an earlier attempt. */
export async function takeApprovalAgain(
  sql: Sql | Transaction, call: ApprovedCall, use: ApprovalUse): Promise<string | null> {
  const row = await first(sql<{ id: string }[]>`
    update approvals set invocation_id = ${use.invocation_id}
    where ${sameCall(sql, call)} and status = 'used' and used_by_run_id = ${use.run_id}
      and used_by_tool_call_id = ${use.tool_call_id}
    returning id`);
  return row?.id ?? null;
}

/** Gives an approval back, if this attempt has used it and no later one has. */
export async function giveApprovalBack(
  sql: Sql, workspace_id: string, id: string, invocation_id: string): Promise<void> {
  await sql`
    update approvals set status = 'approved', invocation_id = null, used_by_run_id = null,
      used_by_tool_call_id = null
    where workspace_id = ${workspace_id} and id = ${id} and status = 'used'
      and invocation_id = ${invocation_id}`;
}

/**
 * The open request for this call, or the denial that stands; else a new request. If that would be
 * one more than one of the limits allows, it answers that limit. It answers `approved` if the call
 * was approved since it was looked for: it can be taken; and `run_deleted` if its run is gone.
 */
export async function requestApproval(
  sql: Sql, approval: NewApproval, limits: readonly PendingLimit[],
): Promise<{ approval: ApprovalRow } | { full: PendingLimit } | 'approved' | 'run_deleted'> {
  const input = JSON.stringify(approval.input);
  return await sql.begin(async (tx) => {
    // Two calls at once ask for one approval: the lock is on the call itself.
    await tx`select pg_advisory_xact_lock(hashtextextended(
      ${approvalLock(approval.workspace_id, approval.input_sha256)}, 0))`;
    const open = await first(tx<ApprovalRow[]>`
      select ${columns(tx)} from approvals
      where ${sameCall(tx, approval)} and status in ('pending', 'denied')
      order by id desc limit 1`);
    if (open) return { approval: open };
    // Afterwards: what was pending a moment ago is found here. One that is being used is locked.
    const is_approved = await some(tx`
      select from approvals where ${sameCall(tx, approval)} and status = 'approved'
      limit 1 for update skip locked`);
    if (is_approved) return 'approved';
    const full = await fullLimit(tx, approval, limits);
    if (full) return { full };
    // It is locked meanwhile: `deleteRuns` either finds the request, or has been.
    if (approval.run_id !== null && !await some(tx`
      select from runs where workspace_id = ${approval.workspace_id} and id = ${approval.run_id}
      for key share`)) return 'run_deleted';
    return { approval: await only(tx<ApprovalRow[]>`
      insert into approvals (workspace_id, id, api_key_id, scope, run_id, action, effect,
        connection_id, input, input_bytes, input_sha256, expires_at)
      values (${approval.workspace_id}, ${approval.id}, ${approval.api_key_id}, ${approval.scope},
        ${approval.run_id}, ${approval.action}, ${approval.effect}, ${approval.connection_id},
        ${input}::text::json, octet_length(${input}::text), ${approval.input_sha256},
        now() + ${approval.lifetime_ms} * interval '1 millisecond')
      returning ${columns(tx)}`) };
  });
}

/** The first limit that is reached, if any; until the commit nobody else adds to the workspace. */
async function fullLimit(
  tx: Transaction, { workspace_id, api_key_id }: NewApproval, limits: readonly PendingLimit[],
): Promise<PendingLimit | undefined> {
  const set = limits.filter(({ most_pending }) => most_pending !== null);
  if (set.length === 0) return undefined;
  await tx`
    select pg_advisory_xact_lock(hashtextextended(${pendingApprovalsLock(workspace_id)}, 0))`;
  for (const limit of set) {
    const { pending } = await only(tx<{ pending: number }[]>`
      select count(*)::int as pending from (
        select from approvals
        where workspace_id = ${workspace_id} and status = 'pending' and expires_at >= now()
          ${limit.of === 'api_key' ? tx`and api_key_id = ${api_key_id}` : tx``}
        limit ${limit.most_pending}) counted`);
    if (pending >= limit.most_pending!) return limit;
  }
  return undefined;
}

export async function getApprovalRow(sql: Sql, id: string): Promise<ApprovalRow | undefined> {
  return await first(sql<ApprovalRow[]>`select ${columns(sql)} from approvals where id = ${id}`);
}

/** A page of approvals; one with large inputs has fewer of them. */
export function listApprovalRows(
  sql: Sql | Transaction,
  { workspace_id, status }: Filter<'workspace_id'> & { status?: ApprovalStatus }, page: Page,
): Promise<SizedPage<ApprovalRow>> {
  return sizedPage<ApprovalRow>(sql, sql`
    select ${columns(sql)}, input_bytes from approvals
    where ${sql.unsafe(status === undefined ? 'true' : HAS_STATUS[status])}
      ${conditions(sql, { workspace_id })} ${keyset(sql, page)}`,
  sql`input_bytes`, page);
}

/** Decides a pending approval; undefined if it is decided, over, or not there. */
export async function decideApprovalRow(
  sql: Sql | Transaction, id: string, status: 'approved' | 'denied', reason: string | null,
): Promise<ApprovalRow | undefined> {
  return await first(sql<ApprovalRow[]>`
    update approvals set status = ${status}, reason = ${reason}, decided_at = now()
    where id = ${id} and status = 'pending' and expires_at >= now()
    returning ${columns(sql)}`);
}

/**
 * Lets approvals of an integration's actions (null: of all) expire that are pending, or approved
 * and not used: they do something else now. One that a call is using does not come back. Denials
 * stand.
 */
export async function expireApprovals(
  tx: Transaction, slug: string, actions: readonly string[] | null): Promise<void> {
  if (actions?.length === 0) return;
  await expire(tx, actions === null ? tx`starts_with(action, ${`${slug}.`})`
    : tx`action = any(${actions}::text[])`, 'integration_changed');
}

/** As `expireApprovals`, of a connection's calls: its account may be another one now. */
export async function expireApprovalsOf(
  tx: Transaction, { workspace_id, connection_id }: { workspace_id: string; connection_id: string },
): Promise<void> {
  await expire(tx, tx`workspace_id = ${workspace_id} and connection_id = ${connection_id}`,
    'account_changed');
}

async function expire(
  tx: Transaction, which: Statement<unknown>, reason: string): Promise<void> {
  await tx`
    update approvals set expires_at = now() - interval '1 millisecond',
      reason = case when status = 'used' then reason else coalesce(reason, ${reason}) end
    where ${which} and status in ('pending', 'approved', 'used') and expires_at >= now()`;
}

/**
 * Removes up to `limit` approvals that had expired unused before a time; answers how many. Those
 * that were used stay with the record of their call.
 */
export async function removeExpiredApprovals(
  tx: Transaction, before_ms: number, limit: number): Promise<number> {
  const such = tx`status <> 'used' and expires_at < ${new Date(before_ms)}`;
  return await deleteSome(tx, tx`approvals`, such, limit);
}
