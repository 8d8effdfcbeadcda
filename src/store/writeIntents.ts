import type { Sql, Transaction } from './database.ts';
import { endReasonOf } from './revocations.ts';
import { first, some } from './rows.ts';

/** A call that changes something, written down before it leaves. */
export interface WriteIntent {
  workspace_id: string;
  run_id: string;
  tool_call_id: string;
  /** Under this id its outcome is recorded, if it becomes known. */
  invocation_id: string;
  action: string;
  connection_id: string;
  api_key_id: string;
  input: unknown;
}

/**
 * Writes the intent down, if this attempt of its run may still act; answers whether it may. The
 * run's row is locked meanwhile: a cancel is either seen here, or committed after the intent.
 * Throws if the tool call has an intent already.
 */
export async function insertWriteIntent(
  sql: Sql | Transaction, intent: WriteIntent, attempt: number): Promise<boolean> {
  return await some(sql`
    insert into write_intents (workspace_id, run_id, tool_call_id, invocation_id, action,
      connection_id, api_key_id, input)
    select workspace_id, id, ${intent.tool_call_id}, ${intent.invocation_id}, ${intent.action},
      ${intent.connection_id}, ${intent.api_key_id}, ${JSON.stringify(intent.input)}::text::json
    from runs where workspace_id = ${intent.workspace_id} and id = ${intent.run_id}
      and attempt = ${attempt} and status = 'running'
      and ${endReasonOf(sql, intent.workspace_id, intent.api_key_id)} is null
    for share`);
}

/** The intent of a tool call; undefined if the call never left. */
export async function findWriteIntent(
  sql: Sql, workspace_id: string, run_id: string, tool_call_id: string,
): Promise<WriteIntent | undefined> {
  return await first(sql<WriteIntent[]>`
    select workspace_id, run_id, tool_call_id, invocation_id, action, connection_id, api_key_id,
      input
    from write_intents where workspace_id = ${workspace_id} and run_id = ${run_id}
      and tool_call_id = ${tool_call_id}`);
}
