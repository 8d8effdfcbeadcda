import { listSessions as readSessions } from '../store/sessions.ts';
import type { Operation } from './operation.ts';
import { listOf, pageOf } from './pages.ts';
import { presentSession } from './present.ts';

/** GET /sessions */
export const listSessions: Operation<'listSessions'> = async ({
  caller: { workspace_id }, params: { query }, services: { sql },
}) => {
  const page = pageOf('sessions', workspace_id, query);
  const rows = await readSessions(sql, workspace_id, { status: query.status }, page);
  const body = listOf('sessions', workspace_id, page.limit, rows, (row) => row.id, presentSession);
  return { status: 200, body };
};
