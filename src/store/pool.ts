import type { Connection, Opener } from './connection.ts';
import { lost } from './lost.ts';

/** Something that wants a connection, for a limited time. */
interface Task {
  /** Gives it a connection, or what kept it from one. */
  start(connection: Connection): void;
  fail(error: unknown): void;
}

/**
 * At most `max` connections, opened when they are needed. One task has a connection at a time, and
 * who finds none free waits its turn. (With several queries on a connection, one behind the other,
 * those that waited for a connection starved for as long as the connections were kept busy.)
 */
export class Pool {
  readonly #opener: Opener;
  readonly #max: number;
  readonly #idle: Connection[] = [];
  readonly #all = new Set<Connection>();
  /** In the order they came; a task that gives up leaves it. */
  readonly #waiting = new Set<Task>();
  readonly #onclose: () => void;
  /** Connections, those that are being opened among them. */
  #count = 0;
  #opening = 0;
  #ended = false;
  #drained: (() => void) | undefined;

  constructor(opener: Opener, options: { max: number; onclose?: () => void }) {
    this.#opener = opener;
    this.#max = options.max;
    this.#onclose = options.onclose ?? (() => {});
  }

  /**
   * Does `work` on a connection of its own. Rejects when that takes longer than `limit_ms`, the
   * wait for the connection included: a database that says nothing any more is away. The connection
   * is then given up, and with it those that are idle: they would say nothing either.
   */
  use<T>(work: (connection: Connection) => Promise<T>, limit_ms: number): Promise<T> {
    if (this.#ended) return Promise.reject(lost('the pool has ended', 'CONNECTION_ENDED'));
    return new Promise<T>((resolve, reject) => {
      let used: Connection | undefined;
      const timer = setTimeout(() => {
        const late = lost(`the database took longer than ${limit_ms} ms`, 'STATEMENT_TIMEOUT');
        this.#waiting.delete(task);
        if (used) this.#giveUp(used, late);
        reject(late);
      }, limit_ms);
      const task: Task = {
        fail: (error) => {
          clearTimeout(timer);
          reject(error as Error);
        },
        start: (connection) => {
          used = connection;
          void work(connection).then(resolve, (error: unknown) => {
            if (isOfStandby(error)) this.#giveUp(connection, error as Error);
            reject(error as Error);
          }).finally(() => {
            clearTimeout(timer);
            this.#release(connection);
          });
        },
      };
      this.#waiting.add(task);
      this.#serve();
    });
  }

  /** How many connections are at work, and how many tasks wait for one. */
  get load(): { in_use: number; waiting: number } {
    return { in_use: this.#count - this.#idle.length, waiting: this.#waiting.size };
  }

  /** Refuses new work, waits so long for what is under way, and closes every connection. */
  async end(limit_ms: number): Promise<void> {
    this.#ended = true;
    if (this.#idle.length < this.#count) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#drained = resolve;
      const timer = setTimeout(resolve, limit_ms);
      await promise;
      clearTimeout(timer);
    }
    const ended = lost('the pool has ended', 'CONNECTION_ENDED');
    for (const task of this.#waiting) task.fail(ended);
    this.#waiting.clear();
    const idle = this.#idle.splice(0);
    for (const connection of this.#all) {
      if (!idle.includes(connection)) connection.destroy(ended);
    }
    await Promise.all(idle.map((connection) => connection.close()));
  }

  /** Gives connections to those that wait: idle ones, then new ones. */
  #serve(): void {
    while (this.#waiting.size > 0 && this.#idle.length > 0) {
      this.#next()!.start(this.#idle.pop()!);
    }
    // What is being opened will serve one each.
    while (this.#waiting.size > this.#opening && this.#count < this.#max) void this.#open();
    if (this.#ended && this.#waiting.size === 0 && this.#idle.length === this.#count) {
      this.#drained?.();
    }
  }

  #next(): Task | undefined {
    for (const task of this.#waiting) {
      this.#waiting.delete(task);
      return task;
    }
    return undefined;
  }

  async #open(): Promise<void> {
    this.#count += 1;
    this.#opening += 1;
    try {
      const connection = await this.#opener.open();
      this.#all.add(connection);
      connection.onLost = () => this.#forget(connection);
      this.#opening -= 1;
      this.#release(connection);
    } catch (error) {
      this.#count -= 1;
      this.#opening -= 1;
      this.#next()?.fail(error);
      this.#serve();
    }
  }

  #release(connection: Connection): void {
    if (connection.loss === undefined) this.#idle.push(connection);
    this.#serve();
  }

  #forget(connection: Connection): void {
    this.#count -= 1;
    this.#all.delete(connection);
    const place = this.#idle.indexOf(connection);
    if (place >= 0) this.#idle.splice(place, 1);
    this.#onclose();
    this.#serve();
  }

  #giveUp(connection: Connection, reason: Error): void {
    connection.destroy(reason);
    for (const idle of this.#idle.splice(0)) idle.destroy(reason);
  }
}

/** The connection leads to a standby, or a primary that was demoted: another one is needed. */
function isOfStandby(error: unknown): boolean {
  return (error as { code?: string } | null)?.code === '25006';
}
