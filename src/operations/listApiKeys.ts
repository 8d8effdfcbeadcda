import { listApiKeyRows } from '../store/apiKeys.ts';
import type { Operation } from './operation.ts';
import { presentApiKey } from './present.ts';
import { listOperation } from './reads.ts';

/** GET /admin/api_keys */
export const listApiKeys: Operation<'listApiKeys'> = listOperation('api_keys',
  ({ params: { query }, services: { sql } }, page) => listApiKeyRows(sql, query, page),
  presentApiKey);
