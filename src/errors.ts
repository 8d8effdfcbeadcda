/**
 * The catalogue of errors. An error carries a code, a message for a person and, for the log alone,
 * its cause; it knows no HTTP. `STATUS_OF_CODE` is read in one place, src/http/dispatch.ts.
 * A test keeps this catalogue, openapi.yaml and docs/errors.md equal.
 */

/** Code → HTTP status. The codes are the contract; docs/errors.md says what each asks of you. */
export const STATUS_OF_CODE = {
  invalid_json: 400,
  invalid_request: 400,
  invalid_cursor: 400,
  invalid_input: 400,
  invalid_document: 400,
  egress_refused: 400,
  missing_api_key: 401,
  invalid_api_key: 401,
  not_permitted: 403,
  action_not_read_only: 403,
  approval_required: 403,
  storage_full: 403,
  not_found: 404,
  unknown_action: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  session_busy: 409,
  session_archived: 409,
  workspace_archived: 409,
  idempotency_key_reused: 409,
  idempotency_in_progress: 409,
  not_connected: 409,
  needs_reconnect: 409,
  connection_ambiguous: 409,
  answer_required: 409,
  already_exists: 409,
  integration_in_use: 409,
  approval_decided: 409,
  events_expired: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  queue_full: 429,
  approvals_full: 429,
  internal_error: 500,
  upstream_error: 502,
  upstream_forbidden: 502,
  upstream_rate_limited: 502,
  unavailable: 503,
  upstream_timeout: 504,
} as const;

export type ErrorCode = keyof typeof STATUS_OF_CODE;

export interface ErrorOptions {
  /** JSON pointer into the body, or the name of the parameter that is wrong. */
  param?: string;
  /** Machine-readable particulars, public. */
  details?: unknown;
  /** Whole seconds after which trying again makes sense; becomes the Retry-After header. */
  retry_after_s?: number;
  /** Further response headers the code calls for (Allow, WWW-Authenticate). */
  headers?: Record<string, string>;
  /** What really happened: logged, never sent. */
  cause?: unknown;
}

/** An error whose code and message may be shown; anything else becomes internal_error. */
export class GatehouseError extends Error {
  readonly code: ErrorCode;
  readonly param: string | null;
  readonly details: unknown;
  readonly retry_after_s: number | undefined;
  readonly headers: Record<string, string> | undefined;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'GatehouseError';
    this.code = code;
    this.param = options.param ?? null;
    this.details = options.details;
    this.retry_after_s = options.retry_after_s;
    this.headers = options.headers;
  }
}

/** For a path that is known, and has the methods `allowed` and no other. */
export function methodNotAllowed(method: string, allowed: readonly string[]): GatehouseError {
  const list = allowed.join(', ');
  return new GatehouseError('method_not_allowed',
    `${method} is not possible here. Allowed: ${list}.`, { headers: { Allow: list } });
}

/** The api key that something is asked for with is none, or is not good any more. */
export function invalidKey(): GatehouseError {
  return new GatehouseError('invalid_api_key',
    'The api key is not valid. It may be mistyped, revoked or expired, or its workspace archived.');
}

/** An access token that was good is so no more: nobody has guessed. */
export class ExpiredTokenError extends GatehouseError {
  constructor() {
    super('invalid_api_key', 'The access token is not good: it has expired.');
  }
}

/** The key in whose name something was under way was revoked, or its workspace archived. */
export class RevokedError extends GatehouseError {
  readonly reason: string;

  constructor(reason: string) {
    super('invalid_api_key', invalidKey().message);
    this.reason = reason;
  }
}

/** What is asked for with an api key, which reaches one workspace; all else with an admin token. */
const IN_WORKSPACE: readonly string[] = ['session', 'run', 'action invocation'];

/** The same answer for an id that does not exist and for one of another workspace. */
export function notFound(what: string, id: string): GatehouseError {
  const reach = IN_WORKSPACE.includes(what)
    ? ' An api key reaches only what is in its own workspace.' : '';
  return new GatehouseError('not_found',
    `No ${what} has the id ${JSON.stringify(id)}. Check the id.${reach}`);
}

/** The workspace has stored as much as it may, in bytes. */
export function storageFull(limit: number): GatehouseError {
  return new GatehouseError('storage_full',
    `The workspace has stored ${limit} bytes or more, the most allowed. Of that, only`
      + ' events go by themselves, as they expire; delete sessions that are done with, or have the'
      + ' operator of this service allow more.');
}

/** It has waited for its turn for as long as an answer may take. */
const USED_UP_S = 5;

/** What stood before it at the database were others of its own workspace. */
export function shareUsedUp(cause: unknown): GatehouseError {
  return new GatehouseError('rate_limited', 'This workspace has asked for more than the database'
    + ` does for it in ${USED_UP_S} seconds, beside what others ask for. Ask more slowly, and`
    + ' repeat this after Retry-After; what had an Idempotency-Key, with the same one.',
  { cause, retry_after_s: USED_UP_S });
}

/** What is said where `hasNoRoom` holds. */
export const NO_ROOM = 'The database has no room left: what stores something fails until the'
  + ' operator of this service makes room. The log says more.';

/** Whether PostgreSQL had no room for a statement, on its disk or in its shared memory. */
export function hasNoRoom(error: unknown): boolean {
  return error instanceof Error
    && ((error as NodeJS.ErrnoException).code === '53100' || hasNoRoom(error.cause));
}
