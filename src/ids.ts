import { randomFillSync } from 'node:crypto';

/** What an id begins with, by resource. */
export type IdPrefix =
  | 'ses' | 'run' | 'msg' | 'call' | 'inv' | 'con' | 'key' | 'wsp' | 'grt' | 'apr' | 'int'
  | 'req' | 'wrk' | 'adm';

// Crockford's base 32, lower case: no i, l, o, u. Its letters are in byte order.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_CHARACTERS = 10; // 50 bits hold the 48-bit milliseconds of the next 8,900 years
const RANDOM_CHARACTERS = 16; // 80 bits

// Random characters made ahead: one call for many ids (0.2 µs an id, not 0.6).
const pool = Buffer.alloc(4_096);
let used = pool.length;
let latest = { ms: -1, characters: '' };

/**
 * A new opaque id such as `run_01jd…`: prefix, ten characters of time, sixteen random ones, so
 * that byte order is creation order (ULID's layout; the ids of one millisecond are in no order).
 */
export function newId(prefix: IdPrefix, now_ms = Date.now()): string {
  if (used + RANDOM_CHARACTERS > pool.length) {
    randomFillSync(pool);
    for (let i = 0; i < pool.length; i++) pool[i] = ALPHABET.charCodeAt(pool[i]! & 31);
    used = 0;
  }
  if (latest.ms !== now_ms) latest = { ms: now_ms, characters: timeCharacters(now_ms) };
  const random = pool.toString('latin1', used, used += RANDOM_CHARACTERS);
  return `${prefix}_${latest.characters}${random}`;
}

/** When an id was made. */
export function timeOf(id: string): number {
  const start = id.indexOf('_') + 1;
  let time_ms = 0;
  for (const character of id.slice(start, start + TIME_CHARACTERS)) {
    time_ms = time_ms * 32 + ALPHABET.indexOf(character);
  }
  return time_ms;
}

/** The lowest id that `newId` can make at `now_ms`: the bound of a partition. */
export function lowestId(prefix: IdPrefix, now_ms: number): string {
  return `${prefix}_${timeCharacters(now_ms)}`;
}

/** The id of an event follows from its run and number; it is not stored. */
export function eventId(run_id: string, sequence_number: number): string {
  return `evt_${run_id.slice(run_id.indexOf('_') + 1)}_${sequence_number}`;
}

function timeCharacters(now_ms: number): string {
  let rest = Math.max(0, Math.floor(now_ms));
  let characters = '';
  for (let i = 0; i < TIME_CHARACTERS; i++) {
    characters = ALPHABET[rest % 32]! + characters;
    rest = Math.floor(rest / 32);
  }
  return characters;
}
