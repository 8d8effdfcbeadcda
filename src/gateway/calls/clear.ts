/** Calls that somebody has to approve first: exactly this call, once. */
import { canonicalSha256 } from '../../canonicalJson.ts';
import { newId } from '../../ids.ts';
import { shareOfKey } from '../../shareOfKey.ts';
import {
  giveApprovalBack, requestApproval, takeApproval, takeApprovalAgain, type ApprovedCall,
} from '../../store/approvals.ts';
import type { Sql, Transaction } from '../../store/database.ts';
import { ActionFailure, lacks } from '../action/failure.ts';
import { approvalRequired, approvalsFull, invalidInput } from '../action/missing.ts';
import type { Missing } from '../action/outcome.ts';
import type { VisibleActions } from '../catalogue/visibility.ts';
import { DepartureRefused } from '../egress/departure.ts';
import type { CallRequest, CallServices, PlannedCall } from './call.ts';
import { mayLeave, withdrawIntent } from './writes.ts';

const ALTERNATIVES = 5;

type ClearServices = Pick<CallServices, 'sql' | 'config'>;

class NotApproved extends Error {}

/**
 * The last step before a call leaves. The transaction that writes down the intent also uses up the
 * approval, if the call needs one: answers its id, or null. An approval holds for the digest of one
 * input: another input is another call, unless it says the same. The key that asked for it uses it,
 * unless the grants say otherwise. Without an approval nothing is written, and one is asked for,
 * unless the input cannot be sent or too many are pending already; if it was given meanwhile, it is
 * used. Throws ActionFailure with what is missing, and DepartureRefused if the call may not leave
 * any more.
 */
export async function clear(
  services: ClearServices, asked: CallRequest, plan: PlannedCall): Promise<string | null> {
  const call = callOf(asked, plan);
  const leave = async (tx: Sql | Transaction): Promise<string | null> => {
    // The intent comes first: it may wait for the run, and must not hold the approval meanwhile.
    if (!await mayLeave(tx, asked, plan)) throw new DepartureRefused();
    if (call === null) return null;
    const approval_id = await useApproval(tx, asked, plan, call);
    if (approval_id === null) throw new NotApproved();
    return approval_id;
  };
  if (call === null) return await leave(services.sql);
  // It ends: it goes on only after an approval was given, which it uses now, or another call has.
  for (;;) {
    try {
      return await services.sql.begin(leave);
    } catch (error) {
      if (!(error instanceof NotApproved)) throw error;
    }
    // Nobody is to approve what will not leave.
    const preview = plan.definition.preview?.(plan.request.input) ?? null;
    if (preview !== null && 'violations' in preview) {
      throw lacks(invalidInput(plan.definition.name, preview));
    }
    const missing = await missingApproval(services, asked, plan, call);
    if (missing !== 'approved') throw lacks(missing);
  }
}

/**
 * Takes back what a call was given of which nothing has left, and which failed by `error`. (One
 * whose fate is unknown may have been made, and keeps its approval.) `approval_id`: as `clear`
 * answered it.
 */
export async function takeBack(
  sql: Sql, asked: CallRequest, { definition }: PlannedCall, approval_id: string | null,
  error: unknown): Promise<void> {
  if (approval_id !== null) {
    await giveApprovalBack(sql, asked.caller.workspace_id, approval_id, asked.invocation_id);
  }
  // Without a record of the call, its intent would later be reported as an unknown outcome.
  const is_recorded = error instanceof ActionFailure;
  if (definition.effect !== 'read' && !is_recorded) await withdrawIntent(sql, asked);
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
  if (outcome === 'run_deleted') throw new DepartureRefused();
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
