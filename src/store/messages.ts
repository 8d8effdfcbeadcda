import type { Sql } from './database.ts';
import { first, PAGE_BYTES, type Page, type RowOf, type SizedPage } from './rows.ts';

export interface MessageRow extends RowOf<'Message', 'model' | 'usage'> {
  /** For a model's message: the model, the step's usage, and parts that its provider needs back. */
  provider: {
    model: string; parts: unknown[]; usage?: { input_tokens: number; output_tokens: number };
  } | null;
}

export interface PlacedMessage extends MessageRow {
  /** Its place in the transcript, as callers may hold it: `run_id.position`. */
  place: string;
}

const PLACE = /^(\w{1,64})\.(\d{1,9})$/;

/**
 * A page of a session's transcript; undefined if `after_id` is the place of no message of this
 * session. Of what providers need back it has the model and the usage.
 *
 * It is read message by message, each by the index after the one before, so that it costs by its
 * size, however long the transcript is and however large the messages are that follow.
 */
export async function pageMessages(
  sql: Sql, workspace_id: string, session_id: string, { limit, order, after_id = null }: Page,
): Promise<SizedPage<PlacedMessage> | undefined> {
  const place = after_id === null
    ? null : await findPlace(sql, workspace_id, session_id, after_id);
  if (place === undefined) return undefined;
  const [beyond, sorted] = order === 'asc'
    ? [sql`>`, sql`order by run_seq, position limit 1`]
    : [sql`<`, sql`order by run_seq desc, position desc limit 1`];
  const one = sql`
    from messages where workspace_id = ${workspace_id} and session_id = ${session_id}`;
  const columns = sql`
    id, run_id, role, content, provider, created_at, run_seq, position,
    octet_length(content::text)::bigint as bytes`;
  const rows = await sql<(PlacedMessage & { found: number })[]>`
    with recursive page as (
      (select ${columns}, 0::bigint as before, 1 as nth ${one}
        ${place ? sql`and (run_seq, position) ${beyond}
          (${place.run_seq}::bigint, ${place.position}::int)` : sql``} ${sorted})
      union all
      select next.* from page p cross join lateral (
        select ${columns}, p.before + p.bytes, p.nth + 1 ${one}
          and (run_seq, position) ${beyond} (p.run_seq, p.position) ${sorted}) next
      where p.nth <= ${limit} and p.before < ${PAGE_BYTES})
    select id, run_id, role, content, created_at, run_id || '.' || position as place,
      case when provider is not null then json_build_object(
        'model', provider->'model', 'usage', provider->'usage') end as provider,
      (select count(*)::int from page) as found
    from page where nth <= ${limit} and before < ${PAGE_BYTES} order by nth`;
  return { rows, has_more: rows.length < (rows[0]?.found ?? 0) };
}

/** Where a place is in the transcript; undefined if it is none of this session. */
async function findPlace(
  sql: Sql, workspace_id: string, session_id: string, place: string,
): Promise<{ run_seq: number; position: number } | undefined> {
  const [, run_id = '', position] = PLACE.exec(place) ?? [];
  // The number of a run counts the runs of everybody, so that no place holds it.
  const run = await first(sql<{ seq: number }[]>`
    select seq from runs where workspace_id = ${workspace_id} and id = ${run_id}
      and session_id = ${session_id}`);
  return run && { run_seq: run.seq, position: Number(position) };
}

/** A session's transcript, oldest first; `up_to_seq` leaves out the runs queued after that one. */
export function listMessages(
  sql: Sql, workspace_id: string, session_id: string, up_to_seq?: number): Promise<MessageRow[]> {
  const end = up_to_seq === undefined ? sql`` : sql`and run_seq <= ${up_to_seq}`;
  return sql<MessageRow[]>`
    select id, run_id, role, content, provider, created_at from messages
    where workspace_id = ${workspace_id} and session_id = ${session_id} ${end}
    order by run_seq, position`;
}

/** The messages of one run that hold its tool calls, for their summaries. */
export function listAssistantMessages(
  sql: Sql, workspace_id: string, session_id: string, run_seq: number): Promise<MessageRow[]> {
  return sql<MessageRow[]>`
    select id, run_id, role, content, provider, created_at from messages
    where workspace_id = ${workspace_id} and session_id = ${session_id} and run_seq = ${run_seq}
      and role = 'assistant'
    order by position`;
}
