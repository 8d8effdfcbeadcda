/** Replies as the socket sees them, whatever their operation. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Schemas } from '../../generated/types.ts';
import { jsonChars } from '../json.ts';
import { writeJson } from '../jsonText.ts';
import { unhurried } from '../patience.ts';
import type { Batch } from '../runs/runEvents.ts';

interface Head { status: number; headers?: Record<string, string> }
export interface EventsReply extends Head { events: AsyncIterable<Batch> }
/** Every kind of reply: JSON, JSON text, events or nothing. */
export type AnyReply =
  | Head & { body: unknown } | Head & { raw: string } | EventsReply | Head;

export interface ErrorReply extends Required<Head> { body: Schemas['ApiError'] }

/** Ends an iterable that nobody will read. */
export function cancelEvents(events: EventsReply['events']): void {
  void Promise.resolve(events[Symbol.asyncIterator]().return?.()).catch(() => undefined);
}

/** The text of a reply's body; undefined if it has none. */
export function bodyTextOf(reply: AnyReply): string | undefined {
  if ('raw' in reply) return reply.raw;
  return 'body' in reply ? writeJson(reply.body) : undefined;
}

export const LARGE_TEXT_CHARS = 65_536;

/** Whether to make its text and to write it takes so long that it is a piece of work of its own. */
export function isLarge(reply: AnyReply): boolean {
  if ('raw' in reply) return reply.raw.length > LARGE_TEXT_CHARS;
  return 'body' in reply && jsonChars(reply.body, LARGE_TEXT_CHARS) > LARGE_TEXT_CHARS;
}

/** The answers of this turn of the event loop. */
let due: { res: ServerResponse; text: string | undefined }[] = [];

function writeDue(): void {
  const all = due;
  due = [];
  for (const { res, text } of all) {
    try {
      if (!res.destroyed) res.end(text);
    } catch (error) {
      res.destroy(error as Error); // The others of the turn are answered all the same.
    }
  }
}

/**
 * Writes a whole response: one head and one string, which leave in one packet if they fit.
 *
 * The answers of one turn of the event loop are written together, at its end. To write is to wake
 * who waits for it: a client of the same machine (or the proxy before it) that is woken for each
 * answer sleeps again before the next one is made, and half of this process's time went by waking
 * it, 26 µs each. Written one after the other, most find it awake, and take half of that.
 */
export function sendText(res: ServerResponse, status: number, text: string | undefined,
  request_id: string, headers: Record<string, string> | undefined): void {
  if (res.destroyed) return;
  const head = ['X-Request-Id', request_id];
  if (text !== undefined) {
    head.push('Content-Type', 'application/json; charset=utf-8',
      'Content-Length', String(Buffer.byteLength(text)));
  } else if (status !== 204 && status !== 304) {
    head.push('Content-Length', '0');
  }
  let cached = false;
  for (const name in headers) {
    head.push(name, headers[name]!);
    if (name.toLowerCase() === 'cache-control') cached = true;
  }
  if (!cached) head.push('Cache-Control', 'no-store');
  res.writeHead(status, head); // Now: it throws for a header that cannot be sent.
  // With others it would be one long piece, and no turn could end between them.
  if (text !== undefined && text.length > LARGE_TEXT_CHARS) {
    res.end(text);
    return;
  }
  if (due.length === 0) unhurried(() => setImmediate(writeDue));
  due.push({ res, text });
}

// How long, and how much, a client may go on sending after the answer that its body is too large.
const LINGER_MS = 2_000;
const LINGER_BYTES = 16_777_216;

/**
 * Answers a request whose body will not be read, and closes the connection. Closing at once would
 * reset it while the client still sends, and the client would never see the answer: so incoming
 * bytes are thrown away for a bounded time first.
 */
export function sendTextAndClose(req: IncomingMessage, res: ServerResponse, status: number,
  text: string, request_id: string, headers: Record<string, string>): void {
  if (res.destroyed) return;
  res.writeHead(status, [
    'X-Request-Id', request_id, 'Cache-Control', 'no-store',
    'Content-Type', 'application/json; charset=utf-8',
    'Content-Length', String(Buffer.byteLength(text)), 'Connection', 'close',
    ...Object.entries(headers).flat(),
  ]);
  res.write(text);
  let discarded_bytes = 0;
  const finish = () => {
    clearTimeout(timer);
    res.end();
  };
  const timer = setTimeout(finish, LINGER_MS);
  req.on('data', (chunk: Buffer) => {
    discarded_bytes += chunk.length;
    if (discarded_bytes > LINGER_BYTES) finish();
  });
  req.once('end', finish);
  req.once('close', finish);
  req.resume();
}
