import { patience, PATIENCE_MS } from '../patience.ts';
import { ConnectionOpener, type DatabaseConnection } from './driver/connection.ts';
import { databaseTarget } from './driver/databaseTarget.ts';
import { NO_PRIMARY } from './driver/hostFailures.ts';
import { Listener } from './driver/listener.ts';
import {
  isMarkedInDoubt, isMarkedLost, lost, markInDoubt, SHARE_USED_UP,
} from './driver/lost.ts';
import { Pool } from './driver/pool.ts';
import type { ConnectOptions, Sql, Transaction } from './driver/sql.ts';
import { statements, type Statement } from './driver/statement.ts';
import type { Task } from './driver/task.ts';

export { markInDoubt, type Sql, type Transaction };

// For a statement or a transaction, the wait for a connection included: a request must have its
// answer within five seconds, even if the database is frozen, cut off, locked or overloaded.
const WORK_LIMIT_MS = PATIENCE_MS;
// Then the server ends it by itself: what nobody waits for any more must not go on there. Less than
// the other, so that a server that does not answer is noticed in time.
const STATEMENT_LIMIT_MS = 4_000;
// What waits for a lock keeps a connection from others. A third, so that others that wait for their
// turn behind it are served in time.
const LOCK_LIMIT_MS = 1_500;
const END_TIMEOUT_MS = 5_000;
const OLDEST_VERSION = 15;

/**
 * A pool of at most `max` connections, opened when first needed. `url` is what psql takes too, Unix
 * sockets and several hosts included (`?host=/directory`, `a:1,b:2?target_session_attrs=primary`).
 *
 * Results: int8 as number (one beyond 2^53 rejects the query), numeric as string, timestamptz as
 * "2026-11-21T03:41:58.123Z", date and timestamp as their text, json parsed. Parameters: a string
 * given where json is expected would be encoded twice, so give
 * `${JSON.stringify(value)}::text::json`; several as `${texts}::text[]`. In a list of booleans or
 * Dates, give text ('t', 'f', ISO): postgres.js declares a list as the type of its first element.
 */
export function connect(url: string, options: ConnectOptions): Sql {
  const opener = new ConnectionOpener(databaseTarget(url), {
    application_name: options.application_name ?? 'gatehouse',
    onNotify: options.onNotify,
    statement_timeout_ms: STATEMENT_LIMIT_MS,
    lock_timeout_ms: LOCK_LIMIT_MS,
  });
  const listeners: (() => void)[] = [];
  const pool = new Pool(opener, {
    max: options.max, onClose: () => listeners.forEach((listener) => listener()),
  });
  const execute = (statement: Statement<unknown>) => pool.use({
    kind: statement.kind, limit_ms: WORK_LIMIT_MS,
    work: (connection, task) => {
      task.is_in_doubt = connection.loss === undefined;
      return connection.execute(statement);
    },
  });
  const together: Sql['together'] = (work, { writes, limit_ms } = {}) => pool.use({
    // Apart from the transactions of the same operation: those may wait where it does not.
    kind: writes ?? `${patience()?.name} reads`, limit_ms: WORK_LIMIT_MS, work_limit_ms: limit_ms,
    work: (connection, task) => {
      task.is_in_doubt = writes !== undefined && connection.loss === undefined;
      return inSession(connection, work, limit_ms);
    },
  });
  const begin: Sql['begin'] = (work, { limit_ms } = {}) => pool.use({
    kind: patience()?.name, limit_ms: WORK_LIMIT_MS, work_limit_ms: limit_ms,
    work: (connection, task) => transact(connection, task, work, limit_ms),
  });
  const listen: Sql['listen'] = async (channel, handlers) => {
    const listener = new Listener(
      (own) => connect(options.direct_url ?? url, own), channel, handlers);
    await listener.start().catch(async (error: unknown) => {
      await listener.stop();
      throw error;
    });
    return listener;
  };
  const end: Sql['end'] = ({ timeout_ms = END_TIMEOUT_MS } = {}) => pool.end(timeout_ms);
  return Object.assign(statements(execute), {
    begin, together, listen, end, load: () => pool.load,
    onClose: (listener: () => void) => void listeners.push(listener),
  });
}

async function inSession<T>(
  connection: DatabaseConnection, work: (one: Transaction) => Promise<T>,
  limit_ms: number | undefined,
): Promise<T> {
  const one = statements((statement) => connection.execute(statement));
  if (limit_ms === undefined) return await work(one);
  const limit = (statement_ms: number, lock_ms: number) => {
    connection.limit_ms = statement_ms;
    return one.unsafe(`set statement_timeout = ${statement_ms}; set lock_timeout = ${lock_ms}`);
  };
  try {
    await limit(Math.floor(limit_ms), 0);
    return await work(one);
  } finally {
    // The next user of the connection must not go without limits.
    await limit(STATEMENT_LIMIT_MS, LOCK_LIMIT_MS).catch((cause: unknown) =>
      connection.destroy(lost(`limits could not be set: ${String(cause)}`)));
  }
}

