import { listGrantRows } from '../store/grants.ts';
import type { Operation } from './operation.ts';
import { presentGrant } from './presentGateway.ts';
import { listOperation } from './reads.ts';

/** GET /admin/grants */
export const listGrants: Operation<'listGrants'> = listOperation('grants',
  ({ params: { query }, services: { sql } }, page) => listGrantRows(sql, query, page),
  presentGrant);
