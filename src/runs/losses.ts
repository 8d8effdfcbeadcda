/** Runs that are lost with their worker: those of others, and its own that it takes back. */
import { setTimeout as delay } from 'node:timers/promises';
import { Background } from '../coalesce.ts';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import type { Sql } from '../store/database.ts';
import { judgeCondemned, settleLosses } from '../store/losses.ts';
import type { ClaimedRun } from '../store/runs.ts';
import { buryWorkers, GRACE_MS } from '../store/workers.ts';
import type { EventHub } from './eventHub.ts';
import type { Lease } from './lease.ts';
import type { TurnSignals } from './turnSignals.ts';

export interface LossesOptions {
  sql: Sql;
  hub: Pick<EventHub, 'queued'>;
  config: Pick<Config, 'lease_ms' | 'claim_poll_ms' | 'max_attempts'>;
  log: Log;
  lease: Lease;
}

/** Looks for workers that are gone, and offers their runs to all. */
export class Losses {
  readonly #options: LossesOptions;
  readonly #burying: Background;
  readonly #settling = new Background(() => this.#settle());
  #timer: NodeJS.Timeout | undefined;
  #looked_ms = performance.now();
  #looked_cpu = process.threadCpuUsage();
  /** This process was busy for longer than it may be: its runs were rightly taken for lost. */
  #hung = false;
  /** Runs may have been lost with this worker, of which it has said nothing yet. */
  #unsettled = false;

  constructor(options: LossesOptions) {
    this.#options = options;
    this.#burying = new Background(() => this.#bury(), options.config.claim_poll_ms / 5);
  }

  start(): void {
    const { claim_poll_ms } = this.#options.config;
    this.#timer = setInterval(() => {
      this.#noticeHang();
      if (this.#hung || this.#unsettled) this.settle();
    }, claim_poll_ms);
    this.#burying.open();
    this.#burying.request();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#burying.close();
    await this.#settling.idle(); // A loss that is to be taken back would count for good.
    await this.#settling.close();
  }

  /**
   * Others may have taken this worker for gone, and have counted its runs as lost. Tells the
   * database whether that was right (it hung) or not, and takes the losses back if not.
   */
  settle(): void {
    this.#unsettled = true;
    this.#settling.request();
  }

  /**
   * What hangs a process is work that does not let go of its only thread, and that takes CPU. One
   * that stood still without using any was stopped, or had to wait for others on its machine: that
   * is no fault of its runs. A run that holds it up in slices, each shorter than what is looked for
   * here, goes unnoticed.
   */
  #noticeHang(): void {
    const { lease_ms, claim_poll_ms } = this.#options.config;
    const now_ms = performance.now();
    const { user, system } = process.threadCpuUsage(this.#looked_cpu);
    const busy_ms = (user + system) / 1_000;
    const hang_ms = this.#options.lease.kept_ms || lease_ms / 2;
    const stood_still = now_ms - this.#looked_ms > claim_poll_ms + hang_ms;
    // Half of the time is enough: other processes may have had the CPU for the other half.
    if (stood_still && busy_ms > hang_ms / 2) this.#hung = true;
    this.#looked_ms = now_ms;
    this.#looked_cpu = process.threadCpuUsage();
  }

  async #bury(): Promise<void> {
    const { sql, hub, config, log, lease } = this.#options;
    if (!lease.is_known) return;
    try {
      const { buried, missed } = await buryWorkers(sql, {
        worker_id: lease.id, lease_ms: config.lease_ms, trusts_locks: lease.is_undisturbed,
        most_losses: config.max_attempts,
      });
      if (buried > 0) {
        log.info({ runs: buried }, 'runs of workers that are gone are offered again');
        hub.queued();
      }
      if (missed > 0) setTimeout(() => this.#burying.request(), GRACE_MS + 1).unref();
    } catch (error) {
      log.warn({ err: error, worker_id: lease.id }, 'no worker could look for those that are gone');
    }
  }

  async #settle(): Promise<void> {
    const { sql, hub, log, lease } = this.#options;
    this.#noticeHang();
    const caused = this.#hung;
    // Not before the worker is known to live: until then it may be taken for gone once more.
    if (!lease.is_known || !lease.alive) return;
    // Now: it may hang once more before the answer, and that is a loss of its own.
    this.#unsettled = false;
    this.#hung = false;
    try {
      const runs = await settleLosses(sql, lease.id, caused);
      if (runs > 0 && !caused) hub.queued();
    } catch (error) {
      this.#unsettled = true;
      this.#hung ||= caused;
      log.warn({ err: error, worker_id: lease.id }, 'losses of runs could not be settled yet');
    }
  }
}

/** Whether a condemned run that was claimed has to end; waits until that can be told. */
export async function isCause(
  { sql, config }: Pick<LossesOptions, 'sql' | 'config'>, run: ClaimedRun,
  { stop, windDown }: TurnSignals): Promise<boolean> {
  const signal = AbortSignal.any([stop, windDown]);
  for (;;) {
    const verdict = await judgeCondemned(sql, run, config.lease_ms);
    if (verdict !== 'unknown') return verdict === 'cause';
    await delay(config.claim_poll_ms, undefined, { signal });
  }
}
