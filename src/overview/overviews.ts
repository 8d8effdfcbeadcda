/** The overview: how the service is doing, put together of what the store and the doctor say. */
import { LRUCache } from 'lru-cache';
import { steadyClock, type Clock } from '../clock.ts';
import { within } from '../deadline.ts';
import { GatehouseError } from '../errors.ts';
import { timeOfDay } from '../ids.ts';
import { patience, PATIENCE_MS, unhurried } from '../patience.ts';
import type { Sql } from '../store/database.ts';
import { brokenConnections, countConnections } from '../store/inspection.ts';
import {
  countPendingApprovals, HOUR_MS, listWorkers, openRuns, SLOWEST, STEP, type RunGroup, type SlowRun,
  type TimeGroup,
} from '../store/overview.ts';
import type { Schemas } from '../store/rows.ts';
import { RunHours } from './runHours.ts';

export interface OverviewsOptions {
  sql: Sql;
  /** What the doctor finds by the database and the configuration. */
  inspect(): Promise<Schemas['Finding'][]>;
  /** The time of day by which runs are counted. */
  now?: Clock;
  /** For how long one is good. */
  clock?: Clock;
}

type Overview = Schemas['Overview'];

interface Kept {
  making: Promise<Overview>;
  until_ms: number;
  waiting: number;
}

/** An overview is good for so long; one that took long to make for so many times that. */
const GOOD_MS = 3_000;
const MOST_GOOD_MS = 30_000;
const TIMES = 20;
const MOST_KEPT = 100;

const HOURS_OF_DAY = 24;
/** Up to so many hours are shown as hours. */
const MOST_HOURS_SHOWN = 72;
const DAY_MS = HOURS_OF_DAY * HOUR_MS;
const WORKERS = 100;
const CONNECTIONS = 20;
const MODELS = 10;

/** Overviews as this node makes them: one for all who ask within a few seconds. */
export class Overviews {
  readonly #options: OverviewsOptions;
  readonly #hours: RunHours;
  readonly #clock: Clock;
  readonly #kept = new LRUCache<string, Kept>({ max: MOST_KEPT });
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: OverviewsOptions) {
    this.#options = options;
    this.#hours = new RunHours(options.sql);
    this.#clock = options.clock ?? steadyClock;
  }

  /** Of one workspace or of all; `hours` back. */
  async get(workspace_id: string | undefined, hours: number): Promise<Overview> {
    const key = `${workspace_id ?? ''} ${hours}`;
    const kept = this.#kept.get(key);
    const asked = kept !== undefined && this.#clock() < kept.until_ms
      ? kept : this.#begin(key, workspace_id, hours);
    asked.waiting += 1;
    try {
      return await within(patience()?.left_ms ?? PATIENCE_MS, asked.making, () => {
        throw notMade();
      });
    } finally {
      asked.waiting -= 1;
    }
  }

  #begin(key: string, workspace_id: string | undefined, hours: number): Kept {
    // One overview after another: whoever asks for many takes no more connections than one.
    const making = this.#last.then(async () => {
      const begun_ms = this.#clock();
      try {
        // All who asked have given up: it would only hold up those that come after it.
        if (made.waiting === 0) throw notMade();
        // For all who ask: it goes on when the first of them waits no longer.
        const overview = await unhurried(() => this.#make(workspace_id, hours));
        const made_ms = this.#clock();
        made.until_ms = made_ms
          + Math.min(Math.max(GOOD_MS, TIMES * (made_ms - begun_ms)), MOST_GOOD_MS);
        return overview;
      } catch (error) {
        made.until_ms = -Infinity;
        throw error;
      }
    });
    this.#last = making.catch(() => {});
    const made: Kept = { making, until_ms: Infinity, waiting: 0 };
    this.#kept.set(key, made);
    return made;
  }

  async #make(workspace_id: string | undefined, hours: number): Promise<Overview> {
    const { sql, inspect, now = timeOfDay } = this.#options;
    const now_ms = now();
    const filter = { workspace_id };
    // One after the other: an overview takes one connection, not all that there are.
    const numbers = await this.#hours.read(workspace_id, hours, now_ms);
    const open_runs = await openRuns(sql, filter);
    const workers = await listWorkers(sql, WORKERS);
    const pending_approvals = await countPendingApprovals(sql, filter);
    const counts = await countConnections(sql, filter, []);
    const waiting = await brokenConnections(sql, CONNECTIONS, filter);
    const slowest = slowestOf(numbers.slowest);
    const since_ms = (Math.floor(now_ms / HOUR_MS) - hours + 1) * HOUR_MS;
    const bucket_ms = hours > MOST_HOURS_SHOWN ? DAY_MS : HOUR_MS;
    return {
      object: 'overview',
      workspace_id: workspace_id ?? null,
      made_at: new Date(now_ms).toISOString(),
      since: new Date(since_ms).toISOString(),
      bucket_s: bucket_ms / 1_000,
      open_runs,
      buckets: bucketsOf(numbers.groups, bucket_ms, since_ms, now_ms),
      failures: failuresOf(numbers.groups),
      tokens: tokensOf(numbers.groups),
      durations: quantilesOf(numbers.times, 'duration',
        slowest.map(({ duration_ms }) => duration_ms)),
      waits: quantilesOf(numbers.times, 'wait', []),
      slowest: slowest.map(({ hour: _, duration_ms, ...run }) =>
        ({ ...run, duration_s: rounded(duration_ms / 1_000) })),
      workers,
      pending_approvals,
      connections: {
        needs_reconnect: counts.get('needs_reconnect') ?? 0, pending: counts.get('pending') ?? 0,
        first: waiting.map(({ auth_type: _, ...connection }) => connection),
      },
      findings: await inspect(),
    };
  }
}

