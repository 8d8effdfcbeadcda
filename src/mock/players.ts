/** The rehearsal model as the mock plays it: at a pace, and by a scenario if one is asked for. */
import { setTimeout as wait } from 'node:timers/promises';
import { settleApproval } from '../gateway/face.ts';
import type { Model, StepPart, StepRequest, StepResult } from '../models/model.ts';
import type { Services } from '../operations/services.ts';
import { listApprovalRows } from '../store/approvals.ts';
import { RUN_SCENARIOS, type RunScenario } from './scenarios.ts';

/** How a run is to go. */
export interface PlayPlan {
  workspace_id: string;
  scenario: string | undefined;
  pace_ms: number | undefined;
  /** Whether a stream of it has been cut already. */
  is_cut: boolean;
}

/** How a request has asked for a run to go. */
export interface PlayRequest extends Pick<PlayPlan, 'scenario' | 'pace_ms'> {
  /** Those of the run that the request leaves out. */
  limits: Readonly<Record<string, number>>;
  /** What is to be told once the request is answered; null: it is told at once. */
  announcements: (() => void)[] | null;
}

export interface PlayerOptions {
  /** Before each piece of what the model says. */
  pace_ms: number;
  planOf(run_id: string): PlayPlan | undefined;
  services(): Pick<Services, 'runs' | 'sql'>;
  /** Ids and times must not be split between two pieces. */
  whole_words: boolean;
}

const SETTLED_MS = 100;
const OPERATOR = { actor: { type: 'system', id: null } } as const;

export function playing(rehearsal: Model, options: PlayerOptions): Model {
  return { ...rehearsal, step: (request) => play(rehearsal, options, request) };
}

async function* play(
  rehearsal: Model, options: PlayerOptions, request: StepRequest,
): AsyncGenerator<StepPart, StepResult> {
  const { signal } = request;
  const run_id = request.transcript.findLast(({ role }) => role === 'user')!.run_id;
  const plan = options.planOf(run_id);
  const scenario: Partial<RunScenario> = RUN_SCENARIOS.get(plan?.scenario ?? '') ?? {};
  if (scenario.fault) throw scenario.fault();
  if (scenario.hangs) await untilStopped(signal);
  if (scenario.decision) await decide(options, plan!.workspace_id, run_id, scenario.decision);
  const pace_ms = plan?.pace_ms ?? scenario.pace_ms ?? options.pace_ms;
  const step = rehearsal.step(scripted(request, run_id, scenario.script));
  const parts = options.whole_words ? inWholeWords(step) : step;
  try {
    for (let played = 1; ; played++) {
      const { done, value } = await parts.next();
      if (done) return value;
      if (pace_ms > 0) await wait(pace_ms, undefined, { signal }).catch(() => {});
      signal.throwIfAborted();
      yield value;
      if (played !== scenario.cancel_after) continue;
      await wait(SETTLED_MS); // what was said so far is in the log by then
      await options.services().runs.cancel(plan!.workspace_id, run_id, 'requested');
      await untilStopped(signal);
    }
  } finally {
    await end(parts);
  }
}

/** Lets a step that nobody reads on clean up after itself; one that is done is not touched. */
async function end(step: AsyncGenerator<StepPart, StepResult>): Promise<void> {
  await step.return(undefined as never);
}

async function untilStopped(signal: AbortSignal): Promise<never> {
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), { once: true });
  if (!signal.aborted) await promise;
  throw signal.reason;
}

/** The request with the script in place of what the run was asked; the stored prompt stays. */
function scripted(
  request: StepRequest, run_id: string, script: RunScenario['script']): StepRequest {
  if (script === undefined) return request;
  const text = typeof script === 'string' ? script : script(run_id);
  const content = [{ type: 'input_text' as const, text }];
  const at = request.transcript.findLastIndex(({ role }) => role === 'user');
  return { ...request,
    transcript: request.transcript.with(at, { role: 'user', run_id, content }) };
}

/** Decides what the run waits for, as an operator would. */
async function decide(
  { services }: PlayerOptions, workspace_id: string, run_id: string,
  decision: 'approved' | 'denied'): Promise<void> {
  const { sql } = services();
  const { rows } = await listApprovalRows(
    sql, { workspace_id, status: 'pending' }, { limit: 100, order: 'desc' });
  for (const approval of rows.filter((row) => row.run_id === run_id)) {
    const reason = decision === 'denied' ? 'The scenario says no.' : null;
    await settleApproval(sql, approval.id, decision, reason, OPERATOR);
  }
}

/** The same, but pieces of arguments end between words: neither an id nor a time is in two. */
async function* inWholeWords(
  step: AsyncGenerator<StepPart, StepResult>): AsyncGenerator<StepPart, StepResult> {
  let held: Extract<StepPart, { type: 'tool_call.arguments.delta' }> | undefined;
  try {
    for (;;) {
      const { done, value } = await step.next();
      const goes_on = !done && value.type === 'tool_call.arguments.delta'
        && (held === undefined || value.tool_call_id === held.tool_call_id);
      if (!goes_on) {
        if (held) yield held;
        held = undefined;
        if (done) return value;
        yield value;
        continue;
      }
      const text = (held?.delta ?? '') + value.delta;
      const [word] = /[\w:.-]*$/.exec(text)!;
      const whole = text.slice(0, text.length - word.length);
      held = word === '' ? undefined : { ...value, delta: word };
      if (whole !== '') yield { ...value, delta: whole };
    }
  } finally {
    await end(step);
  }
}