async function transact<T>(
  connection: DatabaseConnection, task: Task<unknown>,
  work: (transaction: Transaction) => Promise<T>, limit_ms: number | undefined,
): Promise<T> {
  const own = statements((statement) => connection.execute(statement));
  const transaction = statements((statement) => (task.is_awaited ? connection.execute(statement)
    : Promise.reject(lost('nobody waits for this transaction', 'STATEMENT_TIMEOUT'))));
  await own.unsafe('begin');
  try {
    if (limit_ms !== undefined) {
      connection.limit_ms = limit_ms;
      await own.unsafe(`set local statement_timeout = ${Math.floor(limit_ms)}`);
    }
    const result = await work(transaction);
    task.is_in_doubt = connection.loss === undefined;
    const { command } = await transaction.unsafe('commit');
    // `work` has passed over the error of a statement: the server says no more of it than this.
    if (command === 'ROLLBACK') throw new Error('a statement failed, and so all was rolled back');
    return result;
  } catch (error) {
    try {
      await own.unsafe('rollback');
    } catch (cause) {
      // The next user of the connection must not write into this transaction.
      connection.destroy(lost(`a transaction could not be rolled back: ${String(cause)}`));
    }
    throw error;
  } finally {
    connection.limit_ms = STATEMENT_LIMIT_MS;
  }
}

const UNAVAILABLE_CODES = new Set([
  // postgres.js
  'CONNECTION_CLOSED', 'CONNECTION_DESTROYED', 'CONNECTION_ENDED',
  'CONNECT_TIMEOUT', 'STATEMENT_TIMEOUT', SHARE_USED_UP, // the driver's connection.ts, pool.ts
  // PostgreSQL: shut down, crashed, starting, database dropped, idle session closed
  '57P01', '57P02', '57P03', '57P04', '57P05',
  NO_PRIMARY, // read only: a standby, or a primary that has just been demoted
  '25P03', // a transaction that stood still for too long
  // Cancelled, deadlock, serialization, lock timeout: nothing is wrong with the statement.
  '57014', '40P01', '40001', '55P03',
]);
// Connection exceptions; insufficient resources (disk full, memory, connections); input/output.
const UNAVAILABLE_CLASSES = /^(08|53|58)[0-9A-Z]{3}$/;

/**
 * Whether the database could not be reached or could not serve anybody, so that trying again later
 * makes sense (503). False for a fault of the statement itself, and for another server that cannot
 * be reached.
 */
export function isUnavailable(error: unknown): boolean {
  return causesOf(error).some((one) => {
    const { code, routine } = one as NodeJS.ErrnoException & { routine?: string };
    return isMarkedLost(one)
      // A newer node's migration changed what a prepared statement answers. Outside a transaction
      // the driver prepares the statement again by itself; in one, the next transaction does.
      || routine === 'RevalidateCachedQuery'
      // It replaced a function that was being called: XX000, by one of several routines.
      || code === 'XX000' && one.message.startsWith('cache lookup failed for function ')
      || (code !== undefined && (UNAVAILABLE_CODES.has(code) || UNAVAILABLE_CLASSES.test(code)));
  });
}

/**
 * Whether it was the share of one workspace that was used up: the database did what that asked for
 * before, until the time was over.
 */
export function isShareUsedUp(error: unknown): boolean {
  return causesOf(error).some((one) => (one as NodeJS.ErrnoException).code === SHARE_USED_UP);
}

/** Whether what was asked of a database that is unavailable may be committed nevertheless. */
export function isInDoubt(error: unknown): boolean {
  return isUnavailable(error) && causesOf(error).some(isMarkedInDoubt);
}

/** An error and what caused it, to a depth that no honest error has. */
function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  for (let one = error; one instanceof Error && causes.length < 8; one = one.cause) {
    causes.push(one);
  }
  return causes;
}

// A deadlock, a lost race for a snapshot, a lock that was not to be had in time.
const CONTENTION_CODES = new Set(['40P01', '40001', '55P03']);

/** Whether the statement met others and was rolled back: made again, it may well succeed. */
export function isContention(error: unknown): boolean {
  return CONTENTION_CODES.has((error as { code?: string }).code ?? '');
}

/** Whether it waited for a lock for too long: that of one row as a rule, or of a whole table. */
export function isLocked(error: unknown): boolean {
  return (error as { code?: string }).code === '55P03';
}

/**
 * Throws a clear Error if the server is older than PostgreSQL 15, does not store UTF-8, or isolates
 * transactions more than they are written for, which would have them fail by each other.
 */
export async function checkServer(sql: Sql): Promise<void> {
  const [row] = await sql<{
    number: number; version: string; encoding: string; isolation: string; role: string }[]>`
    select current_setting('server_version_num')::int as number,
      current_setting('server_version') as version,
      current_setting('server_encoding') as encoding,
      current_setting('default_transaction_isolation') as isolation,
      quote_ident(session_user) as role`;
  if (row!.number < OLDEST_VERSION * 10_000) {
    throw new Error(`The database is PostgreSQL ${row!.version}; version ${OLDEST_VERSION} or newer`
      + ' is needed. Point DATABASE_URL at one, or unset it to use the embedded PostgreSQL.');
  }
  if (row!.encoding !== 'UTF8') {
    throw new Error(`The database stores text as ${row!.encoding}; it must be UTF8. Create it with`
      + " `create database gatehouse encoding 'UTF8' template template0`.");
  }
  // The server takes "read uncommitted" for the same.
  if (!row!.isolation.startsWith('read ')) {
    throw new Error(`Transactions of the database are ${row!.isolation}; read committed is needed.`
      + ` Set it with \`alter role ${row!.role} set default_transaction_isolation to`
      + " 'read committed'`.");
  }
}
