import type { Caller } from '../caller.ts';
import { toToolError, toToolResult, type ActionCall, type Gateway } from '../gateway/face.ts';
import { isContainer, objectOf, parseNoticing, roundedIn } from '../json.ts';
import type { ToolCallPart, ToolResultPart } from '../models/model.ts';
import { ARGUMENTS_DEPTH } from '../models/toolCallReader.ts';
import type { ClaimedRun } from '../store/runs.ts';
import type { AttemptTelemetry } from '../telemetry/attempt.ts';
import { event, type NewEvent } from './runEvents.ts';
import type { ToolCallError } from './toolCalls.ts';
import type { TurnSignals } from './turnSignals.ts';

/** A call with its result: what the transcript keeps, and the event that ends it. */
export interface FinishedToolCall {
  part: ToolResultPart;
  event: NewEvent;
  /** It was broken off from outside, and making it again does no harm. */
  broken_off: boolean;
}

export interface ToolCallDependencies {
  gateway: Gateway;
  /** Characters of a result that the model sees. */
  limit_chars: number;
  attempt: AttemptTelemetry;
}

/** What the model sent in place of a JSON object, if it did, and whether its answer was cut off. */
interface SentArguments { text: string | undefined; was_cut: boolean }

/** Has the gateway perform one call of `call_action`, on behalf of the key that created the run. */
export async function performToolCall(
  { gateway, limit_chars, attempt }: ToolCallDependencies, run: ClaimedRun, call: ToolCallPart,
  sent: SentArguments, signals: TurnSignals,
): Promise<FinishedToolCall> {
  const action = sent.text === undefined ? asActionCall(call.arguments) : undefined;
  if (!action) {
    return failed(call, {
      code: 'invalid_arguments', message: `${whyInvalid(sent)} Nothing was called.`,
    });
  }
  const caller = agentOf(run);
  const end = attempt.beginCall(call.tool_call_id, action.action);
  const outcome = await gateway.perform(caller, action, {
    source: 'run', run_id: run.id, attempt: run.attempt, tool_call_id: call.tool_call_id,
    read_only_only: false, signal: signals.stop, windDown: signals.windDown,
  });
  if (outcome.status !== 'completed') {
    const error = toToolError(outcome, limit_chars);
    end(error.code, outcome.invocation_id);
    return failed(call, error, outcome);
  }
  end('ok', outcome.invocation_id);
  const { value, truncated } = toToolResult(outcome, limit_chars);
  return {
    broken_off: false,
    part: { ...identity(call), result: value },
    event: event('tool_call.completed', {
      tool_call_id: call.tool_call_id, name: call.name, invocation_id: outcome.invocation_id,
      arguments: call.arguments, result: value, truncated, duration_ms: outcome.duration_ms,
    }),
  };
}

/** What is wrong with arguments that are no call. Of a number that was rounded it says where. */
function whyInvalid({ text, was_cut }: SentArguments): string {
  if (was_cut && text !== undefined) {
    return 'Your answer was cut off amid these arguments, as it had all the tokens that an answer'
      + ' may have. Give less at once.';
  }
  try {
    const rounded = roundedIn(parseNoticing(text ?? ''), ['input']);
    if (rounded) return `/input${rounded.path} ${rounded.message}.`;
  } catch {
    // It is no JSON: the sentence below is all that can be said.
  }
  return 'The arguments of call_action must be a JSON object with one "action", a string, and,'
    + ` optionally, the object "input", all of it at most ${ARGUMENTS_DEPTH} levels deep.`;
}

/** The agent of a run, which acts with the key that created the run. */
export function agentOf(run: ClaimedRun): Caller {
  const { workspace_id, api_key_id, id, attempt, session_id } = run;
  return { workspace_id, api_key_id, agent: { run: { id, attempt, session_id }, confined: true } };
}

const identity = ({ tool_call_id, name }: ToolCallPart) =>
  ({ type: 'tool_result' as const, tool_call_id, name });

function failed(
  call: ToolCallPart, error: ToolCallError,
  outcome?: { invocation_id: string; duration_ms: number }): FinishedToolCall {
  return {
    broken_off: error.code === 'cancelled',
    part: { ...identity(call), error },
    event: event('tool_call.failed', {
      tool_call_id: call.tool_call_id, name: call.name, error,
      ...(outcome && { invocation_id: outcome.invocation_id, duration_ms: outcome.duration_ms }),
    }),
  };
}

/** The model's arguments, if they have the shape of a call; what is in them the gateway checks. */
function asActionCall(given: unknown): ActionCall | undefined {
  const { action, input, connection_id, fields, cursor } = objectOf(given);
  if (typeof action !== 'string' || (input !== undefined && !isContainer(input))) return undefined;
  return {
    action,
    ...(input !== undefined && { input }),
    ...(typeof connection_id === 'string' && { connection_id }),
    ...(Array.isArray(fields) && { fields: fields.filter((field) => typeof field === 'string') }),
    ...(typeof cursor === 'string' && { cursor }),
  };
}
