import { operatorOf } from './operator.ts';
import type { Operation } from './operation.ts';

/** DELETE /admin/connections/{connection_id} */
export const deleteConnection: Operation<'deleteConnection'> = async (context) => {
  const { params: { path: { connection_id } }, services: { connections } } = context;
  await connections.remove(connection_id, operatorOf(context));
  return { status: 204 };
};
