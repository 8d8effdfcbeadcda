import {
  AISDKError, APICallError, InvalidResponseDataError, JSONParseError, TypeValidationError,
} from '@ai-sdk/provider';
import { isObject } from '../json.ts';
import { sanitizeText } from '../sanitize.ts';
import { allOf, describeFailure, type ErrorDescription } from './errorDescription.ts';
import {
  isKeyRefused, isOfModel, isOutOfCredit, isOverflow, isPassingFault, isRateLimited,
  isTooLargeForAMinute,
} from './errorMeaning.ts';
import { RedirectedError } from './untimedFetch.ts';
import { withoutKeys, withoutQueries } from './withoutKeys.ts';

/** What a step has used, as its provider counts. */
export interface StepUsage { input_tokens: number; output_tokens: number }

interface ModelErrorOptions {
  retryable: boolean;
  /** How long the provider asks us to wait before the next attempt. */
  retry_after_ms?: number;
  /**
   * How long a prompt was that is longer than the model's context: with less of it, it may go.
   * Undefined if it cannot be shorter.
   */
  prompt_chars?: number;
  /** What the step has used all the same; null: its provider does not say. */
  usage?: StepUsage | null;
  cause?: unknown;
}

/** The parts of the failed request that its error mentions. */
export interface RequestOfError {
  prompt_chars?: number; // undefined: it was no conversation
  /** The model's id there. */
  id: string;
  key_variable: string;
  address_variable: string;
  api_key: string | null;
}

/**
 * A step that failed at the provider. The message may be shown to the caller: it quotes what the
 * provider said, without keys, unless that was about a key or the rate. `cause` is for the log.
 */
export class ModelError extends Error {
  readonly code: 'model_error' | 'model_rate_limited';
  readonly retryable: boolean;
  readonly retry_after_ms: number | undefined;
  readonly prompt_chars: number | undefined;
  readonly usage: StepUsage | null | undefined;

  constructor(
    code: 'model_error' | 'model_rate_limited', message: string, options: ModelErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ModelError';
    this.code = code;
    this.retryable = options.retryable;
    this.retry_after_ms = options.retry_after_ms;
    this.prompt_chars = options.prompt_chars;
    this.usage = options.usage;
  }
}

/** The stream ended without a finish that can be trusted: nothing of it may be performed. */
export function cutStream(cause?: unknown, usage: StepUsage | null = null): ModelError {
  return new ModelError('model_error',
    'The model\'s answer broke off before it was complete.', { retryable: true, cause, usage });
}

/**
 * The prompt is too long, before or after the provider was asked. Servers such as vLLM count the
 * tokens that the answer may have, too, and refuse any prompt in the same words if these alone are
 * too many.
 */
export function contextOverflow(cause?: unknown, prompt_chars?: number): ModelError {
  return new ModelError('model_error', 'The conversation is longer than the model\'s context holds.'
    + ' Give it less input, or begin a new session. If a short one is refused, too, the operator'
    + ' has to set MODEL_CONTEXT_TOKENS to what the model holds.',
  { retryable: false, prompt_chars, cause });
}

/**
 * Turns any error of a provider, thrown or in its stream, into a ModelError. `fallback_retryable`
 * is used if the error itself does not say: true for a stream that broke while it was read, which
 * has used tokens.
 */
export function toModelError(
  error: unknown, fallback_retryable: boolean, request?: RequestOfError): ModelError {
  if (error instanceof ModelError) return error;
  if (error instanceof RedirectedError && request) return redirected(error, request);
  const seen = describeFailure(error);
  const cause = causeOf(error, seen, request);
  if (isGarbled(error)) return cutStream(cause);
  if (isOverflow(seen)) {
    const { prompt_chars } = request ?? {};
    if (!request || prompt_chars !== undefined) return contextOverflow(cause, prompt_chars);
  }
  if (isOutOfCredit(seen) || (APICallError.isInstance(error) && error.statusCode === 402)) {
    return new ModelError('model_rate_limited', 'The service\'s account at the model\'s provider'
      + ' has no credit left. Its operator has to see to that.',
    { retryable: false, cause });
  }
  if (APICallError.isInstance(error)) return fromApiCall(error, { seen, cause }, request);
  if (isRateLimited(seen)) {
    return rateLimited(cause, seen.retryable ?? true, seen.retry_after_ms);
  }
  // The words of other errors than the provider's own are for the log.
  const quote = saysError(error) ? quoted(seen, request?.api_key ?? null, LINE) : '';
  const refused = saysError(error) ? refusedKey(seen, undefined, request) : undefined;
  return new ModelError('model_error',
    refused ?? `The model's provider reported an error${atEnd(quote)}`, {
      retryable: seen.retryable ?? (!refused && (isPassingFault(seen) || fallback_retryable)),
      cause, ...(fallback_retryable && { usage: null }),
    });
}

/**
 * Whether the stream held something that is no answer, or only a part of one: a proxy or server
 * failed on the way. The messages of these errors quote the answer, so they are not read. Errors
 * that a server words in its own way do not count.
 */
function isGarbled(error: unknown): boolean {
  if (TypeValidationError.isInstance(error)) return !saysError(error);
  return JSONParseError.isInstance(error) || InvalidResponseDataError.isInstance(error)
    || (error instanceof Error && error.message === GARBLED_FIRST);
}

/** What Anthropic's package throws if the first event is garbled. It keeps nothing of that. */
const GARBLED_FIRST = 'Expected a normalized Anthropic stream error';

/** Whether it is an error as the provider wrote it, inside a stream. */
function saysError(error: unknown): boolean {
  if (!TypeValidationError.isInstance(error)) return !(error instanceof Error);
  const { value } = error;
  return isObject(value) && ((value.error ?? null) !== null || value.object === 'error');
}

