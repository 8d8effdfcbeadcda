import type { Scope } from '../caller.ts';
import { lowestId } from '../ids.ts';
import type { AccessRow } from './access.ts';
import type { Sql, Transaction } from './database.ts';
import type { Statement } from './driver/statement.ts';
import type { TranscriptRow } from './messages.ts';
import { eachFound, findBy, hasMetadata } from './metadataPairs.ts';
import { endReasonOf } from './revocations.ts';
import {
  conditions, first, idsFrom, keyset, only, some, tableOf, type Filter, type Page, type RowOf,
  type Schemas,
} from './rows.ts';

export type RunStatus = Schemas['RunStatus'];

export interface RunRow extends RowOf<'Run', 'tool_calls' | 'usage' | 'attempts'> {
  seq: number;
  attempt: number;
  last_seq: number;
  input_tokens: number;
  output_tokens: number;
}

export type OutputItem = Schemas['OutputItem'];

export interface NewRun
  extends Pick<RunRow, 'id' | 'session_id' | 'source' | 'model' | 'input' | 'metadata'> {
  workspace_id: string;
  concurrency: 'enqueue' | 'reject' | 'interrupt';
  api_key_id: string;
  instructions: string | null;
  max_steps: number;
  timeout_s: number;
  /** It is made only if the workspace is of this version still, and the key good. */
  workspace_version?: string | undefined;
  /** Of all its steps together; null for no limit. */
  max_total_tokens?: number | null;
  /** Of all runs of its workspace in a day (UTC); null for no limit. */
  max_total_tokens_per_day?: number | null;
  /** Queued runs of its workspace, beyond which none is created; null for no limit. */
  max_queued_runs?: number | null;
  /** The same of its api key. */
  max_queued_runs_of_key?: number | null;
  /** What its workspace has stored, beyond which none is created; null for no limit. */
  max_storage_bytes?: number | null;
  messages: { id: string; content: Schemas['InputItem']['content'] }[];
}

/** What a run was told beyond its input, and what it may use. */
type Terms = 'instructions' | 'max_steps' | 'timeout_s' | 'max_total_tokens';

/** A run without what only the run itself shows. */
export interface RunSummaryRow extends Omit<RunRow, 'output' | Terms> {
  /** Whether `input` is only the beginning of what was asked, as lists show it. */
  input_truncated?: boolean;
}

const columnsBesidesInput = (sql: Sql | Transaction) => sql`
  id, session_id, seq, status, attempt, last_seq, source, model, error,
  input_tokens, output_tokens, metadata, created_at, updated_at, started_at, finished_at`;

/** The input of a run `r`. A long one is kept once, by its messages. */
export const inputOf = (sql: Sql | Transaction) => sql`coalesce(r.input, (
  select json_agg(json_build_object('role', m.role, 'content', m.content) order by m.position)
  from messages m where m.workspace_id = r.workspace_id and m.session_id = r.session_id
    and m.run_seq = r.seq and m.role = 'user'))`;

/** Of a run `r`. */
const columns = (sql: Sql | Transaction) => sql`
  ${columnsBesidesInput(sql)}, ${inputOf(sql)} as input, output, instructions, max_steps,
  timeout_s, max_total_tokens`;

/** A worker that claims, and what by. */
export interface Claim {
  worker_id: string;
  limit: number;
  terms: ClaimTerms;
}

export async function getRunRow(
  sql: Sql | Transaction, scope: Scope, id: string): Promise<RunRow | undefined> {
  return await first(sql<RunRow[]>`
    select ${columns(sql)} from runs r
    where workspace_id = ${scope.workspace_id} and id = ${id} ${within(sql, scope)}`);
}

export interface RunKey { workspace_id: string; run_id: string }

/** Those of these runs that there are, in no order. */
export function getRunRows(
  sql: Sql | Transaction, runs: RunKey[]): Promise<(RunRow & { workspace_id: string })[]> {
  return sql<(RunRow & { workspace_id: string })[]>`
    select r.workspace_id, ${columns(sql)}
    from ${listed(sql, runs)} join runs r on r.workspace_id = l.workspace_id and r.id = l.run_id`;
}

/** Runs as the rows of a table `l`, for a join by their keys. */
export const listed = (sql: Sql | Transaction, runs: RunKey[]) =>
  tableOf(sql, 'l', runs, { workspace_id: 'text', run_id: 'text' });

/** The runs of the session, where a scope is one. */
const within = (sql: Sql | Transaction, { session_id }: Scope) =>
  conditions(sql, { session_id: session_id ?? undefined });

/** Ids begin with the time at the node that made them; it may be off by this until it notices. */
export const CLOCKS_APART_MS = 3_600_000;

export type RunFilter = Filter<
  'status' | 'session_id' | 'error_code' | 'model' | 'source' | 'created_after' | 'created_before'
  | 'id_prefix' | 'metadata'>;

/**
 * A page of runs, and one more if there are more. Long inputs are cut; their beginnings are stored
 * (`listed_input`), so that the long texts are not read.
 */
