import type {
  LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import { readConfig } from '../../src/config.ts';
import type { Model, StepPart, StepRequest, StepResult } from '../../src/models/model.ts';
import { Models } from '../../src/models/models.ts';

export const USAGE = {
  inputTokens: { total: 7, noCache: 7, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 3, text: 3, reasoning: 0 },
};

export const FINISH: LanguageModelV4StreamPart =
  { type: 'finish', usage: USAGE, finishReason: { unified: 'stop', raw: undefined } };

export const rehearsal = new Models(readConfig({})).resolve('rehearsal');

export interface Provider extends LanguageModelV4 {
  calls: LanguageModelV4CallOptions[];
}

/** A provider's model whose stream is whatever `stream` makes of a request. */
export function provider(
  stream: (options: LanguageModelV4CallOptions) => ReadableStream<LanguageModelV4StreamPart>,
): Provider {
  const calls: LanguageModelV4CallOptions[] = [];
  return {
    specificationVersion: 'v4', provider: 'test', modelId: 'scripted', supportedUrls: {}, calls,
    async doStream(options) {
      calls.push(options);
      return { stream: stream(options) };
    },
    async doGenerate() {
      throw new Error('only streams are asked for');
    },
  };
}

/** A provider's model that streams just these parts. */
export function scripted(parts: Iterable<LanguageModelV4StreamPart>): Provider {
  return provider(() => ReadableStream.from(parts));
}

/** A request with ids that count: call_1, msg_1. */
export function request(changes: Partial<StepRequest> = {}): StepRequest {
  const counters: Record<string, number> = {};
  return {
    instructions: null,
    transcript: [
      { role: 'user', run_id: 'run_1', content: [{ type: 'input_text', text: 'hello' }] },
    ],
    tool: { name: 'call_action', description: 'Calls.', input_schema: { type: 'object' } },
    signal: new AbortController().signal,
    new_id: (kind) => `${kind}_${counters[kind] = (counters[kind] ?? 0) + 1}`,
    ...changes,
  };
}

/** Runs a step to its end. */
export async function run(
  model: Model, asked: StepRequest = request(),
): Promise<{ parts: StepPart[]; result: StepResult }> {
  const parts: StepPart[] = [];
  const step = model.step(asked);
  for (;;) {
    const next = await step.next();
    if (next.done) return { parts, result: next.value };
    parts.push(next.value);
  }
}

/** Runs a step that fails: what it showed, and what it threw. */
export async function runToError(
  model: Model, asked: StepRequest = request()): Promise<{ parts: StepPart[]; error: unknown }> {
  const parts: StepPart[] = [];
  try {
    for await (const part of model.step(asked)) parts.push(part);
  } catch (error) {
    return { parts, error };
  }
  throw new Error('the step did not fail');
}

/** All deltas of one kind, joined by their id. */
export function joined(parts: StepPart[], type: StepPart['type']): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const part of parts) {
    if (part.type !== type || !('delta' in part)) continue;
    const id = 'item_id' in part ? part.item_id
      : 'message_id' in part ? part.message_id : part.tool_call_id;
    texts[id] = (texts[id] ?? '') + part.delta;
  }
  return texts;
}

/** Cuts a text at the given places (any numbers), in the middle of surrogate pairs too. */
export function cut(text: string, places: number[]): string[] {
  const at = [...new Set(places.map((place) => place % (text.length + 1)))]
    .sort((a, b) => a - b);
  return [0, ...at].map((start, index) => text.slice(start, at[index] ?? text.length));
}
