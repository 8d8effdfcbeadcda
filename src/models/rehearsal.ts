import type {
  LanguageModelV4CallOptions, LanguageModelV4Content, LanguageModelV4FinishReason,
  LanguageModelV4StreamPart, LanguageModelV4Usage,
} from '@ai-sdk/provider';
import { APICallError } from '@ai-sdk/provider';
import { setTimeout as wait } from 'node:timers/promises';
import { isContainer } from '../json.ts';
import type { StreamingModel } from './languageModel.ts';
import { memoized } from './remembered.ts';
import { decide } from './rehearsalPlan.ts';
import { parseScript, type Directives } from './rehearsalScript.ts';
import { readTurn } from './rehearsalTurn.ts';

/** The arguments come in deltas of 16 characters. */
const ARGUMENT_DELTA = /.{1,16}/gs;

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
export const rehearsalModel: StreamingModel = {
  async doStream(options) {
    const answer = work(options);
    failIfAsked(answer);
    return { stream: ReadableStream.from(streamed(answer, options.abortSignal)) };
  },
};

function work({ prompt }: LanguageModelV4CallOptions): WorkedStep {
  const turn = readTurn(prompt);
  const script = parseScript(turn.text);
  const decision = decide(turn, script);
  const step = turn.steps.length + 1;
  const content: LanguageModelV4Content[] = [{ type: 'reasoning', text: decision.thought }];
  if ('text' in decision) content.push({ type: 'text', text: decision.text });
  else {
    content.push(...decision.calls.map((call, index) => ({
      type: 'tool-call' as const, toolCallId: `rehearsal_${step}_${index + 1}`,
      toolName: 'call_action', input: JSON.stringify(call),
    })));
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
  const { fail, at_step } = directives;
  if (at_step !== step || fail === undefined || fail === 'cut_stream') return;
  const passing = fail === 'model_rate_limited';
  throw new APICallError({
    url: 'rehearsal:', requestBodyValues: {}, message: 'asked for by @rehearsal',
    statusCode: passing ? 429 : 400, isRetryable: passing,
    ...(passing && { responseHeaders: { 'retry-after-ms': '100' } }),
  });
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
    case 'reasoning':
    case 'text': {
      const { type, text } = content;
      const deltas = words(text).map((delta) => ({ type: `${type}-delta` as const, id, delta }));
      return [{ type: `${type}-start`, id }, ...deltas, { type: `${type}-end`, id }];
    }
    case 'tool-call': {
      const { toolCallId, toolName, input } = content;
      const deltas = input.match(ARGUMENT_DELTA)!;
      return [
        { type: 'tool-input-start', id: toolCallId, toolName },
        ...deltas.map((delta) => ({ type: 'tool-input-delta' as const, id: toolCallId, delta })),
        { type: 'tool-input-end', id: toolCallId },
        content,
      ];
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
  const total = prompt.reduce((sum, message) => sum + tokensOf(message), 0);
  const [thought, ...rest] = content;
  const reasoning = tokens(thought);
  const text = tokens(rest);
  return {
    inputTokens: { total, noCache: total, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: reasoning + text, text, reasoning },
  };
}

const tokensOf = memoized<LanguageModelV4CallOptions['prompt'][number], number>(tokens);

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
