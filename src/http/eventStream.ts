/**
 * Server-sent events over one response. One batch is pulled at a time and written before the next,
 * so a slow reader slows its own source and nothing piles up here.
 *
 * A blank line stands at the end of an event and nowhere else: httpx-sse, and readers like it,
 * yield an event at every blank line, with data or without.
 */
import type { ServerResponse } from 'node:http';
import { whenAborted } from '../deadline.ts';
import { unhurried } from '../patience.ts';
import type { Batch, EventFrame, Pause } from '../runs/runEvents.ts';

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

// Tells clients to wait a second before they reconnect. A line of the first event, also where it
// comes long before it: a blank line behind it would end an event without data.
const RETRY = 'retry: 1000\n';
const HEARTBEAT = ': keep-alive\n';
const FAREWELL = ': the server is stopping; resume after the last id\n';
// A source may hand over thousands of events at once; they are written in pieces of this size.
const PIECE_CHARACTERS = 65_536;
// The head waits so long for the first batch: an early error can still become a status, and the
// first events leave together with the head. A stream whose source pauses opens at once; one whose
// source says nothing, after this time.
const FIRST_BATCH_MS = 20;

/**
 * Writes `events` until they end, the client goes away or stalls, or the server drains; then
 * cancels the iterable. Rejects with whatever the iterable threw. If `res.headersSent` is still
 * false, the caller may answer with an error; otherwise it must cut the connection.
 */
