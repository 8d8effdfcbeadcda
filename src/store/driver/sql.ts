/** What the store sees of the driver. */
import type { Statements } from './statement.ts';

/** Statements in a transaction, or anywhere: for callers to whom it makes no difference. */
export type Transaction = Statements;

export interface Sql extends Statements {
  /**
   * A transaction: committed when `work` resolves, rolled back when it rejects. Nothing but its
   * own statements may be awaited in it for long. With a `limit_ms` it may take longer than other
   * work, once it has a connection; each wait for a lock is limited as ever.
   */
  begin<T>(
    work: (transaction: Transaction) => Promise<T>, options?: { limit_ms?: number }): Promise<T>;
  /**
   * Statements on one connection without a transaction: those that are begun together are sent in
   * one packet, where each alone would take a connection and a packet of its own. `writes` is what
   * they are for, if one of them changes something: what becomes of it may be in doubt. With a
   * `limit_ms` it may take longer than other work, once it has a connection, and wait as long for
   * locks.
   */
  together<T>(
    work: (one: Statements) => Promise<T>,
    options?: { writes?: string; limit_ms?: number }): Promise<T>;
  /** Listens to a channel, on a connection of its own that is renewed when it is lost. */
  listen(channel: string, options: ListenerOptions): Promise<{ stop(): Promise<void> }>;
  /** Has `listener` called whenever one of the connections has closed, whatever the reason. */
  onClose(listener: () => void): void;
  /** How many connections are at work, and how many tasks wait for one. */
  load(): { in_use: number; waiting: number };
  /** Refuses further work; closes the connections when work has ended, or the time is over. */
  end(options?: { timeout_ms?: number }): Promise<void>;
}

export interface ConnectOptions {
  max: number;
  /** The same database without a pooler, for LISTEN; `url` if left out. */
  direct_url?: string;
  application_name?: string;
  /** Called for each NOTIFY that a listening connection gets. */
  onNotify?: (channel: string, payload: string) => void;
}

export interface ListenerOptions {
  onPayload(payload: string): void;
  /** Called each time the connection stands: anything may have been missed before. */
  onConnected(): void;
  onError(error: unknown): void;
}
