import { ActionFailure } from '../action/failure.ts';
import { Scrubber } from '../vault/scrubber.ts';

/**
 * Makes a call that knows these secrets. Neither its result nor its failure holds one: an error
 * quotes what an upstream says, such as the host that it redirects to.
 */
export async function withoutSecrets<T>(
  secrets: Iterable<string>, call: (scrub: <V>(value: V) => V) => Promise<T>): Promise<T> {
  const scrubber = new Scrubber(secrets);
  try {
    return scrubber.scrub(await call((value) => scrubber.scrub(value)));
  } catch (error) {
    throw error instanceof ActionFailure
      ? new ActionFailure(scrubber.scrub(error.outcome), scrubber.scrub(error.for_operator))
      : error;
  }
}
