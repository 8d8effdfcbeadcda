import type {
  LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4FinishReason,
  LanguageModelV4FunctionTool, LanguageModelV4Prompt, LanguageModelV4StreamPart,
  LanguageModelV4StreamResult, LanguageModelV4Usage,
} from '@ai-sdk/provider';
import { untilAborted } from '../deadline.ts';
import { CHARACTERS_PER_TOKEN, ContextOverflow, jsonLength } from './contextBudget.ts';
import type {
  IncompleteReason, Model, StepPart, StepRequest, StepResult, StepUsage,
} from './model.ts';
import {
  contextOverflow, cutStream, ModelError, toModelError, webPage, type RequestOfError,
} from './modelError.ts';
import { buildPrompt, FILL } from './prompt.ts';
import type { Provider } from './providers.ts';
import { StepAssembly } from './stepAssembly.ts';

export interface LanguageModelOptions {
  /** The model's key, as runs name it. */
  key: string;
  /** The provider of the model, if it has one. */
  provider?: Pick<Provider, 'options' | 'key_variable' | 'address_variable' | 'api_key'>;
  /** What the model's context holds, prompt and answer. */
  context_tokens?: number;
  max_output_tokens?: number;
  reasoning?: LanguageModelV4CallOptions['reasoning'];
  /** Silence of the provider after which a step is given up (retryable). */
  idle_ms?: number;
  /** See `Model.keeps_deltas`. */
  keeps_deltas?: boolean;
}

/** What the rehearsal model, which has no context to fill, is given. */
const CONTEXT_TOKENS = 1_000_000;
/** The most of the context that an answer may take; the prompt has the rest. */
const ANSWER_SHARE = 0.25;

/** What is asked of a provider's model: it is only ever streamed. */
export type StreamingModel = Pick<LanguageModelV4, 'doStream'>;
type Finish = Extract<LanguageModelV4StreamPart, { type: 'finish' }>;
type Source = StreamingModel | (() => Promise<StreamingModel>);

/**
 * A provider's model as one of ours. One step is one request, without hidden retries. Nothing is
 * returned before the provider has said that its answer is complete, so no broken answer is acted
 * upon. The calls in the answer decide what follows, not the finish reason, which is unreliable.
 */
export function fromLanguageModel(provider: Source, options: LanguageModelOptions): Model {
  return {
    key: options.key,
    keeps_deltas: options.keeps_deltas ?? false,
    step: (request) => step(provider, options, request),
    promptTokens: (request) => Math.ceil((jsonLength(promptFor(options, request))
      + jsonLength(request.tool)) / CHARACTERS_PER_TOKEN),
  };
}

async function* step(
  provider: Source, options: LanguageModelOptions, request: StepRequest,
): AsyncGenerator<StepPart, StepResult> {
  request.signal.throwIfAborted();
  const prompt = promptFor(options, request);
  const source = new StepSource(request.signal, options.idle_ms ?? 180_000,
    options.provider && { ...options.provider, get prompt_chars() { return jsonLength(prompt); },
      id: options.key.slice(options.key.indexOf('/') + 1) });
  try {
    const model = typeof provider === 'function' ? await provider() : provider;
    await source.open(() => model.doStream(callOptions(options, request, prompt, source.signal)));
    const assembly = new StepAssembly(request);
    for (;;) {
      const part = await source.next();
      if (part.type !== 'finish') {
        yield* assembly.take(part);
        continue;
      }
      const { parts, result } = assembly.end(options.key, usageOf(part.usage));
      yield* parts;
      const incomplete_reason = incompleteReason(part.finishReason);
      if (incomplete_reason === undefined) return result;
      if (result.content.length === 0) throw emptyAnswer(incomplete_reason, part);
      return { ...result, provider: { ...result.provider, incomplete_reason } };
    }
  } finally {
    source.close();
  }
}

/** The finish reasons of answers that were cut short. */
const INCOMPLETE: Partial<Record<LanguageModelV4FinishReason['unified'], IncompleteReason>> = {
  'length': 'max_output_tokens', 'content-filter': 'content_filter', 'other': 'other',
};

/** What servers say of a whole answer that the package for them does not know: "STOP", too. */
const WHOLE = /^(eos|eos_token|stop|stop_sequence|end_turn|tool_use)$/i;

/** Likewise of one that was cut at its length: Mistral, and what gateways pass on. */
const CUT = /^(model_length|max_tokens)$/i;

/** Likewise of one that broke off at theirs: OpenRouter, Zhipu, DeepSeek, vLLM and SGLang. */
const BROKEN = /^(error|network_error|insufficient_system_resource|abort)$/i;

function isBroken({ unified, raw }: LanguageModelV4FinishReason): boolean {
  return unified === 'interrupted' || unified === 'error'
    || (unified === 'other' && BROKEN.test(raw ?? ''));
}

function incompleteReason(
  { unified, raw = '' }: LanguageModelV4FinishReason): IncompleteReason | undefined {
  if (unified === 'other' && WHOLE.test(raw)) return undefined;
  return unified === 'other' && CUT.test(raw) ? 'max_output_tokens' : INCOMPLETE[unified];
}

/** The answer is empty, and was cut short. */
function emptyAnswer(reason: IncompleteReason, finish: Finish): ModelError {
  // Google's OTHER, and whatever a package does not know: there is nothing that would not pass.
  if (reason === 'other') return brokenOff(finish);
  return new ModelError('model_error', reason === 'content_filter'
    ? 'The model\'s provider withheld the answer (content filter).'
    : 'The model used all tokens of its answer for thinking, or its context is full. Ask for less'
      + ' at once, or have the operator raise MODEL_MAX_OUTPUT_TOKENS, lower MODEL_REASONING, or'
      + ' set MODEL_CONTEXT_TOKENS to what the model holds.',
  { retryable: false, usage: usageSaid(finish) });
}

