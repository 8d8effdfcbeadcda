import { operatorOf } from './operator.ts';
import type { Operation } from './operation.ts';
import { countAndPresent } from './presentGateway.ts';

/** POST /admin/integrations/{slug}/refresh */
export const refreshIntegration: Operation<'refreshIntegration'> = async (context) => {
  const { params: { path: { slug } }, services: { integrations, sql } } = context;
  const { accept_changes: accept = false, rename } = context.body;
  const row = await integrations.refresh(slug, { accept, rename }, operatorOf(context));
  return { status: 200, body: await countAndPresent(sql, row) };
};
