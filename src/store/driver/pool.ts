import type { Connection, Opener } from './connection.ts';
import { lost } from './lost.ts';

/** Something that wants a connection, for a limited time. */
interface Task {
  start(connection: Connection): void;
  /** Ends it with the reason why it gets no connection. */
  fail(error: unknown): void;
}

/**
 * At most `max` connections, opened when they are needed. A connection serves one task at a time;
 * a task that finds none free waits its turn. (With several queries in line on each connection,
 * tasks that waited for a connection starved for as long as the connections were kept busy.)
 */
export class Pool {
  readonly #opener: Opener;
  readonly #max: number;
  readonly #idle: Connection[] = [];
  readonly #all = new Set<Connection>();
  /** In the order they came; a task that gives up leaves it. */
  readonly #waiting = new Set<Task>();
  readonly #onClose: () => void;
  /** Connections, including those that are being opened. */
  #count = 0;
  #opening = 0;
  #ended = false;
  #drained: (() => void) | undefined;

  constructor(opener: Opener, options: { max: number; onClose: () => void }) {
    this.#opener = opener;
    this.#max = options.max;
    this.#onClose = options.onClose;
  }

  /**
   * Does `work` on a connection of its own. Rejects when that takes longer than `limit_ms`, the
   * wait for the connection included: a database that does not answer counts as away. Then the
   * connection is given up, and so are the idle ones, which would get no answer either.
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
    const ended = lost('the pool has ended', 'CONNECTION_ENDED');
    for (const task of this.#waiting) task.fail(ended);
    this.#waiting.clear();
    const idle = this.#idle.splice(0);
    for (const connection of this.#all) {
      if (!idle.includes(connection)) connection.destroy(ended);
    }
    await Promise.all(idle.map((connection) => connection.close()));
  }

  /** Gives connections to the waiting tasks: idle ones first, then new ones. */
  #serve(): void {
    while (this.#waiting.size > 0 && this.#idle.length > 0) {
      this.#next()!.start(this.#idle.pop()!);
    }
    // Each connection that is being opened will serve one of them.
    while (this.#waiting.size > this.#opening && this.#count < this.#max) void this.#open();
    if (this.#ended && this.#waiting.size === 0 && this.#idle.length === this.#count) {
      this.#drained?.();
    }
  }

  #next(): Task | undefined {
    const [task] = this.#waiting;
    if (task) this.#waiting.delete(task);
    return task;
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
    this.#onClose();
    this.#serve();
  }

  #giveUp(connection: Connection, reason: Error): void {
    connection.destroy(reason);
    for (const idle of this.#idle.splice(0)) idle.destroy(reason);
  }
}

/** Whether the connection leads to a standby, or to a primary that was demoted. */
function isOfStandby(error: unknown): boolean {
  return (error as { code?: string } | null)?.code === '25006';
}
