/** What can go wrong with a server, in the words of a caller. */
import {
  ProtocolError, ProtocolErrorCode, SdkError, SdkErrorCode, SdkHttpError,
} from '@modelcontextprotocol/client';
import {
  type ActionFailure, type AuthorizedAccount, failure, failureInDoubt, howToAuthorize,
  isAnswerOfProxy, notSent, rateLimited, toldOfBody,
} from '../action/failure.ts';
import { objectOf, parseJson, textOf } from '../../json.ts';
import { Unauthorized } from '../credentials/unauthorized.ts';
import { EgressRefused } from '../egress/egress.ts';
import { AnswerTooLarge } from '../egress/guardedFetch.ts';
import { UpstreamUnreachable } from '../egress/unreachable.ts';
import { beginningOf, type Scrub } from './beginningOf.ts';

const MIB = 1_048_576;
const SAID_LIMIT_CHARS = 500;
/** A refusal by a status that is longer is not looked into. */
const REFUSAL_LIMIT_CHARS = 65_536;
const WRONG_ADDRESS = ' Its address may be wrong: that of an MCP server often ends in /mcp.';
/** What is said where no MCP server is, or one of the former transport. */
const NO_SUCH_PLACE: readonly number[] = [404, 405];
/** So much of an address is told. */
const PLACE_CHARS = 300;

/** A refusal by an HTTP status that says it all. */
export class HttpRefusal extends Error {
  readonly status: number;
  readonly retry_after_s: number | null;
  /** What the account would have to be authorized for; none if that is not said. */
  readonly scopes_needed: readonly string[];
  /** How its text begins; empty: none was read. */
  readonly said: string;

  constructor(status: number, retry_after_s: number | null,
    scopes_needed: readonly string[] = [], said = '') {
    super(`HTTP ${status}`);
    this.scopes_needed = scopes_needed;
    this.said = said;
    this.name = 'HttpRefusal';
    this.status = status;
    this.retry_after_s = retry_after_s;
  }
}

/** The server did something that the protocol does not know; the words go behind its name. */
export class ServerFault extends Error {
  /** What its process said before, which is for the operator alone; null: nothing, or none. */
  readonly last_words: string | null;

  constructor(words: string, cause?: unknown, last_words: string | null = null) {
    super(words, { cause });
    this.name = 'ServerFault';
    this.last_words = last_words;
  }
}

const KNOWN = [
  ProtocolError, SdkError, HttpRefusal, ServerFault, UpstreamUnreachable, EgressRefused];

const UNKNOWN_VERSION = /^Server's protocol version is not supported: (.*)$/s;
const NOT_FOLLOWED = /: Redirect (?:to (\S+)|.*) not followed;(?: try (\S+) as the endpoint)?/;
const VERSION_NAME = /^[\w.-]{1,40}$/;
const MEDIA_TYPE = /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/;

/** An error of the library as it is if it says what is wrong, else a fault of the server. */
export function asServerFault(error: unknown): unknown {
  const reason = isDisagreement(error) ? error.cause : undefined;
  if (KNOWN.some((type) => reason instanceof type)) return reason;
  if (KNOWN.some((type) => error instanceof type)) return error;
  if (error instanceof AnswerTooLarge) {
    return new ServerFault('answered with more than is read.', error);
  }
  const version = unknownVersion(error);
  return new ServerFault(version === undefined ? 'broke the protocol.'
    : `speaks a version of MCP that this service does not know${
      VERSION_NAME.test(version) ? ` (${version})` : ''}. It may need an update, or this service.`,
  error);
}

/** The library has no code for it. */
function unknownVersion(error: unknown): string | undefined {
  return error instanceof Error ? UNKNOWN_VERSION.exec(error.message)?.[1] : undefined;
}

/**
 * The code of the answers that answers.ts gives in place of a server that gave none. -32000 to
 * -32099 are free for such use, and servers begin at the other end.
 */
export const NO_ANSWER_CODE = -32_097;

/**
 * Of an answer that is larger than what is read: what a model can do. Unlike an answer of a JSON
 * API, one of a tool comes in a single message, most of it JSON within JSON, so that `fields` can
 * choose nothing from it while it is read.
 */
export function tooLargeAnswer(limit_bytes: number): string {
  const limit = limit_bytes % MIB === 0 ? `${limit_bytes / MIB} MiB` : `${limit_bytes} bytes`;
  return `answered with more than ${limit}, which is not read. Ask it for less at a time: a`
    + ' narrower query, a smaller page, one thing instead of all. `fields` cannot help, because'
    + ' they choose from an answer that has been read.';
}

/** Whether the same may be taken later: nobody was there, or it was too much for now. */
export function isPassing(error: unknown): boolean {
  return error instanceof UpstreamUnreachable
    || (error instanceof HttpRefusal && isPassingStatus(error.status));
}

