import { listWorkspaceRows } from '../store/workspaces.ts';
import type { Operation } from './operation.ts';
import { presentWorkspace } from './present.ts';
import { listOperation } from './reads.ts';

/** GET /admin/workspaces */
export const listWorkspaces: Operation<'listWorkspaces'> = listOperation('workspaces',
  async ({ params: { query: { run_id } }, services: { sql, config } }, page) =>
    (await listWorkspaceRows(sql, { run_id }, page)).map((row) => presentWorkspace(row, config)),
  (workspace) => workspace);
