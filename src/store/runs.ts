import type { Scope } from '../caller.ts';
import { lowestId } from '../ids.ts';
import type { Sql, Transaction } from './database.ts';
import { endReasonOf } from './revocations.ts';
import {
  conditions, first, keyset, only, sizedPage, some, type Filter, type Page, type RowOf,
  type Schemas, type SizedPage,
} from './rows.ts';

export type RunStatus = Schemas['RunStatus'];

export interface RunRow extends RowOf<'Run', 'tool_calls' | 'usage'> {
  seq: number;
  attempt: number;
  last_seq: number;
  input_tokens: number;
  output_tokens: number;
}

export type InputItem = Schemas['InputItem'];
export type OutputItem = Schemas['OutputItem'];

export interface NewRun
  extends Pick<RunRow, 'id' | 'session_id' | 'source' | 'model' | 'input' | 'metadata'> {
  workspace_id: string;
  concurrency: 'enqueue' | 'reject' | 'interrupt';
  api_key_id: string;
  instructions: string | null;
  max_steps: number;
  timeout_s: number;
  /** Of all its steps together; null for no limit. */
  max_total_tokens?: number | null;
  /** Of all runs of its workspace in a day (UTC); null for no limit. */
  max_total_tokens_per_day?: number | null;
  /** Queued runs of its workspace, beyond which none is created; null for no limit. */
  max_queued_runs?: number | null;
  messages: { id: string; content: InputItem['content'] }[];
}

export interface CreateOutcome {
  outcome: 'created' | 'not_found' | 'session_archived' | 'session_busy' | 'queue_full';
  /** Runs that were cancelled to make room. */
  cancelled: string[];
}

/** A run without what only the run itself shows. */
export type RunSummaryRow = Omit<RunRow, 'output'>;

const summaryColumns = (sql: Sql) => sql`
  id, session_id, seq, status, attempt, last_seq, source, model, input, error,
  input_tokens, output_tokens, metadata, created_at, updated_at, started_at, finished_at`;

/** Creates a run, its first event and its messages, in the caller's transaction or its own. */
export async function createRun(sql: Sql | Transaction, run: NewRun): Promise<CreateOutcome> {
  return await only(sql<CreateOutcome[]>`
    select * from create_run(
      ${run.workspace_id}, ${run.session_id}, ${run.id}, ${run.concurrency}, ${run.source},
      ${run.api_key_id}, ${run.model}, ${run.instructions}, ${run.max_steps}, ${run.timeout_s},
      ${JSON.stringify(run.input)}::text::json, ${JSON.stringify(run.metadata)}::text::json,
      ${JSON.stringify(run.messages)}::text::json, ${run.max_total_tokens ?? null},
      ${run.max_total_tokens_per_day ?? null}, ${run.max_queued_runs ?? null})`);
}

export async function getRun(
  sql: Sql, scope: Scope, id: string): Promise<RunRow | undefined> {
  return await first(sql<RunRow[]>`
    select ${summaryColumns(sql)}, output from runs
    where workspace_id = ${scope.workspace_id} and id = ${id} ${within(sql, scope)}`);
}

/** The runs of the session, where a scope is one. */
const within = (sql: Sql, { session_id }: Scope) =>
  conditions(sql, { session_id: session_id ?? undefined });

/** Ids begin with the time at the node that made them; nodes' clocks may differ by this. */
const CLOCKS_APART_MS = 3_600_000;
const DAY_MS = 24 * 3_600_000;

/** A page of runs; one with large inputs has fewer of them. */
export function listRuns(
  sql: Sql, scope: Scope,
  filter: Filter<'status' | 'session_id' | 'created_after' | 'created_before'>, page: Page,
): Promise<SizedPage<RunSummaryRow>> {
  const { status, session_id, created_after, created_before } = filter;
  return sizedPage<RunSummaryRow>(sql, sql`
    select ${summaryColumns(sql)} from runs
    where workspace_id = ${scope.workspace_id} ${within(sql, scope)}
      ${conditions(sql, { status, session_id })}
      ${created_after === undefined ? sql`` : sql`and created_at > ${created_after}::timestamptz
        and id >= ${lowestId('run', Date.parse(created_after) - CLOCKS_APART_MS)}`}
      ${created_before === undefined ? sql`` : sql`and created_at < ${created_before}::timestamptz
        and id <= ${lowestId('run', Date.parse(created_before) + CLOCKS_APART_MS)}`}
      ${keyset(sql, page)}`, sql`octet_length(input::text)`, page);
}

/** Cancels a run: true if it was open, false if it had ended, undefined if there is none. */
export async function cancelRun(
  sql: Sql, workspace_id: string, id: string, reason: string): Promise<boolean | undefined> {
  const [row] = await sql<{ cancelled: boolean }[]>`
    select cancel_run as cancelled from cancel_run(${workspace_id}, ${id}, ${reason})`;
  return row?.cancelled;
}

