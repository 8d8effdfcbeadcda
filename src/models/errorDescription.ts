/** What an error of a provider says, in whatever form it says it. */
import { APICallError, TypeValidationError } from '@ai-sdk/provider';
import { isContainer, objectOf, parseJson, textOf, type JsonObject } from '../json.ts';
import { askedWait } from './askedWait.ts';

/** An error of OpenRouter, and in it the answer that it was given. */
const DEPTH = 6;

export interface ErrorDescription {
  /** Types, codes and statuses, whatever the provider calls them. */
  kind: string;
  message: string;
  retryable: boolean | undefined;
  retry_after_ms: number | undefined;
}

/**
 * The content of an error. Errors inside a stream are plain objects, some with an `error` or `data`
 * of their own. Of a list the first counts: Google's server of chat completions has one around its
 * error, FastAPI and Cloudflare tell all that is wrong. A list beside words says less than they do.
 * The innermost words count: OpenRouter's own are "Provider returned error", whatever it was told.
 */
export function describeFailure(error: unknown): ErrorDescription {
  let retryable: boolean | undefined;
  let message = '';
  const kinds: string[] = [];
  // The package's own words quote all that it could not interpret.
  let value = firstOrSelf(TypeValidationError.isInstance(error) ? error.value : error);
  for (let depth = 0; depth < DEPTH && isContainer(value); depth++) {
    const fields = value as JsonObject;
    if (typeof fields.isRetryable === 'boolean') retryable ??= fields.isRetryable;
    message = (textOf(fields.message) ?? violationIn(fields))?.slice(0, 2_000) ?? message;
    for (const kind of [fields.type, fields.code, fields.status]) {
      if (typeof kind === 'string' || typeof kind === 'number') kinds.push(String(kind));
    }
    value = firstOrSelf(bodyIn(value) ?? fields.error ?? fields.data ?? fields.response
      ?? fields.detail ?? (textOf(fields.message) ? undefined : fields.errors) ?? toldTo(fields));
  }
  if (typeof value === 'string') {
    kinds.push(value);
    message = value.slice(0, 2_000);
  }
  const body = bodyOf(error);
  if (/"quotaId":\s*"\w*PerDay/.test(body)) kinds.push('quota_per_day');
  if (kinds.includes('429')) kinds.push('rate_limit');
  if (kinds.some((kind) => /^5\d\d$/.test(kind))) kinds.push('server_error');
  return {
    kind: kinds.join(' ').slice(0, 2_000), message, retryable,
    retry_after_ms: askedWait(error, body, message),
  };
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
  return text.slice(0, 2_000).replace(/\s+/g, ' ').trim();
}

/** What was answered, or an error in a stream, as JSON. */
function bodyOf(error: unknown): string {
  const { responseBody, data } = (error ?? {}) as { responseBody?: unknown; data?: unknown };
  return typeof responseBody === 'string' ? responseBody : JSON.stringify(data ?? null);
}
