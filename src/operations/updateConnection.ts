import { sanitizeJson } from '../sanitize.ts';
import { operatorOf } from './operator.ts';
import type { Operation } from './operation.ts';
import { presentConnection } from './presentGateway.ts';

/** PATCH /admin/connections/{connection_id} */
export const updateConnection: Operation<'updateConnection'> = async (context) => {
  const { params: { path: { connection_id } }, body, services: { connections } } = context;
  const row = await connections.update(connection_id, sanitizeJson(body), operatorOf(context));
  return { status: 200, body: presentConnection(row) };
};
