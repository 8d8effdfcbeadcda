/** From a routed request to its response on the socket, and one line in the log. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request } from 'polka';
import { GatehouseError } from '../errors.ts';
import type { Services } from '../operations/services.ts';
import { ClientGone } from './body.ts';
import { reserveStream, toErrorReply, type Dispatch } from './dispatch.ts';
import { writeEventStream } from './eventStream.ts';
import { HttpExchange, requestId } from './exchange.ts';
import type { OpenStreams } from './openStreams.ts';
import { decodeText } from './query.ts';
import { sendText, sendTextAndClose, textOf, type EventsReply } from './reply.ts';
import type { Route } from './routes.ts';

export interface ResponderOptions {
  dispatch: Dispatch;
  services: Services;
  openStreams: OpenStreams;
  draining: AbortSignal;
}

export interface Responder {
  /** Answers a request that a route matched. Never rejects. */
  answer(route: Route, req: Request, res: ServerResponse): Promise<void>;
  /** Answers a request that cannot be served. */
  refuse(req: IncomingMessage, res: ServerResponse, error: unknown): void;
}

/** Status in the log of a request whose client went away before there was one. */
const CLIENT_GONE = 499;

/** Ends an iterable that nobody will read. */
function cancel(events: EventsReply['events']): void {
  void Promise.resolve(events[Symbol.asyncIterator]().return?.()).catch(() => undefined);
}

export function createResponder(options: ResponderOptions): Responder {
  const { dispatch, services, openStreams, draining } = options;
  const { log } = services;

  function sendError(
    req: IncomingMessage, res: ServerResponse, error: unknown, request_id: string): number {
    if (error instanceof ClientGone || res.destroyed) return CLIENT_GONE;
    const { status, headers, body } = toErrorReply(error, request_id, services);
    const text = JSON.stringify(body);
    if (status === 413) sendTextAndClose(req, res, status, text, request_id);
    else sendText(res, status, text, request_id, closing(headers));
    return status;
  }

  function closing<H extends Record<string, string> | undefined>(headers: H) {
    return draining.aborted ? { ...headers, Connection: 'close' } : headers;
  }

  function reserveFor(exchange: HttpExchange, { events }: EventsReply): void {
    try {
      reserveStream(exchange, openStreams);
    } catch (error) {
      cancel(events);
      throw error;
    }
  }

  async function sendEvents(
    exchange: HttpExchange, req: Request, res: ServerResponse, reply: EventsReply) {
    const { status, headers = {}, events } = reply;
    const more = Object.entries(closing(headers)).flat();
    if (req.method === 'HEAD') {
      cancel(events);
      return sendText(res, status, undefined, exchange.request_id,
        { ...headers, 'Content-Type': 'text/event-stream; charset=utf-8' });
    }
    const end = await writeEventStream(res, events, {
      status,
      headers: ['X-Request-Id', exchange.request_id, ...more],
      heartbeat_ms: services.config.heartbeat_ms,
      stalled_stream_ms: services.config.stalled_stream_ms,
      draining,
    });
    // A source that waits for its next event looks at nothing but this.
    if (end !== 'complete') exchange.abort();
    log.debug({ request_id: exchange.request_id, end }, 'event stream ended');
  }

  /** Whatever an operation or a stream threw; returns the status that the client has seen. */
  function failed(
    req: Request, res: ServerResponse, error: unknown, request_id: string): number {
    if (!res.headersSent) return sendError(req, res, error, request_id);
    // The head is out: only a cut connection still tells the client that this is no end.
    log.error({ request_id, err: error }, 'a response broke off');
    if (req.httpVersionMinor === 0) req.socket.resetAndDestroy();
    else res.destroy();
    return res.statusCode;
  }

  async function answer(route: Route, req: Request, res: ServerResponse): Promise<void> {
    const started_ms = performance.now();
    const request_id = requestId(req.headers);
    let status: number;
    let exchange: HttpExchange | undefined;
    try {
      // polka leaves a segment that it cannot decode as it is; that must not pass for an id.
      if (req.path.includes('%')) decodeText(req.path, 'path');
      exchange = new HttpExchange(route, req, res, request_id, req.params, req.search.slice(1));
      const reply = await dispatch(exchange);
      status = reply.status;
      if ('events' in reply) {
        reserveFor(exchange, reply);
        await sendEvents(exchange, req, res, reply);
      } else {
        sendText(res, status, textOf(reply), request_id, closing(reply.headers));
      }
    } catch (error) {
      status = failed(req, res, error, request_id);
    } finally {
      exchange?.releaseStream?.();
    }
    log.info({
      method: req.method, path: route.entry.path, operation_id: route.operation_id, status,
      duration_ms: Math.round((performance.now() - started_ms) * 10) / 10, request_id,
    }, 'request');
  }

  return {
    answer,
    refuse(req, res, error) {
      const request_id = requestId(req.headers);
      const status = sendError(req, res, error, request_id);
      log.info({ method: req.method, status, request_id,
        ...(error instanceof GatehouseError && { code: error.code }) }, 'request without a route');
    },
  };
}
