/** An action of an OpenAPI document, performed: from its input to its result or its failure. */
import { isUtf8 } from 'node:buffer';
import type { Caller } from '../../caller.ts';
import type { JsonObject } from '../../json.ts';
import type {
  NoRequest, OutgoingRequest, Performed, PerformRequest,
} from '../action/action.ts';
import {
  ActionFailure, authorizedAccount, failure, failureInDoubt, lacks, notSent,
} from '../action/failure.ts';
import { invalidInput } from '../action/missing.ts';
import { namesOf, wantedTree } from '../action/wanted.ts';
import {
  applyCredentials, withoutNames, type Authenticated,
} from '../credentials/applyCredentials.ts';
import { Unauthorized } from '../credentials/unauthorized.ts';
import { Departure } from '../egress/departure.ts';
import { checkUpstreamUrl, EgressRefused } from '../egress/egress.ts';
import { UpstreamUnreachable } from '../egress/unreachable.ts';
import type { Upstream, UpstreamResponse } from '../egress/upstream.ts';
import { decodeSegment } from '../schema/references.ts';
import { LARGE_BYTES } from '../threads/largeAnswers.ts';
import type { AnswerReader } from './answerReader.ts';
import { askedOf } from './askedCredentials.ts';
import { FieldChooser } from './fieldChooser.ts';
import type { ImportedAction } from './openapi.ts';
import { isPageInstead } from './pageInstead.ts';
import { undeclaredQuery } from './pageCursor.ts';
import { isSuccess } from './readAnswer.ts';
import { buildRequest, type OperationRequest } from './request.ts';
import { serialiseBody } from './requestBody.ts';
import { charsetOf, mayBeJson } from './result.ts';
import type { DeclaredSecurity } from './security.ts';
import { allowing, withoutSlash } from './servers.ts';

/** So much of an address is told. */
const PLACE_CHARS = 300;

export interface CallDependencies {
  upstream: Upstream;
  answers: Pick<AnswerReader, 'read' | 'slotFor'>;
  /** How much is kept of a result. */
  result_limit_bytes: number;
  /** Of an answer that is too large, how much is read for the fields of it that are wanted. */
  choice_limit_bytes: number;
  /** How long what is chosen of it may be. */
  chosen_limit_bytes: number;
}

export interface CallTarget {
  base_url: string;
  /** Where operations may be besides, if the document says so. */
  other_origins: readonly string[];
  egress_allow: readonly string[];
  /** What the document says of credentials. */
  declared: DeclaredSecurity;
}

/**
 * Calls the operation once. Throws ActionFailure for what the caller is to be told, Unauthorized if
 * the credentials are not accepted, and the signal's reason when it aborts.
 */
export async function callOperation(
  deps: CallDependencies, action: ImportedAction, target: CallTarget, request: PerformRequest,
  caller: Pick<Caller, 'workspace_id'>, signal: AbortSignal): Promise<Performed> {
  // Of an attempt before, whose credentials were refused, nothing was done.
  const departure = new Departure(request.departure);
  const expects_json = action.output_schema !== null;
  const chooser = chooserFor(deps, action, request);
  const { sent: credentials, otherwise } = askedOf(
    action.asks_for, target.declared, request.credentials);
  const slot = deps.answers.slotFor(caller.workspace_id, signal);
  try {
    await departure.grant();
    let response: UpstreamResponse;
    try {
      const written = write(action, target, { ...request, credentials });
      if ('violations' in written) throw lacks(invalidInput(action.name, written));
      response = await deps.upstream.send({ ...written, method: action.method, departure,
        egress_allow: target.egress_allow, confidential: credentials.type !== 'none',
        // JSON is UTF-8; the little that is not has no reader here that takes it as it arrives.
        overflow: (answer) => (isSuccess(answer) && mayBeJson(answer, expects_json)
          && /^utf-?8$/i.test(charsetOf(answer.headers['content-type'] ?? '')) ? chooser : null),
        large: { from_bytes: LARGE_BYTES, begin: slot.take },
      }, signal);
    } catch (error) {
      throw transportFailure(error, action, departure);
    }
    if (action.effect !== 'read') checkAnswers(response, action, target, request);
    const performed = await deps.answers.read({
      response: { status: response.status, headers: response.headers, body: response.body,
        cut: response.cut },
      decoding: {
        expects_json, head_limit_bytes: deps.result_limit_bytes,
        choice: isSuccess(response) ? chooser?.chosen() : undefined,
        choice_limit_bytes: deps.choice_limit_bytes,
      },
      context: { integration: action.integration, invocation_id: request.invocation_id,
        writes: action.effect !== 'read', strayed: response.strayed, otherwise,
        authorized: authorizedAccount(request.connection, credentials) },
      soft_error: action.soft_error,
      action: { paging: action.paging, request: action.request, input_schema: action.input_schema },
      input: request.input,
      cursor: request.source_cursor ?? null,
    }, { ...request, share: caller.workspace_id, limit_bytes: deps.result_limit_bytes }, signal)
      .catch((error: unknown) => {
        throw error instanceof Unauthorized && response.strayed
          ? strayedFailure(response, action, departure) : error;
      });
    if (action.effect === 'read'
      && isPageInstead(response, performed.result, action.output_schema)) {
      throw failure(`${action.integration} answered with a page at ${placeOf(response, request)}, `
        + 'not with the data that its document promises. The account may have to sign in, or the'
        + ' API is at another address.', { details: { status: response.status } });
    }
    return performed;
  } finally {
    // The answer was read, and what is left of it is no more than a result.
    slot.release();
  }
}

