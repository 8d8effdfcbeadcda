import { retryAfterMs, sentAt } from '../../retryAfter.ts';

const RETRY_LIMIT_S = 86_400;

/**
 * Whole seconds; null: it does not say. `our_ms`: the time on our clock, which counts where the
 * answer does not say when it was sent.
 */
export function retryAfter(headers: Record<string, string>, our_ms: number): number | null {
  const sent_ms = sentAt(headers.date, our_ms);
  const reset = Number(headers['x-ratelimit-reset'] ?? headers['ratelimit-reset'] ?? NaN);
  let seconds = retryAfterMs(headers['retry-after'], sent_ms) / 1_000;
  // A moment since 1970, in milliseconds or seconds, or the seconds until then: all are in use.
  if (Number.isNaN(seconds)) {
    seconds = reset > 1e11 ? (reset - sent_ms) / 1_000
      : reset > 1e9 ? reset - sent_ms / 1_000 : reset;
  }
  if (Number.isNaN(seconds)) return null;
  return Math.min(Math.max(Math.ceil(seconds), 0), RETRY_LIMIT_S);
}
