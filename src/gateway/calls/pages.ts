/**
 * Pages of a result. The cursor that a caller gets is the id of the call before: where its result
 * goes on was recorded with that call, so that a cursor holds nothing that anybody could forge. A
 * cursor sealed with the workspace's key would need a master key, which a service without secrets
 * does not have, and be five times as long in the context of a model. It would save a look at the
 * database, which takes a third of the time of a call whose action takes none.
 */
import { canonicalSha256 } from '../../canonicalJson.ts';
import { sanitizeJson } from '../../sanitize.ts';
import { findPage } from '../../store/actionInvocations.ts';
import { invalidInput } from '../action/missing.ts';
import type { CompletedOutcome, MissingOutcome } from '../action/outcome.ts';
import type { CallRequest, CallServices, PlannedCall } from './call.ts';

/** No service takes as much in the address of a request. */
const SOURCE_CURSOR_LIMIT_CHARS = 16_384;

const NOT_OURS = 'was not given by this action for this input and connection. Pass page.next_cursor'
  + ' of the call before as it is, with the same input; or begin again without a cursor';

/**
 * The plan with the input of the page that its cursor asks for. The cursor counts for the action,
 * the input and the connection that it was given for, in its workspace, whichever key asks: it says
 * where a list goes on, and permits nothing. What it changes in the input is checked as if the
 * caller had sent it.
 */
export async function turnPage(
  { sql, validators }: Pick<CallServices, 'sql' | 'validators'>,
  { caller: { workspace_id } }: CallRequest, plan: PlannedCall,
): Promise<PlannedCall | MissingOutcome> {
  const { definition, cursor, request } = plan;
  if (cursor === null) return plan;
  const page = await findPage(sql, workspace_id, cursor);
  const isOurs = page !== undefined && page.action === definition.name
    && page.connection_id === request.connection.id
    && canonicalSha256(page.input).equals(canonicalSha256(request.input));
  const source_cursor = isOurs ? page.next_cursor : null;
  const turned = source_cursor && definition.turnTo!(request.input, source_cursor);
  if (!turned) return wrong(definition.name, NOT_OURS);
  const { input, described } = sanitizeJson(turned);
  const [violation] = validators.check(definition, described).violations;
  if (violation !== undefined) {
    return wrong(definition.name, `leads to a page that the action does not take: ${violation.path}`
      + ` ${violation.message}`);
  }
  return { ...plan, request: { ...request, input, source_cursor } };
}

function wrong(action: string, message: string): MissingOutcome {
  return { status: 'missing', missing: [
    invalidInput(action, { violations: [{ path: '/cursor', message }] })] };
}

/** A call whose next page cannot be recorded has a result that is not whole. */
export function withinLimit(outcome: CompletedOutcome): CompletedOutcome {
  const { source_cursor } = outcome;
  return source_cursor === null || source_cursor.length <= SOURCE_CURSOR_LIMIT_CHARS ? outcome
    : { ...outcome, source_cursor: null, truncated: true };
}
