import { firstOf } from '../deadline.ts';
import type {
  AssistantPart, StepResult, ToolCallPart, TranscriptMessage,
} from '../models/model.ts';
import { isUnavailable } from '../store/database.ts';
import type { ClaimedRun } from '../store/runs.ts';
import {
  performToolCall, type FinishedToolCall, type ToolCallDependencies,
} from './toolCallExecutor.ts';
import type { TurnLog } from './turnLog.ts';
import type { TurnSignals } from './turnSignals.ts';

export interface StepCallOptions extends ToolCallDependencies {
  /** So many calls are performed at once. */
  concurrency: number;
}

export interface StepCalls {
  run: ClaimedRun;
  log: TurnLog;
  transcript: TranscriptMessage[];
  /** What the model sent where a JSON object was due, by the id of the call. */
  invalid: StepResult['invalid_arguments'];
}

/**
 * Performs the open calls of a step. Results are committed in the order of the calls, those that
 * are there at the same time together: with each by itself, 1,000 calls took twice as long. A call
 * begins when the result of another is committed; so no more than `concurrency` are under way, wait
 * for an earlier one or are being committed, however many there are.
 */
export async function performCalls(
  { concurrency, ...deps }: StepCallOptions, { run, log, transcript, invalid }: StepCalls,
  signals: TurnSignals): Promise<void> {
  const calls = openCalls(transcript, run.id).values();
  const said = transcript.findLast((message) => message.role === 'assistant');
  const was_cut = said?.provider?.incomplete_reason === 'max_output_tokens';
  const begun: Promise<FinishedToolCall>[] = [];
  const halted = new AbortController();
  const windDown = firstOf(signals.windDown, halted.signal);
  let ended = false;
  const begin = () => {
    // Calls that are not begun any more are made by the next attempt of the run.
    const call = ended || signals.windDown.aborted ? undefined : calls.next().value;
    if (call === undefined) return;
    const result = performToolCall(
      deps, run, call, { text: invalid[call.tool_call_id], was_cut }, { ...signals, windDown });
    // It is awaited below, in the order of the calls. Until then a rejection has no handler.
    result.catch(() => {});
    begun.push(result);
  };
  const commit = async (finished: FinishedToolCall) => {
    transcript.push(await log.commitToolResult(finished));
    signals.onCommitted?.();
    begin();
  };
  let committed = Promise.resolve();
  try {
    for (let nth = 0; nth < concurrency; nth++) begin();
    while (begun.length > 0) {
      const finished = await begun.shift()!;
      signals.stop.throwIfAborted();
      // Broken off as the worker stops: the next attempt makes this call again.
      if (!finished.broken_off || !signals.windDown.aborted) {
        // Only the last commit is awaited: after one that fails all later ones fail, too.
        committed = commit(finished);
        committed.catch(() => {});
      }
      if (begun.length === 0) await committed;
    }
  } catch (error) {
    ended = true; // so that what goes on below begins no other
    // The next attempt would take the writes that have left for lost. They are recorded first, by
    // those who make them, once the database is back; reads are broken off.
    if (isUnavailable(error)) {
      halted.abort(error);
      await Promise.allSettled(begun);
    }
    throw error;
  }
}

export const isCall = (part: AssistantPart) => part.type === 'tool_call';

/** The messages of the run that goes on: the last ones of its session's transcript. */
export function ownMessages(
  transcript: readonly TranscriptMessage[], run_id: string): TranscriptMessage[] {
  return transcript.slice(transcript.findLastIndex((message) => message.run_id !== run_id) + 1);
}

/** The run's committed calls that have no committed result. */
export function openCalls(
  transcript: readonly TranscriptMessage[], run_id: string): ToolCallPart[] {
  const calls = new Map<string, ToolCallPart>();
  for (const message of ownMessages(transcript, run_id)) {
    if (message.role === 'assistant') {
      for (const part of message.content.filter(isCall)) calls.set(part.tool_call_id, part);
    } else if (message.role === 'tool') {
      for (const part of message.content) calls.delete(part.tool_call_id);
    }
  }
  return [...calls.values()];
}

export function committedCalls(transcript: TranscriptMessage[]): Set<string> {
  const calls = transcript.flatMap((message) =>
    (message.role === 'assistant' ? message.content.filter(isCall) : []));
  return new Set(calls.map((call) => call.tool_call_id));
}
