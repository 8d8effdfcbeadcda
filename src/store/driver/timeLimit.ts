/** A timer that comes so late was held up, with all else in the process. */
const HELD_UP_MS = 250;
/** So much more it gets then: what has arrived meanwhile is read by the end of it. */
const AGAIN_MS = 1_000;
/** All that is given again: a process that is held up over and over must answer all the same. */
const MOST_AGAIN_MS = 2 * AGAIN_MS;

/**
 * Calls `onOver` after `limit_ms`, in which the time does not count that the process itself was
 * held up: the answer may be there, unread, and to call it lost would cost a run that waits for it.
 */
export class TimeLimit {
  readonly #onOver: () => void;
  #timer: NodeJS.Timeout;
  #left_again_ms = MOST_AGAIN_MS;

  constructor(limit_ms: number, onOver: () => void) {
    this.#onOver = onOver;
    this.#timer = this.#wait(limit_ms);
  }

  clear(): void {
    clearTimeout(this.#timer);
  }

  #wait(limit_ms: number): NodeJS.Timeout {
    const due_ms = performance.now() + limit_ms;
    return setTimeout(() => {
      const late_ms = performance.now() - due_ms;
      const again_ms = Math.min(late_ms, AGAIN_MS, this.#left_again_ms);
      if (late_ms <= HELD_UP_MS || again_ms <= 0) return this.#onOver();
      this.#left_again_ms -= again_ms;
      this.#timer = this.#wait(again_ms);
    // Timers come up to a millisecond early: a patience would have that much left.
    }, limit_ms + 1);
  }
}
