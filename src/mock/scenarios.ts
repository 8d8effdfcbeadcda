/** What the mock can be asked to show. docs/mock.md has the same tables; a test compares them. */
import { GatehouseError } from '../errors.ts';
import { RunFailure, type RunErrorCode } from '../runs/runStatus.ts';

/** How a run goes that is asked for by name. */
export interface RunScenario {
  says: string;
  /** What the rehearsal model is told instead of the prompt; docs/rehearsal.md. */
  script?: string | ((run_id: string) => string);
  /** What the request is given where it leaves it out. */
  defaults?: Record<string, number>;
  /** Before each piece of what the model says, unless the request says otherwise. */
  pace_ms?: number;
  /** The run is cancelled after so many pieces. */
  cancel_after?: number;
  /** Each approval that the run asks for is decided so, as an operator would. */
  decision?: 'approved' | 'denied';
  /** The model never answers. */
  hangs?: true;
  /** What the model's step throws. */
  fault?: () => Error;
}

/** Each run's call is its own: what was decided of a call holds, whichever run makes it again. */
const newSession = (word: string, times: number) => (run_id: string) =>
  `call gatehouse.sessions.create {"body": {"title": "${word} by ${run_id}"}}\n`.repeat(times);

const FAILURES: Record<RunErrorCode, Omit<RunScenario, 'says'>> = {
  model_error: { script: '@rehearsal fail=model_error' },
  model_rate_limited: { script: '@rehearsal fail=model_rate_limited' },
  max_steps_exceeded: { script: '@rehearsal steps=1000', defaults: { max_steps: 2 } },
  timeout: { hangs: true, defaults: { timeout_s: 1 } },
  budget_exceeded: { script: '@rehearsal steps=1000', defaults: { max_total_tokens: 1 } },
  worker_lost: {
    fault: () => new RunFailure('worker_lost',
      'The run has killed or hung 2 workers, one after the other, without getting any further'
      + ' between, and is given up. The same request would most likely end the same way.', false),
  },
  internal_error: { fault: () => new Error('asked for by the scenario failed_internal_error') },
};

/** By the name in `Prefer: scenario=…`, or in a line `@scenario …` of the prompt. */
export const RUN_SCENARIOS: ReadonlyMap<string, RunScenario> = new Map<string, RunScenario>([
  ['completed', {
    says: 'An answer of twenty words.', script: '@rehearsal words=20',
  }],
  ['action', {
    says: 'A call of an action that succeeds, then the answer.',
    script: 'call gateway.connections.list',
  }],
  ['failed_action', {
    says: 'A call of an action whose integration answers with an error, then the answer.',
    script: 'call weather.stations.list',
  }],
  ['failed', { says: 'The same as `failed_model_error`.', ...FAILURES.model_error }],
  ...Object.entries(FAILURES).map(([code, scenario]) =>
    [`failed_${code}`, { says: `Ends failed, with the code \`${code}\`.`, ...scenario }] as const),
  ['cancelled', {
    says: 'Somebody cancels the run in the middle of its answer.',
    script: '@rehearsal words=200', cancel_after: 12,
  }],
  ['long', { says: 'An answer of 1,000 words.', script: '@rehearsal words=1000' }],
  ['slow', {
    says: 'A run takes 500 ms for each word; by the header, the answer comes 3 s late as well.',
    script: '@rehearsal words=10', pace_ms: 500,
  }],
  ['cut', {
    says: 'The first event stream of the run breaks off after eight events; the run goes on, and'
      + ' another stream resumes it.',
    script: '@rehearsal words=40',
  }],
  ['missing_connection', {
    says: 'Calls an action of an integration that the workspace is not connected to.',
    script: 'call tickets.issues.list',
  }],
  ['approval', {
    says: 'Calls an action that has to be approved; the approval stays pending.',
    script: newSession('Pending', 1),
  }],
  ['approved', {
    says: 'The same; it is approved, and the call repeated.',
    script: newSession('Approved', 2), decision: 'approved',
  }],
  ['denied', {
    says: 'The same; it is denied, and the call repeated.',
    script: newSession('Denied', 2), decision: 'denied',
  }],
]);

/** An event stream that is to be cut is so after this many events. */
export const CUT_AFTER_EVENTS = 8;
/** How late a slow answer is. */
export const SLOW_MS = 3_000;

const LINE = /^[ \t]*@scenario[ \t]+(\S+)[ \t]*$/m;

/**
 * The run's scenario that a prompt asks for; undefined if it asks for none. Throws invalid_request
 * if there is none of this name: a run that went well would hide the mistyped word.
 */
export function scenarioIn(prompt: string): string | undefined {
  const name = LINE.exec(prompt)?.[1];
  if (name === undefined || RUN_SCENARIOS.has(name)) return name;
  throw new GatehouseError('invalid_request', 'The prompt has a line @scenario, and the mock has no'
    + ` scenario ${JSON.stringify(name)} of a run. GET /mock lists them as runs.`,
  { param: '/input' });
}
