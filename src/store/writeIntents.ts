import type { Sql, Transaction } from './database.ts';
import { endReasonOf, loneEndReasonOf } from './revocations.ts';
import { first, some } from './rows.ts';
import type { RunOfWorker } from './runs.ts';

/** Of which call a write intent is. */
export interface WriteKey {
  workspace_id: string;
  run_id: string;
  tool_call_id: string;
}

/** A call that changes something, written down before it leaves. */
export interface WriteIntent extends WriteKey {
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

/** The intent of an MCP client's call. */
export interface LoneWriteIntent extends Omit<WriteIntent, 'run_id' | 'tool_call_id'> {
  /** For whom the key stands; null where the key itself came. */
  person: string | null;
  request_id: string | null;
}

/** Stands where the intent of an MCP client's call has no run; no id of a run looks like this. */
export const NO_RUN = '';

/**
 * Writes down the intent of a call that is of no run, if the key is still good; answers whether it
 * is. If the outcome is never recorded, maintenance records that nobody knows it.
 */
export async function insertLoneWriteIntent(
  sql: Sql | Transaction, intent: LoneWriteIntent): Promise<boolean> {
  const { workspace_id, invocation_id, api_key_id } = intent;
  return await some(sql`
    insert into write_intents (workspace_id, run_id, tool_call_id, invocation_id, action,
      connection_id, api_key_id, input, person, request_id)
    select ${workspace_id}, ${NO_RUN}, ${invocation_id}, ${invocation_id}, ${intent.action},
      ${intent.connection_id}, ${api_key_id}, ${JSON.stringify(intent.input)}::text::json,
      ${intent.person}, ${intent.request_id}
    where ${loneEndReasonOf(sql, workspace_id, api_key_id)} is null`);
}

/** Removes the intent of this very call, not that of another attempt of its run. */
export async function deleteWriteIntent(
  sql: Sql, intent: WriteKey & Pick<WriteIntent, 'invocation_id'>): Promise<void> {
  await sql`
    delete from write_intents where workspace_id = ${intent.workspace_id}
      and run_id = ${intent.run_id} and tool_call_id = ${intent.tool_call_id}
      and invocation_id = ${intent.invocation_id}`;
}

/** Under which id the outcome of a tool call is recorded; undefined if the call never left. */
export async function findWriteIntent(
  sql: Sql, { workspace_id, run_id, tool_call_id }: WriteKey): Promise<string | undefined> {
  const intent = await first(sql<Pick<WriteIntent, 'invocation_id'>[]>`
    select invocation_id from write_intents where workspace_id = ${workspace_id}
      and run_id = ${run_id} and tool_call_id = ${tool_call_id}`);
  return intent?.invocation_id;
}

const keyTexts = (sql: Sql | Transaction, keys: readonly WriteKey[]) => sql`
  ${keys.map(({ workspace_id }) => workspace_id)}::text[],
  ${keys.map(({ run_id }) => run_id)}::text[],
  ${keys.map(({ tool_call_id }) => tool_call_id)}::text[]`;

/** Removes intents of which the outcome is on record. */
export async function deleteWriteIntents(
  sql: Sql | Transaction, keys: readonly WriteKey[]): Promise<void> {
  await sql`
    delete from write_intents where (workspace_id, run_id, tool_call_id) in (
      select * from unnest(${keyTexts(sql, keys)}))`;
}

/**
 * Records of calls that have an intent and no recorded outcome that nobody knows it, in the audit
 * log as well. Answers the integration of each that was not on record before.
 */
export async function recordUnknownWrites(
  sql: Sql | Transaction, keys: readonly WriteKey[]): Promise<{ integration: string }[]> {
  return await sql<{ integration: string }[]>`
    select split_part(recorded_action, '.', 1) as integration
    from record_unknown_writes(${keyTexts(sql, keys)})`;
}

/** What a call that was to change something came to, as the log and the transcript say it. */
export interface SettledWrite {
  tool_call_id: string;
  action: string;
  /** Nothing was recorded of it before: now it is, that nobody knows. */
  is_news: boolean;
  type: 'tool_call.completed' | 'tool_call.failed';
  /** The data of the event that ends the call, as JSON. */
  data: string;
  /** The part of a message with its result, as JSON. */
  part: string;
  /** The place of the run's last message. */
  place: number;
}

/**
 * Settles those of the calls that have an intent, for an attempt of a run: an outcome that is not
 * recorded yet is unknown from then on. Nothing happens, and none is answered, if the run is not
 * this attempt's any more. A result has at most about `limit_chars` characters.
 */
export function settleWrites(
  sql: Sql, { workspace_id, id, attempt }: RunOfWorker, tool_call_ids: string[],
  limit_chars: number): Promise<SettledWrite[]> {
  return sql<SettledWrite[]>`
    select s.* from (
      select workspace_id, id from runs where workspace_id = ${workspace_id} and id = ${id}
        and attempt = ${attempt} and status = 'running' for share) r
    cross join lateral settle_writes(
      r.workspace_id, r.id, ${tool_call_ids}::text[], ${limit_chars}) s`;
}
