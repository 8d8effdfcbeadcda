/** Calls that somebody has to approve first: exactly this call, once. */
import type { Caller } from '../../caller.ts';
import { canonicalSha256 } from '../../canonicalJson.ts';
import { newId } from '../../ids.ts';
import {
  giveApprovalBack, requestApproval, takeApproval, takeApprovalAgain, type ApprovedCall,
} from '../../store/approvals.ts';
import type { Sql, Transaction } from '../../store/database.ts';
import { approvalRequired } from '../action/missing.ts';
import type { CallContext, FailedOutcome, Missing, MissingOutcome } from '../action/outcome.ts';
import type { VisibleActions } from '../catalogue/visibility.ts';
import type { Plan } from './plan.ts';
import { mayLeave, NOT_BEGUN } from './writes.ts';

const ALTERNATIVES = 5;

export interface ApprovalGate {
  sql: Sql;
  lifetime_ms: number;
  visible: VisibleActions;
}

/** A call may leave; `approval_id`: the approval that it has used up for that. */
export interface Clearance {
  status: 'cleared';
  approval_id: string | null;
}

class NotApproved extends Error {}

/**
 * The last step before a call leaves. The transaction that writes down the intent also uses up the
 * approval, if the call needs one. An approval holds for the digest of one input: another input is
 * another call. Without an approval nothing is written, and one is asked for.
 */
export async function clear(
  gate: ApprovalGate, plan: Plan, caller: Caller, context: CallContext, invocation_id: string,
): Promise<Clearance | MissingOutcome | FailedOutcome> {
  const { sql } = gate;
  const leave = async (tx: Transaction): Promise<Clearance | FailedOutcome> => {
    // The intent comes first: it may wait for the run, and must not hold the approval meanwhile.
    if (!await mayLeave(tx, plan, caller, context, invocation_id)) return NOT_BEGUN;
    const approval_id = await useApproval(tx, plan, caller, context, invocation_id);
    if (approval_id === null) throw new NotApproved();
    return { status: 'cleared', approval_id };
  };
  try {
    if (plan.needs_approval) return await sql.begin(leave) as Clearance | FailedOutcome;
    return await mayLeave(sql, plan, caller, context, invocation_id)
      ? { status: 'cleared', approval_id: null } : NOT_BEGUN;
  } catch (error) {
    if (!(error instanceof NotApproved)) throw error;
    return { status: 'missing', missing: [await missingApproval(gate, plan, caller, context)] };
  }
}

/**
 * The approval that the call uses up. When a process stops, another one repeats its reading calls:
 * they are the calls that were approved. A write that may have left is never repeated.
 */
async function useApproval(
  tx: Transaction, plan: Plan, caller: Caller, context: CallContext, invocation_id: string,
): Promise<string | null> {
  const { run_id = null, tool_call_id = null, attempt = 1 } = context;
  const call = callOf(plan, caller);
  const use = { invocation_id, run_id, tool_call_id };
  const again = plan.definition.effect === 'read' && attempt > 1
    ? await takeApprovalAgain(tx, call, use) : null;
  return again ?? await takeApproval(tx, call, use);
}

/**
 * Gives back the approval that a call used up and did not need, for nothing of it has left. A call
 * whose fate is unknown may have been made, and keeps it.
 */
export async function giveBack(
  sql: Sql, { approval_id }: Clearance, { workspace_id }: Caller, invocation_id: string,
): Promise<void> {
  if (approval_id !== null) await giveApprovalBack(sql, workspace_id, approval_id, invocation_id);
}

/** The exact call that an approval is for. */
function callOf({ definition, request }: Plan, { workspace_id }: Caller): ApprovedCall {
  const { input, cursor, connection } = request;
  return {
    workspace_id, action: definition.name, connection_id: connection.id,
    input_sha256: canonicalSha256({ input, cursor }),
  };
}

async function missingApproval(
  { sql, lifetime_ms, visible }: ApprovalGate, plan: Plan, caller: Caller, context: CallContext,
): Promise<Missing> {
  const { name, effect } = plan.definition;
  const approval = await requestApproval(sql, {
    ...callOf(plan, caller), id: newId('apr'), api_key_id: caller.api_key_id,
    run_id: context.run_id ?? null, effect, input: plan.request.input, lifetime_ms,
  });
  return approvalRequired(approval, alternativesTo(name, visible));
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
