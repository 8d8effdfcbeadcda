/**
 * How long a scenario waits. For things to happen: as long as anything moves, whatever the clock
 * says. For what is promised within a time: that time, and as long as this machine needs for work.
 */

/** Nothing at all has moved for so long: the scenario hangs. Each short wait is far below it. */
const STILL_LIMIT_MS = 150_000;
/** What a quick machine is given beyond a promise, as it is busy with being tortured. */
const SHORTEST_ALLOWANCE_MS = 1_500;
/** What the slowest one is given: a start that takes longer tells of a fault, not of a machine. */
const LONGEST_ALLOWANCE_MS = 30_000;
/** Alone on a machine of two cores a node starts in a second, and in two beside two others. */
const SLOW_START_MS = 4_000;

export class Patience {
  #moved_ms = performance.now();
  #last = 'it began';
  #slowest_start_ms = 0;

  /** Something got further: a request was answered, an event was read, a run ended. */
  moved(what: string): void {
    this.#moved_ms = performance.now();
    this.#last = what;
  }

  /** For how long nothing has moved. */
  get still_ms(): number {
    return performance.now() - this.#moved_ms;
  }

  /** A node was started. Its start is the measure of this machine, taken in the same run. */
  started(took_ms: number): void {
    this.#slowest_start_ms = Math.max(this.#slowest_start_ms, took_ms);
    this.moved('a node was started');
  }

  /**
   * The longest time in which something promised is kept. The promise itself is not stretched, as
   * the service keeps it by timers; what is, is the time for the work around them, which is as
   * long as the slowest start of a node: on a machine four times slower, four times as long.
   */
  limit_ms(promised_ms: number): number {
    const allowance_ms = Math.min(
      Math.max(SHORTEST_ALLOWANCE_MS, this.#slowest_start_ms), LONGEST_ALLOWANCE_MS);
    return Math.ceil(promised_ms + allowance_ms);
  }

  /** Whether nodes start so slowly that one statement may miss the deadline of the service. */
  get machine_is_slow(): boolean {
    return this.#slowest_start_ms > SLOW_START_MS;
  }

  /** What `work` comes to. Rejects when nothing has moved for too long, and leaves the work. */
  async watch<T>(work: Promise<T>): Promise<T> {
    const hangs = Promise.withResolvers<never>();
    const timer = setInterval(() => {
      if (this.still_ms > STILL_LIMIT_MS) hangs.reject(new Error(
        `nothing has moved for ${STILL_LIMIT_MS / 1_000} s; the last was: ${this.#last}`));
    }, STILL_LIMIT_MS / 100);
    try {
      return await Promise.race([work, hangs.promise]);
    } finally {
      clearInterval(timer);
    }
  }
}
