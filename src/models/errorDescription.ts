/** What an error of a provider says, in whatever form it says it. */
import { APICallError, TypeValidationError } from '@ai-sdk/provider';
import { isContainer, objectOf, parseJson, textOf, wordOf, type JsonObject } from '../json.ts';
import { askedWait } from './askedWait.ts';

/** An error of OpenRouter, and in it the answer that it was given. */
const DEPTH = 6;

/** The most of a message that is read. */
const MESSAGE_CHARS = 2_000;

/** Free words are no kind, whatever they mention. */
const KIND = /^[\w.:-]{1,60}$/;

interface Said {
  /** Types, codes and statuses, whatever the provider calls them. */
  kind: string;
  message: string;
}

export interface ErrorDescription extends Said {
  /** What OpenRouter was told: it says nothing of the service's own key and account. */
  behind: Said | undefined;
  retryable: boolean | undefined;
  retry_after_ms: number | undefined;
}

/** The content of an error, and of the one that it passes on. */
export function describeFailure(error: unknown): ErrorDescription {
  // The package's own words quote all that it could not interpret.
  const { kinds, message, retryable, raw } =
    read(TypeValidationError.isInstance(error) ? error.value : error);
  const within = raw ? read(raw) : undefined;
  const behind = within && { kind: within.kinds.join(' '), message: within.message };
  const body = bodyOf(error);
  if (!behind && /"quotaId":\s*"\w*PerDay/.test(body)) kinds.push('quota_per_day');
  if (kinds.includes('429')) kinds.push('rate_limit');
  if (kinds.some((kind) => /^5\d\d$/.test(kind))) kinds.push('server_error');
  return {
    kind: kinds.join(' '), message, behind, retryable,
    retry_after_ms: askedWait(error, body, `${message} ${behind?.message ?? ''}`),
  };
}

/** All that an error says, kinds and words, of whoever said them. */
export function allOf({ kind, message, behind }: ErrorDescription): string {
  return [kind, message, behind?.kind, behind?.message].filter(Boolean).join(' ');
}

/**
 * Errors inside a stream are plain objects, some with an `error` or `data` of their own. Of a list
 * the first counts: Google's server of chat completions has one around its error, FastAPI and
 * Cloudflare tell all that is wrong. A list beside words says less than they do. The innermost
 * words count. `raw` is what OpenRouter was told.
 */
function read(
  error: unknown): { kinds: string[]; message: string; retryable?: boolean; raw: unknown } {
  let retryable: boolean | undefined;
  let message = '';
  let raw: unknown;
  const kinds: string[] = [];
  let value = firstOrSelf(error);
  for (let depth = 0; depth < DEPTH && isContainer(value); depth++) {
    const fields = value as JsonObject;
    if (typeof fields.isRetryable === 'boolean') retryable ??= fields.isRetryable;
    message = shortened(textOf(fields.message) ?? violationIn(fields)) ?? message;
    // Spring and Nest name the status there.
    const name = textOf(fields.message) && textOf(fields.error);
    for (const kind of [fields.type, fields.code, fields.status, name]) {
      if (KIND.test(wordOf(kind) ?? '')) kinds.push(String(kind));
    }
    raw ??= toldTo(fields);
    value = firstOrSelf(bodyIn(value) ?? (name ? undefined : fields.error) ?? fields.data
      ?? fields.response ?? fields.detail ?? (textOf(fields.message) ? undefined : fields.errors));
  }
  if (typeof value === 'string') {
    if (KIND.test(value)) kinds.push(value);
    message = shortened(value)!;
  }
  return { kinds, message, raw, ...(retryable !== undefined && { retryable }) };
}

/** Its last word is left out if that is cut: the half of a key does not look like one. */
function shortened(text: string | undefined): string | undefined {
  return text === undefined || text.length <= MESSAGE_CHARS ? text
    : text.slice(0, MESSAGE_CHARS).replace(/(?<![!-~])[!-~]+$/, '');
}

function firstOrSelf(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : value;
}

/** FastAPI's form: `{loc: ['body', 'max_tokens'], msg: 'Extra inputs are not permitted'}`. */
function violationIn({ loc, msg }: JsonObject): string | undefined {
  const where = Array.isArray(loc) ? loc.map((part) => textOf(part) ?? JSON.stringify(part)) : [];
  return textOf(msg) && [where.join('.'), msg].filter(Boolean).join(': ');
}

/** What was answered: the provider's package keeps less of it in `data`. */
function bodyIn(error: unknown): unknown {
  return APICallError.isInstance(error) ? contentOf(error.responseBody ?? '') : undefined;
}

/** What OpenRouter was told by the provider behind it. */
function toldTo({ metadata }: JsonObject): unknown {
  const { raw } = objectOf(metadata);
  return typeof raw === 'string' ? contentOf(raw) : raw;
}

/** JSON or words; undefined for a page. */
function contentOf(text: string): unknown {
  const value = parseJson(text);
  if (value !== undefined || /^\s*(<|$)/.test(text)) return value;
  return text.trim();
}

/** What was answered, or an error in a stream, as JSON. */
function bodyOf(error: unknown): string {
  const { responseBody, data } = (error ?? {}) as { responseBody?: unknown; data?: unknown };
  return typeof responseBody === 'string' ? responseBody : JSON.stringify(data ?? null);
}
