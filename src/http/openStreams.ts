import { GatehouseError } from '../errors.ts';

/** Counts open event streams per api key, so that one key cannot hold all of them. */
export class OpenStreams {
  readonly #limit: number;
  readonly #open = new Map<string, number>();
  #all = 0;

  constructor(limit_per_key: number) {
    this.#limit = limit_per_key;
  }

  /** How many are open, of all keys. */
  get all(): number {
    return this.#all;
  }

  /** Reserves a stream of the key; the function returned gives it back. Throws `rate_limited`. */
  reserve(api_key_id: string): () => void {
    const open = this.#open.get(api_key_id) ?? 0;
    if (open >= this.#limit) {
      throw new GatehouseError('rate_limited',
        `This key has ${open} event streams open, which is the limit. Close one, or poll the run.`,
        { retry_after_s: 1 });
    }
    this.#open.set(api_key_id, open + 1);
    this.#all += 1;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#all -= 1;
      const left = this.#open.get(api_key_id)! - 1;
      if (left === 0) this.#open.delete(api_key_id);
      else this.#open.set(api_key_id, left);
    };
  }
}
