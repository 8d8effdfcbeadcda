/** The integrations as this process has them in memory, as of a version of the database. */
import { steadyClock, type Clock } from '../../clock.ts';
import { Background } from '../../coalesce.ts';
import { untilAborted } from '../../deadline.ts';
import type { Log } from '../../log.ts';
import { patiently, unhurried } from '../../patience.ts';
import { isUnavailable, type Sql } from '../../store/database.ts';
import {
  actionsOf, allIntegrations, integrationsVersion, type IntegrationRow, type StoredAction,
} from '../../store/integrations.ts';
import type { ActionSource, OpenSource } from '../action/action.ts';
import { Inventory } from '../catalogue/inventory.ts';
import { makeIndexes } from '../catalogue/searchIndexes.ts';

export interface RegistryOptions {
  sql: Sql;
  log: Log;
  /** Sources that are always there. */
  fixed: readonly ActionSource[];
  /**
   * Makes the source of an integration; `stored` are its actions as the database has them. The
   * source may take over what its predecessor `before` holds open; the `drain` of `before` then
   * leaves that open.
   */
  build(
    row: IntegrationRow, stored: readonly StoredAction[], before: OpenSource | undefined,
  ): Promise<OpenSource>;
  clock?: Clock;
  /** Between two looks for changes while nobody calls; 10 s by default. */
  look_ms?: number;
}

interface Built {
  /**
   * Its integration, revision and change: the same slug may later be given to another integration,
   * and a number of a revision again, where a failover has lost the first.
   */
  version: string;
  source: OpenSource;
  /** Why it has no actions; null if it could be made. */
  fault: BuildFault | null;
}

/** A source that could not be made. */
interface BuildFault {
  /** Of an earlier revision, not offered, but open for the one that takes its place. */
  before: OpenSource | undefined;
  message: string;
  tries: number;
  /** By the clock. */
  again_at_ms: number;
}

/**
 * Until it is made again: twice as long after each try. What failed may pass in a moment (a machine
 * that was busy at its start), and a document that can never be read takes a minute of CPU.
 */
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 600_000;
const LOOK_MS = 10_000;

/**
 * What there is to call. Nodes need no notice of a change: each call reads the version in the
 * database, and a node that has another version in memory loads before it answers. Where nobody
 * calls it is looked at now and then: the process of an integration that was removed is to end.
 */
export class Registry {
  readonly #options: RegistryOptions;
  readonly #clock: Clock;
  readonly #looking: Background;
  readonly #built = new Map<string, Built>();
  /** Those of earlier revisions that the inventory still has: loading may have failed halfway. */
  readonly #replaced: OpenSource[] = [];
  /** Sources of earlier revisions that calls still use. */
  readonly #draining = new Set<OpenSource>();
  #inventory: Inventory;
  #version = 0;
  /** When the first of those that could not be made is tried again. */
  #again_at_ms = Infinity;
  #loading: Promise<void> | undefined;
  #is_warm = false;

  /** Throws an Error if two sources have the same slug. */
  constructor(options: RegistryOptions) {
    this.#options = options;
    this.#clock = options.clock ?? steadyClock;
    this.#looking = new Background((signal) => this.#look(signal), options.look_ms ?? LOOK_MS);
    this.#inventory = new Inventory(options.fixed);
  }

