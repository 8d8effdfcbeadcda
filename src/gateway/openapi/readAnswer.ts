/**
 * An answer, from its bytes to the result or the failure: a function of what it is given, so that a
 * thread of its own can do it (answerWorker.ts).
 */
import type { JsonObject } from '../../json.ts';
import type { Performed } from '../action/action.ts';
import type { UpstreamResponse } from '../egress/upstream.ts';
import { failureOf, softFailureOf, type OpenapiFailureContext } from './failure.ts';
import { nextPage } from './nextPage.ts';
import type { SoftError } from './override.ts';
import { wrapCursor, type PagedAction } from './pageCursor.ts';
import { decodeResult, type DecodeOptions } from './result.ts';

export interface AnswerTask {
  response: Pick<UpstreamResponse, 'status' | 'headers' | 'body' | 'cut'>;
  decoding: Omit<DecodeOptions, 'scrub'>;
  context: OpenapiFailureContext;
  soft_error: SoftError | null;
  action: PagedAction;
  /** What was sent, with what its page changed. */
  input: JsonObject;
}

/**
 * `scrub` takes the secrets of the call out. Throws ActionFailure for what the caller is to be
 * told, and Unauthorized if the credentials are not accepted.
 */
export function readAnswer(
  { response, decoding, context, soft_error, action, input }: AnswerTask,
  scrub: <T>(value: T) => T): Performed {
  const decoded = decodeResult(response, { ...decoding, scrub });
  const result = scrub(decoded.result);
  const answer = { status: response.status, headers: scrub(response.headers), result };
  if (!isSuccess(response)) throw failureOf(answer, context);
  const soft = soft_error === null ? null : softFailureOf(answer, soft_error, context);
  if (soft !== null) throw soft;
  const next = decoded.truncated ? null
    : nextPage(action, { input, headers: answer.headers, result });
  return {
    result,
    next_cursor: next === null ? null : wrapCursor(next),
    ...(decoded.truncated ? { truncated: true, is_chosen: true } : {}),
  };
}

export function isSuccess({ status }: Pick<UpstreamResponse, 'status'>): boolean {
  return status >= 200 && status <= 299;
}
