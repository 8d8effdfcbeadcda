/**
 * Turns on the event loop, which serves all requests of the process one piece after the other. In a
 * turn of the loop so many pieces begin as are expected to take a few milliseconds together; the
 * others wait, and of them the one goes first whose workspace has kept the loop for the least time
 * of late. So whoever asks for much waits for itself, and the loop reads its sockets in between.
 *
 * Without it, a turn of the loop did all that had come since the last one: two hundred requests of
 * one key, or thirty bodies of a megabyte, before anybody else's.
 *
 * A large piece keeps the loop for up to 160 ms, and everybody else waits for its end. So its
 * workspace begins no other one for twice as long, if any others have asked of late: a request of
 * theirs is several pieces, and gets through between two large ones. Its large pieces have a third
 * of the loop then. (Beside 0.8 MB of invalid input of one workspace and ordinary requests of
 * another, /readyz had a p99 of 116 to 142 ms with a rest as long as the piece, and has 68 to 94.
 * With one rest for each of the others, 200 quiet workspaces kept the loop idle for 3 s.)
 */
import { steadyClock, type Clock } from '../clock.ts';
import { GatehouseError } from '../errors.ts';
import { nextOrder, patience, type InTurn } from '../patience.ts';
import { TurnLine } from './strangers.ts';

/** What begins in one turn of the loop takes about so long. */
const TURN_MS = 8;
/** What a small request takes of the loop besides what is measured; all in all 0.3 to 0.6 ms. */
const SMALL_MS = 0.4;
/** What parsing and validating a body takes; measured: 12 to 20 ms for a megabyte. */
const MS_PER_BYTE = 15 / 1_000_000;
/** A smaller body is parsed in the turn that its request had. */
const LARGE_BYTES = 16_384;
/** Who has waited for so long is told to ask later: an answer is due within 5 s. */
const LONGEST_WAIT_MS = 2_000;
/** A timer that fires so late was held up by a busy loop, and so was what it waits for. */
const HELD_UP_MS = 250;
/** After a large piece, its workspace begins no other for so many times as long. */
const RESTS = 2;
const FEW_RESTS = 64;

interface Piece {
  share: string;
  cost_ms: number;
  begin: () => void;
  /** Ends its wait. */
  limit?: NodeJS.Timeout;
}

interface LargePiece extends Piece {
  /** The place of its request among all. */
  order: number;
}

/**
 * The large pieces of a share that wait: those of the request that came first are first. (One after
 * the other as they came, a hundred requests of several pieces each went on side by side, and none
 * was answered in time.)
 */
interface LargeLine {
  share: string;
  begin: null;
  pieces: LargePiece[];
}

/** What waits in the line of a share: a small piece, or the first of its large ones. */
type Waiting = Piece | LargeLine;

export class LoopTurns {
  readonly #waiting: TurnLine<Waiting>;
  readonly #large = new Map<string, LargeLine>();
  readonly #clock: Clock;
  readonly #longest_wait_ms: number;
  /** By workspace, until when it may begin no other large piece. */
  readonly #resting = new Map<string, number>();
  #left_ms = TURN_MS;
  #scheduled = false;

  /** `longest_wait_ms`: tests wait for less. */
  constructor(clock: Clock = steadyClock, longest_wait_ms = LONGEST_WAIT_MS) {
    this.#clock = clock;
    this.#longest_wait_ms = longest_wait_ms;
    this.#waiting = new TurnLine(clock);
  }

  /**
   * Undefined if a request of `share` may begin now; otherwise resolves when it may. Rejects with
   * `rate_limited` if the share has so much before it that this takes too long.
   */
  take(share: string, cost_ms = SMALL_MS): Promise<void> | undefined {
    if (this.#beginsNow(share, cost_ms)) return undefined;
    return new Promise((begin, refuse) => {
      const piece: Piece = { share, cost_ms, begin };
      this.#limit(piece, refuse, () => this.#waiting.delete(piece));
      this.#waiting.add(piece);
    });
  }

  /** Does `work` on a body of so many bytes in a turn of its own, if it is a large one. */
  async withBody<T>(share: string, bytes: number, work: () => T): Promise<T> {
    return await this.#withBody(share, bytes, work, false);
  }

  /**
   * As `withBody`, before anything of a request is begun: it is refused as by `take`. (With more
   * bodies than were parsed, their requests waited for as long as somebody sent more.)
   */
  async withFirstBody<T>(share: string, bytes: number, work: () => T): Promise<T> {
    return await this.#withBody(share, bytes, work, true);
  }

  async #withBody<T>(
    share: string, bytes: number, work: () => T, may_be_refused: boolean): Promise<T> {
    if (bytes < LARGE_BYTES) return this.charged(share, work);
    const cost_ms = bytes * MS_PER_BYTE;
    if (!this.#isRested(share) || !this.#beginsNow(share, cost_ms)) {
      await new Promise<void>((begin, refuse) => {
        const order = patience()?.order ?? nextOrder();
        const piece: LargePiece = { share, cost_ms, begin, order };
        if (may_be_refused) this.#limit(piece, refuse, () => this.#deleteLarge(piece));
        this.#addLarge(piece);
        // Who rests has not asked for a turn, and nobody else may.
        this.#open();
      });
    }
    const began_ms = this.#clock();
    try {
      return this.charged(share, work, cost_ms);
    } finally {
      this.#rest(share, this.#clock() - began_ms);
    }
  }

