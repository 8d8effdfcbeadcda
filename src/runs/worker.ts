import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { coalesce } from '../coalesce.ts';
import type { Config } from '../config.ts';
import { within } from '../deadline.ts';
import { newId, timeOf } from '../ids.ts';
import type { Log } from '../log.ts';
import { isUnavailable, type Sql } from '../store/database.ts';
import {
  claimRuns, forgiveLoss, handBackRuns, runsOfWorker, type ClaimedRun, type RunOfWorker,
} from '../store/runs.ts';
import {
  buryWorkers, giveUpLock, GRACE_MS, removeWorker, renewWorker,
} from '../store/workers.ts';
import { NO_METERS, type Meters } from '../telemetry/metrics.ts';
import { FencedError } from './appender.ts';
import type { EventHub } from './eventHub.ts';
import { Places, SUSPECT_PACE_MS } from './places.ts';
import type { TurnSignals } from './turnSignals.ts';

/** How long a stopping worker lets calls that change something be answered. */
const WRITE_GRACE_MS = 2_500;
/** Wait before a run that could not go on is offered again: a lasting fault must not spin. */
const HAND_BACK_DELAY_MS = 500;

export interface WorkerOptions {
  sql: Sql;
  /** A connection of its own (a pool of one): the worker's advisory lock lives and dies with it. */
  lock: Sql;
  hub: EventHub;
  config: Config;
  log: Log;
  meters?: Meters;
  /** Executes one attempt; see executeTurn. */
  execute(run: ClaimedRun, signals: TurnSignals): Promise<void>;
}

interface Executing {
  run: ClaimedRun;
  stop: AbortController;
  done: Promise<void>;
}

/**
 * Claims runs and executes them, as many at once as `config.concurrency` says, and a few more of
 * workspaces of which it executes none.
 */
