import { scopeOf } from '../caller.ts';
import type { Config } from '../config.ts';
import { GatehouseError, invalidKey } from '../errors.ts';
import { newId } from '../ids.ts';
import type { RunRequest } from '../runs/lifecycle.ts';
import { isTerminal } from '../runs/runStatus.ts';
import { sanitizeText } from '../sanitize.ts';
import type { Transaction } from '../store/database.ts';
import { getWorkspaceOf } from '../store/workspaces.ts';
import { followRun } from './followRun.ts';
import { once } from './idempotency.ts';
import type { Operation, OperationContext, Reply } from './operation.ts';
import { presentRun } from './present.ts';

/** How long `wait` waits when the request does not say. */
const WAIT_S = 60;

/** POST /sessions/{session_id}/runs */
export const createRun: Operation<'createRun'> = async (context) => {
  const { body } = context;
  if (body.wait === true && body.stream === true) {
    throw new GatehouseError('invalid_request',
      'wait and stream are both true. Ask for the terminal run (wait) or for its events (stream).',
      { param: '/stream' });
  }
  if (body.stream === true) context.reserveStream();
  if (body.wait === true) context.reserveWait();
  return await answer(context, await makeRun(context));
};

type Context = OperationContext<'createRun'>;

/** The request, completed by the defaults of workspace and operator and checked for its limits. */
async function runRequest(
  tx: Transaction, { caller, params, body, services: { config, models } }: Context,
): Promise<RunRequest> {
  const workspace = await getWorkspaceOf(tx, caller);
  // The key may have been revoked since it was looked at, while the body was on its way.
  if (workspace?.ended) throw invalidKey();
  const model = body.model ?? workspace?.model ?? config.model;
  models.check(model, workspace?.allowed_models);
  const limits = workspace?.limits ?? {};
  return {
    workspace_id: caller.workspace_id,
    session_id: params.path.session_id,
    api_key_id: caller.api_key_id,
    concurrency: body.concurrency ?? 'enqueue',
    source: 'api',
    model,
    instructions: body.instructions === undefined
      ? workspace?.instructions ?? null : sanitizeText(body.instructions),
    max_steps: within('max_steps', body.max_steps, limits.max_steps, config.max_steps),
    timeout_s: within('timeout_s', body.timeout_s, limits.timeout_s, config.run_timeout_s),
    max_total_tokens: tokensWithin(body.max_total_tokens, limits.max_total_tokens, config),
    max_total_tokens_per_day: limits.max_total_tokens_per_day ?? null,
    max_queued_runs: limits.max_queued_runs ?? config.workspace_queued_runs,
    input: body.input,
    metadata: body.metadata ?? {},
  };
}

/** The value asked for, no more than the workspace and the operator allow. */
function within(
  name: string, asked: number | undefined, workspace: number | undefined, operator: number) {
  const most = Math.min(workspace ?? operator, operator);
  if (asked === undefined) return most;
  if (asked <= most) return asked;
  throw new GatehouseError('invalid_request',
    `${name} is ${asked}; this workspace allows at most ${most}.`, { param: `/${name}` });
}

/** The same for tokens. Null: there is no limit. */
function tokensWithin(
  asked: number | undefined, workspace: number | undefined, { max_total_tokens }: Config) {
  const most = within('max_total_tokens', asked, workspace, max_total_tokens || Infinity);
  return most === Infinity ? null : most;
}

/** Creates the run, or finds the one that the request's idempotency key has created already. */
async function makeRun(context: Context): Promise<string> {
  const { params: { path: { session_id } }, body, services: { runs } } = context;
  // How the caller wants to be answered is no part of what makes the request the same.
  const { wait: _wait, stream: _stream, wait_timeout_s: _timeout, ...asked } = body;
  const run_id = newId('run');
  // It is stored before the run is made: that locks the session, and only the commit follows it.
  const response = { resource_id: run_id, status: 202, body: null };
  const outcome = await once(context, ['createRun', session_id, asked], async (tx) => {
    // Only for a new run: defaults and limits may have changed since the one that is repeated.
    // Read by the transaction: requests that wait for a second connection may block each other.
    const { announce } = await runs.create(tx, await runRequest(tx, context), run_id);
    return { ...response, announce };
  }, response);
  if ('stored' in outcome) return outcome.stored.resource_id;
  outcome.made.announce();
  return run_id;
}

/** Answers about the run in the mode that the request asks for. */
async function answer(context: Context, run_id: string): Promise<Reply<'createRun'>> {
  const { caller, params, body, services, draining } = context;
  const { workspace_id } = caller;
  const headers = { Location: `/v1/runs/${run_id}` };
  if (body.stream === true) {
    const reference = { workspace_id, session_id: params.path.session_id, run_id };
    return { status: 200, headers,
      events: followRun(services, caller, reference, 0, context.signal) };
  }
  if (body.wait === true) {
    const timeout_ms = (body.wait_timeout_s ?? WAIT_S) * 1_000;
    const key = services.whileValid(caller);
    const over = AbortSignal.any([context.signal, draining, key.signal]);
    const { status } = await services.runs.waitForEnd(workspace_id, run_id, timeout_ms, over)
      .finally(key.release);
    key.signal.throwIfAborted();
    const run = presentRun(await services.runs.get(scopeOf(caller), run_id));
    if (isTerminal(status)) return { status: 200, headers, body: run };
    return { status: 202, headers: { ...headers, 'Retry-After': '1' }, body: run };
  }
  const run = presentRun(await services.runs.get(scopeOf(caller), run_id));
  return { status: 202, headers, body: run };
}