function notMade(): GatehouseError {
  return new GatehouseError('unavailable', 'The overview is not made yet: the database has much'
    + ' to do, or other overviews are made before it. Ask again in a moment.');
}

function bucketsOf(
  groups: readonly RunGroup[], bucket_ms: number, since_ms: number, now_ms: number,
): Schemas['RunBucket'][] {
  const first = Math.floor(since_ms / bucket_ms);
  const buckets = Array.from({ length: Math.floor(now_ms / bucket_ms) - first + 1 }, (_, at) => ({
    from: new Date((first + at) * bucket_ms).toISOString(),
    open: 0, completed: 0, failed: 0, cancelled: 0,
  }));
  for (const { hour, status, runs } of groups) {
    const bucket = buckets[Math.floor(hour * HOUR_MS / bucket_ms) - first]!;
    bucket[status === 'queued' || status === 'running' ? 'open' : status] += runs;
  }
  return buckets;
}

function failuresOf(groups: readonly RunGroup[]): Schemas['FailureCount'][] {
  const runs = new Map<string, number>();
  for (const group of groups) {
    if (group.error_code === null) continue;
    runs.set(group.error_code, (runs.get(group.error_code) ?? 0) + group.runs);
  }
  return [...runs].map(([error_code, count]) => ({ error_code, runs: count }))
    .sort((a, b) => b.runs - a.runs);
}

function tokensOf(groups: readonly RunGroup[]): Schemas['TokenCount'][] {
  const used = new Map<string, number>();
  for (const { model, input_tokens, output_tokens } of groups) {
    used.set(model, (used.get(model) ?? 0) + input_tokens + output_tokens);
  }
  const shown = new Set([...used].sort(([, a], [, b]) => b - a).slice(0, MODELS)
    .map(([model]) => model));
  const counts = new Map<string, Schemas['TokenCount']>();
  for (const { hour, model: name, input_tokens, output_tokens } of groups) {
    if (input_tokens + output_tokens === 0) continue;
    const day = new Date(hour * HOUR_MS).toISOString().slice(0, 10);
    const model = shown.has(name) ? name : null;
    const key = `${day} ${model ?? ''}`;
    const count = counts.get(key) ?? { day, model, input_tokens: 0, output_tokens: 0 };
    count.input_tokens += input_tokens;
    count.output_tokens += output_tokens;
    counts.set(key, count);
  }
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count);
}

/**
 * Quantiles by the steps in which times are counted. `longest_ms`: the longest of all, longest
 * first, which are known exactly: so what is said agrees with the list of the slowest, and of a few
 * runs is exact. (The least and the most of each step were the alternative: of 200,000 runs they
 * made the statement a tenth to a fifth slower.)
 */
function quantilesOf(
  times: readonly TimeGroup[], of: TimeGroup['of'], longest_ms: readonly number[],
): Schemas['Quantiles'] {
  const by = new Map<number, number>();
  let total = 0;
  for (const { runs, step } of times.filter((one) => one.of === of)) {
    by.set(step, (by.get(step) ?? 0) + runs);
    total += runs;
  }
  const steps = [...by].sort(([a], [b]) => a - b);
  const quantile = (share: number) => {
    if (total === 0) return null;
    let left = Math.ceil(share * total);
    const exact_ms = longest_ms[total - left];
    if (exact_ms !== undefined) return rounded(exact_ms / 1_000);
    const [step] = steps.find(([, runs]) => (left -= runs) <= 0)!;
    const middle_ms = STEP ** (step - 0.5);
    return rounded(Math.min(middle_ms, longest_ms.at(-1) ?? middle_ms) / 1_000);
  };
  return { runs: total, p50_s: quantile(0.5), p90_s: quantile(0.9), p99_s: quantile(0.99) };
}

function slowestOf(runs: readonly SlowRun[]): SlowRun[] {
  return runs.toSorted((a, b) => b.duration_ms - a.duration_ms).slice(0, SLOWEST);
}

/** Three digits are more than a step has. */
function rounded(number: number): number {
  return Number(number.toPrecision(3));
}
