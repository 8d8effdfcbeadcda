import { scopeOf } from '../caller.ts';
import { listSessionRows } from '../store/sessions.ts';
import type { Operation } from './operation.ts';
import { presentSession } from './present.ts';
import { listOperation } from './reads.ts';

/** GET /sessions */
export const listSessions: Operation<'listSessions'> = listOperation('sessions',
  ({ caller, params: { query }, services: { sql } }, page) =>
    listSessionRows(sql, scopeOf(caller), query, page),
  presentSession);
