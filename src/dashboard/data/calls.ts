/**
 * What a run and its calls say of themselves: what was asked, of whom a call is, and whether it
 * asked for an approval.
 */

/** Who asks for runs, by the `source` of a run. */
export const MAKERS: Readonly<Record<string, string>> = {
  api: 'an application', console: 'the dashboard',
};

/** All that a run was asked. */
export function askedOf(input: readonly { content: readonly { text: string }[] }[]): string {
  return input.flatMap(({ content }) => content.map(({ text }) => text)).join(' ').trim();
}

/**
 * The integrations of Gatehouse's own actions (BUILTIN_SLUGS of the service). They have actions and
 * grants as others, but nobody adds, connects or deletes them, and the API has no document of them.
 */
export const OWN_SLUGS: ReadonlySet<string> = new Set(['gatehouse', 'gateway']);

/** By what way a call came that has to be approved. Direct calls of applications only read. */
export function askerOf(
  { run_id, effect }: { run_id: string | null; effect: string }): string {
  if (run_id !== null) return 'a run';
  return effect === 'read' ? 'a direct call or an MCP client' : 'an MCP client';
}

/** What the gap `approval_required` carries: how the approval stood then. */
interface ApprovalGap { approval_id: string; status: 'pending' | 'denied' }
/** The part of a `ToolCallError` that tells it. */
type CallError = { missing?: readonly { code: string }[] | undefined } | null | undefined;

function approvalGap(error: CallError): ApprovalGap | undefined {
  const gap = error?.missing?.find(({ code }) => code === 'approval_required');
  return gap as ApprovalGap | undefined;
}

interface Gap { code: string; message: string }

/** The error of a call as its record has it, in the form that the events of a run have. */
export function recordedFault(
  { code, message, details }: { code: string; message: string; details?: unknown }):
{ code: string; message: string; missing?: Gap[]; upstream?: unknown } {
  const missing = (details as { missing?: Gap[] } | undefined)?.missing;
  return { code, message, ...(missing ? { missing } : { upstream: details }) };
}

/** The approval that a call failed for, if it is one. */
export function approvalOf(error: CallError): string | undefined {
  return approvalGap(error)?.approval_id;
}

/** The status of a call for `StatusBadge`: what asked for an approval has not come to nothing. */
export function callStatus({ status, error }: { status: string; error?: CallError }): string {
  return approvalGap(error)?.status === 'pending' ? 'asked_for_approval' : status;
}
