import type {
  LanguageModelV4, LanguageModelV4FunctionTool, LanguageModelV4StreamPart,
  LanguageModelV4StreamResult, LanguageModelV4Usage, SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import type { Model, StepPart, StepRequest, StepResult } from './model.ts';
import { cutStream, ModelError, toModelError } from './modelError.ts';
import { buildPrompt } from './prompt.ts';
import { StepAssembly } from './stepAssembly.ts';

export interface LanguageModelOptions {
  /** The model's key, as runs name it. */
  key: string;
  /** The context window, in characters of prompt; about four make a token. */
  budget_chars?: number;
  max_output_tokens?: number;
  /** Silence of the provider after which a step is given up (retryable). */
  idle_ms?: number;
  provider_options?: SharedV4ProviderOptions;
  /** See `Model.keeps_deltas`. */
  keeps_deltas?: boolean;
}

type Reader = ReadableStreamDefaultReader<LanguageModelV4StreamPart>;

/**
 * A provider's model as one of ours. One step is one request, with no hidden retries. Nothing is
 * returned before the provider said that its answer is complete, so a broken answer is never acted
 * upon. The calls present decide what follows, not the finish reason, which providers fill at will.
 */
export function fromLanguageModel(provider: LanguageModelV4, options: LanguageModelOptions): Model {
  return {
    key: options.key,
    keeps_deltas: options.keeps_deltas ?? false,
    step: (request) => step(provider, options, request),
  };
}

async function* step(
  provider: LanguageModelV4, options: LanguageModelOptions, request: StepRequest,
): AsyncGenerator<StepPart, StepResult> {
  request.signal.throwIfAborted();
  const source = new StepSource(request.signal, options.idle_ms ?? 120_000);
  try {
    await source.open(() => provider.doStream(callOptions(options, request, source.signal)));
    const assembly = new StepAssembly(request);
    for (;;) {
      const part = await source.next();
      if (part.type !== 'finish') {
        yield* assembly.take(part);
        continue;
      }
      const { parts, result } = assembly.end(options.key, usageOf(part.usage));
      yield* parts;
      if (part.finishReason.unified === 'content-filter' && result.content.length === 0) {
        throw new ModelError('model_error',
          'The model\'s provider withheld the answer (content filter).', { retryable: false });
      }
      return result;
    }
  } finally {
    source.close();
  }
}

function callOptions(options: LanguageModelOptions, request: StepRequest, signal: AbortSignal) {
  const tool: LanguageModelV4FunctionTool = {
    type: 'function',
    name: request.tool.name,
    description: request.tool.description,
    inputSchema: request.tool.input_schema as LanguageModelV4FunctionTool['inputSchema'],
  };
  return {
    prompt: buildPrompt(request.transcript, {
      instructions: request.instructions, model: options.key,
      budget_chars: options.budget_chars ?? 400_000,
    }),
    tools: [tool],
    toolChoice: { type: 'auto' as const },
    maxOutputTokens: options.max_output_tokens ?? 16_000,
    abortSignal: signal,
    providerOptions: options.provider_options,
  };
}

/**
 * The provider's stream, with everything that can go wrong turned into one of two: the reason of
 * the caller's signal, tested first since providers disguise aborts as errors of their own, or a
 * ModelError.
 */
class StepSource {
  /** What the provider is given: aborted by the caller, by silence, and when the step is left. */
  readonly signal: AbortSignal;
  readonly #caller: AbortSignal;
  readonly #own = new AbortController();
  readonly #idle: NodeJS.Timeout;
  #silent = false;
  #reader: Reader | null = null;

  constructor(caller: AbortSignal, idle_ms: number) {
    this.#caller = caller;
    this.signal = AbortSignal.any([caller, this.#own.signal]);
    this.#idle = setTimeout(() => {
      this.#silent = true;
      this.#own.abort();
    }, idle_ms);
    this.signal.addEventListener('abort', () => this.#cancel(), { once: true });
  }

  /** Starts the request. A provider that ignores the signal is left behind. */
  async open(start: () => PromiseLike<LanguageModelV4StreamResult>): Promise<void> {
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const onAbort = () => reject(this.signal.reason);
    this.signal.addEventListener('abort', onAbort, { once: true });
    try {
      const opening = Promise.resolve().then(start).then(({ stream }) => {
        this.#reader = stream.getReader();
        if (this.signal.aborted) this.#cancel();
      });
      await Promise.race([opening, aborted]);
    } catch (error) {
      throw this.#explain(error, false);
    } finally {
      this.signal.removeEventListener('abort', onAbort);
    }
    if (this.signal.aborted) throw this.#explain(undefined, false);
  }

  /** The next part, the last of them an accepted `finish`. */
  async next(): Promise<LanguageModelV4StreamPart> {
    let part: LanguageModelV4StreamPart | undefined;
    try {
      part = (await this.#reader!.read()).value;
    } catch (error) {
      throw this.#explain(error, true);
    }
    if (this.signal.aborted) throw this.#explain(undefined, false);
    this.#idle.refresh();
    if (part === undefined) throw cutStream();
    if (part.type === 'error') throw this.#explain(part.error, false);
    if (part.type === 'finish') {
      const { unified } = part.finishReason;
      if (unified === 'interrupted' || unified === 'error') throw cutStream(part.finishReason);
    }
    return part;
  }

  /** Whatever is still under way is aborted; waits for nothing. */
  close(): void {
    clearTimeout(this.#idle);
    this.#own.abort();
    this.#cancel();
  }

  #cancel(): void {
    // Ends a pending read at once. A broken stream rejects this with an error we have already.
    this.#reader?.cancel().catch(() => undefined);
  }

  #explain(error: unknown, fallback_retryable: boolean): unknown {
    if (this.#caller.aborted) return this.#caller.reason;
    if (this.#silent) {
      return new ModelError('model_error', 'The model sent nothing for too long.',
        { retryable: true, cause: error });
    }
    return toModelError(error, fallback_retryable);
  }
}

function usageOf(usage: LanguageModelV4Usage | undefined): StepResult['usage'] {
  return {
    input_tokens: wholeNumber(usage?.inputTokens?.total),
    output_tokens: wholeNumber(usage?.outputTokens?.total),
  };
}

function wholeNumber(value: number | undefined): number {
  return value !== undefined && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}
