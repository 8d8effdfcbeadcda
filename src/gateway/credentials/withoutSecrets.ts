import { ActionFailure } from '../action/action.ts';
import { Scrubber } from '../vault/scrubber.ts';

/**
 * Makes a call that knows these secrets. Neither its result nor what it fails with holds one:
 * errors quote what an upstream says, such as the host that it redirects to.
 */
export async function withoutSecrets<T>(
  secrets: Iterable<string>, call: (scrub: <V>(value: V) => V) => Promise<T>): Promise<T> {
  const scrubber = new Scrubber(secrets);
  try {
    return scrubber.scrub(await call((value) => scrubber.scrub(value)));
  } catch (error) {
    if (!(error instanceof ActionFailure)) throw error;
    const { code, message, details, missing, retry_after_s, sent } = error;
    throw new ActionFailure(scrubber.scrub(message), {
      code, details: scrubber.scrub(details), sent,
      ...(missing !== null && { missing: scrubber.scrub(missing) }),
      ...(retry_after_s !== null && { retry_after_s }),
    });
  }
}
