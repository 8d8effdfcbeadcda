/** The answer to one request over HTTP, read within its bounds: JSON, or a stream of events. */
import { setTimeout as delay } from 'node:timers/promises';
import { isJSONRPCResponse } from '@modelcontextprotocol/client';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { exactText, isObject, parseJson, type JsonObject } from '../../json.ts';
import { textOfBytes } from '../../textOfBytes.ts';
import { AnswerTooLarge, boundedBody } from '../egress/guardedFetch.ts';
import { LARGE_BYTES } from '../threads/largeAnswers.ts';
import { TooMuchWork } from '../threads/workThread.ts';
import { isPassing, NO_ANSWER_CODE, tooLargeAnswer } from './failure.ts';
import { Pace } from './pace.ts';

/** A request that waits for its answer. */
export interface PendingRequest {
  id: string | number;
  limit_bytes: number;
  signal: AbortSignal;
  /**
   * Asks for the rest of a stream that broke off after the event `last_event_id`. Rejects as fetch,
   * and with HttpRefusal.
   */
  resume(last_event_id: string): Promise<Response>;
  /**
   * Makes a short answer of a large message; null if the message does not answer this request. Left
   * out if the request is no call of a tool.
   */
  shorten?: ((text: string | Uint8Array) => Promise<string | null>) | undefined;
}

/** The message is written behind the name of the server. */
class NoAnswer extends Error {}

const BESIDE_THE_POINT = 'answered, but not to what it was asked.';
const RESUMES_LIMIT = 100;
const RESUME_AFTER_MIN_MS = 500;
const RESUME_AFTER_MAX_MS = 30_000;

/**
 * The answer as JSON text, which always answers this request: if the server gave none, an error in
 * its place says why. (The library would wait for the timeout.)
 */
export async function jsonAnswer(waiting: PendingRequest, response: Response): Promise<string> {
  try {
    const bytes = await new Response(boundedBody(response.body, waiting.limit_bytes)).bytes();
    const answer = waiting.shorten && bytes.length > LARGE_BYTES
      ? await waiting.shorten(bytes) : answerIn(waiting, textOfBytes(bytes));
    if (answer !== null) return answer;
    throw new NoAnswer(BESIDE_THE_POINT);
  } catch (error) {
    return inItsPlace(waiting.id, error, waiting.limit_bytes);
  }
}

/**
 * What of a text answers, as text; null: nothing. Of a batch the answer alone: the library takes
 * 20 µs to see what a message is, and so a minute for a batch of eight megabytes.
 */
function answerIn(waiting: PendingRequest, text: string): string | null {
  const { id } = waiting;
  const said = parseJson(text);
  if (!Array.isArray(said)) return isAnswer(said, id) ? exactly(waiting, text) : null;
  const answer = (JSON.parse(exactly(waiting, text)) as unknown[])
    .find((one) => isObject(one) && one.id === id && !('method' in one));
  return isAnswer(answer, id) ? JSON.stringify(answer) : null;
}

/**
 * The data of each event up to the answer, which is the last. A stream that breaks off is resumed
 * if the server numbers its events. The library could do so too, but would resume for ever, even
 * cancelled requests, and as fast as the server says.
 */
export async function* eventAnswers(
  waiting: PendingRequest, response: Response): AsyncGenerator<string, void> {
  const stream: Stream = { left_bytes: waiting.limit_bytes, resumes_left: RESUMES_LIMIT,
    last_event_id: null, retry_ms: RESUME_AFTER_MIN_MS };
  try {
    for (let from = response; ; from = await rest(waiting, stream)) {
      for await (const { event, data } of eventsOf(from, stream, waiting.signal)) {
        if (data === '' || (event !== undefined && event !== 'message')) continue;
        if (waiting.shorten && data.length > LARGE_BYTES) {
          // A large message that is not the answer is skipped.
          const short = await waiting.shorten(data);
          if (short === null) continue;
          yield short;
          return;
        }
        const message = parseJson(data);
        const answers = isAnswer(message, waiting.id);
        if (!answers && isBrokenAnswer(message) && message.id === waiting.id) {
          throw new NoAnswer(BESIDE_THE_POINT);
        }
        yield answers ? exactly(waiting, data) : data;
        if (answers) return;
      }
    }
  } catch (error) {
    yield inItsPlace(waiting.id, error, waiting.limit_bytes);
  }
}