export class Worker {
  readonly id = newId('wrk');
  readonly #options: WorkerOptions;
  readonly #executing = new Map<string, Executing>();
  readonly #places: Places;
  readonly #undo: (() => void)[] = [];
  #timers: NodeJS.Timeout[] = [];
  /** Claims begun and claims done: while they differ, one is under way. */
  #claims = { begun: 0, done: 0 };
  readonly #claiming = coalesce(() => this.#claim());
  readonly #burying = coalesce(() => this.#bury());
  readonly #renewing = coalesce(() => this.#renewSafely());
  // Separate from the renewal, which must not wait for it.
  readonly #reconciling = coalesce(() => this.#reconcile());
  readonly #windDown = new AbortController();
  #renewed_ms = 0;
  #looked_ms = performance.now();
  #hung_ms = -Infinity;
  #stopped = false;
  /** Whether the lock is held, which keeps others from taking this worker for dead. */
  #protected = false;
  #ending: Promise<void> | undefined;

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#places = new Places(options.config);
  }

  /** Whether the lease was renewed within its time, as far as this process knows. */
  get alive(): boolean {
    return performance.now() - this.#renewed_ms < this.#options.config.lease_ms;
  }

  /** How many runs it executes now. */
  get executing(): number {
    return this.#executing.size;
  }

  /** Registers the worker and begins to claim. Throws if the database cannot be reached. */
  async start(): Promise<void> {
    const { sql, hub, config, lock } = this.#options;
    // Without its lock the worker is taken for dead, so it renews now and not at the next interval,
    // and says so on another connection, which mostly stands already.
    lock.onClose(() => {
      this.#protected = false;
      if (this.#stopped) return;
      this.#renewing.request();
      giveUpLock(sql, this.id).catch(() => {});
    });
    await this.#renew();
    this.#undo.push(
      hub.on('queue', () => this.#claiming.request()),
      hub.on('cancelled', (run_id) =>
        this.#executing.get(run_id)?.stop.abort(new FencedError(run_id))),
      hub.on('connected', () => {
        if (!this.#protected) this.#renewing.request();
        this.#lookAround();
      }),
    );
    this.#timers = [
      setInterval(() => this.#renewing.request(), config.lease_ms / 3),
      setInterval(() => {
        this.#noticeHang();
        this.#lookAround();
      }, config.claim_poll_ms),
      setInterval(() => this.#burying.request(), config.claim_poll_ms / 2),
    ];
    this.#burying.request();
    this.#claiming.request();
  }

  /** Looks for runs to claim and for cancelled ones, in case a signal was lost. */
  #lookAround(): void {
    this.#claiming.request();
    if (this.#executing.size > 0) this.#reconciling.request();
  }

  /** This process stood still for about a lease: then its runs were rightly taken for lost. */
  #noticeHang(): void {
    const { lease_ms, claim_poll_ms } = this.#options.config;
    const now_ms = performance.now();
    if (now_ms - this.#looked_ms > claim_poll_ms + lease_ms / 2) this.#hung_ms = now_ms;
    this.#looked_ms = now_ms;
  }

  /** Claims no more; what is being executed goes on. */
  stopClaiming(): void {
    this.#stopped = true;
    for (const undo of this.#undo.splice(0)) undo();
  }

  /**
   * Stops claiming, stops each run after its last committed step, hands the runs back and ends the
   * lease, so that another worker goes on at once. A call that is changing something gets a moment
   * to be answered: its outcome would be unknown if it were broken off.
   */
  stop(): Promise<void> {
    return (this.#ending ??= this.#stop());
  }

  async #stop(): Promise<void> {
    const { sql, lock, log } = this.#options;
    this.stopClaiming();
    for (const timer of this.#timers) clearInterval(timer);
    await this.#burying.idle();
    await this.#claiming.idle();
    await this.#renewing.idle();
    await this.#reconciling.idle();
    this.#windDown.abort(new Error('the worker stops'));
    const done = Promise.all([...this.#executing.values()].map((executing) => executing.done));
    await within(WRITE_GRACE_MS, done, () => {});
    for (const { stop } of this.#executing.values()) stop.abort(this.#windDown.signal.reason);
    await done;
    await removeWorker(sql, this.id).catch((error: unknown) =>
      log.warn({ err: error }, 'the worker could not sign off; its lease runs out by itself'));
    await lock.end({ timeout_ms: 1_000 });
  }

  async #renew(): Promise<void> {
    const { lock, config, log } = this.#options;
    const worker = { id: this.id, host: hostname(), lease_ms: config.lease_ms };
    const asked_ms = performance.now();
    // A lock still held by a lost connection of this worker keeps others off as well.
    const locked = await renewWorker(lock, worker);
    this.#protected = true;
    if (!locked) {
      log.warn({ worker_id: this.id }, 'the lock of this worker is held by a connection it lost');
    }
    this.#renewed_ms = asked_ms;
  }

  async #renewSafely(): Promise<void> {
    try {
      await this.#renew();
      this.#claiming.request();
      // Also when it executes nothing: it may own runs that could not be handed back.
      this.#reconciling.request();
    } catch (error) {
      this.#options.log.warn({ err: error, worker_id: this.id }, 'the lease could not be renewed');
    }
  }

  /**
   * Compares what the database says this worker executes with what it does. A run that is no longer
   * its own is stopped (the signal was lost); one that it knows nothing of is handed back (the
   * answer to a claim was lost, or an earlier handing back failed).
   */
  async #reconcile(): Promise<void> {
    const { sql, log } = this.#options;
    const executing = [...this.#executing];
    const { begun } = this.#claims;
    try {
      const own = await runsOfWorker(sql, this.id);
      const attempts = new Map(own.map((run) => [run.id, run.attempt]));
      for (const [run_id, { run, stop }] of executing) {
        if (attempts.get(run_id) !== run.attempt) stop.abort(new FencedError(run_id));
      }
      // A claim that ran meanwhile may have taken runs that are not in the map yet.
      if (this.#claims.done !== begun || this.#claims.begun !== begun) return;
      const unknown = own.filter((run) => this.#executing.get(run.id)?.run.attempt !== run.attempt);
      if (unknown.length > 0) await this.#handBack(unknown, 'ours');
    } catch (error) {
      log.warn({ err: error, worker_id: this.id }, 'the worker could not look its runs up');
    }
  }

  /** Looks for workers that are gone, and offers their runs to all. */
  async #bury(): Promise<void> {
    const { sql, hub, config, log } = this.#options;
    if (this.#stopped || !this.#protected) return;
    try {
      const { buried, missed } = await buryWorkers(sql, this.id, config.lease_ms);
      if (buried > 0) {
        log.info({ runs: buried }, 'runs of workers that are gone are offered again');
        hub.queued();
      }
      if (missed > 0) setTimeout(() => this.#burying.request(), GRACE_MS + 1).unref();
    } catch (error) {
      log.warn({ err: error, worker_id: this.id }, 'no worker could look for those that are gone');
    }
  }

  /** Claims what there is room for. */
  async #claim(): Promise<void> {
    const { sql, hub, log } = this.#options;
    const room = this.#places.free(this.#executing.size);
    // Without its lock, other workers would take the runs away that it claims.
    if (room <= 0 || this.#stopped || !this.#protected) return;
    this.#claims.begun += 1;
    try {
      const executing = [...this.#executing.values()].map(({ run }) => run);
      const runs = await claimRuns(sql, this.id, room, this.#places.terms(executing));
      this.#places.claimed(runs);
      if (runs.length > 0) hub.changed(runs.map((run) => run.id), []);
      for (const run of runs) this.#begin(run);
      // A suspect comes alone, and the next one soon after it.
      if (runs.some(({ losses }) => losses > 0)) {
        setTimeout(() => this.#claiming.request(), SUSPECT_PACE_MS + 1).unref();
      }
    } catch (error) {
      log.warn({ err: error, worker_id: this.id }, 'runs could not be claimed');
    } finally {
      this.#claims.done += 1;
    }
  }

  #begin(run: ClaimedRun): void {
    const stop = new AbortController();
    const executing: Executing = { run, stop, done: Promise.resolve() };
    // An earlier attempt may still be winding up under the same id: it is fenced off already.
    this.#executing.get(run.id)?.stop.abort(new FencedError(run.id));
    this.#executing.set(run.id, executing);
    this.#count(run);
    executing.done = this.#execute(run, stop.signal).finally(() => {
      this.#places.released(run);
      if (this.#executing.get(run.id) === executing) this.#executing.delete(run.id);
      if (!this.#stopped) this.#claiming.request();
    });
  }

  #count({ id, attempt }: ClaimedRun): void {
    const { meters = NO_METERS } = this.#options;
    meters.run_attempts_total.add(1, { kind: attempt === 1 ? 'first' : 'again' });
    if (attempt > 1) return;
    meters.run_wait_seconds.record(Math.max(0, Date.now() - timeOf(id)) / 1_000);
  }

  async #execute(run: ClaimedRun, signal: AbortSignal): Promise<void> {
    const { log, execute } = this.#options;
    try {
      await execute(run, {
        stop: signal, windDown: this.#windDown.signal, onCommitted: () => this.#acquit(run),
      });
    } catch (error) {
      if (error instanceof FencedError) {
        log.info({ run_id: run.id, attempt: run.attempt }, 'a run was cancelled or taken over');
        return await this.#forgive(run);
      }
      if (this.#stopped) return await this.#handBack([run], 'ours');
      log.warn({ err: error, run_id: run.id, attempt: run.attempt }, 'a run is handed back');
      await delay(HAND_BACK_DELAY_MS);
      await this.#handBack([run], isUnavailable(error) ? 'ours' : 'its_own');
    }
  }

  /** The run goes on: it is not what brought an earlier worker down, and another may be tried. */
  #acquit(run: ClaimedRun): void {
    if (this.#places.released(run)) this.#claiming.request();
  }

  /** If the run was taken for lost with this worker, which lives: that was not the run's fault. */
  async #forgive(run: ClaimedRun): Promise<void> {
    const { sql, config, log } = this.#options;
    this.#noticeHang();
    if (performance.now() - this.#hung_ms < config.lease_ms) return;
    await forgiveLoss(sql, this.id, run).catch((error: unknown) =>
      log.warn({ err: error, run_id: run.id }, 'a loss of the run could not be taken back'));
  }

  /** Offers runs to any worker. What fails here is found and mended by the next reconciliation. */
  async #handBack(runs: RunOfWorker[], whose: 'ours' | 'its_own'): Promise<void> {
    const { sql, hub, log } = this.#options;
    try {
      await handBackRuns(sql, runs, whose);
      hub.queued();
    } catch (error) {
      log.warn({ err: error, runs: runs.length }, 'runs could not be handed back yet');
    }
  }
}
