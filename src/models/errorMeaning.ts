/** What an error of a provider means. */
import { allOf, type ErrorDescription } from './errorDescription.ts';

/** Of whatever stands behind the provider, too: its context is the model's. */
export function isOverflow(seen: ErrorDescription): boolean {
  return OVERFLOW.test(allOf(seen));
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

/**
 * Many mention billing, as the way to more, when it is the rate that is too high: then the code
 * says so, or there is a delay to wait for. Google has one code for all, and one sentence.
 */
export function isOutOfCredit({ kind, message, retry_after_ms }: ErrorDescription): boolean {
  // LiteLLM has budgets of its keys, which it tells by several statuses.
  if (/insufficient_quota|billing|\b402\b|budget_exceeded/i.test(kind)) return true;
  if (/rate_limit_exceeded/i.test(kind)) return false;
  if (/resource_exhausted/i.test(kind)) return /credit|per.?day/i.test(`${kind} ${message}`);
  return NO_CREDIT.test(message) && retry_after_ms === undefined;
}

/** A tool may be called after billing, too. */
const NO_CREDIT = new RegExp(['insufficient_quota', 'credit balance',
  'insufficient (balance|credits)', '/billing\\b', '(your|and|enable|active) billing\\b',
  'billing (details|account|plan|settings|issue|hard limit|limit|required|is not)',
].join('|'), 'i');

export function isRateLimited({ kind }: ErrorDescription): boolean {
  return /rate.?limit|too.?many.?requests|resource.?exhausted|quota/i.test(kind);
}

/**
 * A prompt that alone has more tokens than a minute may have never goes as it is. Groq answers 413
 * to it, OpenAI 429 as to a rate that passes, in nearly the same words.
 */
export function isTooLargeForAMinute({ kind, message }: ErrorDescription): boolean {
  return /rate_limit_exceeded/i.test(kind) && /^Request too large\b/.test(message);
}

/** Some servers say in words alone what passes. */
export function isPassingFault({ kind, message }: ErrorDescription): boolean {
  return /overload|server.?error|api_error|timeout|unavailable|internal/i.test(kind)
    || /^(internal server error|service (temporarily )?unavailable)|\boverloaded\b/i.test(message);
}

/** Whether the service's key was refused. Google and xAI answer 400 to a wrong one, not 401. */
export function isKeyRefused({ kind, message }: ErrorDescription): boolean {
  return /\b401\b|invalid_api_key|authentication|unauthenticated/i.test(kind)
    || /api key (not valid|not found|expired)|(incorrect|invalid) (x-)?api[ -]key/i.test(message);
}

/**
 * Whether a 404 is about the model, not the address: a wrong one may have `model` in its path. What
 * the provider behind OpenRouter says is never about the address.
 */
export function isOfModel({ message, behind }: ErrorDescription): boolean {
  // OpenRouter calls whoever has a model an endpoint.
  return behind !== undefined || /model|deployment|endpoints found(?! for path)/i
    .test(message.replace(/(?<![\w.])\/\S*/g, ''));
}
