import { settleApproval } from '../gateway/face.ts';
import { sanitizeJson } from '../sanitize.ts';
import type { Operation } from './operation.ts';
import { operatorOf } from './operator.ts';
import { presentApproval } from './presentGateway.ts';

/** POST /admin/approvals/{approval_id}/decision */
export const decideApproval: Operation<'decideApproval'> = async (context) => {
  const { params: { path: { approval_id } }, services: { sql } } = context;
  const { decision, reason = null } = sanitizeJson(context.body);
  const status = decision === 'approve' ? 'approved' : 'denied';
  const row = await settleApproval(sql, approval_id, status, reason, operatorOf(context));
  return { status: 200, body: presentApproval(row) };
};
