import { listWorkspaces as readWorkspaces } from '../store/workspaces.ts';
import type { Operation } from './operation.ts';
import { presentWorkspace } from './present.ts';
import { listOperation } from './reads.ts';

/** GET /admin/workspaces */
export const listWorkspaces: Operation<'listWorkspaces'> = listOperation('workspaces',
  ({ services: { sql } }, page) => readWorkspaces(sql, page),
  presentWorkspace);
