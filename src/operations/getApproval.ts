import { getApproval as readApproval } from '../store/approvals.ts';
import type { Operation } from './operation.ts';
import { presentApproval } from './presentGateway.ts';
import { getOperation } from './reads.ts';

/** GET /admin/approvals/{approval_id} */
export const getApproval: Operation<'getApproval'> = getOperation('approval',
  ({ services: { sql } }, id) => readApproval(sql, id),
  presentApproval);
