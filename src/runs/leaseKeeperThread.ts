/** The thread of leaseKeeper.ts: it renews the lease while the main thread cannot. */
import { parentPort, workerData } from 'node:worker_threads';
import { connect, type Sql } from '../store/database.ts';
import { extendLease } from '../store/workers.ts';

/** What the thread is given. */
export interface KeptLease {
  url: string;
  /** The worker's. */
  id: string;
  lease_ms: number;
  /** Changes with each beat of the main thread, one in `beat_ms`. */
  beats: Int32Array<SharedArrayBuffer>;
  beat_ms: number;
  /** Without a beat for so long, the main thread hangs. */
  busy_ms: number;
}

const CLOSE_MS = 1_000;

const { url, id, lease_ms, beats, beat_ms, busy_ms } = workerData as KeptLease;
/** Open while the main thread is busy for long: mostly it is not. */
let sql: Sql | undefined;
let seen = Atomics.load(beats, 0);
let since_ms = performance.now();
let asked_ms = -Infinity;

setInterval(() => void look(), beat_ms);
parentPort!.postMessage('ready');

/**
 * The main thread renews the lease in each third of it. When two of its beats are missing, more
 * than a third of the lease is left.
 */
async function look(): Promise<void> {
  const beat = Atomics.load(beats, 0);
  const now_ms = performance.now();
  if (beat !== seen) {
    seen = beat;
    since_ms = now_ms;
    void sql?.end({ timeout_ms: CLOSE_MS });
    sql = undefined;
    return;
  }
  const still_ms = now_ms - since_ms;
  if (still_ms < 2 * beat_ms || still_ms > busy_ms) return;
  if (now_ms - asked_ms < lease_ms / 3) return;
  asked_ms = now_ms;
  try {
    sql ??= connect(url, { max: 1, application_name: 'gatehouse lease' });
    await extendLease(sql, id, lease_ms);
  } catch {
    asked_ms = -Infinity; // The main thread says it when its own renewal fails.
  }
}
