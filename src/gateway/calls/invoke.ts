/** One call of an action, from the arguments to the record of what came of it. */
import type { AuditLog } from '../../audit/audit.ts';
import type { Caller } from '../../caller.ts';
import type { Config } from '../../config.ts';
import { firstOf } from '../../deadline.ts';
import { GatehouseError, RevokedError } from '../../errors.ts';
import { newId } from '../../ids.ts';
import { isObject, jsonChars, type JsonObject } from '../../json.ts';
import { JsonText, writeJson } from '../../jsonText.ts';
import type { Log } from '../../log.ts';
import { inOwnTurn, patiently } from '../../patience.ts';
import { sanitizeJson, sanitizeText } from '../../sanitize.ts';
import { giveApprovalBack } from '../../store/approvals.ts';
import { isUnavailable, type Sql } from '../../store/database.ts';
import { endReason, loneEndReason } from '../../store/revocations.ts';
import type { Meters } from '../../telemetry/metrics.ts';
import { truncateResult } from '../../truncate.ts';
import { keptOf } from '../action/kept.ts';
import type {
  ActionCall, ActionError, ActionOutcome, CallContext, Outcome,
} from '../action/outcome.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { CredentialSource } from '../credentials/withCredentials.ts';
import { Departure } from '../egress/departure.ts';
import { SchemaUnusable } from '../schema/validators.ts';
import { clear, type ApprovalLimits } from './approvals.ts';
import { execute } from './execute.ts';
import type { InputValidators } from './inputValidators.ts';
import { turnPage, withinLimit } from './pages.ts';
import { planCall, type CallRequest, type PlannedCall } from './plan.ts';
import { auditEntryOf, invocationOf, late, measure, type RecordCall } from './record.ts';
import {
  mayStillLeave, NOT_BEGUN, outcomeOfEarlierAttempt, outcomeUnknown, recordedOutcome,
  withdrawIntent, type AskWhetherExecuting,
} from './writes.ts';

export interface InvokeOptions {
  sql: Sql;
  config: Pick<Config,
    'action_timeout_ms' | 'action_result_limit_bytes' | keyof ApprovalLimits>;
  audit: AuditLog;
  log: Log;
  meters: Meters;
  catalogue: Catalogue;
  validators: InputValidators;
  credentials: CredentialSource;
  isExecuting: AskWhetherExecuting;
  record: RecordCall;
}

/** How large something is, is counted no further. */
const LARGE_CHARS = 65_536;
/** As long as the wire's action name may be; a made-up one is recorded cut. */
const ACTION_LIMIT_CHARS = 255;

/**
 * Performs one call and records the attempt whatever came of it. What a caller can cause is in the
 * outcome. Throws only when the attempt cannot be decided or recorded: the database is away, or the
 * caller's key was revoked (RevokedError) before anything of the call had left.
 *
 * What changes something and may have left in an earlier attempt of the run never leaves again.
 */
