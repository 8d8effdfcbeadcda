/**
 * The laboratory of one scenario: a database, nodes on it, what clients were promised, and what
 * was seen. Whatever it starts ends with its owner.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Test } from 'tap';
import { createFirstCredentials, type FirstCredentials } from '../../src/accounts/accounts.ts';
import type { Sql } from '../../src/store/database.ts';
import { testDatabase } from '../support/database.ts';
import { Journal } from './journal.ts';
import { Ledger } from './ledger.ts';
import { Patience } from './patience.ts';
import type { Random } from './random.ts';
import { ServiceNode, type NodeOptions } from './serviceNode.ts';
import { Upstream } from './upstream.ts';

export type Owner = Pick<Test, 'teardown'>;

/** short: part of `make test`; long: `make torture`. */
export type Scale = 'short' | 'long';

/** A lease long enough for a busy machine, and short enough for tests that wait for its end. */
export const SHORT_LEASE_MS = 2_000;
const POLL_MS = 25;
/** What does not change for so long stands still, on a slow machine as well. */
export const STANDSTILL_MS = 60_000;

export class Lab {
  readonly scale: Scale;
  readonly owner: Owner;
  readonly journal: Journal;
  readonly ledger = new Ledger();
  readonly patience = new Patience();
  /** A scenario that leaves the database alone has no use for a 503. */
  database_is_disturbed = false;
  /** Where agents write to; undefined: no run of the scenario does. */
  upstream: Promise<Upstream> | undefined;
  /** Where requests go; a node that was ended stays until another takes its place. */
  readonly nodes: ServiceNode[] = [];
  readonly #processes = new Set<ChildProcess>();
  #database: { url: string; sql: Sql } | undefined;
  #credentials: FirstCredentials | undefined;
  #ended = false;

  constructor(options: { scale: Scale; owner: Owner; write: (line: string) => void }) {
    this.scale = options.scale;
    this.owner = options.owner;
    this.journal = new Journal(options.write);
    // A stopped process heeds SIGKILL alone.
    options.owner.teardown(() => this.end());
  }

  /** Ends every node; before the database goes, which they may be using as their own. */
  async end(): Promise<void> {
    this.#ended = true;
    await Promise.all([...this.#processes].map(async (child) => {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    }));
  }

  /** The one or the other number. */
  amount(short: number, long: number): number {
    return this.scale === 'short' ? short : long;
  }

  /**
   * Takes a migrated database of its own, or the one given; makes the first credentials unless
   * there are some.
   */
  async open(
    database?: { url: string; sql: Sql }, credentials?: FirstCredentials): Promise<void> {
    this.#database = database ?? await testDatabase(this.owner as Test);
    this.#credentials = credentials
      ?? await createFirstCredentials(this.#database.sql);
  }

  /** Straight to the database, past every fault. */
  get sql(): Sql {
    return this.#database!.sql;
  }

  get url(): string {
    return this.#database!.url;
  }

  get credentials(): FirstCredentials {
    return this.#credentials!;
  }

  /** Lets agents write somewhere, from now on. There have to be nodes. */
  async openUpstream(random: Random): Promise<void> {
    await (this.upstream ??= Upstream.open(this, random));
  }

  /** Starts so many nodes and adds them to `nodes`. */
  async addNodes(count: number, options: Partial<NodeOptions> = {}): Promise<ServiceNode[]> {
    const nodes = await Promise.all(Array.from({ length: count }, () => this.startNode(options)));
    this.nodes.push(...nodes);
    return nodes;
  }

  /** Starts a node, which gets no requests until it is in `nodes`. */
  async startNode(options: Partial<NodeOptions> = {}): Promise<ServiceNode> {
    if (this.#ended) throw new Error('the lab is closed');
    const begun_ms = performance.now();
    const node = await ServiceNode.start({
      database_url: this.url, ...options,
      env: {
        GATEHOUSE_CONCURRENCY: '6', GATEHOUSE_DATABASE_CONNECTIONS: '4',
        GATEHOUSE_RATE_PER_KEY: '0',
        ...(this.scale === 'short' && { GATEHOUSE_LEASE_MS: String(SHORT_LEASE_MS) }),
        ...options.env,
      },
    }, this.#processes);
    const took_ms = performance.now() - begun_ms;
    this.patience.started(took_ms);
    this.journal.measure('nodes start in', took_ms);
    void node.exited.then(({ code, signal }) => {
      if (node.ended_by_us || this.#ended) return;
      this.journal.violation(`a node ended by itself with ${signal ?? code}:\n${node.logTail()}`);
      // As whatever supervises it would do.
      if (this.nodes.includes(node)) this.replace(node, options).catch(() => {});
    });
    return node;
  }

  /** Starts a node in place of an ended one. */
  async replace(node: ServiceNode, options: Partial<NodeOptions> = {}): Promise<ServiceNode> {
    const successor = await this.startNode(options);
    this.nodes[this.nodes.indexOf(node)] = successor;
    return successor;
  }

  /**
   * Waits for a condition; false if it does not hold within the time. A promise of the service is
   * waited for as long as `patience.limit_ms` says.
   */
  async eventually(limit_ms: number, condition: () => Promise<boolean>): Promise<boolean> {
    const deadline_ms = performance.now() + limit_ms;
    for (;;) {
      if (await condition()) {
        this.patience.moved('what was waited for holds');
        return true;
      }
      if (performance.now() > deadline_ms) return false;
      await delay(POLL_MS);
    }
  }

  /** The prompt of a run that still goes on when others of its kind were made beside it. */
  longPrompt(lasts_ms: number, delay_ms: number): string {
    const words = Math.ceil(this.patience.limit_ms(lasts_ms) / delay_ms);
    return `@rehearsal words=${words} delay_ms=${delay_ms}`;
  }

  /** Waits until each of these runs was begun by some node. */
  async whenBegun(ids: string[]): Promise<void> {
    const { held } = await this.whileItMoves(() => this.sql<{ status: string; attempt: number }[]>`
      select status, attempt from runs where id = any(${ids}::text[])`,
    (runs) => runs.every(({ attempt }) => attempt > 0));
    if (!held) this.journal.violation('runs that nothing stands against were not begun');
  }

  /**
   * Waits until what is looked at `holds`, for as long as it changes now and then; answers the
   * last that was seen, and whether it holds. For what has no time in its promise.
   */
  async whileItMoves<T>(
    look: () => Promise<T>, holds: (seen: T) => boolean): Promise<{ seen: T; held: boolean }> {
    let before = '';
    for (let moved_ms = performance.now(); ;) {
      const seen = await look();
      if (holds(seen)) return { seen, held: true };
      const now = JSON.stringify(seen);
      if (now !== before) {
        moved_ms = performance.now();
        this.patience.moved(now.slice(0, 300));
      }
      before = now;
      if (performance.now() - moved_ms > STANDSTILL_MS) return { seen, held: false };
      await delay(POLL_MS);
    }
  }
}
