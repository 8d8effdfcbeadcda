import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { deadline, firstOf } from '../deadline.ts';
import { GatehouseError, RevokedError } from '../errors.ts';
import type { Gateway } from '../gateway/face.ts';
import { newId } from '../ids.ts';
import type { Log } from '../log.ts';
import {
  ModelError, type Model, type StepPart, type StepRequest, type StepResult, type ToolDefinition,
  type TranscriptMessage,
} from '../models/model.ts';
import type { Models } from '../models/models.ts';
import { StepCost } from '../models/stepCost.ts';
import { isUnavailable, type Sql } from '../store/database.ts';
import { readToolCallEvents } from '../store/runEvents.ts';
import { timesHandedBack, type ClaimedRun } from '../store/runs.ts';
import { settleWrites, type SettledWrite } from '../store/writeIntents.ts';
import type { AttemptTelemetry, RunTelemetry } from '../telemetry/attempt.ts';
import { NO_RUN_TELEMETRY } from '../telemetry/telemetry.ts';
import { FencedError, type Appender } from './appender.ts';
import { requireBudget, type WorkspaceTokens } from './budgets.ts';
import { DeltaStream } from './deltaStream.ts';
import type { Runs } from './lifecycle.ts';
import { isCause } from './losses.ts';
import { RunFailure } from './runStatus.ts';
import { committedCalls, isCall, openCalls, ownMessages, performCalls } from './stepCalls.ts';
import { agentOf } from './toolCallExecutor.ts';
import { openToolCalls } from './toolCalls.ts';
import type { Transcripts } from './transcripts.ts';
import { TurnLog } from './turnLog.ts';
import type { TurnSignals } from './turnSignals.ts';

export interface TurnDependencies {
  sql: Sql;
  appender: Appender;
  gateway: Gateway;
  models: Models;
  workspaceTokens: WorkspaceTokens;
  transcripts: Transcripts;
  runs: Pick<Runs, 'cancel'>;
  config: Config;
  log: Log;
  telemetry?: RunTelemetry;
}

/**
 * Executes one attempt of a run, one durable step at a time, to the run's end. What is committed is
 * never done again: it reads the transcript, does what that leaves open, commits, and goes on.
 *
 * Resolves when the run has ended. Rejects with FencedError if it was cancelled or taken over (it
 * cancels the run itself once the key that created it is found revoked), with
 * the signal's reason if it was told to stop, and with the storage's error if that is away: the run
 * is then still open, and another attempt goes on from the last committed step.
 */
export async function executeTurn(
  deps: TurnDependencies, run: ClaimedRun, signals: TurnSignals): Promise<void> {
  const left_ms = Math.max(1, run.timeout_ms);
  const ends_at = performance.now() + left_ms;
  const log = new TurnLog(deps.appender, run);
  const attempt = (deps.telemetry ?? NO_RUN_TELEMETRY).begin(run);
  const limit = deadline(left_ms, signals.stop);
  const stop = firstOf(limit.signal, log.broken);
  try {
    const loaded = await loadTurn(deps, run, log, { ends_at, signals });
    const calls = { ...signals, stop: firstOf(limit.signal, log.refused),
      windDown: firstOf(signals.windDown, log.broken) };
    await playTurn(deps, { ...loaded, attempt, calls }, { ...signals, stop });
    attempt.end('completed');
  } catch (error) {
    if (signals.stop.aborted) throw signals.stop.reason;
    const refused = log.broken.aborted;
    const cause: unknown = refused ? log.broken.reason : error;
    if (cause instanceof FencedError || isUnavailable(cause)) throw cause;
    if (cause instanceof RevokedError) {
      await deps.runs.cancel(run.workspace_id, run.id, cause.reason);
      throw new FencedError(run.id);
    }
    if (signals.windDown.aborted && !refused) throw signals.windDown.reason;
    const failure = refused ? UNSTORABLE : failureOf(cause, limit.is_over);
    if (failure.code === 'internal_error') {
      deps.log.error({ err: cause, run_id: run.id }, 'a run failed by a fault of the service');
    } else if (cause instanceof ModelError) {
      deps.log.warn({ err: cause, run_id: run.id, model: run.model }, 'a run failed by its model');
    }
    // Only the log can tell which of its events were stored and which were refused.
    if (refused) {
      log.mend(await openCallsOf(deps, run));
    }
    // If something of the run could not be stored, the results of its writes are not stored with
    // their texts (0 characters): one of them may be what the database refuses.
    await log.fail(failure, await settle(deps, run, log.open, refused ? 0 : undefined));
    attempt.end(failure.code);
  } finally {
    limit.end();
    attempt.end('interrupted');
  }
}