export async function invoke(
  options: InvokeOptions, caller: Caller, given: ActionCall, context: CallContext,
): Promise<ActionOutcome> {
  const known = await outcomeOfEarlierAttempt(options, caller, context);
  if (known !== undefined) return known;
  const started_ms = performance.now();
  const invocation_id = newId('inv');
  // Arguments come from a model or an application: from here on they are storable Unicode.
  const call = await inOwnTurn(() => sanitizeJson(given));
  const visible = await options.catalogue.visible(caller);
  const asked = { caller, call, context, visible, invocation_id };
  const { plan, input, outcome, left } = await attempt(options, asked);
  if (outcome === NOT_BEGUN) await refuseRevoked(options.sql, asked);
  // The source's own cursor is only recorded. As the cursor of the next page a caller gets the id
  // of this call, by which the record is found.
  const next_cursor = outcome.status === 'completed' ? outcome.next_cursor : null;
  const made: ActionOutcome = {
    ...(next_cursor === null ? outcome : { ...outcome, next_cursor: invocation_id }),
    invocation_id,
    action: nameOf(call),
    connection_id: plan?.request.connection.id ?? null,
    duration_ms: Math.round(performance.now() - started_ms),
  };
  const entry = auditEntryOf(made, asked, plan?.definition.effect ?? null);
  // The outcome of a write by an MCP client is recorded however long that takes: a client that is
  // told nothing would make the call again. A run is told by its next attempt.
  const lasting = context.source === 'mcp' && left && plan !== null
    && plan.definition.effect !== 'read';
  const invocation = invocationOf(made, asked, input);
  // Those that end together are recorded together: to write all their inputs then takes too long.
  const input_text = await inOwnTurn(() => new JsonText(writeJson(invocation.input)));
  const recording = options.record({ ...invocation, input: input_text, next_cursor });
  const [inserted, wasGood] = await Promise.all([
    lasting ? recording : patiently(recording),
    entry === null || options.audit.appendCall(entry, caller.api_key_id, left ? late(entry) : null),
  ]).catch((error: unknown) => {
    throw lasting && isUnavailable(error) ? inDoubt(made, error) : error;
  });
  if (!wasGood && !left) await refuseRevoked(options.sql, asked);
  measure(options.meters, made, plan?.definition ?? visible.get(made.action)?.definition);
  if (inserted) return made;
  // While the call was under way its run has ended, or has gone on in another attempt, and has
  // recorded that the outcome is unknown. That was told already, so it stays; the audit log has
  // what came of the call.
  options.log.warn({ invocation_id, performed: outcome.status === 'completed' },
    'the outcome of a write came after its run had ended or gone on without it');
  return await recordedOutcome(options.sql, caller.workspace_id, invocation_id);
}

/** What is said of a write that left, and whose outcome could not be recorded. */
function inDoubt({ action }: ActionOutcome, cause: unknown): GatehouseError {
  return new GatehouseError('unavailable', outcomeUnknown(action).message, { cause });
}

/** Throws if the caller's key is not good any more: nothing more is done in its name. */
async function refuseRevoked(
  sql: Sql, { caller: { workspace_id, api_key_id }, context }: CallRequest): Promise<void> {
  const reason = context.source === 'mcp' ? await loneEndReason(sql, workspace_id, api_key_id)
    : await endReason(sql, workspace_id, api_key_id);
  if (reason !== null) throw new RevokedError(reason);
}

interface Attempt {
  /** Null if it did not get as far as a connection. */
  plan: PlannedCall | null;
  /** As the action takes it, without what its page changes; null if it did not get as far. */
  input: JsonObject | null;
  outcome: Outcome;
  /** Whether anything of the call has left. */
  left: boolean;
}

async function attempt(options: InvokeOptions, asked: CallRequest): Promise<Attempt> {
  const departure = new Departure(undefined, () => mayStillLeave(options, asked));
  const made = await attemptWith(options, asked, departure);
  return { ...made, left: departure.left };
}

/** What came of the call. */
async function attemptWith(
  options: InvokeOptions, asked: CallRequest, departure: Departure,
): Promise<Omit<Attempt, 'left'>> {
  const { call, context, visible, invocation_id } = asked;
  let plan: PlannedCall | null = null;
  let input: JsonObject | null = null;
  try {
    const planned = await planCall(call, context.read_only_only, visible, options.validators);
    if (planned.status === 'missing') return { plan, input, outcome: planned };
    plan = planned;
    input = planned.request.input;
    const turned = await turnPage(options.sql, asked, planned, options.validators);
    if (turned.status === 'missing') return { plan, input, outcome: turned };
    plan = turned;
    return { plan, input, outcome: await carryOut(options, asked, plan, departure) };
  } catch (error) {
    if (isUnavailable(error)) throw error;
    if (error instanceof SchemaUnusable) {
      return { plan, input, outcome: { status: 'failed', error: unusable(error) } };
    }
    options.log.error({ err: error, invocation_id }, 'an action call failed by a fault of ours');
    const fault: ActionError = { code: 'internal_error',
      message: `The call failed by a fault of the service. Its record is ${invocation_id}.` };
    const unknown = departure.left && plan !== null && plan.definition.effect !== 'read';
    return { plan, input, outcome: { status: 'failed',
      error: unknown ? outcomeUnknown(plan!.definition.name) : fault } };
  }
}

