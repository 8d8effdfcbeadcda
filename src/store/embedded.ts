import { stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { connect, isLocked, isUnavailable, type Sql } from './database.ts';
import { usableBinaries } from './embedded/binaries.ts';
import { createCluster, databaseOf, USER } from './embedded/cluster.ts';
import { withFileLock } from './embedded/fileLock.ts';
import {
  ensureDataDir, ensureSocketDir, findCluster, locate, lockPath, PORT, SHARED_DIR, type Location,
} from './embedded/location.ts';
import {
  isServing, lives, POLL_MS, runningPostmaster, startPostmaster, stopPostmaster, whyNotStarted,
  type Postmaster, type StartedServer,
} from './embedded/postmaster.ts';
import { EMBEDDED_LEADER_LOCK, EMBEDDED_USERS_LOCK } from './locks.ts';
import { only } from './rows.ts';

export interface EmbeddedDatabase {
  /** postgres://gatehouse@localhost/gatehouse?host=/socket/dir, for postgres.js and for psql. */
  url: string;
  /**
   * Whether this process leads those of the data directory, as the first of those that have asked
   * and live: it does until it ends, also by a kill.
   */
  leads(): Promise<boolean>;
  /** Stops the server if no other gatehouse process uses it. May be called twice. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  data_dir: string;
  log: Log;
  /** Called with a few words about each step that takes longer than a moment. */
  onProgress?(message: string): void;
  /** It is for this process alone and is removed with it: quick to make, and never durable. */
  throw_away?: boolean;
  /** Called while the cluster is being made: a good time for other work of this process. */
  onWaiting?: (() => void) | undefined;
  /** Called before a database is made: what it throws keeps it from being made. */
  beforeMaking?: (() => Promise<void>) | undefined;
  /** For tests. The place for files that the database's user cannot reach in the data directory. */
  shared_dir?: string;
  /** For tests. The folder of PostgreSQL's bin, lib and share. */
  native_dir?: string;
}

const START_TIMEOUT_MS = 30_000;
const LOCK_WAIT = { timeout_ms: 90_000, doing: 'starting or stopping the embedded database' };
const RECOVERY_PAUSE_MS = 2_000;
// The server's words when another start was quicker, or backends of a killed one still live.
const WORTH_RETRYING = /lock file "[^"]*" already exists|pre-existing shared memory block/;

/**
 * Starts the PostgreSQL that comes with the package, or adopts the one that already serves the
 * data directory. Several processes may do so at once and end up with one server: each holds a
 * shared advisory lock on a connection of its own, and the one whose stop() can take it
 * exclusively, the last, shuts the server down. (Counting connections was the alternative: pools
 * and a psql left open would count too.) If the starter is killed, the server lives on, and the
 * next process adopts it. If the server dies, it is started again while this process lives.
 *
 * Throws an Error that says what to do when PostgreSQL cannot run here.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const data_dir = await ensureDataDir(options.data_dir);
  const server = new EmbeddedServer({ ...options, data_dir });
  return await server.start();
}

/** The state of an embedded database; with a `url` while it serves. */
export type EmbeddedState =
  { state: 'absent' | 'stopped' | 'starting' } | { state: 'running'; url: string };

/** Looks whether the database of a data directory runs; starts, makes and holds nothing. */
export async function embeddedState(data_dir: string): Promise<EmbeddedState> {
  const cluster_dir = await findCluster(data_dir);
  if (cluster_dir === null) return { state: 'absent' };
  const running = await runningPostmaster(cluster_dir);
  if (running === null) return { state: 'stopped' };
  return running.ready ? { state: 'running', url: urlOf(running) } : { state: 'starting' };
}

/** The name of a process's connection to the server tells others which process it is. */
const KEEPER = 'gatehouse embedded, process ';

class EmbeddedServer {
  readonly #options: EmbeddedOptions;
  readonly #lock_path: string;
  #place: Location | undefined;
  #postmaster: Postmaster | undefined;
  #keeper: Sql | undefined;
  #url = '';
  #stopping: Promise<void> | undefined;
  #recovery: Promise<void> | undefined;
  /** Whether the keeper holds the lock; if its connection closes then, the server may be gone. */
  #standing = false;
  #is_leader = false;

