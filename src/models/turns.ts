/**
 * What each run of a session is in a prompt. The runs before the one under way have ended and never
 * change: what was made of them is kept for as long as they are in memory, and the next run of the
 * session adds the latest of them to it. Made anew for each step, that took longer than all else
 * that a step of a session of 2,000 runs needs.
 */
import type {
  JSONValue, LanguageModelV4Message, LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider';
import { objectOf } from '../json.ts';
import { sizeTurn, type SizedTurn } from './contextBudget.ts';
import type { ToolResultPart, TranscriptMessage } from './model.ts';
import { partsFor } from './providerState.ts';

const TOOL = 'call_action';

/** Providers refuse a message without text, and would refuse the session from then on. */
const NO_TEXT = '…';

const NO_RESULT = 'No result: the run ended before this call was finished. It may have had effect.';

/**
 * A run that was cancelled or failed. Models of Mistral refuse what a user says right after a
 * result, and templates of open models two such messages in a row.
 */
const NO_ANSWER = '[This run ended without an answer.]';

type AssistantMessage = Extract<TranscriptMessage, { role: 'assistant' }>;
type PromptAssistant = Extract<LanguageModelV4Message, { role: 'assistant' }>;

/**
 * A turn for each run of the transcript that says anything, oldest first. Each call is followed at
 * once by the tool message with its result, results of one step in one message; a result without a
 * call in its run is left out, a call without one gets an error in its place, and of calls with one
 * id the first counts. Of each run but the latest the model has the last word.
 */
export function turnsOf(transcript: readonly TranscriptMessage[], model: string): SizedTurn[] {
  if (transcript.length === 0) return [];
  const start = startOfRun(transcript, transcript.length);
  const { turns, seen } = earlierTurns(transcript, start, model);
  const latest = messagesOf(transcript.slice(start), model, new Set(seen));
  return latest.length > 0 ? [...turns, sizeTurn(latest)] : [...turns];
}

/** The turns of the first `count` messages of a transcript. */
interface Earlier {
  count: number;
  model: string;
  turns: SizedTurn[];
  /** The ids of their calls. */
  seen: Set<string>;
}

/** By the last of their messages. */
const kept = new WeakMap<TranscriptMessage, Earlier>();

/** The turns of the messages before `count`, where a run ends: those that are kept and the rest. */
function earlierTurns(
  transcript: readonly TranscriptMessage[], count: number, model: string,
): Pick<Earlier, 'turns' | 'seen'> {
  let start = count;
  while (start > 0 && !isKept(transcript, start, model)) start = startOfRun(transcript, start);
  const last = transcript[start - 1];
  const earlier = (last && kept.get(last))
    ?? { count: 0, model, turns: [], seen: new Set<string>() };
  if (start === count) return earlier;
  // What is added to is not kept as it was: of 2,000 runs each would keep all turns before it.
  if (last) kept.delete(last);
  for (let end; start < count; start = end) {
    end = endOfRun(transcript, start);
    const messages = messagesOf(transcript.slice(start, end), model, earlier.seen);
    if (messages.length === 0) continue;
    if (messages.at(-1)!.role !== 'assistant') {
      messages.push({ role: 'assistant', content: [{ type: 'text', text: NO_ANSWER }] });
    }
    earlier.turns.push(sizeTurn(messages));
  }
  earlier.count = count;
  kept.set(transcript[count - 1]!, earlier);
  return earlier;
}

function isKept(transcript: readonly TranscriptMessage[], count: number, model: string): boolean {
  const known = kept.get(transcript[count - 1]!);
  // So many messages of a session up to the same one are the same.
  return known?.count === count && known.model === model;
}

/** Where the run begins whose last message is the one before `end`. */
function startOfRun(transcript: readonly TranscriptMessage[], end: number): number {
  let start = Math.max(0, end - 1);
  while (start > 0 && transcript[start - 1]!.run_id === transcript[end - 1]!.run_id) start -= 1;
  return start;
}

function endOfRun(transcript: readonly TranscriptMessage[], start: number): number {
  let end = start + 1;
  while (transcript[end]?.run_id === transcript[start]!.run_id) end += 1;
  return end;
}

/** `seen`: the ids of the calls so far; it gets those of this run. */
function messagesOf(
  run: readonly TranscriptMessage[], model: string, seen: Set<string>): LanguageModelV4Message[] {
  const messages: LanguageModelV4Message[] = [];
  const results = collectResults(run);
  for (const message of run) {
    if (message.role === 'user') addUser(messages, message.content.map((part) => part.text));
    if (message.role === 'assistant') {
      const content = assistantContent(message, model);
      addStep(messages,
        content.filter((part) => part.type !== 'tool-call' || isNew(part, seen)), results);
    }
  }
  return messages;
}

function isNew({ toolCallId }: { toolCallId: string }, seen: Set<string>): boolean {
  const first = !seen.has(toolCallId);
  seen.add(toolCallId);
  return first;
}

/** The input items of one run become one message. */
function addUser(turn: LanguageModelV4Message[], texts: string[]): void {
  const content = texts.filter((text) => text.trim() !== '')
    .map((text) => ({ type: 'text' as const, text }));
  if (content.length === 0) content.push({ type: 'text', text: NO_TEXT });
  const last = turn.at(-1);
  if (last?.role === 'user') last.content.push(...content);
  else turn.push({ role: 'user', content });
}

function addStep(
  turn: LanguageModelV4Message[], content: PromptAssistant['content'],
  results: Map<string, ToolResultPart>): void {
  const answers = content.filter((part) => part.type === 'tool-call')
    .map(({ toolCallId }) => resultPart(toolCallId, results.get(toolCallId)));
  // Reasoning alone is useless, and some providers refuse a message that holds nothing else.
  if (content.some((part) => part.type === 'text' || part.type === 'tool-call')) {
    turn.push({ role: 'assistant', content });
    if (answers.length > 0) turn.push({ role: 'tool', content: answers });
  }
}

function assistantContent(message: AssistantMessage, model: string): PromptAssistant['content'] {
  const neutral = message.content.map((part) => part.type === 'output_text'
    ? { type: 'text' as const, text: part.text }
    : {
      type: 'tool-call' as const, toolCallId: part.tool_call_id, toolName: TOOL,
      input: part.arguments ?? {},
    });
  const stored = partsFor(model, message.provider);
  const told = stored?.filter((part) => part.type === 'content').map((part) => part.index);
  // If the two differ, the content counts.
  if (!stored || told!.length !== neutral.length || told!.some((index, nth) => index !== nth)) {
    return neutral.filter(saysAnything);
  }
  return stored.map((part): PromptAssistant['content'][number] => {
    const options = part.provider_options && { providerOptions: part.provider_options };
    if (part.type === 'reasoning') return { type: 'reasoning', text: part.text, ...options };
    if (part.type === 'custom') return { type: 'custom', kind: part.kind, ...options };
    return { ...neutral[part.index]!, ...options };
  }).filter(saysAnything);
}

/** Models do say nothing but blanks, and Anthropic refuses to be told so. */
function saysAnything(part: PromptAssistant['content'][number]): boolean {
  return part.type !== 'text' || part.text.trim() !== '';
}

function collectResults(run: readonly TranscriptMessage[]): Map<string, ToolResultPart> {
  const results = new Map<string, ToolResultPart>();
  for (const message of run) {
    for (const part of message.role === 'tool' ? message.content : []) {
      // The first result of a call counts.
      if (!results.has(part.tool_call_id)) results.set(part.tool_call_id, part);
    }
  }
  return results;
}

function resultPart(
  toolCallId: string, part: ToolResultPart | undefined): LanguageModelV4ToolResultPart {
  const base = { type: 'tool-result' as const, toolCallId, toolName: TOOL };
  if (part === undefined) return { ...base, output: { type: 'error-text', value: NO_RESULT } };
  const { result = null, error = null } = part;
  // Both came out of the store, so they are JSON. An error says so as MCP clients are told it: most
  // protocols have no other place for that.
  return { ...base, output: error === null ? { type: 'json', value: result as JSONValue }
    : { type: 'error-json', value: { ok: false, ...objectOf(error) } as JSONValue } };
}
