import { setTimeout as delay } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import type { paths, RunEvent, Schemas } from '../../generated/types.ts';
import { VERSION } from '../config.ts';
import {
  ApiError, connectionFailure, ConnectionError, errorOf, foreignAnswer, parseAnswer,
} from './answers.ts';
import { EXIT, Failure } from './failure.ts';
import { waitingFor } from './longAnswer.ts';
import { secretFor, type Credential, type Profile } from './profile.ts';
import { redirection } from './redirect.ts';
import { wholeId } from './shortIds.ts';
import { SILENT, type Wait } from './statusLine.ts';

export type { RunEvent, Schemas };

/** An event with the bytes it came as. */
export interface ReceivedEvent {
  event: RunEvent;
  json: string;
}

type Methods = { GET: 'get'; POST: 'post'; PATCH: 'patch'; DELETE: 'delete' };
/** An operation of the document, by its method and path. */
type PathOperation<M extends keyof Methods, P extends keyof paths> = paths[P][Methods[M]];
type Json<T> = T extends { content: { 'application/json': infer J } } ? J : undefined;
/** 204 counts only where nothing else is a success: elsewhere it is for requests not made here. */
type SuccessBody<O> = O extends { responses: infer R }
  ? [keyof R & (200 | 201 | 202)] extends [never] ? undefined : Json<R[keyof R & (200 | 201 | 202)]>
  : never;

/** What the service answers to a GET. */
export type AnswerOf<P extends keyof paths> = SuccessBody<paths[P]['get']>;
/** What a list may be asked for. */
export type QueryOf<P extends keyof paths> =
  paths[P]['get'] extends { parameters: { query?: infer Q } } ? Q : never;
/** An item of a list. */
export type ItemOf<P extends keyof paths> =
  AnswerOf<P> extends { data: (infer I)[] } ? I : never;

/** A page of a list. */
export interface List<T> {
  object: 'list';
  data: T[];
  has_more: boolean;
  next_cursor: string | null;
}

interface Sending {
  /** What takes long is told of in these words: "importing github". */
  doing?: string;
  idempotency_key?: string;
  /** So often it is repeated after 503, as it goes on where the one before it ended. */
  unavailable_repeats?: number;
  /** How long the answer may take; a minute if left out. */
  limit_ms?: number;
  signal?: AbortSignal;
}

type RequestOptions<M extends keyof Methods, P extends keyof paths> = Sending & {
  query?: M extends 'GET' ? QueryOf<P> : never;
  body?: PathOperation<M, P> extends
    { requestBody?: { content: { 'application/json': infer B } } } ? B : never;
} & (P extends `${string}{${string}` ? { /** It stands in the path. */ id: string } : unknown);

/** The options of a request for any operation. */
type AnyRequest = Sending & { id?: string; query?: object; body?: unknown; accept?: string };

const REQUEST_TIMEOUT_MS = 60_000;
/** The service sends a comment every 15 s; after this long without one the connection is dead. */
const SILENCE_MS = 60_000;
/** Far above what an event may have: a server that sends more in one is no Gatehouse. */
const EVENT_LIMIT_CHARS = 64 * 1_048_576;
/** So often, and after waits as long as this, a request is repeated that came too soon. */
const LIMITED = { repeats: 3, longest_wait_ms: 10_000 };

/** `is_named`: the words say what is done, and not only that something is waited for. */
type OnWait = (words: string, is_named: boolean) => Wait;
const SILENTLY: OnWait = () => SILENT;

/** Speaks to the service in public HTTP. Its errors are Failures, worded for a person. */
export class Client {
  readonly #profile: Profile;
  readonly #as: Credential;
  readonly #silence_ms: number;
  readonly #onWholeId: (given: string, id: string) => void;
  readonly #onWait: OnWait;
  /** The whole ids of those of which the beginning was given. */
  readonly #wholeIds = new Map<string, string>();

  /**
   * `as`: whose credential to send. `onWholeId`: told what the beginning of an id stood for;
   * `onWait`: what is waited for, until its end.
   */
  constructor(profile: Profile, {
    as = 'api_key' as Credential, silence_ms = SILENCE_MS,
    onWholeId = (_given: string, _id: string): void => {}, onWait = SILENTLY,
  } = {}) {
    this.#onWait = onWait;
    this.#profile = profile;
    this.#as = as;
    this.#silence_ms = silence_ms;
    this.#onWholeId = onWholeId;
  }

  /**
   * One request, by the method and path of the document; `id` takes the place of what stands in
   * braces, and may be the beginning of one. It is repeated if the service says that it came too
   * soon. Throws ApiError, ConnectionError, or the signal's reason.
   */
  request<M extends keyof Methods, P extends keyof paths>(
    method: M, path: P, options: RequestOptions<M, P>): Promise<SuccessBody<PathOperation<M, P>>> {
    return this.#request(method, path, options as AnyRequest);
  }

  /** The id that begins so; what was given if there is none. Throws as `wholeId`. */
  async wholeId(parameter: string, given: string): Promise<string> {
    const id = await wholeId(
      (path, query) => this.list(path, query as never), parameter, given);
    if (id === null || id === given) return given;
    this.#wholeIds.set(given, id);
    this.#onWholeId(given, id);
    return id;
  }

