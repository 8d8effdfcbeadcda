import { AuditLog, type Author } from '../audit/audit.ts';
import type { Scope } from '../caller.ts';
import { deadline } from '../deadline.ts';
import { GatehouseError, notFound, storageFull } from '../errors.ts';
import { gather } from '../gather.ts';
import { newId } from '../ids.ts';
import { patiently } from '../patience.ts';
import { sanitizeJson } from '../sanitize.ts';
import { isLocked, type Sql, type Transaction } from '../store/database.ts';
import { listAssistantMessages } from '../store/messages.ts';
import { readToolCallEvents } from '../store/runEvents.ts';
import { createAndClaimRuns, createRuns, type CreateOutcome } from '../store/runCreation.ts';
import * as store from '../store/runs.ts';
import { despiteOthers } from '../store/whileAway.ts';
import { NO_METERS, type Meters } from '../telemetry/metrics.ts';
import type { EventHub } from './eventHub.ts';
import { inGroups } from './groups.ts';
import { EventReader } from './runEvents.ts';
import { isTerminal } from './runStatus.ts';
import { summariseToolCalls, type ToolCallSummary } from './toolCalls.ts';
import type { Worker } from './worker.ts';

export type RunRequest = Omit<store.NewRun, 'id' | 'messages'>;

/** A run with its tool calls, as the API shows it. */
export interface RunWithToolCalls extends store.RunRow {
  tool_calls: ToolCallSummary[];
}

/** So many characters of an input take as long to be stored as all else of a run. */
const CHARS_AS_ONE = 50_000;

/** The workspace is not of the version that a request names, or its key is not good any more. */
export class WorkspaceChanged extends Error {}

