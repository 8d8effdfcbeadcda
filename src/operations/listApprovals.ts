import { listApprovals as readApprovals } from '../store/approvals.ts';
import type { Operation } from './operation.ts';
import { listOf, pageOf } from './pages.ts';
import { presentApproval } from './presentGateway.ts';

/** GET /admin/approvals */
export const listApprovals: Operation<'listApprovals'> = async ({
  params: { query }, services: { sql },
}) => {
  const page = pageOf('approvals', null, query);
  const { workspace_id, status } = query;
  const rows = await readApprovals(sql, { workspace_id, status }, page);
  const body = listOf('approvals', null, page.limit, rows, (row) => row.id, presentApproval);
  return { status: 200, body };
};
