import { AsyncLocalStorage } from 'node:async_hooks';

/** An answer is due within five seconds, and needs some of them for the rest. */
export const PATIENCE_MS = 4_500;

// Beside the calls, not passed through them: every function on the way to the store would take it.
const current = new AsyncLocalStorage<Patience | undefined>();

let orders = 0;

/** The place, among all requests, of what begins now. */
export function nextOrder(): number {
  return orders += 1;
}

/**
 * How long a request waits for the database, by all of its statements together: each has a limit of
 * its own, and their sum is what a client waits. Time that a request spends otherwise (its body is
 * on its way, an integration answers, it was told to wait) does not count.
 */
export class Patience {
  /** The place of its request among all. */
  readonly order = nextOrder();
  /** Of whom, for what is counted and bounded by who asks. */
  readonly name: string;
  /** Whose share of what is scarce it takes from: a workspace's, once that is known. */
  share: string | undefined = undefined;
  /** When its share lets it; undefined until that is known. */
  inTurn: InTurn | undefined = undefined;
  /** How many bytes were sent with the request. */
  bytes = 0;
  #left_ms = PATIENCE_MS;
  /** How many statements are under way, and since when there has been one. */
  #waits = 0;
  #since_ms = 0;

  constructor(name: string) {
    this.name = name;
  }

  /** Does `work`, and all that follows from it, with this patience. */
  during<T>(work: () => T): T {
    return current.run(this, work);
  }

  get left_ms(): number {
    const waited_ms = this.#waits > 0 ? performance.now() - this.#since_ms : 0;
    return Math.max(0, this.#left_ms - waited_ms);
  }

  /** It waits, until `waited` has been called as often. */
  wait(): void {
    if (this.#waits++ === 0) this.#since_ms = performance.now();
  }

  waited(): void {
    if (--this.#waits === 0) this.#left_ms -= performance.now() - this.#since_ms;
  }

  /** The request was answered: what goes on in its name has no limit but that of each statement. */
  end(): void {
    this.#left_ms = Infinity;
  }
}

/** The patience of the request that is being served; undefined for what the service does itself. */
export function patience(): Patience | undefined {
  return current.getStore();
}

/** Does work on so many bytes when somebody's share of the event loop lets it. */
export type InTurn = <T>(work: () => T, bytes: number) => Promise<T>;

// For what no request waits for, and what has no patience: a run.
const turns = new AsyncLocalStorage<InTurn>();

/** Does `work`, and what follows from it, with these turns. */
export function withTurns<T>(inTurn: InTurn, work: () => T): T {
  return turns.run(inTurn, work);
}

/**
 * Does work that takes the longer the larger something is that somebody has sent, or that another
 * system has answered them, in a turn of the event loop that is theirs; at once if it is the
 * service's own. `bytes`: how large it is, if it is not what the request had.
 */
export async function inOwnTurn<T>(work: () => T, bytes?: number): Promise<T> {
  const own = patience();
  const inTurn = own?.inTurn ?? turns.getStore();
  return inTurn === undefined ? work() : await inTurn(work, bytes ?? own?.bytes ?? 0);
}

/** Does what waits for something on purpose: its statements have their own limits, and no sum. */
export function unhurried<T>(work: () => T): T {
  return current.run(undefined, work);
}

/** What a statement throws that took too long. */
export function tookTooLong(): Error {
  return Object.assign(new Error('what is done for several took longer than one of them may wait'),
    { code: 'STATEMENT_TIMEOUT' });
}

/**
 * `work` that is done for others as well, and so without this patience: it is waited for no longer
 * than there is some left. Then it throws what a statement throws that took too long; `onOver` gets
 * that before, and at once if nothing is left, and may answer what is thrown in its place.
 */
export async function patiently<T>(
  work: Promise<T>, onOver: (error: Error) => Error | void = () => {}): Promise<T> {
  const own = patience();
  if (own === undefined || own.left_ms === Infinity) return await work;
  const over = Promise.withResolvers<never>();
  const end = () => {
    const error = tookTooLong();
    over.reject(onOver(error) ?? error);
  };
  own.wait();
  // Node rounds down, and its timers come up to a millisecond early: that much would be left.
  const timer = own.left_ms === 0 ? void end() : setTimeout(end, Math.ceil(own.left_ms) + 1);
  try {
    return await Promise.race([work, over.promise]);
  } finally {
    clearTimeout(timer);
    own.waited();
  }
}