/** The life of runs as callers see it; the worker's part is elsewhere. */
export class Runs {
  readonly reader: EventReader;
  readonly #sql: Sql;
  readonly #hub: EventHub;
  readonly #meters: Meters;
  #worker: Pick<Worker, 'claimWith'> | undefined;
  /** Runs that are created together are one commit, which may claim them as well. */
  readonly #create = inGroups(
    (asked: store.NewRun[]) => this.#createAll(asked), {
      keyOf: ({ session_id }) => session_id,
      shareOf: ({ workspace_id }) => workspace_id,
      costOf: ({ messages }) => 1 + messages.reduce((chars, { content }) =>
        chars + content.reduce((sum, { text }) => sum + text.length, 0), 0) / CHARS_AS_ONE,
    });
  /** Runs that end together are read together, for those that wait for them. */
  readonly #read = gather((asked: store.RunKey[]) => this.#readAll(asked));

  constructor(sql: Sql, hub: EventHub, meters: Meters = NO_METERS) {
    this.#sql = sql;
    this.#hub = hub;
    this.#meters = meters;
    this.reader = new EventReader(sql, hub);
  }

  /** The worker of this process, if there is one: it may claim a run as it is created. */
  executeBy(worker: Pick<Worker, 'claimWith'>): void {
    this.#worker = worker;
  }

  /**
   * Queues a run: the run, its first event and its messages in one transaction, the caller's if it
   * has one. Answers the run's id and what to do once that is committed. Throws not_found,
   * session_archived, session_busy, queue_full, storage_full, or WorkspaceChanged. `by`: who makes
   * it in the dashboard; then there has to be a transaction, for its entry in the audit log.
   */
  async create(
    sql: Sql | Transaction, request: RunRequest, run_id = newId('run'), by: Author | null = null,
  ): Promise<{ run_id: string; announce(): void }> {
    const input = sanitizeJson(request.input);
    const messages = input.map((item) => ({ id: newId('msg'), content: item.content }));
    const run = {
      ...request, input, metadata: sanitizeJson(request.metadata), id: run_id, messages };
    // In a transaction of the caller it is not committed yet, and nobody may begin it. One that
    // interrupts others holds their locks, which those beside it must not wait for, and ending
    // thousands of them takes seconds, in which the worker would claim nothing.
    const { outcome, cancelled, is_claimed } = sql !== this.#sql ? await createAlone(sql, run)
      : run.concurrency !== 'interrupt' ? await this.#create(run)
        : await despiteOthers(() => createAlone(sql, run));
    if (outcome === 'workspace_changed') throw new WorkspaceChanged();
    if (outcome !== 'created') throw refusal(outcome, request);
    if (by) {
      const { workspace_id, session_id } = request;
      await AuditLog.within(sql, {
        ...by, workspace_id, event: 'run.created', target: run_id, details: { session_id } });
    }
    return {
      run_id,
      announce: () => {
        this.#tellCancelled(cancelled);
        if (!is_claimed) this.#hub.queued();
      },
    };
  }

  async #createAll(runs: store.NewRun[]): Promise<RunOutcome[]> {
    let is_claiming = false;
    const create = (claim: store.Claim | null) => {
      is_claiming = claim !== null;
      return claim ? createAndClaimRuns(this.#sql, runs, claim) : createRuns(this.#sql, runs);
    };
    const made = this.#worker?.claimWith(create) ?? create(null);
    const { outcomes, claimed } = await made.catch((error: unknown) => {
      if (!is_claiming || runs.length > 1 || !isLocked(error)) throw error;
      // It waited as long as the worker can spare; without a claim, it may wait for longer.
      return create(null);
    });
    const begun = new Set(claimed.map(({ id }) => id));
    return outcomes.map((outcome, place) =>
      ({ ...outcome, is_claimed: begun.has(runs[place]!.id) }));
  }

  /** The run with its tool calls. Throws not_found. */
  async get(scope: Scope, run_id: string): Promise<RunWithToolCalls> {
    const { workspace_id, session_id } = scope;
    const { run, events } = await patiently(this.#read({ workspace_id, run_id }));
    if (!run || run.session_id !== (session_id ?? run.session_id)) throw notFound('run', run_id);
    const messages = events.length === 0
      ? [] : await listAssistantMessages(this.#sql, workspace_id, run.session_id, run.seq);
    return { ...run, tool_calls: summariseToolCalls(events, messages) };
  }

  async #readAll(asked: store.RunKey[]) {
    const [runs, events] = await this.#sql.together((one) => Promise.all([
      store.getRunRows(one, asked), readToolCallEvents(one, asked)]));
    const eventsOf = Map.groupBy(events, ({ run_id }) => run_id);
    const found = new Map(runs.map((run) => [run.id, run]));
    return asked.map(({ workspace_id, run_id }) => {
      const run = found.get(run_id);
      return run?.workspace_id === workspace_id
        ? { run, events: eventsOf.get(run_id) ?? [] } : { run: undefined, events: [] };
    });
  }

  /** The run alone. Throws not_found. */
  async find(scope: Scope, run_id: string): Promise<store.RunRow> {
    const run = await store.getRunRow(this.#sql, scope, run_id);
    if (!run) throw notFound('run', run_id);
    return run;
  }

  /**
   * Cancels a queued or running run; one that has ended stays as it is. Throws not_found. `by`: who
   * does it in the dashboard, for the audit log.
   */
  async cancel(
    workspace_id: string, run_id: string, reason: string, by: Author | null = null,
  ): Promise<void> {
    const work = async (tx: Transaction) => {
      const cancelled = await store.cancelRunRow(tx, workspace_id, run_id, reason);
      if (cancelled && by) {
        await AuditLog.within(tx, { ...by, workspace_id, event: 'run.cancelled', target: run_id });
      }
      return cancelled;
    };
    const cancelled = await despiteOthers(() => (by ? this.#sql.begin(work) : work(this.#sql)));
    if (cancelled === undefined) throw notFound('run', run_id);
    if (!cancelled) return;
    this.announceCancelled([run_id]);
  }

  /** Tells of runs that were cancelled, and that those after them may be claimed. */
  announceCancelled(run_ids: string[]): void {
    if (run_ids.length === 0) return;
    this.#tellCancelled(run_ids);
    this.#hub.queued();
  }

  #tellCancelled(run_ids: string[]): void {
    if (run_ids.length === 0) return;
    this.#meters.runs_ended_total.add(run_ids.length, { status: 'cancelled', code: '' });
    this.#hub.cancelled(run_ids);
  }

  /**
   * Waits until the run has ended, the time is over or the signal aborts; answers it as it is.
   * `is_new`: it was created just now, and nobody needs to look whether it has ended. Throws
   * not_found.
   */
  async waitForEnd(
    scope: Scope, run_id: string, is_new: boolean, timeout_ms: number, signal: AbortSignal,
  ): Promise<RunWithToolCalls> {
    const limit = deadline(timeout_ms, signal);
    const watcher = this.#hub.watch(scope.workspace_id, run_id, 'end', limit.signal);
    try {
      if (is_new) await watcher.changed();
      for (;;) {
        const run = await this.get(scope, run_id);
        if (isTerminal(run.status) || limit.signal.aborted) return run;
        watcher.seen = run.last_seq;
        await watcher.changed();
      }
    } finally {
      limit.end();
      watcher.close();
    }
  }
}

interface RunOutcome extends CreateOutcome { is_claimed: boolean }

async function createAlone(sql: Sql | Transaction, run: store.NewRun): Promise<RunOutcome> {
  const { outcomes: [outcome] } = await createRuns(sql, [run]);
  return { ...outcome!, is_claimed: false };
}

/** Why a run was not created, for the caller. */
export function refusal(
  outcome: Exclude<CreateOutcome['outcome'], 'created' | 'workspace_changed'>,
  { session_id, max_queued_runs, max_queued_runs_of_key, max_storage_bytes }: Pick<RunRequest,
    'session_id' | 'max_queued_runs' | 'max_queued_runs_of_key' | 'max_storage_bytes'>,
): GatehouseError {
  switch (outcome) {
    case 'not_found': return notFound('session', session_id);
    case 'session_archived': return new GatehouseError('session_archived',
      'The session is archived and takes no new runs. Set its status to "active" first.');
    case 'session_busy': return new GatehouseError('session_busy',
      `The session has an open run: see \`GET /v1/runs?session_id=${session_id}\`. Wait for it,`
        + ' cancel it, or use concurrency "enqueue" or "interrupt".', { param: '/concurrency' });
    case 'queue_full': return new GatehouseError('queue_full',
      `The workspace has ${max_queued_runs} queued runs, the most allowed. Wait until some have`
        + ' started, or cancel what is no longer needed.');
    case 'key_queue_full': return new GatehouseError('queue_full',
      `This api key has ${max_queued_runs_of_key} queued runs, the most allowed to one key of the`
        + ' workspace: half of what that may have. Wait until some have started, or cancel what is'
        + ' no longer needed; an operator can raise limits.max_queued_runs of the workspace.');
    case 'storage_full': return storageFull(max_storage_bytes!);
  }
}
