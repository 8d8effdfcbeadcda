/** One call of an action, from the arguments to the record of what came of it. */
import type { Caller } from '../../caller.ts';
import { newId } from '../../ids.ts';
import { inOwnTurn } from '../../patience.ts';
import { sanitizeJson } from '../../sanitize.ts';
import { isUnavailable } from '../../store/database.ts';
import { ActionFailure } from '../action/failure.ts';
import type {
  ActionCall, ActionOutcome, CallContext, CompletedOutcome, FailedOutcome, MissingOutcome,
} from '../action/outcome.ts';
import { Departure, DepartureRefused } from '../egress/departure.ts';
import { SchemaUnusable } from '../schema/validators.ts';
import type { Attempt, CallRequest, CallServices } from './call.ts';
import { clear, takeBack } from './clear.ts';
import { keepFailure, perform } from './perform.ts';
import { findAction, planCall, turnPage } from './plan.ts';
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
  const made: Attempt = { plan: null, outcome: NOT_BEGUN };
  try {
    made.outcome = await carryOut(services, asked, made);
  } catch (error) {
    // The words of a failed call may be those of another service's database.
    if (!(error instanceof ActionFailure) && isUnavailable(error)) throw error;
    made.outcome = outcomeOf(services, asked, made, error);
  }
  return await record(services, asked, made);
}

/**
 * Takes the call through its verbs; notes its plan once there is one. Throws ActionFailure with
 * what it lacks or failed by, DepartureRefused if it was not begun, and what no caller has caused.
 */
async function carryOut(
  services: CallServices, asked: CallRequest, made: Attempt): Promise<CompletedOutcome> {
  const { call, visible, caller: { workspace_id }, context: { read_only_only } } = asked;
  const action = await findAction(call, visible);
  made.plan = await planCall(
    call, action, { workspace_id, read_only_only }, services.validators);
  const plan = made.plan = await turnPage(services, asked, made.plan);
  const approval_id = await clear(services, asked, plan);
  try {
    return await perform(services, asked, plan);
  } catch (error) {
    if (!asked.departure.left) await takeBack(services.sql, asked, plan, approval_id, error);
    throw error;
  }
}

/** What is said of a call that was not completed. */
function outcomeOf(
  { log }: CallServices, { departure, invocation_id }: CallRequest, { plan }: Attempt,
  error: unknown): MissingOutcome | FailedOutcome {
  if (error instanceof ActionFailure) return keepFailure(plan, error.outcome);
  if (error instanceof DepartureRefused) return NOT_BEGUN;
  if (error instanceof SchemaUnusable) {
    // It is not for the caller to mend.
    return { status: 'failed', error: { code: 'invalid_document',
      message: 'The action cannot be called, whatever its input is: the schema of its input'
        + ` ${error.message}. The operator has to change or hide it where the integration describes`
        + ' it.' } };
  }
  log.error({ err: error, invocation_id }, 'an action call failed by a fault of ours');
  return { status: 'failed', error:
    departure.left && plan !== null && plan.definition.effect !== 'read'
      ? outcomeUnknown(plan.definition.name)
      : { code: 'internal_error',
        message: `The call failed by a fault of the service. Its record is ${invocation_id}.` } };
}
