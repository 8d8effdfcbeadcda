import type { Operation } from './operation.ts';
import { signedInOf } from './operator.ts';
import { presentSession } from './present.ts';

/** PATCH /sessions/{session_id} */
export const updateSession: Operation<'updateSession'> = async (context) => {
  const { caller: { workspace_id }, params: { path: { session_id } }, body, services } = context;
  const session = await services.sessions.update(
    workspace_id, session_id, body, signedInOf(context));
  return { status: 200, body: presentSession(session) };
};
