import { pageConnections } from '../store/connections.ts';
import type { Operation } from './operation.ts';
import { presentConnection } from './presentGateway.ts';
import { listOperation } from './reads.ts';

/** GET /admin/connections */
export const listConnections: Operation<'listConnections'> = listOperation('connections',
  ({ params: { query }, services: { sql } }, page) => pageConnections(sql, query, page),
  presentConnection);
