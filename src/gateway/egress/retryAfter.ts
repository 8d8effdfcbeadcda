const RETRY_LIMIT_S = 86_400;

/**
 * Whole seconds; null: it does not say. A moment is by the clock of the other side, so it is held
 * against when the answer was sent (`Date`); `our_ms`, the time on ours, counts where that is not
 * said.
 */
export function retryAfter(headers: Record<string, string>, our_ms: number): number | null {
  const sent_ms = Date.parse(headers.date ?? '');
  const now_ms = Number.isNaN(sent_ms) ? our_ms : sent_ms;
  const said = headers['retry-after']?.trim();
  const reset = Number(headers['x-ratelimit-reset'] ?? headers['ratelimit-reset'] ?? NaN);
  let seconds = NaN;
  if (said !== undefined && said !== '') {
    seconds = /^\d+(\.\d+)?$/.test(said) ? Number(said) : (Date.parse(said) - now_ms) / 1000;
  }
  // A moment since 1970, in milliseconds or seconds, or the seconds until then: all are in use.
  if (Number.isNaN(seconds)) {
    seconds = reset > 1e11 ? (reset - now_ms) / 1000
      : reset > 1e9 ? reset - now_ms / 1000 : reset;
  }
  if (Number.isNaN(seconds)) return null;
  return Math.min(Math.max(Math.ceil(seconds), 0), RETRY_LIMIT_S);
}
