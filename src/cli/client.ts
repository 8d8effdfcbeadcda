import { createParser } from 'eventsource-parser';
import type { components } from '../../generated/types.ts';
import { VERSION } from '../config.ts';
import { EXIT, Failure } from './failure.ts';
import type { Profile } from './profile.ts';
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
  /** Of the service's catalogue; null if something else answered. */
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

export interface RequestOptions {
  query?: Record<string, string | number>;
  body?: unknown;
  idempotency_key?: string;
  /** Whose credential to send; the api key's if it is left out. */
  as?: 'api_key' | 'admin_token';
  signal?: AbortSignal;
}

const REQUEST_TIMEOUT_MS = 60_000;
/** The service sends a comment every 15 s; after this long without one the connection is dead. */
const SILENCE_MS = 60_000;
/** Far above what an event may be; a server that sends more in one is none of ours. */
const EVENT_LIMIT_CHARS = 64 * 1_048_576;
const SHOWN_PARTICULARS = 10;

/** Speaks to the service in public HTTP. Errors are Failures, worded for a person. */
export class Client {
  readonly #profile: Profile;
  readonly #silence_ms: number;

  constructor(profile: Profile, { silence_ms = SILENCE_MS } = {}) {
    this.#profile = profile;
    this.#silence_ms = silence_ms;
  }

  /** One request with a JSON answer. Throws ApiError, ConnectionError, or the signal's reason. */
  async request<T>(method: string, path: string, options: RequestOptions = {}): Promise<T> {
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
  async *list<T>(path: string, options: RequestOptions): AsyncGenerator<T> {
    let cursor: string | null = null;
    do {
      const query: Record<string, string | number> = { ...options.query, limit: 100 };
      if (cursor !== null) query.cursor = cursor;
      const page: { data: T[]; next_cursor: string | null } =
        await this.request('GET', path, { ...options, query });
      yield* page.data;
      cursor = page.next_cursor;
    } while (cursor !== null);
  }

  /** The events of one connection; followEvents makes a run of them. Throws like `request`. */
  async *events(
    run_id: string, starting_after: number, signal: AbortSignal): AsyncGenerator<ReceivedEvent> {
    const silence = new AbortController();
    const listen = () => setTimeout(() => silence.abort(new ConnectionError(
      `The connection to ${this.#profile.base_url} has gone silent.`)), this.#silence_ms);
    let timer = listen();
    try {
      const response = await this.#fetch('GET', `/runs/${encodeURIComponent(run_id)}/events`, {
        query: { starting_after }, accept: 'text/event-stream',
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

  async #fetch(
    method: string, path: string, options: RequestOptions & { accept?: string },
  ): Promise<Response> {
    const url = new URL(this.#profile.base_url + path);
    for (const [name, value] of Object.entries(options.query ?? {})) {
      url.searchParams.set(name, String(value));
    }
    const { body, idempotency_key, accept = 'application/json', signal } = options;
    return await fetch(url, {
      method,
      headers: {
        Accept: accept,
        Authorization: `Bearer ${this.#credential(options.as ?? 'api_key')}`,
        'User-Agent': `gatehouse-cli/${VERSION}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(idempotency_key !== undefined && { 'Idempotency-Key': idempotency_key }),
      },
      redirect: 'error',
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  }

  #credential(kind: 'api_key' | 'admin_token'): string {
    const value = this.#profile[kind];
    const [name, variable, flag] = kind === 'api_key'
      ? ['api key', 'GATEHOUSE_API_KEY', '--api-key']
      : ['admin token', 'GATEHOUSE_ADMIN_TOKEN', '--admin-token'];
    if (value !== null) {
      if (/^[\x21-\x7e]+$/.test(value)) return value;
      throw new Failure(`The ${name} holds characters that no ${name} has.`, EXIT.usage);
    }
    const { base_url, file, withheld_for } = this.#profile;
    throw new Failure(`There is no ${name} for ${base_url}. Set ${variable} or give ${flag}.\n`
      + (withheld_for === null ? `(${file} would be used too, and holds none.)`
        : `(What ${file} holds is for ${withheld_for}.)`), EXIT.usage);
  }

  /** What went wrong below HTTP, in words. */
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

/** The error of an answer: its message, what violates the document, its code and request id. */
function errorOf(response: Response, text: string): ApiError {
  const { status, headers } = response;
  const seconds = Number(headers.get('retry-after') ?? NaN);
  const retry_after_ms = Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : null;
  let body: Partial<Schemas['Error']> | null = null;
  try {
    body = JSON.parse(text);
  } catch { /* not the service's own answer */ }
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

/** What may be in the gaps of a call that could not be made. */
interface Gap {
  violations?: { path?: unknown; message?: unknown }[];
  connections?: { connection_id?: unknown; account_label?: unknown }[];
}

/** What the message alone does not say: all violations if there are several, all accounts. */
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
