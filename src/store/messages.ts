import type { Sql } from './database.ts';
import type { RowOf } from './rows.ts';

export interface MessageRow extends RowOf<'Message', 'model' | 'usage'> {
  /** For a model's message: the model, the step's usage, and parts that its provider needs back. */
  provider: {
    model: string; parts: unknown[]; usage?: { input_tokens: number; output_tokens: number };
  } | null;
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
