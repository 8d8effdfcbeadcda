/** Calls that somebody has to approve first: exactly this call, once. */
import { canonicalSha256 } from '../../canonicalJson.ts';
import type { Config } from '../../config.ts';
import { newId } from '../../ids.ts';
import { shareOfKey } from '../../shareOfKey.ts';
import {
  requestApproval, takeApproval, takeApprovalAgain, type ApprovedCall,
} from '../../store/approvals.ts';
import type { Sql, Transaction } from '../../store/database.ts';
import { approvalRequired, approvalsFull } from '../action/missing.ts';
import type { FailedOutcome, Missing, MissingOutcome } from '../action/outcome.ts';
import type { VisibleActions } from '../catalogue/visibility.ts';
import type { CallRequest, PlannedCall } from './plan.ts';
import { mayLeave, NOT_BEGUN } from './writes.ts';

const ALTERNATIVES = 5;

/** A call may leave; `approval_id`: the approval that it has used up for that. */
export interface Clearance {
  status: 'cleared';
  approval_id: string | null;
}

export type ApprovalLimits = Pick<Config,
  'approval_lifetime_s' | 'pending_approvals' | 'key_pending_approvals'>;

class NotApproved extends Error {}

/**
 * The last step before a call leaves. The transaction that writes down the intent also uses up the
 * approval, if the call needs one. An approval holds for the digest of one input: another input is
 * another call. The key that asked for it uses it, unless the grants say otherwise. Without an
 * approval nothing is written, and one is asked for, unless too many are pending already.
 */
export async function clear(
  sql: Sql, asked: CallRequest, plan: PlannedCall, limits: ApprovalLimits,
): Promise<Clearance | MissingOutcome | FailedOutcome> {
  const call = callOf(asked, plan);
  const leave = async (tx: Sql | Transaction): Promise<Clearance | FailedOutcome> => {
    // The intent comes first: it may wait for the run, and must not hold the approval meanwhile.
    if (!await mayLeave(tx, asked, plan)) return NOT_BEGUN;
    if (call === null) return { status: 'cleared', approval_id: null };
    const approval_id = await useApproval(tx, asked, plan, call);
    if (approval_id === null) throw new NotApproved();
    return { status: 'cleared', approval_id };
  };
  try {
    return call === null ? await leave(sql)
      : await sql.begin(leave) as Clearance | FailedOutcome;
  } catch (error) {
    if (!(error instanceof NotApproved) || call === null) throw error;
    return { status: 'missing', missing: [await missingApproval(sql, asked, plan, call, limits)] };
  }
}

/**
 * The approval that the call uses up. When a process stops, another one repeats its reading calls:
 * they are the calls that were approved. A write that may have left is never repeated.
 */
async function useApproval(
  tx: Sql | Transaction, { context, invocation_id }: CallRequest, { definition }: PlannedCall,
  call: ApprovedCall): Promise<string | null> {
  const { run_id = null, tool_call_id = null, attempt = 1 } = context;
  const use = { invocation_id, run_id, tool_call_id };
  const again = definition.effect === 'read' && attempt > 1
    ? await takeApprovalAgain(tx, call, use) : null;
  return again ?? await takeApproval(tx, call, use);
}

/** The exact call that an approval is for, and whose it is; null if it needs none. */
function callOf(
  { caller }: CallRequest, { definition, request, approval_scope: scope }: PlannedCall,
): ApprovedCall | null {
  if (scope === null) return null;
  const { input, connection } = request;
  return {
    ...caller, scope, action: definition.name, connection_id: connection.id,
    input_sha256: canonicalSha256(input), // with its page, if it asks for one
  };
}

async function missingApproval(
  sql: Sql, asked: CallRequest, plan: PlannedCall, call: ApprovedCall, limits: ApprovalLimits,
): Promise<Missing> {
  const { name, effect } = plan.definition;
  const alternatives = alternativesTo(name, asked.visible);
  const { pending_approvals, key_pending_approvals } = limits;
  const outcome = await requestApproval(sql, {
    ...call, id: newId('apr'), run_id: asked.context.run_id ?? null, effect,
    input: plan.request.input, lifetime_ms: limits.approval_lifetime_s * 1_000,
  }, [
    { of: 'workspace', most_pending: pending_approvals || null },
    { of: 'api_key', most_pending: shareOfKey(key_pending_approvals, pending_approvals) },
  ]);
  return 'approval' in outcome ? approvalRequired(outcome.approval, alternatives)
    : approvalsFull(plan.definition, outcome.full, alternatives);
}

/** Actions on the same resource that only read, and may be called at once. */
function alternativesTo(name: string, visible: VisibleActions): string[] {
  const resource = name.slice(0, name.lastIndexOf('.') + 1);
  return visible.listedAfter(resource,
    (action) => action.effect === 'read' && action.name.startsWith(resource))
    .filter(({ judge }) => judge(null).permission === 'allow')
    .map(({ definition }) => definition.name).take(ALTERNATIVES).toArray();
}
