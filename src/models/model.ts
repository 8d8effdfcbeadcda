/**
 * A model as the rest of the service knows it: it takes a transcript and streams one step. No type
 * of a provider package leaves this room.
 */
import type { StepUsage } from './modelError.ts';

export { ModelError, type StepUsage } from './modelError.ts';

/** The one tool an agent has. The gateway writes its description and schema for each caller. */
export interface ToolDefinition {
  name: 'call_action';
  description: string;
  input_schema: object;
}

export interface OutputTextPart { type: 'output_text'; text: string }

export interface ToolCallPart {
  type: 'tool_call';
  tool_call_id: string;
  /** The action's name; `call_action` where the arguments name none. */
  name: string;
  /**
   * The whole object given to `call_action`: {action, input?, connection_id?, fields?, cursor?}.
   * Always an object; `{}` for a call listed in `StepResult.invalid_arguments`.
   */
  arguments: unknown;
}

export interface ToolResultPart {
  type: 'tool_result';
  tool_call_id: string;
  name: string;
  result?: unknown;
  error?: unknown;
}

export type AssistantPart = OutputTextPart | ToolCallPart;

/** One message as the store holds it. The stored transcript never changes; prompts are views. */
export type TranscriptMessage =
  | { role: 'user'; run_id: string; content: { type: 'input_text'; text: string }[] }
  | {
    role: 'assistant'; run_id: string; content: AssistantPart[]; provider: ProviderState | null;
  }
  | { role: 'tool'; run_id: string; content: ToolResultPart[] };

/**
 * The parts that a provider wants back with its own message: reasoning, signatures, its ids. JSON,
 * stored with the message and never shown; only the model that it names can use it.
 */
export interface ProviderState {
  model: string;
  parts: unknown[];
  /** Why the provider ended the message before the model did. */
  incomplete_reason?: IncompleteReason;
}

export type IncompleteReason = 'max_output_tokens' | 'content_filter' | 'other';

export interface StepRequest {
  instructions: string | null;
  /** In order. Calls without a result and results without a call are tolerated. */
  transcript: TranscriptMessage[];
  /** Runs of the session that the transcript leaves out, the oldest ones; none if left out. */
  runs_left_out?: number;
  tool: ToolDefinition;
  /** The most that the prompt may take: part of `prompt_chars` of a step that was too long. */
  max_prompt_chars?: number;
  /** Aborting it ends the step at once: `step` then throws the signal's reason. */
  signal: AbortSignal;
  /** A new id: for a call, or for a message or a stretch of reasoning. */
  new_id(kind: 'call' | 'msg'): string;
}

/** What a step shows while it runs. Joined, the deltas of an id are the completed item. */
export type StepPart =
  | { type: 'reasoning.summary.delta'; item_id: string; delta: string }
  | { type: 'message.output.delta'; message_id: string; delta: string }
  | { type: 'tool_call.started'; tool_call_id: string; name: string }
  | { type: 'tool_call.arguments.delta'; tool_call_id: string; delta: string };

export interface StepResult {
  /** All text of the step is this one message. */
  message_id: string;
  /** In its order; the step is the last one if it holds no tool call. */
  content: AssistantPart[];
  provider: ProviderState;
  usage: StepUsage;
  /** tool_call_id → the text that came where a JSON object was due. Such a call is never made. */
  invalid_arguments: Record<string, string>;
}

export interface Model {
  /** What `model` says in a run: `rehearsal` or `<provider>/<id>`. */
  key: string;
  /** Its deltas become events one by one, not joined by time: the same prompt, the same events. */
  keeps_deltas: boolean;
  /**
   * One request to the model: yields parts as they come and returns the whole. Performs nothing and
   * repeats nothing. Throws ModelError, or the reason of `request.signal` once that is aborted.
   * To give up early abort the signal; `return()` waits for the part under way.
   */
  step(request: StepRequest): AsyncGenerator<StepPart, StepResult>;
  /** About how many tokens the prompt of this step has. Nobody is asked. Throws as `step` does. */
  promptTokens(request: StepRequest): number;
}
