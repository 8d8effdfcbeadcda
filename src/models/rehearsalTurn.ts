import type { JSONValue, LanguageModelV4Prompt, LanguageModelV4ToolResultOutput }
  from '@ai-sdk/provider';
import { isObject, objectOf, textOf } from '../json.ts';

/** What came of one call, as the prompt tells it. */
export type CallOutcome =
  | { kind: 'result'; value: unknown; truncated: boolean }
  | { kind: 'missing'; missing: { code: string; message: string }[] }
  | { kind: 'error'; code: string; message: string };

export interface MadeCall { action: string; outcome: CallOutcome }

/** The run under way, read back from its prompt. The model itself remembers nothing. */
export interface RehearsalTurn {
  text: string;
  /** Messages of the session's earlier runs, without tool results. */
  earlier_messages: number;
  /** The calls of each step made so far. */
  steps: MadeCall[][];
  /** The latest result before now, of this run or of an earlier one. */
  last_result: unknown;
}

export function readTurn(prompt: LanguageModelV4Prompt): RehearsalTurn {
  const outcomes = new Map<string, CallOutcome>();
  let last_result: unknown;
  for (const message of prompt) {
    if (message.role !== 'tool') continue;
    for (const part of message.content) {
      if (part.type !== 'tool-result') continue;
      const outcome = readOutcome(part.output);
      outcomes.set(part.toolCallId, outcome);
      if (outcome.kind === 'result') last_result = outcome.value;
    }
  }
  const asked = prompt.findLastIndex((message) => message.role === 'user');
  const question = prompt[asked];
  const steps: MadeCall[][] = [];
  for (const message of prompt.slice(asked + 1)) {
    if (message.role !== 'assistant') continue;
    steps.push(message.content.filter((part) => part.type === 'tool-call').map((call) => ({
      action: textOf(objectOf(call.input).action) ?? call.toolName,
      outcome: outcomes.get(call.toolCallId)
        ?? { kind: 'error', code: 'internal_error', message: 'There is no result.' },
    })));
  }
  return {
    text: question?.role !== 'user' ? ''
      : question.content.map((part) => part.type === 'text' ? part.text : '').join('\n'),
    earlier_messages: prompt.slice(0, Math.max(asked, 0))
      .filter(({ role }) => role === 'user' || role === 'assistant').length,
    steps,
    last_result,
  };
}

/** Understands what call_action returns ({ok, result | missing | error}) and bare values. */
function readOutcome(output: LanguageModelV4ToolResultOutput): CallOutcome {
  if (output.type === 'text') return { kind: 'result', value: output.value, truncated: false };
  if (output.type === 'error-text') return errorFrom({ message: output.value });
  if (output.type === 'json') return fromValue(output.value);
  if (output.type === 'error-json') {
    const told = fromValue(output.value);
    return told.kind === 'result' ? errorFrom(output.value) : told;
  }
  return errorFrom({ message: 'The result is of a kind that the rehearsal model cannot read.' });
}

function fromValue(value: JSONValue): CallOutcome {
  if (!isObject(value)) return { kind: 'result', value, truncated: false };
  if (Array.isArray(value.missing) && value.missing.length > 0) {
    return { kind: 'missing', missing: value.missing.slice(0, 20).map(codeAndMessage) };
  }
  if (value.ok === false || isObject(value.error)) {
    return errorFrom(isObject(value.error) ? value.error : value);
  }
  const result = value.ok === true && 'result' in value ? value.result : value;
  const shortened = (candidate: unknown) => isObject(candidate)
    && (candidate.truncated === true || isObject(candidate.truncated));
  return { kind: 'result', value: result, truncated: shortened(value) || shortened(result) };
}

function errorFrom(value: unknown): CallOutcome {
  return { kind: 'error', ...codeAndMessage(value) };
}

function codeAndMessage(value: unknown): { code: string; message: string } {
  if (!isObject(value)) {
    // Not String(value): an object inside may have a `toString` that is no function.
    const message = typeof value === 'string' ? value : JSON.stringify(value) ?? '';
    return { code: 'error', message: message.slice(0, 1_000) };
  }
  const { code, message } = value;
  return {
    code: textOf(code)?.slice(0, 100) ?? 'error', message: textOf(message)?.slice(0, 1_000) ?? '',
  };
}
