const NEWLINE = 0x0a;

/**
 * Splits a stream of bytes into lines, which come without their ends; empty ones are left out. A
 * line longer than the limit is refused, or cut to it if `long_lines` is `cut`.
 */
export class LineReader {
  readonly #limit_bytes: number;
  readonly #onLine: (line: Buffer) => void;
  readonly #cutsLongLines: boolean;
  #parts: Buffer[] = [];
  #bytes = 0;
  #refused = false;

  constructor(
    limit_bytes: number, onLine: (line: Buffer) => void, long_lines: 'refuse' | 'cut' = 'refuse') {
    this.#limit_bytes = limit_bytes;
    this.#onLine = onLine;
    this.#cutsLongLines = long_lines === 'cut';
  }

  /** False once a line was refused; nothing is read any more, then. */
  read(chunk: Buffer): boolean {
    let start = 0;
    while (!this.#refused && start < chunk.length) {
      const newline = chunk.indexOf(NEWLINE, start);
      const end = newline === -1 ? chunk.length : newline;
      this.#keep(chunk.subarray(start, end));
      if (newline !== -1) this.end();
      start = end + 1;
    }
    return !this.#refused;
  }

  /** The stream, or a line of it, has ended. */
  end(): void {
    const line = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts);
    [this.#parts, this.#bytes] = [[], 0];
    if (line.length > 0 && !this.#refused) this.#onLine(line);
  }

  #keep(part: Buffer): void {
    const room = this.#limit_bytes - this.#bytes;
    if (part.length > room && !this.#cutsLongLines) {
      this.#refused = true;
      this.#parts = [];
      return;
    }
    const kept = part.subarray(0, room);
    if (kept.length === 0) return;
    this.#parts.push(kept);
    this.#bytes += kept.length;
  }
}
