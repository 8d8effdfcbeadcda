/** Approvals, as operators decide them. */
import { AuditLog, type Author } from '../../audit/audit.ts';
import { GatehouseError, notFound } from '../../errors.ts';
import * as store from '../../store/approvals.ts';
import type { Sql } from '../../store/database.ts';

/**
 * Decides a pending approval. To decide one again in the same way changes nothing. Throws
 * not_found, or approval_decided if it was decided otherwise, was used or has expired.
 */
export async function settleApproval(
  sql: Sql, id: string, status: 'approved' | 'denied', reason: string | null, by: Author,
): Promise<store.ApprovalRow> {
  const decided = await sql.begin(async (tx) => {
    const row = await store.decideApprovalRow(tx, id, status, reason);
    if (row) {
      const { workspace_id, action } = row;
      await AuditLog.within(tx, {
        ...by, workspace_id, event: `approval.${status}`, target: id, details: { action, reason },
      });
    }
    return row;
  }) ?? await store.getApprovalRow(sql, id);
  if (!decided) throw notFound('approval', id);
  // Asking twice for the same decision is no conflict: both who asked get what they wanted.
  if (decided.status === status) return decided;
  throw new GatehouseError('approval_decided', `This approval is ${decided.status} and can no`
    + ` longer be decided. ${whatNow(decided)}`, { param: 'approval_id' });
}

function whatNow({ status, expires_at }: store.ApprovalRow): string {
  switch (status) {
    case 'denied': return `Until ${expires_at}, the same call is denied; from then on, it can be`
      + ' asked for again.';
    case 'approved': return `If it is not used until ${expires_at}, it lapses.`;
    default: return 'If the call is still wanted, let it be asked for again.';
  }
}
