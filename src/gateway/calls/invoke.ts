/** One call of an action, from the arguments to the record of what came of it. */
import type { Caller } from '../../caller.ts';
import { newId } from '../../ids.ts';
import { inOwnTurn } from '../../patience.ts';
import { sanitizeJson } from '../../sanitize.ts';
import { isUnavailable } from '../../store/database.ts';
import type {
  ActionCall, ActionError, ActionOutcome, CallContext, Outcome,
} from '../action/outcome.ts';
import { Departure } from '../egress/departure.ts';
import { SchemaUnusable } from '../schema/validators.ts';
import type { Attempt, CallRequest, CallServices } from './call.ts';
import { whenCleared } from './clear.ts';
import { turnPage } from './pages.ts';
import { perform } from './perform.ts';
import { planCall } from './plan.ts';
import { record } from './record.ts';
import { mayStillLeave, NOT_BEGUN, outcomeOfEarlierAttempt, outcomeUnknown } from './writes.ts';

/**
 * Performs one call and records the attempt whatever came of it. What a caller can cause is in the
 * outcome. Throws only when the attempt cannot be decided or recorded: the database is away, or the
 * caller's key was revoked (RevokedError) before anything of the call had left.
 *
 * What changes something and may have left in an earlier attempt of the run never leaves again.
 */
export async function invoke(
  services: CallServices, caller: Caller, given: ActionCall, context: CallContext,
): Promise<ActionOutcome> {
  const known = await outcomeOfEarlierAttempt(services, caller, context);
  if (known !== undefined) return known;
  const since_ms = performance.now();
  // Arguments come from a model or an application: from here on they are storable Unicode.
  const call = await inOwnTurn(() => sanitizeJson(given));
  const asked: CallRequest = {
    caller, call, context, visible: await services.catalogue.visible(caller),
    invocation_id: newId('inv'), since_ms,
    departure: new Departure(undefined, () => mayStillLeave(services, asked)),
  };
  return await record(services, asked, await attempt(services, asked));
}

async function attempt(services: CallServices, asked: CallRequest): Promise<Attempt> {
  const made: Attempt = { plan: null, outcome: NOT_BEGUN };
  try {
    made.outcome = await carryOut(services, asked, made);
  } catch (error) {
    if (isUnavailable(error)) throw error;
    made.outcome = { status: 'failed', error: faultOf(services, asked, made, error) };
  }
  return made;
}

/** What comes of the call; notes its plan once there is one. */
async function carryOut(
  services: CallServices, asked: CallRequest, made: Attempt): Promise<Outcome> {
  const planned = await planCall(
    asked.call, asked.context.read_only_only, asked.visible, services.validators);
  if (planned.status === 'missing') return planned;
  made.plan = planned;
  const plan = await turnPage(services, asked, planned);
  if (plan.status === 'missing') return plan;
  made.plan = plan;
  return await whenCleared(services, asked, plan, () => perform(services, asked, plan));
}

/** What is said of what no caller has caused. */
function faultOf(
  { log }: CallServices, { departure, invocation_id }: CallRequest, { plan }: Attempt,
  fault: unknown): ActionError {
  if (fault instanceof SchemaUnusable) return unusable(fault);
  log.error({ err: fault, invocation_id }, 'an action call failed by a fault of ours');
  return departure.left && plan !== null && plan.definition.effect !== 'read'
    ? outcomeUnknown(plan.definition.name)
    : { code: 'internal_error',
      message: `The call failed by a fault of the service. Its record is ${invocation_id}.` };
}

/** What is said of a call whose input nobody can check: it is not for the caller to mend. */
function unusable({ message }: SchemaUnusable): ActionError {
  return { code: 'invalid_document', message: 'The action cannot be called, whatever its input is:'
    + ` the schema of its input ${message}. The operator has to change or hide it where the`
    + ' integration describes it.' };
}
