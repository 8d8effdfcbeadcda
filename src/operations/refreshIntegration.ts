import { adminOf } from './audited.ts';
import type { Operation } from './operation.ts';
import { presentIntegrations } from './presentGateway.ts';

/** POST /admin/integrations/{slug}/refresh */
export const refreshIntegration: Operation<'refreshIntegration'> = async (context) => {
  const { params: { path: { slug } }, services: { integrations, sql } } = context;
  const accept = context.body.accept_changes === true;
  const row = await integrations.refresh(slug, accept, adminOf(context));
  const [body] = await presentIntegrations(sql, [row]);
  return { status: 200, body: body! };
};
