import type { Operation } from './operation.ts';

/** GET /admin/overview */
export const getOverview: Operation<'getOverview'> = async ({
  params: { query: { workspace_id, hours } }, services: { overviews },
}) => ({ status: 200, body: await overviews.get(workspace_id, hours) });