  /** Turns of one share, for `inOwnTurn`. */
  of(share: string): InTurn {
    return (work, bytes) => this.withBody(share, bytes, work);
  }

  /** Does `work`, and charges what it took beyond what was `expected_ms`. */
  charged<T>(share: string, work: () => T, expected_ms = 0): T {
    const began_ms = this.#clock();
    try {
      return work();
    } finally {
      this.charge(share, this.#clock() - began_ms - expected_ms);
    }
  }

  /** The share has kept the loop for so much longer than was expected, or less. */
  charge(share: string, more_ms: number): void {
    this.#open();
    this.#waiting.charge(share, more_ms);
    this.#left_ms -= more_ms;
  }

  #beginsNow(share: string, cost_ms: number): boolean {
    this.#open();
    if (this.#waiting.size > 0 || this.#left_ms <= 0) return false;
    this.charge(share, cost_ms);
    return true;
  }

  #addLarge(piece: LargePiece): void {
    let line = this.#large.get(piece.share);
    if (line === undefined) {
      line = { share: piece.share, begin: null, pieces: [] };
      this.#large.set(piece.share, line);
      this.#waiting.add(line);
    }
    const place = line.pieces.findLastIndex(({ order }) => order <= piece.order) + 1;
    line.pieces.splice(place, 0, piece);
  }

  /** The first of a line that was taken from those that wait; the others go on waiting. */
  #takeLarge(line: LargeLine): LargePiece {
    const first = line.pieces.shift()!;
    if (line.pieces.length > 0) this.#waiting.add(line);
    else this.#large.delete(line.share);
    return first;
  }

  #deleteLarge(piece: LargePiece): void {
    const line = this.#large.get(piece.share)!;
    line.pieces.splice(line.pieces.indexOf(piece), 1);
    if (line.pieces.length > 0) return;
    this.#large.delete(piece.share);
    this.#waiting.delete(line);
  }

  /** Refuses the piece if it still waits after a time. */
  #limit(piece: Piece, refuse: (error: Error) => void, leave: () => void): void {
    const since_ms = performance.now();
    piece.limit = setTimeout(() => {
      // If the timer fires late, the whole loop was held up, not this share: it waits once more.
      if (performance.now() - since_ms > this.#longest_wait_ms + HELD_UP_MS) {
        this.#limit(piece, refuse, leave);
        return;
      }
      leave();
      refuse(new TooMuchAsked());
    }, this.#longest_wait_ms);
  }

  #rest(share: string, took_ms: number): void {
    if (this.#waiting.active < 2) return;
    const now_ms = this.#clock();
    if (this.#resting.size >= FEW_RESTS) {
      for (const [name, until_ms] of this.#resting) {
        if (until_ms <= now_ms) this.#resting.delete(name);
      }
    }
    this.#resting.set(share, now_ms + took_ms * RESTS);
  }

  /** Begins a turn of the loop, unless one goes on; it ends when the loop has read its sockets. */
  #open(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#left_ms = TURN_MS;
    setImmediate(this.#turn);
  }

  readonly #turn = (): void => {
    this.#left_ms = TURN_MS;
    while (this.#left_ms > 0) {
      const began_ms = this.#clock();
      const next = this.#waiting.take(({ begin, share }) =>
        begin !== null || this.#isRested(share));
      if (next === undefined) break;
      const piece = next.begin === null ? this.#takeLarge(next) : next;
      // With many who wait, to find the next one takes time, too.
      this.charge(piece.share, piece.cost_ms + this.#clock() - began_ms);
      clearTimeout(piece.limit);
      piece.begin();
    }
    this.#scheduled = this.#waiting.size > 0;
    if (!this.#scheduled) return;
    // There is time left, so all that wait may not begin yet. They are looked at again in 1 ms:
    // to look in each turn of the loop would keep a core busy.
    if (this.#left_ms > 0) setTimeout(this.#turn, 1);
    else setImmediate(this.#turn);
  };

  #isRested(share: string): boolean {
    const until_ms = this.#resting.get(share);
    if (until_ms === undefined) return true;
    if (until_ms > this.#clock()) return false;
    this.#resting.delete(share);
    return true;
  }
}

/** A share had so much before it that its turn did not come in time. */
export class TooMuchAsked extends GatehouseError {
  constructor() {
    const retry_after_s = LONGEST_WAIT_MS / 1_000;
    super('rate_limited', 'This workspace (or, without a key, all addresses together) has asked for'
      + ` more than this machine does for it in ${retry_after_s} seconds, beside what others ask`
      + ' for. Nothing was done. Ask more slowly, and repeat this after Retry-After.',
    { retry_after_s });
  }
}
