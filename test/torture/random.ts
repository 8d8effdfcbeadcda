/** Chance that can be had again: the same seed makes the same choices. */
export class Random {
  readonly seed: number;
  #state: number;

  constructor(seed: number) {
    this.seed = seed >>> 0;
    this.#state = this.seed;
  }

  /** From 0 up to, but not including, 1. (Mulberry32: 32 bits of state are plenty for choices.) */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number, both ends included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.between(0, items.length - 1)]!;
  }

  /**
   * Another one, which depends on the seed and the name alone: what runs beside others makes the
   * same choices however they interleave.
   */
  fork(name: string): Random {
    let hash = 0x811c9dc5 ^ this.seed;
    for (const character of name) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193);
    return new Random(hash);
  }
}
