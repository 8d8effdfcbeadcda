import type { Sql } from './database.ts';
import type { Statement } from './driver/statement.ts';
import { first, sizedPage, type Page, type RowOf, type SizedPage } from './rows.ts';

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
 */
export async function pageMessages(
  sql: Sql, workspace_id: string, session_id: string, page: Page,
): Promise<SizedPage<PlacedMessage> | undefined> {
  const { after_id = null } = page;
  let after: Statement<unknown> | undefined;
  if (after_id !== null) {
    const [, run_id = '', position] = PLACE.exec(after_id) ?? [];
    // The number of a run counts the runs of everybody, so that no cursor holds it.
    const run = await first(sql<{ seq: number }[]>`
      select seq from runs where workspace_id = ${workspace_id} and id = ${run_id}
        and session_id = ${session_id}`);
    if (!run) return undefined;
    after = sql`(${run.seq}::bigint, ${Number(position)}::int)`;
  }
  return await sizedPage<PlacedMessage>(sql, {
    columns: sql`id, run_id, role, content, position, run_seq, created_at,
      run_id || '.' || position as place,
      case when provider is not null then json_build_object(
        'model', provider->'model', 'usage', provider->'usage') end as provider`,
    table: 'messages',
    where: sql`workspace_id = ${workspace_id} and session_id = ${session_id}`,
    bytes: sql`octet_length(content::text)`,
    keys: ['run_seq', 'position'],
    after,
  }, page);
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
