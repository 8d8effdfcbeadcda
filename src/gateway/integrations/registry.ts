/** The integrations as this process has them in memory, as of a version of the database. */
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
}

interface Built {
  /** Its integration and revision: the same slug may later be given to another integration. */
  version: string;
  source: OpenSource;
}

/**
 * What there is to call. Nodes need no notice of a change: each call reads the version in the
 * database, and a node that has another version in memory loads before it answers.
 */
export class Registry {
  readonly #options: RegistryOptions;
  readonly #built = new Map<string, Built>();
  /** Those of earlier revisions that the inventory still has: loading may have failed halfway. */
  readonly #replaced: OpenSource[] = [];
  /** Sources of earlier revisions that calls still use. */
  readonly #draining = new Set<OpenSource>();
  #inventory: Inventory;
  #version = 0;
  #loading: Promise<void> | undefined;
  #warming: Promise<void> | undefined;
  #is_warm = false;

  /** Throws an Error if two sources have the same slug. */
  constructor(options: RegistryOptions) {
    this.#options = options;
    this.#inventory = new Inventory(options.fixed);
  }

  /** The inventory as of `version` or later. */
  async at(version: number): Promise<Inventory> {
    while (this.#version < version) {
      // For all who wait for it, and so without the patience of whoever comes first.
      this.#loading ??= unhurried(() => this.#load()).finally(() => { this.#loading = undefined; });
      await patiently(this.#loading);
    }
    return this.#inventory;
  }

  /** Whether what there was to load has been loaded once: if it has not, that begins now. */
  isWarm(): boolean {
    if (!this.#is_warm) void this.warm();
    return this.#is_warm;
  }

  /** Loads what there is, so that the first call does not wait for that. Failures are logged. */
  warm(): Promise<void> {
    return this.#warming ??= this.#warm();
  }

  async #warm(): Promise<void> {
    const { sql, log } = this.#options;
    try {
      await this.at(await integrationsVersion(sql));
      this.#is_warm = true;
    } catch (error) {
      log.warn({ err: error }, 'the integrations could not be loaded');
      this.#warming = undefined;
    }
  }

  async close(): Promise<void> {
    const sources = [...this.#draining, ...this.#replaced,
      ...[...this.#built.values()].map(({ source }) => source)];
    await Promise.all(sources.map((source) => this.#end(source, () => source.close?.())));
  }

  async #load(): Promise<void> {
    const { sql, log, fixed } = this.#options;
    // The version is read before the rows, so these may be newer than it but never older.
    const version = await integrationsVersion(sql);
    const rows = await allIntegrations(sql);
    const gone = new Map(this.#built);
    for (const row of rows) {
      const built = this.#built.get(row.slug);
      const version = `${row.id} ${row.revision}`;
      gone.delete(row.slug);
      if (built?.version !== version) {
        const source = await this.#build(row, built?.source);
        this.#built.set(row.slug, { version, source });
        if (built) this.#replaced.push(built.source);
      }
    }
    for (const [slug, { source }] of gone) {
      this.#built.delete(slug);
      void this.#end(source, () => source.close?.());
    }
    for (const source of this.#replaced.splice(0)) void this.#drain(source);
    this.#inventory = new Inventory(
      [...fixed, ...[...this.#built.values()].map(({ source }) => source)]);
    this.#version = version;
    // Nobody waits for it: a search that comes before makes what it needs.
    makeIndexes(this.#inventory.sources)
      .catch((error: unknown) => log.error({ err: error }, 'indexes could not be made'));
  }

  /** A source that cannot be made gets no actions, so that the other integrations do not suffer. */
  async #build(row: IntegrationRow, before: OpenSource | undefined): Promise<OpenSource> {
    const { sql, log, build } = this.#options;
    try {
      return await build(row, await actionsOf(sql, row.slug), before);
    } catch (error) {
      // The next who asks tries again: it would be without actions until it is changed.
      if (isUnavailable(error)) throw error;
      log.error({ err: error, integration: row.slug }, 'an integration could not be loaded');
      const { slug, title, auth_methods, workspace_ids } = row;
      return { integration: { slug, title, auth_methods, workspace_ids }, actions: [] };
    }
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
