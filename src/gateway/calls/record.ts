/** What is written down of a call that has ended: its invocation, its audit entry, its metrics. */
import { AuditLog, type AuditEvent } from '../../audit/audit.ts';
import { within } from '../../deadline.ts';
import { GatehouseError, RevokedError } from '../../errors.ts';
import { isObject, jsonChars } from '../../json.ts';
import { JsonText } from '../../jsonText.ts';
import { inOwnTurn, patiently, PATIENCE_MS, tookTooLong } from '../../patience.ts';
import { sanitizeText } from '../../sanitize.ts';
import type { ActionInvocationError, NewActionInvocation } from '../../store/actionInvocations.ts';
import { isUnavailable, type Sql } from '../../store/database.ts';
import { endReason, loneEndReason } from '../../store/revocations.ts';
import { whileAway } from '../../store/whileAway.ts';
import type { Meters } from '../../telemetry/metrics.ts';
import type { ActionSummary, Effect } from '../action/action.ts';
import { errorOfMissing } from '../action/missing.ts';
import type { ActionOutcome, Missing } from '../action/outcome.ts';
import { LARGE_CHARS, type Attempt, type CallRequest, type CallServices } from './call.ts';
import { NOT_BEGUN, outcomeUnknown, recordedOutcome } from './writes.ts';

/** As long as the wire's action name may be; a made-up one is recorded cut. */
const ACTION_LIMIT_CHARS = 255;
/** Longer than a database takes to come back as a rule, a failover included. */
const RECORD_LIMIT_MS = 60_000;

/**
 * Records what came of a call; answers it as it is told. Throws if that cannot be recorded, and
 * RevokedError if the caller's key is not good any more and nothing of the call has left.
 */
export async function record(
  services: CallServices, asked: CallRequest, attempt: Attempt): Promise<ActionOutcome> {
  const { plan, outcome } = attempt;
  if (outcome === NOT_BEGUN) await refuseRevoked(services.sql, asked);
  const told = toldOf(asked, attempt);
  const effect = plan?.definition.effect ?? null;
  const entry = auditEntryOf(told, asked, effect);
  const invocation = await invocationOf(told, asked, attempt);
  const has_written = asked.departure.left && effect !== null && effect !== 'read';
  const said = has_written ? await recordWrite(services, asked, told, invocation, entry!)
    : await recordRest(services, asked, told, invocation, entry);
  measure(services.meters, told, plan?.definition ?? asked.visible.get(told.action)?.definition);
  return said;
}

/**
 * The source's own cursor is only recorded. As the cursor of the next page a caller gets the id of
 * the call, by which the record is found.
 */
function toldOf(
  { call, invocation_id, since_ms }: CallRequest, { plan, outcome }: Attempt): ActionOutcome {
  const action: unknown = isObject(call) ? call.action : undefined;
  const invocation = {
    invocation_id,
    action: typeof action === 'string' && action !== ''
      ? sanitizeText(action.slice(0, ACTION_LIMIT_CHARS)) : '(none)',
    connection_id: plan?.request.connection.id ?? null,
    duration_ms: Math.round(performance.now() - since_ms),
  };
  if (outcome.status !== 'completed') return { ...outcome, ...invocation };
  const { source_cursor, ...completed } = outcome;
  const next_cursor = source_cursor === null ? null : invocation_id;
  return { ...completed, next_cursor, ...invocation };
}

/**
 * What is told of a call that was on record. While it was under way its run has ended, or has gone
 * on in another attempt, and has recorded that the outcome is unknown: that was told already, so it
 * stays; the audit log has what came of the call. Any other record is its own: the answer to the
 * first try was lost. There is none where the run was deleted: nobody is told any more.
 */
async function toldBefore(
  services: CallServices, { caller, invocation_id }: CallRequest, made: ActionOutcome,
): Promise<ActionOutcome> {
  const known = await recordedOutcome(services.sql, caller.workspace_id, invocation_id);
  const isUnknown = (outcome: ActionOutcome) =>
    outcome.status === 'failed' && outcome.error.code === 'outcome_unknown';
  if (known === undefined || !isUnknown(known) || isUnknown(made)) return made;
  services.log.warn({ invocation_id, performed: made.status === 'completed' },
    'the outcome of a write came after its run had ended or gone on without it');
  return known;
}

/**
 * Records a write that has left together with its audit entry. What came of it is known here alone:
 * while the database is away, that is tried again. A run waits for it: its next attempt could only
 * say that nobody knows. An MCP client has its answer in time all the same, which says that.
 */
async function recordWrite(
  services: CallServices, asked: CallRequest, made: ActionOutcome,
  invocation: NewActionInvocation, entry: AuditEvent): Promise<ActionOutcome> {
  const audit = {
    ...AuditLog.callRecord(entry, asked.caller.api_key_id, late(entry)),
    is_known: entry.outcome !== 'unknown',
  };
  const recording = whileAway(RECORD_LIMIT_MS, async () =>
    (await services.recordWrite({ ...invocation, audit }) ? made
      : await toldBefore(services, asked, made)));
  if (asked.context.source !== 'mcp') return await recording;
  return await within(PATIENCE_MS, recording, () => {
    throw tookTooLong();
  }).catch((error: unknown) => {
    throw isUnavailable(error) ? inDoubt(made, error) : error;
  });
}

