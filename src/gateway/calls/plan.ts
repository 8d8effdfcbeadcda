/**
 * From a call to what is to be performed, on the page that its cursor asks for, or to everything
 * that it lacks. Nothing is changed here.
 */
import { canonicalSha256 } from '../../canonicalJson.ts';
import { isObject, objectOf, type JsonObject } from '../../json.ts';
import { inOwnTurn } from '../../patience.ts';
import { sanitizeJson } from '../../sanitize.ts';
import { findPage } from '../../store/actionInvocations.ts';
import type { Connection } from '../../store/connections.ts';
import { type ActionFailure, lacks } from '../action/failure.ts';
import {
  connectionAmbiguous, invalidInput, needsReconnect, notConnected, notPermitted, notReadOnly,
  unknownConnection,
} from '../action/missing.ts';
import type { ActionCall, Violation } from '../action/outcome.ts';
import type { Judgement } from '../catalogue/permissions.ts';
import { openAction, type OpenedAction } from '../catalogue/unknownAction.ts';
import type { VisibleAction, VisibleActions } from '../catalogue/visibility.ts';
import type { CallRequest, CallServices, PlannedCall } from './call.ts';
import type { InputValidators } from './inputValidators.ts';

const CALL_FIELDS = ['action', 'input', 'connection_id', 'fields', 'cursor'];
const FIELDS_LIMIT = 100;
const FIELD_LIMIT_CHARS = 200;
const CURSOR_LIMIT_CHARS = 8_192;
/** Each is a gap of its own, and all of thousands of accounts may be broken. */
const BROKEN_TOLD = 10;

/**
 * The action that a call names; `call` may be anything that a model made up. Throws ActionFailure
 * if there is none, which is reported alone.
 */
export async function findAction(
  call: ActionCall, visible: VisibleActions): Promise<OpenedAction> {
  const given = objectOf(call);
  const { action: name } = given;
  if (typeof name === 'string' && name !== '') return await openAction(name, visible);
  throw lacks(invalidInput(null, { violations: callViolations(given) }));
}

/**
 * Permission comes first, then the connection, then the input; all gaps are reported at once. But
 * the schema of an action is for those who may call it: nobody else's input is checked by it. If
 * only an agent may call the action, that alone is reported. Throws ActionFailure with what is
 * missing.
 */
export async function planCall(
  call: ActionCall, action: OpenedAction,
  { workspace_id, read_only_only }: { workspace_id: string; read_only_only: boolean },
  validators: InputValidators): Promise<PlannedCall> {
  const given = objectOf(call);
  const { cursor = null, connection_id = null, fields } = given;
  const { definition, integration } = action;
  const { connection, gap, of } = chooseConnection(action, connection_id);
  const { permission, approval_scope, granted } = judgementFor(action, connection, connection_id);
  if (read_only_only && definition.effect !== 'read') {
    throw lacks(notReadOnly(definition, granted, workspace_id));
  }
  const input = given.input ?? {};
  const fitted = isObject(input) && permission !== 'not_permitted'
    ? await inOwnTurn(() => validators.fit(definition, input)) : null;
  const violations = [
    ...callViolations(given),
    ...gap === 'unknown_connection' ? [unknownConnection(integration.slug, of)] : [],
    ...cursor !== null && definition.turnTo === undefined ? [NO_PAGES] : [],
    ...fitted?.violations ?? [],
  ];
  const missing = [
    ...permission === 'not_permitted' ? [notPermitted(definition, workspace_id)] : [],
    ...gap === 'not_connected' ? [notConnected(integration, of, workspace_id)] : [],
    ...gap === 'needs_reconnect' ? of.map(needsReconnect) : [],
    ...gap === 'connection_ambiguous' ? [connectionAmbiguous(integration.slug, of)] : [],
    ...violations.length > 0
      ? [invalidInput(definition.name, { violations, schema: fitted?.schema ?? {} })] : [],
  ];
  if (missing.length > 0) throw lacks(...missing);
  return {
    definition,
    integration,
    input: fitted!.input,
    request: { input: fitted!.input, connection: connection! },
    cursor: cursor as string | null,
    approval_scope,
    granted,
    fields: Array.isArray(fields) && fields.length > 0 ? fields : null,
  };
}

const NO_PAGES: Violation =
  { path: '/cursor', message: 'is given, but the action has no pages' };

/** The connection of a call, or why there is none; `of`: those connections that it is told of. */
type ConnectionChoice = { connection: Connection; gap?: undefined; of?: undefined } | {
  connection?: undefined;
  gap: 'not_connected' | 'needs_reconnect' | 'connection_ambiguous' | 'unknown_connection';
  of: Connection[];
};

