/**
 * Ids and times that are the same each time the mock is started with the same seed and asked the
 * same. The service works with its own; this translates at the edge, both ways.
 *
 * Ids are named in the order in which they are first seen. The clock stands still between requests
 * that change something, and each of those moves it on by a second.
 */
import { hash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { GatehouseError } from '../errors.ts';
import { newId, timeOf, type IdPrefix } from '../ids.ts';

const EPOCH_MS = Date.UTC(2026, 0, 1);
const TICK_MS = 1_000;
const MINUTE_MS = 60_000;
/** A time of the database may be rounded up to the next millisecond. */
const APART_MS = 2;

const ID = /\b([a-z]{3,4})_([0-9a-hjkmnp-tv-z]{26})(?![0-9a-z])/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)/g;
const OWN_TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
const DURATION = /(\\*"duration_ms\\*":\s*)\d+(?:\.\d+)?/g;
const CURSOR = /("(?:\w+_)?next_cursor":")([\w-]+)(?=")/g;
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

export class Repeatable {
  readonly #seed: string;
  /** By the service's id, and by the one that is shown. */
  readonly #shown = new Map<string, string>();
  readonly #own = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  /** When, by the real clock, each tick began. */
  readonly #ticks = [Date.now()];
  /** Times, and ids of their own, that clients have sent: they come back as they are. */
  readonly #sent = new Set<string>();
  readonly #coming = new Map<string, string>();
  #latest_ms = 0;

  constructor(seed: string) {
    this.#seed = seed;
  }

  /**
   * Lets a request in, so late that nothing of earlier ones has its time; `changes`: it moves the
   * clock on. Answers an id for it.
   */
  async admit(changes: boolean): Promise<string> {
    while (Date.now() < this.#latest_ms + APART_MS) await wait(1);
    if (changes) this.#ticks.push(Date.now());
    const shown = this.#name('req', EPOCH_MS + (this.#ticks.length - 1) * TICK_MS);
    this.#own.set(shown, shown);
    return shown;
  }

  /** A request has been answered. */
  settled(): void {
    this.#latest_ms = Date.now();
  }

  /** What the service answers, as it is shown. */
  outward(text: string): string {
    return text.replace(ID, (id, prefix: string) => this.#shownId(id, prefix))
      .replace(OWN_TIME, (time) => this.#shownTime(time))
      .replace(DURATION, '$10')
      .replace(CURSOR, (_, before: string, cursor: string) =>
        before + throughCursor(cursor, (inner) => this.outward(inner)));
  }

  /** What a client sends, as the service knows it. */
  inward(text: string): string {
    for (const [time] of text.matchAll(TIME)) {
      const time_ms = Date.parse(time);
      if (!Number.isNaN(time_ms)) this.#sent.add(new Date(time_ms).toISOString());
    }
    return this.#inwardIds(text);
  }

  /** A cursor that was shown, as the service knows it. */
  inwardCursor(cursor: string): string {
    return throughCursor(cursor, (inner) => this.#inwardIds(inner));
  }

  /** A bound by shown times as one by real ones: what lies before it, or what after. */
  inwardTime(time: string, side: 'before' | 'after'): string {
    const ticks = (Date.parse(time) - EPOCH_MS) / TICK_MS;
    // What is shown has the time of its tick: the first that lies beyond the bound.
    const tick = side === 'before' ? Math.ceil(ticks) : Math.floor(ticks) + 1;
    if (tick < 0) return time;
    // Beyond the last tick there is nothing yet.
    const begun_ms = this.#ticks[tick] ?? Date.now() + TICK_MS;
    return new Date(side === 'before' ? begun_ms : begun_ms - 1).toISOString();
  }

  /**
   * A beginning of shown ids as one of the service's. Throws invalid_request, for this parameter,
   * if all beginnings that theirs have in common are those of others, too.
   */
  inwardPrefix(prefix: string, param: string): string {
    const own = [...this.#own].filter(([shown]) => shown.startsWith(prefix)).map(([, id]) => id);
    // Then it is no beginning of an id of the service either.
    if (own.length === 0) return prefix;
    const common = own.reduce(commonPrefix);
    const fitting = [...this.#own.values()].filter((id) => id.startsWith(common));
    if (fitting.length === own.length) return common;
    throw new GatehouseError('invalid_request', `${own.length} ids begin with ${prefix}, and a mock`
      + ' with --seed cannot tell them from others then. Give more of the one that you mean.',
    { param });
  }

  #inwardIds(text: string): string {
    return text.replace(ID, (id) => {
      const own = this.#own.get(id);
      if (own === undefined) this.#sent.add(id);
      return own ?? id;
    });
  }

  #shownId(id: string, prefix: string): string {
    // An id of an event is that of its run, with a number.
    if (prefix === 'evt') return `evt_${this.#shownId(`run_${id.slice(4)}`, 'run').slice(4)}`;
    if (this.#own.has(id) || this.#sent.has(id)) return id;
    const known = this.#shown.get(id);
    if (known !== undefined) return known;
    const shown = this.#name(prefix, Date.parse(this.#shownTimeOf(timeOf(id))));
    this.#shown.set(id, shown);
    this.#own.set(shown, id);
    return shown;
  }

  #name(prefix: string, time_ms: number): string {
    const count = (this.#counts.get(prefix) ?? 0) + 1;
    this.#counts.set(prefix, count);
    const digest = hash('sha256', `${this.#seed} ${prefix} ${count}`, 'buffer');
    const dated = newId(prefix as IdPrefix, time_ms).slice(0, -16);
    return dated + [...digest.subarray(0, 16)].map((byte) => ALPHABET[byte & 31]).join('');
  }

  #shownTime(time: string): string {
    if (this.#sent.has(time)) return time;
    const time_ms = Date.parse(time);
    if (time_ms < this.#ticks[0]!) return time;
    return this.#shownTimeOf(time_ms);
  }

  #shownTimeOf(time_ms: number): string {
    const tick = Math.max(0, this.#ticks.findLastIndex((begun_ms) => begun_ms <= time_ms));
    const shown_ms = EPOCH_MS + tick * TICK_MS;
    if (time_ms < Date.now() + TICK_MS) return new Date(shown_ms).toISOString();
    // A time to come, such as that an approval ends: as long after the tick, in whole minutes.
    const key = String(time_ms);
    const ahead_ms = Math.floor((time_ms - this.#ticks[tick]!) / MINUTE_MS) * MINUTE_MS;
    const coming = this.#coming.get(key) ?? new Date(shown_ms + ahead_ms).toISOString();
    this.#coming.set(key, coming);
    return coming;
  }
}

function commonPrefix(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return one.slice(0, length);
}

/**
 * Cursors of lists are JSON in base64url. Another text stays as it is, so that the service refuses
 * it: a damaged cursor is decoded, too, and would come out of a translation whole.
 */
function throughCursor(cursor: string, translate: (inner: string) => string): string {
  const inner = Buffer.from(cursor, 'base64url').toString();
  return inner.startsWith('["') && inBase64(inner) === cursor ? inBase64(translate(inner)) : cursor;
}

function inBase64(text: string): string {
  return Buffer.from(text).toString('base64url');
}
