/**
 * The kit's side of the wire. It knows an address, a key and the document: every answer is held
 * against the document, and against what holds for all answers, before a check sees it.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { operations, type OperationEntry } from '../../generated/operations.ts';
import * as validators from '../../generated/responses.js';
import type { Validate } from '../../generated/validators.js';
import {
  isStream, requestOf, type Answer, type CallInput, type JsonOf, type PublicId, type Responses,
  type Schemas,
} from './calls.ts';
import { Busy, Fault, excerptOf, Unreachable } from './expect.ts';
import { Follower, HELD_BACK } from './follower.ts';
import { checkHead } from './head.ts';
import type { Made } from './made.ts';

export interface CallOptions extends CallInput {
  /** The value of Authorization; null sends none. */
  authorization?: string | null;
  /** How much longer than usual the answer may take. */
  extra_ms?: number;
}

type Named = Record<string, string>;

export interface WireOptions {
  /** With the version segment: http://127.0.0.1:3000/v1. */
  base_url: string;
  api_key: string;
  /** How long one answer, or one event, may take. */
  patience_ms: number;
  /** Ends every request. */
  signal: AbortSignal;
  /** Marks what this kit makes, and its requests. */
  mark: string;
  made: Made;
}

const EVENT_STREAM = 'text/event-stream';
/** How an answer begins that is no TLS. */
const NO_TLS = ['ERR_SSL_PACKET_LENGTH_TOO_LONG', 'ERR_SSL_WRONG_VERSION_NUMBER'];
/** So often is a request repeated that came too soon, each time after the wait asked for. */
const LIMITED_REPEATS = 20;
/**
 * And one that found the service without its database: with three checks of four at once on a busy
 * machine that happens to a sound service too.
 */
const UNAVAILABLE_REPEATS = 3;
const REPEATED: Record<number, string> = { 429: 'rate_limited', 503: 'unavailable' };
const LONGEST_RETRY_S = 30;
/** Requests of a wire, all together: a list that never ends must not be read for ever. */
const REQUEST_BUDGET = 5_000;
/** Requests of one wire that wait for their answer at once, streams not counted. */
const AT_ONCE = 16;

export class Wire {
  readonly base_url: string;
  readonly api_key: string;
  readonly patience_ms: number;
  readonly #options: WireOptions;
  #requests = 0;
  #unavailable = 0;
  #open = 0;
  readonly #waiting: (() => void)[] = [];
  /** Whether answers say what is left to be asked: a target without limits says nothing. */
  #limited = false;

  constructor(options: WireOptions) {
    this.#options = options;
    this.base_url = options.base_url;
    this.api_key = options.api_key;
    this.patience_ms = options.patience_ms;
  }

  /** How many requests were sent. */
  get requests(): number {
    return this.#requests;
  }

  /** How many of them were answered 503 and repeated. */
  get unavailable(): number {
    return this.#unavailable;
  }

  /** Calls an operation, and answers what the document allows. Throws Fault. */
  async call<O extends PublicId>(id: O, options: CallOptions = {}): Promise<Answer<O>> {
    const called = this.#call(id, options);
    if (id === 'createSession') this.#options.made.awaitAnswer(called);
    return await called as unknown as Answer<O>;
  }

  /** As `call`, for one status. */
  async expect<O extends PublicId, S extends keyof Responses<O> & number>(
    status: S, id: O, options: CallOptions = {}): Promise<JsonOf<Responses<O>[S]>> {
    return (await this.expectAnswer(status, id, options)).body;
  }

  /** The same with the headers. */
  async expectAnswer<O extends PublicId, S extends keyof Responses<O> & number>(
    status: S, id: O, options: CallOptions = {},
  ): Promise<{ headers: Headers; body: JsonOf<Responses<O>[S]> }> {
    const answer = await this.call(id, options);
    if (answer.status !== status) {
      throw new Fault(`${id} answers ${String(answer.status)} ${excerptOf(answer.body)} where`
        + ` ${status} is expected`);
    }
    return answer as { headers: Headers; body: JsonOf<Responses<O>[S]> };
  }

  /** As `call`, for an error; `what` says what was wrong with the request. */
  async refused(
    status: number, code: string, id: PublicId, options: CallOptions, what: string,
  ): Promise<Schemas['ApiError'] & { headers: Headers }> {
    const answer = await this.call(id, options) as unknown as Loose;
    if (answer.status !== status || answer.body?.code !== code) {
      throw new Fault(`${id} with ${what} answers ${answer.status}`
        + ` ${answer.body?.code ?? excerptOf(answer.body)} where ${status} ${code} is expected`);
    }
    return { ...answer.body, headers: answer.headers };
  }

