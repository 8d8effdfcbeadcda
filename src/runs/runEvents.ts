import type { components } from '../../generated/types.ts';
import { GatehouseError } from '../errors.ts';
import { eventId } from '../ids.ts';
import type { Sql } from '../store/database.ts';
import { readEvents, type EventRow } from '../store/runEvents.ts';
import { getRun } from '../store/runs.ts';
import type { EventHub } from './eventHub.ts';
import { isTerminal, isTerminalEvent } from './runStatus.ts';

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

/** Events of one page of a stream: large enough for throughput, small enough to hold per reader. */
const PAGE_EVENTS = 256;

/**
 * A run's events after a number, then live ones, until the terminal event. A cursor per reader:
 * read what is after it, and when there is nothing, wait to be woken and read again.
 */
export class EventReader {
  readonly #sql: Sql;
  readonly #hub: EventHub;
  readonly #reading = new Map<string, Promise<EventFrame[]>>();

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
        const frames = await this.#page(run, cursor);
        if (frames.length > 0) {
          cursor = frames.at(-1)!.sequence_number;
          yield frames;
          if (isTerminalEvent(frames.at(-1)!.type)) return;
        } else {
          const rest = await this.#rest(run, cursor);
          if (rest === 'none') return;
          if (rest === 'later') await watcher.changed(signal);
        }
      }
    } finally {
      watcher.close();
    }
  }

  /**
   * The events after a number that are there now, ascending. Throws `events_expired` where the next
   * one is no longer kept: a reader is never given a silent gap.
   */
  async page(run: RunReference, after: number, limit: number): Promise<EventFrame[]> {
    const frames = await this.#read(run, after, limit);
    // An empty page may mean that nothing has happened yet, or that what did is gone.
    if (frames.length === 0) await this.#rest(run, after);
    return frames;
  }

  /** Readers at the same place share one query. */
  #page(run: RunReference, after: number): Promise<EventFrame[]> {
    const key = `${run.run_id} ${after}`;
    const reading = this.#reading.get(key)
      ?? this.#read(run, after, PAGE_EVENTS).finally(() => this.#reading.delete(key));
    this.#reading.set(key, reading);
    return reading;
  }

  async #read(run: RunReference, after: number, limit: number): Promise<EventFrame[]> {
    const rows = await readEvents(this.#sql, run.workspace_id, run.run_id, after, limit);
    if (rows.length > 0 && rows[0]!.seq !== after + 1) throw eventsExpired(after, rows[0]!.seq);
    return rows.map((row) => frame(run, row));
  }

  /**
   * Nothing was read after `cursor`: whether there is more by now (the page may have been asked for
   * before the commit that woke its reader), or later, or never. Throws `events_expired`.
   */
  async #rest(run: RunReference, cursor: number): Promise<'now' | 'later' | 'none'> {
    const row = await getRun(this.#sql, run.workspace_id, run.run_id);
    if (!row) return 'none';
    if (row.last_seq <= cursor) return isTerminal(row.status) ? 'none' : 'later';
    const [next] = await readEvents(this.#sql, run.workspace_id, run.run_id, cursor, 1);
    if (!next) throw eventsExpired(cursor, row.last_seq + 1);
    return 'now';
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
