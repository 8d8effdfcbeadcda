import {
  AISDKError, APICallError, InvalidResponseDataError, JSONParseError, TypeValidationError,
} from '@ai-sdk/provider';
import { isObject } from '../json.ts';
import { sanitizeText } from '../sanitize.ts';
import { describeFailure, type ErrorDescription } from './errorDescription.ts';
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
  if (OVERFLOW.test(`${seen.kind} ${seen.message}`)) {
    const { prompt_chars } = request ?? {};
    if (!request || prompt_chars !== undefined) return contextOverflow(cause, prompt_chars);
  }
  if (isOutOfCredit(seen) || (APICallError.isInstance(error) && error.statusCode === 402)) {
    return new ModelError('model_rate_limited', 'The service\'s account at the model\'s provider'
      + ' has no credit left. Its operator has to see to that.',
    { retryable: false, cause });
  }
  if (APICallError.isInstance(error)) return fromApiCall(error, { seen, cause }, request);
  if (/rate.?limit|too.?many.?requests|resource.?exhausted|quota/i.test(seen.kind)) {
    return rateLimited(cause, seen.retryable ?? true, seen.retry_after_ms);
  }
  const passing = /overload|server.?error|api_error|timeout|unavailable|internal/i.test(seen.kind);
  // The words of other errors than the provider's own are for the log.
  const is_theirs = !(error instanceof Error) || TypeValidationError.isInstance(error);
  const quote = is_theirs ? quoted(seen.message, request?.api_key ?? null) : '';
  return new ModelError('model_error', `The model's provider reported an error${atEnd(quote)}`, {
    retryable: seen.retryable ?? (passing || fallback_retryable), cause,
    ...(fallback_retryable && { usage: null }),
  });
}

/**
 * Whether the stream held something that is no answer, or only a part of one: a proxy or server
 * failed on the way. The messages of these errors quote the answer, so they are not read. Errors
 * that a server words in its own way do not count.
 */
function isGarbled(error: unknown): boolean {
  if (TypeValidationError.isInstance(error)) return !holdsError(error.value);
  return JSONParseError.isInstance(error) || InvalidResponseDataError.isInstance(error)
    || (error instanceof Error && error.message === GARBLED_FIRST);
}

/** What Anthropic's package throws if the first event is garbled. It keeps nothing of that. */
const GARBLED_FIRST = 'Expected a normalized Anthropic stream error';

function holdsError(value: unknown): boolean {
  return isObject(value) && ('error' in value || value.object === 'error');
}

/**
 * The error as the log may hold it. The packages' errors quote requests and answers, which must not
 * be logged: of errors about an answer only the name is kept, of refusals the provider's message.
 */
function causeOf(
  error: unknown, seen: ErrorDescription, request: RequestOfError | undefined): Error {
  const told = quoted(`${seen.kind} ${seen.message}`.trim(), request?.api_key ?? null);
  if (APICallError.isInstance(error)) {
    const { statusCode: status } = error;
    // There was no answer, so the error is about the connection.
    if (status === undefined) return error;
    return named('APICallError', `HTTP status ${status}${status < 300 ? '' : `: ${told}`}`);
  }
  if (AISDKError.isInstance(error)) return named(error.name, 'The answer makes no sense.');
  return error instanceof Error ? error : named('ProviderError', told);
}

function named(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}

/**
 * Many mention billing, as the way to more, when it is the rate that is too high: then the code
 * says so, or there is a delay to wait for. Google has one code for all, and one sentence.
 */
function isOutOfCredit({ kind, message, retry_after_ms }: ErrorDescription): boolean {
  // LiteLLM has budgets of its keys, which it tells by several statuses.
  if (/insufficient_quota|billing|\b402\b|budget_exceeded/i.test(kind)) return true;
  if (/rate_limit_exceeded/i.test(kind)) return false;
  if (/resource_exhausted/i.test(kind)) return /credit|per.?day/i.test(`${kind} ${message}`);
  return /insufficient_quota|billing|credit balance|insufficient (balance|credits)/i.test(message)
    && retry_after_ms === undefined;
}

