/** Bytes that are put together bit by bit, up to a limit. */
export class KeptBytes {
  readonly #limit_bytes: number;
  #buffer = Buffer.alloc(0);
  #length = 0;

  constructor(limit_bytes: number) {
    this.#limit_bytes = limit_bytes;
  }

  get length(): number {
    return this.#length;
  }

  /** False: they do not fit any more. */
  append(bytes: Uint8Array): boolean {
    const end = this.#length + bytes.length;
    if (end > this.#limit_bytes) return false;
    if (end > this.#buffer.length) {
      const longer = Buffer.allocUnsafe(Math.max(end, 2 * this.#buffer.length, 4_096));
      this.#buffer.copy(longer, 0, 0, this.#length);
      this.#buffer = longer;
    }
    this.#buffer.set(bytes, this.#length);
    this.#length = end;
    return true;
  }

  /** Forgets all but the first so many. */
  shorten(length: number): void {
    this.#length = length;
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }
}
