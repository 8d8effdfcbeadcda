import { wholeWorkspace, type Scope } from '../caller.ts';
import { deadline } from '../deadline.ts';
import { GatehouseError, notFound } from '../errors.ts';
import { newId } from '../ids.ts';
import { sanitizeJson } from '../sanitize.ts';
import type { Sql, Transaction } from '../store/database.ts';
import { listAssistantMessages } from '../store/messages.ts';
import { readToolCallEvents } from '../store/runEvents.ts';
import * as store from '../store/runs.ts';
import { NO_METERS, type Meters } from '../telemetry/metrics.ts';
import type { EventHub } from './eventHub.ts';
import { EventReader } from './runEvents.ts';
import { isTerminal } from './runStatus.ts';
import { summariseToolCalls, type ToolCallSummary } from './toolCalls.ts';


export type RunRequest = Omit<store.NewRun, 'id' | 'messages'>;

/** A run with its tool calls, as the API shows it. */
export interface RunWithToolCalls extends store.RunRow {
  tool_calls: ToolCallSummary[];
}

/** The life of runs as callers see it; the worker's part is elsewhere. */
export class Runs {
  readonly reader: EventReader;
  readonly #sql: Sql;
  readonly #hub: EventHub;
  readonly #meters: Meters;

  constructor(sql: Sql, hub: EventHub, meters: Meters = NO_METERS) {
    this.#sql = sql;
    this.#hub = hub;
    this.#meters = meters;
    this.reader = new EventReader(sql, hub);
  }

  /**
   * Queues a run: the run, its first event and its messages in one transaction, the caller's if it
   * has one. Answers the run's id and what to do once that is committed. Throws not_found,
   * session_archived, session_busy or queue_full.
   */
  async create(
    sql: Sql | Transaction, request: RunRequest, run_id = newId('run'),
  ): Promise<{ run_id: string; announce(): void }> {
    const input = sanitizeJson(request.input);
    const messages = input.map((item) => ({ id: newId('msg'), content: item.content }));
    const { outcome, cancelled } = await store.createRun(sql,
      { ...request, input, metadata: sanitizeJson(request.metadata), id: run_id, messages });
    if (outcome !== 'created') throw refusal(outcome, request);
    return {
      run_id,
      announce: () => {
        this.#tellCancelled(cancelled);
        this.#hub.queued();
      },
    };
  }

  /** The run with its tool calls. Throws not_found. */
  async get(scope: Scope, run_id: string): Promise<RunWithToolCalls> {
    const { workspace_id } = scope;
    const run = await this.find(scope, run_id);
    const events = await readToolCallEvents(this.#sql, workspace_id, run_id);
    const messages = events.length === 0
      ? [] : await listAssistantMessages(this.#sql, workspace_id, run.session_id, run.seq);
    return { ...run, tool_calls: summariseToolCalls(events, messages) };
  }

  /** The run alone. Throws not_found. */
  async find(scope: Scope, run_id: string): Promise<store.RunRow> {
    const run = await store.getRun(this.#sql, scope, run_id);
    if (!run) throw notFound('run', run_id);
    return run;
  }

  /** Cancels a queued or running run; one that has ended stays as it is. Throws not_found. */
  async cancel(workspace_id: string, run_id: string, reason: string): Promise<void> {
    const cancelled = await store.cancelRun(this.#sql, workspace_id, run_id, reason);
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

  /** Waits until the run has ended, the time is over or the signal aborts; answers it as it is. */
  async waitForEnd(
    workspace_id: string, run_id: string, timeout_ms: number, signal: AbortSignal,
  ): Promise<store.RunRow> {
    const watcher = this.#hub.watch(workspace_id, run_id, 'end');
    const limit = deadline(timeout_ms, signal);
    try {
      for (;;) {
        const run = await this.find(wholeWorkspace(workspace_id), run_id);
        if (isTerminal(run.status) || limit.signal.aborted) return run;
        watcher.seen = run.last_seq;
        await watcher.changed(limit.signal);
      }
    } finally {
      limit.end();
      watcher.close();
    }
  }
}

function refusal(
  outcome: Exclude<store.CreateOutcome['outcome'], 'created'>,
  { session_id, max_queued_runs }: RunRequest): GatehouseError {
  switch (outcome) {
    case 'not_found': return notFound('session', session_id);
    case 'session_archived': return new GatehouseError('session_archived',
      'The session is archived and takes no new runs. Set its status to "active" first.');
    case 'session_busy': return new GatehouseError('session_busy',
      'The session has an open run. Wait for it, cancel it, or use concurrency "enqueue" or'
        + ' "interrupt".', { param: '/concurrency' });
    case 'queue_full': return new GatehouseError('queue_full',
      `The workspace has ${max_queued_runs} queued runs, the most allowed. Wait until some have`
        + ' started, or cancel what is no longer needed.');
  }
}
