import { scopeOf } from '../caller.ts';
import { listSessions as readSessions } from '../store/sessions.ts';
import type { Operation } from './operation.ts';
import { presentSession } from './present.ts';
import { listOperation } from './reads.ts';

/** GET /sessions */
export const listSessions: Operation<'listSessions'> = listOperation('sessions',
  ({ caller, params: { query }, services: { sql } }, page) =>
    readSessions(sql, scopeOf(caller), query, page),
  presentSession);
