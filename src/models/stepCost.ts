import { CHARACTERS_PER_TOKEN, textLength } from './contextBudget.ts';
import {
  ModelError, type Model, type StepPart, type StepRequest, type StepUsage,
} from './model.ts';

/**
 * What one request to the model has used, should its step not be committed: as the provider has
 * counted, if it came to that, or else about as much as was asked and streamed.
 */
export class StepCost {
  #prompt_tokens: (() => number) | undefined;
  #has_begun = false;
  #streamed_chars = 0;
  #usage: StepUsage | undefined;

  /** The provider is asked now. */
  ask(model: Model, request: StepRequest): void {
    this.#prompt_tokens = () => model.promptTokens(request);
  }

  /** A piece of the answer came. */
  stream(part: StepPart): void {
    this.#has_begun = true;
    if ('delta' in part) this.#streamed_chars += textLength(part.delta);
  }

  /** The whole answer came. */
  complete(usage: StepUsage): void {
    this.#usage = usage;
  }

  /** The tokens, once the step was left for this reason. */
  tokensAfter(reason: unknown): number {
    const has_failed = reason instanceof ModelError;
    const usage = this.#usage ?? (has_failed ? reason.usage : null);
    if (usage) return usage.input_tokens + usage.output_tokens;
    // A provider that fails before it answers has refused the request.
    if (!this.#prompt_tokens || (usage === undefined && !this.#has_begun)) return 0;
    return this.#prompt_tokens() + Math.ceil(this.#streamed_chars / CHARACTERS_PER_TOKEN);
  }
}
