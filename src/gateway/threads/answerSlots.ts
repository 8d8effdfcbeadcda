/**
 * How many large answers of other systems this process takes in at once: each may come to
 * megabytes, and is held until it was read. Whoever asks for more waits, and as its connection is
 * not read meanwhile, the other system waits, too. One workspace alone may have half of them, two a
 * third each, and the first of each comes at once.
 *
 * Without it, 200 calls of one key held 1.4 GB, and the loop did little else than take it in: with
 * 100 answers of 7 MB a second, other workspaces' GETs took four seconds.
 */
import { untilAborted } from '../../deadline.ts';

/** An answer may have 8 MiB; the thread that reads them has one at a time. */
const SLOTS = 6;

/** For one answer, which may turn out to be large. */
export interface AnswerSlot {
  /** Resolves when there is room for it; rejects with the reason of its signal. */
  take(): Promise<void>;
  /** Repeating it is fine, and so is what was never taken. */
  release(): void;
}

interface Waiting { share: string; begin: () => void }

export class AnswerSlots {
  readonly #most: number;
  readonly #held = new Map<string, number>();
  readonly #waiting = new Set<Waiting>();
  #all = 0;

  constructor(most = SLOTS) {
    this.#most = most;
  }

  /** For an answer that somebody of `share` waits for until `signal` aborts. */
  for(share: string, signal: AbortSignal): AnswerSlot {
    let is_held = false;
    return {
      take: async () => {
        if (!this.#hasRoom(share)) await this.#wait(share, signal);
        else this.#add(share, 1);
        is_held = true;
      },
      release: () => {
        if (!is_held) return;
        is_held = false;
        this.#add(share, -1);
        this.#begin();
      },
    };
  }

  #hasRoom(share: string): boolean {
    const held = this.#held.get(share) ?? 0;
    return held === 0 || held + 1 < this.#most - this.#all;
  }

  async #wait(share: string, signal: AbortSignal): Promise<void> {
    const turn = Promise.withResolvers<void>();
    const one = { share, begin: turn.resolve };
    this.#waiting.add(one);
    await untilAborted(turn.promise, signal).catch((error: unknown) => {
      // If it got its slot in the same moment, that goes to the next one.
      if (!this.#waiting.delete(one)) {
        this.#add(share, -1);
        this.#begin();
      }
      throw error;
    });
  }

  /** Those begin for whom there is room now, in their order. */
  #begin(): void {
    for (const one of this.#waiting) {
      if (!this.#hasRoom(one.share)) continue;
      this.#waiting.delete(one);
      this.#add(one.share, 1);
      one.begin();
    }
  }

  #add(share: string, count: number): void {
    const held = (this.#held.get(share) ?? 0) + count;
    this.#all += count;
    if (held === 0) this.#held.delete(share);
    else this.#held.set(share, held);
  }
}
