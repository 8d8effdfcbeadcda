import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { Background, coalesce } from '../coalesce.ts';
import type { Config } from '../config.ts';
import { within } from '../deadline.ts';
import { timeOf, timeOfDay } from '../ids.ts';
import { isUnavailable } from '../store/database.ts';
import { advanceQueueFront } from '../store/queueFront.ts';
import {
  claimRuns, handBackRuns, runsOfWorker, type Claim, type ClaimedRun, type RunOfWorker,
} from '../store/runs.ts';
import { NO_METERS, type Meters } from '../telemetry/metrics.ts';
import { FencedError } from './appender.ts';
import { ClaimPlanner, SUSPECT_PACE_MS } from './claimPlanner.ts';
import type { EventHub } from './eventHub.ts';
import { Lease, type LeaseOptions } from './lease.ts';
import { Losses } from './losses.ts';
import type { TurnSignals } from './turnSignals.ts';

/** How long a stopping worker lets calls that change something be answered. */
const WRITE_GRACE_MS = 2_500;
/** Wait before a run that could not go on is offered again: a lasting fault must not spin. */
const HAND_BACK_DELAY_MS = 500;
/** It doubles with each attempt, up to this. */
const LONGEST_HAND_BACK_DELAY_MS = 4_000;

/** The database does it this often at most, whichever worker asks. */
const QUEUE_FRONT_EVERY_MS = 5_000;

export interface WorkerOptions extends Omit<LeaseOptions, 'config' | 'onRenewed'> {
  hub: EventHub;
  config: Config;
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
 * Claims runs and executes them, as many at once as `config.concurrency` says, and as many again of
 * workspaces of which it executes none.
 */
export class Worker {
  readonly #options: WorkerOptions;
  readonly #lease: Lease;
  readonly #losses: Losses;
  readonly #executing = new Map<string, Executing>();
  readonly #planner: ClaimPlanner;
  readonly #undo: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** The claim that is under way. Two at once would each take all that there is room for. */
  #claimed: Promise<unknown> | undefined;
  /** There may be more to claim than there was room for, or than was looked for. */
  #more = false;
  readonly #claiming = coalesce(() => this.#claim());
  // Separate from the renewal, which must not wait for it.
  readonly #reconciling = coalesce(() => this.#reconcile());
  readonly #advancing = new Background(() => this.#advance(), QUEUE_FRONT_EVERY_MS);
  readonly #windDown = new AbortController();
  readonly #inOwnContext = AsyncLocalStorage.snapshot();
  #stopped = false;
  #ending: Promise<void> | undefined;

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#planner = new ClaimPlanner(options.config);
    this.#lease = new Lease({ ...options, onRenewed: (doubted) => this.#onRenewed(doubted) });
    this.#losses = new Losses({ ...options, lease: this.#lease });
  }

  /** Whether the lease was renewed within its time, as far as this process knows. */
  get alive(): boolean {
    return this.#lease.alive;
  }

  /** How many runs it executes now. */
  get executing(): number {
    return this.#executing.size;
  }

  /** Registers the worker and begins to claim. Throws if the database cannot be reached. */
  async start(): Promise<void> {
    const { hub, config } = this.#options;
    await this.#lease.start();
    this.#undo.push(
      hub.on('queue', () => {
        this.#more = true;
        this.#claiming.request();
      }),
      hub.on('cancelled', (run_id) =>
        this.#executing.get(run_id)?.stop.abort(new FencedError(run_id))),
      hub.on('connected', () => {
        this.#lease.renewIfDoubted();
        this.#lookAround();
      }),
    );
    this.#timer = setInterval(() => this.#lookAround(), config.claim_poll_ms);
    this.#losses.start();
    this.#advancing.open();
    this.#claiming.request();
  }