interface RunTurn {
  run: ClaimedRun;
  log: TurnLog;
  model: Model;
  /** The most that prompts may take, since the provider found one too long. */
  max_prompt_chars?: number;
  /** What its steps have used that were not committed, in this attempt and in earlier ones. */
  uncommitted_tokens: number;
  /** When the run's time is over, on the clock of `performance`. */
  ends_at: number;
  /** The session's messages up to this run, then the run's own, as they are committed. */
  transcript: TranscriptMessage[];
  /** How many of the session's first runs the transcript leaves out. */
  runs_left_out: number;
  /** For the first step of the run: it is read together with the transcript. */
  tool?: Promise<ToolDefinition> | undefined;
  attempt: AttemptTelemetry;
  /** How the calls of the run are ended. */
  calls: TurnSignals;
}

async function loadTurn(
  deps: TurnDependencies, run: ClaimedRun, log: TurnLog,
  { ends_at, signals }: { ends_at: number; signals: TurnSignals },
): Promise<Omit<RunTurn, 'attempt' | 'calls'>> {
  // First of all, so that a run that fails from here on leaves no call open.
  if (run.attempt > 1) {
    log.resume(await openCallsOf(deps, run));
    await settleLost(deps, run, log.open);
    // Before the transcript is read, because reading it may be what kills the worker.
    await giveUpIfInVain(deps, run, signals);
  }
  const tool = run.attempt === 1
    ? deps.gateway.catalogue.describeTool(agentOf(run), run.access) : undefined;
  tool?.catch(() => {}); // the step awaits it
  const { messages: transcript, runs_left_out } = run.opening
    // The columns are the fields of a message.
    ? { messages: run.opening as unknown as TranscriptMessage[], runs_left_out: 0 }
    : await deps.transcripts.read(run);
  const own = ownMessages(transcript, run.id);
  log.begin(own.length);
  await log.closeUncommitted(committedCalls(own),
    'interrupted', 'The worker was lost before the model had finished this call; it was not made.');
  const model = deps.models.resolve(run.model);
  const { uncommitted_tokens } = run;
  return { run, log, transcript, runs_left_out, tool, model, ends_at, uncommitted_tokens };
}

/** The calls that the log leaves open. */
async function openCallsOf(
  { sql }: TurnDependencies, { workspace_id, id: run_id }: ClaimedRun) {
  return openToolCalls(await readToolCallEvents(sql, [{ workspace_id, run_id }]));
}

/** The outcomes of those open calls that change something and have left. */
async function settle(
  { sql, config }: TurnDependencies, run: ClaimedRun, open: string[],
  limit_chars = config.tool_result_limit_chars): Promise<SettledWrite[]> {
  return open.length === 0 ? [] : await settleWrites(sql, run, open, limit_chars);
}

/**
 * Settles the calls of an earlier attempt that was lost. It could not count those whose outcome is
 * unknown, so this attempt does.
 */
async function settleLost(
  deps: TurnDependencies, run: ClaimedRun, open: string[]): Promise<void> {
  const { meters } = deps.telemetry ?? NO_RUN_TELEMETRY;
  for (const { is_news, action } of await settle(deps, run, open)) {
    const integration = action.split('.')[0]!;
    if (is_news) meters.outcomes_unknown_total.add(1, { integration });
  }
}

