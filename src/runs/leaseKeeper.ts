/**
 * Renews the lease of a worker from a thread of its own while the main thread is too busy to do so:
 * parsing a large document for one caller must not cost the runs of all others. If the process is
 * stopped, the keeper is stopped with it. If the main thread hangs, the keeper renews no more.
 */
import { once } from 'node:events';
import { Worker as Thread } from 'node:worker_threads';
import type { Log } from '../log.ts';
import { MODULE } from '../root.ts';
import type { KeptLease } from './leaseKeeperThread.ts';

/** A worker's thread may be busy for so many leases; after that it counts as hanging. */
export const KEPT_LEASES = 5;
/** Beats of the thread in one lease. */
const BEATS = 12;

export interface LeaseKeeperOptions {
  /** Where the thread connects, when it has to. */
  url: string;
  log: Log;
}

export class LeaseKeeper {
  readonly #beats = new Int32Array(new SharedArrayBuffer(4));
  readonly #thread: Thread;
  readonly #timer: NodeJS.Timeout;
  /** Resolves once the lease is kept. */
  readonly ready: Promise<unknown>;
  #is_at_work = true;

  constructor(id: string, lease_ms: number, { url, log }: LeaseKeeperOptions) {
    const workerData: KeptLease = {
      url, id, lease_ms, beats: this.#beats,
      beat_ms: lease_ms / BEATS, busy_ms: KEPT_LEASES * lease_ms };
    this.#thread = new Thread(new URL(`./leaseKeeperThread${MODULE}`, import.meta.url), {
      workerData, resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 },
    });
    this.#thread.unref();
    this.#thread.on('error', (error) =>
      log.warn({ err: error }, 'nobody keeps the lease of this worker while its thread is busy'));
    const ended = once(this.#thread, 'exit').catch(() => {}).then(() => {
      this.#is_at_work = false;
    });
    this.ready = Promise.race([once(this.#thread, 'message').catch(() => {}), ended]);
    this.#timer = setInterval(() => Atomics.add(this.#beats, 0, 1), workerData.beat_ms).unref();
  }

  /** False once the thread has ended, by a fault of its own too. */
  get is_at_work(): boolean {
    return this.#is_at_work;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#thread.terminate();
  }
}
