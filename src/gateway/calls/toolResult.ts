import { prefixWithin, suffixWithin } from '../../truncate.ts';
import type {
  ActionError, ActionOutcome, FailedOutcome, Missing, MissingOutcome,
} from '../action/outcome.ts';

/** What the agent and the event log see of a call. */
export type ToolResult =
  | Pick<ActionOutcome, 'invocation_id' | 'action' | 'connection_id'>
    & { ok: true, result: unknown, page?: { next_cursor: string }, truncated?: true }
  | { ok: false, missing: Pick<Missing, 'code' | 'message'>[] }
  | { ok: false, error: ActionError };

const NOTE = 'Too long for here; the whole result is kept on the invocation. head and tail are the'
  + ' ends of its JSON. Ask for less with fields, a filter or a smaller page.';
/** The beginning gets the larger part: it says more about a result than its end. */
const HEAD_SHARE = 0.75;
const MESSAGE_LIMIT_CHARS = 300;

/**
 * The outcome in a form whose JSON has at most `limit_chars` characters (from 1,000 on; below,
 * what surrounds a result may take more). `truncated`: something of the result is left out, here
 * or when it was performed.
 */
export function toToolResult(
  outcome: ActionOutcome, limit_chars: number): { value: ToolResult, truncated: boolean } {
  if (outcome.status !== 'completed') return failedResult(outcome, limit_chars);
  const { invocation_id, action, connection_id, result, next_cursor, truncated } = outcome;
  const value = (shown: unknown, cut: boolean): ToolResult => ({
    ok: true, invocation_id, action, connection_id, result: shown,
    ...(next_cursor === null ? {} : { page: { next_cursor } }), ...(cut ? { truncated: true } : {}),
  });
  const whole = value(result, truncated);
  if (JSON.stringify(whole).length <= limit_chars) return { value: whole, truncated };
  const text = JSON.stringify(result);
  const ends = (head: string, tail: string) =>
    value({ truncated: true, total_chars: text.length, note: NOTE, head, tail }, true);
  const budget = Math.max(0, limit_chars - JSON.stringify(ends('', '')).length);
  const headEnd = prefixWithin(text, Math.floor(budget * HEAD_SHARE), 'characters');
  const tailStart = Math.max(headEnd,
    suffixWithin(text, Math.floor(budget * (1 - HEAD_SHARE)), 'characters'));
  return { value: ends(text.slice(0, headEnd), text.slice(tailStart)), truncated: true };
}

/** A report that is too long keeps its codes and messages and loses its particulars. */
function failedResult(
  outcome: MissingOutcome | FailedOutcome, limit_chars: number,
): { value: ToolResult, truncated: boolean } {
  const whole: ToolResult = outcome.status === 'missing'
    ? { ok: false, missing: outcome.missing } : { ok: false, error: outcome.error };
  if (JSON.stringify(whole).length <= limit_chars) return { value: whole, truncated: false };
  const value: ToolResult = outcome.status === 'missing'
    ? { ok: false, missing: outcome.missing.slice(0, 3).map(shortened) }
    : { ok: false, error: shortened(outcome.error) };
  return { value, truncated: true };
}

function shortened<C extends string>({ code, message }: { code: C, message: string }) {
  const end = prefixWithin(message, MESSAGE_LIMIT_CHARS, 'characters');
  return { code, message: message.slice(0, end) };
}
