import type { Duplex } from 'node:stream';
import postgres from 'postgres';
import { connectionStream, WRITTEN_AT_ONCE_BYTES } from './connectionStream.ts';
import { connectionTarget } from './connectionTarget.ts';
import { withOwnTransactions } from './transactions.ts';
import { TYPES } from './types.ts';

export type Sql = postgres.Sql;
export type Transaction = postgres.TransactionSql;

// An absent database must be noticed within five seconds, so that requests get their 503.
const CONNECT_TIMEOUT_S = 4;
const LONGEST_BACKOFF_S = 0.5;
const IDLE_IN_TRANSACTION_MS = 5_000;
const OLDEST_VERSION = 15;

/**
 * A pool of at most `max` connections, opened when first needed, and half as many for
 * transactions (`begin`). `url` is what psql takes too, Unix sockets included
 * (`?host=/directory`).
 *
 * What comes back: int8 as number (one beyond 2^53 rejects the query), numeric as string,
 * timestamptz as "2026-11-21T03:41:58.123Z", date and timestamp as their text, json parsed. What
 * goes in: a string given where json is expected would be encoded twice, so give
 * `${JSON.stringify(value)}::text::json`; several as `${texts}::text[]`. In a list of booleans or
 * Dates, give text ('t', 'f', ISO): postgres.js declares a list as the type of its first element.
 */
export function connect(
  url: string,
  options: {
    max: number;
    application_name?: string;
    onnotice?: (notice: postgres.Notice) => void;
    /** Called when one of the pool's connections has closed, whatever the reason. */
    onclose?: () => void;
  },
): Sql {
  const target = connectionTarget(url);
  const { address } = target;
  const settings: postgres.Options<{}> & {
    socket?: () => Promise<Duplex>;
    max_pipeline?: number;
  } = {
    max: options.max,
    connect_timeout: target.connect_timeout_s ?? CONNECT_TIMEOUT_S,
    // Its own backoff reaches 20 s, during which queries wait even if the database is back.
    backoff: (attempt: number) => Math.min(0.01 * 2 ** attempt, LONGEST_BACKOFF_S),
    // A query never stands behind another one on its connection, and what has to wait is served in
    // its order. (With pipelining, queries that waited for a connection starved for as long as
    // the connections were kept busy.) No BEGIN may come here: see transactions.ts.
    max_pipeline: 0,
    // Connections hold advisory locks and LISTEN: they must not be recycled behind their back.
    max_lifetime: null,
    onnotice: options.onnotice ?? (() => {}),
    onclose: options.onclose,
    connection: {
      application_name: options.application_name ?? 'gatehouse',
      TimeZone: 'UTC',
      // A process that is frozen within a transaction must not hold the others up.
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
      // Its length sees to it that the greeting is written at once: see connectionStream.
      DateStyle: 'ISO'.padEnd(WRITTEN_AT_ONCE_BYTES),
    },
    types: TYPES as {},
    fetch_types: false, // see types.ts
    ...(target.user === undefined ? {} : { user: target.user }),
    ...(target.password === undefined ? {} : { password: target.password }),
    ...(target.database === undefined ? {} : { database: target.database }),
    ...(address === null ? {} : {
      ...address, ssl: false, socket: () => connectionStream(address, target.tls, target.ca_path),
    }),
  };
  const open = (changes: typeof settings) =>
    postgres(target.url, { ...settings, ...changes } as postgres.Options<{}>) as Sql;
  const transactions = Math.max(1, Math.ceil(options.max / 2));
  return withOwnTransactions(open({}), transactions, (max) => open({ max, max_pipeline: 100 }));
}

const UNAVAILABLE_CODES = new Set([
  // postgres.js
  'CONNECTION_CLOSED', 'CONNECTION_DESTROYED', 'CONNECTION_ENDED', 'CONNECT_TIMEOUT',
  // the operating system; ENOENT and EACCES count only while connecting, see below
  'ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'EHOSTDOWN',
  'ENETUNREACH', 'ENETDOWN', 'ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL', 'EAGAIN',
  // PostgreSQL: shut down, crashed, starting, database dropped, idle session closed
  '57P01', '57P02', '57P03', '57P04', '57P05',
  '25006', // read only: a standby, or a primary that has just been demoted
  '25P03', // a transaction that stood still for too long
  // Cancelled, deadlock, serialization, lock timeout: nothing is wrong with the statement.
  '57014', '40P01', '40001', '55P03',
]);
// Connection exceptions; insufficient resources (disk full, memory, connections); input/output.
const UNAVAILABLE_CLASSES = /^(08|53|58)[0-9A-Z]{3}$/;

/**
 * Whether the database could not be reached or could not serve anybody, so that trying again later
 * makes sense (503). False for what the statement itself did wrong.
 */
export function isUnavailable(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < 8 && current instanceof Error; depth++) {
    const { code, syscall, cause } = current as NodeJS.ErrnoException & { cause?: unknown };
    if (code !== undefined) {
      if (UNAVAILABLE_CODES.has(code) || UNAVAILABLE_CLASSES.test(code)) return true;
      // The socket of an embedded database that is not running.
      if (syscall === 'connect' && (code === 'ENOENT' || code === 'EACCES')) return true;
    }
    current = cause;
  }
  return false;
}

/** Throws a clear Error if the server is older than PostgreSQL 15 or does not store UTF-8. */
export async function checkServerVersion(sql: Sql): Promise<void> {
  const [row] = await sql<{ number: number; version: string; encoding: string }[]>`
    select current_setting('server_version_num')::int as number,
      current_setting('server_version') as version,
      current_setting('server_encoding') as encoding`;
  if (row!.number < OLDEST_VERSION * 10_000) {
    throw new Error(`The database is PostgreSQL ${row!.version}; version ${OLDEST_VERSION} or newer`
      + ' is needed. Point DATABASE_URL at one, or unset it to use the embedded PostgreSQL.');
  }
  if (row!.encoding !== 'UTF8') {
    throw new Error(`The database stores text as ${row!.encoding}; it must be UTF8. Create it with`
      + " `create database gatehouse encoding 'UTF8' template template0`.");
  }
}
