import { storageLimit } from '../accounts/storage.ts';
import type { Config } from '../config.ts';
import { GatehouseError, invalidKey } from '../errors.ts';
import { newId } from '../ids.ts';
import { unhurried } from '../patience.ts';
import { WorkspaceChanged, type RunRequest } from '../runs/lifecycle.ts';
import { isTerminal } from '../runs/runStatus.ts';
import { sanitizeText } from '../sanitize.ts';
import { shareOfKey } from '../shareOfKey.ts';
import type { Sql, Transaction } from '../store/database.ts';
import type { WorkspaceOfKey } from '../store/workspaces.ts';
import { followRun } from './followRun.ts';
import { once, replayHeaders } from './idempotency.ts';
import { locationOf } from './location.ts';
import type { Operation, OperationContext, Reply } from './operation.ts';
import { signedInOf } from './operator.ts';
import { presentRun } from './present.ts';

/**
 * How long `wait` waits when the request does not say. nginx, load balancers of clouds and others
 * give up on an answer after 60 seconds: then theirs, a 504, would come in place of ours.
 */
const WAIT_S = 50;

/** POST /sessions/{session_id}/runs */
export const createRun: Operation<'createRun'> = async (context) => {
  const { body } = context;
  if (body.wait === true && body.stream === true) {
    throw new GatehouseError('invalid_request',
      'wait and stream are both true. Ask for the terminal run (wait) or for its events (stream).',
      { param: '/stream' });
  }
  if (body.stream === true) context.reserveStream();
  return await answer(context, await makeRun(context));
};

type Context = OperationContext<'createRun'>;
/** The run that a request is about, and the headers of its answer in whatever mode. */
interface MadeRun { run_id: string; is_new: boolean; headers: Record<string, string> }

/** The request, completed by the defaults of workspace and operator and checked for its limits. */
function runRequest(
  { caller, params, body, services: { config, models } }: Context,
  workspace: WorkspaceOfKey | undefined,
): RunRequest {
  // The key may have been revoked since it was looked at, while the body was on its way.
  if (workspace?.ended) throw invalidKey();
  const model = body.model ?? workspace?.model ?? config.model;
  models.check(model, workspace?.allowed_models);
  const limits = workspace?.limits ?? {};
  const max_queued_runs = limits.max_queued_runs ?? config.workspace_queued_runs;
  return {
    workspace_id: caller.workspace_id,
    workspace_version: workspace?.version,
    session_id: params.path.session_id,
    api_key_id: caller.api_key_id,
    concurrency: body.concurrency ?? 'enqueue',
    source: caller.operator ? 'console' : 'api',
    model,
    instructions: body.instructions === undefined
      ? workspace?.instructions ?? null : sanitizeText(body.instructions),
    max_steps: within('max_steps', body.max_steps, limits.max_steps, config.max_steps),
    timeout_s: within('timeout_s', body.timeout_s, limits.timeout_s, config.run_timeout_s),
    max_total_tokens: tokensWithin(body.max_total_tokens, limits.max_total_tokens, config),
    max_total_tokens_per_day: limits.max_total_tokens_per_day ?? null,
    max_queued_runs,
    max_queued_runs_of_key: shareOfKey(config.key_queued_runs, max_queued_runs),
    max_storage_bytes: storageLimit(config, limits.max_storage_bytes),
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

/**
 * Creates the run by the workspace as it is known, which saves reading it; if it is not so any
 * more, nothing is made, and it is read. What an old one refuses, the one of now may allow.
 */
async function makeNew(sql: Sql | Transaction, context: Context, run_id: string) {
  const { caller, services: { runs, workspaces } } = context;
  const known = workspaces.recall(caller);
  const create = (request: RunRequest) => runs.create(sql, request, run_id, signedInOf(context));
  const request = known && await unless(GatehouseError, () => runRequest(context, known));
  const made = request && await unless(WorkspaceChanged, () => create(request));
  if (made) return made;
  const anew = runRequest(context, await workspaces.read(sql, caller));
  // Read just now, so that it need not be compared again.
  return await create({ ...anew, workspace_version: undefined });
}

/** What it answers; undefined if it throws such an error. */
async function unless<T>(
  kind: typeof GatehouseError | typeof WorkspaceChanged, work: () => T,
): Promise<Awaited<T> | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof kind) return undefined;
    throw error;
  }
}

/** Creates the run, or finds the one that the request's idempotency key has created already. */
async function makeRun(context: Context): Promise<MadeRun> {
  const { params: { path: { session_id } }, body, services: { config } } = context;
  // How the caller wants to be answered is no part of what makes the request the same.
  const { wait: _wait, stream: _stream, wait_timeout_s: _timeout, ...asked } = body;
  const run_id = newId('run');
  // It is stored before the run is made: that locks the session, and only the commit follows it.
  const response = { resource_id: run_id, status: 202, body: null };
  const outcome = await once(context, ['createRun', session_id, asked], async (tx) => {
    // Only for a new run: defaults and limits may have changed since the one that is repeated.
    // Read by the transaction: requests that wait for a second connection may block each other.
    const { announce } = await makeNew(tx, context, run_id);
    return { ...response, announce };
  }, response);
  const found = 'stored' in outcome ? outcome.stored.resource_id : run_id;
  if ('made' in outcome) outcome.made.announce();
  const headers = { ...locationOf(config, `runs/${found}`), ...replayHeaders(outcome) };
  return { run_id: found, is_new: 'made' in outcome, headers };
}

/** Answers about the run in the mode that the request asks for. */
async function answer(
  context: Context, { run_id, is_new, headers }: MadeRun): Promise<Reply<'createRun'>> {
  const { caller, scope, params, body, services, draining } = context;
  const { workspace_id } = caller;
  if (body.stream === true) {
    // What a request before this one has made may be deleted; a stream has no status for that.
    if (!is_new) await services.runs.find(scope, run_id);
    const reference = { workspace_id, session_id: params.path.session_id, run_id };
    return { status: 200, headers,
      events: followRun(services, caller, reference, 0, context.signal) };
  }
  if (body.wait === true) {
    const timeout_ms = (body.wait_timeout_s ?? WAIT_S) * 1_000;
    const key = services.whileValid(caller);
    const over = AbortSignal.any([context.signal, draining, key.signal]);
    const run = await unhurried(async () => {
      const ended = await services.runs.waitForEnd(
        scope, run_id, is_new, timeout_ms, over);
      // A run that ended with its key may be seen before the news of the key.
      if (ended.status === 'cancelled') await services.reviewKeys();
      return ended;
    }).finally(key.release);
    key.signal.throwIfAborted();
    const shown = presentRun(run);
    if (isTerminal(run.status)) return { status: 200, headers, body: shown };
    return { status: 202, headers: { ...headers, 'Retry-After': '1' }, body: shown };
  }
  const run = presentRun(await services.runs.get(scope, run_id));
  return { status: 202, headers, body: run };
}
