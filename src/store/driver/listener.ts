import type { ConnectOptions, ListenerOptions, Sql } from './sql.ts';

// The pause doubles each time the connection cannot be renewed, up to the longest.
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;
// A connection that was cut off silently is noticed only when something is sent on it.
const CHECK_MS = 5_000;

/** Listens to a channel on a connection of its own, and renews it when it is lost. */
export class Listener {
  readonly #sql: Sql;
  readonly #channel: string;
  readonly #options: ListenerOptions;
  #timer: NodeJS.Timeout | undefined;
  #listening = false;
  #pause_ms = FIRST_PAUSE_MS;
  #stopped = false;

  constructor(
    open: (options: ConnectOptions) => Sql, channel: string, options: ListenerOptions) {
    this.#channel = channel;
    this.#options = options;
    this.#sql = open({
      max: 1,
      application_name: 'gatehouse listener',
      onNotify: (_channel, payload) => options.onPayload(payload),
    });
    this.#sql.onClose(() => this.#lost());
  }

  /** Resolves when it listens; rejects if the database cannot be reached. */
  async start(): Promise<void> {
    // LISTEN takes no parameters. The name is a constant of the store.
    await this.#sql.unsafe(`listen ${this.#channel}`);
    this.#listening = true;
    this.#pause_ms = FIRST_PAUSE_MS;
    this.#later(CHECK_MS);
    this.#options.onConnected();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#sql.end({ timeout_ms: 0 });
  }

  #lost(): void {
    if (!this.#listening || this.#stopped) return;
    this.#listening = false;
    this.#later(0);
  }

  #later(wait_ms: number): void {
    clearTimeout(this.#timer);
    if (!this.#stopped) this.#timer = setTimeout(() => void this.#check(), wait_ms);
  }

  /** Checks that the connection still answers, or opens a new one. */
  async #check(): Promise<void> {
    try {
      if (!this.#listening) return await this.start();
      await this.#sql`select 1`;
      this.#later(CHECK_MS);
    } catch (error) {
      if (this.#stopped) return;
      this.#options.onError(error);
      this.#listening = false;
      this.#later(this.#pause_ms);
      this.#pause_ms = Math.min(this.#pause_ms * 2, LONGEST_PAUSE_MS);
    }
  }
}
