import { notFound } from '../errors.ts';
import { listMessages } from '../store/messages.ts';
import { getSession as readSession } from '../store/sessions.ts';
import type { Operation } from './operation.ts';
import { presentMessage, presentSession } from './present.ts';

/** GET /sessions/{session_id} */
export const getSession: Operation<'getSession'> = async ({
  caller: { workspace_id }, params: { path: { session_id } }, services: { sql },
}) => {
  const session = await readSession(sql, workspace_id, session_id);
  if (!session) throw notFound('session', session_id);
  const messages = await listMessages(sql, workspace_id, session_id);
  return {
    status: 200, body: { ...presentSession(session), messages: messages.map(presentMessage) },
  };
};
