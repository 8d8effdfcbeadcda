/** A server over Streamable HTTP: the library's transport, on a fetch that bounds it. */
import { clearTimeout, setTimeout } from 'node:timers';
import { setTimeout as delay } from 'node:timers/promises';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { firstOf } from '../../deadline.ts';
import { isObject, type JsonObject } from '../../json.ts';
import { textOfBytes } from '../../textOfBytes.ts';
import type { Credentials } from '../action/credentials.ts';
import { applyCredentials } from '../credentials/applyCredentials.ts';
import { boundedBody, type GuardedFetch } from '../egress/guardedFetch.ts';
import { retryAfter } from '../egress/retryAfter.ts';
import { eventAnswers, jsonAnswer, type PendingRequest } from './answers.ts';
import { neededScopes } from './authorization.ts';
import { departing } from './departing.ts';
import { HttpRefusal, isPassing, isPassingStatus, ServerFault } from './failure.ts';
import { Pace } from './pace.ts';
import type { Shortener } from './shortener.ts';

export interface HttpOptions {
  url: URL;
  /** Sent with every request, and to no other host. */
  credentials: Credentials;
  fetch: GuardedFetch;
  message_limit_bytes: number;
  shortener: Shortener;
  /** The stream for announcements is there again after a break; some may have been made then. */
  onHeardAgain(): void;
}

const RECONNECT_AFTER_MIN_MS = 1_000;
const RECONNECT_AFTER_MAX_MS = 60_000;
const RECONNECT_GROWTH = 1.5;
/** An announcement takes at least so much. */
const SHORT_MESSAGE_BYTES = 100;
/** Servers may ask the client, too; beyond this many open questions they get no answers. */
const REPLIES_LIMIT = 20;
const FIRST_WORDS_MS = 1_000;
const FIRST_WORDS_BYTES = 4_096;

export function createHttpTransport(options: HttpOptions): StreamableHTTPClientTransport {
  const server = new ServerFetch(options);
  return new StreamableHTTPClientTransport(options.url, {
    fetch: (input, init = {}) => server.fetch(input, init),
    // Only the stream for announcements of changes is reconnected by this, until the session ends,
    // which it soon does if nobody uses it.
    reconnectionOptions: { maxRetries: Infinity, initialReconnectionDelay: RECONNECT_AFTER_MIN_MS,
      maxReconnectionDelay: RECONNECT_AFTER_MAX_MS, reconnectionDelayGrowFactor: 1 },
    // The server says how soon, but within bounds, so that it cannot have us reconnect at once for
    // ever. The time grows here: the library lets it grow only where the server has said nothing.
    reconnectionScheduler: (reconnect, delay_ms, failed) => {
      if (server.refuses_stream) return;
      const wait_ms = Math.max(delay_ms, RECONNECT_AFTER_MIN_MS) * RECONNECT_GROWTH ** failed;
      const timer = setTimeout(reconnect, Math.min(wait_ms, RECONNECT_AFTER_MAX_MS));
      timer.unref();
      return () => clearTimeout(timer);
    },
  });
}

/**
 * The fetch of one session. It adds the credentials, bounds what is read, and answers itself where
 * the server does not. It gives up a request as soon as its cancellation is sent, whereas the
 * library would go on reading the stream. It throws HttpRefusal for 401, 403 and 429.
 */
class ServerFetch {
  readonly #options: HttpOptions;
  /** Requests without an answer yet, by their ids. */
  readonly #waiting = new Map<unknown, AbortController>();
  #replies = 0;
  /** The stream for announcements broke off, or could not be had. */
  #was_away = false;
  /** Whether it makes no sense to ask for the stream for announcements again in this session. */
  refuses_stream = false;

  constructor(options: HttpOptions) {
    this.#options = options;
  }

