/** Places that may be held at once, by name: of open requests, waits and event streams. */
export class ConcurrencyLimiter {
  /** Most that one name may hold; 0 sets no limit. */
  readonly limit: number;
  // A name that holds nothing is not kept, so that there are never more than what is held.
  readonly #held = new Map<string, number>();

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Whether this name may hold one more. */
  isFree(name: string): boolean {
    return this.limit === 0 || (this.#held.get(name) ?? 0) < this.limit;
  }

  take(name: string): void {
    this.#held.set(name, (this.#held.get(name) ?? 0) + 1);
  }

  giveBack(name: string): void {
    const left = this.#held.get(name)! - 1;
    if (left === 0) this.#held.delete(name);
    else this.#held.set(name, left);
  }
}
