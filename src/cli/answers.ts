import { refusedCertificate } from '../certificates.ts';
import { isObject, listOf, objectOf, parseJson, type JsonObject } from '../json.ts';
import { meaningOf } from '../proxyAnswers.ts';
import type { Schemas } from '../../generated/types.ts';
import { EXIT, Failure } from './failure.ts';
import { oneLine, safeText } from './terminal.ts';

export class ApiError extends Failure {
  readonly status: number;
  readonly retry_after_ms: number | null;
  /** A code of the service's catalogue; null if something else than the service answered. */
  readonly code: string | null;

  constructor(
    message: string, status: number, retry_after_ms: number | null, code: string | null = null) {
    super(message);
    this.status = status;
    this.retry_after_ms = retry_after_ms;
    this.code = code;
  }
}

/** The connection broke, or could not be made. */
export class ConnectionError extends Failure {}

/** Nothing listens there: the request cannot have had an effect. */
export class RefusedError extends ConnectionError {}

/** What is said of an answer that is no TLS, by how it begins. */
const NO_TLS = ['ERR_SSL_PACKET_LENGTH_TOO_LONG', 'ERR_SSL_WRONG_VERSION_NUMBER'];
/** So nginx, Apache and Go's servers answer to plain HTTP where they speak TLS. */
const WANTS_TLS = /to (?:an )?(?:HTTPS|SSL-enabled server) (?:port|server)/i;

const SHOWN_PARTICULARS = 10;

/**
 * Says in words what went wrong below HTTP with a request to `base_url` that had `limit_ms` for its
 * answer.
 */
export function connectionFailure(error: unknown, base_url: string, limit_ms: number): Failure {
  if (error instanceof Failure) return error;
  const { name, message, cause } = error as Error & { cause?: NodeJS.ErrnoException };
  if (cause?.code === 'ECONNREFUSED') {
    return new RefusedError(`Nothing answers at ${base_url}. Is the service running?`
      + ' Start it with: gatehouse serve', EXIT.failed, error);
  }
  if (NO_TLS.includes(cause?.code ?? '')) {
    return new ConnectionError(`What answers at ${base_url} speaks no TLS. If it is the service,`
      + ` try ${base_url.replace(/^https/, 'http')}: Gatehouse itself speaks plain HTTP, and only`
      + ' a proxy before it speaks TLS.', EXIT.failed, error);
  }
  if (cause?.message === 'bad port') {
    return new ConnectionError(`Nothing was sent to ${base_url}: its port belongs to another`
      + ' protocol, and neither fetch nor any browser asks it. Give the service another PORT.',
    EXIT.failed, error);
  }
  const refused = refusedCertificate(base_url, error as Error);
  if (refused !== undefined) {
    return new ConnectionError(`Nothing was sent: ${refused.said}. ${refused.advice}`,
      EXIT.failed, error);
  }
  const why = name === 'TimeoutError' ? `no answer within ${limit_ms / 1_000} s`
    : cause?.message || cause?.code || message;
  return new ConnectionError(
    `The connection to ${base_url} failed: ${oneLine(why, 300)}.`, EXIT.failed, error);
}

/** All that the service answers says what kind of object it is; no more is looked at. */
export function parseAnswer(url: string, text: string): unknown {
  const answer = parseJson(text);
  if (isObject(answer) && typeof answer.object === 'string') return answer;
  throw new Failure(foreignAnswer(url, answer === undefined ? 'not JSON' : 'no object of the API'));
}

/** The words about what another service has answered. */
export function foreignAnswer(url: string, what: string): string {
  return `${url} answered something that is ${what}. Is it the address of a Gatehouse service?`;
}

/** Whether the body of an answer is an error of the API, and not that of another service. */
export function isApiError(body: unknown): body is Schemas['ApiError'] {
  return isObject(body)
    && [body.error, body.code, body.request_id].every((member) => typeof member === 'string');
}

/** Makes an error of an answer: message, violations of the document, code and request id. */
export function errorOf(response: Response, text: string): ApiError {
  const { status, headers } = response;
  const seconds = Number(headers.get('retry-after') ?? NaN);
  const retry_after_ms = Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : null;
  const body = parseJson(text);
  if (!isApiError(body)) {
    if (status === 400 && WANTS_TLS.test(text)) {
      return new ApiError(`What answers at ${response.url} speaks TLS: give its address with`
        + ' https.', status, retry_after_ms);
    }
    return new ApiError(`${response.url} answered ${status} and no more than that. ${
      meaningOf(status) ?? 'Is it the address of a Gatehouse service?'}`, status, retry_after_ms);
  }
  const particulars = particularsOf(body.details);
  const lines = [safeText(body.error), ...particulars.slice(0, SHOWN_PARTICULARS),
    ...(particulars.length > SHOWN_PARTICULARS
      ? [`  and ${particulars.length - SHOWN_PARTICULARS} more`] : []),
    `(${body.code}, request ${body.request_id})`];
  return new ApiError(lines.join('\n'), status, retry_after_ms, body.code);
}

/** Of the answer of another system; the invocation has the rest. */
const SAID_CHARS = 2_000;
const objectsIn = (list: unknown): JsonObject[] => listOf(list).filter(isObject);

/**
 * Lines for what the message leaves out: all violations if there are several, all accounts, and
 * what another system gave as the reason.
 */
function particularsOf(details: unknown): string[] {
  const line = (...words: unknown[]) =>
    `  ${words.map((word) => oneLine(String(word), 200)).join(' ')}`;
  const violationLines = (violations: JsonObject[]) =>
    violations.length < 2 ? [] : violations.map(({ path, message }) => line(path, message));
  if (Array.isArray(details)) return violationLines(objectsIn(details));
  const { missing, upstream } = objectOf(details);
  const { body } = objectOf(upstream);
  return [
    ...(body === undefined || body === null ? []
      : [`  It said: ${oneLine(JSON.stringify(body), SAID_CHARS)}`]),
    ...objectsIn(missing).flatMap(({ violations, connections }) => [
      ...violationLines(objectsIn(violations)),
      ...objectsIn(connections).map(({ connection_id, account_label }) =>
        line(connection_id, account_label ?? '(no label)')),
    ]),
  ];
}
