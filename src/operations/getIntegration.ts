import { getIntegrationRow } from '../store/integrations.ts';
import type { Operation } from './operation.ts';
import { presentIntegration, withCounts } from './presentGateway.ts';
import { getOperation } from './reads.ts';

/** GET /admin/integrations/{slug} */
export const getIntegration: Operation<'getIntegration'> = getOperation('integration',
  async ({ services: { sql } }, slug) => {
    const row = await getIntegrationRow(sql, slug);
    return row && (await withCounts(sql, [row]))[0];
  }, presentIntegration);
