import type { Scope } from '../caller.ts';
import { jsonOrText } from '../jsonText.ts';
import type { CallRecord } from './auditEntries.ts';
import type { Sql, Transaction } from './database.ts';
import {
  conditions, first, idsFrom, jsonText, keyset, only, tableOf, type Filter, type Page, type RowOf,
  type Schemas,
} from './rows.ts';

export type ActionInvocationError = Schemas['ActionInvocationError'];

/** An attempt as lists show it. */
export interface ActionInvocationSummaryRow
  extends RowOf<'ActionInvocationSummary', 'invocation_id' | 'connection_id'> {
  id: string;
  /** Null: the attempt failed before a connection was chosen. */
  connection_id: string | null;
  api_key_id: string | null;
  tool_call_id: string | null;
}

export interface ActionInvocationRow extends ActionInvocationSummaryRow {
  /** The value, or a JsonText. */
  result: unknown;
}

export interface NewActionInvocation
  extends Omit<ActionInvocationRow, 'created_at' | 'status'> {
  workspace_id: string;
  input: unknown;
  /** Where its result goes on, for the action alone; null or absent: nowhere. */
  next_cursor?: string | null;
  /** What the audit log says of it, if that is to be committed together with the attempt. */
  audit?: InvocationRecord;
}

export interface InvocationRecord extends CallRecord {
  /**
   * It says what came of the attempt: then it is appended even if that was on record as unknown, or
   * its run was deleted; in these cases twice, if it is recorded again because nobody knows whether
   * the first time was committed.
   */
  is_known: boolean;
}

/** Where the result of an attempt goes on, and what it is the result of. */
export interface PageRow {
  action: string;
  connection_id: string;
  input: unknown;
  next_cursor: string;
}

const summaryColumns = (sql: Sql | Transaction) => sql`
  id, action, connection_id, status, error, source, api_key_id, run_id, tool_call_id, truncated,
  duration_ms, created_at`;

/**
 * Records an attempt; with an error it failed, without one it is completed. The caller has
 * sanitised `input`, `result` and `error`. The row says when it was created, by the database.
 * Answers false, and records nothing, if an attempt has been recorded under this id, or if its run
 * was deleted meanwhile.
 */
export async function insertInvocation(
  sql: Sql | Transaction, invocation: NewActionInvocation): Promise<boolean> {
  return (await insertInvocations(sql, [invocation]))[0]!;
}

/**
 * The same of several, in one statement; all or none. The rows of their runs are locked meanwhile:
 * `deleteRuns` either finds what is recorded here, or has been. The lock of the audit log comes
 * after the rows, and these in this order, as in record_unknown_writes: no two wait for each other.
 */
export async function insertInvocations(
  sql: Sql | Transaction, all: NewActionInvocation[]): Promise<boolean[]> {
  // By their runs: in this order these are locked.
  const runOf = ({ run_id }: NewActionInvocation) => run_id ?? '';
  const sorted = all.toSorted((a, b) => (runOf(a) < runOf(b) ? -1 : Number(runOf(a) > runOf(b))));
  const told = all.flatMap(({ id, audit }) => (audit ? [{ id, ...audit }] : []));
  const { ids } = await only(sql<{ ids: string[] }[]>`
    with inserted as (
    insert into action_invocations (workspace_id, id, action, connection_id, status, source,
      api_key_id, run_id, tool_call_id, input, result, error, truncated, duration_ms, next_cursor)
    select workspace_id, id, action, connection_id,
      case when error is null then 'completed' else 'failed' end, source, api_key_id, run_id,
      tool_call_id, input, result, error, truncated, duration_ms, next_cursor
    from ${tableOf(sql, 'given', sorted, {
      workspace_id: 'text', id: 'text', action: 'text', connection_id: 'text', source: 'text',
      api_key_id: 'text', run_id: 'text', tool_call_id: 'text', input: 'json', result: 'json',
      error: 'json', truncated: 'boolean', duration_ms: 'int', next_cursor: 'text' })}
    ${all.some(({ run_id }) => run_id !== null) ? sql`where run_id is null or exists (
      select from runs r where r.workspace_id = given.workspace_id and r.id = given.run_id
      for key share)` : sql``}
    order by workspace_id, id
    on conflict (workspace_id, id) do nothing
    returning workspace_id, id, input, result, error
    ), stored as (
      insert into storage_additions (workspace_id, bytes)
      select workspace_id, sum(octet_length(input::text)
        + coalesce(octet_length(result::text), 0) + coalesce(octet_length(error::text), 0))
      from inserted group by workspace_id
    )
    select i.ids ${told.length === 0 ? sql`` : sql`, append_outcomes_to_audit(
      ${told.map(({ record }) => record.workspace_id)}::text[],
      ${told.map(({ id }) => id)}::text[],
      ${told.map(({ api_key_id }) => api_key_id)}::text[],
      ${told.map(({ record }) => JSON.stringify(record))}::text[],
      ${told.map(({ late }) => jsonText(late))}::text[],
      ${told.map(({ is_known }) => (is_known ? 't' : 'f'))}::text[]::boolean[], i.ids)`}
    from (select coalesce(array_agg(id), '{}') as ids from inserted) i`);
  const inserted = new Set(ids);
  return all.map(({ id }) => inserted.has(id));
}

export async function getInvocation(
  sql: Sql, scope: Scope, id: string): Promise<ActionInvocationRow | undefined> {
  const row = await first(sql<(ActionInvocationRow & { result: string | null })[]>`
    select ${summaryColumns(sql)}, result::text from action_invocations
    where workspace_id = ${scope.workspace_id} and id = ${id} ${within(sql, scope)}`);
  return row && { ...row, result: row.result === null ? null : jsonOrText(row.result) };
}

/** Where an attempt's result goes on; undefined if it does not, or if there is no such attempt. */
export async function findPage(
  sql: Sql, workspace_id: string, id: string): Promise<PageRow | undefined> {
  return await first(sql<PageRow[]>`
    select action, connection_id, input, next_cursor from action_invocations
    where workspace_id = ${workspace_id} and id = ${id} and next_cursor is not null`);
}

/** A page of attempts without input and result, one row more than its limit if there are more. */
export function listInvocations(
  sql: Sql, scope: Scope,
  filter: Filter<'action' | 'status' | 'source' | 'run_id' | 'id_prefix'>, page: Page,
): Promise<ActionInvocationSummaryRow[]> {
  const { action, status, source, run_id, id_prefix } = filter;
  // What the indexes leave out is said once more, as it stands there: the planner then finds them.
  return sql<ActionInvocationSummaryRow[]>`
    select ${summaryColumns(sql)} from action_invocations
    where workspace_id = ${scope.workspace_id} ${within(sql, scope)}
      ${conditions(sql, { action, status, source, run_id })}
      ${status === 'failed' ? sql`and status = 'failed'` : sql``}
      ${source === undefined || source === 'run' ? sql`` : sql`and source <> 'run'`}
      ${idsFrom(sql, id_prefix)} ${keyset(sql, page)}`;
}

/** The calls of the session's runs, where a scope is one; direct calls are of no session. */
function within(sql: Sql, { workspace_id, session_id }: Scope) {
  return session_id === null ? sql`` : sql`and run_id in (
    select r.id from runs r where r.workspace_id = ${workspace_id}
      and r.session_id = ${session_id})`;
}
