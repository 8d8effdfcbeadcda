import { notFound } from '../errors.ts';
import { getApproval as readApproval } from '../store/approvals.ts';
import type { Operation } from './operation.ts';
import { presentApproval } from './presentGateway.ts';

/** GET /admin/approvals/{approval_id} */
export const getApproval: Operation<'getApproval'> = async ({
  params: { path: { approval_id } }, services: { sql },
}) => {
  const row = await readApproval(sql, approval_id);
  if (!row) throw notFound('approval', approval_id);
  return { status: 200, body: presentApproval(row) };
};
