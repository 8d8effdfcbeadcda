import { notFound } from '../errors.ts';
import { pageMessages } from '../store/messages.ts';
import { getSessionRow } from '../store/sessions.ts';
import type { Operation } from './operation.ts';
import { presentMessage } from './present.ts';
import { invalidCursor, listOperation } from './reads.ts';

/** GET /sessions/{session_id}/messages */
export const listSessionMessages: Operation<'listSessionMessages'> = listOperation('messages',
  async ({ scope, params: { path: { session_id } }, services: { sql } }, page) => {
    const { workspace_id } = scope;
    if (!await getSessionRow(sql, scope, session_id)) {
      throw notFound('session', session_id);
    }
    const found = await pageMessages(sql, workspace_id, session_id, page);
    if (!found) throw invalidCursor();
    const rows = found.rows.map((message) => ({ id: message.place, message }));
    return { rows, has_more: found.has_more };
  }, ({ message }) => presentMessage(message));
