/**
 * From a matched request to a reply: authenticate, admit, receive, validate, operate. Errors become
 * statuses here and nowhere else.
 *
 * openapi-backend runs the steps. By itself it would flatten the document and compile every path
 * for each request (0.24 of the speed of bare http, less with every operation), and its validator
 * does not know OpenAPI 3.1. So it is given the operation that polka's routes found, and validates
 * with the generated validators.
 */
import {
  OpenAPIBackend, OpenAPIRouter,
  type Document, type Operation as RoutedOperation, type ParsedRequest, type Request,
} from 'openapi-backend';
import { FOR_CONFINED_AGENTS } from '../operations/confined.ts';
import type { Operations } from '../operations/operation.ts';
import type { Services } from '../operations/services.ts';
import {
  GatehouseError, hasNoRoom, NO_ROOM, shareUsedUp, STATUS_OF_CODE, type ErrorCode,
} from '../errors.ts';
import { hasMoreValues } from '../json.ts';
import { Patience, patience } from '../patience.ts';
import { notAcceptable } from './accept.ts';
import { askerOf, dashboardCaller, isDoubtful } from './authenticate.ts';
import { announcesBody, ClientGone, requireJson } from './body.ts';
import { bearerChallenge } from './challenge.ts';
import { contextOf } from './context.ts';
import type { DashboardCookie } from './dashboardCookie.ts';
import type { Exchange, Parameters } from './exchange.ts';
import type { HeldBytes } from './heldBytes.ts';
import { parseBody } from './json.ts';
import type { Limits } from './limits.ts';
import { parseQuery } from './query.ts';
import type { AnyReply, ErrorReply } from './reply.ts';
import { API_ROOT, ROUTES, type Route } from './routes.ts';
import type { LoopTurns } from './turns.ts';
import { bodyError, parameterError } from './violations.ts';

// Finding every violation takes work in proportion to their number, and a body may hold half a
// million of them: in a body larger than this only the first one is reported.
const EXPLAINED_BODY_BYTES = 32_768;
// The work grows with the square of their number: 10,600 empty messages in 32 KB took 0.3 s.
const EXPLAINED_VALUES = 1_000;
// A request that signs in has no credential yet. Its body is short, and nobody without a credential
// may make this process hold a longer one.
const SIGN_IN_BYTES = 4_096;

export interface DispatchOptions {
  services: Services;
  operations: Operations;
  limits: Limits;
  turns: LoopTurns;
  held: HeldBytes;
  cookie: DashboardCookie;
  draining: AbortSignal;
  /** Aborts as the time is over that a drain leaves to open requests. */
  over: AbortSignal;
  /** Stands around every call of an operation; a mock's. */
  around?: Around | undefined;
}

/** Has an operation called, by `call`, for a request that was let in and is valid. */
export type Around = (exchange: Exchange, call: () => Promise<AnyReply>) => Promise<AnyReply>;

/** Takes an exchange to its reply, or throws. */
export type Dispatch = (exchange: Exchange) => Promise<AnyReply>;

/**
 * Of the document what openapi-backend is left to do with: where each operation is, and its name.
 * Given all of it, it resolved every reference in it, which took 30 ms of CPU of each start.
 */
const DEFINITION = definitionOf(ROUTES);

function definitionOf(routes: readonly Route[]): Document {
  const paths: Record<string, object> = {};
  for (const { operation_id, entry: { path, method } } of routes) {
    paths[path] = { ...paths[path],
      [method.toLowerCase()]: { operationId: operation_id, responses: {} } };
  }
  return { openapi: '3.1.0', info: { title: 'Gatehouse', version: '' }, paths } as Document;
}

/** Makes the one function that every request, from a socket or injected, goes through. */
export function createDispatch(options: DispatchOptions): Dispatch {
  const api = new OpenAPIBackend<Document>({
    definition: DEFINITION, apiRoot: API_ROOT, quick: true, validate: false, strict: true,
  });
  void api.init(); // With quick, and a document that is an object, it is done when it returns.
  if (!api.initialized) throw new Error('openapi-backend did not initialise at once.');
  const router = new HandOverRouter({ definition: DEFINITION, apiRoot: API_ROOT });
  api.router = router;
  api.validate = true;
  const validate = (request: unknown) => {
    const exchange = exchangeOf(request);
    return options.turns.charged(exchange.share, () => validateRequest(exchange));
  };
  api.validator = { validateRequest: validate } as unknown as typeof api.validator;
  api.register('postRoutingHandler', ({ request }) => receive(exchangeOf(request), options));
  for (const { operation_id } of ROUTES) {
    // Each operation has its own type of context; the type that fits all of them is `unknown`.
    const operation = options.operations[operation_id] as unknown as
      (context: unknown) => Promise<AnyReply>;
    // Kept on the exchange: returned through two more async functions it would come later.
    api.register(operation_id, ({ request }) => {
      const exchange = exchangeOf(request);
      const call = () => operation(contextOf(exchange, options));
      exchange.reply = options.around === undefined ? call() : options.around(exchange, call);
    });
  }
  return async (exchange) => {
    // What a request asks of the service itself is part of it.
    const outer = patience();
    const own = exchange.patience = outer ?? new Patience(exchange.route.operation_id);
    try {
      const operation = router.getOperation(exchange.route.operation_id)!;
      await own.during(() => api.handleRequest({ exchange, operation } as unknown as Request));
      return await exchange.reply!; // awaited: to return a promise takes two turns more
    } catch (error) {
      throw exchange.route.entry.method === 'GET' || !options.services.isInDoubt(error)
        ? error : inDoubt('has lost its database while it carried out your request', error);
    } finally {
      if (own !== outer) own.end();
    }
  };
}