  async fetch(input: string | URL, init: RequestInit): Promise<Response> {
    const target = new URL(input);
    if (target.host !== this.#options.url.host) {
      throw new ServerFault('sends requests to another host.');
    }
    const { url, headers } = applyCredentials(
      { url: target, headers: Object.fromEntries(new Headers(init.headers)) },
      this.#options.credentials);
    const authorized = { ...init, headers };
    const message = messageOf(init.body);
    if (message !== null && message.method === undefined) return this.#reply(url, authorized);
    if (message?.id !== undefined) {
      return this.#request(url, authorized, message.id as string | number);
    }
    if (message?.method === 'notifications/cancelled' && isObject(message.params)) {
      this.#waiting.get(message.params.requestId)?.abort();
    }
    if (init.method === 'GET') return this.#hear(url, authorized);
    return this.#limited(await this.#send(url, authorized));
  }

  /** The stream for announcements. */
  async #hear(url: URL, init: RequestInit): Promise<Response> {
    const response = await this.#send(url, init).catch((error: unknown) => {
      this.#was_away = true;
      this.refuses_stream = !isPassing(error);
      throw error;
    });
    const is_away = isPassingStatus(response.status);
    this.refuses_stream = !response.ok && !is_away;
    if (response.ok && this.#was_away) this.#options.onHeardAgain();
    this.#was_away = is_away || (this.#was_away && !response.ok);
    return this.#limited(response, () => { this.#was_away = true; });
  }

  async #request(url: URL, init: RequestInit, id: string | number): Promise<Response> {
    const abort = new AbortController();
    this.#waiting.set(id, abort);
    const signal = firstOf(abort.signal, init.signal);
    const done = () => {
      if (this.#waiting.get(id) === abort) this.#waiting.delete(id);
    };
    try {
      const response = await this.#send(url, { ...init, signal });
      const resume = (last_event_id: string) => this.#resume(url, init, signal, last_event_id);
      const waiting: PendingRequest = {
        id, signal, resume, limit_bytes: this.#options.message_limit_bytes,
        shorten: this.#shortenFor(id, signal) };
      const answer = response.ok ? await boundedAnswer(waiting, response, done) : null;
      if (answer !== null) return answer;
      done();
      return this.#limited(response);
    } catch (error) {
      done();
      throw error;
    }
  }

  /** Undefined if this is no call of a tool. */
  #shortenFor(id: string | number, signal: AbortSignal): PendingRequest['shorten'] {
    const call = departing.getStore();
    return call && ((text) =>
      this.#options.shortener.shorten(text, new Map([[id, call.reading]]), signal));
  }

  async #resume(
    url: URL, init: RequestInit, signal: AbortSignal, last_event_id: string): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.delete('content-type');
    headers.set('accept', 'text/event-stream');
    headers.set('last-event-id', last_event_id);
    const response = await this.#send(url, { method: 'GET', headers, signal, redirect: 'manual' });
    if (response.ok) return response;
    await response.body?.cancel();
    throw new HttpRefusal(response.status, null);
  }

  /** An answer to what the server asked. */
  async #reply(url: URL, init: RequestInit): Promise<Response> {
    if (this.#replies >= REPLIES_LIMIT) throw new ServerFault('asks too much at a time.');
    this.#replies += 1;
    try {
      return this.#limited(await this.#send(url, init));
    } finally {
      this.#replies -= 1;
    }
  }

  async #send(url: URL, init: RequestInit): Promise<Response> {
    const departure = departing.getStore()?.departure;
    const confidential = this.#options.credentials.type !== 'none';
    const response = await this.#options.fetch(url, { ...init, departure, confidential });
    if (![401, 403, 429].includes(response.status)) return response;
    if (response.status !== 403) await response.body?.cancel().catch(() => {});
    const said = response.status === 403 ? await firstWords(response.body) : '';
    throw new HttpRefusal(response.status,
      retryAfter(Object.fromEntries(response.headers), Date.now()), neededScopes(response), said);
  }

  /**
   * The same response, whose body breaks off once it is too large. What the server sends unasked is
   * slowed down, so that reading it leaves time for all else. `onBreak`: it broke off, or whoever
   * read it has left.
   */
  #limited(response: Response, onBreak: () => void = () => {}): Response {
    const body = boundedBody(response.body, this.#options.message_limit_bytes);
    if (body === null) return response;
    const pace = new Pace();
    const slow = new TransformStream<Uint8Array, Uint8Array>({
      async transform(part, controller) {
        controller.enqueue(part);
        const wait_ms = pace.next(Math.ceil(part.length / SHORT_MESSAGE_BYTES));
        if (wait_ms > 0) await delay(wait_ms, undefined, { ref: false });
      },
    });
    body.pipeTo(slow.writable).catch(onBreak);
    const { status, statusText, headers } = response;
    return new Response(slow.readable, { status, statusText, headers });
  }
}

/**
 * The beginning of a refusal's text, as far as it comes soon; the rest is not read. Where it breaks
 * off, its last word is left out: it may be half a secret.
 */
export async function firstWords(body: Response['body']): Promise<string> {
  if (body === null) return '';
  const reader = body.getReader();
  const read: Uint8Array[] = [];
  let left = FIRST_WORDS_BYTES;
  let is_whole = false;
  const ended = delay(FIRST_WORDS_MS, null, { ref: false });
  while (left > 0) {
    const part = await Promise.race([reader.read(), ended]).catch(() => null);
    is_whole = part?.done ?? false;
    if (part?.value === undefined) break;
    read.push(part.value.subarray(0, left));
    left -= part.value.length;
  }
  await reader.cancel().catch(() => {});
  const text = textOfBytes(Buffer.concat(read));
  return is_whole ? text : /^[^]*\s/.exec(text)?.[0] ?? '';
}

/** What the library is about to send; null if this is no message. */
function messageOf(body: unknown): JsonObject | null {
  const message: unknown = typeof body === 'string' ? JSON.parse(body) : null;
  return isObject(message) ? message : null;
}

/** Null: it is neither JSON nor a stream of events. `done` is called when the answer is there. */
async function boundedAnswer(
  waiting: PendingRequest, response: Response, done: () => void): Promise<Response | null> {
  const type = (response.headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase();
  const session_id = response.headers.get('mcp-session-id');
  const headers = { 'content-type': type,
    ...(session_id === null ? {} : { 'mcp-session-id': session_id }) };
  if (type === 'application/json') {
    const text = await jsonAnswer(waiting, response);
    done();
    return new Response(text, { status: 200, headers });
  }
  if (type === 'text/event-stream') {
    const stream = ReadableStream.from(asEvents(eventAnswers(waiting, response), done));
    return new Response(stream.pipeThrough(new TextEncoderStream()), { status: 200, headers });
  }
  return null;
}

async function* asEvents(
  answers: AsyncGenerator<string, void>, done: () => void): AsyncGenerator<string, void> {
  try {
    for await (const data of answers) {
      yield `${data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`).join('')}\n`;
    }
  } finally {
    done();
  }
}
