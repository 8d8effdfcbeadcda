import type { Scope } from '../caller.ts';
import type { Sql, Transaction } from './database.ts';
import { eachFound, findBy, hasMetadata } from './metadataPairs.ts';
import {
  assignments, conditions, first, idsFrom, keyset, tableOf, type Filter, type Page, type RowOf,
} from './rows.ts';

export type SessionRow = RowOf<'Session'>;

export type NewSession = Pick<SessionRow, 'id' | 'title' | 'metadata'> & { workspace_id: string };

const own = (sql: Sql | Transaction) =>
  sql`id, status, title, metadata, created_at, updated_at`;

// Which run is being executed is a fact of the runs table; a copy here could disagree with it.
const columns = (sql: Sql | Transaction) => sql`
  ${own(sql)}, (
    select r.id from runs r where r.workspace_id = sessions.workspace_id
      and r.session_id = sessions.id and r.status = 'running') as active_run_id`;

/** Makes sessions; answers them in the same order. */
export async function insertSessions(
  sql: Sql | Transaction, sessions: NewSession[]): Promise<SessionRow[]> {
  const rows = await sql<SessionRow[]>`
    insert into sessions (workspace_id, id, title, metadata)
    select workspace_id, id, title, metadata
    from ${tableOf(sql, 'given', sessions,
      { workspace_id: 'text', id: 'text', title: 'text', metadata: 'json' })}
    returning ${own(sql)}, null as active_run_id`;
  const made = new Map(rows.map((row) => [row.id, row]));
  return sessions.map(({ id }) => made.get(id)!);
}

export async function getSessionRow(
  sql: Sql, scope: Scope, id: string): Promise<SessionRow | undefined> {
  return await first(sql<SessionRow[]>`
    select ${columns(sql)} from sessions
    where workspace_id = ${scope.workspace_id} and id = ${id} ${within(sql, scope)}`);
}

/** So many of the newest sessions are searched by their titles: 10 ms, where 100,000 took 110. */
const SEARCHED = 10_000;
/** What is taken for the beginning of an id, and not for words of a title. */
export const SESSION_BEGINNING = /^ses_[0-9a-z]*$/;

type SessionFilter = Filter<'status' | 'query' | 'metadata'>;

/** A page of sessions, one row more than its limit if there are more. */
export async function listSessionRows(
  sql: Sql, scope: Scope, filter: SessionFilter, page: Page): Promise<SessionRow[]> {
  const { status, metadata } = filter;
  const query = filter.query?.trim() || undefined;
  if (query !== undefined && !SESSION_BEGINNING.test(query)) {
    return await searched(sql, scope, { status, metadata, query }, page);
  }
  const such = sql`${fitting(sql, scope, { status, metadata })} ${idsFrom(sql, query)}`;
  const found = await findBy(sql, scope, 'ses_', metadata, { status, query });
  return await (found === null
    ? sql<SessionRow[]>`
      select ${columns(sql)} from sessions where ${such} ${keyset(sql, page)}`
    : sql<SessionRow[]>`
      select ${columns(sql)} from ${eachFound(sql, found, sql`sessions`, such)}
      where true ${keyset(sql, page, sql`found_id`)}`);
}

/** Those of the newest that have these words in their titles. */
function searched(
  sql: Sql, scope: Scope, filter: SessionFilter & { query: string }, page: Page,
): Promise<SessionRow[]> {
  const { metadata, query } = filter;
  const such = fitting(sql, scope, filter);
  const newest = metadata === undefined
    ? sql`(select * from sessions where ${such} order by id desc limit ${SEARCHED}) sessions`
    : eachFound(sql, { workspace_id: scope.workspace_id, kind: 'ses_', pair: metadata },
      sql`sessions`, such, SEARCHED);
  const words = query.split(/\s+/).map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`);
  return sql<SessionRow[]>`
    select ${columns(sql)} from ${newest}
    where title ilike all (${words}::text[]) ${keyset(sql, page)}`;
}

const fitting = (sql: Sql, scope: Scope, { status, metadata }: SessionFilter) => sql`
  workspace_id = ${scope.workspace_id} ${within(sql, scope)} ${conditions(sql, { status })}
  ${hasMetadata(sql, metadata)}`;

/** The session itself, where a scope is one. */
const within = (sql: Sql, { session_id }: Scope) =>
  conditions(sql, { id: session_id ?? undefined });

/** Changes the given fields; undefined leaves one as it is. Undefined if there is no session. */
export async function updateSessionRow(
  sql: Sql | Transaction, workspace_id: string, id: string,
  change: Partial<Pick<SessionRow, 'title' | 'metadata'>> & { status?: string },
): Promise<SessionRow | undefined> {
  const { title, status, metadata } = change;
  return await first(sql<SessionRow[]>`
    update sessions set updated_at = now()
      ${assignments(sql, { title, status, metadata })}
    where workspace_id = ${workspace_id} and id = ${id}
    returning ${columns(sql)}`);
}
