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
