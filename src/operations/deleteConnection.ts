import { adminOf } from './audited.ts';
import type { Operation } from './operation.ts';

/** DELETE /admin/connections/{connection_id} */
export const deleteConnection: Operation<'deleteConnection'> = async (context) => {
  const { params: { path: { connection_id } }, services: { connections } } = context;
  await connections.remove(connection_id, adminOf(context));
  return { status: 204 };
};
