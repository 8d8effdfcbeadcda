import { listApiKeys as readApiKeys } from '../store/apiKeys.ts';
import type { Operation } from './operation.ts';
import { listOf, pageOf } from './pages.ts';
import { presentApiKey } from './present.ts';

/** GET /admin/api_keys */
export const listApiKeys: Operation<'listApiKeys'> = async ({
  params: { query }, services: { sql },
}) => {
  const page = pageOf('api_keys', null, query);
  const rows = await readApiKeys(sql, { workspace_id: query.workspace_id }, page);
  const body = listOf('api_keys', null, page.limit, rows, (row) => row.id, presentApiKey);
  return { status: 200, body };
};
