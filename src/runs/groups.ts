import { AsyncLocalStorage } from 'node:async_hooks';
import { LRUCache } from 'lru-cache';
import { steadyClock } from '../clock.ts';
import { within } from '../deadline.ts';
import { shareUsedUp } from '../errors.ts';
import { FairQueue } from '../fairQueue.ts';
import { patience, patiently, tookTooLong, type Patience } from '../patience.ts';
import { isContention, isUnavailable, markInDoubt } from '../store/database.ts';

/** So many are made by one statement at most, or what takes as much as so many small ones. */
const MOST = 64;
/** A group that takes longer mostly waits for a lock: then the next group is begun beside it. */
const LONG_MS = 100;

/**
 * Who has less time left is not begun: nobody could tell them what came of it. (Where more is asked
 * for than can be made, everybody waits to the end of their patience, and a tenth of those who were
 * begun then were told that it may have been done.)
 */
const LEAST_LEFT_MS = 1_000;
/** For how many shares it is known when something was made last. */
const KEPT_MADE = 2_000;

/** What is asked for, and who waits for it. */
interface QueuedRequest<Asked, Made> {
  asked: Asked;
  made: PromiseWithResolvers<Made | typeof ALONE>;
  patience: Patience | undefined;
  since_ms: number;
}

interface Terms<Asked> {
  keyOf: (asked: Asked) => string;
  /** The workspace that asks. */
  shareOf: (asked: Asked) => string;
  /** How many small requests take as much, at least 1; 1 if left out. */
  costOf?: (asked: Asked) => number;
}

const ALONE = Symbol('it has to be made alone');

/**
 * Group commit of what requests make: those who ask while a group is being made form the next one,
 * and whoever asks first goes at once. `make` answers for each in the same order. Where one
 * statement for all fails for what one of them holds, or for a lock that one of them waits for,
 * each is made alone. No two that are being made have the same `keyOf`: of one statement the second
 * run of a session would not see the first, and beside it, it would wait for its lock and keep a
 * connection. Those that wait take turns by whose share they are of, and what they cost.
 *
 * Nobody waits for longer than there is patience for, and who gives up leaves the queue: that holds
 * no more than there are open requests.
 */
export function inGroups<Asked, Made>(
  make: (asked: Asked[]) => Promise<Made[]>, terms: Terms<Asked>,
): (asked: Asked) => Promise<Made> {
  const groups = new Groups(make, terms);
  return (asked) => groups.ask(asked);
}

class Groups<Asked, Made> {
  readonly #make: (asked: Asked[]) => Promise<Made[]>;
  readonly #terms: Required<Terms<Asked>>;
  readonly #inOwnContext = AsyncLocalStorage.snapshot();
  readonly #waiting = new FairQueue<string, QueuedRequest<Asked, Made>>(steadyClock);
  /** The keys of what is being made. */
  readonly #busy = new Set<string>();
  /** When something was made last for a share. */
  readonly #made_ms = new LRUCache<string, number>({ max: KEPT_MADE });
  #going = false;
  /** Something has changed for those that wait for one with their key. */
  #change = Promise.withResolvers<void>();

  constructor(make: (asked: Asked[]) => Promise<Made[]>, terms: Terms<Asked>) {
    this.#make = make;
    this.#terms = { costOf: () => 1, ...terms };
  }

  async ask(asked: Asked): Promise<Made> {
    const own: QueuedRequest<Asked, Made> = {
      asked, made: Promise.withResolvers(), patience: patience(), since_ms: performance.now() };
    const share = this.#terms.shareOf(asked);
    this.#waiting.add(share, own);
    const answer = patiently(own.made.promise, (error) => {
      // A request that has left the queue may be made, although nobody waits for it any more.
      if (!this.#waiting.delete(share, own)) return markInDoubt(error);
      this.#change.resolve();
      return this.#refusalOf(own, error);
    });
    if (!this.#going && this.#waiting.size > 0) {
      this.#going = true;
      void this.#inOwnContext(() => this.#go());
    }
    this.#change.resolve();
    const made = await answer;
    if (made !== ALONE) return made;
    if (isLate(own.patience)) throw this.#refusalOf(own, tookTooLong());
    return (await this.#make([asked]))[0]!;
  }

  /** Why it was not begun in time: others of its share were before it, or the database is slow. */
  #refusalOf({ asked, since_ms }: QueuedRequest<Asked, Made>, late: Error): Error {
    return (this.#made_ms.get(this.#terms.shareOf(asked)) ?? 0) > since_ms
      ? shareUsedUp(late) : late;
  }

  async #go(): Promise<void> {
    while (this.#waiting.size > 0) {
      // What the same turn of the event loop asks for belongs together.
      await new Promise((resolve) => setImmediate(resolve));
      const group = this.#nextGroup();
      if (group.length > 0) {
        await within(LONG_MS, this.#makeGroup(group), () => {});
      } else if (this.#waiting.size > 0) { // All may have given up.
        this.#change = Promise.withResolvers();
        await this.#change.promise;
      }
    }
    this.#going = false;
  }

  #nextGroup(): QueuedRequest<Asked, Made>[] {
    const { keyOf, shareOf, costOf } = this.#terms;
    const group: QueuedRequest<Asked, Made>[] = [];
    let cost = 0;
    while (cost < MOST) {
      const one = this.#waiting.take(({ asked }) => !this.#busy.has(keyOf(asked)));
      if (one === undefined) break;
      if (isLate(one.patience)) {
        one.made.reject(this.#refusalOf(one, tookTooLong()));
        continue;
      }
      this.#busy.add(keyOf(one.asked));
      group.push(one);
      const own = costOf(one.asked);
      cost += own;
      this.#waiting.charge(shareOf(one.asked), own);
    }
    return group;
  }

  async #makeGroup(group: QueuedRequest<Asked, Made>[]): Promise<void> {
    const { keyOf, shareOf } = this.#terms;
    try {
      const all = await this.#make(group.map(({ asked }) => asked));
      group.forEach(({ asked, made }, place) => {
        made.resolve(all[place]!);
        this.#made_ms.set(shareOf(asked), performance.now());
      });
    } catch (error) {
      const one_is_to_blame = isContention(error) || !isUnavailable(error);
      for (const { made } of group) {
        if (group.length > 1 && one_is_to_blame) made.resolve(ALONE);
        else made.reject(error);
      }
    } finally {
      for (const { asked } of group) this.#busy.delete(keyOf(asked));
      this.#change.resolve();
    }
  }
}

function isLate(patience: Patience | undefined): boolean {
  return (patience?.left_ms ?? Infinity) < LEAST_LEFT_MS;
}
