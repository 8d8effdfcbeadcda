import { operatorOf, documentText } from './operator.ts';
import type { Operation } from './operation.ts';
import { countAndPresent } from './presentGateway.ts';

/** PATCH /admin/integrations/{slug} */
export const updateIntegration: Operation<'updateIntegration'> = async (context) => {
  const { params: { path: { slug } }, services: { integrations, sql } } = context;
  const row = await integrations.update(slug, documentText(context.body), operatorOf(context));
  return { status: 200, body: await countAndPresent(sql, row) };
};
