import { getConnectionRow } from '../store/connections.ts';
import type { Operation } from './operation.ts';
import { presentConnection } from './presentGateway.ts';
import { getOperation } from './reads.ts';

/** GET /admin/connections/{connection_id} */
export const getConnection: Operation<'getConnection'> = getOperation('connection',
  ({ services: { sql } }, id) => getConnectionRow(sql, id),
  presentConnection);
