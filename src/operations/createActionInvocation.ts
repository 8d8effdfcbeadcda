import type { components } from '../../generated/types.ts';
import { GatehouseError, type ErrorCode } from '../errors.ts';
import type { ActionOutcome } from '../gateway/action/outcome.ts';
import { getInvocation } from '../store/actionInvocations.ts';
import {
  claimIdempotencyKey, completeIdempotencyKey, releaseIdempotencyKey,
} from '../store/idempotencyKeys.ts';
import { requestHash, storedResponse } from './idempotency.ts';
import type { Operation, OperationContext } from './operation.ts';
import { presentInvocation } from './present.ts';

type ActionInvocation = components['schemas']['ActionInvocation'];
type Context = OperationContext<'createActionInvocation'>;

/** Beyond the action's own time, before a lost request's key may be taken over. */
const LOCK_MARGIN_MS = 30_000;

/** POST /action_invocations */
export const createActionInvocation: Operation<'createActionInvocation'> = async (context) => {
  const key = context.params.headers['idempotency-key'];
  return created(key === undefined ? await perform(context) : await performOnce(context, key));
};

/**
 * The call leaves the database for a while, so the key is taken in a transaction of its own before
 * it and completed after it. A call that failed releases the key: repeating it is safe, it reads.
 */
async function performOnce(context: Context, key: string): Promise<ActionInvocation> {
  const { caller: { workspace_id }, body, services: { sql, config } } = context;
  const request = {
    workspace_id, key, request_sha256: requestHash('createActionInvocation', body),
    lock_ms: config.action_timeout_ms + LOCK_MARGIN_MS,
  };
  const stored = storedResponse(await sql.begin((tx) => claimIdempotencyKey(tx, request)));
  if (stored) return stored.body as ActionInvocation;
  try {
    const invocation = await perform(context);
    await completeIdempotencyKey(sql, workspace_id, key,
      { resource_id: invocation.invocation_id, status: 201, body: invocation });
    return invocation;
  } catch (error) {
    await releaseIdempotencyKey(sql, workspace_id, key);
    throw error;
  }
}

async function perform(context: Context): Promise<ActionInvocation> {
  const { caller, body, services, request_id, signal } = context;
  const outcome = await services.gateway.perform(caller, body, {
    source: 'api', request_id, read_only_only: true, signal,
  });
  if (outcome.status !== 'completed') throw failure(outcome);
  const row = await getInvocation(services.sql, caller.workspace_id, outcome.invocation_id);
  const { next_cursor } = outcome;
  return { ...presentInvocation(row!), ...(next_cursor !== null && { page: { next_cursor } }) };
}

function created(body: ActionInvocation) {
  const headers = { Location: `/v1/action_invocations/${body.invocation_id}` };
  return { status: 201 as const, body, headers };
}

/** Gaps and upstream errors as HTTP errors: the same codes as the agent gets. */
function failure(outcome: Exclude<ActionOutcome, { status: 'completed' }>): GatehouseError {
  const { invocation_id } = outcome;
  if (outcome.status === 'failed') {
    const { code, message, details, retry_after_s } = outcome.error;
    // Who cancelled is gone and reads no answer, and only what changes something can have an
    // unknown outcome; the code only has to be one of the contract's.
    const known = code === 'cancelled' || code === 'outcome_unknown' ? 'upstream_error' : code;
    return new GatehouseError(known, message, {
      details: { invocation_id, ...(details !== undefined && { upstream: details }) },
      ...(retry_after_s !== undefined && { retry_after_s }),
    });
  }
  const { missing } = outcome;
  const [first] = missing;
  return new GatehouseError(first!.code satisfies ErrorCode,
    missing.map((gap) => gap.message).join(' '), {
      param: first!.code === 'invalid_input' ? first!.violations[0]?.path : '/action',
      details: {
        invocation_id, missing,
        ...(first!.code === 'unknown_action' && { suggestions: first!.suggestions }),
      },
    });
}
