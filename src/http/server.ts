/**
 * The HTTP server: bind, route, answer, drain. polka routes, openapi-backend dispatches; the rest
 * of the service knows neither.
 */
import {
  createServer, type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { once } from 'node:events';
import polka, { type Request } from 'polka';
import type { Caller } from '../caller.ts';
import type { Config } from '../config.ts';
import { GatehouseError, methodNotAllowed } from '../errors.ts';
import type { Operations } from '../operations/operation.ts';
import type { Services } from '../operations/services.ts';
import { newId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { McpDoor } from '../mcp/door.ts';
import { originOf } from '../origin.ts';
import { inOwnTurn, Patience, type InTurn } from '../patience.ts';
import { NO_METERS, type Meters } from '../telemetry/metrics.ts';
import { onClientError, refuseTunnel } from './clientError.ts';
import { DashboardCookie } from './dashboardCookie.ts';
import { createDispatch, toErrorReply, type Around, type Dispatch } from './dispatch.ts';
import { drain, silentConnections } from './drain.ts';
import { InjectedExchange, requestId } from './exchange.ts';
import { Limits } from './limits.ts';
import { authorizationPages } from './authorizationPages.ts';
import { dashboardPages } from './dashboardPages.ts';
import { dashboardSignInPages } from './dashboardSignInPages.ts';
import { docsPages } from './docsPages.ts';
import { headFault } from './headFault.ts';
import { HeldBytes } from './heldBytes.ts';
import { mcpEndpoint } from './mcpEndpoint.ts';
import { MCP_PATH, resourcePages } from './mcpResource.ts';
import { pages, sendPage, type PageMaker, type PageRequest, type WebPage } from './pages.ts';
import { decodeText, splitTarget } from './query.ts';
import { Pipeline } from './pipeline.ts';
import { bodyTextOf, cancelEvents } from './reply.ts';
import { Responder } from './responder.ts';
import { NosniffResponse } from './response.ts';
import { API_ROOT, PUBLIC_ROUTES, ROUTES, RouteIndex } from './routes.ts';
import { LoopTurns } from './turns.ts';

export interface HttpServerOptions {
  config: Config;
  services: Services;
  operations: Operations;
  /** False: only the pages about health are served, and `inject` works. */
  serves_api?: boolean;
  meters?: Meters;
  /** What `/healthz` says besides that the process answers. */
  health?: () => object;
  /** Answers MCP clients; left out: there is no such address. */
  mcp?: McpDoor | undefined;
  /** The page `/metrics`, if it belongs beside the API. */
  metrics?: PageMaker;
  /** Instead of the usual turns and bounds; for tests. */
  turns?: LoopTurns;
  timeouts?: Partial<Timeouts>;
  /** Sees each request first: answers it itself (true), or lets it in. It may throw. */
  before?: (req: IncomingMessage, res: ServerResponse) => Promise<boolean>;
  /** Stands around every call of an operation. */
  around?: Around;
}

export interface Timeouts {
  /** For the whole head of a request to arrive. */
  headers_ms: number;
  /** For a whole request to arrive. */
  request_ms: number;
  /** How long an idle connection is kept; longer than a usual load balancer keeps one. */
  keep_alive_ms: number;
  /** How often the first two limits are checked. */
  check_ms: number;
}

const TIMEOUTS: Timeouts = {
  headers_ms: 10_000, request_ms: 60_000, keep_alive_ms: 65_000, check_ms: 2_000,
};
/** Connections that wait to be taken: with Node.js's own 511, one of a thousand was reset. */
const BACKLOG = 4_096;
const HEADER_BYTES = 16_384;

export interface InjectRequest {
  method: string;
  /** Below the base address, percent-encoded, as in the document: `/runs/run_01…`. */
  path: string;
  /** Without a question mark. */
  query?: string;
  headers?: Record<string, string>;
  body?: unknown;
  signal?: AbortSignal;
}

export interface InjectResponse {
  status: number;
  /** The JSON value; undefined if there is none. */
  body: unknown;
}

export interface HttpServer {
  /** Binds. Rejects if the address is taken. `base_url` ends in /v1. */
  listen(): Promise<{ port: number; base_url: string }>;
  /** Where it listens, without a path; empty before `listen`. */
  origin(): string;
  /** How many event streams are open. */
  openStreams(): number;
  /**
   * Says that it is not ready, and goes on serving for half of `config.drain_ms` if there are
   * proxies before it. Then it stops accepting, ends event streams, lets other requests finish for
   * the rest, answers those that have not with `unavailable`, and closes what is left.
   */
  drain(): Promise<void>;
  /**
   * Runs an operation as this caller, without socket or token, through the same validation,
   * dispatch and errors. Never an operation of the operator, never an event stream. Does not throw.
   */
  inject(request: InjectRequest, caller: Caller): Promise<InjectResponse>;
  /** Turns on the event loop, for what is done in the name of a share besides requests. */
  turnsOf(share: string): InTurn;
}

/** Makes the server; it does not listen yet. */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { config, services, operations, serves_api = true, meters = NO_METERS } = options;
  const stages = { leaving: new AbortController(), draining: new AbortController(),
    over: new AbortController() };
  const [leaving, draining, over] =
    [stages.leaving.signal, stages.draining.signal, stages.over.signal];
  const bounds = boundsOf(config, meters, services.log, options.turns);
  const { limits, turns } = bounds;
  let origin = '';
  const cookie = new DashboardCookie(config.public_url);
  const shared = { ...bounds, services, cookie, draining, over };
  const dispatch = createDispatch({ ...shared, operations, around: options.around });
  const respond = new Responder({ ...shared, leaving, dispatch, meters });
  const health = pages(async () =>
    leaving.aborted ? ['draining'] : services.readiness(), options.health, options.metrics);

  const openPage: AskPage = (make, req) => inTurnOfAddress(respond, make, req);
  const app = polka({
    onNoMatch: (req, res) => void respond.refuse(req, res,
      serves_api ? noRoute(req.method, req.path, handlers) : NO_API),
    onError: (error, req, res) => void respond.refuse(req, res, error),
  });
  const handlers = new RouteIndex<Middleware>();
  addPages(handlers, respond, [...health, ...docsPages(config.public_url), ...dashboardPages()]
    .filter(([path]) => serves_api || HEALTH.has(path)), openPage);
  const guarded = [...authorizationPages(services), ...dashboardSignInPages(services, cookie)];
  addPages(handlers, respond, serves_api ? guarded : [],
    (make, req) => guardedPage(limits, make, req));
  for (const route of serves_api ? ROUTES : []) {
    handlers.add(route.entry.method, API_ROOT + route.entry.path, (req, res) =>
      void respond.answer(route, req, res));
  }
  if (serves_api && options.mcp !== undefined) {
    const endpoint = mcpEndpoint({ ...shared, door: options.mcp, respond });
    for (const method of ['POST', 'GET']) handlers.add(method, MCP_PATH, endpoint);
    addPages(handlers, respond, resourcePages(services), openPage);
  }
  // Instead of polka's: splits the target and nothing more; dispatch reads the query once.
  app.parse = ((req: IncomingMessage) => splitTarget(req.url!)) as typeof app.parse;
  app.find = (method, path) => {
    const found = handlers.find(method === 'HEAD' ? 'GET' : method, path);
    return found ? { params: found.params, handlers: [found.value] } : NOTHING;
  };
  const server = createNodeServer(behind(options, app.handler as Handler, respond), options);
  const silent = silentConnections(server);
  let drained: Promise<void> | undefined;
  return {
    async listen() {
      const listening = await listen(server, config);
      origin = new URL(listening.base_url).origin;
      return listening;
    },
    origin: () => origin,
    openStreams: () => limits.openStreams,
    turnsOf: (share) => turns.of(share),
    drain: () => drained ??= drain(server, silent, stages, { drain_ms: config.drain_ms,
      is_proxied: serves_api && config.trusted_proxies !== null }),
    inject: (request, caller) => answerInjected(dispatch, services, request, caller),
  };
}

/** What shares this process out between those who ask. */
function boundsOf(config: Config, meters: Meters, log: Log, turns = new LoopTurns()) {
  return { limits: new Limits(config, meters, { log }), turns, held: new HeldBytes() };
}

type AskPage = (make: PageMaker, req: Request) => Promise<WebPage>;

function addPages(
  handlers: RouteIndex<Middleware>, respond: Responder, pages: Iterable<[string, PageMaker]>,
  ask: AskPage): void {
  for (const [path, make] of pages) {
    handlers.add('GET', path, async (req, res) => {
      const page = await ask(make, req);
      const headers = respond.closing(page.headers) ?? {};
      sendPage(req, res, { ...page, headers }, requestId(req.headers));
    });
  }
}

/** A page that needs no credential. Those that probes ask for wait for nobody. */
async function inTurnOfAddress(
  respond: Responder, make: PageMaker, req: Request): Promise<WebPage> {
  if (!PROBES.has(req.path)) await respond.turnOfAddress(req);
  return await make(pageRequest(req));
}

/** A page whose ticket or state may be guessed at, like a key. Throws `rate_limited`. */
function guardedPage(limits: Limits, make: PageMaker, req: Request): Promise<WebPage> {
  const origin = { peer_address: req.socket.remoteAddress, headers: req.headers };
  return limits.guarded(origin, async (beforeLookup) => {
    beforeLookup();
    return await new Patience('page').during(() => make(pageRequest(req)));
  }, ({ status }) => status !== 400);
}

function pageRequest({ method, path, search, headers }: Request): PageRequest {
  return { method, path, query: search, headers };
}

type Middleware = ReturnType<ReturnType<typeof polka>['find']>['handlers'][number];
const NOTHING = { params: {}, handlers: [] };
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz']);
const HEALTH: ReadonlySet<string> = new Set([...PROBES, '/metrics']);
const NO_API = new GatehouseError('not_found', 'This process executes runs and serves no API: its'
  + ' role is worker. Ask one whose role is api or all. Here are /healthz, /readyz and, unless'
  + ' it has a port of its own, /metrics.');

type Handler = (req: IncomingMessage, res: ServerResponse) => void;

/** The handler with what sees each request first. */
function behind(
  { before }: HttpServerOptions, handler: Handler, respond: Responder): Handler {
  return (req, res) => {
    const fault = headFault(req);
    if (fault !== undefined) return void respond.refuse(req, res, fault);
    if (before === undefined) return handler(req, res);
    void before(req, res)
      .then((is_answered) => is_answered || handler(req, res))
      .catch((error: unknown) => respond.refuse(req, res, error));
  };
}

function createNodeServer(handler: Handler, options: HttpServerOptions): Server {
  const timeouts = { ...TIMEOUTS, ...options.timeouts };
  const server = createServer({
    ServerResponse: NosniffResponse,
    headersTimeout: timeouts.headers_ms,
    requestTimeout: timeouts.request_ms,
    keepAliveTimeout: timeouts.keep_alive_ms,
    connectionsCheckingInterval: timeouts.check_ms,
    maxHeaderSize: HEADER_BYTES,
    requireHostHeader: false, // headFault says what is wrong
    // Of two keys, a proxy may have looked at the second: together they are none.
    joinDuplicateHeaders: true,
  });
  server.timeout = options.config.connection_idle_ms;
  const pipeline = new Pipeline(handler);
  server.on('request', pipeline.take);
  // readRequestBody tells the client when to go on.
  server.on('checkContinue', pipeline.take);
  server.on('checkExpectation', pipeline.take);
  server.on('connect', ({ socket }) => refuseTunnel(socket, pipeline.lastOf(socket)));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    onClientError(error, socket, (on) => pipeline.lastOf(on as Socket)));
  return server;
}

