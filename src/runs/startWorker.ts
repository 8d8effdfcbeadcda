import { withTurns, type InTurn } from '../patience.ts';
import { connect, type Sql } from '../store/database.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { Appender } from './appender.ts';
import { WorkspaceTokens } from './budgets.ts';
import { Transcripts } from './transcripts.ts';
import { executeTurn, type TurnDependencies } from './turnExecutor.ts';
import { Worker, type WorkerOptions } from './worker.ts';

export interface StartWorkerOptions
  extends Pick<TurnDependencies, 'sql' | 'gateway' | 'models' | 'runs'>,
    Required<Pick<WorkerOptions, 'id' | 'hub' | 'config' | 'log'>> {
  /** For what keeps the lease. */
  upkeep: Sql;
  /** A connection to PostgreSQL itself, for the worker's lock. */
  direct_url: string;
  telemetry: Telemetry;
  /** Turns of the event loop of a workspace, which its runs take. */
  turnsOf: (workspace_id: string) => InTurn;
  owns_process?: boolean | undefined;
}

/** A worker that claims and executes runs. Throws if the database cannot be reached. */
export async function startWorker(
  { upkeep, direct_url, turnsOf, owns_process, telemetry: { meters, runs: telemetry }, ...options }:
  StartWorkerOptions): Promise<Worker> {
  const { sql, config, hub, log } = options;
  const dependencies: TurnDependencies = {
    ...options, telemetry, appender: new Appender(sql, hub, log, meters),
    workspaceTokens: new WorkspaceTokens(sql),
    transcripts: new Transcripts(sql, config.model_context_tokens),
  };
  const lock = connect(direct_url, { max: 1, application_name: 'gatehouse worker' });
  const worker = new Worker({
    ...options, sql: upkeep, lock, keeper_url: owns_process ? direct_url : undefined, meters,
    execute: (run, signals) => withTurns(turnsOf(run.workspace_id),
      () => executeTurn(dependencies, run, signals)),
  });
  try {
    await worker.start();
  } catch (error) {
    await lock.end({ timeout_ms: 1_000 });
    throw error;
  }
  return worker;
}
