import { locationOf } from './location.ts';
import type { Operation } from './operation.ts';
import { operatorOf, documentText } from './operator.ts';
import { countAndPresent } from './presentGateway.ts';

/** POST /admin/integrations */
export const createIntegration: Operation<'createIntegration'> = async (context) => {
  const { services: { config, integrations, sql } } = context;
  const { slug, kind, ...request } = context.body;
  const row = await integrations.create(slug, kind, documentText(request), operatorOf(context));
  const body = await countAndPresent(sql, row);
  return { status: 201, body, headers: locationOf(config, `admin/integrations/${slug}`) };
};