/** Why no route matched: the path is unknown, or it is known and the method is not. */
function noRoute(
  method: string, path: string, handlers: RouteIndex<unknown>): GatehouseError {
  // GET is there to be refused (mcpEndpoint).
  const allowed = handlers.methodsOf(path).filter((one) => path !== MCP_PATH || one === 'POST');
  if (allowed.length > 0) return methodNotAllowed(method, allowed);
  // A base URL that ends with a slash does this, and the path looks right to whoever reads it.
  const meant = path.replace(/\/+(?=\/|$)/g, '');
  return new GatehouseError('not_found', handlers.methodsOf(meant).length > 0
    ? 'Nothing is at this address: it has a slash too many. Leave out doubled ones and a last one.'
    : `Nothing is at this address. Paths begin with ${API_ROOT}/ and are listed at /docs.`);
}

/** Has a request of the process itself served. Never rejects. */
async function answerInjected(
  dispatch: Dispatch, services: Services, request: InjectRequest, caller: Caller,
): Promise<InjectResponse> {
  const request_id = newId('req');
  try {
    const exchange = injected(request, caller, request_id);
    const reply = await dispatch(exchange);
    if ('events' in reply) {
      cancelEvents(reply.events);
      throw new Error(`${request.method} ${request.path} answered with unasked events.`);
    }
    const text = bodyTextOf(reply);
    return {
      status: reply.status,
      body: text === undefined ? undefined
        : await inOwnTurn(() => JSON.parse(text), text.length),
    };
  } catch (error) {
    const { status, body } = toErrorReply(error, request_id, services);
    return { status, body };
  }
}

function injected(request: InjectRequest, caller: Caller, request_id: string): InjectedExchange {
  const found = PUBLIC_ROUTES.find(request.method.toUpperCase(), request.path);
  if (!found) {
    throw new GatehouseError('not_found', 'No operation has this method and path.');
  }
  const path = Object.fromEntries(Object.entries(found.params)
    .map(([name, text]) => [name, decodeText(text, 'path')]));
  const headers: IncomingHttpHeaders = {};
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    headers[name.toLowerCase()] = value;
  }
  return new InjectedExchange(found.value, caller, {
    headers, path, search: request.query ?? '', request_id, bytes: bytesOf(request.body),
    signal: request.signal ?? new AbortController().signal,
  });
}

/** The body as if it had come over the wire, so that the same limits and checks apply to it. */
function bytesOf(body: unknown): Buffer | undefined {
  try {
    return body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  } catch (cause) {
    throw new GatehouseError('invalid_request', 'The body cannot be written as JSON.', { cause });
  }
}

async function listen(server: Server, { host, port }: Config) {
  await once(server.listen({ port, host, backlog: BACKLOG }), 'listening');
  const bound = server.address() as AddressInfo;
  return { port: bound.port, base_url: originOf(host, bound.port) + API_ROOT };
}
