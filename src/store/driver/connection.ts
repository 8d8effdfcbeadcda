import type { Duplex } from 'node:stream';
import postgres from 'postgres';
import { connectionStream } from './connectionStream.ts';
import type { Address, DatabaseTarget } from './databaseTarget.ts';
import { failureOfHosts, NO_PRIMARY, type HostFailure } from './hostFailures.ts';
import { lost, markLost } from './lost.ts';
import { Statement } from './statement.ts';
import { TimeLimit } from './timeLimit.ts';
import { TYPES } from './types.ts';

export interface ConnectionOptions {
  application_name: string;
  /** After so long the server ends a statement, and one that waits for a lock. */
  statement_timeout_ms: number;
  lock_timeout_ms: number;
  onNotify?: ((channel: string, payload: string) => void) | undefined;
}

// An absent database must be noticed within five seconds, so that requests get their 503.
const CONNECT_TIMEOUT_S = 4;
// Less than others wait for the locks of a frozen process, so that they get them in time.
const IDLE_IN_TRANSACTION_MS = 3_000;
// For the server to close the connection; a server that is frozen or cut off never does.
const CLOSE_MS = 500;
const KEEPALIVES = {
  tcp_keepalives_idle: 30, tcp_keepalives_interval: 10, tcp_keepalives_count: 3,
};
/**
 * What a role or a database may have set otherwise. No parameters of the connection: a pooler that
 * does not expect them would refuse to connect.
 */
const SETTINGS = {
  // The connection that listens is idle most of the time, and a migration takes its time.
  idle_session_timeout: '0',
  transaction_timeout: '0', // since PostgreSQL 17
  // Every query here is short, and where a function punishes the reading of whole tables, that of a
  // small one would be compiled each time, for its cost: 200 ms for each claim.
  jit: 'off',
  // How values are written and read, as types.ts has it.
  array_nulls: 'on', bytea_output: 'hex', extra_float_digits: '1',
};
/** Beyond the time that a statement has in the server: then its answer is missing. */
const SILENCE_MS = 500;

/**
 * One connection: an instance of postgres.js that may open a single connection, and is thrown away
 * with it. postgres.js 3.4.9 recovers badly from lost connections in its own pool: queries that
 * never settle, queries that are acknowledged and were not executed, an error kept for the next
 * query, BEGIN sent down a connection that others use. (All were seen in storms of
 * pg_terminate_backend.) Here it never has to recover: this class rejects everything that waits on
 * a lost connection, and nobody uses the connection again.
 */
export class DatabaseConnection {
  readonly #driver: postgres.Sql;
  readonly #waiting = new Set<(loss: Error) => void>();
  #socket: Duplex | undefined;
  #loss: Error | undefined;
  #onLost: ((loss: Error) => void) | undefined;
  #limit_ms: number;
  #silence: TimeLimit | undefined;

  /** `prepare`: whether statements are prepared under names, and so once for all. */
  constructor(
    target: DatabaseTarget, address: Address, prepare: boolean, options: ConnectionOptions) {
    this.#limit_ms = options.statement_timeout_ms;
    const settings: postgres.Options<{}> & { socket: () => Promise<Duplex> } = {
      max: 1,
      connect_timeout: 0, // the Opener sees to it
      // Connections hold advisory locks and LISTEN: they must not be recycled behind their back.
      max_lifetime: null,
      onnotice: () => {}, // postgres.js would print them
      connection: {
        application_name: options.application_name,
        TimeZone: 'UTC',
        DateStyle: 'ISO',
        // A process that is frozen within a transaction must not hold the others up.
        idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
        statement_timeout: options.statement_timeout_ms,
        // A node that was cut off holds its locks no longer than a minute.
        ...KEEPALIVES,
      },
      types: TYPES as {},
      fetch_types: false, // see types.ts
      prepare,
      ssl: false, // connectionStream sees to TLS
      ...address,
      ...(target.user === undefined ? {} : { user: target.user }),
      ...(target.password === undefined ? {} : { password: target.password }),
      ...(target.database === undefined ? {} : { database: target.database }),
      ...(options.onNotify === undefined ? {} : { onnotify: options.onNotify }),
      socket: () => this.#open(target, address),
    };
    this.#driver = postgres(target.url, settings);
  }

  /** Why it is lost; undefined while it stands. */
  get loss(): Error | undefined {
    return this.#loss;
  }

