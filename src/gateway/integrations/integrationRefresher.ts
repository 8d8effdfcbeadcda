/** When an integration is refreshed because its server says that something has changed. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../log.ts';

export interface IntegrationRefresherOptions {
  /**
   * Asks the server, and writes what has changed. `overtaken`: somebody else wrote meanwhile, who
   * may have asked the server before it changed.
   */
  refresh(slug: string, signal: AbortSignal): Promise<'done' | 'overtaken'>;
  log: Log;
  /** Between the end of a refresh and the next one of the same integration, at least. */
  interval_ms?: number | undefined;
  /** Tests end the wait; rejects when the signal aborts. */
  wait?(interval_ms: number, signal: AbortSignal): Promise<unknown>;
}

/** A server may announce changes in a loop, and each refresh may be a process that is started. */
const INTERVAL_MS = 10_000;

/**
 * Refreshes an integration at once when asked. All requests that come during a refresh or soon
 * after it share one more. A failed refresh is not repeated before somebody asks again: meanwhile
 * each call refuses tools that differ.
 */
export class IntegrationRefresher {
  readonly #options: IntegrationRefresherOptions;
  /** Integrations that somebody has asked for since their last refresh began. */
  readonly #asked = new Set<string>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #closing = new AbortController();

  constructor(options: IntegrationRefresherOptions) {
    this.#options = options;
  }

  request(slug: string): void {
    if (this.#closing.signal.aborted) return;
    this.#asked.add(slug);
    if (!this.#running.has(slug)) this.#running.set(slug, this.#run(slug));
  }

  /** Gives up what is under way. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('The service is stopping.'));
    await Promise.all(this.#running.values());
  }

  async #run(slug: string): Promise<void> {
    const { interval_ms = INTERVAL_MS, wait = waited } = this.#options;
    const { signal } = this.#closing;
    while (!signal.aborted && this.#asked.delete(slug)) {
      await this.#refresh(slug);
      // Only an abort ends it early.
      if (!signal.aborted) await wait(interval_ms, signal).catch(() => {});
    }
    this.#running.delete(slug);
  }

  async #refresh(slug: string): Promise<void> {
    const { refresh, log } = this.#options;
    const { signal } = this.#closing;
    try {
      if (await refresh(slug, signal) === 'overtaken') this.#asked.add(slug);
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ err: error, integration: slug }, 'an integration whose server says that its tools'
        + ' have changed could not be refreshed; tools that differ are refused');
    }
  }
}

/** A process that has nothing else to do may end. */
function waited(interval_ms: number, signal: AbortSignal): Promise<void> {
  return delay(interval_ms, undefined, { signal, ref: false });
}
