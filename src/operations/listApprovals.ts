import { listApprovalRows } from '../store/approvals.ts';
import type { Operation } from './operation.ts';
import { presentApproval } from './presentGateway.ts';
import { listOperation } from './reads.ts';

/** GET /admin/approvals */
export const listApprovals: Operation<'listApprovals'> = listOperation('approvals',
  ({ params: { query }, services: { sql } }, page) => listApprovalRows(sql, query, page),
  presentApproval);
