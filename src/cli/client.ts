import { setTimeout as delay } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import type { components, paths } from '../../generated/types.ts';
import { VERSION } from '../config.ts';
import { parseJson } from '../json.ts';
import { EXIT, Failure } from './failure.ts';
import { PLACES, type Credential, type Profile } from './profile.ts';
import { oneLine, safeText } from './terminal.ts';

export type Schemas = components['schemas'];
export type RunEvent = Schemas['RunEvent'];

/** An event with the bytes it came as. */
export interface ReceivedEvent {
  event: RunEvent;
  json: string;
}

/** The service answered with an error. */
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

type Methods = { GET: 'get'; POST: 'post'; PATCH: 'patch'; DELETE: 'delete' };
/** An operation of the document, by its method and path. */
type Operation<M extends keyof Methods, P extends keyof paths> = paths[P][Methods[M]];
type Json<T> = T extends { content: { 'application/json': infer J } } ? J : undefined;
type Answer<O> =
  O extends { responses: infer R } ? Json<R[keyof R & (200 | 201 | 202 | 204)]> : never;

/** What a list may be asked for. */
export type QueryOf<P extends keyof paths> =
  paths[P]['get'] extends { parameters: { query?: infer Q } } ? Q : never;
/** An item of a list. */
export type ItemOf<P extends keyof paths> =
  Answer<paths[P]['get']> extends { data: (infer I)[] } ? I : never;

interface Sending {
  idempotency_key?: string;
  signal?: AbortSignal;
}

type RequestOptions<M extends keyof Methods, P extends keyof paths> = Sending & {
  query?: M extends 'GET' ? QueryOf<P> : never;
  body?: Operation<M, P> extends
    { requestBody?: { content: { 'application/json': infer B } } } ? B : never;
} & (P extends `${string}{${string}` ? { /** It stands in the path. */ id: string } : unknown);

/** The options of a request for any operation. */
type AnyRequest = Sending & { id?: string; query?: object; body?: unknown; accept?: string };

const REQUEST_TIMEOUT_MS = 60_000;
/** The service sends a comment every 15 s; after this long without one the connection is dead. */
const SILENCE_MS = 60_000;
/** Far above what an event may have: a server that sends more in one is no Gatehouse. */
const EVENT_LIMIT_CHARS = 64 * 1_048_576;
const SHOWN_PARTICULARS = 10;
/** So often, and after waits as long as this, a request is repeated that came too soon. */
const LIMITED = { repeats: 3, longest_wait_ms: 10_000 };

/** Speaks to the service in public HTTP. Its errors are Failures, worded for a person. */
export class Client {
  readonly #profile: Profile;
  readonly #as: Credential;
  readonly #silence_ms: number;

  /** `as`: whose credential to send. */
  constructor(
    profile: Profile, { as = 'api_key' as Credential, silence_ms = SILENCE_MS } = {}) {
    this.#profile = profile;
    this.#as = as;
    this.#silence_ms = silence_ms;
  }

  /**
   * One request, by the method and path of the document; `id` takes the place of what stands in
   * braces. It is repeated if the service says that it came too soon. Throws ApiError,
   * ConnectionError, or the signal's reason.
   */
  request<M extends keyof Methods, P extends keyof paths>(
    method: M, path: P, options: RequestOptions<M, P>): Promise<Answer<Operation<M, P>>> {
    return this.#request(method, path, options as AnyRequest);
  }

