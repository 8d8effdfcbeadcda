import { monitorEventLoopDelay } from 'node:perf_hooks';

/** How exactly lateness is seen; a timer is due this often while somebody asks. */
const RESOLUTION_MS = 20;

/** How late timers are. It begins when first asked, so that it costs nothing where nobody asks. */
export class LoopLag {
  #delays: ReturnType<typeof monitorEventLoopDelay> | undefined;

  /** The 99th percentile since the last time, in seconds; undefined the first time. */
  read(): number | undefined {
    if (!this.#delays) {
      this.#delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
      this.#delays.enable();
      return undefined;
    }
    // What it measures is from one timer to the next, the time they are due in included.
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
