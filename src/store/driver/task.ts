import type { Patience } from '../../patience.ts';
import type { DatabaseConnection } from './connection.ts';
import { lost, markInDoubt } from './lost.ts';
import { TimeLimit } from './timeLimit.ts';

/**
 * Tasks of one kind may not have all the connections. The kind of a statement is its text as the
 * source has it, that of a transaction the name of what it is for.
 */
export type Kind = object | string | undefined;

export interface TaskOptions<T> {
  kind: Kind;
  limit_ms: number;
  /** Instead, from when it has its connection: for work that may take longer. */
  work_limit_ms?: number | undefined;
  /** Of the one that it is for, if it is for one. */
  patience: Patience | undefined;
  work: (connection: DatabaseConnection, task: Task<unknown>) => Promise<T>;
  /** Called once when its time is over, whether or not it had begun; may say why. */
  onOver: (task: Task<unknown>) => Error | undefined;
}

/** Something that wants a connection to itself, and whose result is waited for, for a time. */
export class Task<T> {
  readonly kind: Kind;
  /** Whose share of the connections it takes; undefined for what the service does itself. */
  readonly share: string | undefined;
  /** Rejects when the time is over, the wait for the connection included. */
  readonly result: Promise<T>;
  /** When it came, on the clock of `performance`. */
  readonly since_ms = performance.now();
  /** When it got its connection; 0 before. */
  started_ms = 0;
  /** Whether its work has succeeded. */
  is_done = false;
  /** Whether what it does may be committed from now on, answer or no answer. */
  is_in_doubt = false;
  /** Whether anybody still waits for it: if not, it must begin nothing more. */
  is_awaited = true;
  readonly #options: TaskOptions<T>;
  #patience: Patience | undefined;
  #limit: TimeLimit;
  #resolve: (value: unknown) => void;
  #reject: (error: unknown) => void;

  constructor(options: TaskOptions<T>) {
    const { kind, limit_ms, patience } = options;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.kind = kind;
    this.share = patience?.share;
    this.result = promise as Promise<T>;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#options = options;
    this.#patience = patience;
    patience?.wait();
    this.#limit = this.#limited(Math.min(limit_ms, Math.ceil(patience?.left_ms ?? Infinity)));
  }

  /** Does the work; resolves, and never rejects, when the connection is free again. */
  async start(connection: DatabaseConnection): Promise<void> {
    const { work, work_limit_ms } = this.#options;
    this.started_ms = performance.now();
    if (work_limit_ms !== undefined) {
      this.#limit.clear();
      this.#limit = this.#limited(work_limit_ms);
      this.#patience?.waited();
      this.#patience = undefined;
    }
    try {
      const value = await work(connection, this);
      this.is_done = true;
      if (this.#end()) this.#resolve(value);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Ends the wait for it. */
  fail(error: unknown): void {
    if (!this.#end()) return;
    if (this.is_in_doubt && isWithoutVerdict(error)) markInDoubt(error);
    this.#reject(error);
  }

  #limited(limit_ms: number): TimeLimit {
    return new TimeLimit(limit_ms, () => this.fail(this.#options.onOver(this)
      ?? lost(`the database took longer than ${limit_ms} ms`, 'STATEMENT_TIMEOUT')));
  }

  #end(): boolean {
    if (!this.is_awaited) return false;
    this.is_awaited = false;
    this.#limit.clear();
    this.#patience?.waited();
    return true;
  }
}

/** What the server says of a statement, but for its own end, is that it was rolled back. */
function isWithoutVerdict(error: unknown): boolean {
  const { code = '', severity_local } = error as { code?: string; severity_local?: string };
  return severity_local === undefined || code.startsWith('57P');
}
