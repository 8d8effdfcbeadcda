/** What an answer that is no success means for the caller. */
import { isObject, objectOf, textOf } from '../../json.ts';
import {
  type ActionFailure, type AuthorizedAccount, failure, failureInDoubt, howToAuthorize,
  isAnswerOfProxy, rateLimited, toldOfBody,
} from '../action/failure.ts';
import { Unauthorized } from '../credentials/unauthorized.ts';
import { retryAfter } from '../egress/retryAfter.ts';
import { lookUp } from '../schema/references.ts';
import type { SoftError } from './override.ts';

export interface UpstreamAnswer {
  status: number;
  headers: Record<string, string>;
  /** Decoded, and without secrets. */
  result: unknown;
}

export interface OpenapiFailureContext {
  integration: string;
  /** The record of the attempt; a person who asks for help names it. */
  invocation_id: string | null;
  /** The call was to change something. */
  writes: boolean;
  /** See exchange: the answer is of another request, and the call may have been carried out. */
  strayed: boolean;
  /** A sentence, if the document asks for other credentials than the connection's there. */
  otherwise: string | null;
  /** The account, if it was authorized by OAuth 2.0, and can be for more. */
  authorized: AuthorizedAccount | null;
}

const REQUEST_ID_LIMIT_CHARS = 128;
const REQUEST_ID_HEADERS = ['x-request-id', 'request-id', 'x-github-request-id', 'x-correlation-id',
  'x-amzn-requestid', 'x-ms-request-id', 'x-trace-id', 'cf-ray'];

/** The failure of an answer whose status is no 2xx. */
export function failureOf(
  answer: UpstreamAnswer, context: OpenapiFailureContext): ActionFailure | Unauthorized {
  const { status } = answer;
  if (status === 401) {
    return unauthorized(answer, '401', context);
  }
  if (context.writes && context.strayed) return inDoubt(answer, context, 'where it has led it');
  // GitHub answers 403 when a limit is exceeded.
  const isLimited = status === 429 || (status === 403
    && (answer.headers['x-ratelimit-remaining'] === '0' || 'retry-after' in answer.headers));
  if (isLimited) return limited(answer, context);
  if (status === 403) return forbidden(answer, context);
  if (context.writes && isAnswerOfProxy(status)) {
    return inDoubt(answer, context, 'as a proxy or gateway in between does that got no answer');
  }
  return upstreamError(answer, context, `answered ${status} to this call`);
}

/** The failure in an answer that calls itself a success (`200 {"ok": false}`), or null. */
export function softFailureOf(
  answer: UpstreamAnswer, rule: SoftError, context: OpenapiFailureContext,
): ActionFailure | Unauthorized | null {
  const found = lookUp(objectOf(answer.result), `#${rule.pointer}`);
  if (found === undefined || JSON.stringify(found) !== JSON.stringify(rule.equals)) return null;
  const said = rule.message_pointer === undefined
    ? undefined : lookUp(objectOf(answer.result), `#${rule.message_pointer}`);
  const word = typeof said === 'string' ? said : '';
  if (SOFT_UNAUTHORIZED.test(word)) {
    return unauthorized(answer, word, context);
  }
  if (word === 'missing_scope') return forbidden(answer, context);
  if (word === 'ratelimited' || word === 'rate_limited') return limited(answer, context);
  return upstreamError(answer, context, 'answered this call with an error');
}

// What Slack says, and others after it.
const SOFT_UNAUTHORIZED =
  /^(invalid_auth|not_authed|token_expired|token_revoked|account_inactive|invalid_token)$/;

function unauthorized(
  answer: UpstreamAnswer, said: string, context: OpenapiFailureContext): Unauthorized {
  return new Unauthorized(`${context.integration} does not accept the credentials (${said}).`,
    particulars(answer, context), context.otherwise);
}

function limited(answer: UpstreamAnswer, context: OpenapiFailureContext): ActionFailure {
  return rateLimited(context.integration, retryAfter(answer.headers, Date.now()),
    particulars(answer, context));
}

function forbidden(answer: UpstreamAnswer, context: OpenapiFailureContext): ActionFailure {
  const scopes = scopesOf(answer);
  // Only a challenge says that all of them are needed: of those that GitHub names one will do.
  const challenged = words(challengedIn(answer));
  // A stranger's challenge, where redirects have led, is for no scopes of this account.
  const needed = context.authorized !== null && !context.strayed && challenged.length > 0
    ? howToAuthorize(challenged, context.authorized)
    : scopes.scopes_needed.length === 0 ? '' : ` It asks for: ${scopes.scopes_needed.join(', ')}.`;
  const otherwise = context.otherwise === null ? '' : ` ${context.otherwise}`;
  return failure(
    `${context.integration} does not let the connected account do this.${needed}${otherwise}`, {
      code: 'upstream_forbidden', details: { ...particulars(answer, context), ...scopes },
    });
}

function challengedIn({ headers }: UpstreamAnswer): string | undefined {
  return /\bscope="([^"]*)"/.exec(headers['www-authenticate'] ?? '')?.[1];
}

function upstreamError(
  answer: UpstreamAnswer, context: OpenapiFailureContext, what: string): ActionFailure {
  return failure(`${context.integration} ${what}.${recordOf(context)}`, {
    code: 'upstream_error', details: particulars(answer, context),
  });
}

function inDoubt(
  answer: UpstreamAnswer, context: OpenapiFailureContext, why: string): ActionFailure {
  return failureInDoubt(`${context.integration} answered ${answer.status} to this call, ${why}.${
    recordOf(context)}`, particulars(answer, context));
}

/** Where all that is known of a call can be read. */
function recordOf({ invocation_id }: OpenapiFailureContext): string {
  return invocation_id === null ? '' : ` The record of the call is ${invocation_id}.`;
}

/**
 * What the caller may know of the answer. The body only where the call itself was wrong, for it
 * says how to mend it; of a 5xx it is the inside of somebody else's system.
 */
function particulars(
  { status, headers, result }: UpstreamAnswer, context: OpenapiFailureContext): object {
  const name = REQUEST_ID_HEADERS.find((header) => headers[header] !== undefined);
  return {
    status,
    correlation_id: context.invocation_id,
    ...(name === undefined ? {} : {
      upstream_request_id: headers[name]!.slice(0, REQUEST_ID_LIMIT_CHARS) }),
    ...(status >= 500 || result === null ? {} : { body: toldOfBody(readable(result)) }),
  };
}

/** Of an answer that is no text, only what it is: nobody reads base64. */
function readable(result: unknown): unknown {
  if (!isObject(result) || typeof result.base64 !== 'string') return result;
  const { media_type, bytes, base64: _, ...others } = result;
  return Object.keys(others).length === 0 && typeof bytes === 'number' ? { media_type, bytes }
    : result;
}

/** What rights are needed and what there are, as far as the answer says. */
function scopesOf(answer: UpstreamAnswer) {
  const { headers, result } = answer;
  const body = isObject(result) ? result : {};
  const needed = challengedIn(answer) ?? headers['x-accepted-oauth-scopes'] ?? textOf(body.needed)
    ?? headers['x-accepted-github-permissions']?.replaceAll('=', ':');
  const granted = headers['x-oauth-scopes'] ?? textOf(body.provided);
  return {
    scopes_needed: words(needed),
    ...(granted === undefined ? {} : { scopes_granted: words(granted) }),
  };
}

const SCOPES_LIMIT = 50;

function words(text = ''): string[] {
  return text.split(/[\s,;]+/).filter((word) => word !== '' && word.length <= 200)
    .slice(0, SCOPES_LIMIT);
}
