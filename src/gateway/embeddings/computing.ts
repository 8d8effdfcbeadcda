/** Has the vectors made that there are not yet, on one node at a time. */
import { LRUCache } from 'lru-cache';
import { deadline } from '../../deadline.ts';
import type { Log } from '../../log.ts';
import type { Sql } from '../../store/database.ts';
import {
  failEmbeddingWork, leaveEmbeddingWork, storeEmbeddings, takeEmbeddingWork, type EmbeddingLease,
} from '../../store/embeddings.ts';
import type { Meters } from '../../telemetry/metrics.ts';
import { actionText } from './actionText.ts';
import { vectorsOf, type Embedder, type EmbedFailure } from './embedder.ts';
import type { VectorTable } from './vectorTable.ts';

export interface ComputingOptions {
  sql: Sql;
  log: Log;
  meters: Meters;
  embedder: Embedder;
  node_id: string;
  /** The wait after a first failure; 1 s by default. It doubles with each. */
  retry_ms?: number | undefined;
  /** Ends it. */
  signal: AbortSignal;
  tables(): readonly VectorTable[];
  /** Has the tables take what the database has of what they miss. */
  read(): Promise<void>;
  take(hash: string, vector: Int8Array): void;
}

/** Texts in a request. If one fails for what is in its texts, the next one has half as many. */
const BATCH_TEXTS = 64;
const REQUEST_MS = 60_000;
/** Failures that do not tell whether the provider is at fault, or a text that it cannot bear. */
const UNEXPLAINED = ['unavailable', 'malformed'];
/** Sent after such failures. It is harmless: if it fails as well, the provider is at fault. */
const HARMLESS_TEXT = 'Read a thing.';
const HARMLESS_MS = 10_000;
/** How long others wait for a node that is gone: as long as two requests may take. */
const LEASE_MS = 2 * REQUEST_MS;
const RETRY_MS = 1_000;
const LAST_RETRY_MS = 300_000;
const LONGEST_RETRY_AFTER_MS = 3_600_000;
/** A text that fails alone is offered again after this time. */
const REFUSED = { max: 10_000, ttl: 3_600_000 };
const PROGRESS_MS = 10_000;
/** After this time somebody looks whether the actions are still the same. */
const ROUND_MS = 30_000;

/** What a request has led to; `smaller`: fewer texts are to be sent. */
type Step = 'done' | 'smaller' | 'over';

export class Computing {
  readonly #options: ComputingOptions;
  readonly #refused = new LRUCache<string, true>(REFUSED);
  #batch_texts = BATCH_TEXTS;
  /** As many as the provider takes, as far as its refusals tell. */
  #most_texts = BATCH_TEXTS;
  /** What was said last of a failure; each is said once. */
  #failure: string | undefined;
  #told_ms = -Infinity;

  constructor(options: ComputingOptions) {
    this.#options = options;
  }

  /** Whether the provider has failed with this text alone lately. */
  refuses(hash: string): boolean {
    return this.#refused.has(hash);
  }

