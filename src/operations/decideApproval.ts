import { AuditLog } from '../audit/audit.ts';
import { GatehouseError, notFound } from '../errors.ts';
import { sanitizeJson } from '../sanitize.ts';
import { decideApproval as decide, getApproval } from '../store/approvals.ts';
import { byAdmin } from './audited.ts';
import type { Operation } from './operation.ts';
import { presentApproval } from './presentGateway.ts';

/** POST /admin/approvals/{approval_id}/decision */
export const decideApproval: Operation<'decideApproval'> = async (context) => {
  const { params: { path: { approval_id } }, services: { sql } } = context;
  const { decision, reason = null } = sanitizeJson(context.body);
  const status = decision === 'approve' ? 'approved' : 'denied';
  const row = await sql.begin(async (tx) => {
    const decided = await decide(tx, approval_id, status, reason);
    if (decided) {
      const { action } = decided;
      await AuditLog.within(tx,
        byAdmin(context, `approval.${status}`, decided, { action, reason }));
    }
    return decided;
  });
  if (row) return { status: 200, body: presentApproval(row) };
  const standing = await getApproval(sql, approval_id);
  if (!standing) throw notFound('approval', approval_id);
  // The same answer again is no conflict: whoever asked twice gets what they wanted.
  if (standing.status === status) return { status: 200, body: presentApproval(standing) };
  throw new GatehouseError('approval_decided',
    `This approval is ${standing.status} and can no longer be decided. If the call is still wanted,`
      + ' let it be asked for again.', { param: 'approval_id' });
};