  /** The events of createRun (with `stream: true`) or streamRunEvents as they come. */
  async follow(
    id: 'createRun' | 'streamRunEvents', options: CallOptions): Promise<Follower> {
    const given = Object.entries({ 'starting_after=': options.query?.starting_after,
      'Last-Event-ID: ': options.headers?.['last-event-id'] })
      .filter(([, number]) => number !== undefined);
    const after = Math.max(0, ...given.map(([, number]) => Number(number)));
    const cut = new AbortController();
    const headers = { accept: EVENT_STREAM, ...options.headers };
    const { response, request_id } =
      await this.#send(id, { ...options, headers }, cut.signal);
    if (response.status !== 200 || !isStream(response)) {
      const text = await this.#textOf(id, response);
      throw new Fault(`${id} answers ${response.status}`
        + ` ${response.headers.get('content-type')} where a stream is expected:`
        + ` ${excerptOf(text)}`);
    }
    this.#checkHead(id, response, request_id, undefined);
    return new Follower(response, {
      after, asked_by: given.map(([name, number]) => `${name}${number}`).join(' and '),
      patience_ms: this.patience_ms, cut: () => cut.abort(),
      onEnd: (run) => this.#options.made.runSeen(run),
      path: (options.path ?? {}) as { run_id?: string; session_id?: string },
    });
  }

  /** Any request below the address, with nothing checked but that it is answered in time. */
  async fetch(
    path: string, init: { method?: string; headers?: Record<string, string>; body?: string } = {},
  ): Promise<Response> {
    return await this.#patiently(path, init, () => this.#fetch(this.base_url + path, {
      ...init, headers: { authorization: `Bearer ${this.api_key}`, ...init.headers },
    }, this.patience_ms, [this.#options.signal]));
  }

