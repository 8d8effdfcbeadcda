import { adminOf, documentText } from './audited.ts';
import type { Operation } from './operation.ts';
import { presentIntegrations } from './presentGateway.ts';

/** PATCH /admin/integrations/{slug} */
export const updateIntegration: Operation<'updateIntegration'> = async (context) => {
  const { params: { path: { slug } }, services: { integrations, sql } } = context;
  const row = await integrations.update(slug, documentText(context.body), adminOf(context));
  const [body] = await presentIntegrations(sql, [row]);
  return { status: 200, body: body! };
};