  constructor(options: EmbeddedOptions) {
    this.#options = options;
    this.#lock_path = lockPath(options.data_dir);
  }

  async start(): Promise<EmbeddedDatabase> {
    try {
      await this.#locked(() => this.#bringUp());
      return {
        url: this.#url, leads: () => this.#lead(), stop: () => this.#stopping ??= this.#stop(),
      };
    } catch (error) {
      await this.#keeper?.end({ timeout_ms: 0 });
      throw error;
    }
  }

  #locked<T>(work: () => Promise<T>): Promise<T> {
    return withFileLock(this.#lock_path, LOCK_WAIT, work);
  }

  /** Finds, creates, starts or adopts, and takes the lock. The caller holds the file lock. */
  async #bringUp(): Promise<void> {
    const { data_dir, onProgress = () => {}, log } = this.#options;
    const place = await locate(data_dir, this.#options.shared_dir ?? SHARED_DIR);
    if (place.empty && this.#place !== undefined) {
      throw new Error(`${this.#place.cluster_dir}, the database, is gone. Stop gatehouse, bring it`
        + ' back from a backup, and start again.');
    }
    this.#place = place;
    let native_dir: string | undefined;
    const binaries = async () => native_dir ??= await usableBinaries({
      account: place.account, copies_dir: place.copies_dir, onProgress,
      native_dir: this.#options.native_dir,
    });
    if (place.empty) {
      await this.#options.beforeMaking?.();
      // Who makes copies of the folder has to know that it is not there.
      onProgress(place.home_dir === data_dir ? 'creating the database'
        : `creating the database in ${place.home_dir}, as its user cannot reach that folder`);
      await createCluster(await binaries(), data_dir, place, this.#options);
    }
    const socket_dir = await ensureSocketDir(place);
    const started_ms = performance.now();
    let started: StartedServer | undefined;
    let starts = 0;
    for (;;) {
      const running = await runningPostmaster(place.cluster_dir);
      if (running?.ready && await this.#hold(running)) {
        // Adopted: its former owner was killed, or another process uses it.
        log.info({
          pid: running.pid, adopted: starts === 0, first_start: place.empty,
          took_ms: Math.round(performance.now() - started_ms),
        }, 'embedded database is up');
        return;
      }
      if (running === null && (started === undefined || started.exited())) {
        if (started && !WORTH_RETRYING.test(await started.output())) await this.#fail('stopped');
        started = await startPostmaster(await binaries(), place, socket_dir);
        starts++;
      }
      if (performance.now() - started_ms > START_TIMEOUT_MS) await this.#fail('did not get ready');
      await delay(POLL_MS);
    }
  }

  async #fail(what: string): Promise<never> {
    throw new Error(`the embedded database ${what} while starting. ${
      await whyNotStarted(this.#place!.cluster_dir)}`);
  }

