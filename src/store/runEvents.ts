import type { Sql, Transaction } from './database.ts';
import { inputOf, listed, type RunKey, type RunStatus } from './runs.ts';

export interface EventRow {
  seq: number;
  type: string;
  created_at: string;
  /** The event's data as the JSON text that was stored: it is passed on, never parsed. */
  data: string;
}

/** Events of a run, and how the run stood at that very moment. */
export interface EventPage {
  status: RunStatus;
  last_seq: number;
  /** For who asks beyond the last one: the number of the first that is kept, or of the next. */
  first_seq: number | null;
  events: EventRow[];
}

/** How much is read at once. */
export interface EventBounds {
  events: number;
  /** The page ends with the event whose data reaches this, all data together. */
  bytes: number;
}

/**
 * The events of a run after a number, ascending. One statement reads one moment: if there are no
 * events after it then, `last_seq` says so. Undefined if there is no such run.
 *
 * The page's end follows from the sizes that are stored with the events, and only the data that is
 * given is read. Events without one are small. What the first event says beside its status is of
 * the run and its messages.
 */
export async function readEventPage(
  sql: Sql | Transaction, workspace_id: string, run_id: string, after: number,
  { events, bytes }: EventBounds,
): Promise<EventPage | undefined> {
  const rows = await sql<(Omit<EventPage, 'events'> & EventRow)[]>`
    select r.status, r.last_seq, case when r.last_seq < ${after} then coalesce((
        select min(seq) from run_events where workspace_id = ${workspace_id} and run_id = ${run_id}
      ), r.last_seq + 1) end as first_seq, e.seq, e.type, e.created_at, case e.type
      when 'run.created'
      then format('{"status":"queued","input":%s,"metadata":%s}', ${inputOf(sql)}, r.metadata)
      else e.data::text end as data
    from runs r left join lateral (
      select *, sum(coalesce(data_bytes, octet_length(data::text))) over (
        order by seq rows between unbounded preceding and 1 preceding) as bytes_before
      from (
        select seq, type, created_at, data, data_bytes from run_events
        where workspace_id = ${workspace_id} and run_id = ${run_id} and seq > ${after}
        order by seq limit ${events}) first) e
      on e.bytes_before is null or e.bytes_before < ${bytes}
    where r.workspace_id = ${workspace_id} and r.id = ${run_id}
    order by e.seq`;
  const [first] = rows;
  if (!first) return undefined;
  // If there is no event, the only row has nulls for it.
  const { status, last_seq, first_seq } = first;
  return { status, last_seq, first_seq, events: rows.filter((row) => row.seq !== null) };
}

export interface ToolCallEventRow {
  seq: number;
  type: 'tool_call.started' | 'tool_call.completed' | 'tool_call.failed';
  created_at: string;
  data: { tool_call_id: string; name: string } & Record<string, unknown>;
}

/**
 * The events that begin or end a tool call of these runs, ascending in each; read from their own
 * index, and without arguments and results.
 */
export function readToolCallEvents(
  sql: Sql | Transaction, runs: RunKey[]): Promise<(ToolCallEventRow & { run_id: string })[]> {
  return sql<(ToolCallEventRow & { run_id: string })[]>`
    select l.run_id, e.* from ${listed(sql, runs)} cross join lateral (
      select seq, type, created_at, json_build_object(
        'tool_call_id', data->'tool_call_id', 'name', data->'name',
        'invocation_id', data->'invocation_id', 'error', data->'error') as data
      from run_events
      where workspace_id = l.workspace_id and run_id = l.run_id
        and type in ('tool_call.started', 'tool_call.completed', 'tool_call.failed')) e
    order by l.run_id, e.seq`;
}
