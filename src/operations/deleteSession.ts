import type { Operation } from './operation.ts';
import { authorOf } from './operator.ts';

/** DELETE /sessions/{session_id} */
export const deleteSession: Operation<'deleteSession'> = async (context) => {
  const { caller: { workspace_id }, params: { path: { session_id } }, services } = context;
  await services.sessions.remove(workspace_id, session_id, authorOf(context));
  return { status: 204 };
};
