/** What a run may use: steps, its tokens, and its workspace's tokens of the day. */
import { LRUCache } from 'lru-cache';
import type { Sql } from '../store/database.ts';
import type { ClaimedRun } from '../store/runs.ts';
import { addUncommittedTokens, tokensToday } from '../store/tokens.ts';
import { RunFailure } from './runStatus.ts';

/** How long a sum over the day's runs is used again: adding it up reads all of them. */
const FRESH_MS = 1_000;
/** A sum is used for this many times as long as it took, so that adding up takes 2 % at most. */
const REST = 50;
const WORKSPACES = 1_000;

/** What workspaces have used today: at most one query a second for each, and our own steps. */
export class WorkspaceTokens {
  readonly #sql: Sql;
  readonly #known: LRUCache<string, { tokens: number }>;

  constructor(sql: Sql) {
    this.#sql = sql;
    this.#known = new LRUCache({
      max: WORKSPACES,
      ignoreFetchAbort: true, // whose sum is driven out while it is read, is answered all the same
      fetchMethod: async (workspace_id, _known, { options }) => {
        const start_ms = performance.now();
        const tokens = await tokensToday(sql, workspace_id);
        options.ttl = Math.max(FRESH_MS, (performance.now() - start_ms) * REST);
        return { tokens };
      },
    });
  }

  /**
   * Tokens of today's runs. Those that are committed while a sum is read may be missing for as long
   * as that is used: counted beside it, some would count twice, and end a run that may go on.
   */
  async usedToday(workspace_id: string): Promise<number> {
    return (await this.#known.forceFetch(workspace_id)).tokens;
  }

  /** Counts what a step of a run has used that is not committed. */
  async addUncommitted(run: ClaimedRun, tokens: number): Promise<void> {
    await addUncommittedTokens(this.#sql, run, tokens);
    this.add(run.workspace_id, tokens);
  }

  /** Counts a step that this process has committed. */
  add(workspace_id: string, tokens: number): void {
    const known = this.#known.get(workspace_id);
    if (known !== undefined) known.tokens += tokens;
  }
}

/** Throws RunFailure, which says what is used up, if the run may take no further step. */
export async function requireBudget(
  run: ClaimedRun, used: { steps: number; total_tokens: number }, workspace: WorkspaceTokens,
): Promise<void> {
  const { max_steps, max_total_tokens, max_total_tokens_per_day: per_day } = run;
  if (used.steps >= max_steps) {
    throw new RunFailure('max_steps_exceeded', `The run took ${used.steps} model steps, the most it`
      + ' may. Raise max_steps (of the run, its workspace or the service), or ask for less at'
      + ' once.', false);
  }
  if (max_total_tokens !== null && used.total_tokens >= max_total_tokens) {
    throw new RunFailure('budget_exceeded', `The run has used ${used.total_tokens} tokens, and may`
      + ` use ${max_total_tokens}. Raise max_total_tokens (of the run, its workspace or the`
      + ' service), or ask for less at once.', false);
  }
  if (per_day === null) return;
  const today = await workspace.usedToday(run.workspace_id);
  if (today < per_day) return;
  throw new RunFailure('budget_exceeded', `The workspace's runs of today (UTC) have used ${today}`
    + ` tokens, and may use ${per_day} (max_total_tokens_per_day). Try again tomorrow, or have the`
    + ' operator raise it.', false);
}
