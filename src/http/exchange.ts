/**
 * One request on its way through dispatch, whatever it came by. `HttpExchange` has a socket;
 * `InjectedExchange` comes from inside the process, already authenticated.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../caller.ts';
import { newId } from '../ids.ts';
import { weighAccept, type Accepts } from './accept.ts';
import { announcesBody, readBody, tooLarge } from './body.ts';
import type { AnyReply } from './reply.ts';
import type { Route } from './routes.ts';

export interface Parameters {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  headers: Record<string, unknown>;
}

export interface Exchange {
  readonly route: Route;
  readonly method: string;
  readonly request_id: string;
  readonly headers: IncomingHttpHeaders;
  /** Path parameters, decoded. */
  readonly path: Record<string, string>;
  /** The query string without its question mark. */
  readonly search: string;
  readonly accepts: Accepts;
  /** Aborted when the requester is gone; made when first read. */
  readonly signal: AbortSignal;
  /** Set by authentication; an injected exchange has it from the start. */
  caller: Caller | null;
  /** True where the caller is known without a token. */
  readonly trusted: boolean;
  /** False where only a JSON answer can be taken. */
  readonly streams: boolean;
  params: Parameters | undefined;
  body: unknown;
  /** Bytes that the body came in; 0 without one. */
  body_bytes: number;
  /** What the operation came to, once it has been called. */
  reply: Promise<AnyReply> | undefined;
  /** Gives back the event stream that was reserved for this exchange, if any. */
  releaseStream: (() => void) | undefined;
  announcesBody(): boolean;
  /** The body's bytes, bounded. */
  readBody(limit_bytes: number): Promise<Buffer>;
}

const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;

/** The client's X-Request-Id if it is one that can be logged and sent back, else a new one. */
export function requestId(headers: IncomingHttpHeaders): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : newId('req');
}

export class HttpExchange implements Exchange {
  readonly route: Route;
  readonly method: string;
  readonly request_id: string;
  readonly headers: IncomingHttpHeaders;
  readonly path: Record<string, string>;
  readonly search: string;
  readonly accepts: Accepts;
  readonly trusted = false;
  readonly streams = true;
  caller: Caller | null = null;
  params: Parameters | undefined = undefined;
  body: unknown = undefined;
  body_bytes = 0;
  reply: Promise<AnyReply> | undefined = undefined;
  releaseStream: (() => void) | undefined = undefined;
  readonly #req: IncomingMessage;
  readonly #res: ServerResponse;
  #controller: AbortController | undefined = undefined;

  constructor(route: Route, req: IncomingMessage, res: ServerResponse, request_id: string,
    path: Record<string, string>, search: string) {
    this.route = route;
    this.method = req.method!;
    this.request_id = request_id;
    this.headers = req.headers;
    this.path = path;
    this.search = search;
    this.accepts = weighAccept(req.headers.accept, route.entry.produces);
    this.#req = req;
    this.#res = res;
  }

  // Lazily: one AbortController per request costs 15 % of the CPU time of a short one.
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      const onClose = () => {
        if (!this.#res.writableFinished) this.abort();
      };
      if (this.#res.closed) onClose();
      else this.#res.once('close', onClose);
    }
    return this.#controller.signal;
  }

  /** Aborts the signal if anybody has read it. */
  abort(): void {
    this.#controller?.abort();
  }

  announcesBody(): boolean {
    return announcesBody(this.headers);
  }

  readBody(limit_bytes: number): Promise<Buffer> {
    return readBody(this.#req, this.#res, limit_bytes);
  }
}

/** A request that the process makes of itself. `path` and `query` are as in `inject`. */
export class InjectedExchange implements Exchange {
  readonly route: Route;
  readonly method: string;
  readonly request_id: string;
  readonly headers: IncomingHttpHeaders;
  readonly path: Record<string, string>;
  readonly search: string;
  readonly accepts: Accepts = { any: true, event_stream: false };
  readonly signal: AbortSignal;
  readonly trusted = true;
  readonly streams = false;
  caller: Caller | null;
  params: Parameters | undefined = undefined;
  body: unknown = undefined;
  body_bytes = 0;
  reply: Promise<AnyReply> | undefined = undefined;
  releaseStream: (() => void) | undefined = undefined;
  readonly #bytes: Buffer | undefined;

  constructor(route: Route, caller: Caller, request: {
    headers: IncomingHttpHeaders; path: Record<string, string>; search: string;
    request_id: string; bytes: Buffer | undefined; signal: AbortSignal;
  }) {
    this.route = route;
    this.method = route.entry.method;
    this.caller = caller;
    this.request_id = request.request_id;
    this.path = request.path;
    this.search = request.search;
    this.signal = request.signal;
    this.headers = { ...request.headers, 'content-type': 'application/json' };
    this.#bytes = request.bytes;
  }

  announcesBody(): boolean {
    return this.#bytes !== undefined;
  }

  async readBody(limit_bytes: number): Promise<Buffer> {
    const bytes = this.#bytes ?? Buffer.alloc(0);
    if (bytes.length > limit_bytes) throw tooLarge(limit_bytes);
    return bytes;
  }
}
