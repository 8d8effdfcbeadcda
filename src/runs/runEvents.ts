import type { RunEvent } from '../../generated/types.ts';
import { steadyClock } from '../clock.ts';
import { GatehouseError } from '../errors.ts';
import { FairQueue } from '../fairQueue.ts';
import { eventId } from '../ids.ts';
import type { Sql } from '../store/database.ts';
import { readEventPage, type EventBounds, type EventRow } from '../store/runEvents.ts';
import { PAGE_BYTES } from '../store/rows.ts';
import { Slices } from '../slices.ts';
import { STREAMED, type Announced, type Commit, type EventHub, type Watcher } from './eventHub.ts';
import { isTerminal } from './runStatus.ts';

export type { RunEvent };
export type RunEventType = RunEvent['type'];
export type RunEventData<T extends RunEventType> = Extract<RunEvent, { type: T }>['data'];

/** An event that is to be appended: its kind and its data as JSON. */
export interface NewEvent {
  type: RunEventType;
  data: string;
}

/** Makes an event; the compiler holds the data to the document. */
export function event<T extends RunEventType>(type: T, data: RunEventData<T>): NewEvent {
  return { type, data: JSON.stringify(data) };
}

/** An event ready for the wire: `json` is the whole envelope, one line to any reader of lines. */
export interface EventFrame {
  sequence_number: number;
  type: string;
  json: string;
}

/** There is nothing more just now. */
export interface Pause {
  /** Calls back once when there may be more: then is the time to ask for what comes next. */
  whenMore(onMore: () => void): void;
}

/**
 * What a source of events gives. A pause, not a promise that resolves hours later: thousands of
 * readers wait, and what each made for its wait outlived the collections of young garbage, which
 * copied it and held the process up for 40 to 90 ms, each of them.
 */
export type Batch = readonly EventFrame[] | Pause;

/** The same without pauses: each is waited for. */
export async function* withoutPauses(
  events: AsyncIterable<Batch>): AsyncGenerator<readonly EventFrame[]> {
  for await (const batch of events) {
    if ('whenMore' in batch) await new Promise<void>((resolve) => batch.whenMore(resolve));
    else yield batch;
  }
}

export interface RunReference {
  workspace_id: string;
  session_id: string;
  run_id: string;
}

/** What a reader holds while it reads, and ends with. */
interface Hold { signal: AbortSignal; release(): void }

/**
 * So many pages are read at a time, and the others wait here: in the line for a connection, appends
 * would stand behind a page for each run that has just said something.
 */
const READS_AT_ONCE = 4;

/**
 * So many readers go on with what was read, in a turn of the event loop. To write to one takes a
 * twentieth of a millisecond, and an append takes several turns: it would stand behind all readers
 * of a run in one of them.
 */
const READERS_A_TURN = 4;

/** A page that is being read, or will be: `begun` is then infinite. */
interface Reading { begun: number; page: Promise<FramePage> }

/** Events after a number, and whether there are more: now, later, or never. */
interface FramePage {
  frames: EventFrame[];
  rest: 'now' | 'later' | 'none';
  /** When the reading began, by the hub's clock: the page holds everything announced before. */
  begun: number;
}

/**
 * A run's events after a number, then live ones, until the terminal event. A cursor per reader:
 * read what is after it, and when there is nothing, wait to be woken, and go on with what was
 * committed or read again.
 */
export class EventReader {
  readonly #sql: Sql;
  readonly #hub: EventHub;
  readonly #reading = new Map<string, Reading>();
  #under_way = 0;
  readonly #waiting = new FairQueue<string, () => void>(steadyClock);
  readonly #slices = new Slices(READERS_A_TURN);
  readonly #framed = new WeakMap<Commit, EventFrame[]>();

  constructor(sql: Sql, hub: EventHub) {
    this.#sql = sql;
    this.#hub = hub;
  }

