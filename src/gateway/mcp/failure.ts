/** What can go wrong with a server, in the words of a caller. */
import {
  InsufficientScopeError, ProtocolError, SdkError, SdkErrorCode, SdkHttpError,
} from '@modelcontextprotocol/client';
import { type ActionFailure, failure, rateLimited } from '../action/failure.ts';
import { Unauthorized } from '../credentials/unauthorized.ts';
import { EgressRefused } from '../egress/egress.ts';
import { UpstreamUnreachable } from '../egress/unreachable.ts';

const SAID_LIMIT_CHARS = 500;

/** A refusal by an HTTP status that says it all. */
export class HttpRefusal extends Error {
  readonly status: number;
  readonly retry_after_s: number | null;

  constructor(status: number, retry_after_s: number | null) {
    super(`HTTP ${status}`);
    this.name = 'HttpRefusal';
    this.status = status;
    this.retry_after_s = retry_after_s;
  }
}

/** The server did something that the protocol does not know; the words go behind its name. */
export class ServerFault extends Error {
  constructor(words: string, cause?: unknown) {
    super(words, { cause });
    this.name = 'ServerFault';
  }
}

const KNOWN = [ProtocolError, SdkError, InsufficientScopeError, HttpRefusal, ServerFault,
  UpstreamUnreachable, EgressRefused];

/** An error of the library as it is if it says what is wrong, else a fault of the server. */
export function known(error: unknown): unknown {
  return KNOWN.some((type) => error instanceof type)
    ? error : new ServerFault('broke the protocol.', error);
}

/**
 * The code of the answers that answers.ts gives in place of a server that gave none. -32000 to
 * -32099 are free for such use, and servers begin at the other end.
 */
export const NO_ANSWER_CODE = -32_097;

/** Whether the server has forgotten the session. It did not do what it was asked for, then. */
export function isSessionGone(error: unknown): boolean {
  if (!(error instanceof SdkHttpError)) return false;
  if (error.status === 404) return true;
  // What the protocol wants is 404, and what many servers say of a session they do not know is 400.
  const { text } = error.data as { text?: unknown };
  return error.status === 400 && typeof text === 'string' && /session/i.test(text);
}

/** Whether the server speaks, but knows no `initialize`: one of the protocol without sessions. */
export function refusesInitialize(error: unknown): boolean {
  if (error instanceof SdkHttpError) return error.status === 400;
  return error instanceof ProtocolError && error.code !== NO_ANSWER_CODE;
}

export interface FailureContext {
  title: string;
  /** The call has left, and was to change something. */
  may_have_changed: boolean;
  scrub(text: string): string;
}

/** What a caller is told of `error`; it stays as it is if it is not about the server. */
export function toFailure(error: unknown, context: FailureContext): unknown {
  const { title, scrub, may_have_changed } = context;
  const status = statusOf(error);
  if (status !== null) return statusFailure(error, status, title);
  if (error instanceof EgressRefused) {
    return failure(scrub(`${title} must not be reached: ${error.message}`));
  }
  const words = wordsOf(error);
  if (words === null) return error;
  const message = scrub(`${title} ${words}`).slice(0, 2 * SAID_LIMIT_CHARS);
  return may_have_changed && isAnswerLost(error)
    ? failure(`${message} The call may have taken effect, and was not repeated. Find out`
      + ' before you call it again.', { code: 'outcome_unknown' })
    : failure(message);
}

function statusOf(error: unknown): number | null {
  if (error instanceof HttpRefusal) return error.status;
  if (error instanceof InsufficientScopeError) return 403;
  return error instanceof SdkHttpError ? error.status : null;
}

function statusFailure(
  error: unknown, status: number, title: string): ActionFailure | Unauthorized {
  const details = { status };
  if (status === 401) return new Unauthorized(`${title} does not accept the credentials (401).`);
  if (status === 403) {
    return failure(`${title} does not let the connected account do this.`,
      { code: 'upstream_forbidden', details });
  }
  return status === 429 ? rateLimited(title, (error as HttpRefusal).retry_after_s, details)
    : failure(`${title} answered with HTTP ${status}.`, { details });
}

/** Null: it is no fault of the server. */
function wordsOf(error: unknown): string | null {
  if (error instanceof ServerFault) return error.message;
  if (error instanceof UpstreamUnreachable) return `cannot be reached: ${error.message}.`;
  if (error instanceof ProtocolError) {
    return error.code === NO_ANSWER_CODE ? error.message
      : `refused the call: ${error.message.slice(0, SAID_LIMIT_CHARS)}`;
  }
  if (!(error instanceof SdkError)) return null;
  switch (error.code) {
    case SdkErrorCode.ConnectionClosed: return 'ended before it answered.';
    case SdkErrorCode.RequestTimeout: return 'did not answer in time.';
    case SdkErrorCode.UnsupportedResultType:
      return 'asks for something in return, which cannot be given here.';
    default: return `broke the protocol (${error.code}).`;
  }
}

function isAnswerLost(error: unknown): boolean {
  if (error instanceof ProtocolError) return error.code === NO_ANSWER_CODE;
  return !(error instanceof SdkError) || error.code !== SdkErrorCode.UnsupportedResultType;
}