/**
 * Throws RunFailure if the run has killed its workers, or if faults have ended too many attempts.
 * An attempt that was handed back, because its worker or the database was gone, is no fault.
 */
async function giveUpIfInVain(
  deps: TurnDependencies, run: ClaimedRun, signals: TurnSignals): Promise<void> {
  const { sql, config: { max_attempts } } = deps;
  if (run.condemned && await isCause(deps, run, signals)) {
    throw new RunFailure('worker_lost', `The run has killed or hung ${run.losses} workers, one`
      + ' after the other, without getting any further between, and is given up. The same request'
      + ' would most likely end the same way.', false);
  }
  const earlier = run.attempt - 1;
  if (earlier < max_attempts) return;
  const faults = earlier - await timesHandedBack(sql, run.workspace_id, run.id);
  if (faults < max_attempts) return;
  throw new RunFailure('internal_error', `Faults on our side have interrupted the run ${faults}`
    + ' times, and it is given up. The run\'s id names them in the log.', true);
}

async function playTurn(
  deps: TurnDependencies, turn: RunTurn, signals: TurnSignals): Promise<void> {
  const { run, log, transcript } = turn;
  let { steps } = run;
  let invalid: StepResult['invalid_arguments'] = {};
  for (;;) {
    signals.stop.throwIfAborted();
    const last = transcript.at(-1);
    if (last?.role === 'assistant' && last.run_id === run.id && !last.content.some(isCall)) {
      // What it said between calls is in the log.
      return await log.complete(last);
    }
    signals.windDown.throwIfAborted();
    if (openCalls(transcript, run.id).length > 0) {
      await performCalls({
        gateway: deps.gateway, limit_chars: deps.config.tool_result_limit_chars,
        concurrency: deps.config.call_concurrency, attempt: turn.attempt,
      }, { run, log, transcript, invalid }, turn.calls);
      continue;
    }
    const { total_tokens } = log;
    await requireBudget(run, { steps, total_tokens: total_tokens + turn.uncommitted_tokens },
      deps.workspaceTokens);
    const result = await stepWithRetries(deps, turn,
      AbortSignal.any([signals.stop, signals.windDown]));
    invalid = result.invalid_arguments;
    steps += 1;
    const committed = log.commitStep(result);
    const tokens = log.total_tokens - total_tokens;
    // A step without calls is the end: both are appended in this tick, and so committed as one.
    const is_last = !result.content.some(isCall);
    const [message] = await Promise.all([committed, is_last && log.complete(result)])
      .catch(async (error: unknown) => {
        // If the database was away, the step may be committed all the same.
        if (!isUnavailable(error)) await leaveStep(deps, turn, tokens);
        throw error;
      });
    signals.onCommitted?.();
    deps.workspaceTokens.add(run.workspace_id, tokens);
    if (is_last) return;
    transcript.push(message);
  }
}

/** How often a step is tried with half the prompt, where the provider finds it too long. */
const HALVINGS = 3;

