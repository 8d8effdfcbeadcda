/**
 * An answer, from its bytes to the result or the failure: a function of what it is given, so that a
 * thread of its own can do it (answerWorker.ts).
 */
import type { JsonObject } from '../../json.ts';
import { textOfHeader } from '../../textOfBytes.ts';
import type { Performed } from '../action/action.ts';
import { keptText, type KeepOptions, type KeptText } from '../action/kept.ts';
import type { UpstreamResponse } from '../egress/upstream.ts';
import { failureOf, softFailureOf, type OpenapiFailureContext } from './failure.ts';
import { nextPage } from './nextPage.ts';
import type { SoftError } from './override.ts';
import { pageBefore, wrapCursor, type PagedAction } from './pageCursor.ts';
import { brokenResult, decodeResult, type DecodeOptions } from './result.ts';

export interface AnswerTask {
  response: Pick<UpstreamResponse, 'status' | 'headers' | 'body' | 'cut'>;
  decoding: Omit<DecodeOptions, 'scrub'>;
  context: OpenapiFailureContext;
  soft_error: SoftError | null;
  action: PagedAction;
  /** What was sent, with what its page changed. */
  input: JsonObject;
  /** Of the page that was asked for; null: the first. */
  cursor: string | null;
}

/** An answer with its whole result, or what the fields have left of one that is too large. */
export interface ReadAnswer extends Omit<Performed, 'is_kept'> {
  /**
   * No fields are chosen of it any more: they were, or it says that it was cut, is no JSON, or says
   * where to find what an answer without content has made.
   */
  is_chosen?: boolean;
}

/** Everything that `Performed` tells, with what is kept of the result as text. */
export type AnswerKept = Omit<Performed, 'result' | 'is_kept'> & KeptText;

/** As `readAnswer`, with what is kept of the result. */
export function keepAnswer(
  task: AnswerTask, scrub: <T>(value: T) => T,
  { fields, limit_bytes }: Omit<KeepOptions, 'is_cut'>): AnswerKept {
  const { result, is_chosen = false, truncated = false, ...rest } = readAnswer(task, scrub);
  return { ...rest, ...keptText(result,
    { fields: is_chosen ? null : fields, limit_bytes, is_cut: truncated }) };
}

/**
 * `scrub` takes the secrets of the call out. Throws ActionFailure for what the caller is to be
 * told, and Unauthorized if the credentials are not accepted.
 */
export function readAnswer(
  { response, decoding, context, soft_error, action, input, cursor }: AnswerTask,
  scrub: <T>(value: T) => T): ReadAnswer {
  const decoded = decodeResult(response, { ...decoding, scrub });
  const result = scrub(decoded.result);
  const answer = { status: response.status, headers: scrub(response.headers), result };
  if (!isSuccess(response)) throw failureOf(answer, context);
  const soft = soft_error === null ? null : softFailureOf(answer, soft_error, context);
  if (soft !== null) throw soft;
  const next = decoded.truncated ? null
    : nextPage(action, { input, headers: answer.headers, result, is_whole: !response.cut,
      before: pageBefore(cursor) });
  const place = response.body.length === 0 ? scrub(placeIn(response)) : null;
  return {
    result: decoded.is_broken ? brokenResult(result, response) : place ?? result,
    source_cursor: next === null ? null : wrapCursor(next),
    ...(decoded.truncated && { truncated: true }),
    ...((decoded.truncated || decoded.is_broken || place !== null) && { is_chosen: true }),
  };
}

/** Where what was made or begun is found: Keycloak and others answer nothing else (201, 202). */
function placeIn({ headers: { location } }: AnswerTask['response']): { location: string } | null {
  return location === undefined ? null : { location: textOfHeader(location) };
}

export function isSuccess({ status }: Pick<UpstreamResponse, 'status'>): boolean {
  return status >= 200 && status <= 299;
}
