import { notFound } from '../errors.ts';
import { getIntegration as readIntegration } from '../store/integrations.ts';
import type { Operation } from './operation.ts';
import { presentIntegrations } from './presentGateway.ts';

/** GET /admin/integrations/{slug} */
export const getIntegration: Operation<'getIntegration'> = async ({
  params: { path: { slug } }, services: { sql },
}) => {
  const row = await readIntegration(sql, slug);
  if (!row) throw notFound('integration', slug);
  const [body] = await presentIntegrations(sql, [row]);
  return { status: 200, body: body! };
};
