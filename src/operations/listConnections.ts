import { pageConnections } from '../store/connections.ts';
import type { Operation } from './operation.ts';
import { listOf, pageOf } from './pages.ts';
import { presentConnection } from './presentGateway.ts';

/** GET /admin/connections */
export const listConnections: Operation<'listConnections'> = async ({
  params: { query }, services: { sql },
}) => {
  const page = pageOf('connections', null, query);
  const { workspace_id, integration } = query;
  const rows = await pageConnections(sql, { workspace_id, integration }, page);
  const body = listOf('connections', null, page.limit, rows, (row) => row.id, presentConnection);
  return { status: 200, body };
};
