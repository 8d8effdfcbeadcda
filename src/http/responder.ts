/** From a routed request to its response on the socket, and one line in the log. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request } from 'polka';
import { whenAborted } from '../deadline.ts';
import { GatehouseError } from '../errors.ts';
import { TooMuchAsked } from './turns.ts';
import type { Meters } from '../telemetry/metrics.ts';
import { ClientGone } from './body.ts';
import { reserveStream } from './context.ts';
import { stoppedBefore, toErrorReply, type Dispatch, type DispatchOptions } from './dispatch.ts';
import { EVENT_STREAM_HEADERS, writeEventStream } from './eventStream.ts';
import { HttpExchange, requestId, type Exchange } from './exchange.ts';
import type { Admission } from './limits.ts';
import { decodeText } from './query.ts';
import {
  bodyTextOf, cancelEvents, isLarge, LARGE_TEXT_CHARS, sendText, sendTextAndClose, type AnyReply,
  type EventsReply,
} from './reply.ts';
import type { Route } from './routes.ts';

export interface ResponderOptions extends Omit<DispatchOptions, 'operations'> {
  dispatch: Dispatch;
  meters: Meters;
  /** From now on nobody is to send more on the same connection. */
  leaving: AbortSignal;
}

/** Status in the log of a request whose client went away before there was one. */
const CLIENT_GONE = 499;

export class Responder {
  readonly #options: ResponderOptions;

  constructor(options: ResponderOptions) {
    this.#options = options;
  }

