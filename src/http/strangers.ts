/**
 * Who waits for a turn of the event loop. Who has shown no credential takes from the share of its
 * address, and all of these together from one share, beside those of workspaces: addresses cost
 * nothing (whoever has a network of IPv6 has 65,536), and would have nearly all turns otherwise.
 */
import type { Clock } from '../clock.ts';
import { FairQueue } from '../fairQueue.ts';

const STRANGER = 'address ';
const STRANGERS = 'all addresses';

/** The share of an address. */
export function strangerAt(address: string): string {
  return STRANGER + address;
}

function isStranger(share: string): boolean {
  return share.startsWith(STRANGER);
}

/** More than a small request: who asks for one every few seconds does not count as active. */
const LITTLE_MS = 0.5;

/** As a FairQueue. */
export class TurnLine<T extends { share: string }> {
  /** Strangers are in it as one share. */
  readonly #all: FairQueue<string, T>;
  readonly #strangers: FairQueue<string, T>;

  constructor(clock: Clock) {
    this.#all = new FairQueue(clock);
    this.#strangers = new FairQueue(clock);
  }

  get size(): number {
    return this.#all.size;
  }

  /** How many shares wait, or had more than a little of late. */
  get active(): number {
    return this.#all.countActive(LITTLE_MS);
  }

  add(item: T): void {
    if (isStranger(item.share)) this.#strangers.add(item.share, item);
    this.#all.add(placeOf(item.share), item);
  }

  delete(item: T): void {
    if (isStranger(item.share)) this.#strangers.delete(item.share, item);
    this.#all.delete(placeOf(item.share), item);
  }

  take(fits: (item: T) => boolean): T | undefined {
    const first = this.#all.next(fits);
    if (first === undefined) return undefined;
    const item = isStranger(first.share) ? this.#strangers.next(fits)! : first;
    this.delete(item);
    return item;
  }

  charge(share: string, amount: number): void {
    if (isStranger(share)) this.#strangers.charge(share, amount);
    this.#all.charge(placeOf(share), amount);
  }
}

function placeOf(share: string): string {
  return isStranger(share) ? STRANGERS : share;
}