  /**
   * The inventory as of `version` or later; as of now if the database, after a failover, knows of
   * no such version. Nobody waits for what could not be made and is tried again.
   */
  async at(version: number): Promise<Inventory> {
    // A failover has lost changes, unless another has just read of one.
    if (this.#version > version) await this.#loaded();
    // The first time may have begun before this version was written.
    for (let times = 0; this.#version < version && times < 2; times++) await this.#loaded();
    if (this.#clock() >= this.#again_at_ms) this.#tryAgain();
    return this.#inventory;
  }

  /** For all who wait for it, and so without the patience of whoever comes first. */
  #loaded(): Promise<void> {
    this.#loading ??= unhurried(() => this.#load()).finally(() => { this.#loading = undefined; });
    return patiently(this.#loading);
  }

  /** Whether what there was to load has been loaded once: if it has not, that begins now. */
  isWarm(): boolean {
    if (!this.#is_warm) this.#looking.request();
    return this.#is_warm;
  }

  /**
   * Loads what there is, so that the first call does not wait for that, and looks for changes from
   * then on. Failures are logged.
   */
  async warm(): Promise<void> {
    this.#looking.open();
    this.#looking.request();
    await this.#looking.idle();
  }

  /** What is being loaded when the service stops may take minutes: nobody waits for that. */
  async #look(signal: AbortSignal): Promise<void> {
    const { sql, log } = this.#options;
    const looked = integrationsVersion(sql).then((version) => this.at(version));
    try {
      await untilAborted(looked, signal);
      this.#is_warm = true;
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'the integrations could not be loaded');
    }
  }

  #tryAgain(): void {
    this.#loading ??= unhurried(() => this.#load())
      .catch((error: unknown) => {
        this.#again_at_ms = this.#clock() + FIRST_PAUSE_MS;
        this.#options.log.warn({ err: error }, 'the integrations could not be loaded');
      })
      .finally(() => { this.#loading = undefined; });
  }

  async close(): Promise<void> {
    await this.#looking.close();
    const sources = [...this.#draining, ...this.#replaced,
      ...[...this.#built.values()].map(openOf).filter((source) => source !== undefined)];
    await Promise.all(sources.map((source) => this.#end(source, () => source.close?.())));
    // What is still being loaded is ended once it is there.
    void this.#loading?.catch(() => {}).then(() => this.close());
  }

  async #load(): Promise<void> {
    const { sql, log, fixed } = this.#options;
    // The version is read before the rows, so these may be newer than it but never older.
    const version = await integrationsVersion(sql);
    const rows = await allIntegrations(sql);
    const gone = new Map(this.#built);
    for (const row of rows) {
      const built = this.#built.get(row.slug);
      const version = `${row.id} ${row.revision} ${row.updated_at}`;
      gone.delete(row.slug);
      if (built?.version === version
        && (built.fault === null || this.#clock() < built.fault.again_at_ms)) continue;
      const before = built && openOf(built);
      const next = await this.#build(row, version, built, before);
      this.#built.set(row.slug, next);
      if (before && next.fault === null) this.#replaced.push(before);
    }
    for (const [slug, built] of gone) {
      this.#built.delete(slug);
      const open = openOf(built);
      if (open) void this.#end(open, () => open.close?.());
    }
    for (const source of this.#replaced.splice(0)) void this.#drain(source);
    this.#inventory = new Inventory(
      [...fixed, ...[...this.#built.values()].map(({ source }) => source)]);
    this.#version = version;
    this.#again_at_ms = Math.min(...[...this.#built.values()]
      .map(({ fault }) => fault?.again_at_ms ?? Infinity));
    // Nobody waits for it: a search that comes before makes what it needs.
    makeIndexes(this.#inventory.sources)
      .catch((error: unknown) => log.error({ err: error }, 'indexes could not be made'));
  }

  /**
   * A source that cannot be made gets no actions, so that the other integrations do not suffer. Nor
   * does it keep those of an earlier revision: what was changed may be who is offered them, where
   * they go, or that they need an approval.
   */
  async #build(
    row: IntegrationRow, version: string, last: Built | undefined, before: OpenSource | undefined,
  ): Promise<Built> {
    const { sql, build } = this.#options;
    const failed = last?.version === version ? last : undefined;
    try {
      const source = await build(row, await actionsOf(sql, row.slug), before);
      return { version, source, fault: null };
    } catch (error) {
      // The next who asks tries again.
      if (isUnavailable(error)) throw error;
      const { slug, title, auth_methods, workspace_ids } = row;
      return { version, fault: this.#faultOf(error, slug, before, failed?.fault),
        source: failed?.source
          ?? { integration: { slug, title, auth_methods, workspace_ids }, actions: [] } };
    }
  }

  /** Tells it once as long as it is the same. */
  #faultOf(
    error: unknown, integration: string, before: OpenSource | undefined, last?: BuildFault | null,
  ): BuildFault {
    const message = String(error);
    if (message !== last?.message) {
      this.#options.log.error({ err: error, integration }, 'an integration could not be loaded');
    }
    const tries = (last?.tries ?? 0) + 1;
    const pause_ms = Math.min(FIRST_PAUSE_MS * 2 ** (tries - 1), LONGEST_PAUSE_MS);
    return { before, message, tries, again_at_ms: this.#clock() + pause_ms };
  }

  /** Calls under way go on; if a server changed its tools, their outcomes would else be unknown. */
  async #drain(source: OpenSource): Promise<void> {
    this.#draining.add(source);
    await this.#end(source, () => source.drain?.());
    this.#draining.delete(source);
  }

  async #end(source: OpenSource, end: () => Promise<void> | undefined): Promise<void> {
    try {
      await end();
    } catch (error) {
      const integration = source.integration.slug;
      this.#options.log.warn({ err: error, integration }, 'an integration did not close cleanly');
    }
  }
}

/** What it holds open: its own source, or that of an earlier revision if it could not be made. */
function openOf({ source, fault }: Built): OpenSource | undefined {
  return fault === null ? source : fault.before;
}
