/** One event stream, read as it comes: each event is held against document and order. */
import { createParser } from 'eventsource-parser';
import * as validators from '../../generated/responses.js';
import type { RunEvent } from '../../generated/types.ts';
import { Fault, holds, excerptOf } from './expect.ts';
import { checkOneLine, Framing } from './framing.ts';
import { checkTimes } from './head.ts';

export type { RunEvent };
export type EventOf<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>;

export function endsRun({ type }: RunEvent): boolean {
  return type === 'run.completed' || type === 'run.failed' || type === 'run.cancelled';
}

/** Why events may not come as they happen, though the service sends them. */
export const HELD_BACK = '; something before the service may hold a stream back until it ends, or'
  + ' until much of it has come (nginx needs proxy_buffering off, or X-Accel-Buffering passed on)';

/** After how long a client that lost its connection is asked to come again. */
const RETRY_MS = 1_000;

interface FollowerOptions {
  /** The number that the first event follows. */
  after: number;
  /** How it was asked for; empty: not at all. */
  asked_by: string;
  /** How long the next event may take. */
  patience_ms: number;
  /** Ends the connection. */
  cut(): void;
  /** Called when the run has ended. */
  onEnd(run: { id: string; session_id: string; status: string }): void;
  /** Which run or session was asked for. */
  path: { run_id?: string; session_id?: string };
}

export class Follower {
  /** All that has come. */
  readonly events: RunEvent[] = [];
  readonly headers: Headers;
  readonly #options: FollowerOptions;
  readonly #ready: RunEvent[] = [];
  readonly #chunks: AsyncIterator<string>;
  readonly #framing = new Framing();
  readonly #parser: ReturnType<typeof createParser>;

  constructor(response: Response, options: FollowerOptions) {
    this.#options = options;
    this.headers = response.headers;
    this.#chunks = response.body!.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
    let retry_ms: number | undefined;
    this.#parser = createParser({
      onRetry: (ms) => { retry_ms = ms; },
      onEvent: (message) => {
        holds(retry_ms === RETRY_MS, 'the first event of a connection says'
          + ` ${retry_ms === undefined ? 'no retry' : `retry: ${retry_ms}`} where`
          + ` retry: ${RETRY_MS} is expected`);
        this.#ready.push(checkMessage(message));
      },
      onError: (error) => {
        throw new Fault(`the stream is malformed after event ${this.#last}: ${error.message}`);
      },
    });
  }

  get #last(): number {
    return this.events.at(-1)?.sequence_number ?? this.#options.after;
  }

  /** The next event; null if the stream has ended. Throws Fault if it breaks off, or none comes. */
  async next(): Promise<RunEvent | null> {
    const limit_ms = performance.now() + this.#options.patience_ms;
    while (this.#ready.length === 0) {
      const chunk = await this.#read(limit_ms - performance.now());
      if (chunk === null) return null;
      this.#framing.feed(chunk);
      this.#parser.feed(chunk);
    }
    const event = this.#ready.shift()!;
    this.#checkPlace(event);
    this.events.push(event);
    const { run_id: id, session_id } = event;
    if (endsRun(event)) this.#options.onEnd({ id, session_id, status: event.type });
    return event;
  }

  /** Reads on until an event of this type. */
  async until<T extends RunEvent['type']>(type: T): Promise<EventOf<T>> {
    for (;;) {
      const event = await this.next();
      if (event === null) throw new Fault(`the stream ends after ${this.#last}, without ${type}`);
      if (event.type === type) return event as EventOf<T>;
    }
  }

  /** Reads on to the end of the stream, which is that of the run; all its events. */
  async toEnd(): Promise<RunEvent[]> {
    while (await this.next() !== null);
    const last = this.events.at(-1);
    holds(last && endsRun(last),
      `the stream ends after event ${this.#last} (${last?.type}), which does not end the run`);
    return this.events;
  }

  /** Ends the connection; repeating it is fine. */
  close(): void {
    this.#options.cut();
  }

  /** A piece of text; null if there is no more. */
  async #read(limit_ms: number): Promise<string | null> {
    const { promise, reject } = Promise.withResolvers<never>();
    const { patience_ms } = this.#options;
    const timer = setTimeout(() => reject(new Fault(this.#isOver
      ? `the stream is not closed within ${patience_ms / 1_000} s after the run's last event`
      : `no event comes after ${this.#last} within ${patience_ms / 1_000} s${HELD_BACK}`)),
    limit_ms);
    try {
      const { value, done } = await Promise.race([this.#chunks.next(), promise]);
      return done ? null : value;
    } catch (error) {
      this.close();
      if (error instanceof Fault) throw error;
      throw new Fault(`the connection breaks after event ${this.#last}`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  get #isOver(): boolean {
    const last = this.events.at(-1);
    return last !== undefined && endsRun(last);
  }

  #checkPlace(event: RunEvent): void {
    const { type, sequence_number, run_id, session_id, id } = event;
    holds(!this.#isOver, `${type} (${sequence_number}) comes after the run's last event`);
    const { asked_by } = this.#options;
    const begins = this.events.length === 0 && asked_by !== '';
    holds(sequence_number === this.#last + 1, `event ${sequence_number} (${type})`
      + (begins ? ` comes first where ${asked_by} was sent` : ` comes after event ${this.#last}`));
    holds((sequence_number === 1) === (type === 'run.created'),
      `event ${sequence_number} is ${type}`);
    const [first] = this.events;
    const { path } = this.#options;
    for (const [name, is, expected] of [
      ['run_id', run_id, path.run_id ?? first?.run_id],
      ['session_id', session_id, path.session_id ?? first?.session_id],
    ]) {
      holds(expected === undefined || is === expected,
        `event ${sequence_number}: ${name} is ${is}, not ${expected}`);
    }
    const before = this.events.at(-1);
    holds(!before || before.created_at <= event.created_at,
      `event ${sequence_number} was stored before the one before it`);
    holds(!this.events.some((other) => other.id === id),
      `event ${sequence_number} has the id of another: ${id}`);
  }
}

function checkMessage(
  message: { id?: string | undefined; event?: string | undefined; data: string }): RunEvent {
  checkOneLine(message.data);
  let event: unknown;
  try {
    event = JSON.parse(message.data);
  } catch {
    throw new Fault(`the data of an event is not JSON: ${excerptOf(message.data)}`);
  }
  checkEvent(event);
  if (message.id !== String(event.sequence_number) || message.event !== event.type) {
    throw new Fault(`id and event of a message are ${message.id} and ${message.event};`
      + ` its data has ${event.sequence_number} and ${event.type}`);
  }
  return event;
}

/** Throws Fault for an event that breaks the document. */
function checkEvent(event: unknown): asserts event is RunEvent {
  if (!validators.RunEvent(event)) {
    const { instancePath, message } = validators.RunEvent.errors![0]!;
    throw new Fault(`an event breaks the document: ${instancePath || 'it'} ${message}:`
      + ` ${excerptOf(event)}`);
  }
  checkTimes(event, `event ${event.sequence_number}`);
}
