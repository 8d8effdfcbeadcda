/** Notices that nothing else could happen in the process for a while: its event loop stood. */
import { Worker } from 'node:worker_threads';
import type { Log } from '../log.ts';
import { MODULE } from '../root.ts';
import type { HangOptions } from './eventLoopThread.ts';
import type { Meters } from './metrics.ts';

/** A time for which nothing else could happen in the process. */
interface Stall {
  ended_at: string;
  duration_ms: number;
}

export interface EventLoopWatch {
  /** Since the process watches: how many stalls, and the last of them. */
  stalls(): { count: number, last: Stall | null };
  stop(): Promise<void>;
}

export interface WatchOptions {
  log: Log;
  meters: Meters;
  /**
   * Also says on stderr, by a thread of its own, that the event loop hangs while it does. For a
   * process that is a service and nothing else.
   */
  says_hang?: boolean | undefined;
  /**
   * A hang is told of when it has lasted this long, and again after twice, four times, … as long
   * from there: with 5 s after 5, 15, 35 s.
   */
  hang_ms?: number;
}

const BEAT_MS = 250;
/** Shorter ones happen when a large document or answer is read; the metric of the lag has them. */
const STALL_MS = 1_000;
const HANG_MS = 5_000;

export function watchEventLoop(
  { log, meters, says_hang = false, hang_ms = HANG_MS }: WatchOptions): EventLoopWatch {
  const beats = new Int32Array(new SharedArrayBuffer(4));
  let count = 0;
  let last: Stall | null = null;
  let beat_ms = performance.now();
  let used = process.threadCpuUsage();
  const onBeat = () => {
    Atomics.add(beats, 0, 1);
    Atomics.notify(beats, 0);
    const duration_ms = Math.round(performance.now() - beat_ms - BEAT_MS);
    if (duration_ms >= STALL_MS) {
      const { user, system } = process.threadCpuUsage(used);
      count += 1;
      last = { ended_at: new Date().toISOString(), duration_ms };
      meters.event_loop_stall_seconds.record(duration_ms / 1_000);
      // Without work of its own it was the machine, or somebody who stopped the process.
      log.warn({ duration_ms, busy_ms: Math.round((user + system) / 1_000) },
        'the event loop was held up: nothing else could happen');
    }
    beat_ms = performance.now();
    used = process.threadCpuUsage();
  };
  const timer = setInterval(onBeat, BEAT_MS).unref();
  const thread = says_hang && log.isLevelEnabled('error')
    ? startThread({ beats, hang_ms }, log) : undefined;
  return {
    stalls: () => ({ count, last }),
    async stop() {
      clearInterval(timer);
      await thread?.terminate();
    },
  };
}

function startThread(workerData: HangOptions, log: Log): Worker {
  const thread = new Worker(new URL(`./eventLoopThread${MODULE}`, import.meta.url), {
    workerData, resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
  });
  thread.unref();
  thread.on('error', (error) =>
    log.warn({ err: error }, 'nobody will say it if the process hangs'));
  return thread;
}
