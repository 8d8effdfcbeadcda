import { ActionFailure } from '../action/failure.ts';
import { Scrubber } from '../vault/scrubber.ts';

/** No secret is longer: where a text was cut before, the end of so many may be a part of one. */
export const SECRET_LIMIT_CHARS = 16_384;

/** Takes these secrets out of values. */
export function scrubOf(secrets: Iterable<string>): <V>(value: V) => V {
  const scrubber = new Scrubber(secrets);
  return (value) => scrubber.scrub(value);
}

/**
 * Makes a call that knows these secrets. Neither its result nor its failure holds one: an error
 * quotes what an upstream says, such as the host that it redirects to.
 */
export async function withoutSecrets<T>(
  secrets: Iterable<string>, call: (scrub: <V>(value: V) => V) => Promise<T>): Promise<T> {
  const scrub = scrubOf(secrets);
  try {
    return scrub(await call(scrub));
  } catch (error) {
    throw error instanceof ActionFailure
      ? new ActionFailure(scrub(error.outcome), scrub(error.for_operator))
      : error;
  }
}
