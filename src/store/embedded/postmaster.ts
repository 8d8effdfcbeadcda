import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { open, readFile, rename, rm, stat, statfs } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { spawnAs } from './account.ts';
import { PORT, type Location } from './location.ts';

export const POLL_MS = 20;
const LOG_LIMIT_BYTES = 10 * 1024 * 1024;
const LOG_TAIL_LINES = 10;
/** The files that PostgreSQL writes ahead are as long. */
const WRITTEN_AHEAD_MIB = 16;
const FAST_SHUTDOWN_MS = 30_000;
const IMMEDIATE_SHUTDOWN_MS = 10_000;
// Above every pid that a system gives out.
const NO_PID = 2_147_483_646;

/** A running server, as its postmaster.pid describes it. */
export interface Postmaster {
  pid: number;
  /** The data directory under the name it was started with. */
  directory: string;
  socket_dir: string;
  port: number;
  ready: boolean;
}

/**
 * The server of this cluster, or null. A postmaster.pid whose process has ended, or is another
 * program that was given the same number since, describes no server.
 */
export async function runningPostmaster(cluster_dir: string): Promise<Postmaster | null> {
  const text = await readFile(join(cluster_dir, 'postmaster.pid'), 'utf8').catch(() => '');
  const [pid, directory, , port, socket_dir, , , status] = text.split('\n');
  const found = {
    pid: Number(pid), directory: directory ?? '', port: Number(port), socket_dir: socket_dir ?? '',
    ready: status?.trim() === 'ready',
  };
  if (!(found.pid > 1) || !await isServing(found)) return null;
  const [theirs, ours] = await Promise.all(
    [stat(found.directory).catch(() => null), stat(cluster_dir)]);
  if (theirs === null) {
    throw new Error(`PostgreSQL (process ${found.pid}) still serves this database under its former`
      + ` path ${found.directory}. Stop it first: kill -INT ${found.pid}`);
  }
  // If the server serves another folder, this one is a copy that was made while the server ran.
  return theirs.ino === ours.ino && theirs.dev === ours.dev ? found : null;
}

/** Whether the process lives and is a postmaster of that directory. False for a zombie. */
export async function isServing(postmaster: Pick<Postmaster, 'pid' | 'directory'>) {
  const args = await commandLine(postmaster.pid);
  return /^postgres\b/.test(basename(args[0] ?? '')) && args.includes(postmaster.directory);
}

async function commandLine(pid: number): Promise<string[]> {
  try {
    if (process.platform === 'linux') {
      return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0');
    }
    const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', `${pid}`]);
    // One line, in which a path may hold spaces: the arguments are told apart by our own options.
    return stdout.trim().split(/ -D | -p \d+ /);
  } catch {
    return [];
  }
}

/** Whether a process of this machine lives, whoever it belongs to. */
export function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** A server that we started: `exited` is set once it has ended. */
export interface StartedServer {
  exited(): boolean;
  /** The text that it has written to its log since. */
  output(): Promise<string>;
}

/**
 * Starts the server in a session of its own, so that Ctrl-C in our terminal does not reach it, and
 * does not wait for it. The caller holds the lock and has seen that no server runs.
 */
export async function startPostmaster(
  native_dir: string, place: Location, socket_dir: string): Promise<StartedServer> {
  const { cluster_dir, account } = place;
  await forgetForeignPid(cluster_dir);
  // No server of this cluster runs, and the folder is this cluster's own.
  await rm(join(socket_dir, `.s.PGSQL.${PORT}.lock`), { force: true });
  const log_path = join(cluster_dir, 'server.log');
  const { handle, size } = await openLog(log_path, place);
  let exited = false;
  try {
    const child = spawnAs(account, join(native_dir, 'bin', 'postgres'), [
      '-D', cluster_dir, '-p', `${PORT}`,
      '-c', 'listen_addresses=',
      '-c', `unix_socket_directories="${socket_dir.replaceAll('"', '""')}"`,
      '-c', 'unix_socket_permissions=0700',
      '-c', 'logging_collector=off',
    ], { stdio: ['ignore', handle.fd, handle.fd] });
    child.once('exit', () => { exited = true; });
    await once(child, 'spawn');
    child.unref();
  } finally {
    await handle.close();
  }
  return {
    exited: () => exited,
    output: async () => (await readFile(log_path)).subarray(size).toString(),
  };
}

/** What is known of a server that did not start, and what to do about it. */
export async function whyNotStarted(
  cluster_dir: string,
  spaceOf: (folder: string) => Promise<{ bavail: number; bsize: number }> = statfs,
): Promise<string> {
  const free_mib = await spaceOf(cluster_dir)
    .then(({ bavail, bsize }) => Math.floor(bavail * bsize / 2 ** 20), () => Infinity);
  const text = await readFile(join(cluster_dir, 'server.log'), 'utf8').catch(() => '');
  // The log is on that disk, too, and then does not say it.
  return (free_mib >= WRITTEN_AHEAD_MIB ? '' : `${free_mib} MiB are free on the disk of`
    + ` ${cluster_dir}, and it needs ${WRITTEN_AHEAD_MIB} to start: make room there. `)
    + `The end of ${cluster_dir}/server.log:\n`
    + `${text.trimEnd().split('\n').slice(-LOG_TAIL_LINES).join('\n')}\n`
    + 'Mend what it says, or set DATABASE_URL to another PostgreSQL.';
}

/** Fast shutdown: ends transactions and connections, writes a checkpoint. Waits for the end. */
export async function stopPostmaster(postmaster: Postmaster): Promise<void> {
  for (const [signal, wait_ms] of [
    ['SIGINT', FAST_SHUTDOWN_MS],
    // A disk that hangs, mostly. The next start recovers from the log that was written ahead.
    ['SIGQUIT', IMMEDIATE_SHUTDOWN_MS],
  ] as const) {
    const deadline_ms = performance.now() + wait_ms;
    if (!await isServing(postmaster)) return;
    try {
      process.kill(postmaster.pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
    while (performance.now() < deadline_ms) {
      if (!await isServing(postmaster)) return;
      await delay(POLL_MS);
    }
  }
  throw new Error(`the embedded database (process ${postmaster.pid}) does not stop.`);
}

/**
 * PostgreSQL refuses to start while the process named in postmaster.pid lives, whatever program it
 * is. The number is made invalid and the file kept: the server also reads there whether backends of
 * its predecessor still use the shared memory.
 */
async function forgetForeignPid(cluster_dir: string): Promise<void> {
  const path = join(cluster_dir, 'postmaster.pid');
  // As of the log: root must not write through a link of the database's user.
  const file = await open(path, constants.O_RDWR | constants.O_NOFOLLOW).catch(() => null);
  if (file === null) return;
  try {
    const text = await file.readFile('utf8');
    await file.truncate();
    await file.write(text.replace(/^-?\d+/, `${NO_PID}`), 0);
  } finally {
    await file.close();
  }
}

async function openLog(path: string, { account }: Location) {
  const size = (await stat(path).catch(() => null))?.size ?? 0;
  if (size > LOG_LIMIT_BYTES) await rename(path, `${path}.1`);
  // The folder is the database user's: root must not follow a link that was put there.
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;
  const handle = await open(path, flags, 0o600);
  if (account.other) await handle.chown(account.uid, account.gid);
  return { handle, size: (await handle.stat()).size };
}
