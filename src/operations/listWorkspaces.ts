import { listWorkspaces as readWorkspaces } from '../store/workspaces.ts';
import type { Operation } from './operation.ts';
import { listOf, pageOf } from './pages.ts';
import { presentWorkspace } from './present.ts';

/** GET /admin/workspaces */
export const listWorkspaces: Operation<'listWorkspaces'> = async ({
  params: { query }, services: { sql },
}) => {
  const page = pageOf('workspaces', null, query);
  const rows = await readWorkspaces(sql, page);
  const body = listOf('workspaces', null, page.limit, rows, (row) => row.id, presentWorkspace);
  return { status: 200, body };
};
