import { AsyncLocalStorage } from 'node:async_hooks';

/** Work that runs once at a time, for many who ask for it. */
export interface Coalesced {
  /** Asks for the work; if it is running, it runs once more afterwards. */
  request(): void;
  /** Resolves when nothing is asked for any more. */
  idle(): Promise<void>;
}

/**
 * Coalesces requests for `work`, which must not reject. A request during a round is served by the
 * next one. No request is lost between two rounds: ending a round and looking for requests is one
 * synchronous step. The work belongs to whoever made it, not to who happens to ask for it first: it
 * runs in the context in which it was coalesced, and without the patience of a request.
 */
export function coalesce(work: () => Promise<void>): Coalesced {
  let asked = false;
  let running: Promise<void> | undefined;
  const inOwnContext = AsyncLocalStorage.snapshot();

  async function run(): Promise<void> {
    do {
      asked = false;
      await work();
    } while (asked);
    running = undefined;
  }

  return {
    request() {
      asked = true;
      running ??= inOwnContext(run);
    },
    async idle() {
      while (running) await running;
    },
  };
}

/**
 * Work that goes on beside requests, once at a time: when it is asked for, and every so often from
 * `open()` on, until it is closed. What looks after something now and then is one of these, and so
 * starts and stops alike. (A worker and its lease, which stop in many steps, are not.)
 */
export class Background implements Coalesced {
  readonly #rounds: Coalesced;
  readonly #every_ms: number;
  readonly #closing = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  /**
   * `work` must not reject. Its signal aborts when this is closed, for work that takes long.
   * `every_ms`: only when it is asked for, if left out.
   */
  constructor(work: (signal: AbortSignal) => Promise<void>, every_ms = Infinity) {
    const { signal } = this.#closing;
    this.#every_ms = every_ms;
    this.#rounds = coalesce(async () => {
      if (!signal.aborted) await work(signal);
    });
  }

  /** Aborted once this is closed. */
  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  /** Begins to do it every so often. It does not keep the process from ending. */
  open(): void {
    if (this.signal.aborted || this.#every_ms === Infinity) return;
    this.#timer ??= setInterval(() => this.request(), this.#every_ms).unref();
  }

  /** Asks for it now. Nothing happens once this is closed. */
  request(): void {
    if (!this.signal.aborted) this.#rounds.request();
  }

  async idle(): Promise<void> {
    await this.#rounds.idle();
  }

  /** Does it once more, and then closes. */
  async finish(): Promise<void> {
    clearInterval(this.#timer);
    this.request();
    await this.idle();
    await this.close();
  }

  /** Begins nothing more; resolves when what is under way has ended. Repeating it is fine. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    if (!this.signal.aborted) this.#closing.abort(new Error('The service is stopping.'));
    await this.idle();
  }
}
