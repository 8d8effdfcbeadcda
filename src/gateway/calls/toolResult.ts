import type { Schemas } from '../../../generated/types.ts';
import { isObject, objectOf, type JsonObject } from '../../json.ts';
import { firstWithin, prefixWithin, suffixWithin, truncateResult } from '../../truncate.ts';
import { errorOfMissing } from '../action/missing.ts';
import type { ActionOutcome } from '../action/outcome.ts';
import { textWithoutMedia } from './describedMedia.ts';

type CompletedCall = Extract<ActionOutcome, { status: 'completed' }>;
type FailedCall = Exclude<ActionOutcome, CompletedCall>;

/** What the agent and the event log see of a call that was made. */
export type ToolResult =
  Pick<ActionOutcome, 'invocation_id' | 'action' | 'connection_id'> & {
    ok: true, result: unknown, page?: { next_cursor: string }, truncated?: true,
    unknown_fields?: string[],
  };

const noteOn = (truncated: boolean) => `Too long for here; ${truncated
  ? 'what is kept of the result' : 'the whole result'} is on the invocation. head and tail are the`
  + ' ends of its JSON. Ask for less with fields, a filter or a smaller page.';
/** How the text of a result begins that was cut when it was performed. */
const CUT_BEGINNING = '{"truncated":{';
/** The beginning gets the larger part: it says more about a result than its end. */
const HEAD_SHARE = 0.75;
const MESSAGE_LIMIT_CHARS = 300;
/** Gaps of a report that is too long, whose messages are also in its own. */
const GAPS_LIMIT = 3;
const GAP_MESSAGE_LIMIT_CHARS = 120;
/** As many as there is room for; the caller knows what it asked for. */
const UNKNOWN_FIELDS_LIMIT_CHARS = 300;
/** What is left out of a text that is cut takes this much to say. */
const CUT_NOTE_CHARS = 512;

/**
 * The outcome in a form whose JSON has at most `limit_chars` characters (from 1,000 on; below,
 * what surrounds a result may take more). `truncated`: something of the result is left out, here
 * or when it was performed. Media are described, and not in it.
 */
export function toToolResult(
  outcome: CompletedCall, limit_chars: number,
): { value: ToolResult, truncated: boolean } {
  const { truncated } = outcome;
  const text = textWithoutMedia(outcome.result);
  const around_chars = JSON.stringify(valueOf(outcome, null, truncated)).length - 'null'.length;
  if (around_chars + text.length <= limit_chars) {
    return { value: valueOf(outcome, JSON.parse(text), truncated), truncated };
  }
  const shorter = truncated ? shorterCut(text, limit_chars - around_chars) : null;
  if (shorter !== null) return { value: valueOf(outcome, shorter, true), truncated };
  const ends = (head: string, tail: string) => valueOf(outcome,
    { truncated: true, total_chars: text.length, note: noteOn(truncated), head, tail }, true);
  const budget = Math.max(0, limit_chars - JSON.stringify(ends('', '')).length);
  const headEnd = prefixWithin(text, Math.floor(budget * HEAD_SHARE), 'characters');
  const tailStart = Math.max(headEnd,
    suffixWithin(text, Math.floor(budget * (1 - HEAD_SHARE)), 'characters'));
  return { value: ends(text.slice(0, headEnd), text.slice(tailStart)), truncated: true };
}

/**
 * What is kept of a result that was cut, with a shorter beginning of it: a cut of its report would
 * begin with the report. Null if it was cut in another way.
 */
function shorterCut(text: string, limit_chars: number): JsonObject | null {
  const { truncated, head } = objectOf(text.startsWith(CUT_BEGINNING) ? JSON.parse(text) : null);
  if (!isObject(truncated) || typeof head !== 'string') return null;
  // With `returned` as it was: it only becomes less.
  const around_chars = JSON.stringify({ truncated, head: '' }).length;
  const shown = head.slice(0, prefixWithin(head, limit_chars - around_chars, 'characters'));
  return { truncated: { ...truncated, returned: Buffer.byteLength(shown) }, head: shown };
}

function valueOf(
  { invocation_id, action, connection_id, next_cursor, unknown_fields }: CompletedCall,
  result: unknown, truncated: boolean): ToolResult {
  return {
    ok: true, invocation_id, action, connection_id, result,
    ...(next_cursor === null ? {} : { page: { next_cursor } }),
    ...(unknown_fields === undefined ? {} : {
      unknown_fields: firstWithin(unknown_fields, UNKNOWN_FIELDS_LIMIT_CHARS) }),
    ...(truncated ? { truncated: true } : {}),
  };
}

/**
 * Why a call was not made, or failed, with the particulars that a direct caller gets, in at most
 * `limit_chars` characters of JSON (from 1,000 on). What is too long loses its longest particulars,
 * and of what the other system said shows the beginning.
 */
export function toToolError(outcome: FailedCall, limit_chars: number): Schemas['ToolCallError'] {
  const whole = errorOf(outcome);
  if (JSON.stringify(whole).length <= limit_chars) return whole;
  const { upstream, missing } = whole;
  const short: Schemas['ToolCallError'] = shortened(whole);
  let left = limit_chars - JSON.stringify(short).length;
  if (upstream !== undefined) short.upstream = cut(upstream, left - '"upstream":,'.length);
  if (missing !== undefined) {
    const gaps = missing.slice(0, GAPS_LIMIT)
      .map((gap) => shortened(gap, GAP_MESSAGE_LIMIT_CHARS));
    left -= JSON.stringify({ missing: gaps }).length;
    short.missing = gaps.map((gap, nth) => {
      const told = withParticulars(gap, missing[nth]!, left);
      left -= JSON.stringify(told).length - JSON.stringify(gap).length;
      return told;
    });
  }
  return short;
}

function errorOf(outcome: FailedCall): Schemas['ToolCallError'] {
  if (outcome.status === 'failed') {
    const { code, message, details } = outcome.error;
    return { code, message, ...(isObject(details) && { upstream: details }) };
  }
  const { missing } = outcome;
  return { ...errorOfMissing(missing), missing };
}

/** The shorter particulars stay; the last that does not fit, the body of an answer, is cut. */
function cut(upstream: JsonObject, limit_chars: number): JsonObject {
  const { body, ...rest } = upstream;
  const told = withParticulars({}, rest, limit_chars - CUT_NOTE_CHARS);
  const left = limit_chars - JSON.stringify(told).length - '"body":,'.length;
  return body === undefined || left < CUT_NOTE_CHARS ? told
    : { ...told, body: truncateResult(body, left).result };
}

/** `told` with the members of `all` that fit beside it, the shortest first. */
function withParticulars<T extends object>(told: T, all: object, limit_chars: number): T {
  const sized = Object.entries(all).filter(([name]) => !(name in told))
    .map((entry) => ({ entry, chars: JSON.stringify(Object.fromEntries([entry])).length }))
    .sort((a, b) => a.chars - b.chars);
  let left = limit_chars;
  const kept = new Map(sized.filter(({ chars }) => (left -= chars) >= 0).map(({ entry }) => entry));
  return { ...told, ...Object.fromEntries(Object.entries(all).filter(([name]) => kept.has(name))) };
}

function shortened<C extends string>(
  { code, message }: { code: C, message: string }, limit_chars = MESSAGE_LIMIT_CHARS) {
  const end = prefixWithin(message, limit_chars, 'characters');
  return { code, message: message.slice(0, end) };
}
