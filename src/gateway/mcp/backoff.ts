import { failure } from '../action/action.ts';

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
/** A process that ran for this long was well; its end is the first one again. */
const STABLE_MS = 60_000;

/**
 * How soon a process is started again: at once after its first end, then after 1, 2, 4 … 60 s. In
 * between a call is refused and not made to wait, for its time is short and the agent's next step
 * may be another one.
 */
export class Backoff {
  readonly #title: string;
  readonly #now: () => number;
  #ends = 0;
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
      + ` again in ${Math.ceil(wait_ms / 1000)} s.`);
  }

  /** It has ended, or could not be started, at `started_ms` by the clock. */
  ended(started_ms: number): void {
    this.#ends = this.#now() - started_ms >= STABLE_MS ? 1 : this.#ends + 1;
    if (this.#ends === 1) return;
    const wait_ms = Math.min(FIRST_WAIT_MS * 2 ** (this.#ends - 2), LONGEST_WAIT_MS);
    this.#blocked_until_ms = this.#now() + wait_ms;
  }
}