export interface ClaimedRun extends
  Pick<NewRun, 'workspace_id' | 'api_key_id' | 'instructions' | 'max_steps'>, Pick<RunRow,
    'id' | 'session_id' | 'seq' | 'attempt' | 'last_seq' | 'model' | 'input_tokens'
    | 'output_tokens'> {
  steps: number;
  max_total_tokens: number | null;
  max_total_tokens_per_day: number | null;
  /** What is left of the run's time. */
  timeout_ms: number;
  /** With how many workers it was lost, one after the other, without committing anything. */
  losses: number;
  /** It is what brought them down, and is to be given up. */
  condemned: boolean;
}

/** What a claim goes by besides the places that are free. */
export interface ClaimTerms {
  /** The workspace after which the next has its turn. */
  pivot: string;
  /** Workspaces of which the worker executes something. */
  held: string[];
  /** Of the free places, how many are for other workspaces only. */
  reserve: number;
  /** Runs of one workspace that are executed at once, unless its own limits say otherwise. */
  running_limit: number;
  /** A run that was lost with more workers is left to others; 0: none that was lost. */
  suspicion: number;
}

/** Claims up to `limit` runs for a worker; each has its `run.started` event already. */
export function claimRuns(
  sql: Sql, worker_id: string, limit: number, terms: Partial<ClaimTerms> = {},
): Promise<ClaimedRun[]> {
  const { pivot = '', held = [], reserve = 0, running_limit = null, suspicion = 1 } = terms;
  return sql<ClaimedRun[]>`
    select * from claim_runs(${worker_id}, ${limit}, ${pivot}, ${held}::text[], ${reserve},
      ${running_limit}, ${suspicion})`;
}

/** Tokens of the runs that a workspace has created since midnight, UTC. */
export async function tokensToday(sql: Sql, workspace_id: string): Promise<number> {
  // Midnight is by the database's clock. By this node's clock, ids of an earlier time are left out.
  const earlier = lowestId('run', Date.now() - DAY_MS - CLOCKS_APART_MS);
  const [row] = await sql<{ tokens: number }[]>`
    select coalesce(sum(input_tokens + output_tokens), 0)::float8 as tokens from runs
    where workspace_id = ${workspace_id} and id >= ${earlier}
      and created_at >= date_trunc('day', now() at time zone 'utc') at time zone 'utc'`;
  return row!.tokens;
}

/** What an attempt of a run writes in one piece: all of it, or nothing. */
export interface Append {
  workspace_id: string;
  run_id: string;
  attempt: number;
  events: { type: string; data: string }[];
  messages: NewMessage[];
  /** 1 if this commits a model step. */
  steps: number;
  input_tokens: number;
  output_tokens: number;
  end: { status: 'completed' | 'failed'; output: OutputItem[]; error: RunRow['error'] } | null;
}

export interface NewMessage {
  id: string;
  /** Place within the run; unique. */
  position: number;
  role: 'assistant' | 'tool';
  content: unknown[];
  provider: unknown;
}

/**
 * Appends to several runs in one transaction; `appends` hold each run at most once. Answers the
 * new last event number by run id; a run that is missing was fenced off and nothing of it written.
 */
export async function appendToRuns(sql: Sql, appends: Append[]): Promise<Map<string, number>> {
  // Sorted, so that two processes mostly lock rows in the same order.
  const batch = appends.toSorted((a, b) => (a.run_id < b.run_id ? -1 : 1));
  const events = batch.flatMap((a) =>
    a.events.map((event, index) => ({ ...event, run_id: a.run_id, place: index + 1 })));
  const messages = batch.flatMap((a) => a.messages.map((m) => ({ ...m, run_id: a.run_id })));
  const rows = await sql<{ run_id: string; last_seq: number }[]>`
    select * from append_to_runs(
      ${batch.map((a) => a.workspace_id)}::text[], ${batch.map((a) => a.run_id)}::text[],
      ${batch.map((a) => a.attempt)}::int[], ${batch.map((a) => a.events.length)}::int[],
      ${batch.map((a) => a.steps)}::int[], ${batch.map((a) => a.input_tokens)}::int[],
      ${batch.map((a) => a.output_tokens)}::int[],
      ${batch.map((a) => a.end?.status ?? null)}::text[],
      ${batch.map((a) => (a.end ? JSON.stringify(a.end.output) : null))}::text[],
      ${batch.map((a) => (a.end?.error ? JSON.stringify(a.end.error) : null))}::text[],
      ${events.map((e) => e.run_id)}::text[], ${events.map((e) => e.place)}::int[],
      ${events.map((e) => e.type)}::text[], ${events.map((e) => e.data)}::text[],
      ${messages.map((m) => m.run_id)}::text[], ${messages.map((m) => m.position)}::int[],
      ${messages.map((m) => m.id)}::text[], ${messages.map((m) => m.role)}::text[],
      ${messages.map((m) => JSON.stringify(m.content))}::text[],
      ${messages.map((m) => (m.provider ? JSON.stringify(m.provider) : null))}::text[])`;
  return new Map(rows.map((row) => [row.run_id, row.last_seq]));
}

