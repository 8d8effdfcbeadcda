import type { StepPart } from '../models/model.ts';

/** Pieces arriving within this time become one event: fewer rows, and no delay a person notices. */
const WINDOW_MS = 50;
/** A piece of this size is not held back. */
const PIECE_CHARS = 400;

/**
 * Joins a model's small deltas into fewer events, in their order. The first piece after a pause is
 * emitted at once, so that a reader sees the answer begin; the pieces that follow within the window
 * are emitted together.
 */
export class DeltaStream {
  readonly #emit: (part: StepPart) => void;
  #held: Exclude<StepPart, { type: 'tool_call.started' }> | undefined;
  #window: NodeJS.Timeout | undefined;

  constructor(emit: (part: StepPart) => void) {
    this.#emit = emit;
  }

  push(part: StepPart): void {
    if (part.type === 'tool_call.started') {
      this.#flush();
      this.#emit(part);
      return;
    }
    if (this.#held && this.#held.type === part.type && idOf(this.#held) === idOf(part)) {
      this.#held.delta += part.delta;
    } else {
      this.#flush();
      this.#held = { ...part };
    }
    if (this.#held.delta.length >= PIECE_CHARS || this.#window === undefined) this.#flush();
    this.#window ??= setTimeout(() => {
      this.#window = undefined;
      this.#flush();
    }, WINDOW_MS);
  }

  /** Emits what is held and stops the clock. */
  end(): void {
    this.#flush();
    clearTimeout(this.#window);
    this.#window = undefined;
  }

  #flush(): void {
    const held = this.#held;
    this.#held = undefined;
    if (held) this.#emit(held);
  }
}

function idOf(part: Exclude<StepPart, { type: 'tool_call.started' }>): string {
  if (part.type === 'message.output.delta') return part.message_id;
  return part.type === 'tool_call.arguments.delta' ? part.tool_call_id : part.item_id;
}
