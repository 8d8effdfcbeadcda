/** An action of an OpenAPI document, performed: from its input to its result or its failure. */
import type { Performed, PerformRequest } from '../action/action.ts';
import { failure, lacks, type ActionFailure } from '../action/failure.ts';
import { invalidInput } from '../action/missing.ts';
import type { Violation } from '../action/outcome.ts';
import {
  applyCredentials, UnusableCredentials, withoutNames, type Authenticated,
} from '../credentials/applyCredentials.ts';
import { Unauthorized } from '../credentials/unauthorized.ts';
import type { Departure } from '../egress/departure.ts';
import { checkUpstreamUrl, EgressRefused } from '../egress/egress.ts';
import { UpstreamUnreachable } from '../egress/unreachable.ts';
import type { Upstream, UpstreamResponse } from '../egress/upstream.ts';
import { failureOf, softFailureOf } from './failure.ts';
import { nextPage } from './nextPage.ts';
import type { ImportedAction } from './openapi.ts';
import { undeclaredQuery, wrapCursor } from './pageCursor.ts';
import { buildRequest, type OperationRequest } from './request.ts';
import { serialiseBody } from './requestBody.ts';
import { decodeResult } from './result.ts';
import { withoutSlash } from './servers.ts';

export interface CallDependencies {
  upstream: Upstream;
  /** How much is kept of an answer that was too large to be read. */
  result_limit_bytes: number;
}

export interface CallTarget {
  base_url: string;
  egress_allow: readonly string[];
}

/**
 * Calls the operation once. Throws ActionFailure for what the caller is to be told, Unauthorized if
 * the credentials are not accepted, and the signal's reason when it aborts.
 */
export async function callOperation(
  deps: CallDependencies, action: ImportedAction, target: CallTarget, request: PerformRequest,
  signal: AbortSignal): Promise<Performed> {
  const { input, scrub, departure } = request;
  let response: UpstreamResponse;
  try {
    const written = write(action, target, request);
    response = await deps.upstream.send({ ...written, method: action.method, departure,
      egress_allow: target.egress_allow, confidential: request.credentials.type !== 'none' },
    signal);
  } catch (error) {
    throw transportFailure(error, action, departure);
  }
  const decoded = decodeResult(response, {
    expects_json: action.output_schema !== null, head_limit_bytes: deps.result_limit_bytes, scrub,
  });
  const result = scrub(decoded.result);
  const answer = { status: response.status, headers: scrub(response.headers), result };
  const context = { integration: action.integration, invocation_id: request.invocation_id };
  if (response.status < 200 || response.status > 299) throw failureOf(answer, context);
  const soft = action.soft_error === null
    ? null : softFailureOf(answer, action.soft_error, context);
  if (soft !== null) throw soft;
  const page = { input, headers: answer.headers, result };
  const next = decoded.truncated ? null : nextPage(action, page);
  return {
    result,
    next_cursor: next === null ? null : wrapCursor(next),
    ...(decoded.truncated ? { truncated: true } : {}),
  };
}

function invalid(action: ImportedAction, violations: Violation[]): ActionFailure {
  return lacks(invalidInput(action.name, { violations, schema: {} }));
}

/** What goes over the wire, credentials and all. */
function write(
  action: ImportedAction, target: CallTarget,
  { input, idempotency_key, credentials }: PerformRequest,
): Authenticated & { body?: Buffer | string } {
  const built = buildRequest(action, input);
  if ('violations' in built) throw invalid(action, built.violations);
  const { request } = built;
  const { headers } = request;
  const { body_media_type } = action.request;
  let body: Buffer | string | undefined;
  if (request.body !== undefined && body_media_type !== null) {
    const written = serialiseBody(body_media_type, request.body, action.request);
    if ('violations' in written) throw invalid(action, written.violations);
    body = written.body;
    headers['content-type'] = written.content_type;
  }
  headers.accept = 'application/json, */*;q=0.8';
  if (idempotency_key !== null) headers['idempotency-key'] ??= idempotency_key;
  const url = urlOf(action, target, request, undeclaredQuery(action, input));
  try {
    return { ...applyCredentials({ url, headers }, credentials), body };
  } catch (error) {
    throw error instanceof UnusableCredentials ? new Unauthorized(error.message) : error;
  }
}

/** `page`: parameters of the page that the document does not declare. */
function urlOf(
  action: ImportedAction, target: CallTarget, request: OperationRequest,
  page: readonly [string, string][]): URL {
  const url = serverOf(action, target);
  const path = request.path.startsWith('/') ? request.path : `/${request.path}`;
  const added = page
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  const query = [url.search.slice(1), request.query ?? '', ...added].filter((part) => part !== '');
  url.search = withoutNames(query.join('&'), () => false).join('&');
  url.pathname = withoutSlash(url.pathname) + path;
  return url;
}

function serverOf(action: ImportedAction, target: CallTarget): URL {
  const base = checkUpstreamUrl(target.base_url, target.egress_allow);
  const [own] = action.servers;
  if (own === undefined) return base;
  const url = URL.parse(own, base.href);
  // A document that changes must not lead the credentials elsewhere.
  if (url?.origin === base.origin) return url;
  throw failure(`${action.integration} has this operation at another place`
    + ` (${url?.host ?? own}), to which the integration does not send its credentials.`);
}

function transportFailure(error: unknown, action: ImportedAction, { left }: Departure): unknown {
  const { integration } = action;
  if (error instanceof EgressRefused) {
    return failure(`${integration} may not be called so: ${error.message}`);
  }
  if (!(error instanceof UpstreamUnreachable)) return error;
  const message = `${integration} gave no usable answer: ${error.message}.`;
  return !left || action.effect === 'read' ? failure(message)
    : failure(`${message} What the call was to change may have changed. Look before you repeat it.`,
      { code: 'outcome_unknown' });
}