async function stepWithRetries(
  deps: TurnDependencies, turn: RunTurn, stop: AbortSignal): Promise<StepResult> {
  const { model_retries, model_retry_ms } = deps.config;
  let tries = 0;
  let halvings = 0;
  for (;;) {
    const cost = new StepCost();
    try {
      return await streamStep(deps, turn, cost, stop);
    } catch (error) {
      await leaveStep(deps, turn, cost.tokensAfter(error));
      stop.throwIfAborted();
      await turn.log.closeUncommitted(committedCalls(turn.transcript), 'superseded',
        'The model\'s answer broke off before this call was complete; it was not made.');
      if (error instanceof ModelError && error.prompt_chars !== undefined
        && halvings < HALVINGS) {
        // Our count of tokens is a guess. The provider knows, and the run remembers its answer.
        deps.log.warn({ err: error, run_id: turn.run.id }, 'a step is tried with half the prompt');
        turn.max_prompt_chars = error.prompt_chars / 2;
        halvings += 1;
        continue;
      }
      if (!(error instanceof ModelError) || !error.retryable || tries >= model_retries) throw error;
      // Partly random, so that runs that failed together do not all try again together.
      const wait_ms = Math.max(model_retry_ms * 2 ** tries * (0.5 + Math.random() / 2),
        (error.retry_after_ms ?? 0) * (1 + Math.random() / 10));
      // If the wait outlasts the run, the error of the model says more than a timeout later.
      if (wait_ms > turn.ends_at - performance.now()) throw error;
      tries += 1;
      // Only a short line: while a provider is away there are many of these.
      deps.log.warn({
        run_id: turn.run.id, model: turn.run.model, tries, wait_ms: Math.round(wait_ms),
        code: error.code, reason: (error.cause as Error | undefined)?.message ?? error.message,
      }, 'a model step is tried again');
      await delay(wait_ms, undefined, { signal: stop });
    }
  }
}

/** Counts what a step has used that is not committed. If that fails, the run goes on as it was. */
async function leaveStep(deps: TurnDependencies, turn: RunTurn, tokens: number): Promise<void> {
  if (tokens === 0) return;
  turn.uncommitted_tokens += tokens;
  try {
    await deps.workspaceTokens.addUncommitted(turn.run, tokens);
  } catch (error) {
    deps.log.warn({ err: error, run_id: turn.run.id, tokens },
      'the tokens of a step that was left are not counted');
  }
}

async function streamStep(
  deps: TurnDependencies, turn: RunTurn, cost: StepCost, stop: AbortSignal): Promise<StepResult> {
  const { run, log, model } = turn;
  const tool = turn.tool ?? deps.gateway.catalogue.describeTool(agentOf(run));
  turn.tool = undefined;
  const request: StepRequest = {
    instructions: run.instructions,
    transcript: turn.transcript,
    runs_left_out: turn.runs_left_out,
    max_prompt_chars: turn.max_prompt_chars,
    tool: await tool,
    signal: stop,
    new_id: newId,
  };
  stop.throwIfAborted();
  cost.ask(model, request);
  const observed = turn.attempt.beginStep();
  const step = model.step(request);
  const emit = (part: StepPart) => log.emitPart(part);
  const deltas = model.keeps_deltas ? undefined : new DeltaStream(emit);
  try {
    for (;;) {
      const next = await step.next();
      if (next.done) {
        cost.complete(next.value.usage);
        observed.complete(next.value.usage);
      }
      stop.throwIfAborted();
      if (next.done) return next.value;
      cost.stream(next.value);
      observed.delta();
      if (deltas) deltas.push(next.value);
      else emit(next.value);
      await log.roomForMore();
    }
  } catch (error) {
    if (stop.aborted) observed.end('interrupted');
    else observed.fail(error instanceof ModelError ? error.code : 'internal_error');
    throw error;
  } finally {
    deltas?.end();
  }
}

/** The database refuses something of the run as invalid data, and would refuse it every time. */
const UNSTORABLE = new RunFailure('internal_error', 'Something that the model or an action answered'
  + ' could not be stored, so the run cannot go on. The run\'s id names it in the log.', false);

function failureOf(error: unknown, late: boolean): RunFailure {
  // A run that is given up keeps that reason, although its time is mostly over by then as well.
  if (late && !(error instanceof RunFailure)) {
    return new RunFailure('timeout',
      'The run took longer than its timeout_s. Raise it, or ask for less at once.', true);
  }
  if (error instanceof RunFailure) return error;
  if (error instanceof ModelError) {
    return new RunFailure(error.code, error.message, error.retryable);
  }
  if (error instanceof GatehouseError) {
    return new RunFailure('internal_error', error.message, error.code === 'unavailable');
  }
  return new RunFailure('internal_error',
    'Something went wrong on our side. The run\'s id names it in the log.', true);
}
