/** Work that runs once at a time, for many who ask for it. */
export interface Coalesced {
  /** Asks for the work; if it is under way, it runs once more when it is done. */
  request(): void;
  /** Resolves when nothing is asked for any more. */
  idle(): Promise<void>;
}

/**
 * Coalesces requests for `work`, which must not reject. What asks while it runs is served by the
 * next round: that a round ends and that another is asked for are decided in one synchronous step,
 * so that no request falls between the two.
 */
export function coalesce(work: () => Promise<void>): Coalesced {
  let asked = false;
  let running: Promise<void> | undefined;

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
      running ??= run();
    },
    async idle() {
      while (running) await running;
    },
  };
}
