/** When to ask again, as the answers of other services say it. */

/** When an answer was sent, by the sender's clock (`Date`); `our_ms` where that is not said. */
export function sentAt(date: string | null | undefined, our_ms: number): number {
  const sent_ms = Date.parse(date ?? '');
  return Number.isNaN(sent_ms) ? our_ms : sent_ms;
}

/**
 * What `Retry-After` says, in milliseconds after `sent_ms`: in seconds, or as a moment, which is by
 * the sender's clock. NaN: nothing.
 */
export function retryAfterMs(said: string | null | undefined, sent_ms: number): number {
  const text = said?.trim() ?? '';
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - sent_ms;
}
