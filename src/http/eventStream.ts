/**
 * Server-sent events over one response. One batch is pulled at a time and written before the next,
 * so a slow reader slows its own source and nothing piles up here.
 */
import type { ServerResponse } from 'node:http';
import type { EventFrame } from '../runs/runEvents.ts';

export interface EventStreamOptions {
  status: number;
  /** Further response headers, name and value in turn. */
  headers: readonly string[];
  /** A comment is written after this long without an event. */
  heartbeat_ms: number;
  /** A reader that takes nothing for this long is cut off. */
  stalled_stream_ms: number;
  /** Ends the stream, as the server is about to stop. */
  draining: AbortSignal;
  /** Told how many events were written. */
  onSent?: (events: number) => void;
}

/** How a stream came to its end. */
export type StreamEnd = 'complete' | 'drained' | 'client_gone' | 'stalled';

/** The headers that make a response an event stream, and keep proxies from buffering it. */
export const EVENT_STREAM_HEADERS: readonly string[] = [
  'Content-Type', 'text/event-stream; charset=utf-8',
  'Cache-Control', 'no-store, no-transform',
  'X-Accel-Buffering', 'no',
];

// Tells clients to wait a second before they reconnect.
const PREAMBLE = 'retry: 1000\n\n';
const HEARTBEAT = ': keep-alive\n\n';
const FAREWELL = ': the server is stopping; resume after the last id\n\n';
// A source may hand over thousands of events at once; they are written in pieces of this size.
const PIECE_CHARACTERS = 65_536;
// The head waits so long for the first batch: an early error can still become a status, and the
// first events leave together with the head. A quiet stream opens after this time.
const FIRST_BATCH_MS = 20;

/**
 * Writes `events` until they end, the client goes away or stalls, or the server drains; then
 * cancels the iterable. Rejects with whatever the iterable threw. If `res.headersSent` is still
 * false, the caller may answer with an error; otherwise it must cut the connection.
 */
export async function writeEventStream(
  res: ServerResponse, events: AsyncIterable<readonly EventFrame[]>, options: EventStreamOptions,
): Promise<StreamEnd> {
  const iterator = events[Symbol.asyncIterator]();
  const stream = new Stream(res, options);
  try {
    const first = iterator.next();
    let result = await stream.settled(first, FIRST_BATCH_MS);
    stream.open();
    let prefix = PREAMBLE;
    if (result === 'waiting') {
      await stream.write(prefix);
      prefix = '';
      result = await stream.settled(first);
    }
    while (typeof result === 'object' && !result.done) {
      for (const piece of piecesOf(prefix, result.value)) await stream.write(piece);
      options.onSent?.(result.value.length);
      prefix = '';
      result = await stream.settled(iterator.next());
    }
    if (prefix !== '') await stream.write(prefix);
    return stream.finish();
  } finally {
    stream.dispose();
    // Not awaited: a waiting generator notices only when its wait is over. Errors while it is being
    // cancelled do not matter any more.
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

function* piecesOf(prefix: string, frames: readonly EventFrame[]): Generator<string> {
  let piece = prefix;
  for (const { sequence_number, type, json } of frames) {
    piece += `id: ${sequence_number}\nevent: ${type}\ndata: ${json}\n\n`;
    if (piece.length >= PIECE_CHARACTERS) {
      yield piece;
      piece = '';
    }
  }
  if (piece !== '') yield piece;
}

type Settled<T> = IteratorResult<T> | 'waiting' | 'stopped';

/** The response's side: heartbeat, backpressure and the reasons to stop. */
class Stream {
  #end: StreamEnd | undefined;
  readonly #res: ServerResponse;
  readonly #options: EventStreamOptions;
  #heartbeat: NodeJS.Timeout | undefined;
  /** Each ends the wait that is under way, if one is. */
  #onStop: (() => void) | undefined;
  #onWritable: (() => void) | undefined;

  constructor(res: ServerResponse, options: EventStreamOptions) {
    this.#res = res;
    this.#options = options;
    res.on('close', this.#gone);
    res.on('error', this.#gone);
    res.on('drain', this.#writable);
    options.draining.addEventListener('abort', this.#draining);
    if (res.closed || res.destroyed) this.#stop('client_gone');
    else if (options.draining.aborted) this.#stop('drained');
  }

  open(): void {
    if (this.#res.destroyed) return;
    const { status, headers, heartbeat_ms } = this.#options;
    this.#res.writeHead(status, [...EVENT_STREAM_HEADERS, ...headers]);
    this.#heartbeat = setInterval(() => {
      const quiet = this.#end === undefined && !this.#res.destroyed;
      if (quiet && !this.#res.writableNeedDrain) this.#res.write(HEARTBEAT);
    }, heartbeat_ms);
  }

  /** The result of `pending`, or 'stopped' or 'waiting' if an end or `limit_ms` comes first. */
  settled<T>(pending: Promise<IteratorResult<T>>, limit_ms?: number): Promise<Settled<T>> {
    const { promise, resolve, reject } = Promise.withResolvers<Settled<T>>();
    const timer = limit_ms === undefined ? undefined : setTimeout(resolve, limit_ms, 'waiting');
    pending.then(resolve, reject);
    this.#onStop = () => resolve('stopped');
    if (this.#end !== undefined) this.#onStop();
    return promise.finally(() => {
      clearTimeout(timer);
      this.#onStop = undefined;
    });
  }

  /** Writes, and waits until the socket takes more. Does nothing once the stream has stopped. */
  async write(text: string): Promise<void> {
    if (this.#res.writableNeedDrain) await this.#drain();
    if (this.#end !== undefined || this.#res.destroyed) return;
    this.#heartbeat?.refresh();
    if (!this.#res.write(text)) await this.#drain();
  }

  async #drain(): Promise<void> {
    if (this.#end !== undefined) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(() => this.#stop('stalled'), this.#options.stalled_stream_ms);
    this.#onWritable = resolve;
    this.#onStop = resolve;
    await promise;
    clearTimeout(timer);
    this.#onWritable = undefined;
    this.#onStop = undefined;
  }

  /** Ends the response as the reason to stop demands. */
  finish(): StreamEnd {
    const end = this.#end ?? 'complete';
    if (end === 'complete') this.#res.end();
    else if (end === 'drained') this.#res.end(FAREWELL);
    else this.#res.destroy();
    return end;
  }

  dispose(): void {
    clearInterval(this.#heartbeat);
    this.#res.off('close', this.#gone);
    this.#res.off('drain', this.#writable);
    this.#options.draining.removeEventListener('abort', this.#draining);
  }

  #stop(end: StreamEnd): void {
    this.#end ??= end;
    this.#onStop?.();
  }

  readonly #gone = () => this.#stop('client_gone');
  readonly #draining = () => this.#stop('drained');
  readonly #writable = () => this.#onWritable?.();
}
