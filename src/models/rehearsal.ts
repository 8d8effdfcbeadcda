import type {
  LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4Content, LanguageModelV4FinishReason,
  LanguageModelV4StreamPart, LanguageModelV4Usage,
} from '@ai-sdk/provider';
import { APICallError } from '@ai-sdk/provider';
import { setTimeout as wait } from 'node:timers/promises';
import { isContainer } from '../json.ts';
import type { Directives } from './rehearsalScript.ts';
import { decide } from './rehearsalPlan.ts';
import { parseScript } from './rehearsalScript.ts';
import { readTurn } from './rehearsalTurn.ts';

const ARGUMENT_CHARACTERS = 16; // per delta

/** One step, worked out in full before the first delta of it is sent. */
interface WorkedStep {
  step: number;
  directives: Directives;
  content: LanguageModelV4Content[];
  finishReason: LanguageModelV4FinishReason;
  usage: LanguageModelV4Usage;
}

/**
 * The model that needs no network, no key and no money: it follows the fixed rules of
 * docs/rehearsal.md. The same prompt always gives the same stream. Real models use everything else
 * here, from the adapter to the gateway.
 */
export function rehearsalModel(): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'gatehouse',
    modelId: 'rehearsal',
    supportedUrls: {},
    async doStream(options) {
      const answer = work(options);
      failIfAsked(answer);
      return { stream: ReadableStream.from(streamed(answer, options.abortSignal)) };
    },
    async doGenerate(options) {
      const answer = work(options);
      failIfAsked(answer);
      const { content, finishReason, usage } = answer;
      return { content, finishReason, usage, warnings: [] };
    },
  };
}

function work({ prompt }: LanguageModelV4CallOptions): WorkedStep {
  const turn = readTurn(prompt);
  const script = parseScript(turn.text);
  const decision = decide(turn, script);
  const step = turn.steps.length + 1;
  const content: LanguageModelV4Content[] = [{ type: 'reasoning', text: decision.thought }];
  if ('text' in decision) content.push({ type: 'text', text: decision.text });
  else {
    for (const [index, call] of decision.calls.entries()) {
      content.push({
        type: 'tool-call', toolCallId: `rehearsal_${step}_${index + 1}`, toolName: 'call_action',
        input: JSON.stringify(call),
      });
    }
  }
  return {
    step,
    directives: script.directives,
    content,
    finishReason: { unified: 'text' in decision ? 'stop' : 'tool-calls', raw: undefined },
    usage: usageOf(prompt, content),
  };
}

/** `fail=` other than `cut_stream`: the errors a provider's HTTP API would give. */
function failIfAsked({ directives, step }: WorkedStep): void {
  if (directives.at_step !== step) return;
  const base = { url: 'rehearsal:', requestBodyValues: {} };
  if (directives.fail === 'model_error') {
    throw new APICallError(
      { ...base, message: 'asked for by @rehearsal', statusCode: 400, isRetryable: false });
  }
  if (directives.fail === 'model_rate_limited') {
    throw new APICallError({
      ...base, message: 'asked for by @rehearsal', statusCode: 429, isRetryable: true,
      responseHeaders: { 'retry-after-ms': '100' },
    });
  }
}

async function* streamed(
  answer: WorkedStep, signal: AbortSignal | undefined): AsyncGenerator<LanguageModelV4StreamPart> {
  const { directives, step, usage, finishReason } = answer;
  const parts = answer.content.flatMap(partsOf);
  const cut = directives.fail === 'cut_stream' && directives.at_step === step;
  // Cut in the middle of the last part: of a text, or of an argument's JSON. No finish follows.
  const last = partsOf(answer.content.at(-1)!, 0).length;
  const end = cut ? parts.length - Math.floor(last / 2) : parts.length;
  yield { type: 'stream-start', warnings: [] };
  for (const part of parts.slice(0, end)) {
    signal?.throwIfAborted();
    if (directives.delay_ms > 0 && 'delta' in part) {
      await wait(directives.delay_ms, undefined, { signal });
    }
    yield part;
  }
  if (!cut) yield { type: 'finish', usage, finishReason };
}

function partsOf(content: LanguageModelV4Content, index: number): LanguageModelV4StreamPart[] {
  const id = String(index);
  switch (content.type) {
    case 'reasoning': return [
      { type: 'reasoning-start', id },
      ...words(content.text).map((delta) => ({ type: 'reasoning-delta' as const, id, delta })),
      { type: 'reasoning-end', id },
    ];
    case 'text': return [
      { type: 'text-start', id },
      ...words(content.text).map((delta) => ({ type: 'text-delta' as const, id, delta })),
      { type: 'text-end', id },
    ];
    case 'tool-call': {
      const { toolCallId, toolName, input } = content;
      const start = { type: 'tool-input-start' as const, id: toolCallId, toolName };
      const deltas = Array.from({ length: Math.ceil(input.length / ARGUMENT_CHARACTERS) },
        (_, nth) => ({
          type: 'tool-input-delta' as const, id: toolCallId,
          delta: input.slice(nth * ARGUMENT_CHARACTERS, (nth + 1) * ARGUMENT_CHARACTERS),
        }));
      return [start, ...deltas, { type: 'tool-input-end', id: toolCallId }, content];
    }
    default: return [];
  }
}

/** One delta per word, each with the blanks after it. */
function words(text: string): string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}

/** Four characters to a token. A number is one, so that a duration in a result changes nothing. */
function usageOf(
  prompt: LanguageModelV4CallOptions['prompt'], content: LanguageModelV4Content[],
): LanguageModelV4Usage {
  const total = tokens(prompt);
  const [thought, ...rest] = content;
  const reasoning = tokens(thought);
  const text = tokens(rest);
  return {
    inputTokens: { total, noCache: total, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: reasoning + text, text, reasoning },
  };
}

function tokens(value: unknown): number {
  let count = 0;
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'string') count += Math.ceil(next.length / 4);
    else if (!isContainer(next)) count++;
    else for (const item of Object.values(next)) open.push(item);
  }
  return count;
}