export async function writeEventStream(
  res: ServerResponse, events: AsyncIterable<Batch>, options: EventStreamOptions,
): Promise<StreamEnd> {
  const iterator = events[Symbol.asyncIterator]();
  const stream = new Stream(res, iterator, options);
  try {
    await stream.written();
    return stream.finish();
  } finally {
    stream.dispose();
    // Not awaited: a waiting generator notices only when its wait is over. Errors while it is being
    // cancelled do not matter any more.
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

/** Readers of the same run are given the same batch: what is written of it is made once. */
const written = new WeakMap<readonly EventFrame[], string[]>();

function piecesOf(frames: readonly EventFrame[]): string[] {
  const known = written.get(frames);
  if (known !== undefined) return known;
  const pieces = [];
  let piece = '';
  for (const { sequence_number, type, json } of frames) {
    // `id` is last: some readers take the number of an event that broke off for one that they have.
    piece += `event: ${type}\ndata: ${json}\nid: ${sequence_number}\n\n`;
    if (piece.length >= PIECE_CHARACTERS) {
      pieces.push(piece);
      piece = '';
    }
  }
  if (piece !== '') pieces.push(piece);
  written.set(frames, pieces);
  return pieces;
}

type Next = IteratorResult<Batch, unknown>;
type Settled = Next | 'waiting' | 'stopped';

/** The response's side: what comes next, heartbeat, backpressure and the reasons to stop. */
class Stream {
  #end: StreamEnd | undefined;
  #beginning = RETRY;
  readonly #res: ServerResponse;
  readonly #iterator: AsyncIterator<Batch>;
  readonly #options: EventStreamOptions;
  readonly #over = Promise.withResolvers<void>();
  /** Listens no more whether the server drains. */
  readonly #leave: () => void;
  #heartbeat: NodeJS.Timeout | undefined;
  /** Called when the stream stops, and when the socket takes more: each ends a wait. */
  #onStop: (() => void) | undefined;
  #onWritable: (() => void) | undefined;

  constructor(res: ServerResponse, iterator: AsyncIterator<Batch>, options: EventStreamOptions) {
    this.#res = res;
    this.#iterator = iterator;
    this.#options = options;
    res.on('close', this.#gone);
    res.on('error', this.#gone);
    res.on('drain', this.#writable);
    this.#leave = whenAborted(options.draining, () => this.#stop('drained'));
    if (res.closed || res.destroyed) this.#stop('client_gone');
    else if (options.draining.aborted) this.#stop('drained');
  }

  /** Opens the stream and writes what comes, until the end of one of the two. */
  written(): Promise<void> {
    void this.#goOn(() => this.#begin());
    return this.#over.promise;
  }

  /** Opens the stream, together with its first batch if that is there soon; answers the batch. */
  async #begin(): Promise<Settled> {
    const first = this.#iterator.next();
    const early = await this.#settled(first, FIRST_BATCH_MS);
    this.#open();
    if (early !== 'waiting') return early;
    // Not the head alone: some proxies pass it on only together with a first byte.
    await this.#write('');
    return await this.#settled(first);
  }

  /** Writes what there is until there is nothing more just now, and is called again for more. */
  async #goOn(begin = () => this.#next()): Promise<void> {
    try {
      let next = await begin();
      while (typeof next === 'object' && !next.done) {
        if ('whenMore' in next.value) return await this.#pause(next.value);
        await this.#send(next.value);
        // What was sent is not held while it waits for more, which may take hours.
        next = 'waiting';
        next = await this.#next();
      }
      this.#over.resolve();
    } catch (error) {
      this.#over.reject(error);
    }
  }

  #next(): Promise<Settled> {
    return this.#settled(this.#iterator.next());
  }

  async #pause(pause: Pause): Promise<void> {
    // A stream without any event yet is opened by its first bytes.
    if (this.#beginning !== '') await this.#write('');
    this.#onStop = this.#over.resolve;
    if (this.#end !== undefined) this.#onStop();
    else pause.whenMore(this.#onMore);
  }

  // Whoever calls may be a request: what is read for this stream is not read in its name.
  readonly #onMore = () => void unhurried(() => this.#goOn());

  #open(): void {
    if (this.#res.destroyed) return;
    const { status, headers, heartbeat_ms } = this.#options;
    this.#res.writeHead(status, [...EVENT_STREAM_HEADERS, ...headers]);
    this.#heartbeat = setInterval(() => {
      const quiet = this.#end === undefined && !this.#res.destroyed;
      if (quiet && !this.#res.writableNeedDrain) this.#res.write(HEARTBEAT);
    }, heartbeat_ms);
  }

  /** The result of `pending`, or 'stopped' or 'waiting' if an end or `limit_ms` comes first. */
  #settled(pending: Promise<Next>, limit_ms?: number): Promise<Settled> {
    // What comes second does nothing, so nothing has to be taken back.
    return new Promise((resolve, reject) => {
      pending.then(resolve, reject);
      this.#onStop = () => resolve('stopped');
      if (this.#end !== undefined) this.#onStop();
      else if (limit_ms !== undefined) setTimeout(resolve, limit_ms, 'waiting');
    });
  }

  /** Writes a batch, in pieces as the socket takes them. */
  async #send(frames: readonly EventFrame[]): Promise<void> {
    if (frames.length === 0) return;
    for (const piece of piecesOf(frames)) {
      const waiting = this.#write(piece);
      if (waiting !== undefined) await waiting;
    }
    this.#options.onSent?.(frames.length);
  }

  /**
   * Writes what the stream begins with, unless it has, and this text; waits until the socket takes
   * more, or answers undefined if it does at once. Does nothing once the stream has stopped.
   */
  #write(text: string): Promise<void> | undefined {
    // First: a socket that took nothing when the stream stopped is full still, and no drain comes.
    if (this.#end !== undefined || this.#res.destroyed) return undefined;
    if (this.#res.writableNeedDrain) return this.#drain().then(() => this.#write(text));
    this.#heartbeat?.refresh();
    const whole = this.#beginning + text;
    this.#beginning = '';
    return this.#res.write(whole) ? undefined : this.#drain();
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
    this.#leave();
  }

  #stop(end: StreamEnd): void {
    this.#end ??= end;
    this.#onStop?.();
  }

  readonly #gone = () => this.#stop('client_gone');
  readonly #writable = () => this.#onWritable?.();
}
