import { listIntegrations as readIntegrations } from '../store/integrations.ts';
import type { Operation } from './operation.ts';
import { listOf, pageOf } from './pages.ts';
import { presentIntegrations } from './presentGateway.ts';

/** GET /admin/integrations */
export const listIntegrations: Operation<'listIntegrations'> = async ({
  params: { query }, services: { sql },
}) => {
  const page = pageOf('integrations', null, query);
  const rows = await readIntegrations(sql, page);
  const shown = await presentIntegrations(sql, rows);
  const body = listOf('integrations', null, page.limit, rows, (row) => row.id,
    (row) => shown[rows.indexOf(row)]!);
  return { status: 200, body };
};