  async #request<T>(method: string, path: string, options: AnyRequest): Promise<T> {
    for (let repeats = 0; ; repeats++) {
      try {
        return await this.#requestOnce(method, path, options);
      } catch (error) {
        // Nothing was done then, so that whatever it asks for is safe to repeat.
        if (!(error instanceof ApiError) || error.code !== 'rate_limited') throw error;
        const wait_ms = error.retry_after_ms ?? Infinity;
        if (repeats === LIMITED.repeats || wait_ms > LIMITED.longest_wait_ms) throw error;
        await delay(wait_ms, undefined, { signal: options.signal });
      }
    }
  }

  async #requestOnce<T>(method: string, path: string, options: AnyRequest): Promise<T> {
    const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
    try {
      const response = await this.#fetch(method, path, { ...options, signal });
      const text = await response.text();
      if (!response.ok) throw errorOf(response, text);
      return (text === '' ? undefined : parseAnswer(response, text)) as T;
    } catch (error) {
      options.signal?.throwIfAborted();
      throw this.#explain(error);
    }
  }

  /** All items of a list, page by page. */
  async *list<P extends keyof paths>(path: P, query: QueryOf<P>): AsyncGenerator<ItemOf<P>> {
    let cursor: string | null | undefined;
    do {
      const page: { data: ItemOf<P>[]; next_cursor: string | null } =
        await this.#request('GET', path, { query: { ...query as object, limit: 100, cursor } });
      yield* page.data;
      cursor = page.next_cursor;
    } while (cursor !== null);
  }

  /** The events that one connection brings. `followEvents` connects again. Throws as `request`. */
  async *events(
    run_id: string, starting_after: number, signal: AbortSignal): AsyncGenerator<ReceivedEvent> {
    const silence = new AbortController();
    const listen = () => setTimeout(() => silence.abort(new ConnectionError(
      `The connection to ${this.#profile.base_url} has gone silent.`)), this.#silence_ms);
    let timer = listen();
    try {
      const response = await this.#fetch('GET', '/runs/{run_id}/events', {
        id: run_id, query: { starting_after }, accept: 'text/event-stream',
        signal: AbortSignal.any([signal, silence.signal]),
      });
      if (!response.ok) throw errorOf(response, await response.text());
      const received: ReceivedEvent[] = [];
      const parser = createParser({
        maxBufferSize: EVENT_LIMIT_CHARS,
        onEvent: ({ data }) => received.push({ event: JSON.parse(data) as RunEvent, json: data }),
        onError: (error) => {
          if (error.type === 'max-buffer-size-exceeded') throw error;
        },
      });
      for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
        clearTimeout(timer);
        parser.feed(text);
        yield* received.splice(0);
        timer = listen();
      }
    } catch (error) {
      signal.throwIfAborted();
      throw this.#explain(error);
    } finally {
      clearTimeout(timer);
    }
  }

  async #fetch(method: string, path: string, options: AnyRequest): Promise<Response> {
    const { id = '', query = {}, body, idempotency_key, signal } = options;
    const { accept = 'application/json' } = options;
    const url = new URL(this.#profile.base_url
      + path.replace(/\{\w+\}/, () => encodeURIComponent(id)));
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    return await fetch(url, {
      method,
      headers: {
        Accept: accept,
        Authorization: `Bearer ${this.#credential()}`,
        'User-Agent': `gatehouse-cli/${VERSION}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(idempotency_key !== undefined && { 'Idempotency-Key': idempotency_key }),
      },
      redirect: 'error',
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  }

  #credential(): string {
    const { what, variable, flag } = PLACES[this.#as];
    const value = this.#profile[this.#as];
    if (value !== null) {
      if (/^[\x21-\x7e]+$/.test(value)) return value;
      throw new Failure(`The ${what} holds characters that no ${what} has.`, EXIT.usage);
    }
    const { base_url, file, withheld_for, withheld } = this.#profile;
    const place = withheld[this.#as];
    if (place !== undefined) {
      throw new Failure(`The ${what} of ${place} is not sent to ${base_url}: only ${file} names`
        + ' that address, and whoever made this folder may have written it.\nIf you mean that'
        + ` service, say so: GATEHOUSE_BASE_URL=${base_url} or --base-url ${base_url}.`
        + ` Without ${place}, what the file holds counts.`, EXIT.usage);
    }
    throw new Failure(`There is no ${what} for ${base_url}. Set ${variable} or give ${flag}.\n`
      + (withheld_for === null ? `(${file} would be used too, and holds none.)`
        : `(What ${file} holds is for ${withheld_for}.)`), EXIT.usage);
  }

  /** Says in words what went wrong below HTTP. */
  #explain(error: unknown): Failure {
    if (error instanceof Failure) return error;
    const { base_url } = this.#profile;
    const { name, message, cause } = error as Error & { cause?: NodeJS.ErrnoException };
    if (cause?.code === 'ECONNREFUSED') {
      return new RefusedError(`Nothing answers at ${base_url}. Is the service running?`
        + ' Start it with: make start', EXIT.failed, error);
    }
    const why = name === 'TimeoutError' ? `no answer within ${REQUEST_TIMEOUT_MS / 1_000} s`
      : cause?.message || cause?.code || message;
    return new ConnectionError(
      `The connection to ${base_url} failed: ${oneLine(why, 300)}.`, EXIT.failed, error);
  }
}

function parseAnswer(response: Response, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Failure(`${response.url} answered something that is not JSON. Is it the address of a`
      + ' Gatehouse service?', EXIT.failed, cause);
  }
}

/** Makes an error of an answer: message, violations of the document, code and request id. */
function errorOf(response: Response, text: string): ApiError {
  const { status, headers } = response;
  const seconds = Number(headers.get('retry-after') ?? NaN);
  const retry_after_ms = Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : null;
  const body = parseJson(text) as Partial<Schemas['Error']> | null | undefined;
  if (typeof body?.error !== 'string') {
    return new ApiError(`${response.url} answered ${status} and no more than that. Is it the`
      + ' address of a Gatehouse service?', status, retry_after_ms);
  }
  const particulars = particularsOf(body.details);
  const lines = [safeText(body.error), ...particulars.slice(0, SHOWN_PARTICULARS),
    ...(particulars.length > SHOWN_PARTICULARS
      ? [`  and ${particulars.length - SHOWN_PARTICULARS} more`] : []),
    `(${body.code}, request ${body.request_id})`];
  return new ApiError(lines.join('\n'), status, retry_after_ms, String(body.code));
}

/** What the service may tell of one thing that a call lacked. */
interface Gap {
  violations?: { path?: unknown; message?: unknown }[];
  connections?: { connection_id?: unknown; account_label?: unknown }[];
}

/** Lines for what the message leaves out: all violations if there are several, all accounts. */
function particularsOf(details: unknown): string[] {
  const line = (...words: unknown[]) =>
    `  ${words.map((word) => oneLine(String(word), 200)).join(' ')}`;
  const violationLines = (violations: Gap['violations'] = []) =>
    violations.length < 2 ? [] : violations.map(({ path, message }) => line(path, message));
  if (Array.isArray(details)) return violationLines(details);
  const { missing } = (details ?? {}) as { missing?: Gap[] };
  return (missing ?? []).flatMap(({ violations, connections = [] }) => [
    ...violationLines(violations),
    ...connections.map(({ connection_id, account_label }) =>
      line(connection_id, account_label ?? '(no label)')),
  ]);
}