export function isPassingStatus(status: number): boolean {
  return status === 429 || status >= 500;
}

/** Whether the server has forgotten the session. It did not do what it was asked for, then. */
export function isSessionGone(error: unknown): boolean {
  if (!(error instanceof SdkHttpError)) return false;
  if (error.status === 404) return true;
  // What the protocol wants is 404, and what many servers say of a session they do not know is 400.
  const { text } = error.data as { text?: unknown };
  return error.status === 400 && typeof text === 'string' && /session/i.test(text);
}

/** Whether the other side has gone, as far as the library and the transports tell. */
export function isEnd(error: unknown): boolean {
  return error instanceof UpstreamUnreachable
    || (error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed);
}

/**
 * Whether the server speaks, but knows no `initialize`: one of the protocol without sessions. Some
 * answer it with the name of that version.
 */
export function refusesInitialize(error: unknown, sessionless_version: string): boolean {
  if (error instanceof SdkHttpError) return error.status === 400;
  if (error instanceof ServerFault) return unknownVersion(error.cause) === sessionless_version;
  return error instanceof ProtocolError && error.code !== NO_ANSWER_CODE;
}

/** Whether no version was found that both sides know; `cause`: why nothing could be found out. */
export function isDisagreement(error: unknown): error is SdkError {
  return error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed;
}

/** Whether the server was told that nobody answers what it asks, and asked again all the same. */
export function isAskingOn(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.InputRequiredRoundsExceeded;
}

/** Whether the server has answered, and wants something before it does what it was called for. */
function isAskingInReturn(error: unknown): boolean {
  return isAskingOn(error)
    || (error instanceof SdkError && error.code === SdkErrorCode.UnsupportedResultType);
}

export interface McpFailureContext {
  title: string;
  /** The call has left, and was to change something. */
  may_have_changed: boolean;
  /** The account, if it was authorized by OAuth 2.0, and can be for more. */
  authorized?: AuthorizedAccount | null;
  scrub: Scrub;
}

/** What a caller is told of `error`; it stays as it is if it is not about the server. */
export function toFailure(error: unknown, context: McpFailureContext): unknown {
  const { title, scrub, may_have_changed } = context;
  const status = statusOf(error);
  if (status !== null && may_have_changed && isAnswerOfProxy(status)) {
    return failureInDoubt(`${title} answered with HTTP ${status}, as a proxy or gateway in between`
      + ' does that got no answer.', { status });
  }
  const place = placeOf(error);
  if (place !== null) {
    const message = scrub(`${title} leads elsewhere (HTTP ${status}), to ${place}, and was not`
      + ' followed. Its address may be that one, if it is meant.');
    return may_have_changed ? failureInDoubt(message, { status })
      : failure(message, { details: { status } });
  }
  if (status !== null) return statusFailure(error, status, context);
  if (error instanceof EgressRefused) {
    // A redirect may lead to what is refused: then the call was made before.
    return may_have_changed
      ? failureInDoubt(scrub(`${title} has led this call to where it may not go: ${error.message}`))
      : notSent(scrub(`${title} must not be reached: ${error.message}`));
  }
  const is_lost = may_have_changed && isAnswerLost(error);
  const words = is_lost && isPassedOn(error)
    ? `or a proxy or gateway in between said: ${quoted(error, scrub)}.` : wordsOf(error, scrub);
  if (words === null) return error;
  const message = beginningOf(`${title} ${words}`, 2 * SAID_LIMIT_CHARS, scrub);
  const last_words = error instanceof ServerFault ? error.last_words : null;
  const for_operator = last_words && scrub(last_words);
  return is_lost ? failureInDoubt(message, null, for_operator)
    : failure(message, besideWords(error, scrub), for_operator);
}

/** What a refusal has besides its words; of a fault within the server nothing, as of a 5xx. */
function besideWords(error: unknown, scrub: Scrub): { details?: { body: unknown } } {
  if (!(error instanceof ProtocolError) || error.data === undefined
    || error.code === ProtocolErrorCode.InternalError) return {};
  return { details: { body: toldOfBody(scrub(error.data)) } };
}

/** Where a redirect leads that was not followed: to another origin, or without the body. */
function placeOf(error: unknown): string | null {
  const [, there, secure] = error instanceof SdkHttpError && NOT_FOLLOWED.exec(error.message) || [];
  return (there ?? secure)?.slice(0, PLACE_CHARS) ?? null;
}

function statusOf(error: unknown): number | null {
  if (error instanceof HttpRefusal) return error.status;
  return error instanceof SdkHttpError ? error.status : null;
}

