import { scopeOf } from '../caller.ts';
import { listMessages } from '../store/messages.ts';
import { getSession as readSession } from '../store/sessions.ts';
import type { Operation } from './operation.ts';
import { presentMessage, presentSession } from './present.ts';
import { getOperation } from './reads.ts';

/** GET /sessions/{session_id} */
export const getSession: Operation<'getSession'> = getOperation('session',
  async ({ caller, services: { sql } }, id) => {
    const session = await readSession(sql, scopeOf(caller), id);
    return session && { session, messages: await listMessages(sql, caller.workspace_id, id) };
  },
  ({ session, messages }) =>
    ({ ...presentSession(session), messages: messages.map(presentMessage) }));