  /** Looks for runs to claim and for cancelled ones, in case a signal was lost. */
  #lookAround(): void {
    this.#claiming.request();
    if (this.#executing.size > 0) this.#reconciling.request();
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
    this.#stopped = true;
    for (const undo of this.#undo.splice(0)) undo();
    void this.#advancing.close(); // A look may take long, and changes nothing here.
    clearInterval(this.#timer);
    // First: a run that goes on meanwhile begins calls, which would only make the stop longer.
    this.#windDown.abort(new Error('the worker stops'));
    await this.#losses.stop();
    await this.#claiming.idle();
    await this.#claimed; // of a creation: what it has claimed is handed back with the rest
    await this.#lease.stop();
    await this.#reconciling.idle();
    const done = Promise.all([...this.#executing.values()].map((executing) => executing.done));
    await within(WRITE_GRACE_MS, done, () => {});
    for (const { stop } of this.#executing.values()) stop.abort(this.#windDown.signal.reason);
    await done;
    await this.#lease.end();
  }

  #onRenewed(doubted: boolean): void {
    if (doubted) this.#losses.settle();
    if (this.#stopped) return;
    this.#claiming.request();
    // Also when it executes nothing: it may own runs that could not be handed back.
    this.#reconciling.request();
  }

  /**
   * Compares what the database says this worker executes with what it does. A run that is no longer
   * its own is stopped (the signal was lost); one that it knows nothing of is handed back (the
   * answer to a claim was lost, or an earlier handing back failed).
   */
  async #reconcile(): Promise<void> {
    const { sql, log } = this.#options;
    const executing = [...this.#executing];
    try {
      const own = await runsOfWorker(sql, this.#lease.id);
      const attempts = new Map(own.map((run) => [run.id, run.attempt]));
      for (const [run_id, { run, stop }] of executing) {
        if (attempts.get(run_id) !== run.attempt) stop.abort(new FencedError(run_id));
      }
      // What it has taken is not in the map yet. As a rule one is under way, for both are asked for
      // together: to leave it for the next time instead would be to leave it for good.
      await this.#claimed;
      const unknown = own.filter((run) => this.#executing.get(run.id)?.run.attempt !== run.attempt);
      if (unknown.length > 0) await this.#handBack(unknown, 'ours');
    } catch (error) {
      log.warn({ err: error, worker_id: this.#lease.id }, 'the worker could not look its runs up');
    }
  }

  /** Has claims begin where runs wait. Until it is done, they take longer, and find the same. */
  async #advance(): Promise<void> {
    const { sql, log } = this.#options;
    try {
      await advanceQueueFront(sql);
    } catch (error) {
      if (!this.#stopped) {
        log.warn({ err: error, worker_id: this.#lease.id },
          'the worker could not look from where on runs wait');
      }
    }
  }

  /** What there is room for; null if nothing may be claimed, or a claim is under way. */
  #nextClaim(): Claim | null {
    const limit = this.#planner.free(this.#executing.size);
    // While it is in doubt, other workers would take the runs away that it claims.
    if (limit <= 0 || this.#stopped || this.#claimed || !this.#lease.is_known) return null;
    const executing = [...this.#executing.values()].map(({ run }) => run);
    return { worker_id: this.#lease.id, limit, terms: this.#planner.terms(executing) };
  }

  /** Claims what there is room for. */
  async #claim(): Promise<void> {
    const { sql, log } = this.#options;
    this.#more ||= this.#claimed !== undefined;
    const claim = this.#nextClaim();
    if (claim === null) return;
    try {
      await this.#taking(claim, async () => (
        { claimed: await claimRuns(sql, claim.worker_id, claim.limit, claim.terms) }));
    } catch (error) {
      log.warn({ err: error, worker_id: this.#lease.id }, 'runs could not be claimed');
    }
  }

  /**
   * Has runs created by a statement that also claims, if there is room for them and no claim is
   * under way: they begin a commit earlier. The statement must be committed when `create` resolves.
   */
  async claimWith<T extends { claimed: ClaimedRun[] }>(
    create: (claim: Claim | null) => Promise<T>): Promise<T> {
    const claim = this.#nextClaim();
    if (claim === null) return await create(null);
    try {
      return await this.#taking(claim, () => create(claim));
    } finally {
      if (this.#more) this.#claiming.request();
    }
  }

  /** Begins to execute what `ask` claims; until then, this claim is under way. */
  async #taking<T extends { claimed: ClaimedRun[] }>(
    claim: Claim, ask: () => Promise<T>): Promise<T> {
    this.#more = false;
    const taking = ask().then((asked) => {
      // What it executes is no part of the request that created it.
      this.#inOwnContext(() => this.#take(asked.claimed, claim));
      return asked;
    });
    this.#claimed = taking.catch(() => {
      this.#more = true;
    }).finally(() => {
      this.#claimed = undefined;
    });
    await this.#claimed;
    return await taking;
  }

  /** Begins to execute what was claimed. */
  #take(runs: ClaimedRun[], { limit, terms }: Claim): void {
    this.#more ||= runs.length >= limit - terms.reserve;
    this.#planner.claimed(runs);
    if (runs.length > 0) this.#options.hub.changed(runs.map((run) => run.id));
    for (const run of runs) this.#begin(run);
    // A claim takes one suspect at most. The next one may be claimed after this pause.
    if (runs.some(({ losses }) => losses > 0)) {
      setTimeout(() => this.#claiming.request(), SUSPECT_PACE_MS + 1).unref();
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
      const was_suspect = this.#planner.released(run);
      if (this.#executing.get(run.id) === executing) this.#executing.delete(run.id);
      // A claim that is under way was sent before this run ended, and asks for too few.
      this.#more ||= this.#claimed !== undefined;
      if (!this.#stopped && (this.#more || was_suspect)) this.#claiming.request();
    });
  }

  #count({ id, attempt }: ClaimedRun): void {
    const { meters = NO_METERS } = this.#options;
    meters.run_attempts_total.add(1, { kind: attempt === 1 ? 'first' : 'again' });
    if (attempt > 1) return;
    meters.run_wait_seconds.record(Math.max(0, timeOfDay() - timeOf(id)) / 1_000);
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
        return this.#losses.settle();
      }
      if (this.#stopped) {
        // A claim that is under way would take it, and hand it back once more.
        await this.#claiming.idle();
        await this.#claimed;
        return await this.#handBack([run], 'ours');
      }
      log.warn({ err: error, run_id: run.id, attempt: run.attempt }, 'a run is handed back');
      await this.#pause(run, signal);
      await this.#handBack([run], isUnavailable(error) ? 'ours' : 'its_own');
    }
  }

  /** Cut short if the run is cancelled meanwhile, or the worker stops. */
  async #pause({ attempt }: ClaimedRun, stop: AbortSignal): Promise<void> {
    const pause_ms = Math.min(HAND_BACK_DELAY_MS * 2 ** (attempt - 1), LONGEST_HAND_BACK_DELAY_MS);
    const signal = AbortSignal.any([stop, this.#windDown.signal]);
    await delay(pause_ms, undefined, { signal }).catch(() => {});
  }

  /** The run has committed something, so it is no suspect any more: the next one may be claimed. */
  #acquit(run: ClaimedRun): void {
    if (this.#planner.released(run)) this.#claiming.request();
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
