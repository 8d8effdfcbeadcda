/** What is kept of an outcome: what was asked for of it, storable, and bounded. */
import { jsonChars } from '../../json.ts';
import { JsonText } from '../../jsonText.ts';
import { inOwnTurn } from '../../patience.ts';
import { sanitizeJson, sanitizeText } from '../../sanitize.ts';
import { truncateResult } from '../../truncate.ts';
import { keptOf } from '../action/kept.ts';
import type { ActionError, Outcome } from '../action/outcome.ts';
import { LARGE_CHARS, type PlannedCall } from './call.ts';
import { withinLimit } from './pages.ts';
import { NOT_BEGUN, outcomeUnknown } from './writes.ts';

/** The outcome as it is recorded and told; `limit_bytes`: of a result. */
export async function keepOutcome(
  plan: PlannedCall, outcome: Outcome, limit_bytes: number): Promise<Outcome> {
  if (outcome === NOT_BEGUN) return outcome;
  if (outcome.status === 'missing') {
    return { ...outcome, missing: sanitizeJson(outcome.missing) };
  }
  if (outcome.status === 'failed') {
    return { ...outcome, error: boundedError(sayWhatIsUnknown(plan, outcome.error)) };
  }
  const { result, is_chosen = false, ...bounded } = withinLimit(outcome);
  if (result instanceof JsonText) return { ...bounded, result }; // It is what is kept.
  const options = {
    fields: is_chosen ? null : plan.fields, limit_bytes, is_cut: bounded.truncated };
  const kept = await inOwnTurn(() => keptOf(result, options), jsonChars(result, LARGE_CHARS));
  return { ...bounded, ...kept };
}

/** A write that was broken off before its answer came may have taken effect: the error says so. */
function sayWhatIsUnknown(
  { definition: { name, effect } }: PlannedCall, error: ActionError): ActionError {
  if (effect === 'read') return error;
  if (error.code === 'cancelled') return outcomeUnknown(name);
  if (error.code !== 'upstream_timeout') return error;
  return { ...error, message: `${error.message} The call may have taken effect all the same.` };
}

const ERROR_MESSAGE_LIMIT_CHARS = 2_000;
const ERROR_DETAILS_LIMIT_BYTES = 8_192;

/** What an upstream service says of its error is of any size, too. */
function boundedError({ code, message, details, ...rest }: ActionError): ActionError {
  const text = sanitizeText(message.slice(0, ERROR_MESSAGE_LIMIT_CHARS));
  if (details === undefined) return { code, message: text, ...rest };
  const bounded = truncateResult(sanitizeJson(details), ERROR_DETAILS_LIMIT_BYTES).result;
  return { code, message: text, details: bounded, ...rest };
}