  async #call(id: PublicId, options: CallOptions): Promise<Loose> {
    const { made } = this.#options;
    const { response, request_id } = await this.#send(id, options);
    const { status, headers } = response;
    if (isStream(response)) throw new Fault(`${id} answers with a stream, unasked`);
    const text = await this.#textOf(id, response);
    if (id === 'createSession') made.awaited -= 1;
    const body = text === '' ? undefined : parse(id, status, text);
    const made_id = id === 'createSession' && status < 300 ? body?.id : undefined;
    if (made_id) {
      const { authorization = `Bearer ${this.api_key}` } = options;
      made.sessions.set(made_id, { api_key: this.api_key, authorization });
    }
    if (id === 'deleteSession' && status === 204) made.deleted.add(options.path!.session_id!);
    if (id === 'createRun' && status >= 400) made.runRefused(options.path?.session_id ?? '');
    if (body?.object === 'run') made.runSeen(body);
    this.#checkBody(id, status, body);
    this.#checkHead(id, response, request_id, body);
    return { status, headers, body };
  }

  async #send(id: PublicId, options: CallOptions, cut?: AbortSignal) {
    const { authorization = `Bearer ${this.api_key}` } = options;
    const { url, ...init } = requestOf(this.base_url, id, options, {
      'x-request-id': `${this.#options.mark}-${this.#requests + 1}`,
      ...(authorization !== null && { authorization }),
    });
    if (id === 'createSession') this.#options.made.awaited += 1;
    if (id === 'createRun') this.#options.made.runAsked(options.path?.session_id ?? '');
    // One that is broken off may be made all the same, and nobody would know of it.
    const ends = id === 'createSession' ? [] : [this.#options.signal, ...cut ? [cut] : []];
    const response = await this.#patiently(id, init, () => this.#fetch(
      url, init, this.patience_ms + (options.extra_ms ?? 0), ends));
    return { response, request_id: init.headers['x-request-id']! };
  }

  /**
   * Repeats a request that came too soon, or found the service without its database, each time
   * after the wait that it is asked for. The latter only if that does nothing twice.
   */
  async #patiently(
    what: string, { method = 'GET', headers }: { method?: string; headers?: Named | undefined },
    ask: () => Promise<Response>): Promise<Response> {
    const is_safe = method === 'GET' || headers?.['idempotency-key'] !== undefined;
    const most = new Map([[429, LIMITED_REPEATS]]);
    if (is_safe) most.set(503, UNAVAILABLE_REPEATS);
    for (let repeats = 0; ; repeats++) {
      const response = await this.#place(ask);
      const { status } = response;
      const limit = most.get(status);
      if (limit === undefined) return response;
      const body = jsonOf(await this.#textOf(what, response.clone()));
      if (body?.code !== REPEATED[status]) return response;
      const wait = response.headers.get('retry-after') ?? '';
      if (!/^\d+$/.test(wait) || repeats >= limit || Number(wait) > LONGEST_RETRY_S) {
        throw new Busy(`${what}: ${status} after ${repeats} repeats, with Retry-After:`
          + ` ${excerptOf(wait)}; the kit waits ${LONGEST_RETRY_S} s at most, and repeats ${limit}`
          + ' times');
      }
      if (status === 503) this.#unavailable += 1;
      await delay(Number(wait) * 1_000, undefined, { signal: this.#options.signal });
    }
  }

  /** The body. Its head alone may be all that ever comes. */
  async #textOf(what: string, response: Response): Promise<string> {
    return await withinTime(response.text(), this.patience_ms, `${what}: ${UNENDING}`);
  }

  /** Waits until fewer than AT_ONCE requests are under way. */
  async #place<T>(work: () => Promise<T>): Promise<T> {
    if (this.#open >= AT_ONCE) await new Promise<void>((free) => this.#waiting.push(free));
    this.#open += 1;
    try {
      return await work();
    } finally {
      this.#open -= 1;
      this.#waiting.shift()?.();
    }
  }

  async #fetch(
    url: string, init: { method?: string; headers: Named; body?: string }, limit_ms: number,
    ends: AbortSignal[]): Promise<Response> {
    this.#requests += 1;
    if (this.#requests > REQUEST_BUDGET) {
      throw new Fault(`${REQUEST_BUDGET} requests were sent, and it is not done`);
    }
    const { signal } = this.#options;
    signal.throwIfAborted();
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), limit_ms);
    try {
      return await fetch(url, { ...init, redirect: 'manual',
        signal: AbortSignal.any([late.signal, ...ends]) });
    } catch (error) {
      signal.throwIfAborted();
      if (late.signal.aborted) {
        throw new Fault(`${init.method ?? 'GET'} ${new URL(url).pathname} is not answered within`
          + ` ${limit_ms / 1_000} s${init.headers.accept === EVENT_STREAM ? HELD_BACK : ''}`);
      }
      const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException };
      const reason = NO_TLS.includes(cause?.code ?? '')
        ? 'what answers speaks no TLS; without a proxy before it Gatehouse is at http://'
        : cause?.message || message;
      const why = `${init.method ?? 'GET'} ${new URL(url).pathname}: ${reason}`;
      throw cause?.code === 'ECONNREFUSED' || cause?.code === 'ENOTFOUND'
        ? new Unreachable(why, { cause: error }) : new Fault(why, { cause: error });
    } finally {
      // What is still to be read has its own time.
      clearTimeout(timer);
    }
  }

  #checkBody(id: PublicId, status: number, body: unknown): void {
    const { responses }: OperationEntry = operations[id];
    const known = responses[status];
    const declared = known?.internal ? undefined : known;
    if (!declared) throw new Fault(`${id} answers ${status}, undeclared: ${excerptOf(body)}`);
    if (declared.json === null) {
      if (body !== undefined) throw new Fault(`${id} ${status} has a body: ${excerptOf(body)}`);
      return;
    }
    const validate = validators[declared.json as keyof typeof validators] as Validate<unknown>;
    if (validate(body)) return;
    const { instancePath, message } = validate.errors![0]!;
    throw new Fault(`${id} ${status}: the body breaks the document: ${instancePath || 'it'}`
      + ` ${message}: ${excerptOf(body)}`);
  }

  #checkHead(id: PublicId, response: Response, request_id: string, body: unknown): void {
    this.#limited ||= response.headers.has('ratelimit');
    checkHead(response, { what: id, request_id, body, limited: this.#limited });
  }
}

/** An answer of whatever operation. */
export interface Loose { status: number; headers: Headers; body: any }

export const UNENDING = 'the answer does not come to its end';

/** What `work` gives, in time. Throws Fault. */
export async function withinTime<T>(
  work: Promise<T>, limit_ms: number, otherwise: string): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(
    new Fault(`${otherwise} within ${limit_ms / 1_000} s`)), limit_ms);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** A text as JSON; undefined if it is none. */
export function jsonOf(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parse(what: string, status: number, text: string): any {
  const value = jsonOf(text);
  if (value !== undefined) return value;
  throw new Fault(`${what} ${status}: the body is not JSON: ${excerptOf(text)}`);
}
