import { within } from '../deadline.ts';
import type { GaugeName, ReadGauge } from './metrics.ts';

/** Where the gauges of a service read. */
export interface Readings {
  openRuns(): Promise<{ queued: number; running: number; queue_age_s: number }>;
  executing(): number;
  openStreams(): number;
  /** Null as long as it was not measured. */
  clockOffset(): number | null;
  database(): { in_use: number; waiting: number };
  /** How many actions are in which state; undefined without an embedding model. */
  embeddings(): Record<string, number> | undefined;
}

/** Open runs are counted at most this often, and left out if counting takes too long. */
const QUEUE_READING = { lifetime_ms: 1_000, limit_ms: 1_000 };

export function serviceGauges(read: Readings): Partial<Record<GaugeName, ReadGauge>> {
  const queue = cachedReading(() => read.openRuns(), QUEUE_READING);
  return {
    runs: async () => {
      const open = await queue();
      return open && [[open.queued, { state: 'queued' }], [open.running, { state: 'running' }]];
    },
    queue_age_seconds: async () => (await queue())?.queue_age_s,
    runs_executing: () => read.executing(),
    embedding_texts: () => Object.entries(read.embeddings() ?? {})
      .map(([state, number]): [number, { state: string }] => [number, { state }]),
    event_streams_open: () => read.openStreams(),
    clock_offset_seconds: () => {
      const offset_ms = read.clockOffset();
      return offset_ms === null ? undefined : offset_ms / 1_000;
    },
    database_connections_in_use: () => read.database().in_use,
    database_waiting: () => read.database().waiting,
  };
}

/**
 * Reads at most once in `lifetime_ms`, however many ask, and waits at most `limit_ms`: undefined if
 * that was not enough, or the reading failed. So askers neither burden a slow source nor wait long.
 */
export function cachedReading<T>(
  read: () => Promise<T>, { lifetime_ms, limit_ms }: { lifetime_ms: number; limit_ms: number },
): () => Promise<T | undefined> {
  let reading: Promise<T | undefined> | undefined;
  let done_ms = -Infinity;
  return async () => {
    if (reading === undefined || performance.now() - done_ms >= lifetime_ms) {
      done_ms = Infinity;
      reading = read().catch(() => undefined).finally(() => { done_ms = performance.now(); });
    }
    return await within(limit_ms, reading, () => undefined);
  };
}
