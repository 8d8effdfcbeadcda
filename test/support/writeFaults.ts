/** Whether all that is told of a write is one truth; knows no database. */
import { isDeepStrictEqual } from 'node:util';
import type { LoggedRun } from './runLog.ts';

/** A call that was written down before it left, and what is recorded of it. */
export interface LoggedWrite {
  tool_call_id: string;
  invocation_id: string;
  /** Null: nothing. */
  status: 'completed' | 'failed' | null;
  error: { code: string } | null;
}

/**
 * What is wrong with the writes of a run that has ended, one line each: its log and its transcript
 * each say once what the invocation says, and name it.
 */
export function faultsOfWrites(
  { events, messages }: Pick<LoggedRun, 'events' | 'messages'>, writes: LoggedWrite[]): string[] {
  return writes.flatMap(({ tool_call_id, invocation_id, status, error }) => {
    const recorded = outcomeOf({ status, error });
    const ends = events.filter(({ type, data }) =>
      /^tool_call\.(completed|failed)$/.test(type) && data.tool_call_id === tool_call_id);
    const parts = messages.flatMap(({ content }) => content).filter((part) =>
      part.type === 'tool_result' && part.tool_call_id === tool_call_id);
    const told = {
      log: ends.map(({ type, data }) =>
        outcomeOf({ status: type.slice('tool_call.'.length), error: data.error })),
      transcript: parts.map(({ error = null }) =>
        outcomeOf({ status: error === null ? 'completed' : 'failed', error })),
    };
    const faults = Object.entries(told).flatMap(([where, said]) =>
      isDeepStrictEqual(said, [recorded]) ? []
        : [`${tool_call_id}: ${invocation_id} says ${recorded}, the ${where} ${said.join() || 0}`]);
    for (const { data } of ends) {
      if (data.invocation_id !== invocation_id) {
        faults.push(`${tool_call_id}: the log names ${data.invocation_id}, not ${invocation_id}`);
      }
      if (!isDeepStrictEqual([data.result, data.error], [parts[0]?.result, parts[0]?.error])) {
        faults.push(`${tool_call_id}: the transcript has another result than the log`);
      }
    }
    return faults;
  });
}

function outcomeOf(
  { status, error }: { status: string | null; error: { code: string } | null }): string {
  if (status === null) return 'nothing';
  return status === 'completed' ? status : `failed by ${error?.code}`;
}
