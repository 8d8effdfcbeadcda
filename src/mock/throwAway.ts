/**
 * A PostgreSQL for one mock: in a folder of its own below the system's temporary one, quick to
 * make, and gone with the process that made it, however that ends.
 */
import { spawn } from 'node:child_process';
import { lstat, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Log } from '../log.ts';
import { startEmbedded } from '../store/embedded.ts';
import { socketDirOf } from '../store/embedded/location.ts';
import { lives } from '../store/embedded/postmaster.ts';

export interface ThrowAway {
  /** Of the database. */
  url: string;
  data_dir: string;
  /** Stops the database and removes the folder. */
  close(): Promise<void>;
}

export interface ThrowAwayOptions {
  log: Log;
  /** For tests. The folder of PostgreSQL's bin, lib and share. */
  native_dir?: string | undefined;
  /** Called while the database is being made. */
  onWaiting?: () => void;
}

const PREFIX = 'gatehouse-mock-';

/**
 * Waits until its standard input ends, which it does when our process ends, by kill -9 too. Then it
 * ends the database of the folder, if one runs, and removes the folder. An initdb that lost its
 * parent may still be writing there, so it tries for a while. The socket may be elsewhere.
 *
 * Small systems have no `ps`, and some never fetch the end of a process whose parent is gone: such
 * a process has no command line, and whatever one has, it is waited for only so long.
 */
const GUARD = `trap '' INT TERM HUP
cat > /dev/null
home=$(cat "$0/postgres-location" 2> /dev/null || echo "$0")
pid=$(head -n 1 "$home/postgres/postmaster.pid" 2> /dev/null)
serves() {
  if [ -e /proc/self/cmdline ]; then tr '\\0' ' ' < "/proc/$pid/cmdline"
  else ps -ww -o command= -p "$pid"
  fi 2> /dev/null | grep -qF -- "$home/postgres"
}
tries=0
if [ -n "$pid" ] && serves; then
  kill -QUIT "$pid"
  while serves && [ $tries -lt 200 ]; do
    tries=$((tries + 1))
    sleep 0.05
  done
fi
tries=0
while [ -e "$home" ] || [ -e "$0" ] || [ -e "$1" ]; do
  rm -rf "$home" "$0" "$1" 2> /dev/null
  tries=$((tries + 1))
  [ $tries -gt 200 ] && exit 1
  [ -e "$0" ] && sleep 0.05
done
exit 0`;

/** Throws an Error that says what to do where PostgreSQL cannot run; nothing is left then. */
export async function openThrowAway(
  { log, native_dir, onWaiting }: ThrowAwayOptions): Promise<ThrowAway> {
  const data_dir = await mkdtemp(join(await realpath(tmpdir()), `${PREFIX}${process.pid}-`));
  const guard = watchOver(data_dir, 'pipe');
  const remove = async () => {
    const is_there = guard.pid !== undefined && guard.exitCode === null
      && guard.signalCode === null;
    // Where somebody has ended the guard, another one does its work.
    const last = is_there ? guard : watchOver(data_dir, 'ignore');
    last.ref();
    const gone = once(last, 'exit').catch(() => {});
    last.stdin?.end();
    await gone;
    // Where there is no shell.
    for (const path of [data_dir, socketDirOf(data_dir)]) {
      await rm(path, { recursive: true, force: true });
    }
  };
  void removeLeftovers();
  try {
    const database = await startEmbedded(
      { data_dir, log, throw_away: true, native_dir, onWaiting });
    const { url } = database;
    return {
      url, data_dir,
      async close() {
        await database.stop();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

function watchOver(data_dir: string, stdin: 'pipe' | 'ignore') {
  // In a session of its own, so that Ctrl-C in our terminal does not reach it.
  const guard = spawn('/bin/sh', ['-c', GUARD, data_dir, socketDirOf(data_dir)],
    { stdio: [stdin, 'ignore', 'ignore'], detached: true, cwd: '/' });
  guard.once('error', () => {}); // without a shell there is nobody to clean up after a kill -9
  guard.unref();
  return guard;
}

/** Removes what mocks left whose guard was killed with them. */
async function removeLeftovers(): Promise<void> {
  const parent_dir = await realpath(tmpdir()).catch(() => tmpdir());
  for (const name of await readdir(parent_dir).catch(() => [])) {
    const [, pid] = new RegExp(`^${PREFIX}(\\d+)-`).exec(name) ?? [];
    if (pid === undefined || lives(Number(pid))) continue;
    const folder = join(parent_dir, name);
    if (await isOurs(folder)) watchOver(folder, 'ignore');
  }
}

/** Anybody may put a folder there that names what is to be removed: only what we alone write. */
async function isOurs(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined);
  return found !== undefined && found.isDirectory() && found.uid === process.getuid?.()
    && (found.mode & 0o022) === 0;
}