export async function listRunRows(
  sql: Sql | Transaction, scope: Scope, filter: RunFilter, page: Page,
): Promise<RunSummaryRow[]> {
  const {
    metadata, status, session_id, error_code, model, source, created_after, created_before,
    id_prefix,
  } = filter;
  // `filter` may be more than its type says: the query of a request, with its limit and order.
  const filters: Record<Exclude<keyof RunFilter, 'metadata'>, string | undefined> = {
    status, session_id, error_code, model, source, created_after, created_before, id_prefix };
  const shown = sql`${columnsBesidesInput(sql)}, coalesce(listed_input, input) as input,
    listed_input is not null as input_truncated`;
  // What the indexes leave out is said once more, as it stands there: the planner then finds them.
  const such = sql`workspace_id = ${scope.workspace_id} ${within(sql, scope)}
    ${conditions(sql, { status, session_id, model, source })}
    ${source === undefined || source === 'api' ? sql`` : sql`and source <> 'api'`}
    ${error_code === undefined ? sql``
      : sql`and status = 'failed' and error->>'code' = ${error_code}`}
    ${created_after === undefined ? sql`` : sql`and created_at > ${created_after}::timestamptz
      and id >= ${lowestId('run', Date.parse(created_after) - CLOCKS_APART_MS)}`}
    ${created_before === undefined ? sql`` : sql`and created_at < ${created_before}::timestamptz
      and id <= ${lowestId('run', Date.parse(created_before) + CLOCKS_APART_MS)}`}
    ${idsFrom(sql, id_prefix)} ${hasMetadata(sql, metadata)}`;
  const found = await findBy(sql, scope, 'run_', metadata, filters);
  return await (found === null
    ? sql<RunSummaryRow[]>`select ${shown} from runs where ${such} ${keyset(sql, page)}`
    : sql<RunSummaryRow[]>`select ${shown} from ${eachFound(sql, found, sql`runs`, such)}
      where true ${keyset(sql, page, sql`found_id`)}`);
}

/** Cancels a run: true if it was open, false if it had ended, undefined if there is none. */
export async function cancelRunRow(
  sql: Sql | Transaction, workspace_id: string, id: string, reason: string,
): Promise<boolean | undefined> {
  const row = await first(sql<{ cancelled: boolean }[]>`
    select cancel_run as cancelled from cancel_run(${workspace_id}, ${id}, ${reason})`);
  return row?.cancelled;
}

export interface ClaimedRun extends
  Pick<NewRun, 'workspace_id' | 'api_key_id' | 'instructions' | 'max_steps'>, Pick<RunRow,
    'id' | 'session_id' | 'seq' | 'attempt' | 'last_seq' | 'model' | 'input_tokens'
    | 'output_tokens'> {
  steps: number;
  /** Of steps that were never committed. */
  uncommitted_tokens: number;
  max_total_tokens: number | null;
  max_total_tokens_per_day: number | null;
  /** What is left of the run's time. */
  timeout_ms: number;
  /** With how many workers it was lost, one after the other, without committing anything. */
  losses: number;
  /** It is what brought them down, and is to be given up. */
  condemned: boolean;
  /** The transcript that a first attempt begins with; null if it is long, and has to be read. */
  opening: TranscriptRow[] | null;
  /** What its key could do just after it was claimed, if that was read with the claim. */
  access?: AccessRow | undefined;
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
  /** The same of one api key; null for no limit but that of its workspace. */
  key_running_limit: number | null;
  /** Runs that were lost with more workers than this are not claimed, but condemned ones. */
  max_losses: number;
}

/** Claims up to `limit` runs for a worker; each has its `run.started` event already. */
export function claimRuns(
  sql: Sql, worker_id: string, limit: number, terms: Partial<ClaimTerms> = {},
): Promise<ClaimedRun[]> {
  return sql<ClaimedRun[]>`${claimOf(sql, worker_id, sql`${limit}::int`, terms, true)}`;
}

/**
 * The same as a part of another statement. Where claims could together exceed a limit, it `waits`
 * for the others, or leaves to them what they have locked.
 */
