import { updateSession as changeSession } from '../runs/sessions.ts';
import type { Operation } from './operation.ts';
import { presentSession } from './present.ts';

/** PATCH /sessions/{session_id} */
export const updateSession: Operation<'updateSession'> = async ({
  caller: { workspace_id }, params: { path: { session_id } }, body, services: { sql },
}) => ({
  status: 200, body: presentSession(await changeSession(sql, workspace_id, session_id, body)),
});
