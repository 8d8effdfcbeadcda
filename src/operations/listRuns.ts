import { listRuns as readRuns } from '../store/runs.ts';
import { endOfMillisecond, instant } from './instants.ts';
import type { Operation } from './operation.ts';
import { listOf, pageOf } from './pages.ts';
import { presentRunSummary } from './present.ts';

/** GET /runs */
export const listRuns: Operation<'listRuns'> = async ({
  caller: { workspace_id }, params: { query }, services: { sql },
}) => {
  const page = pageOf('runs', workspace_id, query);
  const { status, session_id, created_after, created_before } = query;
  const filter = {
    status, session_id,
    ...(created_after !== undefined
      && { created_after: endOfMillisecond(created_after, 'created_after') }),
    ...(created_before !== undefined
      && { created_before: instant(created_before, 'created_before') }),
  };
  const rows = await readRuns(sql, workspace_id, filter, page);
  const body = listOf('runs', workspace_id, page.limit, rows, (row) => row.id, presentRunSummary);
  return { status: 200, body };
};
