/** Runs as they are made: several together, and claimed in the same statement. */
import { readAccessBy } from './access.ts';
import type { Sql, Transaction } from './database.ts';
import { claimOf, type Claim, type ClaimedRun, type NewRun } from './runs.ts';

export interface CreateOutcome {
  outcome: 'created' | 'not_found' | 'session_archived' | 'session_busy' | 'queue_full'
    | 'key_queue_full' | 'storage_full' | 'workspace_changed';
  /** Runs that were cancelled to make room. */
  cancelled: string[];
}

/** The outcomes are in the order of the runs. */
interface Creation { outcomes: CreateOutcome[]; claimed: ClaimedRun[] }

/**
 * Creates runs, of different sessions, each with its first event and its messages, and has a worker
 * claim, if any is created, as by `claimRuns`. If they are all of one key, what that may do is read
 * in the same packet: they begin by it.
 */
export async function createAndClaimRuns(
  sql: Sql, runs: NewRun[], claim: Claim): Promise<Creation> {
  const [{ workspace_id, api_key_id }] = runs as [NewRun];
  const isOfKey = (run: NewRun | ClaimedRun) =>
    run.workspace_id === workspace_id && run.api_key_id === api_key_id;
  if (!runs.every(isOfKey)) return await createRuns(sql, runs, claim);
  const [created, access] = await sql.together((one) => Promise.all([
    createRuns(one, runs, claim),
    // They are created all the same; each reads it for itself then.
    readAccessBy(one, workspace_id, api_key_id).catch(() => undefined),
  ]), { writes: 'create and claim runs' });
  const claimed = created.claimed.map((run) => (isOfKey(run) ? { ...run, access } : run));
  return { ...created, claimed };
}

const CLAIMING_LOCK_LIMIT = '100ms';

/**
 * Creates runs, of different sessions, each with its first event and its messages, in the caller's
 * transaction or its own.
 */
export async function createRuns(
  sql: Sql | Transaction, runs: NewRun[], claim: Claim | null = null): Promise<Creation> {
  const created = creationOf(sql, runs);
  // The limit names the outcome, so that the claim cannot come first. The claim does not wait for
  // others: the statement holds the locks of the runs' sessions until it ends. Nor does it wait for
  // these for long, as the worker claims nothing else meanwhile.
  const rows = await (claim ? sql<Row[]>`
    with quick as materialized (
      select set_config('lock_timeout', ${CLAIMING_LOCK_LIMIT}, true)
    ), created as materialized (
      select * from ${created} c where exists (select from quick)
    ), claimed as materialized (
      ${claimOf(sql, claim.worker_id, sql`(
        select case when bool_or(outcome = 'created') then ${claim.limit}::int else 0 end
        from created)`, claim.terms, false)})
    select * from created full join claimed on claimed.id = created_id` : sql<Row[]>`
    select c.*, null as id from ${created} c`);
  const outcomes = new Map(rows.map((row) => [row.created_id, row]));
  return {
    outcomes: runs.map(({ id }) => {
      const { outcome, cancelled } = outcomes.get(id)!;
      return { outcome, cancelled };
    }),
    claimed: rows.filter((row): row is ClaimedRow => row.id !== null),
  };
}

type Created = { created_id: string } & CreateOutcome;
type ClaimedRow = ClaimedRun & Created;
/** A run that was created, or claimed, or both. */
type Row = ClaimedRow | (Created & { id: null });

function creationOf(sql: Sql | Transaction, runs: NewRun[]) {
  const json = (of: (run: NewRun) => unknown) => runs.map((run) => JSON.stringify(of(run)));
  return sql`
    create_runs(
      ${runs.map((run) => run.workspace_id)}::text[], ${runs.map((run) => run.session_id)}::text[],
      ${runs.map((run) => run.id)}::text[], ${runs.map((run) => run.concurrency)}::text[],
      ${runs.map((run) => run.source)}::text[], ${runs.map((run) => run.api_key_id)}::text[],
      ${runs.map((run) => run.model)}::text[], ${runs.map((run) => run.instructions)}::text[],
      ${runs.map((run) => run.max_steps)}::int[], ${runs.map((run) => run.timeout_s)}::int[],
      ${json((run) => run.input)}::text[], ${json((run) => run.metadata)}::text[],
      ${json((run) => run.messages)}::text[],
      ${runs.map((run) => run.max_total_tokens ?? null)}::bigint[],
      ${runs.map((run) => run.max_total_tokens_per_day ?? null)}::bigint[],
      ${runs.map((run) => run.max_queued_runs ?? null)}::int[],
      ${runs.map((run) => run.max_queued_runs_of_key ?? null)}::int[],
      ${runs.map((run) => run.workspace_version ?? null)}::text[],
      ${runs.map((run) => run.max_storage_bytes ?? null)}::bigint[])`;
}
