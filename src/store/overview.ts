/** What the overview is made of; reads only. */
import { lowestId } from '../ids.ts';
import type { Sql } from './database.ts';
import { conditions, only, type Filter, type Schemas } from './rows.ts';
import { CLOCKS_APART_MS, type RunStatus } from './runs.ts';

export const HOUR_MS = 3_600_000;
/** At most so many are counted: counting must cost the same however long the queue is. */
const COUNTED = 10_000;
/** Of each key at least so many that wait are looked at: claims take them in this order. */
const HEADS_OF_KEY = 10;

/** Runs that were created in an hour and are alike. Hours are counted from the year 1970 on. */
export interface RunGroup {
  hour: number;
  status: RunStatus;
  model: string;
  /** Of a failed run. */
  error_code: string | null;
  runs: number;
  input_tokens: number;
  output_tokens: number;
}

/** So many runs of an hour took, or waited, so long: 1.2 to the power of `step` milliseconds. */
export interface TimeGroup {
  hour: number;
  of: 'duration' | 'wait';
  step: number;
  runs: number;
}

export interface SlowRun extends Omit<Schemas['SlowRun'], 'duration_s'> {
  hour: number;
  duration_ms: number;
}

export interface RunNumbers {
  groups: RunGroup[];
  times: TimeGroup[];
  /** The slowest of each hour. */
  slowest: SlowRun[];
}

/** Times are counted in steps, each so much longer than the one before. */
export const STEP = 1.2;
/** How many of the slowest runs are kept of each hour. */
export const SLOWEST = 5;

/** What `grouping()` says of a row of `countRuns`: what the others are grouped by. */
const [BY_OUTCOME, BY_DURATION, BY_WAIT] = [0b011, 0b101, 0b110];

/**
 * Numbers of the runs that were created in these hours, the last one included, of one workspace or
 * of all. The runs of an hour are read by a range of the ids of each workspace, in 4 µs each;
 * grouped in one pass, because keeping them for three took twice as long. Whoever asks again for
 * hours that are over keeps the answer (`RunHours`).
 */
export async function countRuns(
  sql: Sql, filter: Filter<'workspace_id'>, first: number, last: number): Promise<RunNumbers> {
  const made = createdIn(sql, filter, first, last);
  const rows = await sql<(RunGroup & { by: number; duration: number; wait: number })[]>`
    select grouping(status, duration, wait) as by, hour, status, model, error_code, duration, wait,
      count(*)::int as runs, sum(input_tokens)::float8 as input_tokens,
      sum(output_tokens)::float8 as output_tokens
    from (
      select *, ceil(ln(duration_ms) / ln(${STEP}::float8))::int as duration,
        ceil(ln(wait_ms) / ln(${STEP}::float8))::int as wait
      from ${made}) r
    group by grouping sets ((hour, status, model, error_code), (hour, duration), (hour, wait))
    having grouping(status) = 0 or duration is not null or wait is not null`;
  const slowest = await sql<SlowRun[]>`
    select hour, workspace_id, id, session_id, status, model, duration_ms from (
      select *, row_number() over (partition by hour order by duration_ms desc) as place
      from ${made} where duration_ms is not null) r
    where place <= ${SLOWEST}`;
  const timesBy = (by: number, of: TimeGroup['of'], stepOf: (row: typeof rows[0]) => number) =>
    rows.filter((row) => row.by === by)
      .map((row) => ({ hour: row.hour, of, step: stepOf(row), runs: row.runs }));
  return {
    groups: rows.filter(({ by }) => by === BY_OUTCOME)
      .map(({ by: _by, duration: _duration, wait: _wait, ...group }) => group),
    times: [...timesBy(BY_DURATION, 'duration', ({ duration }) => duration),
      ...timesBy(BY_WAIT, 'wait', ({ wait }) => wait)],
    slowest: [...slowest],
  };
}

