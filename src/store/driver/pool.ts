import { LRUCache } from 'lru-cache';
import { steadyClock } from '../../clock.ts';
import { FairQueue } from '../../fairQueue.ts';
import { patience } from '../../patience.ts';
import type { DatabaseConnection, ConnectionOpener } from './connection.ts';
import { NO_PRIMARY } from './hostFailures.ts';
import { lost, SHARE_USED_UP } from './lost.ts';
import { Task, type Kind, type TaskOptions } from './task.ts';

// A task that takes longer than this is slow: mostly it waits for a lock.
const SLOW_MS = 1_000;
// How long a kind of task counts as slow after one of it was. Others of the kind may be quick.
const SUSPECT_MS = 5_000;
/** For how many pairs of a kind and a share the pool knows when a task was done last. */
const KEPT_DONE = 2_000;
/** Who had a connection for no longer of late leaves all of them to another: 1 % of one. */
const LITTLE_MS = 15;
/** Between two tries to have one more connection, while others stand. */
const OPEN_PAUSE_MS = 100;

/**
 * At most `max` connections, opened when they are needed. A connection serves one task at a time;
 * a task that finds none free waits its turn. (With several queries in line on each connection,
 * tasks that waited for a connection starved for as long as the connections were kept busy.)
 *
 * A quarter of the connections is the reserve: only kinds of tasks that were not slow of late have
 * them, and one for each, so that those that need a locked table do not keep the others from being
 * served. (With one count for all of them, the reserve got each that became free, and a kind that
 * was slow once had none while others came.)
 *
 * Of those that wait, the first of the workspace that has kept connections for the least time of
 * late is next, so that one that asks for much waits for itself. While others ask as well, one
 * workspace has half of the connections at most, beside the reserve: what it asks for keeps the
 * processors of the database busy, also for the others. (Lists of a megabyte: with all of the
 * connections at work, the others' answers took twice as long, and there were no more lists.)
 */
export class Pool {
  readonly #opener: ConnectionOpener;
  readonly #max: number;
  readonly #reserve: number;
  readonly #idle: DatabaseConnection[] = [];
  readonly #all = new Set<DatabaseConnection>();
  /** By share; a task that gives up leaves it. */
  readonly #waiting = new FairQueue<string | undefined, Task<unknown>>(steadyClock);
  readonly #running = new Set<Task<unknown>>();
  /** Those of them that have a connection of the reserve. */
  readonly #inReserve = new Set<Task<unknown>>();
  /** The kinds that were slow, and until when they count as such. */
  readonly #slow = new Map<Kind, number>();
  /** When something of a kind was done last for a share. */
  readonly #done = new LRUCache<string, number>({ max: KEPT_DONE });
  readonly #kinds = new Map<Kind, number>();
  readonly #onClose: () => void;
  /** Connections, including those that are being opened. */
  #count = 0;
  #opening = 0;
  /** Until then none is opened while others stand. */
  #open_again_ms = 0;
  #ended = false;
  /** Once what was under way had its time: why no connection stands any more. */
  #closed: Error | undefined;
  #drained: (() => void) | undefined;

  constructor(opener: ConnectionOpener, options: { max: number; onClose: () => void }) {
    this.#opener = opener;
    this.#max = options.max;
    // Two or three connections have no reserve: with one, a slow task would keep all tasks of its
    // kind waiting.
    this.#reserve = options.max < 4 ? 0 : Math.round(options.max / 4);
    this.#onClose = options.onClose;
  }

