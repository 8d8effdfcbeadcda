/** One call of an action, from the arguments to the record of what came of it. */
import type { AuditEvent } from '../../audit/audit.ts';
import type { Caller } from '../../caller.ts';
import type { Config } from '../../config.ts';
import { newId } from '../../ids.ts';
import { isObject } from '../../json.ts';
import type { Log } from '../../log.ts';
import { sanitizeJson, sanitizeText } from '../../sanitize.ts';
import {
  insertInvocation, type ActionInvocationError, type NewActionInvocation,
} from '../../store/actionInvocations.ts';
import { isUnavailable, type Sql } from '../../store/database.ts';
import type { Meters } from '../../telemetry/metrics.ts';
import { truncateResult } from '../../truncate.ts';
import type { ActionDescription } from '../action/action.ts';
import type {
  ActionCall, ActionError, ActionOutcome, CallContext, Missing,
} from '../action/outcome.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { comeBack, depart } from './approvals.ts';
import { auditedCall, outcomeOfWrite } from './auditedCall.ts';
import { execute, type Execution } from './execute.ts';
import { projectFields } from './fields.ts';
import type { InputValidators } from './inputValidators.ts';
import { planCall, type Plan } from './plan.ts';
import { NOT_BEGUN, outcomeOfEarlierAttempt, outcomeUnknown } from './writes.ts';

export interface InvokerOptions {
  sql: Sql;
  config: Pick<Config,
    'action_timeout_ms' | 'action_result_limit_bytes' | 'approval_lifetime_s'>;
  /** Writes to the audit log; null: there is nothing to say of this call. */
  audit(event: AuditEvent | null): Promise<void>;
  log: Log;
  meters: Meters;
  catalogue: Catalogue;
  validators: InputValidators;
}

/** As long as the wire's action name may be; a made-up one is recorded cut. */
const ACTION_LIMIT_CHARS = 255;

/**
 * Performs one call and records the attempt whatever came of it. What a caller can cause is in the
 * outcome. Throws only when the attempt cannot be decided or recorded: the database is away.
 *
 * What changes something and may have left in an earlier attempt of the run never leaves again.
 */
export async function invoke(
  options: InvokerOptions, caller: Caller, call: ActionCall, context: CallContext,
): Promise<ActionOutcome> {
  const known = await outcomeOfEarlierAttempt(options, caller, context);
  if (known !== undefined) return known;
  const started_ms = performance.now();
  const invocation_id = newId('inv');
  // Arguments come from a model or an application: from here on they are storable Unicode.
  const cleanCall = sanitizeJson(call);
  const visible = await options.catalogue.visible(caller);
  const attempt = await decideAndExecute();
  const duration_ms = Math.round(performance.now() - started_ms);
  const invocation = { invocation_id, duration_ms };
  const row = record(caller, cleanCall, context, invocation, attempt);
  const [inserted] = await Promise.all([
    insertInvocation(options.sql, row),
    options.audit(auditedCall(row, attempt.plan?.definition.effect ?? null,
      'missing' in attempt ? attempt.missing : null, context.request_id ?? null)),
  ]);
  if (!inserted) {
    // Meanwhile a later attempt of the run has said of this write that nobody knows.
    options.log.warn({ invocation_id, performed: 'result' in attempt },
      'the outcome of a write came after its run had gone on without it');
  }
  const definition = attempt.plan?.definition ?? visible.get(row.action)?.definition;
  count(options.meters, definition, attempt, duration_ms);
  return outcomeOf(invocation, attempt);

  async function decideAndExecute(): Promise<Attempt> {
    let plan: Plan | null = null;
    let left = false;
    try {
      const planned = planCall(cleanCall, context.read_only_only, visible, options.validators);
      if ('missing' in planned) return { plan, missing: planned.missing };
      plan = planned.plan;
      const { sql, config } = options;
      const gate = { sql, lifetime_ms: config.approval_lifetime_s * 1_000, visible };
      const departure = await depart(gate, plan, caller, context, invocation_id);
      if (!departure.left) {
        const { missing } = departure;
        return missing === null ? { plan, error: NOT_BEGUN } : { plan, missing: [missing] };
      }
      left = true;
      const reads = plan.definition.effect === 'read';
      const execution = await execute(plan, caller, {
        invocation_id, timeout_ms: options.config.action_timeout_ms,
        signal: reads ? either(context.signal, context.windDown) : context.signal,
        idempotency_key: reads ? null : context.tool_call_id ?? invocation_id,
      });
      if ('fault' in execution) throw execution.fault;
      await comeBack(sql, departure, caller, invocation_id, execution);
      return conclude(plan, execution, options.config.action_result_limit_bytes);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      options.log.error({ err: error, invocation_id }, 'an action call failed by a fault of ours');
      const fault: ActionError = { code: 'internal_error',
        message: `The call failed by a fault of the service. Its record is ${invocation_id}.` };
      const unknown = left && plan !== null && plan.definition.effect !== 'read';
      return { plan, error: unknown ? outcomeUnknown(plan!.definition.name) : fault };
    }
  }
}

