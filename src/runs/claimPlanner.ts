/**
 * Which runs a worker claims next. Workspaces take turns. A run that was lost with a worker, a
 * suspect, is executed beside no other suspect: if two ran together and the worker died again,
 * nobody could tell which of them is to blame.
 */
import type { Config } from '../config.ts';
import type { ClaimedRun, ClaimTerms } from '../store/runs.ts';

/** After this long without a commit of one suspect, the next one may start beside it. */
export const SUSPECT_PACE_MS = 1_000;
/** More than any run was ever lost: no limit. */
const ANY_LOSSES = 1_000_000;

/** What a worker claims next, by what it executes. */
export class ClaimPlanner {
  readonly #count: number;
  readonly #reserve: number;
  readonly #running_limit: number;
  readonly #key_running_limit: number | null;
  /** The workspace that had the last turn. */
  #pivot = '';
  /** Since when the suspects are executed that have not committed anything yet. */
  readonly #suspects = new Map<ClaimedRun, number>();

  constructor(
    config: Pick<Config, 'concurrency' | 'workspace_running_runs' | 'key_running_runs'>) {
    // Places that only workspaces without a run here get, so that their runs start at once even
    // when one workspace fills all others. They are added to `concurrency`, not taken from it, so
    // that a workspace that is alone still gets all of `concurrency`.
    this.#reserve = config.concurrency;
    this.#count = config.concurrency + this.#reserve;
    this.#running_limit = config.workspace_running_runs;
    this.#key_running_limit = config.key_running_runs || null;
  }

  /** How many places are free while so many runs are executed. */
  free(executing: number): number {
    return this.#count - executing;
  }

  /** What the next claim goes by; `executing` are the runs that the worker executes. */
  terms(executing: readonly ClaimedRun[]): ClaimTerms {
    return {
      pivot: this.#pivot,
      held: [...new Set(executing.map(({ workspace_id }) => workspace_id))],
      reserve: this.#reserve,
      running_limit: this.#running_limit,
      key_running_limit: this.#key_running_limit,
      max_losses: this.#maxLosses(),
    };
  }

  /** Takes note of what was claimed by the terms. */
  claimed(runs: readonly ClaimedRun[]): void {
    this.#pivot = this.#lastServed(runs) ?? this.#pivot;
    for (const run of runs) {
      if (run.losses > 0 && !run.condemned) this.#suspects.set(run, performance.now());
    }
  }

  /**
   * The workspace that had the last turn: of those that had most turns, the last one in the order
   * of turns, which is that of the names, from the one behind the pivot to the end and on from the
   * beginning. What was lost with a worker had none.
   */
  #lastServed(runs: readonly ClaimedRun[]): string | undefined {
    const turns = new Map<string, number>();
    for (const { workspace_id, losses } of runs) {
      if (losses === 0) turns.set(workspace_id, (turns.get(workspace_id) ?? 0) + 1);
    }
    const most = Math.max(...turns.values());
    const names = [...turns].filter(([, count]) => count === most).map(([name]) => name).sort();
    return names.findLast((name) => name <= this.#pivot) ?? names.at(-1);
  }

  /**
   * Forgets a suspect, because the run has committed something or is not executed here any more.
   * Answers whether it was one.
   */
  released(run: ClaimedRun): boolean {
    return this.#suspects.delete(run);
  }

  /**
   * How often a run may have been lost to be claimed now. 0 while a suspect is executed here that
   * was lost twice, or has just begun. Beside one that was lost once, another such may begin after
   * a moment: mostly a worker was just killed, and none of its 32 runs is to blame.
   */
  #maxLosses(): number {
    const soon_ms = performance.now() - SUSPECT_PACE_MS;
    let most = ANY_LOSSES;
    for (const [{ losses }, since_ms] of this.#suspects) {
      if (losses > 1 || since_ms > soon_ms) return 0;
      most = 1;
    }
    return most;
  }
}
