/** What an error of a provider says, in whatever form it says it. */
import { APICallError, TypeValidationError } from '@ai-sdk/provider';
import { isContainer, parseJson, textOf, type JsonObject } from '../json.ts';
import { askedWait } from './askedWait.ts';

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
 */
export function describeFailure(error: unknown): ErrorDescription {
  let retryable: boolean | undefined;
  let message = '';
  const kinds: string[] = [];
  let value = firstOrSelf(error);
  for (let depth = 0; depth < 4 && isContainer(value); depth++) {
    const fields = value as JsonObject;
    if (typeof fields.isRetryable === 'boolean') retryable ??= fields.isRetryable;
    message = (textOf(fields.message) ?? violationIn(fields))?.slice(0, 2_000) ?? message;
    for (const kind of [fields.type, fields.code, fields.status]) {
      if (typeof kind === 'string' || typeof kind === 'number') kinds.push(String(kind));
    }
    value = firstOrSelf(fields.error ?? fields.data ?? fields.response ?? fields.detail
      ?? (textOf(fields.message) ? undefined : fields.errors) ?? unread(value));
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

/** The part of an error that the provider's package could not interpret. */
function unread(error: unknown): unknown {
  if (TypeValidationError.isInstance(error)) return error.value;
  if (!APICallError.isInstance(error) || !error.responseBody) return undefined;
  const value = parseJson(error.responseBody);
  if (value !== undefined || /^\s*</.test(error.responseBody)) return value;
  return error.responseBody.slice(0, 2_000).replace(/\s+/g, ' ').trim();
}

/** What was answered, or an error in a stream, as JSON. */
function bodyOf(error: unknown): string {
  const { responseBody, data } = (error ?? {}) as { responseBody?: unknown; data?: unknown };
  return typeof responseBody === 'string' ? responseBody : JSON.stringify(data ?? null);
}