/** What the caller is told of an attempt. */
function outcomeOf(
  invocation: { invocation_id: string, duration_ms: number }, attempt: Attempt): ActionOutcome {
  if ('missing' in attempt) return { ok: false, ...invocation, missing: attempt.missing };
  if ('error' in attempt) return { ok: false, ...invocation, error: attempt.error };
  const { plan, result, truncated, next_cursor } = attempt;
  return {
    ok: true,
    ...invocation,
    action: plan.definition.name,
    connection_id: plan.request.connection.id,
    result,
    truncated,
    ...(next_cursor === null ? {} : { page: { next_cursor } }),
  };
}

/** `definition`: of the action, if there is one of that name for the caller. */
function count(
  meters: Meters, definition: ActionDescription | undefined, attempt: Attempt, duration_ms: number,
): void {
  const integration = definition?.integration ?? 'none';
  const outcome = 'missing' in attempt ? 'refused' : !('error' in attempt) ? 'ok'
    : definition?.effect === 'read' ? 'failed' : outcomeOfWrite(attempt.error.code);
  meters.action_duration_seconds.record(duration_ms / 1_000, { integration, outcome });
  if (outcome === 'unknown') meters.outcomes_unknown_total.add(1, { integration });
}

function either(...signals: (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal !== undefined);
  return given.length < 2 ? given[0] : AbortSignal.any(given);
}

/** What came of the attempt; `plan` is null if it did not get as far as a connection. */
type Attempt =
  | { plan: Plan | null, missing: Missing[] }
  | { plan: Plan | null, error: ActionError }
  | { plan: Plan, result: unknown, truncated: boolean, next_cursor: string | null };

function conclude(
  plan: Plan, execution: Exclude<Execution, { fault: unknown }>, limit_bytes: number): Attempt {
  if ('missing' in execution) return { plan, missing: sanitizeJson(execution.missing) };
  if ('error' in execution) {
    return { plan, error: boundedError(sayWhatIsUnknown(plan, execution.error)) };
  }
  const { result, next_cursor, truncated: cut = false } = execution.performed;
  const kept = plan.fields === null ? result : projectFields(result, plan.fields);
  const { truncated, ...rest } = truncateResult(sanitizeJson(kept ?? null), limit_bytes);
  return { plan, ...rest, truncated: truncated || cut, next_cursor };
}

/** Who stops listening to a call that changes something does not know whether it did. */
function sayWhatIsUnknown(
  { definition: { name, effect } }: Plan, error: ActionError): ActionError {
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
  const kept = truncateResult(sanitizeJson(details), ERROR_DETAILS_LIMIT_BYTES).result;
  return { code, message: text, details: kept, ...rest };
}

function record(
  caller: Caller, call: ActionCall, context: CallContext,
  invocation: { invocation_id: string, duration_ms: number }, attempt: Attempt,
): NewActionInvocation {
  const action: unknown = isObject(call) ? call.action : undefined;
  return {
    workspace_id: caller.workspace_id,
    id: invocation.invocation_id,
    action: typeof action === 'string' && action !== ''
      ? sanitizeText(action.slice(0, ACTION_LIMIT_CHARS)) : '(none)',
    connection_id: attempt.plan?.request.connection.id ?? null,
    source: context.source,
    api_key_id: caller.api_key_id,
    run_id: context.run_id ?? null,
    tool_call_id: context.tool_call_id ?? null,
    input: (isObject(call) ? call.input : call) ?? {},
    result: 'result' in attempt ? attempt.result : null,
    error: recordedError(attempt),
    truncated: 'truncated' in attempt && attempt.truncated,
    duration_ms: invocation.duration_ms,
  };
}

function recordedError(attempt: Attempt): ActionInvocationError | null {
  if ('error' in attempt) return attempt.error;
  if (!('missing' in attempt)) return null;
  const [first] = attempt.missing;
  return { code: first!.code, message: first!.message, details: { missing: attempt.missing } };
}
