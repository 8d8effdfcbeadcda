/** When an integration is refreshed because its server says that something has changed. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../log.ts';
import { unhurried } from '../../patience.ts';

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
  /**
   * By the integrations that somebody has asked for since their last refresh began: the end of the
   * next one.
   */
  readonly #asked = new Map<string, PromiseWithResolvers<void>>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #closing = new AbortController();

  constructor(options: IntegrationRefresherOptions) {
    this.#options = options;
  }

  /** Resolves when it was refreshed, or that has failed, or is given up. */
  request(slug: string): Promise<void> {
    if (this.#closing.signal.aborted) return Promise.resolve();
    const { promise } = this.#ask(slug);
    // For all who ask, and so without the patience of whoever comes first.
    if (!this.#running.has(slug)) this.#running.set(slug, unhurried(() => this.#run(slug)));
    return promise;
  }

  #ask(slug: string): PromiseWithResolvers<void> {
    const next = this.#asked.get(slug) ?? Promise.withResolvers<void>();
    this.#asked.set(slug, next);
    return next;
  }

  /** Gives up what is under way. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('The service is stopping.'));
    await Promise.all(this.#running.values());
  }

  async #run(slug: string): Promise<void> {
    const { interval_ms = INTERVAL_MS, wait = waited } = this.#options;
    const { signal } = this.#closing;
    for (let next; !signal.aborted && (next = this.#asked.get(slug)) !== undefined;) {
      this.#asked.delete(slug);
      await this.#refresh(slug);
      next.resolve();
      // Only an abort ends it early.
      if (!signal.aborted) await wait(interval_ms, signal).catch(() => {});
    }
    this.#running.delete(slug);
    // Given up.
    this.#asked.get(slug)?.resolve();
    this.#asked.delete(slug);
  }

  async #refresh(slug: string): Promise<void> {
    const { refresh, log } = this.#options;
    const { signal } = this.#closing;
    try {
      if (await refresh(slug, signal) === 'overtaken') this.#ask(slug);
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ err: error, integration: slug }, 'an integration whose tools may be others now'
        + ' could not be refreshed; tools that differ are refused');
    }
  }
}

/** A process that has nothing else to do may end. */
function waited(interval_ms: number, signal: AbortSignal): Promise<void> {
  return delay(interval_ms, undefined, { signal, ref: false });
}