/** The last event number of each of these runs; tells a reader whether it has missed any. */
export async function lastNumbers(sql: Sql, runs: { workspace_id: string; run_id: string }[]) {
  return await sql<{ run_id: string; last_seq: number }[]>`
    select r.id as run_id, r.last_seq
    from unnest(${runs.map((r) => r.workspace_id)}::text[], ${runs.map((r) => r.run_id)}::text[])
      as watched (workspace_id, run_id)
    join runs r on r.workspace_id = watched.workspace_id and r.id = watched.run_id`;
}

export type RunOfWorker = Pick<ClaimedRun, 'workspace_id' | 'id' | 'attempt'>;

/**
 * Takes back that a run was lost with this worker: it lives, and the database or the network was
 * away. Nothing happens if the run was not, or was lost with yet another worker since.
 */
export async function forgiveLoss(
  sql: Sql, worker_id: string, { workspace_id, id }: RunOfWorker): Promise<void> {
  await sql`
    update runs set losses = greatest(0, losses - 1), lost_by = null, condemned = false,
      handed_back = handed_back + 1
    where workspace_id = ${workspace_id} and id = ${id} and status = 'running'
      and lost_by = ${worker_id}`;
}

/** The runs that the database says this worker executes. */
export function runsOfWorker(sql: Sql, worker_id: string): Promise<RunOfWorker[]> {
  return sql<RunOfWorker[]>`
    select workspace_id, id, attempt from runs
    where status = 'running' and worker_id = ${worker_id}`;
}

/**
 * Hands runs back for another attempt, by the empty worker id, which no worker has. Runs that were
 * taken over are left alone. `ours`: the run is not the cause (the worker stops, or the database
 * was away); `timesHandedBack` counts these.
 */
export async function handBackRuns(
  sql: Sql, runs: RunOfWorker[], whose: 'ours' | 'its_own'): Promise<void> {
  await sql`
    update runs r set worker_id = '', updated_at = clock_timestamp(),
      handed_back = r.handed_back + ${whose === 'ours' ? 1 : 0}
    from unnest(${runs.map((run) => run.workspace_id)}::text[],
      ${runs.map((run) => run.id)}::text[], ${runs.map((run) => run.attempt)}::int[])
      as back (workspace_id, id, attempt)
    where r.workspace_id = back.workspace_id and r.id = back.id and r.attempt = back.attempt
      and r.status = 'running'`;
}

/** At most so many are counted: counting must cost the same however long the queue is. */
const COUNTED = 10_000;

/**
 * How many runs are open, and for how long the oldest has waited for a worker alone. In the order
 * of an index, or a long queue would have the planner read the table, and all of history with it.
 */
export async function openRuns(sql: Sql) {
  return await only(sql<{ queued: number; running: number; queue_age_s: number }[]>`
    select
      (select count(*)::int from (
        select from runs where status = 'queued'
        order by workspace_id, session_id, seq limit ${COUNTED}) q) as queued,
      (select count(*)::int from (
        select from runs where status = 'running'
        order by workspace_id, session_id limit ${COUNTED}) r) as running,
      coalesce((select greatest(0, extract(epoch from clock_timestamp() - o.created_at)) from (
        select created_at from runs where status = 'queued' and head order by seq limit 1) o), 0)
        ::double precision as queue_age_s`);
}

/** How often a worker handed the run back through no fault of the run. */
export async function timesHandedBack(
  sql: Sql, workspace_id: string, id: string): Promise<number> {
  const [row] = await sql<{ handed_back: number }[]>`
    select handed_back from runs where workspace_id = ${workspace_id} and id = ${id}`;
  return row?.handed_back ?? 0;
}

/** Whether this attempt of a run may still act: not cancelled, taken over, or its key revoked. */
export async function isExecuting(
  sql: Sql | Transaction, { workspace_id, id, attempt }: RunOfWorker): Promise<boolean> {
  return await some(sql`
    select from runs where workspace_id = ${workspace_id} and id = ${id}
      and attempt = ${attempt} and status = 'running'
      and ${endReasonOf(sql, workspace_id, sql`runs.api_key_id`)} is null`);
}

// A deadlock, a lost race for a snapshot, a lock that was not to be had in time.
const CONTENTION_CODES = new Set(['40P01', '40001', '55P03']);

/** Whether the statement met others and was rolled back: made again, it may well succeed. */
export function isContention(error: unknown): boolean {
  return CONTENTION_CODES.has((error as { code?: string }).code ?? '');
}
