import { APICallError } from '@ai-sdk/provider';

interface ModelErrorOptions {
  retryable: boolean;
  /** How long the provider asks us to wait before the next attempt. */
  retry_after_ms?: number;
  cause?: unknown;
}

/**
 * A step that failed at the model's side. The message may be shown to the caller, so it quotes
 * nothing that a provider said (that may hold a piece of a key); `cause` is for the log.
 */
export class ModelError extends Error {
  readonly code: 'model_error' | 'model_rate_limited';
  readonly retryable: boolean;
  readonly retry_after_ms: number | undefined;

  constructor(
    code: 'model_error' | 'model_rate_limited', message: string, options: ModelErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ModelError';
    this.code = code;
    this.retryable = options.retryable;
    this.retry_after_ms = options.retry_after_ms;
  }
}

/** The stream ended without a finish that can be trusted: nothing of it may be performed. */
export function cutStream(cause?: unknown): ModelError {
  return new ModelError('model_error',
    'The model\'s answer broke off before it was complete.', { retryable: true, cause });
}

/**
 * Whatever a provider threw or put into its stream, as a ModelError. `fallback_retryable` decides
 * where the error itself does not say: true for a stream that broke while it was read.
 */
export function toModelError(error: unknown, fallback_retryable: boolean): ModelError {
  if (error instanceof ModelError) return error;
  if (APICallError.isInstance(error)) return fromApiCall(error);
  const seen = describe(error);
  if (/rate.?limit|too.?many.?requests|resource.?exhausted|quota/i.test(seen.kind)) {
    return rateLimited(error, seen.retryable ?? true);
  }
  const passing = /overload|server.?error|api_error|timeout|unavailable|internal/i.test(seen.kind);
  return new ModelError('model_error', 'The model\'s provider reported an error.', {
    retryable: seen.retryable ?? (passing || fallback_retryable), cause: error,
  });
}

function fromApiCall(error: APICallError): ModelError {
  const retry_after_ms = retryAfter(error.responseHeaders ?? {});
  if (error.statusCode === 429) return rateLimited(error, error.isRetryable, retry_after_ms);
  const message = error.statusCode === undefined
    ? 'The model\'s provider could not be reached.'
    : `The model's provider answered with HTTP status ${error.statusCode}.`;
  return new ModelError('model_error', message,
    { retryable: error.isRetryable, retry_after_ms, cause: error });
}

function rateLimited(cause: unknown, retryable: boolean, retry_after_ms?: number): ModelError {
  return new ModelError('model_rate_limited',
    'The model\'s provider limits the rate of requests; try again later.',
    { retryable, retry_after_ms, cause });
}

/** Errors inside a stream are plain objects, some with an `error` or `data` of their own. */
function describe(error: unknown): { kind: string; retryable: boolean | undefined } {
  let retryable: boolean | undefined;
  const kinds: string[] = [];
  let value = error;
  for (let depth = 0; depth < 3 && typeof value === 'object' && value !== null; depth++) {
    const fields = value as Record<string, unknown>;
    if (typeof fields.isRetryable === 'boolean') retryable ??= fields.isRetryable;
    for (const name of ['type', 'code', 'status'] as const) {
      const kind = fields[name];
      if (typeof kind === 'string' || typeof kind === 'number') kinds.push(String(kind));
    }
    value = fields.error ?? fields.data;
  }
  if (typeof value === 'string') kinds.push(value);
  if (kinds.includes('429')) kinds.push('rate_limit');
  if (kinds.some((kind) => /^5\d\d$/.test(kind))) kinds.push('server_error');
  return { kind: kinds.join(' ').slice(0, 2_000), retryable };
}

/** `retry-after-ms`, or `retry-after` in seconds or as a date; undefined when neither is sound. */
function retryAfter(headers: Record<string, string>): number | undefined {
  const given = (name: string) => {
    const found = Object.keys(headers).find((key) => key.toLowerCase() === name);
    return found === undefined ? '' : headers[found]!.trim();
  };
  if (/^\d+(\.\d+)?$/.test(given('retry-after-ms'))) return Number(given('retry-after-ms'));
  const after = given('retry-after');
  if (/^\d+(\.\d+)?$/.test(after)) return Number(after) * 1_000;
  const at_ms = Date.parse(after);
  return Number.isNaN(at_ms) ? undefined : Math.max(0, at_ms - Date.now());
}
