import { notFound } from '../errors.ts';
import { sanitizeJson } from '../sanitize.ts';
import { updateSession as changeSession } from '../store/sessions.ts';
import type { Operation } from './operation.ts';
import { presentSession } from './present.ts';

/** PATCH /sessions/{session_id} */
export const updateSession: Operation<'updateSession'> = async ({
  caller: { workspace_id }, params: { path: { session_id } }, body, services: { sql },
}) => {
  const session = await changeSession(sql, workspace_id, session_id, sanitizeJson(body));
  if (!session) throw notFound('session', session_id);
  return { status: 200, body: presentSession(session) };
};
