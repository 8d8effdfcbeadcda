import type { LanguageModelV4StreamPart, SharedV4ProviderMetadata } from '@ai-sdk/provider';
import { sanitizeJson } from '../sanitize.ts';
import type { AssistantPart, OutputTextPart, StepPart, StepRequest, StepResult } from './model.ts';
import type { StoredPart } from './providerState.ts';
import { ModelError } from './modelError.ts';
import { TextSanitizer } from './deltaSanitizer.ts';
import { ToolCallReader } from './toolCallReader.ts';

/** Text, reasoning and arguments of one step, together; a model that never ends is stopped here. */
const STEP_CHARACTERS = 4_000_000;
/** What holds no character counts as so many: such parts may come without end, too. */
const MARK_CHARACTERS = 40;

type Metadata = SharedV4ProviderMetadata | undefined;
type StoredReasoning = Extract<StoredPart, { type: 'reasoning' }>;

interface TextBlock { sanitizer: TextSanitizer; stored: StoredPart | null; metadata: Metadata }
interface ReasoningBlock { sanitizer: TextSanitizer; stored: StoredReasoning; item_id: string }

/**
 * Puts the parts of a provider's stream together to what is shown while the step runs and to what
 * is stored when it ends. Whatever order blocks come in, text is kept in the order in which it is
 * shown, and a call where it ends. Knows nothing of streams, errors and finishes: see
 * languageModel.ts.
 */
export class StepAssembly {
  readonly #newId: StepRequest['new_id'];
  readonly #message_id: string;
  readonly #content: AssistantPart[] = [];
  readonly #stored: StoredPart[] = [];
  readonly #texts = new Map<string, TextBlock>();
  readonly #reasonings = new Map<string, ReasoningBlock>();
  readonly #calls = new Map<string, ToolCallReader>(); // under way, by the provider's id
  readonly #raw_inputs = new Set<string>(); // calls whose deltas are no JSON
  readonly #invalid: Record<string, string> = {};
  #characters = 0;

  constructor({ new_id }: Pick<StepRequest, 'new_id'>) {
    this.#newId = new_id;
    this.#message_id = new_id('msg');
  }

