import type { Scope } from '../caller.ts';
import type { Sql, Transaction } from './database.ts';
import {
  assignments, conditions, first, keyset, only, type Filter, type Page, type RowOf,
} from './rows.ts';

export type SessionRow = RowOf<'Session'>;

export type NewSession = Pick<SessionRow, 'id' | 'title' | 'metadata'> & { workspace_id: string };

// Which run is being executed is a fact of the runs table; a copy here could disagree with it.
const columns = (sql: Sql | Transaction) => sql`
  id, status, title, metadata, created_at, updated_at, (
    select r.id from runs r where r.workspace_id = sessions.workspace_id
      and r.session_id = sessions.id and r.status = 'running') as active_run_id`;

export async function insertSession(
  sql: Sql | Transaction, session: NewSession): Promise<SessionRow> {
  return await only(sql<SessionRow[]>`
    insert into sessions (workspace_id, id, title, metadata)
    values (${session.workspace_id}, ${session.id}, ${session.title},
      ${JSON.stringify(session.metadata)}::text::json)
    returning ${columns(sql)}`);
}

export async function getSession(
  sql: Sql, scope: Scope, id: string): Promise<SessionRow | undefined> {
  return await first(sql<SessionRow[]>`
    select ${columns(sql)} from sessions
    where workspace_id = ${scope.workspace_id} and id = ${id} ${within(sql, scope)}`);
}

/** A page of sessions, one row more than its limit if there are more. */
export function listSessions(
  sql: Sql, scope: Scope, { status }: Filter<'status'>, page: Page): Promise<SessionRow[]> {
  return sql<SessionRow[]>`
    select ${columns(sql)} from sessions
    where workspace_id = ${scope.workspace_id} ${within(sql, scope)}
      ${conditions(sql, { status })} ${keyset(sql, page)}`;
}

/** The session itself, where a scope is one. */
const within = (sql: Sql, { session_id }: Scope) =>
  conditions(sql, { id: session_id ?? undefined });

/** Changes the given fields; undefined leaves one as it is. Undefined if there is no session. */
export async function updateSession(
  sql: Sql, workspace_id: string, id: string,
  change: Partial<Pick<SessionRow, 'title' | 'metadata'>> & { status?: string },
): Promise<SessionRow | undefined> {
  const { title, status, metadata } = change;
  return await first(sql<SessionRow[]>`
    update sessions set updated_at = now()
      ${assignments(sql, { title, status, metadata })}
    where workspace_id = ${workspace_id} and id = ${id}
    returning ${columns(sql)}`);
}
