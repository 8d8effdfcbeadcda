/** How a worker shows that it lives. */
import { hostname } from 'node:os';
import { coalesce } from '../coalesce.ts';
import type { Config } from '../config.ts';
import { newId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Sql } from '../store/database.ts';
import { KEPT_LEASES, LeaseKeeper } from './leaseKeeper.ts';
import { removeWorker, renewUnlocked, renewWorker } from '../store/workers.ts';

/** Pause before the lock is tried again; each is twice the one before. */
const FIRST_PAUSE_MS = 50;

export interface LeaseOptions {
  /** The worker's, as the node tells of it; a new one if it tells of none. */
  id?: string;
  sql: Sql;
  /** A connection of its own (a pool of one): the worker's advisory lock lives and dies with it. */
  lock: Sql;
  config: Pick<Config, 'lease_ms'>;
  log: Log;
  /** Where the database is: a thread of its own keeps the lease while this one is busy. */
  keeper_url?: string | undefined;
  /** Called after each renewal; `doubted`: until then others may have taken the worker for gone. */
  onRenewed(doubted: boolean): void;
}

/**
 * A lease that is renewed on the connection that holds the worker's lock. When that is lost, others
 * soon take the worker for gone: so it says on another connection, which mostly stands already,
 * that it lives, while it takes the lock anew.
 */
export class Lease {
  readonly id: string;
  readonly #options: LeaseOptions;
  readonly #renewing = coalesce(() => this.#renewSafely());
  readonly #renewingUnlocked = coalesce(() => this.#renewUnlocked());
  #timer: NodeJS.Timeout | undefined;
  #keeper: LeaseKeeper | undefined;
  #again: NodeJS.Timeout | undefined;
  #pause_ms = FIRST_PAUSE_MS;
  #renewed_ms = -Infinity;
  #lost_lock_ms = -Infinity;
  #holds_lock = false;
  #is_known = false;
  #stopped = false;

  constructor(options: LeaseOptions) {
    this.#options = options;
    this.id = options.id ?? newId('wrk');
  }

  /** Whether it was renewed within its time, as far as this process knows. */
  get alive(): boolean {
    return performance.now() - this.#renewed_ms < this.#options.config.lease_ms;
  }

  /** Whether others know that the worker lives, and so leave it the runs that it claims. */
  get is_known(): boolean {
    return this.#is_known;
  }

  /**
   * Whether the lock was not lost for as long as a lease lasts. Else others may have lost theirs by
   * the same trouble, and not be back yet: that their locks are free says nothing.
   */
  get is_undisturbed(): boolean {
    return performance.now() - this.#lost_lock_ms > this.#options.config.lease_ms;
  }

  /** How long the keeper's thread keeps the lease of a busy process; 0: there is no keeper. */
  get kept_ms(): number {
    return this.#keeper?.is_at_work ? KEPT_LEASES * this.#options.config.lease_ms : 0;
  }

  /** Takes it, and renews it from now on. Throws if the database cannot be reached. */
  async start(): Promise<void> {
    const { lock, config, keeper_url: url, log } = this.#options;
    await this.#renew();
    // Not before: whoever could not start closes that connection, and is not to come to life by it.
    lock.onClose(() => this.#onLockLost());
    this.#timer = setInterval(() => this.#renewing.request(), config.lease_ms / 3);
    if (url === undefined) return;
    this.#keeper = new LeaseKeeper(this.id, config.lease_ms, { url, log });
    await this.#keeper.ready;
  }

  /** The connections to the database may stand again. */
  renewIfDoubted(): void {
    if (!this.#is_known && !this.#stopped) this.#renewing.request();
  }

  /** Renews it no more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    clearTimeout(this.#again);
    await this.#keeper?.stop();
    await this.#renewing.idle();
    await this.#renewingUnlocked.idle();
  }

  /** Gives it up: the worker's runs may be claimed at once. */
  async end(): Promise<void> {
    const { sql, lock, log } = this.#options;
    await removeWorker(sql, this.id).catch((error: unknown) =>
      log.warn({ err: error }, 'the worker could not sign off; its lease runs out by itself'));
    await lock.end({ timeout_ms: 1_000 });
  }

  #onLockLost(): void {
    this.#holds_lock = false;
    this.#is_known = false;
    this.#lost_lock_ms = performance.now();
    if (!this.#stopped) this.#renewing.request();
  }

  async #renewSafely(): Promise<void> {
    // Neither waits for the other: each may need as long as a lease for a connection.
    if (!this.#holds_lock) this.#renewingUnlocked.request();
    try {
      await this.#renew();
    } catch (error) {
      this.#options.log.warn(
        { err: error, worker_id: this.id }, 'the lease could not be renewed with its lock');
      this.#renewSoon();
    }
  }

  async #renew(): Promise<void> {
    const { lock, log } = this.#options;
    const asked_ms = performance.now();
    this.#holds_lock = await renewWorker(lock, this.#row);
    this.#renewed(asked_ms);
    if (this.#holds_lock) this.#pause_ms = FIRST_PAUSE_MS;
    else {
      log.warn({ worker_id: this.id }, 'the lock of this worker is held by a connection it lost');
      this.#renewSoon();
    }
  }

  async #renewUnlocked(): Promise<void> {
    const { sql, log } = this.#options;
    const asked_ms = performance.now();
    try {
      await renewUnlocked(sql, this.#row);
      this.#renewed(asked_ms);
      // Meanwhile the lock was taken again, but this has written that it is not held: so the lease
      // is renewed once more, with the lock.
      if (this.#holds_lock && !this.#stopped) this.#renewing.request();
    } catch (error) {
      log.warn({ err: error, worker_id: this.id }, 'the lease could not be renewed');
    }
  }

  #renewed(asked_ms: number): void {
    const doubted = !this.#is_known || !this.alive;
    this.#is_known = true;
    this.#renewed_ms = asked_ms;
    this.#options.onRenewed(doubted);
  }

  #renewSoon(): void {
    if (this.#stopped) return;
    clearTimeout(this.#again);
    this.#again = setTimeout(() => this.#renewing.request(), this.#pause_ms);
    this.#pause_ms = Math.min(this.#pause_ms * 2, this.#options.config.lease_ms / 3);
  }

  get #row() {
    return { id: this.id, host: hostname(), lease_ms: this.#options.config.lease_ms };
  }
}
