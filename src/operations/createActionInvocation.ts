import type { Schemas } from '../../generated/types.ts';
import { wholeWorkspace, type Caller } from '../caller.ts';
import { firstOf } from '../deadline.ts';
import { GatehouseError, notFound, type ErrorCode } from '../errors.ts';
import { errorOfMissing, type ActionOutcome, type CallContext } from '../gateway/face.ts';
import { roundedIn } from '../json.ts';
import { getInvocation } from '../store/actionInvocations.ts';
import { onceOutside, replayHeaders } from './idempotency.ts';
import { locationOf } from './location.ts';
import type { Operation, OperationContext } from './operation.ts';
import { presentInvocation } from './present.ts';

type ActionInvocation = Schemas['ActionInvocation'];
type Context = OperationContext<'createActionInvocation'>;

/** Once the action's own time is over, a repeat may take over the key this much later. */
const LOCK_MARGIN_MS = 30_000;

/** POST /action_invocations */
export const createActionInvocation: Operation<'createActionInvocation'> = async (context) => {
  const lock_ms = context.services.config.action_timeout_ms + LOCK_MARGIN_MS;
  const rounded = roundedIn(context.body, ['input']);
  if (rounded) {
    const { message } = rounded;
    const path = `/input${rounded.path}`;
    throw new GatehouseError('invalid_request', `The body is not valid: ${path} ${message}.`,
      { param: path, details: [{ path, message }] });
  }
  const { fields = [], ...others } = context.body;
  const asked = fields.length > 0 ? context.body : others; // An empty list asks for no less.
  const make = async () => {
    const body = await perform(context);
    return { resource_id: body.invocation_id, status: 201, body };
  };
  // An agent's needs no key, since the call that asks for it is not made twice: so nothing is kept
  // of what it reads but the record, which goes with its session. Others get their key back after a
  // call that failed: it only reads.
  const outcome = context.caller.agent !== null ? { made: await make() }
    : await onceOutside(context, ['createActionInvocation', asked], lock_ms, make);
  const { resource_id, body } = 'made' in outcome ? outcome.made : outcome.stored;
  const headers = {
    ...locationOf(context.services.config, `action_invocations/${resource_id}`),
    ...replayHeaders(outcome),
  };
  return { status: 201, body: body as ActionInvocation, headers };
};

async function perform(context: Context): Promise<ActionInvocation> {
  const { caller, body, services, request_id, signal } = context;
  await services.checkStorage(caller.workspace_id);
  const key = services.whileValid(caller);
  const outcome = await services.gateway.perform(caller, body, {
    ...sourceOf(caller), request_id, read_only_only: true, signal: firstOf(signal, key.signal),
  }).finally(key.release);
  key.signal.throwIfAborted();
  if (outcome.status !== 'completed') throw failure(outcome);
  // Its own call, which is of no session unless an agent asks.
  const row = await getInvocation(
    services.sql, wholeWorkspace(caller.workspace_id), outcome.invocation_id);
  // Only if the agent's run was cancelled and deleted meanwhile.
  if (!row) throw notFound('action invocation', outcome.invocation_id);
  const { next_cursor, unknown_fields } = outcome;
  return {
    ...presentInvocation(row), ...(next_cursor !== null && { page: { next_cursor } }),
    ...(unknown_fields !== undefined && { unknown_fields }),
  };
}

/** What the record says of who asks: an agent does by `gatehouse.action_invocations.create`. */
function sourceOf({ agent }: Caller): Omit<CallContext, 'read_only_only'> {
  if (agent === null) return { source: 'api' };
  if (agent.run === null) return { source: 'mcp' };
  const { id, attempt } = agent.run;
  return { source: 'run', run_id: id, attempt };
}

/** What is missing, and errors of integrations, as HTTP errors: an agent gets the same codes. */
function failure(outcome: Exclude<ActionOutcome, { status: 'completed' }>): GatehouseError {
  const { invocation_id } = outcome;
  if (outcome.status === 'failed') {
    const { code, message, details, retry_after_s } = outcome.error;
    // A caller that cancelled reads no answer, and a call that only reads has no unknown outcome.
    // The code only has to be one of the contract's.
    const known = code === 'cancelled' || code === 'outcome_unknown' ? 'upstream_error' : code;
    return new GatehouseError(known, message, {
      details: { invocation_id, ...(details !== undefined && { upstream: details }) },
      ...(retry_after_s !== undefined && { retry_after_s }),
    });
  }
  const { missing } = outcome;
  const [first] = missing;
  const { code, message } = errorOfMissing(missing);
  return new GatehouseError(code satisfies ErrorCode, message, {
    param: first!.code === 'invalid_input' ? first!.violations[0]?.path : '/action',
    details: {
      invocation_id, missing,
      ...(first!.code === 'unknown_action' && { suggestions: first!.suggestions }),
    },
  });
}
