import { GatehouseError } from '../errors.ts';
import { timeOfDay } from '../ids.ts';

// What both PostgreSQL and a timestamp of four digits can hold.
const EARLIEST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * A date-time of a request in the one form that everything behind it takes: UTC, milliseconds, `Z`.
 * RFC 3339 has more: leap seconds, offsets beyond what PostgreSQL knows, the year 0. A time outside
 * the years 1 to 9999 becomes the nearest one in them. Throws invalid_request if this is no time.
 */
export function instant(text: string, param: string): string {
  const regular = text.toUpperCase().replace(/[T\s]/, 'T')
    .replace(/(:\d\d):60/, '$1:59')
    .replace(/([+-]\d\d):?(\d\d)?$/, (_, hours: string, minutes = '00') => `${hours}:${minutes}`);
  const time_ms = Date.parse(regular);
  if (Number.isNaN(time_ms)) {
    throw new GatehouseError('invalid_request',
      `${JSON.stringify(text)} is no time. Send one such as "2026-11-21T09:00:00Z".`, { param });
  }
  return new Date(Math.min(Math.max(time_ms, EARLIEST_MS), LATEST_MS)).toISOString();
}

/**
 * As `instant`, for `expires_at` of a body, if it has one. Throws invalid_request for what is past
 * by `timeOfDay`, that is to some seconds: it ends by the database's clock.
 */
export function laterInstant(expires_at: string | null | undefined): string | null {
  if (expires_at == null) return null;
  const param = '/expires_at';
  const time = instant(expires_at, param);
  if (Date.parse(time) > timeOfDay()) return time;
  throw new GatehouseError('invalid_request',
    'expires_at is in the past. Give a later time, or leave it out.', { param });
}

/**
 * The last microsecond of the instant's millisecond. The database counts microseconds and responses
 * show milliseconds: what was created at a time that is shown must not count as created after it.
 */
function endOfMillisecond(text: string, param: string): string {
  return instant(text, param).replace('Z', '999Z');
}

/** The bounds of a list by the time of creation, as the store takes them. */
export function createdBetween(
  { created_after: after, created_before: before }:
  { created_after?: string; created_before?: string }) {
  return {
    created_after: after === undefined ? undefined : endOfMillisecond(after, 'created_after'),
    created_before: before === undefined ? undefined : instant(before, 'created_before'),
  };
}
