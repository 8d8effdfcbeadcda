import { textWidth } from './width.ts';
import type { Style } from './style.ts';

/** A wait that is told of. */
export interface Wait {
  /** Says from now on what else is waited for. */
  say(words: string): void;
  end(): void;
}

/** For those who do not want to know. */
export const SILENT: Wait = { say() {}, end() {} };

/** A wait is told of once it has lasted so long, and how long it lasts is told as often. */
const TOLD_MS = 1_000;

interface CurrentWait {
  words: string;
  since_ms: number;
}

/**
 * The last line of a screen while something is waited for: what, and for how long. It goes when
 * something else is written, and never appears behind the beginning of a line. Where there is no
 * screen it is not there, or one line that stays: lines that nobody sees go by would fill a log.
 */
export class StatusLine {
  readonly #write: (text: string) => void;
  readonly #columns: (() => number) | null;
  readonly #style: Style;
  /** The first one is shown: it knows best what all is about. */
  readonly #waits: CurrentWait[] = [];
  #timer: NodeJS.Timeout | null = null;
  #is_drawn = false;
  #is_at_start = true;

  /** `columns`: of the screen; null where there is none. */
  constructor(write: (text: string) => void, columns: (() => number) | null, style: Style) {
    this.#write = write;
    this.#columns = columns;
    this.#style = style;
  }

  /** `as_line`: it is told of once where there is no screen, too. */
  begin(words: string, as_line = false): Wait {
    if (this.#columns === null) return as_line ? this.#beginLine(words) : SILENT;
    const waiting = { words, since_ms: performance.now() };
    this.#waits.push(waiting);
    this.#timer ??= setInterval(() => this.#draw(), TOLD_MS).unref();
    return {
      say: (words) => {
        if (words === waiting.words) return;
        Object.assign(waiting, { words, since_ms: performance.now() });
        this.#timer?.refresh();
      },
      end: () => {
        this.clear();
        this.#waits.splice(this.#waits.indexOf(waiting), 1);
        if (this.#waits.length > 0 || this.#timer === null) return;
        clearInterval(this.#timer);
        this.#timer = null;
      },
    };
  }

  /** Takes the line away, for something else is written. */
  clear(): void {
    if (this.#is_drawn) this.#write('\r\u001b[K');
    this.#is_drawn = false;
  }

  /** What was written to the screen besides. */
  onWritten(text: string): void {
    if (text !== '') this.#is_at_start = text.endsWith('\n');
  }

  #beginLine(words: string): Wait {
    const timer = setTimeout(() => this.#write(`${words} …\n`), TOLD_MS).unref();
    return { say() {}, end: () => clearTimeout(timer) };
  }

  #draw(): void {
    const [waiting] = this.#waits;
    if (!waiting || !this.#is_at_start) return;
    const seconds = Math.round((performance.now() - waiting.since_ms) / 1_000);
    if (seconds === 0) return;
    const time = ` … ${seconds} s`;
    // The last column stays free: some terminals begin a new line when it is written.
    const room = this.#columns!() - time.length - 1;
    const words = textWidth(waiting.words) <= room ? waiting.words
      : waiting.words.slice(0, Math.max(0, Math.floor(room / 2)));
    this.clear();
    this.#write(this.#style('dim', words + time));
    this.#is_drawn = true;
  }
}