  /** Answers a request that a route matched. Never rejects. */
  async answer(route: Route, req: Request, res: ServerResponse): Promise<void> {
    const started_ms = performance.now();
    const request_id = requestId(req.headers);
    let status: number;
    let exchange: HttpExchange | undefined;
    let answered_ms: number | undefined;
    try {
      // polka passes on a segment that it cannot decode; such a text must not count as an id.
      if (req.path.includes('%')) decodeText(req.path, 'path');
      exchange = new HttpExchange(route, req, res,
        { request_id, path: req.params, search: req.search.slice(1) });
      const reply = await this.#whileOpen(exchange);
      status = reply.status;
      if ('events' in reply) {
        answered_ms = performance.now();
        await this.#sendEvents(exchange, req, res, reply);
      } else {
        const { turns } = this.#options;
        const { share, admission } = exchange;
        const send = () => sendText(res, status, bodyTextOf(reply), request_id, this.closing(
          { ...admission?.fields, ...reply.headers }));
        // To write a megabyte takes about as long as to read one.
        if (isLarge(reply)) {
          await exchange.patience!.during(() => turns.withBody(share, LARGE_TEXT_CHARS, send));
        } else {
          turns.charged(share, send);
        }
      }
    } catch (error) {
      const told = exchange && hadTurn(exchange) ? error : await this.refusalOf(req, error);
      status = this.#fail(req, res, told, request_id, exchange?.admission?.fields);
    } finally {
      if (exchange) giveBack(exchange, res);
    }
    const ended_ms = performance.now();
    this.count(route.operation_id, status, (answered_ms ?? ended_ms) - started_ms);
    this.#options.services.log.info({
      method: req.method, path: route.entry.path, operation_id: route.operation_id, status,
      duration_ms: Math.round((ended_ms - started_ms) * 10) / 10, request_id,
    }, 'request');
  }

  /** The reply; throws `unavailable` as soon as this process waits for it no longer. */
  async #whileOpen(exchange: HttpExchange): Promise<AnyReply> {
    const { dispatch, over } = this.#options;
    const late = Promise.withResolvers<never>();
    const release = whenAborted(over, () => {
      late.reject(stoppedBefore(exchange.route.entry.method));
      exchange.abort();
    });
    try {
      return await Promise.race([dispatch(exchange), late.promise]);
    } finally {
      release();
    }
  }

  /**
   * Who has shown no credential takes from the share of its address. Throws `rate_limited` if that
   * has too much before it.
   */
  async turnOfAddress({ socket, headers }: IncomingMessage): Promise<void> {
    const { turns, limits } = this.#options;
    await turns.take(limits.addressOf({ peer_address: socket.remoteAddress, headers }));
  }

  /** What is said to somebody who has shown no credential, when it is their turn. */
  async refusalOf(req: IncomingMessage, error: unknown): Promise<unknown> {
    if (error instanceof TooMuchAsked) return error;
    return await this.turnOfAddress(req).then(() => error, (refusal: unknown) => refusal);
  }

  /** Answers a request that cannot be served. */
  async refuse(req: IncomingMessage, res: ServerResponse, refused: unknown): Promise<void> {
    const error = await this.refusalOf(req, refused);
    const request_id = requestId(req.headers);
    const status = this.sendError(req, res, error, request_id);
    this.count('none', status, 0);
    this.#options.services.log.info({
      method: req.method, status, request_id,
      ...(error instanceof GatehouseError && { code: error.code }),
    }, 'request without a route');
  }

  /** Counts a request that was answered, by its operation. */
  count(operation: string, status: number, duration_ms: number): void {
    this.#options.meters.http_request_duration_seconds.record(
      duration_ms / 1_000, { operation, status: String(status) });
  }

  async #sendEvents(
    exchange: HttpExchange, req: Request, res: ServerResponse, reply: EventsReply): Promise<void> {
    const { services: { config, log }, limits, draining, meters } = this.#options;
    const { status, events } = reply;
    const { request_id } = exchange;
    const headers = { ...exchange.admission?.fields, ...reply.headers };
    try {
      reserveStream(exchange, limits);
    } catch (error) {
      cancelEvents(events);
      throw error;
    }
    const fields = ['X-Request-Id', request_id, ...Object.entries(this.closing(headers)!).flat()];
    if (req.method === 'HEAD') {
      cancelEvents(events);
      // The same head, without a length: nobody knows that of a stream.
      if (!res.destroyed) res.writeHead(status, [...EVENT_STREAM_HEADERS, ...fields]).end();
      return;
    }
    const end = await writeEventStream(res, events, {
      status, headers: fields,
      heartbeat_ms: config.heartbeat_ms,
      stalled_stream_ms: config.stalled_stream_ms,
      draining,
      onSent: (events) => meters.events_sent_total.add(events),
    });
    // Only this signal stops a source that waits for its next event.
    if (end !== 'complete') exchange.abort();
    log.debug({ request_id, end }, 'event stream ended');
  }

  /** Handles an error of an operation or stream; returns the status that the client has seen. */
  #fail(req: Request, res: ServerResponse, error: unknown, request_id: string,
    fields: Admission['fields'] | undefined): number {
    if (!res.headersSent) return this.sendError(req, res, error, request_id, fields);
    // The head is sent: only a cut connection tells the client that the body is incomplete.
    this.#options.services.log.error({ request_id, err: error }, 'a response broke off');
    // Later, so that the client still gets everything written so far.
    setImmediate(() => {
      if (req.httpVersionMinor === 0) req.socket.resetAndDestroy();
      else res.destroy();
    });
    return res.statusCode;
  }

  /** Answers with an error; returns the status that the client has seen. */
  sendError(
    req: IncomingMessage, res: ServerResponse, error: unknown, request_id: string,
    fields?: Admission['fields']): number {
    if (error instanceof ClientGone || res.destroyed) return CLIENT_GONE;
    const { status, headers, body } = toErrorReply(error, request_id, this.#options.services);
    const text = JSON.stringify(body);
    const all = { ...fields, ...headers };
    // Paused is a body that was refused while it was read: nobody reads the rest any more, and a
    // client that sends it first would never come to the answer.
    const unread = status === 413 || req.isPaused();
    if (unread) sendTextAndClose(req, res, status, text, request_id, all);
    else sendText(res, status, text, request_id, this.closing(all));
    return status;
  }

  /** The fields of an answer, which says while this process stops that the connection ends. */
  closing<Headers extends Readonly<Record<string, string | string[]>>>(
    headers: Headers | undefined): Headers | { Connection: string } | undefined {
    return this.#options.leaving.aborted ? { ...headers, Connection: 'close' } : headers;
  }
}

/** Whether its turn was that of somebody, or of an operation that asks for no credential. */
function hadTurn({ caller, operator, route }: HttpExchange): boolean {
  return caller !== null || operator !== null || route.entry.security === null;
}

/**
 * The places of a request, once its answer has been taken or its connection is gone: an answer that
 * nobody reads is held in memory, and counts for who asked.
 */
export function giveBack(
  { admission, releasePlace, held }: Partial<Pick<Exchange, 'admission' | 'releasePlace' | 'held'>>,
  res: ServerResponse): void {
  const release = () => {
    admission?.release();
    releasePlace?.();
    held?.release();
  };
  if (res.closed) release();
  else res.once('close', release);
}
