import { listGrants as readGrants } from '../store/grants.ts';
import type { Operation } from './operation.ts';
import { listOf, pageOf } from './pages.ts';
import { presentGrant } from './presentGateway.ts';

/** GET /admin/grants */
export const listGrants: Operation<'listGrants'> = async ({
  params: { query }, services: { sql },
}) => {
  const page = pageOf('grants', null, query);
  const rows = await readGrants(sql, { workspace_id: query.workspace_id }, page);
  const body = listOf('grants', null, page.limit, rows, (row) => row.id, presentGrant);
  return { status: 200, body };
};