  /**
   * Goes on until there is nothing left to compute, something fails, another node is at it, or half
   * a minute is over. Rejects only for what the database cannot do.
   */
  async run(): Promise<void> {
    const { sql, signal, read } = this.#options;
    if (this.#next().size === 0) return;
    const work = await takeEmbeddingWork(sql, this.#lease());
    if (work === undefined) return;
    let { failures } = work;
    const until_ms = performance.now() + ROUND_MS;
    // Another node may have stored some before it let go.
    await read();
    try {
      for (;;) {
        const batch = this.#next();
        if (batch.size === 0 || signal.aborted) break;
        if (performance.now() > until_ms) return;
        this.#tell();
        const done = await this.#computeSome(batch, failures);
        if (done === 'over') return;
        if (done === 'done') failures = 0;
      }
    } finally {
      await leaveEmbeddingWork(sql, this.#lease());
    }
    if (!signal.aborted) this.#tellEnd();
  }

  /** The next texts that have no vector and may get one, by their hashes. */
  #next(): Map<string, string> {
    const texts = new Map<string, string>();
    for (const { actions, missing } of this.#options.tables()) {
      for (const [hash, [at]] of missing) {
        if (texts.size === this.#batch_texts) return texts;
        if (!this.#refused.has(hash)) texts.set(hash, actionText(actions[at!]!));
      }
    }
    return texts;
  }

  #lease(): EmbeddingLease {
    const { embedder, node_id, tables } = this.#options;
    const texts = tables().reduce((sum, { actions }) => sum + actions.length, 0);
    const pending = tables().reduce((sum, table) => sum + table.pending, 0);
    return { model: embedder.key, node_id, lease_ms: LEASE_MS, texts, computed: texts - pending };
  }

  async #computeSome(batch: Map<string, string>, failures: number): Promise<Step> {
    const { sql, meters, embedder, signal, take } = this.#options;
    const hashes = [...batch.keys()];
    const limit = deadline(REQUEST_MS, signal);
    let vectors: Int8Array[];
    try {
      vectors = await vectorsOf(
        embedder, meters, [...batch.values()], 'action', limit.signal);
      this.#requireLength(vectors[0]!.length);
    } catch (error) {
      return signal.aborted ? 'over' : await this.#failed(error as EmbedFailure, hashes, failures);
    } finally {
      limit.end();
    }
    const rows = hashes.map((sha256, i) => ({ sha256, vector: Buffer.from(vectors[i]!.buffer) }));
    const goes_on = await storeEmbeddings(sql, this.#lease(), rows);
    for (const [i, hash] of hashes.entries()) take(hash, vectors[i]!);
    // One more at a time: after a doubling, a server that cannot take many would fail every second
    // request.
    this.#batch_texts = Math.min(this.#most_texts, this.#batch_texts + 1);
    return goes_on ? 'done' : 'over';
  }

  /** Throws an Error if there are vectors of another length: they cannot be compared. */
  #requireLength(length: number): void {
    const { embedder, tables } = this.#options;
    const other = tables().map(({ dimensions }) => dimensions)
      .find((dimensions) => dimensions !== null && dimensions !== length);
    if (other === undefined) return;
    throw new Error(`The embedding model gives vectors of ${length} numbers, and those that are`
      + ` stored for ${embedder.key} have ${other}: it is another model by the same name.`);
  }

  async #failed(
    error: EmbedFailure, batch: readonly string[], failures: number): Promise<Step> {
    const { sql, log, embedder, node_id, signal, retry_ms = RETRY_MS } = this.#options;
    const isOfTexts = error.reason === 'input_refused'
      || failures > 0 && UNEXPLAINED.includes(error.reason!) && await this.#answersOthers();
    if (signal.aborted) return 'over';
    if (isOfTexts && batch.length > 1) {
      this.#batch_texts = Math.ceil(batch.length / 2);
      if (error.reason === 'input_refused') this.#most_texts = this.#batch_texts;
      return 'smaller';
    }
    if (isOfTexts) {
      this.#refused.set(batch[0]!, true);
      this.#batch_texts = this.#most_texts = BATCH_TEXTS;
    }
    const backoff_ms = Math.min(retry_ms * 2 ** failures, LAST_RETRY_MS);
    const asked_ms = Math.min(error.retry_after_ms ?? 0, LONGEST_RETRY_AFTER_MS);
    const retry_in_ms = Math.max(backoff_ms, asked_ms);
    await failEmbeddingWork(
      sql, { model: embedder.key, node_id }, { failure: error.message, retry_in_ms });
    log[this.#failure === error.message ? 'debug' : 'warn'](
      { err: error, model: embedder.key, retry_in_ms },
      'vectors of actions could not be computed; those without are found by words alone');
    this.#failure = error.message;
    return 'over';
  }

  /** Whether the provider makes a vector of the harmless text, and so works. Never rejects. */
  async #answersOthers(): Promise<boolean> {
    const { meters, embedder, signal } = this.#options;
    const limit = deadline(HARMLESS_MS, signal);
    try {
      await vectorsOf(embedder, meters, [HARMLESS_TEXT], 'action', limit.signal);
      return true;
    } catch {
      return false;
    } finally {
      limit.end();
    }
  }

  #tell(): void {
    const { log, embedder } = this.#options;
    if (performance.now() - this.#told_ms < PROGRESS_MS) return;
    this.#told_ms = performance.now();
    const { texts, computed } = this.#lease();
    log.info({ model: embedder.key, texts, computed }, 'vectors of actions are being computed');
  }

  #tellEnd(): void {
    const { log, embedder } = this.#options;
    this.#failure = undefined;
    this.#told_ms = -Infinity;
    const { texts, computed } = this.#lease();
    log.info({ model: embedder.key, texts, computed }, 'vectors of actions are computed');
  }
}
