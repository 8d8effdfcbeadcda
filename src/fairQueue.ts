/**
 * Who waits for something scarce, by whose share it is taken from. The one that has had least of
 * late is next, so that whoever asks alone has all of it, and of two each has half, however many
 * they ask for. What is counted is what it came to, not how often somebody asked: requests differ a
 * thousandfold.
 *
 * Start-time fair queueing (Goyal, Vin, Cheng 1996) in its simplest form: instead of tags on what
 * waits, each share has a sum that fades.
 */

/** After so long, half of what somebody had is forgotten. */
const HALF_LIFE_MS = 1_000;
/** What somebody has had of late who has had one of something all the time. */
const ALWAYS_MS = HALF_LIFE_MS / Math.LN2;
/** A share that waits for nothing and has had no more than this is not kept. */
const FORGOTTEN = 0.01;
const FEW_SHARES = 64;

interface Share<T> {
  readonly waiting: Set<T>;
  /** What it had, as of `at_ms`; from then on it fades, and what is under way adds to it. */
  had: number;
  at_ms: number;
  under_way: number;
}

export class FairQueue<Name, T> {
  readonly #shares = new Map<Name, Share<T>>();
  /** Those of them that wait for something: mostly a few of many. */
  readonly #lines = new Map<Name, Share<T>>();
  readonly #clock: () => number;
  #size = 0;
  /** When there are so many shares, those that have faded go. */
  #most_shares = FEW_SHARES;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** How many wait. */
  get size(): number {
    return this.#size;
  }

  /**
   * How many shares wait for something, have it now, or had more than so much of late. Undefined
   * names none.
   */
  countActive(least: number): number {
    const now_ms = this.#clock();
    let count = 0;
    for (const [name, share] of this.#shares) {
      if (name === undefined) continue;
      if (share.waiting.size > 0 || share.under_way > 0 || hadOf(share, now_ms) > least) {
        count += 1;
      }
    }
    return count;
  }

  underWay(name: Name): number {
    return this.#shares.get(name)?.under_way ?? 0;
  }

  add(name: Name, item: T): void {
    const share = this.#shareOf(name);
    share.waiting.add(item);
    this.#lines.set(name, share);
    this.#size += 1;
  }

  /** Who gave up, or is served. False: it does not wait any more. */
  delete(name: Name, item: T): boolean {
    const share = this.#shares.get(name);
    if (!share?.waiting.delete(item)) return false;
    this.#size -= 1;
    if (share.waiting.size === 0) this.#lines.delete(name);
    this.#forgetIf(name, share);
    return true;
  }

  /** As `next`, and takes it out of the line. */
  take(fits?: (item: T) => boolean): T | undefined {
    const next = this.#next(fits);
    if (next !== undefined) this.delete(next.name, next.item);
    return next?.item;
  }

  /**
   * The first to come of the share that has had least and has one that `fits`; it stays here. Of a
   * share that is not `open` there is none.
   */
  next(fits?: (item: T) => boolean, open?: (name: Name) => boolean): T | undefined {
    return this.#next(fits, open)?.item;
  }

  #next(
    fits: (item: T) => boolean = () => true, open: (name: Name) => boolean = () => true,
  ): { name: Name; item: T } | undefined {
    const now_ms = this.#clock();
    let least = Infinity;
    let found: { name: Name; item: T } | undefined;
    for (const [name, share] of this.#lines) {
      const had = hadOf(share, now_ms);
      if (had >= least || !open(name)) continue;
      for (const item of share.waiting) {
        if (!fits(item)) continue;
        [least, found] = [had, { name, item }];
        break;
      }
    }
    return found;
  }

  /** Everybody who waits, share by share. */
  * [Symbol.iterator](): Generator<T> {
    for (const { waiting } of this.#lines.values()) yield* waiting;
  }

  /** Something of a share is under way: its time counts from now on; the function ends that. */
  begin(name: Name): () => void {
    const share = this.#shareOf(name);
    this.#fold(share);
    share.under_way += 1;
    return () => {
      this.#fold(share);
      share.under_way -= 1;
      this.#forgetIf(name, share);
    };
  }

  /** The share has had so much more. */
  charge(name: Name, amount: number): void {
    const share = this.#shareOf(name);
    this.#fold(share);
    share.had += amount;
    this.#forgetIf(name, share);
  }

  #fold(share: Share<T>): void {
    const now_ms = this.#clock();
    share.had = hadOf(share, now_ms);
    share.at_ms = now_ms;
  }

  #shareOf(name: Name): Share<T> {
    let share = this.#shares.get(name);
    if (share === undefined) {
      this.#sweep();
      share = { waiting: new Set(), had: 0, at_ms: this.#clock(), under_way: 0 };
      this.#shares.set(name, share);
    }
    return share;
  }

  #sweep(): void {
    if (this.#shares.size < this.#most_shares) return;
    for (const [name, share] of this.#shares) this.#forgetIf(name, share);
    this.#most_shares = Math.max(FEW_SHARES, 2 * this.#shares.size);
  }

  #forgetIf(name: Name, share: Share<T>): void {
    if (share.waiting.size > 0 || share.under_way > 0) return;
    if (hadOf(share, this.#clock()) <= FORGOTTEN) this.#shares.delete(name);
  }
}

/** So one that has something for an hour is behind the others by no more than ALWAYS_MS. */
function hadOf({ had, at_ms, under_way }: Share<unknown>, now_ms: number): number {
  const left = 2 ** ((at_ms - now_ms) / HALF_LIFE_MS);
  return had * left + under_way * ALWAYS_MS * (1 - left);
}
