/** What credentials stand for, and how long that is believed without another look. */
import { LRUCache } from 'lru-cache';
import { steadyClock, type Clock } from '../clock.ts';
import { GatehouseError } from '../errors.ts';

/**
 * What was good is taken as good for this long, unless news of its end come before: so it is
 * refused within a second, also where the news are lost.
 */
const TRUST_MS = 900;
/** How often uses are noted. */
export const NOTE_MS = 10_000;
/** Known to have been good here: the last used of them. */
export const KNOWN = 10_000;

/** What a look has found. */
export interface Found<T> {
  found: T;
  /** Then it ceases to be good by itself; null: never. */
  good_for_ms: number | null;
}

/** What was found by the names of credentials, while it may be trusted. */
export class Trusted<T extends object> {
  readonly #clock: Clock;
  /** What was good when it was last looked up, and until when nobody asks again. */
  readonly #known = new LRUCache<string, { found: T; until_ms: number }>({ max: KNOWN });
  readonly #asking = new Map<string, Promise<T>>();
  /** How often anything was forgotten: what was looked up before does not count any more. */
  #forgotten = 0;

  constructor(clock: Clock = steadyClock) {
    this.#clock = clock;
  }

  /** What this stands for; undefined if that has to be looked up. */
  trusted(name: string): T | undefined {
    const known = this.#known.get(name);
    return known !== undefined && known.until_ms > this.#clock() ? known.found : undefined;
  }

  /**
   * Looks it up, by a function that throws a GatehouseError if it is not good. All who ask for the
   * same at that time share one look. `beforeLookup` is called before something is looked up that
   * has not been good here, and not by those who share the look: after a restart hundreds may come
   * at once with the same good key. What it throws is thrown instead.
   */
  lookUp(name: string, look: () => Promise<Found<T>>, beforeLookup = () => {}): Promise<T> {
    const shared = this.#asking.get(name);
    if (shared !== undefined) return shared;
    if (!this.#known.has(name)) beforeLookup();
    const asking = this.#ask(name, look).finally(() => {
      if (this.#asking.get(name) === asking) this.#asking.delete(name);
    });
    this.#asking.set(name, asking);
    return asking;
  }

  /** These have to be looked up again. */
  forget(isOf: (found: T) => boolean): void {
    this.#forgotten += 1;
    // Answers that are under way may be from before.
    this.#asking.clear();
    for (const known of this.#known.values()) if (isOf(known.found)) known.until_ms = -Infinity;
  }

  async #ask(name: string, look: () => Promise<Found<T>>): Promise<T> {
    // Counted from before the look: what ends after it must not be trusted longer.
    const asked_ms = this.#clock();
    const forgotten = this.#forgotten;
    try {
      const { found, good_for_ms } = await look();
      const until_ms = asked_ms + Math.min(TRUST_MS, good_for_ms ?? Infinity);
      // What was found before an end holds for those who had asked before it, and no longer.
      this.#known.set(name,
        { found, until_ms: forgotten === this.#forgotten ? until_ms : -Infinity });
      return found;
    } catch (error) {
      if (error instanceof GatehouseError) this.#known.delete(name);
      throw error;
    }
  }
}
