import { notFound } from '../errors.ts';
import { getConnection as readConnection } from '../store/connections.ts';
import type { Operation } from './operation.ts';
import { presentConnection } from './presentGateway.ts';

/** GET /admin/connections/{connection_id} */
export const getConnection: Operation<'getConnection'> = async ({
  params: { path: { connection_id } }, services: { sql },
}) => {
  const row = await readConnection(sql, connection_id);
  if (!row) throw notFound('connection', connection_id);
  return { status: 200, body: presentConnection(row) };
};
