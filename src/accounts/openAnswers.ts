/** Answers that stay open, such as event streams, and in whose name each of them is. */
import type { GatehouseError } from '../errors.ts';

/** How often whoever has open answers is looked up: where the news of their end are lost. */
export const REVIEW_MS = 800;

/** A signal that aborts as whoever it is for is not good any more, with the error to answer. */
export interface Watch {
  signal: AbortSignal;
  /** Ends the watch. */
  release(): void;
}

export class OpenAnswers<Who> {
  readonly #open = new Map<AbortController, Who>();
  readonly #error: () => GatehouseError;

  /** `error`: what an answer ends with. */
  constructor(error: () => GatehouseError) {
    this.#error = error;
  }

  watch(who: Who): Watch {
    const stop = new AbortController();
    this.#open.set(stop, who);
    return { signal: stop.signal, release: () => this.#open.delete(stop) };
  }

  end(isOf: (who: Who) => boolean): void {
    for (const [stop, who] of this.#open) if (isOf(who)) stop.abort(this.#error());
  }

  /** Ends the answers of those who are not good any more, as `goodOf` says of one of each name. */
  async review(
    nameOf: (who: Who) => string, goodOf: (asked: Who[]) => Promise<Set<string>>): Promise<void> {
    if (this.#open.size === 0) return;
    // Thousands may be open: each is looked at once, and again only if somebody has to go.
    const asked = new Map<string, Who>();
    for (const who of this.#open.values()) asked.set(nameOf(who), who);
    const good = await goodOf([...asked.values()]);
    const bad = new Set([...asked.keys()].filter((name) => !good.has(name)));
    if (bad.size > 0) this.end((who) => bad.has(nameOf(who)));
  }
}

/** A watch that aborts as soon as one of the two does. */
export function bothWatches(one: Watch, other: Watch | null): Watch {
  if (other === null) return one;
  return {
    signal: AbortSignal.any([one.signal, other.signal]),
    release() {
      one.release();
      other.release();
    },
  };
}
