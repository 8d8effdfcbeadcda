import { correctIdClock } from '../ids.ts';
import type { Log } from '../log.ts';
import { isWrongClock } from '../store/nodes.ts';

/** What is known of this machine's clock, compared with the database's. */
export class NodeClock {
  readonly #log: Log;
  #offset_ms: number | null = null;

  constructor(log: Log) {
    this.#log = log;
  }

  /** By how much it is ahead, at least; negative: behind. Null before the first measurement. */
  get offset_ms(): number | null {
    return this.#offset_ms;
  }

  /** The time by the database's clock, as far as it is known. */
  readonly now = (): number => Date.now() - (this.#offset_ms ?? 0);

  /**
   * Takes the database's time, which was read between two of this machine. The answer may have been
   * long on its way, so only what no delay explains counts. Answers whether the clock has become
   * wrong, or right again: the log says so once. While it is wrong, ids are made by the database's.
   */
  measured({ before_ms, database_ms, after_ms }: {
    before_ms: number; database_ms: number; after_ms: number }): boolean {
    const was_wrong = isWrongClock(this.#offset_ms);
    const offset_ms = Math.max(before_ms - database_ms, Math.min(0, after_ms - database_ms));
    this.#offset_ms = offset_ms;
    // A few milliseconds stay: corrected, ids of one process would not be in their order.
    correctIdClock(isWrongClock(offset_ms) ? offset_ms : 0);
    if (isWrongClock(offset_ms) === was_wrong) return false;
    const facts = { offset_s: Math.round(offset_ms) / 1_000 };
    if (was_wrong) this.#log.info(facts, 'the clock of this machine is right again');
    else this.#log.warn(facts, 'the clock of this machine is not that of the database');
    return true;
  }
}
