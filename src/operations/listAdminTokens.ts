import { listAdminTokenRows } from '../store/adminTokens.ts';
import type { Operation } from './operation.ts';
import { presentAdminToken } from './present.ts';
import { listOperation } from './reads.ts';

/** GET /admin/admin_tokens */
export const listAdminTokens: Operation<'listAdminTokens'> = listOperation('admin_tokens',
  ({ services: { sql } }, page) => listAdminTokenRows(sql, page), presentAdminToken);