  /**
   * Pauses where there is nothing more yet; ends with the terminal event, or when the signal
   * aborts; throws `events_expired`, also where a failover has lost what was read. What `hold`
   * takes is held while it reads, and ends it as well.
   */
  async *follow(
    run: RunReference, starting_after: number, signal: AbortSignal, hold?: () => Hold,
  ): AsyncGenerator<Batch> {
    const held = hold?.();
    const watcher = this.#hub.watch(
      run.workspace_id, run.run_id, 'events', signal, ...held ? [held.signal] : []);
    let cursor = starting_after;
    try {
      while (!watcher.stopped) {
        watcher.seen = cursor;
        let page: FramePage | undefined =
          this.#committed(run, watcher.takeNext(cursor)) ?? await this.#page(run, cursor, watcher);
        const { rest, begun } = page;
        if (page.frames.length > 0) {
          await this.#slices.pass();
          cursor = page.frames.at(-1)!.sequence_number;
          watcher.seen = cursor;
          yield page.frames;
        }
        // A waiting generator holds its variables: 32 kB of what it has handed over long ago.
        page = undefined;
        if (rest === 'none') return;
        if (rest === 'later') {
          yield { whenMore: (onMore) => watcher.whenChanged(onMore, begun) };
        }
      }
    } finally {
      held?.release();
      watcher.close();
    }
  }

  /**
   * At most `limit` events after a number that are there now, ascending, and about PAGE_BYTES, and
   * whether there are more. Throws `events_expired` where the next one is no longer kept, or the
   * last one not there any more: a reader is never given a silent gap.
   */
  async page(
    run: RunReference, after: number, limit: number,
  ): Promise<{ frames: EventFrame[]; has_more: boolean }> {
    const { frames, rest } = await this.#read(run, after, { events: limit, bytes: PAGE_BYTES });
    return { frames, has_more: rest === 'now' };
  }

  /**
   * What was just committed, without reading it; all readers of the run are given the same frames.
   * Undefined where there is nothing.
   */
  #committed(run: RunReference, announced: Announced | undefined): FramePage | undefined {
    if (announced === undefined) return undefined;
    const { commit, at } = announced;
    let frames = this.#framed.get(commit);
    if (frames === undefined) {
      frames = commit.events.map((event, i) =>
        frame(run, { ...event, seq: commit.first_seq + i, created_at: commit.created_at }));
      this.#framed.set(commit, frames);
    }
    if (frames.length === 0) return undefined;
    return { frames, rest: commit.ends_run ? 'none' : 'later', begun: at };
  }

  /**
   * Readers at the same place share one query if it began after the event that woke them. 1,000
   * readers of a live run of another process then cause 1.0 queries an event (1,000 if each asks
   * for itself), or 1.3 if each takes up to 20 ms for a batch. Keeping the last frames in memory
   * would help only where most readers of a run lag (75 queries at 200 ms), and would cost memory
   * for every watched run.
   */
  #page(run: RunReference, after: number, watcher: Watcher): Promise<FramePage> {
    const key = `${run.run_id} ${after}`;
    const other = this.#reading.get(key);
    if (other && !watcher.wokenAfter(other.begun)) return other.page;
    const reading: Reading = { begun: Infinity, page: undefined! };
    reading.page = this.#inTurn(run.workspace_id, async () => {
      // Whoever is woken while it waits its turn is served by it as well.
      reading.begun = this.#hub.now();
      return { ...await this.#read(run, after, STREAMED), begun: reading.begun };
    }).finally(() => {
      if (this.#reading.get(key) === reading) this.#reading.delete(key);
    });
    this.#reading.set(key, reading);
    return reading.page;
  }

  /** Workspaces that read more than there is room for take turns. */
  async #inTurn<T>(workspace_id: string, work: () => Promise<T>): Promise<T> {
    if (this.#under_way < READS_AT_ONCE) this.#under_way += 1;
    else await new Promise<void>((resolve) => this.#waiting.add(workspace_id, resolve));
    const end = this.#waiting.begin(workspace_id);
    try {
      return await work();
    } finally {
      end();
      const next = this.#waiting.take();
      if (next) next();
      else this.#under_way -= 1;
    }
  }

  async #read(
    run: RunReference, after: number, bounds: EventBounds): Promise<Omit<FramePage, 'begun'>> {
    const page = await readEventPage(this.#sql, run.workspace_id, run.run_id, after, bounds);
    if (!page) return { frames: [], rest: 'none' };
    const { status, last_seq, first_seq, events } = page;
    // A reader has seen what a failover has lost. The next events have numbers that it knows.
    if (first_seq !== null) throw eventsLost(after, last_seq, first_seq);
    const first = events[0]?.seq ?? last_seq + 1;
    if (first > after + 1) throw eventsExpired(after, first);
    const read = events.at(-1)?.seq ?? after;
    return {
      frames: events.map((row) => frame(run, row)),
      rest: read < last_seq ? 'now' : isTerminal(status) ? 'none' : 'later',
    };
  }
}

/** The envelope around the stored data, whose bytes are passed on, but for what may end a line. */
function frame(run: RunReference, row: EventRow): EventFrame {
  const json = `{"id":"${eventId(run.run_id, row.seq)}","type":"${row.type}"`
    + `,"run_id":"${run.run_id}","session_id":"${run.session_id}","sequence_number":${row.seq}`
    + `,"created_at":"${row.created_at}","data":${onOneLine(row.data)}}`;
  return { sequence_number: row.seq, type: row.type, json };
}

/**
 * The same JSON, in which no reader finds the end of a line. JSON escapes control characters, but
 * not these three, at which Python's `str.splitlines` (and so httpx and requests) cuts as well.
 * They can stand in strings only. Looking for them takes 30 to 55 ns for the data of a delta, and
 * 11 to 65 µs for 1 MiB; a regular expression takes twice and ten times as long.
 */
function onOneLine(json: string): string {
  if (!json.includes('\x85') && !json.includes('\u2028') && !json.includes('\u2029')) return json;
  return json.replaceAll('\x85', '\\u0085')
    .replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

/** For a reader of events of which the first one kept is `earliest`. */
export function eventsExpired(after: number, earliest: number): GatehouseError {
  return readOnFrom(earliest, `Events ${after + 1} to ${earliest - 1} of this run are no longer`
    + ` kept. Read on with starting_after=${earliest - 1}, or get the run for its outcome.`);
}

/** For a reader of events beyond the last one of the log. */
function eventsLost(after: number, last: number, earliest: number): GatehouseError {
  return readOnFrom(earliest, `You ask for what follows event ${after}, and this run has come to`
    + ` event ${last}. If you have read more, its database has lost that: read the run anew, with`
    + ` starting_after=${earliest - 1}.`);
}

function readOnFrom(earliest: number, message: string): GatehouseError {
  return new GatehouseError('events_expired', message,
    { param: 'starting_after', details: { earliest_sequence_number: earliest } });
}
