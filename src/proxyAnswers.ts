/** Answers of a proxy in place of the service, whose own say more than a status. */

const MEANINGS: Partial<Record<number, string>> = {
  403: 'may let this in from another network alone.',
  413: 'takes no body of this size: have it take more (in nginx by client_max_body_size).',
  502: 'has got no answer of it: see whether it runs.',
  503: 'has no node of it that is ready: see whether one runs.',
  504: 'has waited no longer for it: have it wait for 300 seconds.',
};

/**
 * What such an answer means, where that can be said of its status. Other sites answer so, too, so
 * that it says both.
 */
export function meaningOf(status: number): string | undefined {
  const meaning = MEANINGS[status];
  return meaning && `If that is the address of a Gatehouse, a proxy before it ${meaning}`;
}