function inDoubt(what: string, cause?: unknown): GatehouseError {
  return new GatehouseError('unavailable', `The service ${what}, which may have taken effect. If it`
    + ' had an Idempotency-Key, repeat it with the same one: nothing is done twice. If not, look'
    + ' whether it has, and then repeat it.', { cause });
}

/** What is said of a request that this process has no time left for. */
export function stoppedBefore(method: string): GatehouseError {
  const what = 'is stopping, and could not wait any longer for your request';
  return method === 'GET' ? new GatehouseError('unavailable', `The service ${what}. Repeat it.`)
    : inDoubt(what);
}

/** The exchange and the operation already matched, passed in place of a request. */
interface HandedOver { exchange: Exchange; operation: RoutedOperation<Document> }

/** A router that is given the operation instead of looking for it. */
class HandOverRouter extends OpenAPIRouter<Document> {
  readonly #listed = new Map<string, RoutedOperation<Document>>();

  constructor(options: ConstructorParameters<typeof OpenAPIRouter<Document>>[0]) {
    super(options);
    for (const operation of super.getOperations()) {
      // `receive` checks the security of the operation.
      this.#listed.set(operation.operationId!, { ...operation, security: [] });
    }
  }

  override matchOperation(request: Request): RoutedOperation<Document> {
    return (request as unknown as HandedOver).operation;
  }

  override parseRequest(request: Request): ParsedRequest {
    return request as unknown as ParsedRequest;
  }

  override getOperation(operation_id: string): RoutedOperation<Document> | undefined {
    return this.#listed.get(operation_id);
  }
}

function exchangeOf(request: unknown): Exchange {
  return (request as HandedOver).exchange;
}

/**
 * Runs after routing and before validation. It authenticates first, then asks the limits, checks
 * the Accept header and reads the body, so that nothing is revealed to a client without a key, and
 * nothing is read from it but the few bytes that sign in. What the process asks of itself is let in
 * always: a run makes few calls at a time, and must not fail because the application that created
 * it asks too often.
 *
 * Not a security handler of openapi-backend: that takes every error for a refusal, so a lost
 * database would look like a wrong key, and costs eight promises a request.
 */
async function receive(
  exchange: Exchange, options: DispatchOptions): Promise<void> {
  const { limits, turns, cookie } = options;
  const { security, body, produces } = exchange.route.entry;
  const kind = KINDS.get(exchange.route.operation_id) ?? 'usual';
  const urgent = kind === 'urgent';
  const asks = security !== null && !exchange.injected;
  const since_ms = performance.now();
  if (asks) {
    await recognise(exchange, options);
    exchange.admission = limits.admit(exchange.asker, kind);
  }
  if (security === null) exchange.address = limits.addressOf(exchange);
  if (!exchange.injected && !urgent) await turns.take(exchange.share);
  if (exchange.gone) throw new ClientGone();
  const own = patience()!;
  if (!urgent) own.share ??= exchange.share;
  own.inTurn ??= turns.of(exchange.share);
  if (security === null) refuseForeign(exchange, cookie);
  refuseConfined(exchange);
  if (!exchange.accepts.any) throw notAcceptable(produces);
  if (body !== null) await receiveBody(exchange, options);
  if (asks && isDoubtful(since_ms)) await recognise(exchange, options);
}

/** Finds out who asks; what `askerOf` and `dashboardCaller` throw. */
async function recognise(
  exchange: Exchange, { services, limits, cookie }: DispatchOptions): Promise<void> {
  const { caller, operator } = await limits.guarded(exchange, (beforeLookup) =>
    askerOf(exchange, services, cookie, beforeLookup));
  exchange.operator = operator;
  exchange.caller = operator?.session
    ? await dashboardCaller(exchange, operator, services) : caller;
}

/**
 * Requests that take something away are never refused for a limit (`urgent`): a key that asks too
 * much can still be revoked. What ends a run is not counted as open (`ending`).
 */
const KINDS: ReadonlyMap<string, 'ending' | 'urgent'> = new Map([
  ['cancelRun', 'ending'],
  ...(['revokeApiKey', 'revokeAdminToken', 'revokeDashboardSession', 'endDashboardSession',
    'deleteGrant', 'deleteConnection'] as const).map((id) => [id, 'urgent'] as const),
]);

