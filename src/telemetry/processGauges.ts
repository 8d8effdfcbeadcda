import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Precision of the lag: a timer is due this often once somebody has asked. */
const RESOLUTION_MS = 20;

/** How late timers are. Measuring begins with the first question, so it is free if nobody asks. */
export class LoopLag {
  #delays: ReturnType<typeof monitorEventLoopDelay> | undefined;

  /** The 99th percentile since the last time, in seconds; undefined the first time. */
  read(): number | undefined {
    if (!this.#delays) {
      this.#delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
      this.#delays.enable();
      return undefined;
    }
    // It measures the time from one timer to the next, which includes the interval itself.
    const lag_ms = this.#delays.percentile(99) / 1e6 - RESOLUTION_MS;
    this.#delays.reset();
    return Math.max(0, lag_ms / 1_000);
  }

  stop(): void {
    this.#delays?.disable();
  }
}

export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
