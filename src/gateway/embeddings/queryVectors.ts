import { LRUCache } from 'lru-cache';
import { deadline, within } from '../../deadline.ts';
import type { Log } from '../../log.ts';
import type { Meters } from '../../telemetry/metrics.ts';
import { vectorsOf, type Embedder, type EmbedFailure } from './embedder.ts';

export interface QueryVectorsOptions {
  embedder: Embedder;
  meters: Meters;
  log: Log;
  /** How long a search waits for its vector; 1.5 s by default. */
  wait_ms?: number | undefined;
}

/** Why there is no vector of a query. */
export type NoVector = 'late' | 'failed' | 'resting';

const KEPT = 1_000;
const WAIT_MS = 1_500;
/** A search stops waiting sooner, but the request goes on: the next such search has its vector. */
const REQUEST_MS = 10_000;
const REST_MS = 10_000;
const LONGEST_REST_MS = 60_000;
const MOST_AT_ONCE = 16;

/**
 * Vectors of queries. A search waits for one no longer than `wait_ms`, and not at all while another
 * vector is late or after the provider has just failed. So a provider that is away slows down one
 * search in ten seconds at most.
 */
export class QueryVectors {
  readonly #options: QueryVectorsOptions;
  readonly #kept = new LRUCache<string, Int8Array>({ max: KEPT });
  readonly #asked = new Map<string, Promise<Int8Array | NoVector>>();
  readonly #closing = new AbortController();
  #late = 0;
  /** Whether it was said that the provider fails; it is said once. */
  #said = false;
  #rests_until_ms = -Infinity;

  constructor(options: QueryVectorsOptions) {
    this.#options = options;
  }

  /** Never rejects. */
  async of(query: string): Promise<Int8Array | NoVector> {
    const kept = this.#kept.get(query);
    if (kept !== undefined) return kept;
    if (query === '' || this.#closing.signal.aborted || this.#late > 0
      || performance.now() < this.#rests_until_ms) return 'resting';
    let asked = this.#asked.get(query);
    if (asked === undefined) {
      if (this.#asked.size >= MOST_AT_ONCE) return 'resting';
      asked = this.#ask(query).finally(() => this.#asked.delete(query));
      this.#asked.set(query, asked);
    }
    return await this.#inTime(asked);
  }

  /** Gives up what is under way. */
  close(): void {
    this.#closing.abort(new Error('The service is stopping.'));
  }

  async #inTime(asked: Promise<Int8Array | NoVector>): Promise<Int8Array | NoVector> {
    return await within(this.#options.wait_ms ?? WAIT_MS, asked, () => {
      this.#late += 1;
      void asked.then(() => { this.#late -= 1; });
      return 'late' as const;
    });
  }

  async #ask(query: string): Promise<Int8Array | NoVector> {
    const { embedder, meters, log } = this.#options;
    const limit = deadline(REQUEST_MS, this.#closing.signal);
    try {
      const [vector] = await vectorsOf(embedder, meters, [query], 'query', limit.signal);
      this.#kept.set(query, vector!);
      this.#said = false;
      return vector!;
    } catch (error) {
      const { reason, retry_after_ms = REST_MS } = error as EmbedFailure;
      // This query is at fault; the others are asked for.
      if (reason === 'input_refused') return 'failed';
      const rest_ms = Math.min(Math.max(retry_after_ms, REST_MS), LONGEST_REST_MS);
      this.#rests_until_ms = performance.now() + rest_ms;
      if (!this.#closing.signal.aborted) {
        log[this.#said ? 'debug' : 'warn']({ err: error, rest_ms },
          'searches go by words alone: the embedding model failed');
        this.#said = true;
      }
      return 'failed';
    } finally {
      limit.end();
    }
  }
}