/** Refuses what a page of another origin has the browser ask for, such as to sign somebody in. */
function refuseForeign({ headers, route: { entry } }: Exchange, cookie: DashboardCookie): void {
  if (entry.method === 'GET' || !cookie.isForeign(headers)) return;
  throw new GatehouseError('not_permitted',
    'A page of another origin asks for this. The dashboard alone may do so.'
      + cookie.adviceOn(headers));
}

/** An agent that no grant covers reaches only what is known to answer for its session alone. */
function refuseConfined({ caller, route: { operation_id } }: Exchange): void {
  const open: Partial<Record<string, boolean>> = FOR_CONFINED_AGENTS;
  if (!caller?.agent?.confined || open[operation_id] === true) return;
  throw new GatehouseError('not_permitted',
    `An agent needs a grant for ${operation_id}. The operator of this service can give it.`);
}

async function receiveBody(
  exchange: Exchange, { services: { config }, turns, held }: DispatchOptions): Promise<void> {
  const { large_body, body, security } = exchange.route.entry;
  const { required } = body!;
  if (!required && !announcesBody(exchange.headers)) return;
  if (required) requireJson(exchange.headers);
  const limit_bytes = security === null ? SIGN_IN_BYTES
    : large_body ? config.document_limit_bytes : config.body_limit_bytes;
  const bytes = await exchange.readBody(limit_bytes, held.begin(exchange.share));
  if (!required) {
    if (bytes.length === 0) return;
    requireJson(exchange.headers);
  }
  patience()!.bytes = bytes.length;
  const parse = () => {
    if (exchange.gone) throw new ClientGone();
    // A document of a large service has more objects, and an operator alone sends one.
    return parseBody(bytes, large_body ? { ...config, json_containers_limit: Infinity } : config);
  };
  // What the service asks of itself is a part of something that was begun.
  exchange.body = await (exchange.injected
    ? turns.withBody(exchange.share, bytes.length, parse)
    : turns.withFirstBody(exchange.share, bytes.length, parse));
}

/** Replaces the validator of openapi-backend: fills in `exchange.params`, or throws. */
function validateRequest(exchange: Exchange): { valid: true; errors: null } {
  const { parameters, headers, body } = exchange.route.entry;
  const params: Parameters = {
    path: exchange.path, query: parseQuery(exchange.search), headers: {},
  };
  for (const name of headers) {
    const value = exchange.headers[name];
    // By the HTML standard an empty last id is none: EventSource sends none, others the empty one.
    if (value === undefined || (value === '' && name === 'last-event-id')) continue;
    params.headers[name] = value;
  }
  if (!parameters(params)) throw parameterError(parameters.errors);
  for (const [name, value] of Object.entries({ ...params.query, ...params.headers })) {
    if (value === Infinity || value === -Infinity) {
      throw new GatehouseError('invalid_request', `${name} is too large a number.`,
        { param: name });
    }
  }
  exchange.params = params;
  if (body !== null && (exchange.body !== undefined || body.required)
    && !body.validate(exchange.body)) {
    if (patience()!.bytes > EXPLAINED_BODY_BYTES
      || hasMoreValues(exchange.body, EXPLAINED_VALUES)) {
      throw bodyError(body.validate.errors, false);
    }
    body.violations(exchange.body);
    throw bodyError(body.violations.errors, true);
  }
  return VALID;
}

const VALID = { valid: true, errors: null } as const;

/** The default of Retry-After, for errors that do not set it. */
const RETRY_AFTER_S: Partial<Record<ErrorCode, number>> = {
  unavailable: 1, rate_limited: 1,
  queue_full: 5,
  approvals_full: 60, // people decide
};

/** Any error as a reply. Errors other than GatehouseError are logged and kept secret. */
export function toErrorReply(
  error: unknown, request_id: string,
  { log, isUnavailable, isShareUsedUp }:
  Pick<Services, 'log' | 'isUnavailable' | 'isShareUsedUp'>,
): ErrorReply {
  const known = error instanceof GatehouseError ? error : isShareUsedUp(error) ? shareUsedUp(error)
    : isUnavailable(error)
      ? new GatehouseError('unavailable', hasNoRoom(error) ? NO_ROOM
        : 'The service cannot reach its database just now. Nothing is known to be wrong with your'
          + ' request: try again.', { cause: error })
      : new GatehouseError('internal_error', 'Something went wrong in the service.'
        + ` Report it with the request id ${request_id}.`, { cause: error });
  const status = STATUS_OF_CODE[known.code];
  if (status >= 500) {
    const level = status === 500 ? 'error' : 'warn';
    log[level]({ request_id, code: known.code, err: known.cause ?? known }, known.message);
  }
  const headers: Record<string, string> = { ...known.headers };
  const retry_after_s = known.retry_after_s ?? RETRY_AFTER_S[known.code];
  if (retry_after_s !== undefined) headers['Retry-After'] = String(Math.ceil(retry_after_s));
  if (status === 401) headers['WWW-Authenticate'] ??= bearerChallenge(known.code);
  return {
    status,
    headers,
    body: {
      error: known.message, code: known.code, param: known.param, request_id,
      ...(known.details !== undefined && { details: known.details }),
    },
  };
}
