import type { components } from '../../generated/types.ts';
import { GatehouseError } from '../errors.ts';
import { eventId } from '../ids.ts';
import type { Sql } from '../store/database.ts';
import { readEventPage, type EventBounds, type EventRow } from '../store/runEvents.ts';
import type { EventHub, Watcher } from './eventHub.ts';
import { isTerminal } from './runStatus.ts';

export type RunEvent = components['schemas']['RunEvent'];
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

/** An event ready for the wire: `json` is the whole envelope, on one line. */
export interface EventFrame {
  sequence_number: number;
  type: string;
  json: string;
}

export interface RunReference {
  workspace_id: string;
  session_id: string;
  run_id: string;
}

/** A page of a stream has at most so many events, and ends at this size. */
const STREAMED = { events: 256, bytes: 32_768 };
/** As the pages of lists. */
const PAGE_BYTES = 1_048_576;

/** Events after a number, and whether there are more: now, later, or never. */
interface EventPage {
  frames: EventFrame[];
  rest: 'now' | 'later' | 'none';
  /** When the reading began, by the hub's clock: the page holds everything announced before. */
  begun: number;
}

/**
 * A run's events after a number, then live ones, until the terminal event. A cursor per reader:
 * read what is after it, and when there is nothing, wait to be woken and read again.
 */
export class EventReader {
  readonly #sql: Sql;
  readonly #hub: EventHub;
  readonly #reading = new Map<string, { begun: number; page: Promise<EventPage> }>();

  constructor(sql: Sql, hub: EventHub) {
    this.#sql = sql;
    this.#hub = hub;
  }

  /** Ends with the terminal event, or when the signal aborts; throws `events_expired`. */
  async *follow(
    run: RunReference, starting_after: number, signal: AbortSignal): AsyncGenerator<EventFrame[]> {
    const watcher = this.#hub.watch(run.workspace_id, run.run_id);
    let cursor = starting_after;
    try {
      while (!signal.aborted) {
        watcher.seen = cursor;
        const { frames, rest, begun } = await this.#page(run, cursor, watcher);
        if (frames.length > 0) {
          cursor = frames.at(-1)!.sequence_number;
          watcher.seen = cursor;
          yield frames;
        }
        if (rest === 'none') return;
        if (rest === 'later') await watcher.changed(signal, begun);
      }
    } finally {
      watcher.close();
    }
  }

  /**
   * At most `limit` events after a number that are there now, ascending, and about PAGE_BYTES, and
   * whether there are more. Throws `events_expired` where the next one is no longer kept: a reader
   * is never given a silent gap.
   */
  async page(
    run: RunReference, after: number, limit: number,
  ): Promise<{ frames: EventFrame[]; has_more: boolean }> {
    const { frames, rest } = await this.#read(run, after, { events: limit, bytes: PAGE_BYTES });
    return { frames, has_more: rest === 'now' };
  }

  /**
   * Readers at the same place share one query if it began after the event that woke them. 1,000
   * readers of a live run then cause 1.0 queries an event (1,000 if each asks for itself), or 1.3
   * if each takes up to 20 ms for a batch. Keeping the last frames in memory would help only where
   * most readers of a run lag (75 queries at 200 ms), and would cost memory for every watched run.
   */
  #page(run: RunReference, after: number, watcher: Watcher): Promise<EventPage> {
    const key = `${run.run_id} ${after}`;
    const other = this.#reading.get(key);
    if (other && !watcher.wokenAfter(other.begun)) return other.page;
    const begun = this.#hub.now();
    const reading = {
      begun,
      page: this.#read(run, after, STREAMED)
        .then((page) => ({ ...page, begun }))
        .finally(() => {
          if (this.#reading.get(key) === reading) this.#reading.delete(key);
        }),
    };
    this.#reading.set(key, reading);
    return reading.page;
  }

  async #read(
    run: RunReference, after: number, bounds: EventBounds): Promise<Omit<EventPage, 'begun'>> {
    const page = await readEventPage(this.#sql, run.workspace_id, run.run_id, after, bounds);
    if (!page) return { frames: [], rest: 'none' };
    const { status, last_seq, events } = page;
    const first = events[0]?.seq ?? last_seq + 1;
    if (first > after + 1) throw eventsExpired(after, first);
    const read = events.at(-1)?.seq ?? after;
    return {
      frames: events.map((row) => frame(run, row)),
      rest: read < last_seq ? 'now' : isTerminal(status) ? 'none' : 'later',
    };
  }
}

/** The envelope around the stored data, whose bytes are not touched. */
function frame(run: RunReference, row: EventRow): EventFrame {
  const json = `{"id":"${eventId(run.run_id, row.seq)}","type":"${row.type}"`
    + `,"run_id":"${run.run_id}","session_id":"${run.session_id}","sequence_number":${row.seq}`
    + `,"created_at":"${row.created_at}","data":${row.data}}`;
  return { sequence_number: row.seq, type: row.type, json };
}

function eventsExpired(after: number, earliest: number): GatehouseError {
  return new GatehouseError('events_expired',
    `Events ${after + 1} to ${earliest - 1} of this run are no longer kept. Read on with`
      + ` starting_after=${earliest - 1}, or get the run for its outcome.`,
    { param: 'starting_after', details: { earliest_sequence_number: earliest } });
}