  /** Has `listener` called once when the connection is lost; at once if it is. */
  set onLost(listener: (loss: Error) => void) {
    this.#onLost = listener;
    if (this.#loss) listener(this.#loss);
  }

  /** How long the server may take for a statement, where it was told otherwise. */
  set limit_ms(limit_ms: number) {
    this.#limit_ms = limit_ms;
  }

  /**
   * Executes a statement. Rejects with its error, or as soon as the connection is lost: that it is
   * as well when the server has not answered though the statement's time is over.
   */
  execute(statement: Statement<unknown>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#loss) return reject(this.#loss);
      this.#waiting.add(reject);
      this.#listen();
      statement.on(this.#driver).then((rows) => {
        this.#answered(reject);
        resolve(rows);
      }, (error: Error & { code?: string }) => {
        this.#answered(reject);
        // A standby, or a primary that has just been demoted.
        if (error.code === NO_PRIMARY) this.destroy(error);
        reject(error);
      });
    });
  }

  #answered(waiting: (loss: Error) => void): void {
    this.#waiting.delete(waiting);
    this.#listen();
  }

  /** Measures the silence of the server, while anything waits for it, from now on. */
  #listen(): void {
    this.#silence?.clear();
    if (this.#waiting.size === 0 || this.#loss) return;
    const limit_ms = this.#limit_ms + SILENCE_MS;
    this.#silence = new TimeLimit(limit_ms, () => this.destroy(
      lost(`the database was silent for ${limit_ms} ms`, 'STATEMENT_TIMEOUT')));
  }

  /** Ends the connection at once; statements that wait on it are rejected with `reason`. */
  destroy(reason: Error): void {
    const socket = this.#socket;
    this.#lose(reason);
    socket?.destroy();
  }

  /** Ends an unused connection, after telling the server. */
  async close(): Promise<void> {
    const socket = this.#socket;
    if (this.#loss || !socket) return this.destroy(lost('the connection was closed'));
    const closed = Promise.withResolvers<void>();
    socket.once('close', () => closed.resolve());
    const timer = setTimeout(() => socket.destroy(), CLOSE_MS);
    this.#lose(lost('the connection was closed'));
    await closed.promise;
    clearTimeout(timer);
  }

  async #open(target: DatabaseTarget, address: Address): Promise<Duplex> {
    // postgres.js asks again when the database closes the connection without a word.
    if (this.#socket) throw lost('the database closed the connection without an answer');
    const socket = await connectionStream(address, target);
    this.#socket = socket;
    if (this.#loss) socket.destroy(this.#loss);
    // These listeners come before those of postgres.js: when it rejects a statement, the connection
    // counts as lost already, and the pool gives it to nobody.
    socket.on('error', (error: Error) => this.#lose(error));
    socket.once('end', () => this.#lose(lost('the database closed the connection')));
    socket.once('close', () => this.#lose(lost('the connection to the database was lost')));
    return socket;
  }

  #lose(reason: Error): void {
    markLost(reason);
    if (this.#loss) return;
    this.#loss = reason;
    this.#silence?.clear();
    this.#onLost?.(reason);
    // postgres.js comes first, because it may know more: the error that the server gave.
    setImmediate(() => {
      for (const reject of this.#waiting) reject(reason);
      this.#waiting.clear();
      void this.#driver.end({ timeout: 0 }).catch(() => {});
    });
  }
}

/**
 * Opens connections: to the first of the target's hosts that answers, and is a primary if the URL
 * asks for one. Begins with the host that answered last.
 */
export class ConnectionOpener {
  readonly #target: DatabaseTarget;
  readonly #options: ConnectionOptions;
  readonly #greeting: Statement<unknown>;
  #first = 0;
  #prepare: boolean;

  constructor(target: DatabaseTarget, options: ConnectionOptions) {
    this.#target = target;
    this.#options = options;
    this.#prepare = target.prepare ?? true;
    const settings = { ...SETTINGS, lock_timeout: String(options.lock_timeout_ms) };
    const set = Object.entries(settings).map(([name, value]) => `
      case when current_setting('${name}', true) is not null
        then set_config('${name}', '${value}', false) end`);
    this.#greeting = new Statement(
      `select pg_backend_pid() as pid,
        current_setting('transaction_read_only') = 'on' as read_only, ${set.join()}`, [],
      () => Promise.reject(new Error('belongs to a connection')));
  }

  /** Rejects, where there are several hosts, with what each of them said (see hostFailures.ts). */
  async open(): Promise<DatabaseConnection> {
    const { addresses, connect_timeout_s = CONNECT_TIMEOUT_S } = this.#target;
    const failures: HostFailure[] = [];
    for (let n = 0; n < addresses.length; n++) {
      const index = (this.#first + n) % addresses.length;
      try {
        const limit_ms = connect_timeout_s * 1_000 / addresses.length;
        const connection = await this.#openAt(addresses[index]!, limit_ms);
        this.#first = index;
        return connection;
      } catch (error) {
        failures.push({ address: addresses[index]!, error: error as Error });
      }
    }
    throw failureOfHosts(failures);
  }

  async #openAt(address: Address, limit_ms: number): Promise<DatabaseConnection> {
    // Of this connection: another one that is opened meanwhile may be the first to find the pooler.
    const prepare = this.#prepare;
    const connection = new DatabaseConnection(this.#target, address, prepare, this.#options);
    const limit = new TimeLimit(limit_ms, () => connection.destroy(
      lost('the database did not answer in time', 'CONNECT_TIMEOUT')));
    try {
      const greeted = await connection.execute(this.#greeting);
      const { state, 0: row } = greeted as postgres.RowList<[{ pid: number; read_only: boolean }]>;
      if (row.read_only && this.#target.primary_only) {
        throw lost('the database takes no writes, and the URL asks for a primary', NO_PRIMARY);
      }
      // A pooler says another process than the one that answers, and may have the next statement
      // answered by a third, which does not know what was prepared, or knows something else by it.
      if (prepare && this.#target.prepare === undefined && state.pid !== row.pid) {
        this.#prepare = false;
        await connection.close();
        return await this.#openAt(address, limit_ms);
      }
      return connection;
    } catch (error) {
      connection.destroy(error as Error);
      throw error;
    } finally {
      limit.clear();
    }
  }
}
