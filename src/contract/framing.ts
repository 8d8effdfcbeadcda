/** The lines of an event stream, for what a parser takes and some readers do not. */
import { holds } from './expect.ts';

export class Framing {
  /** The line that is still coming. */
  #rest = '';
  #has_data = false;

  /** Looks at the next piece of the stream. Throws Fault for a blank line that ends no event. */
  feed(text: string): void {
    const all = this.#rest + text;
    // It may be the first half of a line's end.
    const held = all.endsWith('\r') ? '\r' : '';
    const lines = all.slice(0, all.length - held.length).split(/\r\n?|\n/);
    this.#rest = lines.pop()! + held;
    for (const line of lines) {
      if (line === '') {
        holds(this.#has_data, 'a blank line stands where no event ends: some readers take what is'
          + ' before it, a comment or nothing, for an event');
        this.#has_data = false;
      } else if (/^data(:|$)/.test(line)) this.#has_data = true;
    }
  }
}

/** Ends a line for some readers: Python's splitlines cuts there. */
const LINE_ENDS = /[\u0085\u2028\u2029]/;

/** Throws Fault for data that is one line to some readers and several to others. */
export function checkOneLine(data: string): void {
  const [found] = LINE_ENDS.exec(data) ?? [];
  const code = found?.charCodeAt(0).toString(16).padStart(4, '0');
  holds(found === undefined,
    `the data of an event holds U+${code} unescaped, where some readers end a line`);
}