/** The connection asked for, else the only one there is. */
function chooseConnection(
  { connected, broken, unused }: VisibleAction, connection_id: unknown): ConnectionChoice {
  const all = [...connected, ...broken];
  if (all.length === 0) return { gap: 'not_connected', of: unused };
  if (connection_id === null) {
    if (connected.length === 1) return { connection: connected[0]! };
    return connected.length === 0 ? { gap: 'needs_reconnect', of: broken.slice(0, BROKEN_TOLD) }
      : { gap: 'connection_ambiguous', of: connected };
  }
  const asked = all.find(({ id }) => id === connection_id);
  // The same answer for an id that never was and for one of another workspace or integration.
  if (asked === undefined) return { gap: 'unknown_connection', of: all };
  return connected.includes(asked) ? { connection: asked }
    : { gap: 'needs_reconnect', of: [asked] };
}

/**
 * What the grants say of the chosen connection. If none is chosen, what they say of the first
 * possible connection that permits the call, those that work before those that need to be
 * reconnected. If none of them permits it, what holds whatever the connection.
 */
function judgementFor(
  { judge, connected, broken }: VisibleAction, chosen: Connection | undefined,
  connection_id: unknown): Judgement {
  if (chosen !== undefined) return judge(chosen.id);
  return [...connected, ...broken]
    .filter(({ id }) => connection_id === null || id === connection_id)
    .map(({ id }) => judge(id))
    .find(({ permission }) => permission !== 'not_permitted') ?? judge(null);
}

/** What is wrong with the call itself, apart from its input. Null counts as a missing field. */
function callViolations(call: JsonObject): Violation[] {
  const violations: Violation[] = [];
  const wrong = (path: string, message: string) => violations.push({ path, message });
  if (typeof call.action !== 'string' || call.action === '') {
    wrong('/action', 'is required, the dotted name of an action');
  }
  for (const name of Object.keys(call)) {
    if (CALL_FIELDS.includes(name)) continue;
    wrong(`/${name.slice(0, FIELD_LIMIT_CHARS)}`, `is not a known field; known are`
      + ` ${CALL_FIELDS.join(', ')}, and what the action takes goes into input`);
  }
  const { input, connection_id, fields, cursor } = call;
  if (input != null && !isObject(input)) wrong('/input', 'must be an object');
  if (connection_id != null && typeof connection_id !== 'string') {
    wrong('/connection_id', 'must be a string');
  }
  if (cursor != null && !isText(cursor, CURSOR_LIMIT_CHARS)) {
    wrong('/cursor', `must be a string of 1 to ${CURSOR_LIMIT_CHARS} characters`);
  }
  if (fields != null && !isFieldList(fields)) {
    wrong('/fields', `must be a list of at most ${FIELDS_LIMIT} dotted paths, each a string of 1 to`
      + ` ${FIELD_LIMIT_CHARS} characters`);
  }
  return violations.slice(0, FIELDS_LIMIT);
}

function isText(value: unknown, limit_chars: number): boolean {
  return typeof value === 'string' && value.length > 0 && value.length <= limit_chars;
}

function isFieldList(value: unknown): boolean {
  return Array.isArray(value) && value.length <= FIELDS_LIMIT
    && value.every((field) => isText(field, FIELD_LIMIT_CHARS));
}

const NOT_OURS = 'was not given by this action for this input and connection. Pass page.next_cursor'
  + ' of the call before as it is, with the same input; or begin again without a cursor';

/**
 * The plan with the input of the page that its cursor asks for. The cursor counts for the action,
 * the input and the connection that it was given for, in its workspace, whichever key asks: it says
 * where a list goes on, and permits nothing. What it changes in the input is checked as if the
 * caller had sent it. Throws ActionFailure for any other cursor.
 *
 * It is the id of the call before: where its result goes on was recorded with that call, so that a
 * cursor holds nothing that anybody could forge. A cursor sealed with the workspace's key would
 * need a master key, which a service without secrets does not have, and be five times as long in
 * the context of a model. It would save a look at the database, which takes a third of the time of
 * a call whose action takes none.
 */
export async function turnPage(
  { sql, validators }: Pick<CallServices, 'sql' | 'validators'>,
  { caller: { workspace_id } }: CallRequest, plan: PlannedCall,
): Promise<PlannedCall> {
  const { definition, cursor, request } = plan;
  if (cursor === null) return plan;
  const page = await findPage(sql, workspace_id, cursor);
  const isOurs = page !== undefined && page.action === definition.name
    && page.connection_id === request.connection.id
    && canonicalSha256(page.input).equals(canonicalSha256(request.input));
  const source_cursor = isOurs ? page.next_cursor : null;
  const turned = source_cursor && definition.turnTo!(request.input, source_cursor);
  if (!turned) throw wrongCursor(definition.name, NOT_OURS);
  const { input, described } = sanitizeJson(turned);
  const [violation] = validators.check(definition, described).violations;
  if (violation !== undefined) {
    throw wrongCursor(definition.name, 'leads to a page that the action does not take:'
      + ` ${violation.path} ${violation.message}`);
  }
  return { ...plan, request: { ...request, input, source_cursor } };
}

function wrongCursor(action: string, message: string): ActionFailure {
  return lacks(invalidInput(action, { violations: [{ path: '/cursor', message }] }));
}