  /**
   * Does `work` on a connection of its own. Rejects when that takes longer than `limit_ms`, or than
   * there is patience for, the wait for the connection included. Work that has begun then keeps its
   * connection until the database has ended its statement, and must begin no other.
   */
  use<T>(options: Omit<TaskOptions<T>, 'patience' | 'onOver'>): Promise<T> {
    if (this.#ended) return Promise.reject(lost('the pool has ended', 'CONNECTION_ENDED'));
    const own = patience();
    if (own?.left_ms === 0) {
      return Promise.reject(lost('who asks has waited for too long', 'STATEMENT_TIMEOUT'));
    }
    const onOver = (task: Task<unknown>) => {
      this.#waiting.delete(task.share, task);
      return this.#isCrowdedOut(task) ? usedUp() : undefined;
    };
    const task = new Task({ ...options, patience: own, onOver });
    this.#waiting.add(task.share, task);
    this.#serve();
    return task.result;
  }

  /** How many connections are at work, and how many tasks wait for one. */
  get load(): { in_use: number; waiting: number } {
    return { in_use: this.#count - this.#idle.length, waiting: this.#waiting.size };
  }

  /** Refuses new work, waits up to `limit_ms` for what is under way, closes all connections. */
  async end(limit_ms: number): Promise<void> {
    this.#ended = true;
    if (this.#idle.length < this.#count) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#drained = resolve;
      const timer = setTimeout(resolve, limit_ms);
      await promise;
      clearTimeout(timer);
    }
    const ended = this.#closed = lost('the pool has ended', 'CONNECTION_ENDED');
    for (const task of [...this.#waiting]) {
      this.#waiting.delete(task.share, task);
      task.fail(ended);
    }
    const idle = this.#idle.splice(0);
    for (const connection of this.#all) {
      if (!idle.includes(connection)) connection.destroy(ended);
    }
    await Promise.all(idle.map((connection) => connection.close()));
  }

  /** Gives connections to the waiting tasks: idle ones first, then new ones. */
  #serve(): void {
    while (this.#waiting.size > 0 && this.#idle.length > 0) {
      const task = this.#next();
      if (!task) break;
      void this.#run(task, this.#idle.pop()!);
    }
    // Each connection that is being opened will serve one of them.
    while (this.#waiting.size > this.#opening && this.#count < this.#max && this.#mayOpen()) {
      void this.#open();
    }
    if (this.#ended && this.#waiting.size === 0 && this.#idle.length === this.#count) {
      this.#drained?.();
    }
  }

  async #run(task: Task<unknown>, connection: DatabaseConnection): Promise<void> {
    this.#waiting.delete(task.share, task);
    const endShare = this.#waiting.begin(task.share);
    this.#running.add(task);
    await task.start(connection);
    endShare();
    if (task.is_done) this.#done.set(this.#keyOf(task), performance.now());
    this.#running.delete(task);
    this.#inReserve.delete(task);
    this.#noteIfSlow(task, performance.now());
    this.#release(connection);
  }

  /** The next that may have a connection now; notes whether that is one of the reserve. */
  #next(): Task<unknown> | undefined {
    const ordinary = this.#max - this.#reserve;
    if (this.#running.size - this.#inReserve.size < ordinary) {
      // Of two or three connections half is one: a slow task would keep all of its share waiting.
      const half = this.#reserve === 0 ? ordinary : Math.ceil(ordinary / 2);
      const task = this.#waiting.next(undefined, (share) => share === undefined
        || this.#waiting.underWay(share) < half || this.#waiting.countActive(LITTLE_MS) === 1);
      if (task || this.#inReserve.size >= this.#reserve) return task;
    }
    const now_ms = performance.now();
    const running = new Set<Kind>();
    for (const task of this.#running) {
      this.#noteIfSlow(task, now_ms);
      running.add(task.kind);
    }
    const task = this.#waiting.next(({ kind }) =>
      !running.has(kind) && (this.#slow.get(kind) ?? 0) <= now_ms);
    if (task) this.#inReserve.add(task);
    return task;
  }

  /**
   * Whether tasks of the same kind and share were done while this one waited: then the database
   * works, and the share itself keeps its connections busy.
   */
  #isCrowdedOut(task: Task<unknown>): boolean {
    return task.share !== undefined && task.started_ms === 0
      && (this.#done.get(this.#keyOf(task)) ?? 0) > task.since_ms;
  }

  #keyOf({ kind, share = '' }: Task<unknown>): string {
    let number = this.#kinds.get(kind);
    if (number === undefined) this.#kinds.set(kind, number = this.#kinds.size);
    return `${number} ${share}`;
  }

  #noteIfSlow({ kind, started_ms }: Task<unknown>, now_ms: number): void {
    if (now_ms - started_ms >= SLOW_MS) this.#slow.set(kind, now_ms + SUSPECT_MS);
  }

  #mayOpen(): boolean {
    return this.#all.size === 0 || performance.now() >= this.#open_again_ms;
  }

  async #open(): Promise<void> {
    this.#count += 1;
    this.#opening += 1;
    try {
      const connection = await this.#opener.open();
      if (this.#closed) connection.destroy(this.#closed);
      this.#all.add(connection);
      connection.onLost = (loss) => this.#forget(connection, loss);
      this.#opening -= 1;
      this.#release(connection);
    } catch (error) {
      this.#count -= 1;
      this.#opening -= 1;
      this.#withoutOneMore(error);
    }
  }

  /**
   * No further connection could be opened: the server may have no room for one more
   * (max_connections, its queue of those who connect). If there are others, they serve the tasks
   * that wait, and opening is tried again later. If there is none, the first task fails.
   */
  #withoutOneMore(error: unknown): void {
    const first = this.#waiting.next();
    if (this.#all.size > 0) {
      this.#open_again_ms = performance.now() + OPEN_PAUSE_MS;
      setTimeout(() => this.#serve(), OPEN_PAUSE_MS + 1).unref();
    } else if (first) {
      this.#waiting.delete(first.share, first);
      first.fail(error);
    }
    this.#serve();
  }

  #release(connection: DatabaseConnection): void {
    if (connection.loss === undefined) this.#idle.push(connection);
    this.#serve();
  }

  #forget(connection: DatabaseConnection, loss: Error & { code?: string }): void {
    this.#count -= 1;
    this.#all.delete(connection);
    const place = this.#idle.indexOf(connection);
    if (place >= 0) this.#idle.splice(place, 1);
    this.#onClose();
    // The idle ones lead to the same server, which is silent, or takes no writes any more.
    if (loss.code === 'STATEMENT_TIMEOUT' || loss.code === NO_PRIMARY) {
      for (const idle of this.#idle.splice(0)) idle.destroy(loss);
    }
    this.#serve();
  }
}

function usedUp(): Error {
  return lost('others of the same workspace had the connections meanwhile', SHARE_USED_UP);
}