  async #request<T>(method: string, path: string, options: AnyRequest): Promise<T> {
    const { doing } = options;
    const words = doing ?? `waiting for ${this.#profile.base_url}`;
    const wait = this.#onWait(words, doing !== undefined);
    try {
      return await this.#requestRepeated(method, path, options);
    } finally {
      wait.end();
    }
  }

  async #requestRepeated<T>(method: string, path: string, options: AnyRequest): Promise<T> {
    const left = new Map<string | null, number>([
      ['rate_limited', LIMITED.repeats], ['unavailable', options.unavailable_repeats ?? 0]]);
    for (;;) {
      try {
        return await this.#requestOnce(method, path, options);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        // Nothing was done, or the next one goes on from there: whatever it asks for is repeated.
        if (error.code === 'not_found' && await this.#completes(path, options.id)) continue;
        const wait_ms = error.retry_after_ms ?? Infinity;
        const repeats = left.get(error.code) ?? 0;
        if (repeats === 0 || wait_ms > LIMITED.longest_wait_ms) throw error;
        left.set(error.code, repeats - 1);
        await delay(wait_ms, undefined, { signal: options.signal });
      }
    }
  }

  /** Finds the id that begins so; false if there is none, or it is known already. */
  async #completes(path: string, given: string | undefined): Promise<boolean> {
    const [, parameter] = /\{(\w+)\}/.exec(path) ?? [];
    if (parameter === undefined || given === undefined || this.#wholeIds.has(given)) return false;
    return await this.wholeId(parameter, given) !== given;
  }

  async #requestOnce<T>(method: string, path: string, options: AnyRequest): Promise<T> {
    const { limit_ms = REQUEST_TIMEOUT_MS } = options;
    const timeout = AbortSignal.timeout(limit_ms);
    const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
    try {
      const response = await this.#fetch(method, path, { ...options, signal });
      const text = await response.text();
      if (!response.ok) throw errorOf(response, text);
      const is_done = method === 'DELETE' && response.status === 204;
      return (is_done ? undefined : parseAnswer(response.url, text)) as T;
    } catch (error) {
      options.signal?.throwIfAborted();
      throw connectionFailure(error, this.#profile.base_url, limit_ms);
    }
  }

  /** All items of a list, page by page. */
  async *list<P extends keyof paths>(path: P, query: QueryOf<P>): AsyncGenerator<ItemOf<P>> {
    let cursor: string | null | undefined;
    do {
      const page = await this.#page<ItemOf<P>>(path, { ...query as object, limit: 100, cursor });
      yield* page.data;
      cursor = page.next_cursor;
    } while (cursor !== null);
  }

  /** At most `limit` items of a list, after `cursor`, as one page. */
  async upTo<P extends keyof paths>(
    path: P, query: QueryOf<P> | undefined, limit: number,
    { cursor, signal }: { cursor?: string | undefined; signal?: AbortSignal } = {},
  ): Promise<List<ItemOf<P>>> {
    const found: List<ItemOf<P>> = { object: 'list', data: [], has_more: true, next_cursor: null };
    while (found.has_more && found.data.length < limit) {
      const page = await this.#page<ItemOf<P>>(path, {
        ...query as object, limit: Math.min(100, limit - found.data.length),
        cursor: found.next_cursor ?? cursor,
      }, signal);
      Object.assign(found, { ...page, data: [...found.data, ...page.data] });
    }
    return found;
  }

  /** A page of a list. Throws as `request`, and Failure for what another service may answer. */
  async #page<T>(path: string, query: object, signal?: AbortSignal): Promise<List<T>> {
    const page = await this.#request<List<T>>('GET', path, { query, ...(signal && { signal }) });
    if (Array.isArray(page.data) && page.next_cursor !== undefined) return page;
    throw new Failure(foreignAnswer(`${this.#profile.base_url}${path}`, 'no list'));
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
      throw connectionFailure(error, this.#profile.base_url, REQUEST_TIMEOUT_MS);
    } finally {
      clearTimeout(timer);
    }
  }

  async #fetch(method: string, path: string, options: AnyRequest): Promise<Response> {
    const { id = '', query = {}, body, idempotency_key, limit_ms, signal } = options;
    const { accept = 'application/json' } = options;
    if (path.includes('{')) refuseNoId(id);
    const url = new URL(this.#profile.base_url
      + path.replace(/\{\w+\}/, () => encodeURIComponent(this.#wholeIds.get(id) ?? id)));
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const response = await fetch(url, {
      method,
      headers: {
        Accept: accept,
        Authorization: `Bearer ${secretFor(this.#profile, this.#as)}`,
        'User-Agent': `gatehouse-cli/${VERSION}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(idempotency_key !== undefined && { 'Idempotency-Key': idempotency_key }),
      },
      redirect: 'manual',
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
      ...(limit_ms !== undefined && waitingFor(limit_ms)),
    });
    const elsewhere = redirection(response, this.#profile.base_url);
    if (elsewhere !== undefined) throw new Failure(elsewhere);
    return response;
  }
}

/** Refuses what would lead to another address than that of the thing that is meant. */
function refuseNoId(id: string): void {
  if (id === '') {
    throw new Failure('The id is empty. If it is from a variable, that is not set.', EXIT.usage);
  }
  if (id === '.' || id === '..') throw new Failure(`${id} is no id.`, EXIT.usage);
}
