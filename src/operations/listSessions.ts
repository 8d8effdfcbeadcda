import { listSessionRows } from '../store/sessions.ts';
import type { Operation } from './operation.ts';
import { presentSession } from './present.ts';
import { listOperation } from './reads.ts';

/** GET /sessions */
export const listSessions: Operation<'listSessions'> = listOperation('sessions',
  ({ scope, params: { query }, services: { sql } }, page) =>
    listSessionRows(sql, scope, query, page),
  presentSession);
