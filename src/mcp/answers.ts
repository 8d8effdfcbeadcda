/** What came of a call, as MCP clients read it. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { toToolError, toToolResult, type ActionOutcome, type Missing } from '../gateway/face.ts';

/** An approval that a person has to give before the call is made, and the page where. */
export interface PendingApproval { message: string; url: string }

/** The approval that the call waits for; undefined if it does not, or if it was denied. */
export function pendingApproval(
  outcome: ActionOutcome, pageOf: (approval_id: string) => string): PendingApproval | undefined {
  const gap = outcome.status === 'missing' ? outcome.missing.find(isPending) : undefined;
  return gap && { message: `${gap.action} is to be called, and waits for an approval.`,
    url: pageOf(gap.approval_id) };
}

type ApprovalGap = Extract<Missing, { code: 'approval_required' }>;

function isPending(gap: Missing): gap is ApprovalGap {
  return gap.code === 'approval_required' && gap.status === 'pending';
}

/**
 * The result, or the report of what is missing, in as many characters as an agent of a run gets: as
 * structured content and as text. `approval_url` is where a person decides.
 */
export function answerOf(
  outcome: ActionOutcome, limit_chars: number, approval_url: string | undefined): CallToolResult {
  if (outcome.status === 'completed') {
    const { value } = toToolResult(outcome, limit_chars);
    return {
      content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: { ...value },
    };
  }
  const { invocation_id } = outcome;
  const page = approval_url === undefined ? {} : { approval_url };
  // What is told beside the error counts as well.
  const beside_chars = JSON.stringify({ ok: false, invocation_id, ...page }).length;
  const error = toToolError(outcome, limit_chars - beside_chars);
  const report = { ok: false, invocation_id, ...error, ...page };
  const where = approval_url === undefined ? '' : ` Its page: ${approval_url}`;
  return {
    isError: true,
    content: [{ type: 'text', text: error.message + where },
      { type: 'text', text: JSON.stringify(report) }],
    structuredContent: report,
  };
}
