import { pageMessages } from '../store/messages.ts';
import { getSessionRow } from '../store/sessions.ts';
import type { Operation } from './operation.ts';
import { presentMessage, presentSession } from './present.ts';
import { getOperation, writeCursor } from './reads.ts';

/** As many as a page of a list has at most. */
const MESSAGES = 100;

/** GET /sessions/{session_id} */
export const getSession: Operation<'getSession'> = getOperation('session',
  async ({ scope, services: { sql } }, id) => {
    const { workspace_id } = scope;
    const session = await getSessionRow(sql, scope, id);
    if (!session) return undefined;
    const page = await pageMessages(sql, workspace_id, id, { limit: MESSAGES, order: 'desc' });
    const { rows, has_more } = page!; // without a cursor there is a page
    return {
      session, messages: rows.toReversed(),
      messages_next_cursor: has_more
        ? writeCursor('messages', workspace_id, rows.at(-1)!.place) : null,
    };
  },
  ({ session, messages, messages_next_cursor }) => ({
    ...presentSession(session), messages: messages.map(presentMessage), messages_next_cursor,
  }));
