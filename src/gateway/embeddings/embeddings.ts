/** The vectors of all actions of this process, and how near they are to a query. */
import { randomUUID } from 'node:crypto';
import { Background } from '../../coalesce.ts';
import type { Log } from '../../log.ts';
import { Slices } from '../../slices.ts';
import { noteEmbeddings, readEmbeddings } from '../../store/embeddings.ts';
import type { Sql } from '../../store/database.ts';
import type { Meters } from '../../telemetry/metrics.ts';
import { actionText, hashOf, type EmbeddedAction } from './actionText.ts';
import { Computing } from './computing.ts';
import type { Embedder } from './embedder.ts';
import { QueryVectors } from './queryVectors.ts';
import { VectorTable } from './vectorTable.ts';

export interface EmbeddingsOptions {
  sql: Sql;
  log: Log;
  meters: Meters;
  embedder: Embedder;
  /** The actions that there are now, in lists that stay the same while their sources do. */
  lists(): Promise<readonly (readonly EmbeddedAction[])[]>;
  /** Between two looks for new actions, and for vectors that another node has computed. */
  interval_ms?: number | undefined;
  /** See ComputingOptions. */
  retry_ms?: number | undefined;
  /** See QueryVectorsOptions. */
  wait_ms?: number | undefined;
}

/**
 * How near a query is to each action of a list: by how many standard deviations its cosine is above
 * the mean of all actions, because cosines alone mean something else with each model. NaN for an
 * action without a vector; undefined for a list that is not known yet.
 */
export type Nearness = (actions: readonly EmbeddedAction[]) => Float32Array | undefined;

const INTERVAL_MS = 5_000;
const READ_ROWS = 500;
/** What is done in a turn of the event loop takes some two milliseconds. */
const SLICE_TEXTS = 50;
const SLICE_NUMBERS = 1_000_000;

export class Embeddings {
  readonly #options: EmbeddingsOptions;
  readonly #queries: QueryVectors;
  readonly #computing: Computing;
  readonly #syncing: Background;
  readonly #slices = new Slices(1);
  #tables = new Map<readonly EmbeddedAction[], VectorTable>();
  /** The day on which the database was told what is in use. */
  #noted_on = '';

  constructor(options: EmbeddingsOptions) {
    this.#options = options;
    this.#syncing = new Background((signal) => this.#sync(signal),
      options.interval_ms ?? INTERVAL_MS);
    this.#queries = new QueryVectors(options);
    this.#computing = new Computing({
      ...options, node_id: randomUUID(), signal: this.#syncing.signal,
      read: () => this.#read(), take: (hash, vector) => this.#take(hash, vector),
      tables: () => [...this.#tables.values()],
    });
  }

  /** Begins to read and compute vectors, and goes on in the background. */
  open(): void {
    this.#syncing.open();
    this.#syncing.request();
  }

  async close(): Promise<void> {
    this.#queries.close();
    await this.#syncing.close();
  }

  /** How many actions have a vector, wait for one, or were refused one. */
  progress(): { computed: number; pending: number; refused: number } {
    const counts = { computed: 0, pending: 0, refused: 0 };
    for (const { actions, missing, pending } of this.#tables.values()) {
      const refused = missing.entries().reduce((sum, [hash, places]) =>
        sum + (this.#computing.refuses(hash) ? places.length : 0), 0);
      counts.computed += actions.length - pending;
      counts.pending += pending - refused;
      counts.refused += refused;
    }
    return counts;
  }

  /**
   * How near the query is to actions; undefined if that cannot be told soon: search then goes by
   * words alone. Never rejects.
   */
  async near(query: string): Promise<Nearness | undefined> {
    const tables = [...this.#tables.values()].filter(({ dimensions }) => dimensions !== null);
    const vector = tables.length === 0 ? 'computing'
      : await this.#queries.of(query.trim().toWellFormed());
    const outcome = typeof vector === 'string' ? vector : 'blended';
    this.#options.meters.embedding_searches_total.add(1, { outcome });
    if (typeof vector === 'string') return undefined;
    const nearOf = nearness(await this.#compare(tables, vector));
    return (actions) => {
      // New actions are looked at as soon as somebody searches among them.
      if (!this.#tables.has(actions)) this.#syncing.request();
      return nearOf(actions);
    };
  }

  async #sync(signal: AbortSignal): Promise<void> {
    const { log, lists } = this.#options;
    try {
      const found = await lists();
      const tables = new Map<readonly EmbeddedAction[], VectorTable>();
      for (const actions of found) {
        tables.set(actions, this.#tables.get(actions) ?? await this.#tableOf(actions));
      }
      this.#tables = tables;
      await this.#read();
      await this.#computing.run();
      await this.#note();
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ err: error }, 'vectors of actions could not be read or stored');
    }
  }

  async #tableOf(actions: readonly EmbeddedAction[]): Promise<VectorTable> {
    const hashes: string[] = [];
    for (const action of actions) {
      if (hashes.push(hashOf(actionText(action))) % SLICE_TEXTS === 0) await this.#slices.pass();
    }
    return new VectorTable(actions, hashes);
  }

  /** The cosines of all actions, in slices: 10,000 vectors of 3,072 numbers take 60 ms. */
  async #compare(tables: readonly VectorTable[], query: Int8Array): Promise<Cosines> {
    const cosines: Cosines = new Map();
    const slice = Math.ceil(SLICE_NUMBERS / query.length);
    let rest = slice;
    for (const table of tables) {
      const found = new Float32Array(table.actions.length);
      for (let from = 0, to: number; from < found.length; from = to) {
        to = Math.min(found.length, from + rest);
        table.compare(query, found, from, to);
        rest -= to - from;
        if (rest > 0) continue;
        rest = slice;
        await this.#slices.pass();
      }
      cosines.set(table.actions, found);
    }
    return cosines;
  }

  /** Takes over what the database has of what is missing. */
  async #read(): Promise<void> {
    const { sql, embedder } = this.#options;
    const hashes = new Set([...this.#tables.values()]
      .flatMap(({ missing }) => [...missing.keys()]));
    for (const some of slices([...hashes])) {
      for (const { sha256, vector } of await readEmbeddings(sql, embedder.key, some)) {
        this.#take(sha256, new Int8Array(vector));
      }
    }
  }

  #take(hash: string, vector: Int8Array): void {
    for (const table of this.#tables.values()) table.take(hash, vector);
  }

  /** Once a day, so that vectors in use are told from those of former texts. */
  async #note(): Promise<void> {
    const { sql, embedder } = this.#options;
    const today = new Date().toISOString().slice(0, 10);
    if (this.#noted_on === today) return;
    for (const { actions } of this.#tables.values()) {
      for (const some of slices(actions)) {
        await noteEmbeddings(sql, embedder.key,
          some.map((action) => hashOf(actionText(action))));
      }
    }
    this.#noted_on = today;
  }
}

function slices<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / READ_ROWS) },
    (_, i) => all.slice(i * READ_ROWS, (i + 1) * READ_ROWS));
}

type Cosines = Map<readonly EmbeddedAction[], Float32Array>;

function nearness(cosines: Cosines): Nearness {
  let [count, sum, squares] = [0, 0, 0];
  for (const list of cosines.values()) {
    for (const cosine of list) {
      if (Number.isNaN(cosine)) continue;
      count += 1;
      sum += cosine;
      squares += cosine * cosine;
    }
  }
  const mean = sum / count;
  // All alike: none is nearer than another.
  const deviation = Math.sqrt(Math.max(0, squares / count - mean * mean)) || 1;
  return (actions) => cosines.get(actions)?.map((cosine) => (cosine - mean) / deviation);
}
