/** The thread of leaseKeeper.ts: it renews the lease while the main thread cannot. */
import { workerData } from 'node:worker_threads';
import { connect, type Sql } from '../store/database.ts';
import { extendLease } from '../store/workers.ts';

/** What the thread is given. */
export interface KeptLease {
  url: string;
  /** The worker's. */
  id: string;
  lease_ms: number;
  /** Changes with each beat of the main thread, several in a third of the lease. */
  beats: Int32Array<SharedArrayBuffer>;
  /** Without a beat for so long, the main thread hangs. */
  busy_ms: number;
}

const { url, id, lease_ms, beats, busy_ms } = workerData as KeptLease;
/** Opened when the main thread is first busy for long: most never are. */
let sql: Sql | undefined;
let seen = Atomics.load(beats, 0);
let since_ms = performance.now();
let is_asking = false;

setInterval(() => void look(), lease_ms / 3);

async function look(): Promise<void> {
  const beat = Atomics.load(beats, 0);
  if (beat !== seen) {
    seen = beat;
    since_ms = performance.now();
    return;
  }
  if (is_asking || performance.now() - since_ms > busy_ms) return;
  is_asking = true;
  try {
    sql ??= connect(url, { max: 1, application_name: 'gatehouse lease' });
    await extendLease(sql, id, lease_ms);
  } catch {
    // The main thread says it when its own renewal fails; here the next look tries again.
  } finally {
    is_asking = false;
  }
}