function statusFailure(
  error: unknown, status: number, { title, scrub, authorized = null }: McpFailureContext,
): ActionFailure | Unauthorized {
  const details = { status };
  if (status === 401) {
    return new Unauthorized(`${title} does not accept the credentials (401).`, details);
  }
  const for_operator = reasonOf(error, status, scrub);
  if (status === 403) return forbidden(title, error as HttpRefusal, authorized, for_operator);
  if (status === 429) return rateLimited(title, (error as HttpRefusal).retry_after_s, details);
  const said = saidBeside(error, status, scrub);
  return failure(said !== undefined ? `${title} refused the call (HTTP ${status}): ${said}`
    : `${title} answered with HTTP ${status}.${NO_SUCH_PLACE.includes(status)
      ? `${WRONG_ADDRESS} Servers of the former transport, HTTP+SSE, cannot be called.` : ''}`,
  { details }, said === undefined ? for_operator : null);
}

/** The words of an error of the protocol that came with a status; of a 5xx none, as of an API's. */
function saidBeside(error: unknown, status: number, scrub: Scrub): string | undefined {
  const text = textBeside(error);
  if (status >= 500 || text.length > REFUSAL_LIMIT_CHARS) return undefined;
  const { jsonrpc, error: told } = objectOf(parseJson(text));
  const message = jsonrpc === '2.0' ? textOf(objectOf(told).message) : undefined;
  return message && beginningOf(message, SAID_LIMIT_CHARS, scrub);
}

/**
 * Why a server refuses, for the operator alone: many take calls only by the host name that they
 * were started with, and tell it in plain text (403, 421). Null: nothing is said, or in a page.
 */
function reasonOf(error: unknown, status: number, scrub: Scrub): string | null {
  const text = textBeside(error).trim();
  if (status >= 500 || text === '' || text.startsWith('<')) return null;
  return `It says: ${saidBeside(error, status, scrub)
    ?? beginningOf(text, SAID_LIMIT_CHARS, scrub)}`;
}

function textBeside(error: unknown): string {
  if (error instanceof HttpRefusal) return error.said;
  return error instanceof SdkHttpError ? textOf(objectOf(error.data).text) ?? '' : '';
}

function forbidden(
  title: string, { scopes_needed }: HttpRefusal, authorized: AuthorizedAccount | null,
  for_operator: string | null): ActionFailure {
  const how = scopes_needed.length === 0 ? '' : howToAuthorize(scopes_needed, authorized);
  return failure(`${title} does not let the connected account do this.${how}`, {
    code: 'upstream_forbidden',
    details: { status: 403, ...(scopes_needed.length > 0 && { scopes_needed }) },
  }, for_operator);
}

/** Null: it is no fault of the server. */
function wordsOf(error: unknown, scrub: Scrub): string | null {
  if (error instanceof ServerFault) return error.message;
  if (error instanceof UpstreamUnreachable) return `cannot be reached: ${error.message}.`;
  if (error instanceof ProtocolError) {
    return error.code === NO_ANSWER_CODE ? error.message
      // Several SDKs answer so where a tool throws: then it was not refused, it had begun.
      : `${error.code === ProtocolErrorCode.InternalError ? 'answered with an internal error'
        : 'refused the call'}: ${quoted(error, scrub)}`;
  }
  if (!(error instanceof SdkError)) return null;
  if (isAskingInReturn(error)) return 'asks for something in return, which cannot be given here.';
  switch (error.code) {
    case SdkErrorCode.ConnectionClosed: return 'ended before it answered.';
    case SdkErrorCode.RequestTimeout: return 'did not answer in time.';
    case SdkErrorCode.EraNegotiationFailed:
      return 'could not agree with this service on a version of MCP.';
    case SdkErrorCode.ClientHttpUnexpectedContent: {
      const [type = ''] = (textOf(objectOf(error.data).contentType) ?? '').split(';');
      return `answered with something else than MCP${MEDIA_TYPE.test(type) ? ` (${type})` : ''}.`
        + WRONG_ADDRESS;
    }
    default: return `broke the protocol (${error.code}).`;
  }
}

function quoted({ message }: ProtocolError, scrub: Scrub): string {
  return beginningOf(message, SAID_LIMIT_CHARS, scrub);
}

/**
 * "Connection closed" and "Request timed out", by which the libraries' clients tell of a server
 * that they got no answer of. A proxy that calls the server by such a client passes them on.
 */
const PASSED_ON_CODES: readonly number[] = [-32_000, -32_001];

function isPassedOn(error: unknown): error is ProtocolError {
  return error instanceof ProtocolError && PASSED_ON_CODES.includes(error.code);
}

/** Whether the server may have done what it was called for, and not told. */
export function isAnswerLost(error: unknown): boolean {
  if (error instanceof ProtocolError) return error.code === NO_ANSWER_CODE || isPassedOn(error);
  return !isAskingInReturn(error);
}
