import { notFound } from '../errors.ts';
import { getWorkspace as readWorkspace } from '../store/workspaces.ts';
import type { Operation } from './operation.ts';
import { presentWorkspace } from './present.ts';

/** GET /admin/workspaces/{workspace_id} */
export const getWorkspace: Operation<'getWorkspace'> = async ({
  params: { path: { workspace_id } }, services: { sql },
}) => {
  const row = await readWorkspace(sql, workspace_id);
  if (!row) throw notFound('workspace', workspace_id);
  return { status: 200, body: presentWorkspace(row) };
};
