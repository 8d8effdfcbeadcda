/** Calls that somebody has to approve first: exactly this call, once. */
import { canonicalSha256 } from '../../canonicalJson.ts';
import { newId } from '../../ids.ts';
import { shareOfKey } from '../../shareOfKey.ts';
import {
  giveApprovalBack, requestApproval, takeApproval, takeApprovalAgain, type ApprovedCall,
} from '../../store/approvals.ts';
import type { Sql, Transaction } from '../../store/database.ts';
import { approvalRequired, approvalsFull, invalidInput } from '../action/missing.ts';
import type { FailedOutcome, Missing, MissingOutcome, Outcome } from '../action/outcome.ts';
import type { VisibleActions } from '../catalogue/visibility.ts';
import type { CallRequest, CallServices, PlannedCall } from './call.ts';
import { mayLeave, NOT_BEGUN, withdrawIntent } from './writes.ts';

const ALTERNATIVES = 5;

/** A call may leave; `approval_id`: the approval that it has used up for that. */
interface Clearance {
  status: 'cleared';
  approval_id: string | null;
}

type ClearServices = Pick<CallServices, 'sql' | 'config'>;

class NotApproved extends Error {}

/**
 * Has a call performed if it may leave. Of a call of which nothing has left, what it was given for
 * that is taken back.
 */
export async function whenCleared(
  services: ClearServices, asked: CallRequest, plan: PlannedCall, perform: () => Promise<Outcome>,
): Promise<Outcome> {
  const clearance = await clear(services, asked, plan);
  if (clearance.status !== 'cleared') return clearance;
  let outcome: Outcome | undefined;
  try {
    outcome = await perform();
    return outcome;
  } finally {
    if (outcome?.status !== 'completed' && !asked.departure.left) {
      await takeBack(services.sql, asked, plan, clearance, outcome);
    }
  }
}

/** Nothing has left. A call whose fate is unknown may have been made, and keeps its approval. */
async function takeBack(
  sql: Sql, asked: CallRequest, { definition }: PlannedCall, { approval_id }: Clearance,
  outcome: Outcome | undefined): Promise<void> {
  if (approval_id !== null) {
    await giveApprovalBack(sql, asked.caller.workspace_id, approval_id, asked.invocation_id);
  }
  // Without a record of the call, its intent would later be reported as an unknown outcome.
  const is_told = outcome !== undefined && outcome !== NOT_BEGUN;
  if (definition.effect !== 'read' && !is_told) await withdrawIntent(sql, asked);
}

/**
 * The last step before a call leaves. The transaction that writes down the intent also uses up the
 * approval, if the call needs one. An approval holds for the digest of one input: another input is
 * another call, unless it says the same. The key that asked for it uses it, unless the grants say
 * otherwise. Without an approval nothing is written, and one is asked for, unless the input cannot
 * be sent or too many are pending already; if it was given meanwhile, it is used.
 */
async function clear(
  services: ClearServices, asked: CallRequest, plan: PlannedCall,
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
  if (call === null) return await leave(services.sql);
  // It ends: it goes on only after an approval was given, which it uses now, or another call has.
  for (;;) {
    try {
      return await services.sql.begin(leave) as Clearance | FailedOutcome;
    } catch (error) {
      if (!(error instanceof NotApproved)) throw error;
    }
    // Nobody is to approve what will not leave.
    const preview = plan.definition.preview?.(plan.request.input) ?? null;
    if (preview !== null && 'violations' in preview) {
      const unsent = invalidInput(plan.definition.name, preview);
      return { status: 'missing', missing: [unsent] };
    }
    const missing = await missingApproval(services, asked, plan, call);
    if (missing !== 'approved') return { status: 'missing', missing: [missing] };
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
  const { connection } = request;
  const input = definition.essence?.(request.input) ?? request.input;
  return {
    ...caller, scope, action: definition.name, connection_id: connection.id,
    input_sha256: canonicalSha256(input), // with its page, if it asks for one
  };
}

async function missingApproval(
  { sql, config }: ClearServices, asked: CallRequest, plan: PlannedCall, call: ApprovedCall,
): Promise<Missing | 'approved'> {
  const { name, effect } = plan.definition;
  const alternatives = alternativesTo(name, asked.visible);
  const { pending_approvals, key_pending_approvals } = config;
  const outcome = await requestApproval(sql, {
    ...call, id: newId('apr'), run_id: asked.context.run_id ?? null, effect,
    input: plan.request.input, lifetime_ms: config.approval_lifetime_s * 1_000,
  }, [
    { of: 'workspace', most_pending: pending_approvals || null },
    { of: 'api_key', most_pending: shareOfKey(key_pending_approvals, pending_approvals) },
  ]);
  if (outcome === 'approved') return outcome;
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
