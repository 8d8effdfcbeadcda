import { execFile } from 'node:child_process';
import { readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findCluster } from '../src/store/embedded/location.ts';
import { lives } from '../src/store/embedded/postmaster.ts';

const execute = promisify(execFile);
const POLL_MS = 50;
/** A server that is asked to end at once gets so long until it is killed. */
const QUIT_LIMIT_MS = 10_000;

/** Folders of tests begin so: whoever finds one later can tell whose it was. */
export const TEST_PREFIX = 'gatehouse-test-';

/** The beginning of the name of a folder of this process, in the system's temporary folder. */
export function ownFolder(what: string, prefix = TEST_PREFIX): string {
  return join(tmpdir(), `${prefix}${process.pid}-${what}`);
}

/** Where Linux keeps files in memory; tests write there where there is room. */
export const MEMORY_FOLDER = '/dev/shm';

/**
 * Ends the databases of runs that were killed, and removes their folders: those in the system's
 * temporary folder, or in memory, that are named after a prefix and the process that made them.
 */
export async function removeLeftovers(prefix: string): Promise<void> {
  for (const folder of await foldersIn(new Set([tmpdir(), MEMORY_FOLDER]))) {
    const pid = Number(new RegExp(`^${prefix}(\\d+)-`).exec(basename(folder))?.[1] ?? NaN);
    if (Number.isNaN(pid) || await isAlive(pid)) continue;
    await endServersIn(folder).catch(() => {});
    await unmount(folder);
    await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}

async function foldersIn(places: Iterable<string>): Promise<string[]> {
  const found = await Promise.all([...places].map(async (place) =>
    (await readdir(place).catch(() => [])).map((name) => join(place, name))));
  return found.flat();
}

/**
 * Ends every PostgreSQL whose data is in this folder, whoever has started it and whoever uses it:
 * the caller has made the folder, and removes it afterwards. The list of processes is asked and not
 * postmaster.pid, which a server that has just begun to start has not written yet.
 */
export async function endServersIn(folder: string): Promise<void> {
  const begun_ms = performance.now();
  const asked = new Set<number>();
  for (;;) {
    const pids = await serversIn(folder);
    if (pids.length === 0) return;
    const waited_ms = performance.now() - begun_ms;
    if (waited_ms > 2 * QUIT_LIMIT_MS) throw new Error(`PostgreSQL ${pids.join()} does not end`);
    for (const pid of pids) {
      // SIGQUIT: it ends at once, without a checkpoint of data that nobody needs any more.
      if (waited_ms > QUIT_LIMIT_MS) kill(pid, 'SIGKILL');
      else if (!asked.has(pid)) kill(pid, 'SIGQUIT');
      asked.add(pid);
    }
    await delay(POLL_MS);
  }
}

/** The processes whose arguments say that they serve a directory in this folder. */
async function serversIn(folder: string): Promise<number[]> {
  const real = await realpath(folder).catch(() => null);
  if (real === null) return [];
  // Root's may be elsewhere, where the database's user can get.
  const elsewhere = await findCluster(real);
  const isHere = (directory: string) =>
    directory.startsWith(`${real}/`) || directory === elsewhere;
  return (await commandLines()).filter(({ command }) => {
    const [, directory] = /^.*?\/postgres -D (.+?) -p \d+ /.exec(command) ?? [];
    return directory !== undefined && isHere(directory);
  }).map(({ pid }) => pid);
}

/** Every process, with its arguments. Linux tells them without `ps`, which not every image has. */
async function commandLines(): Promise<{ pid: number; command: string }[]> {
  if (process.platform !== 'linux') {
    const { stdout } = await execute('ps', ['-axww', '-o', 'pid=,args='],
      { maxBuffer: 16 * 1024 * 1024 });
    return stdout.split('\n').map((line) =>
      ({ pid: Number.parseInt(line, 10), command: line.replace(/^ *\d+ /, '') }));
  }
  const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger);
  return await Promise.all(pids.map(async (pid) => ({ pid,
    command: (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''))
      .replaceAll('\0', ' ') })));
}

/** Lazily: whatever still has a file open there must not keep it. */
async function unmount(folder: string): Promise<void> {
  const mounts = await readFile('/proc/self/mounts', 'utf8').catch(() => '');
  if (mounts.includes(` ${folder} `)) await execute('umount', ['-l', folder]).catch(() => {});
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch { /* it has ended, or belongs to another user */ }
}

/** One that has ended, and that nobody has asked how, is dead. */
async function isAlive(pid: number): Promise<boolean> {
  return lives(pid)
    && !/^State:\s+Z/m.test(await readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''));
}