/** How providers say that a prompt is too long: the vendors, xAI, vLLM, SGLang, llama.cpp… */
const OVERFLOW = new RegExp([
  'context_length_exceeded', 'prompt is too long', 'request_too_large',
  'input token count .{0,40}exceeds', 'maximum context length', 'exceed_context_size',
  'exceeds? the ((available|model\'?s?) )?context', 'input is too long', 'context ?window',
  'longer than the model\'?s? context',
  'exceed context limit', 'maximum prompt length', 'context length of only',
  // Moonshot, Zhipu, Alibaba, Hugging Face, Cohere.
  'exceeded model token limit', 'prompt exceeds max(imum)? length', 'range of input length',
  '`inputs` (tokens|must have)', 'too many tokens: size limit',
].join('|'), 'i');

function fromApiCall(
  error: APICallError, { seen, cause }: { seen: ErrorDescription; cause: unknown },
  request: RequestOfError | undefined): ModelError {
  const { statusCode: status, isRetryable: retryable } = error;
  const { retry_after_ms } = seen;
  // The status was a success, so the answer broke off later.
  if (status !== undefined && status < 300) return cutStream(cause);
  const is_too_large = status === 413 || isTooLargeForAMinute(seen);
  if (status === 429 && !is_too_large) return rateLimited(cause, retryable, retry_after_ms);
  return new ModelError('model_error', explain(status, seen.message, request), {
    retryable: retryable && !is_too_large, retry_after_ms,
    prompt_chars: is_too_large ? request?.prompt_chars : undefined, cause,
  });
}

/**
 * A prompt that alone has more tokens than a minute may have never goes as it is. Groq answers 413
 * to it, OpenAI 429 as to a rate that passes, in nearly the same words.
 */
function isTooLargeForAMinute({ kind, message }: ErrorDescription): boolean {
  return /rate_limit_exceeded/i.test(kind) && /^Request too large\b/.test(message);
}

function explain(
  status: number | undefined, said: string, request: RequestOfError | undefined): string {
  if (status === undefined) return 'The model\'s provider could not be reached.';
  const quote = quoted(said, request?.api_key ?? null);
  const sentence = atEnd(quote && `${quote.replace(/\.$/, '')}.`);
  if (request !== undefined && status === 403) {
    // It may be for the country, or for an input that was moderated, too.
    return 'The model\'s provider refused the service\'s key or what was asked (HTTP status 403)'
      + `${sentence} If it is the key, the operator has to check ${request.key_variable}.`;
  }
  if (request !== undefined && (status === 401 || BAD_KEY.test(said))) {
    return `The model's provider refused the service's key (HTTP status ${status}). Its operator`
      + ` has to check ${request.key_variable}.`;
  }
  if (request !== undefined && status === 404) {
    // OpenRouter calls whoever has a model an endpoint.
    return /model|deployment|endpoints found/i.test(said)
      ? `The model's provider knows no model ${JSON.stringify(request.id)}, or the service's key`
        + ` may not use it${sentence} Name another model.`
      : wrongAddress('with HTTP status 404', request);
  }
  const how = quote !== '' && REFUSALS.has(status)
    ? `refused the request (HTTP status ${status})` : `answered with HTTP status ${status}`;
  return `The model's provider ${how}${atEnd(quote)}`;
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
  const place = origin.slice(0, 300) + quoted(pathname, request.api_key);
  const whole = withoutKeys(href, request.api_key).slice(0, 2_000);
  return new ModelError('model_error', wrongAddress(`with a redirect to ${place}`, request),
    { retryable: false, cause: named(name, `It leads to ${whole}`) });
}

/** The answer is a page for people: of a proxy, a login, or another service. */
export function webPage(request: RequestOfError): ModelError {
  return new ModelError('model_error', wrongAddress('with a web page', request),
    { retryable: false });
}

/** Google and xAI answer 400 to a wrong key, not 401. */
const BAD_KEY = /api key (not valid|not found|expired)|incorrect api key/i;

/** Statuses for a request that is itself at fault. */
const REFUSALS = new Set([400, 413, 422, 429]);

/** The beginning of what a provider said, without keys. Cleaned last: a cut may split a pair. */
function quoted(said: string, api_key: string | null): string {
  return sanitizeText(withoutQueries(withoutKeys(said, api_key)).slice(0, 300));
}

function rateLimited(cause: unknown, retryable: boolean, retry_after_ms?: number): ModelError {
  return new ModelError('model_rate_limited',
    'The model\'s provider limits the rate of requests; try again later.',
    { retryable, retry_after_ms, cause });
}
