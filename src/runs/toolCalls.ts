import type { Schemas } from '../../generated/types.ts';
import type { MessageRow } from '../store/messages.ts';
import type { ToolCallEventRow } from '../store/runEvents.ts';

export type ToolCallSummary = Schemas['ToolCallSummary'];
export type ToolCallError = Schemas['ToolCallError'];

/** What the log and the transcript say of a run's tool calls, in the order they began. */
export function summariseToolCalls(
  events: ToolCallEventRow[], messages: MessageRow[]): ToolCallSummary[] {
  const committed = new Map<unknown, unknown>();
  for (const part of messages.flatMap((message) => message.content)) {
    if (part.type === 'tool_call') committed.set(part.tool_call_id, part.arguments);
  }
  const calls = new Map<string, ToolCallSummary>();
  for (const { type, created_at, data } of events) {
    const call = calls.get(data.tool_call_id);
    if (type === 'tool_call.started') {
      calls.set(data.tool_call_id, {
        tool_call_id: data.tool_call_id, name: data.name, status: 'running',
        arguments: committed.get(data.tool_call_id) ?? null, error: null, invocation_id: null,
        started_at: created_at, finished_at: null,
      });
    } else if (call) {
      const error = type === 'tool_call.failed' ? data.error as ToolCallError : null;
      call.status = error === null ? 'completed'
        : error.code === 'cancelled' ? 'cancelled' : 'failed';
      call.error = error;
      call.invocation_id = (data.invocation_id as string | undefined) ?? null;
      call.finished_at = created_at;
    }
  }
  return [...calls.values()];
}

/** Calls that began and have no end yet: id → name, in the order they began. */
export function openToolCalls(events: ToolCallEventRow[]): Map<string, string> {
  const open = new Map<string, string>();
  for (const { type, data } of events) {
    if (type === 'tool_call.started') open.set(data.tool_call_id, data.name);
    else open.delete(data.tool_call_id);
  }
  return open;
}
