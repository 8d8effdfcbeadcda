import type { Sql, Transaction } from './database.ts';
import {
  conditions, first, keyset, sizedPage, type Filter, type Page, type RowOf, type Schemas,
  type SizedPage,
} from './rows.ts';

export type ApprovalStatus = Schemas['ApprovalStatus'];

export type ApprovalRow = RowOf<'Approval'>;

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
  /** Most that may be pending in the workspace; 0 sets no limit. */
  most_pending: number;
}

// An approval that was not used in time has expired, even if it had been approved or denied.
const columns = (sql: Sql | Transaction) => sql`
  id, workspace_id, api_key_id, scope, run_id, action, effect, connection_id, input,
  case when status <> 'used' and expires_at < now() then 'expired' else status end as status,
  reason, created_at, decided_at, expires_at`;

// Another key's approval counts only if both say so: what was asked for, and what is used now.
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
  const [row] = await sql<{ id: string }[]>`
    update approvals set status = 'used', invocation_id = ${use.invocation_id},
      used_by_run_id = ${use.run_id}, used_by_tool_call_id = ${use.tool_call_id}
    where status = 'approved' and (workspace_id, id) = (
      select workspace_id, id from approvals
      where ${sameCall(sql, call)} and status = 'approved'
      order by id limit 1 for update skip locked)
    returning id`;
  return row?.id ?? null;
}

/** Takes over the approval that the same tool call has used already, in an earlier attempt. */
export async function takeApprovalAgain(
  sql: Sql | Transaction, call: ApprovedCall, use: ApprovalUse): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    update approvals set invocation_id = ${use.invocation_id}
    where ${sameCall(sql, call)} and status = 'used' and used_by_run_id = ${use.run_id}
      and used_by_tool_call_id = ${use.tool_call_id}
    returning id`;
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
 * The open request for this call, or the denial that stands; else a new request. Undefined if that
 * would be one more than may be pending in the workspace.
 */
export async function requestApproval(
  sql: Sql, approval: NewApproval): Promise<ApprovalRow | undefined> {
  return await sql.begin(async (tx) => {
    // Two calls at once ask for one approval: the lock is on the call itself.
    await tx`select pg_advisory_xact_lock(hashtextextended(
      ${`${approval.workspace_id} ${approval.input_sha256.toString('hex')}`}, 0))`;
    const [open] = await tx<ApprovalRow[]>`
      select ${columns(tx)} from approvals
      where ${sameCall(tx, approval)} and status in ('pending', 'denied')
      order by id desc limit 1`;
    if (open) return open;
    if (approval.most_pending > 0 && await isFull(tx, approval)) return undefined;
    const [row] = await tx<ApprovalRow[]>`
      insert into approvals (workspace_id, id, api_key_id, scope, run_id, action, effect,
        connection_id, input, input_sha256, expires_at)
      values (${approval.workspace_id}, ${approval.id}, ${approval.api_key_id}, ${approval.scope},
        ${approval.run_id}, ${approval.action}, ${approval.effect}, ${approval.connection_id},
        ${JSON.stringify(approval.input)}::text::json, ${approval.input_sha256},
        now() + ${approval.lifetime_ms} * interval '1 millisecond')
      returning ${columns(tx)}`;
    return row!;
  });
}

/** Whether the workspace has as many pending as it may; until the commit nobody else adds one. */
async function isFull(
  tx: Transaction, { workspace_id, most_pending }: NewApproval): Promise<boolean> {
  // Always taken after the lock of the call, so that no two wait for each other.
  await tx`select pg_advisory_xact_lock(hashtextextended(${`approvals of ${workspace_id}`}, 0))`;
  const [row] = await tx<{ pending: number }[]>`
    select count(*)::int as pending from (
      select from approvals
      where workspace_id = ${workspace_id} and status = 'pending' and expires_at >= now()
      limit ${most_pending}) counted`;
  return row!.pending >= most_pending;
}

export async function getApproval(sql: Sql, id: string): Promise<ApprovalRow | undefined> {
  return await first(sql<ApprovalRow[]>`select ${columns(sql)} from approvals where id = ${id}`);
}

/** A page of approvals; one with large inputs has fewer of them. */
export function listApprovals(
  sql: Sql, { workspace_id, status }: Filter<'workspace_id' | 'status'>, page: Page,
): Promise<SizedPage<ApprovalRow>> {
  return sizedPage<ApprovalRow>(sql, sql`
    select * from (select ${columns(sql)} from approvals) a
    where true ${conditions(sql, { workspace_id, status })} ${keyset(sql, page)}`,
  sql`octet_length(input::text)`, page);
}

/** Decides a pending approval; undefined if it is decided, over, or not there. */
export async function decideApproval(
  sql: Sql | Transaction, id: string, status: 'approved' | 'denied', reason: string | null,
): Promise<ApprovalRow | undefined> {
  return await first(sql<ApprovalRow[]>`
    update approvals set status = ${status}, reason = ${reason}, decided_at = now()
    where id = ${id} and status = 'pending' and expires_at >= now()
    returning ${columns(sql)}`);
}

/**
 * Lets approvals of an integration's actions expire that are pending, or approved and not used: its
 * actions do something else now. Denials stand.
 */
export async function expireApprovals(tx: Transaction, slug: string): Promise<void> {
  await tx`
    update approvals set expires_at = now() - interval '1 millisecond',
      reason = coalesce(reason, 'integration_changed')
    where starts_with(action, ${`${slug}.`}) and status in ('pending', 'approved')
      and expires_at >= now()`;
}
