import { getWorkspaceRow } from '../store/workspaces.ts';
import type { Operation } from './operation.ts';
import { presentWorkspace } from './present.ts';
import { getOperation } from './reads.ts';

/** GET /admin/workspaces/{workspace_id} */
export const getWorkspace: Operation<'getWorkspace'> = getOperation('workspace',
  async ({ services: { sql, config } }, id) => {
    const row = await getWorkspaceRow(sql, id);
    return row && presentWorkspace(row, config);
  }, (workspace) => workspace);
