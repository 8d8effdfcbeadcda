import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';
import type { Sql } from '../../src/store/database.ts';
import { openTransaction } from './openTransaction.ts';

/** A wait that sees nothing new for so long has failed. No wait of a sound test comes near it. */
const QUIET_LIMIT_MS = 60_000;
/** A wait that always sees something new ends as well: below the limit of a file. */
const WHOLE_LIMIT_MS = 180_000;
/** The pause between two looks grows from the first to the last: most waits are short. */
const SHORTEST_PAUSE_MS = 1;
const LONGEST_PAUSE_MS = 50;
const SHOWN_CHARACTERS = 2_000;

/** How long `untilSeen` waits unless it is told otherwise. */
const LIMITS = { quiet_ms: QUIET_LIMIT_MS, whole_ms: WHOLE_LIMIT_MS };

/**
 * Looks again and again, with short pauses, until the answer is yes. As `untilSeen`, which tells
 * more when it fails: what this one waited for is told by the condition's own source.
 */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  await untilSeen(String(condition), condition);
}

/**
 * Looks again and again, with short pauses, until what is seen `holds`, and answers it. Whatever
 * `look` throws ends the wait at once; a look that may fail for a while answers the error instead.
 * Throws an Error if nothing new was seen for a minute: what was waited for, how long, how often it
 * was looked at, and what was seen last.
 */
export async function untilSeen<T>(
  what: string, look: () => T | Promise<T>, holds: (seen: T) => unknown = Boolean,
  limits = LIMITS): Promise<T> {
  const wait = new Wait(what, limits);
  for (let pause_ms = SHORTEST_PAUSE_MS; ; pause_ms = Math.min(pause_ms * 1.5, LONGEST_PAUSE_MS)) {
    const seen = await wait.look(look);
    if (holds(seen)) return seen;
    wait.goOn(seen);
    await delay(pause_ms);
  }
}

/** Waits until so many statements in this database, all or such with `words`, wait for a lock. */
export async function untilLocked(sql: Sql, statements = 1, words = ''): Promise<void> {
  await untilSeen(`${statements} statements ${words} that wait for a lock`, () => sql`
    select left(query, 200) as query from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'
      and strpos(query, ${words}) > 0`,
  ({ count }) => count >= statements);
}

/** One wait: how long it has lasted and what it has seen. */
class Wait {
  readonly #what: string;
  readonly #limits: typeof LIMITS;
  readonly #begun_ms = performance.now();
  #changed_ms = this.#begun_ms;
  #looks = 0;
  #last = 'nothing';

  constructor(what: string, limits: typeof LIMITS) {
    this.#what = what;
    this.#limits = limits;
  }

  /** What `look` answers. Throws if it throws, or does not answer within the limit. */
  async look<T>(look: () => T | Promise<T>): Promise<T> {
    this.#looks += 1;
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => late.reject(this.#inVain('; the last look did not come back')),
      Math.max(this.#left_ms(), LONGEST_PAUSE_MS));
    try {
      return await Promise.race([look(), late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Keeps what was seen. Throws if it is time to give up. */
  goOn(seen: unknown): void {
    const shown = inspect(seen, { depth: 6, breakLength: Infinity, maxStringLength: 1_000 })
      .slice(0, SHOWN_CHARACTERS);
    if (shown !== this.#last) this.#changed_ms = performance.now();
    this.#last = shown;
    if (this.#left_ms() <= 0) throw this.#inVain('');
  }

  #left_ms(): number {
    const { quiet_ms, whole_ms } = this.#limits;
    return Math.min(this.#changed_ms + quiet_ms, this.#begun_ms + whole_ms) - performance.now();
  }

  #inVain(more: string): Error {
    const waited_s = ((performance.now() - this.#begun_ms) / 1_000).toFixed(1);
    return new Error(`waited ${waited_s} s in vain for: ${this.#what}\n`
      + `looked ${this.#looks} times${more}; saw last: ${this.#last}`);
  }
}

/** What is made after this has a later time, and comes later in the lists of every process. */
export async function nextMillisecond(): Promise<void> {
  const now_ms = Date.now();
  await untilSeen('the next millisecond', Date.now, (seen_ms) => seen_ms > now_ms);
}

/**
 * Holds a table, so that whatever wants to write to it waits. `work` gets what resolves once
 * somebody does; the table is free again when `work` is done.
 */
export async function whileTableIsHeld<T>(
  sql: Sql, table: string, work: (somebodyWaits: () => Promise<void>) => Promise<T>): Promise<T> {
  return await openTransaction(sql, async (tx) => {
    await tx.unsafe(`lock table ${table} in exclusive mode`);
    return await work(async () => {
      await untilSeen(`somebody who waits for the table ${table}`, async () => await sql`
        select pid, mode, granted from pg_locks where relation = ${table}::regclass`,
      (locks) => locks.some(({ granted }) => !granted));
    });
  });
}
