import { objectOf } from '../json.ts';
import { getApprovalRow, type ApprovalStatus } from '../store/approvals.ts';
import type { Operation } from './operation.ts';
import { presentApproval } from './presentGateway.ts';
import { getOperation } from './reads.ts';

const OPEN: ReadonlySet<ApprovalStatus> = new Set(['pending', 'approved']);

/** GET /admin/approvals/{approval_id} */
export const getApproval: Operation<'getApproval'> = getOperation('approval',
  async ({ services: { sql, gateway } }, id) => {
    const approval = await getApprovalRow(sql, id);
    return approval && { approval, action: await gateway.catalogue.find(approval.action) };
  },
  ({ approval, action }) => {
    // Once it is over, the action may be another one by now, which the input was not made for.
    const preview = OPEN.has(approval.status)
      ? action?.preview?.(objectOf(approval.input)) ?? null : null;
    return { ...presentApproval(approval), action_title: action?.title ?? null,
      request: preview !== null && 'violations' in preview ? null : preview };
  });
