/** Calls that somebody has to approve first: exactly this call, once. */
import { canonicalSha256 } from '../canonicalJson.ts';
import type { Caller } from '../caller.ts';
import { newId } from '../ids.ts';
import { requestApproval, takeApproval } from '../store/approvals.ts';
import type { Sql } from '../store/database.ts';
import { approvalRequired } from './gaps.ts';
import type { CallContext, Missing } from './outcome.ts';
import type { Plan } from './plan.ts';
import type { VisibleActions } from './visibility.ts';

const ALTERNATIVES = 5;

export interface ApprovalGate {
  sql: Sql;
  lifetime_ms: number;
  visible: VisibleActions;
}

/**
 * Uses up an approval of the call; or answers what is missing, having asked for one. It is bound to
 * the digest of the input: another input is another call.
 */
export async function missingApproval(
  { sql, lifetime_ms, visible }: ApprovalGate, { definition, request }: Plan, caller: Caller,
  context: CallContext, invocation_id: string): Promise<Missing | null> {
  const { workspace_id, api_key_id } = caller;
  const { input, cursor, connection } = request;
  const call = {
    workspace_id, action: definition.name, connection_id: connection.id,
    input_sha256: canonicalSha256({ input, cursor }),
  };
  if (await takeApproval(sql, call, invocation_id) !== null) return null;
  const approval = await requestApproval(sql, {
    ...call, id: newId('apr'), api_key_id, run_id: context.run_id ?? null,
    effect: definition.effect, input, lifetime_ms,
  });
  return approvalRequired(approval, alternativesTo(definition.name, visible));
}

/** Actions on the same resource that only read, and may be called at once. */
function alternativesTo(name: string, visible: VisibleActions): string[] {
  const resource = name.slice(0, name.lastIndexOf('.') + 1);
  const found: string[] = [];
  for (const { definition, permission } of visible.listed()) {
    if (found.length === ALTERNATIVES) break;
    if (definition.effect === 'read' && definition.name.startsWith(resource)
      && permission(null) === 'allow') found.push(definition.name);
  }
  return found.sort();
}
