/**
 * Lets so many go on in each turn of the event loop, in the order in which they come: what
 * thousands do in the same moment then holds nobody else up for longer than one slice takes.
 */
export class Slices {
  readonly #size: number;
  #passed = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  /** Resolves when it is one's turn; undefined if it is at once, which costs no wait. */
  pass(): Promise<void> | undefined {
    if (this.#passed === 0) setImmediate(this.#next);
    if (this.#passed < this.#size) {
      this.#passed += 1;
      return undefined;
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  readonly #next = () => {
    const slice = this.#waiting.splice(0, this.#size);
    this.#passed = slice.length;
    if (slice.length > 0) setImmediate(this.#next);
    for (const resolve of slice) resolve();
  };
}
