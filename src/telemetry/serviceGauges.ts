import type { GaugeName } from './metrics.ts';
import { remembered } from './remembered.ts';
import type { ReadGauge } from './telemetry.ts';

/** Where the gauges of a service read. */
export interface Readings {
  openRuns(): Promise<{ queued: number; running: number; queue_age_s: number }>;
  executing(): number;
  openStreams(): number;
  database(): { in_use: number; waiting: number };
}

/** Open runs are counted at most this often, and left out if counting takes too long. */
const QUEUE_READING = { lifetime_ms: 1_000, limit_ms: 1_000 };

export function serviceGauges(read: Readings): Partial<Record<GaugeName, ReadGauge>> {
  const queue = remembered(() => read.openRuns(), QUEUE_READING);
  return {
    runs: async () => {
      const open = await queue();
      return open && [[open.queued, { state: 'queued' }], [open.running, { state: 'running' }]];
    },
    queue_age_seconds: async () => (await queue())?.queue_age_s,
    runs_executing: () => read.executing(),
    event_streams_open: () => read.openStreams(),
    database_connections_in_use: () => read.database().in_use,
    database_waiting: () => read.database().waiting,
  };
}
