import { steadyClock, type Clock } from '../../clock.ts';

/**
 * How fast a server is heard. Each message costs this thread 50 to 100 µs, whoever it is for: a
 * server that sends notifications as fast as it can would keep it to itself.
 */
const MESSAGES = 500;
const PERIOD_MS = 500;
/** Longer ones count as several: a megabyte takes 10 ms, also if it was no answer in the end. */
const MESSAGE_BYTES = 2_048;

export class Pace {
  readonly #clock: Clock;
  #messages = 0;
  #since_ms = -PERIOD_MS;
  #wait_ms = 0;

  constructor(clock: Clock = steadyClock) {
    this.#clock = clock;
  }

  /** A message of so many bytes has come. */
  line(bytes: number): void {
    this.#wait_ms = this.next(Math.max(1, Math.ceil(bytes / MESSAGE_BYTES)));
  }

  /**
   * After how many ms to read on, once lines have come. It is said once: a long line that follows
   * comes in hundreds of pieces, and each of them would wait.
   */
  takeWait(): number {
    const wait_ms = this.#wait_ms;
    this.#wait_ms = 0;
    return wait_ms;
  }

  /** So many messages more have come. Answers after how many ms the next one is to be read. */
  next(messages = 1): number {
    const now_ms = this.#clock();
    if (now_ms - this.#since_ms >= PERIOD_MS) [this.#messages, this.#since_ms] = [0, now_ms];
    this.#messages += messages;
    return this.#messages < MESSAGES ? 0 : Math.ceil(this.#since_ms + PERIOD_MS - now_ms);
  }
}
