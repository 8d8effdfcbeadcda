import type { Sql } from './database.ts';

export interface EventRow {
  seq: number;
  type: string;
  created_at: string;
  /** The event's data as the JSON text that was stored: it is passed on, never parsed. */
  data: string;
}

/** The events of a run after a number, ascending. */
export function readEvents(
  sql: Sql, workspace_id: string, run_id: string, after: number, limit: number,
): Promise<EventRow[]> {
  return sql<EventRow[]>`
    select seq, type, created_at, data::text as data from run_events
    where workspace_id = ${workspace_id} and run_id = ${run_id} and seq > ${after}
    order by seq limit ${limit}`;
}

export interface ToolCallEventRow {
  seq: number;
  type: 'tool_call.started' | 'tool_call.completed' | 'tool_call.failed';
  created_at: string;
  data: { tool_call_id: string; name: string } & Record<string, unknown>;
}

/** The events that begin or end a tool call of a run, ascending; read from their own index. */
export function readToolCallEvents(
  sql: Sql, workspace_id: string, run_id: string): Promise<ToolCallEventRow[]> {
  return sql<ToolCallEventRow[]>`
    select seq, type, created_at, data from run_events
    where workspace_id = ${workspace_id} and run_id = ${run_id}
      and type in ('tool_call.started', 'tool_call.completed', 'tool_call.failed')
    order by seq`;
}
