import { operatorOf } from './operator.ts';
import type { Operation } from './operation.ts';

/** POST /admin/connections/{connection_id}/check */
export const checkConnection: Operation<'checkConnection'> = async (context) => {
  const { params: { path: { connection_id } }, services: { connections } } = context;
  const check = await connections.check(connection_id, operatorOf(context));
  return { status: 200, body: { object: 'connection_check', ...check } };
};