/**
 * The error as the log may hold it. The packages' errors quote requests and answers, which must not
 * be logged: of errors about an answer only the name is kept, of what a provider says its message,
 * without keys but longer than callers see it.
 */
function causeOf(
  error: unknown, seen: ErrorDescription, request: RequestOfError | undefined): Error {
  const told = inShort(withoutKeys(allOf(seen), request?.api_key ?? null), 1_000);
  if (APICallError.isInstance(error)) {
    const { statusCode: status } = error;
    // There was no answer, so the error is about the connection.
    if (status === undefined) return error;
    return named('APICallError', `HTTP status ${status}${status < 300 ? '' : `: ${told}`}`);
  }
  if (saysError(error)) return named('ProviderError', told);
  if (AISDKError.isInstance(error)) return named(error.name, 'The answer makes no sense.');
  return error as Error;
}

function named(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}

function fromApiCall(
  error: APICallError, { seen, cause }: { seen: ErrorDescription; cause: unknown },
  request: RequestOfError | undefined): ModelError {
  const { statusCode: status, isRetryable: retryable } = error;
  const { retry_after_ms } = seen;
  // The status was a success, so the answer broke off later.
  if (status !== undefined && status < 300) return cutStream(cause);
  const is_too_large = status === 413 || isTooLargeForAMinute(seen);
  if (status === 429 && !is_too_large) return rateLimited(cause, retryable, retry_after_ms);
  return new ModelError('model_error', explain(status, seen, request), {
    retryable: retryable && !is_too_large, retry_after_ms,
    prompt_chars: is_too_large ? request?.prompt_chars : undefined, cause,
  });
}

function explain(
  status: number | undefined, seen: ErrorDescription, request: RequestOfError | undefined): string {
  if (status === undefined) return 'The model\'s provider could not be reached.';
  const quote = quoted(seen, request?.api_key ?? null, status < 500 ? STACK : LINE);
  const sentence = atEnd(quote && `${quote.replace(/\.$/, '')}.`);
  if (request !== undefined && status === 403) {
    // It may be for the country, or for an input that was moderated, too.
    return 'The model\'s provider refused the service\'s key or what was asked (HTTP status 403)'
      + `${sentence} If it is the key, the operator has to check ${request.key_variable}.`;
  }
  const refused = refusedKey(seen, status, request);
  if (refused !== undefined) return refused;
  if (request !== undefined && status === 404) {
    return isOfModel(seen)
      ? `The model's provider knows no model ${JSON.stringify(request.id)}, or the service's key`
        + ` may not use it${sentence} Name another model.`
      : wrongAddress('with HTTP status 404', request);
  }
  const how = quote !== '' && REFUSALS.has(status)
    ? `refused the request (HTTP status ${status})` : `answered with HTTP status ${status}`;
  return `The model's provider ${how}${atEnd(quote)}`;
}

/** What is said if the service's key was refused, by a status or inside a stream. */
function refusedKey(seen: ErrorDescription, status: number | undefined,
  request: RequestOfError | undefined): string | undefined {
  if (request === undefined || !(status === 401 || isKeyRefused(seen))) return undefined;
  const how = status === undefined ? '' : ` (HTTP status ${status})`;
  return `The model's provider refused the service's key${how}. Its operator has to check`
    + ` ${request.key_variable}.`;
}

/** The end of a sentence, with what was said, if anything was. */
function atEnd(quote: string): string {
  return quote === '' ? '.' : `: ${quote}`;
}

/** Something else than a provider is at the address. */
function wrongAddress(how: string, { address_variable }: RequestOfError): string {
  return `The address of the model's provider answered ${how}, as if no provider was there. The`
    + ` service's operator has to check ${address_variable}.`;
}

/** Says where to without the query; the log has that, too. */
function redirected({ name, target }: RedirectedError, request: RequestOfError): ModelError {
  const { origin, pathname, href } = target ?? { origin: 'nowhere', pathname: '', href: 'nowhere' };
  const place = origin.slice(0, 300) + inShort(withoutKeys(pathname, request.api_key), 300);
  const whole = withoutKeys(href, request.api_key).slice(0, 2_000);
  return new ModelError('model_error', wrongAddress(`with a redirect to ${place}`, request),
    { retryable: false, cause: named(name, `It leads to ${whole}`) });
}

/** The answer is a page for people: of a proxy, a login, or another service. */
export function webPage(request: RequestOfError): ModelError {
  return new ModelError('model_error', wrongAddress('with a web page', request),
    { retryable: false });
}

/** Statuses for a request that is itself at fault. */
const REFUSALS = new Set([400, 413, 422, 429]);

/** Where a provider's words end, for callers; those of a fault within it at the first line. */
const STACK = /\bTraceback\b/;
const LINE = /[\r\n]|\\n|\bTraceback\b/;

/** What a provider said, for callers: its beginning, without keys and the queries of addresses. */
function quoted(
  { message, behind }: ErrorDescription, api_key: string | null, end = STACK): string {
  const said = withoutQueries(withoutKeys(behind?.message || message, api_key));
  return inShort(said.trim().split(end)[0]!, 300);
}

/** Cleaned last: a cut may split a pair. */
function inShort(text: string, characters: number): string {
  return sanitizeText(text.replace(/\s+/g, ' ').trim().slice(0, characters));
}

function rateLimited(cause: unknown, retryable: boolean, retry_after_ms?: number): ModelError {
  return new ModelError('model_rate_limited',
    'The model\'s provider limits the rate of requests; try again later.',
    { retryable, retry_after_ms, cause });
}
