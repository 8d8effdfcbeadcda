import type { ConnectOptions, Sql } from './database.ts';

// Twice the pause each time the connection cannot be renewed, up to the second.
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;
// A connection that was cut off without a word is noticed when it is asked something.
const CHECK_MS = 5_000;

export interface ListenerOptions {
  on_payload(payload: string): void;
  /** Called each time the connection stands: anything may have been missed before. */
  on_connected(): void;
  on_error(error: unknown): void;
}

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
      onnotify: (_channel, payload) => options.on_payload(payload),
      onclose: () => this.#lost(),
    });
  }

  /** Resolves when it listens; rejects if the database cannot be reached. */
  async start(): Promise<void> {
    await this.#listen();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#sql.end({ timeout_ms: 0 });
  }

  async #listen(): Promise<void> {
    // The name of a channel is ours; LISTEN takes no parameters.
    await this.#sql.unsafe(`listen ${this.#channel}`);
    this.#listening = true;
    this.#pause_ms = FIRST_PAUSE_MS;
    this.#later(CHECK_MS);
    this.#options.on_connected();
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

  /** Asks whether the connection stands, or for a new one. */
  async #check(): Promise<void> {
    try {
      if (!this.#listening) return await this.#listen();
      await this.#sql`select 1`;
      this.#later(CHECK_MS);
    } catch (error) {
      if (this.#stopped) return;
      this.#options.on_error(error);
      this.#listening = false;
      this.#later(this.#pause_ms);
      this.#pause_ms = Math.min(this.#pause_ms * 2, LONGEST_PAUSE_MS);
    }
  }
}
