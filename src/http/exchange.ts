/**
 * One request on its way through dispatch, whatever it came by. `HttpExchange` has a socket;
 * `InjectedExchange` comes from inside the process, already authenticated.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Caller, Operator } from '../caller.ts';
import { newId } from '../ids.ts';
import type { Patience } from '../patience.ts';
import { weighAccept, type Accepts } from './accept.ts';
import { readRequestBody, bodyTooLarge } from './body.ts';
import type { HeldBody } from './heldBytes.ts';
import type { Admission, LimitSubject } from './limits.ts';
import type { AnyReply } from './reply.ts';
import type { Route } from './routes.ts';

export type Parameters = Record<'path' | 'query' | 'headers', Record<string, unknown>>;

/** What is known of a request before it is read. */
interface Head {
  request_id: string;
  headers: IncomingHttpHeaders;
  /** Path parameters, decoded. */
  path: Record<string, string>;
  /** The query string without its question mark. */
  search: string;
}

export abstract class Exchange implements Head {
  readonly route: Route;
  readonly request_id: string;
  readonly headers: IncomingHttpHeaders;
  readonly path: Record<string, string>;
  readonly search: string;
  readonly accepts: Accepts;
  /** Set by authentication; an injected exchange has it from the start. */
  caller: Caller | null = null;
  /** Set by authentication, for operations of the operator and for who is signed in. */
  operator: Operator | null = null;
  /** Whose share it takes from that asks without a credential, such as to sign in. */
  address = '';
  params: Parameters | undefined = undefined;
  body: unknown = undefined;
  /** Its own, or that of the request that it is a part of. */
  patience: Patience | undefined = undefined;
  /** What the operation came to, once it has been called. */
  reply: Promise<AnyReply> | undefined = undefined;
  /** Set once the request was let in; what it holds is to be given back. */
  admission: Admission | undefined = undefined;
  /** Gives back the event stream or the wait that was reserved for this exchange, if any. */
  releasePlace: (() => void) | undefined = undefined;
  /** The memory that its body takes. */
  held: HeldBody | undefined = undefined;
  /** True where the caller is known without a token, and can take a JSON answer alone. */
  abstract readonly injected: boolean;
  /** Whether nobody waits for the answer any more. */
  abstract readonly gone: boolean;
  /** The other end of the connection; undefined if there is none. */
  abstract readonly peer_address: string | undefined;
  /** Aborted when the requester is gone. */
  abstract readonly signal: AbortSignal;

  constructor(route: Route, { request_id, headers, path, search }: Head) {
    this.route = route;
    this.request_id = request_id;
    this.headers = headers;
    this.path = path;
    this.search = search;
    this.accepts = weighAccept(headers.accept, route.entry.produces);
  }

  /** Under which names the limits count it. */
  get asker(): LimitSubject {
    const { operator, caller } = this;
    return caller ?? { workspace_id: null, api_key_id: operator === null ? this.address
      : operator.session?.id ?? operator.actor.id ?? CONFIGURED };
  }

  /** Whose share of what is scarce it takes from. */
  get share(): string {
    const { workspace_id, api_key_id } = this.asker;
    return workspace_id ?? api_key_id;
  }

  /** The body's bytes, bounded, and counted as `held`. */
  abstract readBody(limit_bytes: number, held: HeldBody): Promise<Buffer>;
}

/** The admin token of the configuration has no id. */
const CONFIGURED = 'operator';

/** Made once: each would note its stack, and thousands of streams may end together. */
const GONE = new DOMException('nobody waits for the answer any more', 'AbortError');

const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;

/** The client's X-Request-Id if it is one that can be logged and sent back, else a new one. */
export function requestId(headers: IncomingHttpHeaders): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : newId('req');
}

export class HttpExchange extends Exchange {
  readonly injected = false;
  readonly #req: IncomingMessage;
  readonly #res: ServerResponse;
  #controller: AbortController | undefined = undefined;

  constructor(
    route: Route, req: IncomingMessage, res: ServerResponse, head: Omit<Head, 'headers'>) {
    super(route, { ...head, headers: req.headers });
    this.#req = req;
    this.#res = res;
  }

  get gone(): boolean {
    return this.#res.destroyed;
  }

  get peer_address(): string | undefined {
    return this.#req.socket.remoteAddress;
  }

  // Made when it is first read: an AbortController costs 15 % of the CPU time of a short request.
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
    this.#controller?.abort(GONE);
  }

  readBody(limit_bytes: number, held: HeldBody): Promise<Buffer> {
    this.held = held;
    return readRequestBody(this.#req, this.#res, limit_bytes, held);
  }
}

/** A request that the process makes of itself; its answer is always JSON. */
export class InjectedExchange extends Exchange {
  readonly injected = true;
  readonly gone = false;
  readonly peer_address = undefined;
  readonly signal: AbortSignal;
  readonly #bytes: Buffer;

  constructor(route: Route, caller: Caller,
    { bytes, signal, ...head }: Head & { bytes: Buffer | undefined; signal: AbortSignal }) {
    super(route, { ...head,
      headers: {
        ...head.headers, accept: '*/*', 'content-type': 'application/json',
        'content-length': String(bytes?.length ?? 0), 'transfer-encoding': undefined,
      } });
    this.caller = caller;
    this.signal = signal;
    this.#bytes = bytes ?? Buffer.alloc(0);
  }

  async readBody(limit_bytes: number): Promise<Buffer> {
    if (this.#bytes.length > limit_bytes) throw bodyTooLarge(limit_bytes);
    return this.#bytes;
  }
}
