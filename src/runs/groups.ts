import { AsyncLocalStorage } from 'node:async_hooks';
import { LRUCache } from 'lru-cache';
import { within } from '../deadline.ts';
import { shareUsedUp } from '../errors.ts';
import { FairQueue } from '../fairQueue.ts';
import { patiently } from '../patience.ts';
import { isContention, isUnavailable, markInDoubt } from '../store/database.ts';

/** So many are made by one statement at most. */
const MOST = 64;
/** A group that takes longer mostly waits for a lock: then the next group is begun beside it. */
const LONG_MS = 100;

/** For how many shares it is known when something was made last. */
const KEPT_MADE = 2_000;

/** What is asked for, and who waits for it. */
interface QueuedRequest<Asked, Made> {
  asked: Asked;
  made: PromiseWithResolvers<Made | typeof ALONE>;
}

interface Terms<Asked> {
  keyOf: (asked: Asked) => string;
  /** The workspace that asks. */
  shareOf: (asked: Asked) => string;
  /** How many small requests take as much; 1 if left out. */
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
  make: (asked: Asked[]) => Promise<Made[]>, { keyOf, shareOf, costOf = () => 1 }: Terms<Asked>,
): (asked: Asked) => Promise<Made> {
  const inOwnContext = AsyncLocalStorage.snapshot();
  const waiting = new FairQueue<string, QueuedRequest<Asked, Made>>();
  /** When something was made last for a share. */
  const made_ms = new LRUCache<string, number>({ max: KEPT_MADE });
  /** What is being made, by its key. */
  const busy = new Set<string>();
  let going = false;
  /** Something has changed for those that wait for one with their key. */
  let change = Promise.withResolvers<void>();

  async function go(): Promise<void> {
    while (waiting.size > 0) {
      // What the same turn of the event loop asks for belongs together.
      await new Promise((resolve) => setImmediate(resolve));
      const group = nextGroup();
      if (group.length > 0) {
        await within(LONG_MS, makeGroup(group), () => {});
      } else if (waiting.size > 0) {
        change = Promise.withResolvers();
        await change.promise;
      }
    }
    going = false;
  }

  function nextGroup(): QueuedRequest<Asked, Made>[] {
    const group: QueuedRequest<Asked, Made>[] = [];
    while (group.length < MOST) {
      const one = waiting.take(({ asked }) => !busy.has(keyOf(asked)));
      if (one === undefined) break;
      busy.add(keyOf(one.asked));
      group.push(one);
      waiting.charge(shareOf(one.asked), costOf(one.asked));
    }
    return group;
  }

  async function makeGroup(group: QueuedRequest<Asked, Made>[]): Promise<void> {
    try {
      const all = await make(group.map(({ asked }) => asked));
      group.forEach(({ asked, made }, place) => {
        made.resolve(all[place]!);
        made_ms.set(shareOf(asked), performance.now());
      });
    } catch (error) {
      const one_is_to_blame = isContention(error) || !isUnavailable(error);
      for (const { made } of group) {
        if (group.length > 1 && one_is_to_blame) made.resolve(ALONE);
        else made.reject(error);
      }
    } finally {
      for (const { asked } of group) busy.delete(keyOf(asked));
      change.resolve();
    }
  }

  return async (asked) => {
    const own: QueuedRequest<Asked, Made> = { asked, made: Promise.withResolvers() };
    const share = shareOf(asked);
    const since_ms = performance.now();
    waiting.add(share, own);
    const answer = patiently(own.made.promise, (error) => {
      // A request that has left the queue may be made, although nobody waits for it any more.
      if (!waiting.delete(share, own)) return markInDoubt(error);
      change.resolve();
      // The database works: others of the same share were before it.
      return (made_ms.get(share) ?? 0) > since_ms ? shareUsedUp(error) : undefined;
    });
    if (!going && waiting.size > 0) {
      going = true;
      void inOwnContext(go);
    }
    change.resolve();
    const made = await answer;
    return made === ALONE ? (await make([asked]))[0]! : made;
  };
}