  /** Takes the shared lock; answers false while the server refuses connections. */
  async #hold(running: Postmaster): Promise<boolean> {
    const url = urlOf(running, this.#options.throw_away);
    if (this.#url !== url) {
      await this.#keeper?.end({ timeout_ms: 0 });
      this.#url = url;
      this.#keeper = connect(url, { max: 1, application_name: `${KEEPER}${process.pid}` });
      this.#keeper.onClose(() => this.#lost());
    }
    try {
      const { fsync } = await only(this.#keeper!<{ fsync: string }[]>`
        select current_setting('fsync') as fsync, pg_advisory_lock_shared(${EMBEDDED_USERS_LOCK})`);
      if (fsync !== 'on' && !this.#options.throw_away) await this.#refuseFsync(running);
      this.#postmaster = running;
      this.#standing = true;
      if (this.#is_leader) {
        // The lock went with the connection. Whoever has taken it since leads now.
        this.#is_leader = false;
        await this.#lead();
      }
      return true;
    } catch (error) {
      if (isUnavailable(error)) return false;
      throw error;
    }
  }

  async #lead(): Promise<boolean> {
    if (this.#is_leader) return true;
    try {
      // It waits a moment: that of a process that has just ended goes with its connection.
      await this.#keeper!`select pg_advisory_lock(${EMBEDDED_LEADER_LOCK})`;
      this.#is_leader = true;
    } catch (error) {
      if (!isLocked(error)) throw error;
    }
    return this.#is_leader;
  }

  async #refuseFsync(running: Postmaster): Promise<never> {
    if (await this.#isAlone()) await stopPostmaster(running);
    throw new Error(`the database in ${this.#place!.cluster_dir} has fsync=off: a crash of the`
      + ' machine would lose or corrupt what was acknowledged. Remove that line from its'
      + ' postgresql.conf and postgresql.auto.conf, and start again.');
  }

  async #isAlone(): Promise<boolean> {
    const keeper = this.#keeper!;
    await keeper`select pg_advisory_unlock_shared(${EMBEDDED_USERS_LOCK})`;
    const { alone, others } = await only(keeper<{ alone: boolean; others: string[] }[]>`
      select pg_try_advisory_lock(${EMBEDDED_USERS_LOCK}) as alone, array(
        select a.application_name from pg_locks l join pg_stat_activity a on a.pid = l.pid
        where l.locktype = 'advisory' and l.granted and l.pid <> pg_backend_pid()
          and (l.classid::bigint << 32) | l.objid::bigint = ${EMBEDDED_USERS_LOCK}) as others`);
    if (alone) return true;
    if (others.some((name) => lives(Number(name.slice(KEEPER.length))))) return false;
    try {
      // The others were killed, which the server may notice a moment later.
      await keeper`select pg_advisory_lock(${EMBEDDED_USERS_LOCK})`;
      return true;
    } catch (error) {
      if (!isLocked(error)) throw error;
      return false;
    }
  }

  /** Takes the lock again after the keeper's connection was lost, on a new server if need be. */
  #lost(): void {
    if (!this.#standing || this.#stopping) return;
    this.#standing = false;
    this.#options.log.warn('lost the connection to the embedded database');
    this.#recovery ??= this.#recover().finally(() => { this.#recovery = undefined; });
  }

  async #recover(): Promise<void> {
    while (!this.#stopping && !this.#standing) {
      try {
        // If the data directory is gone, nothing can be brought back, and nothing must be created.
        await stat(this.#lock_path);
        await this.#locked(async () => this.#stopping ? undefined : await this.#bringUp());
      } catch (error) {
        this.#options.log.error({ err: error }, 'the embedded database cannot be brought back');
        await delay(RECOVERY_PAUSE_MS);
      }
    }
  }

  async #stop(): Promise<void> {
    await this.#recovery;
    const directory_is_there = await stat(this.#lock_path).then(() => true, () => false);
    if (directory_is_there) await this.#locked(() => this.#stopIfAlone());
    else await this.#stopIfAlone();
  }

  async #stopIfAlone(): Promise<void> {
    const { log } = this.#options;
    const alone = await this.#isAloneAtLast();
    await this.#keeper!.end({ timeout_ms: 1_000 });
    if (alone) {
      await stopPostmaster(this.#postmaster!);
      log.info('embedded database has stopped');
    } else log.info('another process uses the embedded database; it stays');
  }

  /** Asks until the server answers, which may be recovering from a crash. True if it has ended. */
  async #isAloneAtLast(): Promise<boolean> {
    const deadline_ms = performance.now() + START_TIMEOUT_MS;
    for (;;) {
      try {
        return await this.#isAlone();
      } catch (error) {
        if (!await isServing(this.#postmaster!)) return true;
        if (!isUnavailable(error) || performance.now() > deadline_ms) {
          this.#options.log.warn({ err: error }, 'cannot ask the embedded database who uses it');
          return false;
        }
        await delay(POLL_MS);
      }
    }
  }
}

function urlOf({ socket_dir, port }: Postmaster, throw_away = false): string {
  const host = encodeURIComponent(socket_dir).replaceAll('%2F', '/');
  const address = `${USER}@localhost${port === PORT ? '' : `:${port}`}`;
  return `postgres://${address}/${databaseOf(throw_away)}?host=${host}`;
}