/** What is said of a call whose input nobody can check: it is not for the caller to mend. */
function unusable({ message }: SchemaUnusable): ActionError {
  return { code: 'invalid_document', message: 'The action cannot be called, whatever its input is:'
    + ` the schema of its input ${message}. The operator has to change or hide it where the`
    + ' integration describes it.' };
}

async function carryOut(
  { sql, config, credentials }: InvokeOptions, asked: CallRequest, plan: PlannedCall,
  departure: Departure,
): Promise<Outcome> {
  const { caller, context, invocation_id } = asked;
  const clearance = await clear(sql, asked, plan, config);
  if (clearance.status !== 'cleared') return clearance;
  const reads = plan.definition.effect === 'read';
  const { approval_id } = clearance;
  let outcome: Outcome | undefined;
  try {
    outcome = await execute(plan, actingBy(plan, caller), {
      credentials, invocation_id, departure, timeout_ms: config.action_timeout_ms,
      signal: reads ? firstOf(context.signal, context.windDown) : context.signal,
      idempotency_key: reads ? null : context.tool_call_id ?? invocation_id,
    });
    if (outcome === NOT_BEGUN) return outcome;
    return await keepOutcome(plan, outcome, config.action_result_limit_bytes);
  } finally {
    // Nothing has left, so the call did not need its approval. A call whose fate is unknown may
    // have been made, and keeps it.
    if (outcome?.status !== 'completed' && !departure.left) {
      if (approval_id !== null) {
        await giveApprovalBack(sql, caller.workspace_id, approval_id, invocation_id);
      }
      // Without a record of the call, its intent would later be reported as an unknown outcome.
      const is_told = outcome !== undefined && outcome !== NOT_BEGUN;
      if (!reads && !is_told) await withdrawIntent(sql, asked);
    }
  }
}

/**
 * The caller as the action sees it. An agent is confined to its own session unless a grant covers
 * this very action: what a wider action calls in turn (action_invocations.create) is judged anew.
 */
function actingBy({ granted }: PlannedCall, caller: Caller): Caller {
  return caller.agent === null
    ? caller : { ...caller, agent: { ...caller.agent, confined: !granted } };
}

/** What is kept of an outcome: what was asked for of it, storable, and bounded. */
async function keepOutcome(
  plan: PlannedCall, outcome: Outcome, limit_bytes: number): Promise<Outcome> {
  if (outcome.status === 'missing') {
    return { ...outcome, missing: sanitizeJson(outcome.missing) };
  }
  if (outcome.status === 'failed') {
    return { ...outcome, error: boundedError(sayWhatIsUnknown(plan, outcome.error)) };
  }
  const { result, is_chosen = false, ...bounded } = withinLimit(outcome);
  if (result instanceof JsonText) return { ...bounded, result }; // It is what is kept.
  const options = {
    fields: is_chosen ? null : plan.fields, limit_bytes, is_cut: bounded.truncated };
  const kept = await inOwnTurn(() => keptOf(result, options), jsonChars(result, LARGE_CHARS));
  return { ...bounded, ...kept };
}

/** A write that was broken off before its answer came may have taken effect: the error says so. */
function sayWhatIsUnknown(
  { definition: { name, effect } }: PlannedCall, error: ActionError): ActionError {
  if (effect === 'read') return error;
  if (error.code === 'cancelled') return outcomeUnknown(name);
  if (error.code !== 'upstream_timeout') return error;
  return { ...error, message: `${error.message} The call may have taken effect all the same.` };
}

const ERROR_MESSAGE_LIMIT_CHARS = 2_000;
const ERROR_DETAILS_LIMIT_BYTES = 8_192;

/** What an upstream service says of its error is of any size, too. */
function boundedError({ code, message, details, ...rest }: ActionError): ActionError {
  const text = sanitizeText(message.slice(0, ERROR_MESSAGE_LIMIT_CHARS));
  if (details === undefined) return { code, message: text, ...rest };
  const bounded = truncateResult(sanitizeJson(details), ERROR_DETAILS_LIMIT_BYTES).result;
  return { code, message: text, details: bounded, ...rest };
}

function nameOf(call: ActionCall): string {
  const action: unknown = isObject(call) ? call.action : undefined;
  return typeof action === 'string' && action !== ''
    ? sanitizeText(action.slice(0, ACTION_LIMIT_CHARS)) : '(none)';
}