export function claimOf(
  sql: Sql | Transaction, worker_id: string, limit: Statement<unknown>, terms: Partial<ClaimTerms>,
  waits: boolean,
) {
  const {
    pivot = '', held = [], reserve = 0, running_limit = null, key_running_limit = null,
    max_losses = 1,
  } = terms;
  return sql`
    select c.workspace_id, c.id, c.session_id, c.seq, c.attempt, c.last_seq, c.steps, c.api_key_id,
      c.model, c.instructions, c.max_steps, c.input_tokens, c.output_tokens, c.uncommitted_tokens,
      c.max_total_tokens, c.max_total_tokens_per_day, c.losses, c.condemned,
      -- Where the clock was set back since its start, it gets its time anew, and no more.
      1000 * (c.timeout_s - greatest(0,
        extract(epoch from clock_timestamp() - c.started_at)::float8)) as timeout_ms,
      case when c.attempt = 1
        then opening_of(c.workspace_id, c.session_id, c.seq) end as opening
    from claim_next(${worker_id}, ${limit}, ${pivot}, ${held}::text[], ${reserve},
      ${running_limit}, ${max_losses}, ${key_running_limit}, ${waits}) c`;
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

/** What became of a group of appends. */
export interface Appended {
  /** The new last event number by run id; one that is missing was fenced off, nothing written. */
  taken: Map<string, number>;
  /** The time that all of the events bear, as `EventRow` has it. */
  created_at: string;
  /** Some of the runs have ended, and now there are runs that a worker may claim. */
  run_waits: boolean;
}

/** Appends to several runs in one transaction; `appends` hold each run at most once. */
export async function appendToRuns(sql: Sql, appends: Append[]): Promise<Appended> {
  // Sorted, so that two processes mostly lock rows in the same order.
  const batch = appends.toSorted((a, b) => (a.run_id < b.run_id ? -1 : 1));
  const events = batch.flatMap((a, index) => a.events.map((event, place) =>
    ({ ...event, run: index + 1, place: place + 1 })));
  const messages = batch.flatMap((a, index) => a.messages.map((m) => ({ ...m, run: index + 1 })));
  const { last_seqs, waits, created_at } = await only(sql<{
    last_seqs: (number | null)[]; waits: boolean; created_at: string;
  }[]>`
    select *, now() as created_at from append_group(
      ${batch.map((a) => a.workspace_id)}::text[], ${batch.map((a) => a.run_id)}::text[],
      ${batch.map((a) => a.attempt)}::int[], ${batch.map((a) => a.events.length)}::int[],
      ${batch.map((a) => a.steps)}::int[], ${batch.map((a) => a.input_tokens)}::int[],
      ${batch.map((a) => a.output_tokens)}::int[],
      ${batch.map((a) => a.end?.status ?? null)}::text[],
      ${batch.map((a) => (a.end ? JSON.stringify(a.end.output) : null))}::text[],
      ${batch.map((a) => (a.end?.error ? JSON.stringify(a.end.error) : null))}::text[],
      ${events.map((e) => e.run)}::int[], ${events.map((e) => e.place)}::int[],
      ${events.map((e) => e.type)}::text[], ${events.map((e) => e.data)}::text[],
      ${messages.map((m) => m.run)}::int[], ${messages.map((m) => m.position)}::int[],
      ${messages.map((m) => m.id)}::text[], ${messages.map((m) => m.role)}::text[],
      ${messages.map((m) => JSON.stringify(m.content))}::text[],
      ${messages.map((m) => (m.provider ? JSON.stringify(m.provider) : null))}::text[])`);
  const taken = new Map<string, number>();
  batch.forEach(({ run_id }, index) => {
    const last_seq = last_seqs[index];
    if (last_seq != null) taken.set(run_id, last_seq);
  });
  return { taken, created_at, run_waits: waits };
}

/** The last event number of each of these runs; tells a reader whether it has missed any. */
export async function lastNumbers(sql: Sql, runs: RunKey[]) {
  return await sql<{ run_id: string; last_seq: number }[]>`
    select r.id as run_id, r.last_seq
    from ${listed(sql, runs)} join runs r on r.workspace_id = l.workspace_id and r.id = l.run_id`;
}

export type RunOfWorker = Pick<ClaimedRun, 'workspace_id' | 'id' | 'attempt'>;

/** The runs that the database says this worker executes. */
export function runsOfWorker(sql: Sql, worker_id: string): Promise<RunOfWorker[]> {
  return sql<RunOfWorker[]>`
    select workspace_id, id, attempt from runs
    where status = 'running' and worker_id = ${worker_id}`;
}

/**
 * Hands runs back for another attempt, by the empty worker id, which no worker has. Runs that were
 * taken over, or are offered already, are left alone. `ours`: the run is not the cause (the worker
 * stops, or the database was away); `timesHandedBack` counts these.
 */
export async function handBackRuns(
  sql: Sql, runs: RunOfWorker[], whose: 'ours' | 'its_own'): Promise<void> {
  await sql`
    update runs r set worker_id = '', updated_at = clock_timestamp(),
      offered_at = case when r.losses = 0 then clock_timestamp() else r.offered_at end,
      handed_back = r.handed_back + ${whose === 'ours' ? 1 : 0}
    from ${tableOf(sql, 'back', runs, { workspace_id: 'text', id: 'text', attempt: 'int' })}
    where r.workspace_id = back.workspace_id and r.id = back.id and r.attempt = back.attempt
      and r.status = 'running' and r.worker_id <> ''`;
}

/** How often an attempt ended otherwise than by a fault of the service: lost, or handed back. */
export async function timesHandedBack(
  sql: Sql, workspace_id: string, id: string): Promise<number> {
  const row = await first(sql<{ handed_back: number }[]>`
    select handed_back from runs where workspace_id = ${workspace_id} and id = ${id}`);
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
