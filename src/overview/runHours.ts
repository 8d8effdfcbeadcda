/** What has become of runs, by the hour of their creation. */
import { LRUCache } from 'lru-cache';
import type { Sql } from '../store/database.ts';
import { countRuns, HOUR_MS, lastDeletion, type RunNumbers } from '../store/overview.ts';

/** A question reads at most so many hours at once: a statement has 4.5 s. */
const HOURS_AT_ONCE = 24;
/** Workspaces, or all of them together, that are kept; a month of a busy one is about 4 MB. */
const SCOPES = 10;
/** The hours, this one among them, that something may still come into: clocks of nodes differ. */
const LATE_HOURS = 2;

/** The last hours of which something is kept: the longest window of the overview. */
const MOST_HOURS = 720;

/**
 * Reads the numbers of runs by hours, and keeps those of hours that are over and whose runs have
 * all ended: nothing changes about them any more, until a session is deleted. So a month is read
 * once by a node, and then only what is new. (A table of sums was the alternative: every run that
 * ends would write to it, or a task of its own fill it.)
 */
export class RunHours {
  readonly #sql: Sql;
  /** The kept hours by workspace. */
  readonly #scopes = new LRUCache<string, Map<number, RunNumbers>>({ max: SCOPES });
  /** The last deletion before any of them was read. */
  #deletion: number | null = null;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** The numbers of so many hours, the one that `now_ms` is in being the last. */
  async read(
    workspace_id: string | undefined, hours: number, now_ms: number): Promise<RunNumbers> {
    const deletion = await lastDeletion(this.#sql);
    if (deletion !== this.#deletion) this.#scopes.clear();
    this.#deletion = deletion;
    const last = Math.floor(now_ms / HOUR_MS);
    const scope = workspace_id ?? '';
    const settled = this.#scopes.get(scope) ?? new Map<number, RunNumbers>();
    this.#scopes.set(scope, settled);
    for (const hour of settled.keys()) {
      // What is later was kept while the clock was ahead, before the hour was over.
      if (hour <= last - MOST_HOURS || hour > last - LATE_HOURS) settled.delete(hour);
    }
    const found: RunNumbers[] = [];
    for (let hour = last - hours + 1; hour <= last; hour++) {
      const kept = settled.get(hour);
      if (kept !== undefined) {
        found.push(kept);
        continue;
      }
      let end = hour;
      while (end < last && end - hour < HOURS_AT_ONCE - 1 && !settled.has(end + 1)) end++;
      const numbers = await countRuns(this.#sql, { workspace_id }, hour, end);
      found.push(numbers);
      keepSettled(settled, numbers, hour, Math.min(end, last - LATE_HOURS));
      hour = end;
    }
    return {
      groups: found.flatMap(({ groups }) => groups), times: found.flatMap(({ times }) => times),
      slowest: found.flatMap(({ slowest }) => slowest),
    };
  }
}

function keepSettled(
  settled: Map<number, RunNumbers>, numbers: RunNumbers, from: number, to: number): void {
  const byHour = <T extends { hour: number }>(items: readonly T[]) => {
    const found = Map.groupBy(items, (item) => item.hour);
    return (hour: number) => found.get(hour) ?? [];
  };
  const [groupsOf, timesOf, slowestOf] =
    [byHour(numbers.groups), byHour(numbers.times), byHour(numbers.slowest)];
  for (let hour = from; hour <= to; hour++) {
    const groups = groupsOf(hour);
    if (groups.some(({ status }) => status === 'queued' || status === 'running')) continue;
    settled.set(hour, { groups, times: timesOf(hour), slowest: slowestOf(hour) });
  }
}
