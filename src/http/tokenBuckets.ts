/** Token buckets by name: each holds `quota` tokens and gains as many within `window_s` seconds. */
import { LRUCache } from 'lru-cache';
import { steadyClock, type Clock } from '../clock.ts';

/** A full bucket and one that is not kept are the same, so that forgetting one costs nothing. */
interface Bucket { tokens: number; at_ms: number }

/** Buckets kept at most, about 2 MB. Beyond it the one unused for longest counts as full. */
const BUCKETS = 10_000;

export class TokenBuckets {
  readonly quota: number;
  readonly window_s: number;
  readonly #tokens_per_ms: number;
  readonly #clock: Clock;
  readonly #buckets = new LRUCache<string, Bucket>({ max: BUCKETS });

  constructor(quota: number, window_s: number, clock: Clock = steadyClock) {
    this.quota = quota;
    this.window_s = window_s;
    this.#tokens_per_ms = quota / window_s / 1_000;
    this.#clock = clock;
  }

  /** Whole tokens that are left. */
  left(name: string): number {
    const bucket = this.#buckets.get(name);
    return bucket === undefined ? this.quota : Math.floor(this.#filled(bucket).tokens);
  }

  /** Takes one. False, and nothing is taken, if there is none. */
  take(name: string): boolean {
    let bucket = this.#buckets.get(name);
    if (bucket === undefined) {
      bucket = { tokens: this.quota, at_ms: this.#clock() };
      this.#buckets.set(name, bucket);
    } else this.#filled(bucket);
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }

  /** Gives back one that was taken. */
  giveBack(name: string): void {
    const bucket = this.#buckets.get(name);
    if (bucket) bucket.tokens = Math.min(this.quota, bucket.tokens + 1);
  }

  /** Whole seconds until there is another one at the latest; at least 1. */
  get another_s(): number {
    return Math.ceil(1 / this.#tokens_per_ms / 1_000);
  }

  #filled(bucket: Bucket): Bucket {
    const now_ms = this.#clock();
    const gained = (now_ms - bucket.at_ms) * this.#tokens_per_ms;
    bucket.tokens = Math.min(this.quota, bucket.tokens + gained);
    bucket.at_ms = now_ms;
    return bucket;
  }
}