/** Chooses what of a large answer is looked at: by the caller, and to see whether it failed. */
function chooserFor(
  { choice_limit_bytes, chosen_limit_bytes }: CallDependencies,
  { soft_error, paging }: ImportedAction, { fields }: PerformRequest): FieldChooser | null {
  if (fields == null) return null;
  const pointers = [soft_error?.pointer, soft_error?.message_pointer]
    .filter((pointer) => pointer !== undefined);
  return new FieldChooser(wantedTree([...fields.map(namesOf), ...pointers.map(aboveLists)]), {
    read_limit_bytes: choice_limit_bytes, keep_limit_bytes: chosen_limit_bytes,
    paged: paging !== null,
  });
}

/** The names of a JSON pointer, as far as none of them can be the place in a list. */
function aboveLists(pointer: string): string[] {
  const names = pointer.split('/').slice(1).map(decodeSegment);
  const place = names.findIndex((name) => /^\d+$/.test(name));
  return place < 0 ? names : names.slice(0, place);
}

/**
 * What `callOperation` would send, without credentials, or what of the input it cannot send; null
 * if it would send nothing.
 */
export function previewOperation(
  action: ImportedAction, target: CallTarget, input: JsonObject,
): OutgoingRequest | NoRequest | null {
  const request = { input, idempotency_key: null, credentials: { type: 'none' as const } };
  try {
    const written = write(action, target, request);
    if ('violations' in written) return written;
    const { url, headers, body = '' } = written;
    const bytes = Buffer.from(body);
    return {
      type: 'http', method: action.method, url: url.href, headers,
      body: bytes.length > 0 && isUtf8(bytes) ? bytes.toString() : null, body_bytes: bytes.length,
    };
  } catch (error) {
    if (error instanceof ActionFailure || error instanceof EgressRefused) return null;
    throw error;
  }
}

/**
 * What goes over the wire, credentials and all, or what of the input cannot. Throws ActionFailure
 * or EgressRefused if nothing is sent to where the operation is.
 */
function write(
  action: ImportedAction, target: CallTarget,
  { input, idempotency_key, credentials }:
  Pick<PerformRequest, 'input' | 'idempotency_key' | 'credentials'>,
): Authenticated & { body?: Buffer | string } | NoRequest {
  const built = buildRequest(action, input);
  if ('violations' in built) return built;
  const { request } = built;
  const { headers } = request;
  const media_type = headers['content-type'];
  let body: Buffer | string | undefined;
  if (request.body !== undefined && media_type !== undefined) {
    const { input_schema } = action;
    const written = serialiseBody(media_type, request.body, { ...action.request, input_schema });
    if ('violations' in written) return written;
    body = written.body;
    headers['content-type'] = written.content_type;
  }
  // Callers never set this one, and an operator only where a version is asked for by it.
  if (!action.request.parameters.some(({ place, name }) =>
    place === 'header' && name.toLowerCase() === 'accept')) {
    headers.accept = 'application/json, */*;q=0.8';
  }
  if (idempotency_key !== null) headers['idempotency-key'] ??= idempotency_key;
  const url = urlOf(action, target, request, undeclaredQuery(action, input));
  return { ...applyCredentials({ url, headers }, credentials), body };
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
  if (url !== null && [base.origin, ...target.other_origins].includes(url.origin)) return url;
  throw notSent(`${action.integration} has this operation at another place`
    + ` (${url?.host ?? own}), to which the integration does not send its credentials. Its operator`
    + ` can allow that: \`${allowing(action.integration, url?.origin ?? own)}\`.`);
}

function transportFailure(error: unknown, action: ImportedAction, departure: Departure): unknown {
  const { integration } = action;
  if (error instanceof EgressRefused) {
    // A redirect may lead to what is refused: then the call was made before.
    return departure.left
      ? lostFailure(`${integration} has led this call to where it may not go: ${error.message}`,
        action, departure)
      : notSent(`${integration} may not be called so: ${error.message}`);
  }
  return error instanceof UpstreamUnreachable
    ? lostFailure(`${integration} gave no usable answer: ${error.message}.`, action, departure)
    : error;
}

/**
 * Throws ActionFailure for an answer that is not one to this call, which was to change something:
 * a page where people sign in, or a list at the address that something was to be added to.
 */
function checkAnswers(
  response: UpstreamResponse, action: ImportedAction, { base_url, other_origins }: CallTarget,
  request: PerformRequest): void {
  const { url, rewritten } = response;
  const { departure } = request;
  const { origin } = new URL(url);
  const isOutside = ![new URL(base_url).origin, ...other_origins].includes(origin);
  if (!isOutside && !rewritten) return;
  throw lostFailure(`${action.integration} has led this call to ${
    placeOf(response, request)}, ${isOutside
    ? 'which is outside of the integration' : 'and so has made a GET of it, without its body'}.`
    + ' What came from there does not say whether it was done: the action may be at another address'
    + ' now, or the account may have to sign in.', action, departure);
}

/** Where an answer comes from, without the query, which may hold what nobody is to know. */
function placeOf({ url }: UpstreamResponse, { scrub }: PerformRequest): string {
  const { origin, pathname } = new URL(url);
  return scrub(origin + pathname).slice(0, PLACE_CHARS);
}

/** Of an answer that does not accept credentials, where those of the connection did not come. */
function strayedFailure(
  { url }: UpstreamResponse, action: ImportedAction, departure: Departure): ActionFailure {
  return lostFailure(`${action.integration} has led this call to ${new URL(url).origin}, which does`
    + ' not accept it. Credentials are never sent to another origin.', action, departure);
}

/** What came of the call is not known, if it was to change something and has left. */
function lostFailure(
  message: string, { effect }: ImportedAction, { left }: Departure): ActionFailure {
  return !left || effect === 'read' ? failure(message)
    : failureInDoubt(message);
}
