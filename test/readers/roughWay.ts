/**
 * A way to the service as rough as networks are, and as an application would put it before a page:
 * it adds the key, hands on single bytes, and cuts connections off in the middle.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Test } from 'tap';
import { listen } from '../support/listen.ts';

export interface RoughWay {
  /** The address that stands for the service's, without `/v1`. */
  url: string;
  /** The statuses of the streams that were asked for, in order; 500 if there were too many. */
  statuses: number[];
  /** Resolves once the connection after the cuts is open and has been quiet for some heartbeats. */
  quiet: Promise<void>;
}

export interface RoughWayOptions {
  /** Of the service, with `/v1`. */
  base_url: string;
  api_key: string;
  /** The first connection is cut in the middle of these bytes. */
  cut_within: Buffer;
  /** Answers what is not for the service. */
  onOther?: (request: IncomingMessage, response: ServerResponse) => void;
}

const HEARTBEAT = Buffer.from(': keep-alive\n');
const QUIET_HEARTBEATS = 3;
/** Whoever asks more often than that never stops. */
const STREAMS = 6;
/** So much of a connection is handed on byte by byte, and the rest in small pieces. */
const SINGLE_BYTES = 8_192;
const PIECE_BYTES = 4_093;

/**
 * Opens a way of its own for one reader. Of the streams that go over it the first is cut within
 * `cut_within`, the second within a heartbeat; later ones are not cut.
 */
export async function openRoughWay(
  t: Pick<Test, 'teardown'>, options: RoughWayOptions): Promise<RoughWay> {
  const { base_url, api_key, onOther } = options;
  const { promise: quiet, resolve: onQuiet } = Promise.withResolvers<void>();
  const statuses: number[] = [];
  const server = createServer(async (request, response) => {
    if (!request.url!.startsWith('/v1/')) return void onOther?.(request, response);
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    if (statuses.length === STREAMS) {
      statuses.push(500);
      return void response.writeHead(500).end();
    }
    try {
      const { accept, 'last-event-id': last_event_id } = request.headers;
      const answer = await fetch(base_url.replace(/\/v1$/, '') + request.url, {
        headers: { authorization: `Bearer ${api_key}`, ...(accept && { accept }),
          ...(last_event_id && { 'last-event-id': String(last_event_id) }) },
        signal: gone.signal,
      });
      const number = statuses.push(answer.status);
      const type = answer.headers.get('content-type');
      response.writeHead(answer.status, { ...(type && { 'content-type': type }) });
      const cuts = [cutInto(options.cut_within), cutInto(HEARTBEAT)];
      await passOn(answer, response, cuts[number - 1] ?? heartbeats(onQuiet));
    } catch (error) {
      response.destroy();
      if (!gone.signal.aborted) throw error;
    }
  });
  return { url: `http://127.0.0.1:${await listen(t, server)}`, statuses, quiet };
}

/** Looks at what is about to be handed on, and says after how many bytes of it the way is cut. */
type Look = (chunk: Buffer) => number | undefined;

function cutInto(bytes: Buffer): Look {
  return (chunk) => {
    const at = chunk.indexOf(bytes);
    return at === -1 ? undefined : at + Math.floor(bytes.length / 2);
  };
}

function heartbeats(onQuiet: () => void): Look {
  let left = QUIET_HEARTBEATS;
  return (chunk) => {
    if (chunk.includes(HEARTBEAT) && --left === 0) onQuiet();
    return undefined;
  };
}

async function passOn(answer: Response, response: ServerResponse, look: Look): Promise<void> {
  let passed = 0;
  for await (const bytes of answer.body ?? []) {
    const chunk = Buffer.from(bytes);
    const end = look(chunk);
    const left = chunk.subarray(0, end);
    for (let at = 0; at < left.length;) {
      const piece = left.subarray(at, at + (passed < SINGLE_BYTES ? 1 : PIECE_BYTES));
      // Each on its own: the next one waits until this one has left.
      await new Promise((resolve) => response.write(piece, resolve));
      at += piece.length;
      passed += piece.length;
    }
    if (end !== undefined) return void response.destroy();
  }
  response.end();
}
