/**
 * How much of bodies this process holds at once. Whoever sends may hold as much as is left for the
 * others: one alone half of it, two a third each, and however many there are, there is some left.
 * (A fixed bound for each would have to be small, or many of them together could end the process.)
 */
import { GatehouseError } from '../errors.ts';

/** Parsed, a body takes up to ten times as much. */
const MOST_BYTES = 268_435_456;

export interface HeldBody {
  /** So many bytes more have come. Throws `rate_limited` if there is no room for them. */
  add(bytes: number): void;
  /** Repeating it is fine. */
  release(): void;
}

/** Of a process that serves one team: nothing is counted. */
export const UNCOUNTED: HeldBody = { add: () => {}, release: () => {} };

export class HeldBytes {
  readonly #most_bytes: number;
  readonly #held = new Map<string, number>();
  #all_bytes = 0;

  constructor(most_bytes = MOST_BYTES) {
    this.#most_bytes = most_bytes;
  }

  /** A body of this share begins, and holds nothing yet. */
  begin(share: string): HeldBody {
    let own_bytes = 0;
    return {
      add: (bytes) => {
        const held = this.#held.get(share) ?? 0;
        // The first body of a share is not refused, or large documents could not be sent.
        if (held > own_bytes && held + bytes > this.#most_bytes - this.#all_bytes - bytes) {
          throw tooMuch();
        }
        own_bytes += bytes;
        this.#add(share, bytes);
      },
      release: () => {
        this.#add(share, -own_bytes);
        own_bytes = 0;
      },
    };
  }

  #add(share: string, bytes: number): void {
    const held = (this.#held.get(share) ?? 0) + bytes;
    this.#all_bytes += bytes;
    if (held === 0) this.#held.delete(share);
    else this.#held.set(share, held);
  }
}

function tooMuch(): GatehouseError {
  return new GatehouseError('rate_limited', 'This workspace has requests open whose bodies fill the'
    + ' memory that is there for them. Nothing was done. Repeat this after Retry-After.',
  { retry_after_s: 1 });
}
