import { correctTimeOfDay } from '../ids.ts';
import type { Log } from '../log.ts';
import { isWrongClock } from '../store/nodes.ts';

/** A clock that was wrong is right again below this: one that drifts is not now this, now that. */
const RIGHT_MS = 2_500;
/** What measurements differ by, with a slow way between: ids of one process stay in their order. */
const VARIES_MS = 2_000;

/** What is known of this machine's clock, compared with the database's. */
export class NodeClock {
  readonly #log: Log;
  #offset_ms: number | null = null;
  #corrected_ms = 0;

  constructor(log: Log) {
    this.#log = log;
  }

  /** By how much it is ahead, at least; negative: behind. Null before the first measurement. */
  get offset_ms(): number | null {
    return this.#offset_ms;
  }

  /**
   * Takes the database's time, which was read between two of this machine. The answer may have been
   * long on its way, so only what no delay explains counts. Answers whether the clock has become
   * wrong, or right again: the log says so once. While it is wrong, what is compared with
   * stored times is by the database's.
   */
  measured({ before_ms, database_ms, after_ms }: {
    before_ms: number; database_ms: number; after_ms: number }): boolean {
    const was_wrong = isWrongClock(this.#offset_ms);
    const offset_ms = Math.max(before_ms - database_ms, Math.min(0, after_ms - database_ms));
    this.#offset_ms = offset_ms;
    this.#correct(offset_ms);
    if (isWrongClock(offset_ms) === was_wrong) return false;
    const facts = { offset_s: Math.round(offset_ms) / 1_000 };
    if (was_wrong) this.#log.info(facts, 'the clock of this machine is right again');
    else this.#log.warn(facts, 'the clock of this machine is not that of the database');
    return true;
  }

  /** Only as it becomes wrong, wrong in another way, or right: each time may go back in the ids. */
  #correct(offset_ms: number): void {
    const is_wrong = isWrongClock(offset_ms)
      || (this.#corrected_ms !== 0 && Math.abs(offset_ms) > RIGHT_MS);
    if (!is_wrong) this.#corrected_ms = 0;
    else if (Math.abs(offset_ms - this.#corrected_ms) > VARIES_MS) {
      this.#corrected_ms = Math.round(offset_ms);
    }
    correctTimeOfDay(this.#corrected_ms);
  }
}
