import type { Sql, Transaction } from './database.ts';
import { keyset, type Page } from './pages.ts';

export interface SessionRow {
  id: string;
  status: 'active' | 'archived';
  title: string | null;
  metadata: Record<string, string>;
  active_run_id: string | null;
  created_at: string;
  updated_at: string;
}

export interface NewSession {
  workspace_id: string;
  id: string;
  title: string | null;
  metadata: Record<string, string>;
}

// Which run is being executed is a fact of the runs table; a copy here could disagree with it.
const columns = (sql: Sql | Transaction) => sql`
  id, status, title, metadata, created_at, updated_at, (
    select r.id from runs r where r.workspace_id = sessions.workspace_id
      and r.session_id = sessions.id and r.status = 'running') as active_run_id`;

export async function insertSession(
  sql: Sql | Transaction, session: NewSession): Promise<SessionRow> {
  const [row] = await sql<SessionRow[]>`
    insert into sessions (workspace_id, id, title, metadata)
    values (${session.workspace_id}, ${session.id}, ${session.title},
      ${JSON.stringify(session.metadata)}::text::json)
    returning ${columns(sql)}`;
  return row!;
}

export async function getSession(
  sql: Sql, workspace_id: string, id: string): Promise<SessionRow | undefined> {
  const [row] = await sql<SessionRow[]>`
    select ${columns(sql)} from sessions where workspace_id = ${workspace_id} and id = ${id}`;
  return row;
}

/** A page of sessions, one row more than its limit if there are more. */
export function listSessions(
  sql: Sql, workspace_id: string, filter: { status?: string }, page: Page): Promise<SessionRow[]> {
  const status = filter.status === undefined ? sql`` : sql`and status = ${filter.status}`;
  return sql<SessionRow[]>`
    select ${columns(sql)} from sessions
    where workspace_id = ${workspace_id} ${status} ${keyset(sql, page)}`;
}

/** Changes the given fields; undefined leaves one as it is. Undefined if there is no session. */
export async function updateSession(
  sql: Sql, workspace_id: string, id: string,
  change: { title?: string | null; metadata?: Record<string, string>; status?: string },
): Promise<SessionRow | undefined> {
  const [row] = await sql<SessionRow[]>`
    update sessions set updated_at = now()
      ${change.title === undefined ? sql`` : sql`, title = ${change.title}`}
      ${change.status === undefined ? sql`` : sql`, status = ${change.status}`}
      ${change.metadata === undefined
        ? sql`` : sql`, metadata = ${JSON.stringify(change.metadata)}::text::json`}
    where workspace_id = ${workspace_id} and id = ${id}
    returning ${columns(sql)}`;
  return row;
}