/** Runs that were created in these hours, with how long they waited and took; at least 1 ms. */
function createdIn(
  sql: Sql, { workspace_id }: Filter<'workspace_id'>, first: number, last: number) {
  const [from_ms, to_ms] = [first * HOUR_MS, (last + 1) * HOUR_MS];
  // `extract` would count in numerics, which takes three times as long.
  return sql`(
    select r.* from workspaces w cross join lateral (
      select workspace_id, id, session_id, status, model, error->>'code' as error_code,
        input_tokens, output_tokens, floor(date_part('epoch', created_at) / 3600)::int as hour,
        case when started_at is not null then
          greatest(1, 1000 * date_part('epoch', started_at - created_at)) end as wait_ms,
        case when started_at is not null and status in ('completed', 'failed') then
          greatest(1, 1000 * date_part('epoch', finished_at - started_at)) end as duration_ms
      from runs
      where workspace_id = w.id
        and id >= ${lowestId('run', from_ms - CLOCKS_APART_MS)}
        and id <= ${lowestId('run', to_ms + CLOCKS_APART_MS)}
        and created_at >= ${new Date(from_ms)} and created_at < ${new Date(to_ms)}
      offset 0) r
    where true ${conditions(sql, { 'w.id': workspace_id })}) made`;
}

/** The entry of the audit log that was the last to tell of deleted runs; null: none has. */
export async function lastDeletion(sql: Sql): Promise<number | null> {
  const { seq } = await only(sql<{ seq: number | null }[]>`
    select greatest(
      (select max(seq) from audit_entries where event = 'session.deleted'),
      (select max(seq) from audit_entries where event = 'session.runs_deleted')) as seq`);
  return seq;
}

/** How many approvals wait for a decision; at most COUNTED. */
export async function countPendingApprovals(
  sql: Sql, { workspace_id }: Filter<'workspace_id'>): Promise<number> {
  const { pending } = await only(sql<{ pending: number }[]>`
    select count(*)::int as pending from (
      select from approvals
      where status = 'pending' and expires_at >= now() ${conditions(sql, { workspace_id })}
      limit ${COUNTED}) p`);
  return pending;
}

/** The workers that there are, those of which the lease is over last; at most so many. */
export function listWorkers(sql: Sql, limit: number): Promise<Schemas['OverviewWorker'][]> {
  return sql<Schemas['OverviewWorker'][]>`
    with executed as materialized (
      select worker_id, count(*)::int as runs from runs where status = 'running' group by worker_id)
    select w.id, w.host, w.started_at, w.lease_until > clock_timestamp() as alive,
      coalesce((select e.runs from executed e where e.worker_id = w.id), 0) as running_runs
    from workers w order by alive desc, w.started_at, w.id limit ${limit}`;
}

/**
 * How many runs are open, and for how long the one that has waited longest has waited for a worker
 * alone, not for the run before it; of one workspace, or of all. In the order of an index, or a
 * long queue would have the planner read the table, and all of history with it. Key by key, so that
 * the flood of one hides none of another.
 */
export async function openRuns(sql: Sql, filter: Filter<'workspace_id'> = {}) {
  const ofWorkspace = conditions(sql, filter);
  return await only(sql<{ queued: number; running: number; queue_age_s: number }[]>`
    with recursive keys (workspace_id, key) as (
      (select workspace_id, coalesce(api_key_id, '') from runs
      where status = 'queued' and head ${ofWorkspace}
      order by workspace_id, coalesce(api_key_id, ''), seq limit 1)
      union all
      select n.workspace_id, n.key from keys k
      cross join lateral (
        select r.workspace_id, coalesce(r.api_key_id, '') as key from runs r
        where r.status = 'queued' and r.head ${ofWorkspace}
          and (r.workspace_id, coalesce(r.api_key_id, '')) > (k.workspace_id, k.key)
        order by r.workspace_id, coalesce(r.api_key_id, ''), r.seq limit 1) n
    ), looked_at as (select * from keys limit ${COUNTED})
    select
      (select count(*)::int from (
        select from runs where status = 'queued' ${ofWorkspace}
        order by workspace_id, session_id, seq limit ${COUNTED}) q) as queued,
      (select count(*)::int from (
        select from runs where status = 'running' ${ofWorkspace}
        order by workspace_id, session_id limit ${COUNTED}) r) as running,
      (select coalesce(greatest(0, extract(epoch from clock_timestamp() - min(w.since))), 0)
        from looked_at k
        cross join lateral (
          select greatest(r.created_at, r.offered_at) as since from runs r
          where r.status = 'queued' and r.head
            and r.workspace_id = k.workspace_id and coalesce(r.api_key_id, '') = k.key
          order by r.seq
          limit greatest(${HEADS_OF_KEY}, ${COUNTED} / (select count(*) from looked_at))) w
        )::double precision as queue_age_s`);
}