  /** Takes one part of the stream, gives what can be shown now. Kinds of no use are skipped. */
  take(part: LanguageModelV4StreamPart): StepPart[] {
    this.#count('delta' in part && part.delta.length || MARK_CHARACTERS);
    switch (part.type) {
      case 'text-start':
        this.#texts.delete(part.id);
        return this.#text(part.id, '', part.providerMetadata);
      case 'text-delta': return this.#text(part.id, part.delta, part.providerMetadata);
      case 'text-end': return this.#text(part.id, null, part.providerMetadata);
      case 'reasoning-start':
        this.#reasonings.delete(part.id);
        return this.#reasoning(part.id, '', part.providerMetadata);
      case 'reasoning-delta': return this.#reasoning(part.id, part.delta, part.providerMetadata);
      case 'reasoning-end': return this.#reasoning(part.id, null, part.providerMetadata);
      case 'tool-input-start':
        return part.providerExecuted ? [] : this.#startOfCall(part.id, part.inputEncoding);
      case 'tool-input-delta':
        if (this.#raw_inputs.has(part.id)) return [];
        return this.#calls.get(part.id)?.push(part.delta) ?? [];
      case 'tool-call':
        if (part.providerExecuted) return [];
        this.#count(part.input.length);
        return this.#endOfCall(part.toolCallId, part.input, part.providerMetadata);
      case 'custom':
        this.#stored.push({ type: 'custom', kind: part.kind,
          provider_options: sanitizeJson(part.providerMetadata) });
        return [];
      default: return [];
    }
  }

  /**
   * The stream ended well. Gives what was held back, and the step. A call that was announced but
   * never confirmed is a call all the same: if its arguments are incomplete, they are invalid.
   */
  end(model: string, usage: StepResult['usage']): { parts: StepPart[]; result: StepResult } {
    const parts: StepPart[] = [];
    for (const id of this.#reasonings.keys()) parts.push(...this.#reasoning(id, null, undefined));
    for (const id of this.#texts.keys()) parts.push(...this.#text(id, null, undefined));
    for (const [id, call] of this.#calls) {
      if (call.started) parts.push(...this.#endOfCall(id, null, undefined));
    }
    return {
      parts,
      result: {
        message_id: this.#message_id, content: this.#content, usage,
        provider: { model, parts: this.#stored }, invalid_arguments: this.#invalid,
      },
    };
  }

  /** `delta` null ends the block. */
  #text(id: string, delta: string | null, metadata: Metadata): StepPart[] {
    let block = this.#texts.get(id);
    if (block === undefined) {
      block = { sanitizer: new TextSanitizer(), stored: null, metadata: undefined };
      this.#texts.set(id, block);
    }
    const text = delta === null ? block.sanitizer.end() : block.sanitizer.push(delta);
    if (text !== '') {
      const last = this.#content.at(-1);
      const index = this.#content.length - 1;
      const continues = block.stored?.type === 'content' && block.stored.index === index;
      if (continues) (last as OutputTextPart).text += text;
      else {
        this.#content.push({ type: 'output_text', text });
        block.stored = { type: 'content', index: index + 1 };
        this.#stored.push(block.stored);
      }
    }
    block.metadata = merge(block.metadata, metadata);
    if (block.stored !== null && block.metadata !== undefined) {
      block.stored.provider_options = sanitizeJson(block.metadata);
    }
    return text === '' ? []
      : [{ type: 'message.output.delta', message_id: this.#message_id, delta: text }];
  }

  /** `delta` null ends the block. Reasoning without text is kept too: it may carry a signature. */
  #reasoning(id: string, delta: string | null, metadata: Metadata): StepPart[] {
    let block = this.#reasonings.get(id);
    if (block === undefined) {
      const stored: StoredReasoning = { type: 'reasoning', text: '' };
      block = { sanitizer: new TextSanitizer(), stored, item_id: this.#newId('msg') };
      this.#reasonings.set(id, block);
      this.#stored.push(stored);
    }
    const text = delta === null ? block.sanitizer.end() : block.sanitizer.push(delta);
    block.stored.text += text;
    if (metadata !== undefined) {
      const known = block.stored.provider_options as Metadata;
      block.stored.provider_options = sanitizeJson(merge(known, metadata));
    }
    return text === '' ? []
      : [{ type: 'reasoning.summary.delta', item_id: block.item_id, delta: text }];
  }

  #startOfCall(id: string, encoding: 'json' | 'text' | undefined): StepPart[] {
    // Some servers give parallel calls the same id: a new call ends the one before.
    const parts = this.#calls.get(id)?.started ? this.#endOfCall(id, null, undefined) : [];
    if (encoding === 'text') this.#raw_inputs.add(id);
    this.#calls.set(id, new ToolCallReader(this.#newId('call')));
    return parts;
  }

  #endOfCall(id: string, input: string | null, metadata: Metadata): StepPart[] {
    const reader = this.#calls.get(id) ?? new ToolCallReader(this.#newId('call'));
    this.#calls.delete(id);
    const { parts, call, invalid } = reader.end(input);
    if (invalid !== null) this.#invalid[call.tool_call_id] = invalid;
    this.#stored.push({
      type: 'content', index: this.#content.length, provider_id: sanitizeJson(id),
      provider_options: sanitizeJson(metadata),
    });
    this.#content.push(call);
    return parts;
  }

  #count(characters: number): void {
    this.#characters += characters;
    if (this.#characters > STEP_CHARACTERS) {
      throw new ModelError('model_error',
        `The model's answer is longer than ${STEP_CHARACTERS} characters.`,
        { retryable: false, usage: null });
    }
  }
}

/** A block may get its metadata piece by piece; the later of one provider's fields wins. */
function merge(known: Metadata, more: Metadata): Metadata {
  if (known === undefined || more === undefined) return more ?? known;
  const merged = { ...known };
  for (const [provider, fields] of Object.entries(more)) {
    merged[provider] = { ...merged[provider], ...fields };
  }
  return merged;
}
