import { failure } from '../action/failure.ts';

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
/** A process that ran for this long was healthy; its next end counts as the first. */
const STABLE_MS = 60_000;

/**
 * How soon a process is started again: at once after its first end, then after 1, 2, 4 … 60 s.
 * Calls in between are refused and do not wait, for their time is short and the agent may do
 * something else meanwhile.
 */
export class Backoff {
  readonly #title: string;
  readonly #now: () => number;
  #ends = 0;
  #last_words: string | null = null;
  #blocked_until_ms = -Infinity;

  constructor(title: string, now: () => number) {
    this.#title = title;
    this.#now = now;
  }

  /** Throws ActionFailure as long as it is too soon. */
  check(): void {
    const wait_ms = this.#blocked_until_ms - this.#now();
    if (wait_ms <= 0) return;
    throw failure(`${this.#title} has ended ${this.#ends} times in a row. It is started`
      + ` again in ${Math.ceil(wait_ms / 1000)} s.`, {}, this.#last_words);
  }

  /**
   * Call this when the process ended or could not be started; `started_ms` is by the clock. What is
   * known of its end is for the operator.
   */
  ended(started_ms: number, last_words: string | null): void {
    this.#last_words = last_words;
    this.#ends = this.#now() - started_ms >= STABLE_MS ? 1 : this.#ends + 1;
    if (this.#ends === 1) return;
    const wait_ms = Math.min(FIRST_WAIT_MS * 2 ** (this.#ends - 2), LONGEST_WAIT_MS);
    this.#blocked_until_ms = this.#now() + wait_ms;
  }
}
