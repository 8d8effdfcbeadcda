import { listIntegrationRows } from '../store/integrations.ts';
import type { Operation } from './operation.ts';
import { presentIntegration, withCounts } from './presentGateway.ts';
import { listOperation } from './reads.ts';

/** GET /admin/integrations */
export const listIntegrations: Operation<'listIntegrations'> = listOperation('integrations',
  async ({ services: { sql } }, page) =>
    await withCounts(sql, await listIntegrationRows(sql, page)),
  presentIntegration);
