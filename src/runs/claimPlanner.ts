/** Which runs the places of a worker are for: turns between workspaces, and suspects one by one. */
import type { Config } from '../config.ts';
import type { ClaimedRun, ClaimTerms } from '../store/runs.ts';

/** A suspect that has committed nothing for so long does not keep the next one waiting. */
export const SUSPECT_PACE_MS = 1_000;
const ANY = 1_000_000;

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
    // Kept for workspaces that have none: when one has taken all others, so many more still start
    // at once. Beside the others, and not of them: a workspace that is alone has no use for these.
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
      suspicion: this.#suspicion(),
    };
  }

  /** Takes note of what was claimed by the terms. */
  claimed(runs: readonly ClaimedRun[]): void {
    const names = runs.map(({ workspace_id }) => workspace_id).sort();
    // The turn went up from the pivot to the end, and from the beginning to the pivot.
    this.#pivot = names.findLast((name) => name <= this.#pivot) ?? names.at(-1) ?? this.#pivot;
    for (const run of runs) {
      if (run.losses > 0 && !run.condemned) this.#suspects.set(run, performance.now());
    }
  }

  /** The run is no suspect any more, or no longer executed here; answers whether it was one. */
  released(run: ClaimedRun): boolean {
    return this.#suspects.delete(run);
  }

  /**
   * Of the suspects, which may be claimed. Two at once would hide from each other which of them
   * brings the worker down. Those that were lost once wait for that for a moment only: mostly a
   * worker was just killed, and none of its 32 runs is to blame.
   */
  #suspicion(): number {
    const soon_ms = performance.now() - SUSPECT_PACE_MS;
    let most = ANY;
    for (const [{ losses }, since_ms] of this.#suspects) {
      if (losses > 1 || since_ms > soon_ms) return 0;
      most = 1;
    }
    return most;
  }
}
