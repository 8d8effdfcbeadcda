import { listInvocations } from '../store/actionInvocations.ts';
import type { Operation } from './operation.ts';
import { listOf, pageOf } from './pages.ts';
import { presentInvocationSummary } from './present.ts';

/** GET /action_invocations */
export const listActionInvocations: Operation<'listActionInvocations'> = async ({
  caller: { workspace_id }, params: { query }, services: { sql },
}) => {
  const page = pageOf('action_invocations', workspace_id, query);
  const { action, status, source, run_id } = query;
  const rows = await listInvocations(sql, workspace_id, { action, status, source, run_id }, page);
  const body = listOf('action_invocations', workspace_id, page.limit, rows, (row) => row.id,
    presentInvocationSummary);
  return { status: 200, body };
};