/** What the provider says of the end is for the log. */
function brokenOff(finish: Finish): ModelError {
  const { unified, raw = unified } = finish.finishReason;
  return cutStream(new Error(`finish reason ${raw.slice(0, 100)}`), usageSaid(finish));
}

/** The prompt within the context, and within `max_prompt_chars`. */
function promptFor(options: LanguageModelOptions, request: StepRequest): LanguageModelV4Prompt {
  const { context_tokens = CONTEXT_TOKENS } = options;
  const { instructions, transcript, runs_left_out, tool, max_prompt_chars = Infinity } = request;
  const budget_chars = Math.min(
    context_tokens * CHARACTERS_PER_TOKEN - jsonLength(tool), max_prompt_chars / FILL);
  try {
    return buildPrompt(transcript,
      { instructions, model: options.key, budget_chars, runs_left_out });
  } catch (error) {
    throw error instanceof ContextOverflow ? contextOverflow(error) : error;
  }
}

function callOptions(
  options: LanguageModelOptions, request: StepRequest, prompt: LanguageModelV4Prompt,
  signal: AbortSignal): LanguageModelV4CallOptions {
  const { context_tokens = CONTEXT_TOKENS, max_output_tokens = 16_000 } = options;
  const { input_schema, ...tool } = request.tool;
  const inputSchema = input_schema as LanguageModelV4FunctionTool['inputSchema'];
  return {
    prompt,
    tools: [{ type: 'function', ...tool, inputSchema }],
    toolChoice: { type: 'auto' },
    maxOutputTokens: Math.min(max_output_tokens, Math.floor(context_tokens * ANSWER_SHARE)),
    reasoning: options.reasoning,
    abortSignal: signal,
    providerOptions: options.provider?.options,
  };
}

/** Made once: each would note its stack, for nobody to read. */
const LEFT = new DOMException('the step was left', 'AbortError');

/**
 * The provider's stream. Every error becomes one of two: the reason of the caller's signal, which
 * is tested first because providers disguise aborts as errors of their own, or a ModelError.
 */
class StepSource {
  /** The signal for the provider: aborted by the caller, by silence, and when the step is left. */
  readonly signal: AbortSignal;
  readonly #caller: AbortSignal;
  readonly #own = new AbortController();
  readonly #idle: NodeJS.Timeout;
  readonly #request: RequestOfError | undefined;
  #silent = false;
  #reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart> | null = null;

  constructor(caller: AbortSignal, idle_ms: number, request: RequestOfError | undefined) {
    this.#caller = caller;
    this.#request = request;
    this.signal = AbortSignal.any([caller, this.#own.signal]);
    this.#idle = setTimeout(() => {
      this.#silent = true;
      this.#own.abort();
    }, idle_ms);
    this.signal.addEventListener('abort', () => this.#cancel(), { once: true });
  }

  /** Starts the request. A provider that ignores the signal is not waited for. */
  async open(start: () => PromiseLike<LanguageModelV4StreamResult>): Promise<void> {
    try {
      await untilAborted(Promise.resolve().then(start).then(({ stream, response }) => {
        this.#reader = stream.getReader();
        if (this.signal.aborted) this.#cancel();
        const isPage = /^text\/html\b/i.test(response?.headers?.['content-type'] ?? '');
        if (isPage && this.#request) throw webPage(this.#request);
      }), this.signal);
    } catch (error) {
      throw this.#explain(error, false);
    }
    if (this.signal.aborted) throw this.#explain(undefined, false);
  }

  /** The next part; the last one is an accepted `finish`. */
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
    if (part.type === 'finish' && isBroken(part.finishReason)) {
      throw brokenOff(part);
    }
    return part;
  }

  /** Whatever is still under way is aborted; waits for nothing. */
  close(): void {
    clearTimeout(this.#idle);
    this.#own.abort(LEFT);
    this.#cancel();
  }

  #cancel(): void {
    // An aborted step may never be closed, so its timer ends here.
    clearTimeout(this.#idle);
    // Ends a pending read at once. A broken stream rejects this with an error we have already.
    this.#reader?.cancel().catch(() => undefined);
  }

  #explain(error: unknown, fallback_retryable: boolean): unknown {
    if (this.#caller.aborted) return this.#caller.reason;
    if (this.#silent) {
      return new ModelError('model_error', 'The model sent nothing for too long.',
        { retryable: true, usage: null, cause: error });
    }
    return toModelError(error, fallback_retryable, this.#request);
  }
}

/** Null if the provider has said nothing of it. */
function usageSaid({ usage }: Finish): StepUsage | null {
  const said = usageOf(usage);
  return said.input_tokens + said.output_tokens > 0 ? said : null;
}

function usageOf(usage: LanguageModelV4Usage | undefined): StepUsage {
  const input_tokens = wholeNumber(usage?.inputTokens?.total);
  const output_tokens = wholeNumber(usage?.outputTokens?.total);
  // Some servers of chat completions count thinking only in the total.
  const total = usage?.raw?.total_tokens;
  return {
    input_tokens,
    output_tokens: Math.max(output_tokens, wholeNumber(total) - input_tokens),
  };
}

// No model takes as many for a step; more would not fit where a step's tokens are written.
const MOST_TOKENS = 100_000_000;

/** What providers count may be anything: absent, no number, negative, or beyond all measure. */
function wholeNumber(value: unknown): number {
  return typeof value === 'number' && value > 0 ? Math.min(Math.round(value), MOST_TOKENS) : 0;
}
