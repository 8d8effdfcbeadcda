import { APICallError } from '@ai-sdk/provider';
import { retryAfterMs, sentAt } from '../retryAfter.ts';

/**
 * How long a provider asks us to wait before the next try, in milliseconds: by a header, in what it
 * answered (`body`), or in words alone (`message`), as OpenAI does inside a stream. Undefined if it
 * does not ask, or makes no sense.
 */
export function askedWait(error: unknown, body: string, message: string): number | undefined {
  return byHeader(error) ?? byGoogle(body) ?? inWords(message);
}

/** `retry-after-ms`, or `retry-after`. */
function byHeader(error: unknown): number | undefined {
  const headers = new Headers(APICallError.isInstance(error) ? error.responseHeaders : {});
  const after_ms = headers.get('retry-after-ms') ?? '';
  if (/^\d+(\.\d+)?$/.test(after_ms)) return Number(after_ms);
  const wait_ms =
    retryAfterMs(headers.get('retry-after'), sentAt(headers.get('date'), Date.now()));
  return Number.isNaN(wait_ms) ? undefined : Math.max(0, wait_ms);
}

/** Google says it in the body: `{"error":{"details":[{"retryDelay":"34.5s"}]}}`. */
function byGoogle(body: string): number | undefined {
  const [, seconds] = /"retryDelay":\s*"(\d{1,9}(?:\.\d{1,9})?)s"/.exec(body) ?? [];
  return seconds === undefined ? undefined : Number(seconds) * 1_000;
}

/** `Please try again in 1m2.5s.` */
const WAIT =
  /\b(?:try again|retry) (?:in|after) ((?:\d{1,9}(?:\.\d+)? ?(?:milli|ms|[hms])[a-z]* ?)+)/i;
const UNITS_MS: Record<string, number> =
  { milli: 1, ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

function inWords(message: string): number | undefined {
  const [, wait] = WAIT.exec(message) ?? [];
  if (wait === undefined) return undefined;
  let wait_ms = 0;
  for (const [, count, unit] of wait.matchAll(/([\d.]+) ?(milli|ms|[hms])/gi)) {
    wait_ms += Number(count) * UNITS_MS[unit!.toLowerCase()]!;
  }
  return wait_ms;
}