/** How far a stream was read, and what may be read of it yet. */
interface Stream {
  left_bytes: number;
  resumes_left: number;
  last_event_id: string | null;
  retry_ms: number;
}

/**
 * The rest of a stream. What broke it off, such as a restart, may still last: while nobody is there
 * it is asked for again, less and less often.
 */
async function rest({ signal, resume }: PendingRequest, stream: Stream): Promise<Response> {
  const { last_event_id, retry_ms } = stream;
  for (let wait_ms = Math.max(retry_ms, RESUME_AFTER_MIN_MS); ; wait_ms *= 2) {
    if (last_event_id === null || stream.resumes_left === 0) {
      throw new NoAnswer('ended before it answered.');
    }
    stream.resumes_left -= 1;
    await delay(Math.min(wait_ms, RESUME_AFTER_MAX_MS), undefined, { signal });
    try {
      return await resume(last_event_id);
    } catch (error) {
      if (signal.aborted || !isPassing(error)) throw error;
    }
  }
}

/** Ends where the stream ends or breaks off. Throws if it is too large or not wanted any more. */
async function* eventsOf(
  response: Response, stream: Stream, signal: AbortSignal,
): AsyncGenerator<EventSourceMessage, void> {
  const decoder = new TextDecoder();
  const pace = new Pace();
  const events: EventSourceMessage[] = [];
  const parser = createParser({
    onEvent: (event) => events.push(event),
    onRetry: (retry_ms) => { stream.retry_ms = retry_ms; },
  });
  try {
    for await (const part of partsWithin(stream, response)) {
      parser.feed(decoder.decode(part, { stream: true }));
      for (const event of events.splice(0)) {
        if (event.id) stream.last_event_id = event.id;
        yield event;
        const wait_ms = pace.next();
        if (wait_ms > 0) await delay(wait_ms, undefined, { signal });
      }
    }
  } catch (error) {
    if (error instanceof AnswerTooLarge || signal.aborted) throw error;
  }
}

/** The body of a response, up to what is left of the budget. Throws AnswerTooLarge. */
async function* partsWithin(
  budget: { left_bytes: number }, response: Response): AsyncGenerator<Uint8Array, void> {
  if (response.body === null) return;
  for await (const part of response.body) {
    budget.left_bytes -= part.length;
    if (budget.left_bytes < 0) throw new AnswerTooLarge();
    yield part;
  }
}

/** What a tool answers has its integers whole. (In lists of tools, schemas have bounds of 2^63.) */
function exactly({ shorten }: PendingRequest, text: string): string {
  return shorten ? exactText(text) : text;
}

/** Whether it means to answer, but the library drops it: `"result": null`. */
function isBrokenAnswer(message: unknown): message is { id: string | number } {
  return isObject(message) && message.jsonrpc === '2.0' && !('method' in message)
    && ('result' in message || 'error' in message) && !isJSONRPCResponse(message)
    && (typeof message.id === 'string' || typeof message.id === 'number');
}

/** The message, or an error in place of one that means to answer and would be dropped. */
export function answerable(message: unknown): unknown {
  return isBrokenAnswer(message) ? noAnswer(message.id, BESIDE_THE_POINT) : message;
}

function noAnswer(id: string | number, message: string): JsonObject {
  return { jsonrpc: '2.0', id, error: { code: NO_ANSWER_CODE, message } };
}

/** Judged as the library does, which drops everything that only looks like an answer. */
function isAnswer(message: unknown, id: string | number): boolean {
  return isJSONRPCResponse(message) && message.id === id;
}

function inItsPlace(id: string | number, error: unknown, limit_bytes: number): string {
  const message = error instanceof NoAnswer ? error.message
    : error instanceof AnswerTooLarge ? tooLargeAnswer(limit_bytes)
      : error instanceof TooMuchWork ? 'answered with more than could be read in time.'
      : 'broke off before it had answered.';
  return JSON.stringify(noAnswer(id, message));
}
