import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { GaugeName, ReadGauge } from './metrics.ts';

/** Precision of the lag: a timer is due this often once somebody has asked. */
const RESOLUTION_MS = 20;

/** The gauges of this process, and what ends their measuring. */
export function processGauges(version: string) {
  let delays: ReturnType<typeof monitorEventLoopDelay> | undefined;
  /**
   * How late timers are: the 99th percentile since the last time, in seconds. It begins when first
   * asked, and is undefined then, so that it costs nothing where nobody asks.
   * Who asks is not known here, so that of two who do each ends the time of the other.
   */
  const lag_s = () => {
    if (!delays) {
      delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
      delays.enable();
      return undefined;
    }
    // What it measures is from one timer to the next, the time they are due in included.
    const lag_ms = delays.percentile(99) / 1e6 - RESOLUTION_MS;
    delays.reset();
    return Math.max(0, lag_ms / 1_000);
  };
  const gauges: Partial<Record<GaugeName, ReadGauge>> = {
    process_resident_memory_bytes: () => process.memoryUsage.rss(),
    process_event_loop_lag_p99_seconds: lag_s,
    process_cpu_seconds_total: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
    process_uptime_seconds: () => process.uptime(),
    build_info: () => [[1, { version, node: process.version }]],
  };
  return { gauges, stop: () => delays?.disable() };
}