/** Records any other call. Throws RevokedError for one that has not left, as `record` does. */
async function recordRest(
  services: CallServices, asked: CallRequest, made: ActionOutcome,
  invocation: NewActionInvocation, entry: AuditEvent | null): Promise<ActionOutcome> {
  const { sql, audit } = services;
  const { caller: { api_key_id }, departure: { left } } = asked;
  const [inserted, wasGood] = await Promise.all([
    patiently(services.record(invocation)),
    entry === null
      || patiently(audit.appendCall(entry, api_key_id, left ? late(entry) : null)),
  ]);
  if (!wasGood && !left) await refuseRevoked(sql, asked);
  return inserted ? made : await toldBefore(services, asked, made);
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

/** Every attempt is on record. */
async function invocationOf(
  told: ActionOutcome, { caller, call, context }: CallRequest, { plan, outcome }: Attempt,
): Promise<NewActionInvocation> {
  const completed = outcome.status === 'completed' ? outcome : null;
  const input = plan?.input ?? (isObject(call) ? call.input : call) ?? {};
  // Those that end together are recorded together: to write all their inputs then takes too long.
  const input_text = await inOwnTurn(
    () => new JsonText(JSON.stringify(input)), jsonChars(input, LARGE_CHARS));
  return {
    workspace_id: caller.workspace_id,
    id: told.invocation_id,
    action: told.action,
    connection_id: told.connection_id,
    source: context.source,
    api_key_id: caller.api_key_id,
    run_id: context.run_id ?? null,
    tool_call_id: context.tool_call_id ?? null,
    input: input_text,
    result: completed?.result ?? null,
    error: errorOf(told),
    truncated: completed?.truncated ?? false,
    duration_ms: told.duration_ms,
    next_cursor: completed?.source_cursor ?? null,
  };
}

function errorOf(outcome: ActionOutcome): ActionInvocationError | null {
  if (outcome.status === 'completed') return null;
  if (outcome.status === 'failed') return outcome.error;
  const { missing } = outcome;
  return { ...errorOfMissing(missing), details: { missing } };
}

const REFUSALS: readonly Missing['code'][] =
  ['not_permitted', 'action_not_read_only', 'approval_required', 'approvals_full'];

/**
 * What the audit log keeps of a call: what changed something, or was to, and what was refused. What
 * only reads is on record as an invocation. `effect`: null if the call did not get as far as that.
 */
function auditEntryOf(
  outcome: ActionOutcome, { caller, context, departure: { left } }: CallRequest,
  effect: Effect | null,
): AuditEvent | null {
  const missing = outcome.status === 'missing';
  // Whatever a person calls: the invocation names the key alone.
  const acted = effect !== null && (!missing || left)
    && (effect !== 'read' || caller.operator !== undefined || caller.person !== undefined);
  const refused = !acted && missing && REFUSALS.includes(outcome.missing[0]!.code);
  if (!refused && !acted) return null;
  const { workspace_id, api_key_id } = caller;
  const { source, run_id = null, request_id = null } = context;
  const { invocation_id, action, connection_id } = outcome;
  return {
    workspace_id,
    actor: source === 'run' ? { type: 'run', id: run_id }
      : caller.operator?.actor ?? (caller.person === undefined
        ? { type: 'api_key', id: api_key_id } : { type: 'person', id: caller.person }),
    event: refused ? 'action.refused' : 'action.called',
    target: action,
    // One that lacks something and has left was refused by the other system.
    outcome: acted && missing && !isAnswerRequired(outcome)
      ? 'failed' : resultOf(outcome, effect),
    reason: errorOf(outcome)?.code ?? null,
    details: { invocation_id, connection_id, api_key_id, source },
    request_id,
  };
}

/** The entry of a call that had left when its key was revoked. */
function late(entry: AuditEvent): AuditEvent {
  return { ...entry, details: { ...entry.details, left_before_revocation: true } };
}

/** The call has left, and the other system asked a person before it went on. */
function isAnswerRequired(outcome: ActionOutcome): boolean {
  return outcome.status === 'missing' && outcome.missing[0]!.code === 'answer_required';
}

/** After these, what a call was to change may have changed. */
const UNKNOWN = ['outcome_unknown', 'upstream_timeout'];

function resultOf(
  outcome: ActionOutcome, effect: Effect | null): 'ok' | 'refused' | 'failed' | 'unknown' {
  if (outcome.status === 'completed') return 'ok';
  if (isAnswerRequired(outcome)) return effect === 'read' ? 'failed' : 'unknown';
  if (outcome.status === 'missing') return 'refused';
  return effect !== 'read' && UNKNOWN.includes(outcome.error.code) ? 'unknown' : 'failed';
}

/** `definition`: of the action, if there is one of that name for the caller. */
function measure(
  meters: Meters, made: ActionOutcome, definition: ActionSummary | undefined): void {
  const integration = definition?.integration ?? 'none';
  const outcome = resultOf(made, definition?.effect ?? null);
  if (made.status === 'missing' && made.missing[0]!.code === 'approvals_full') {
    meters.limits_reached_total.add(1, { limit: 'approvals' });
  }
  meters.action_duration_seconds.record(made.duration_ms / 1_000, { integration, outcome });
  if (outcome === 'unknown') meters.outcomes_unknown_total.add(1, { integration });
}
