import { open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';

const POLL_MS = 20;
const SQLITE_BUSY = 5;

/**
 * Runs `work` while no other process does so for the same file. The lock is the operating system's
 * own (fcntl, through SQLite, the one locking interface that Node carries), so it ends with the
 * process that holds it, kill -9 included. A lock made of a file and a pid was the alternative: to
 * take over a stale one is itself a race. Throws an Error when it takes longer than `timeout_ms`,
 * which says what the other process is `doing`.
 */
export function withFileLock<T>(
  path: string, wait: { timeout_ms: number; doing: string }, work: () => Promise<T>): Promise<T> {
  const before = held.get(path) ?? Promise.resolve();
  const done = before.then(() => withProcessLock(path, wait, work));
  const settled = done.then(() => {}, () => {}).finally(() => {
    if (held.get(path) === settled) held.delete(path);
  });
  held.set(path, settled);
  return done;
}

// Within this process, calls run one after the other. A lock belongs to the whole process: a call
// that creates the file and closes it would give up the lock that another call has taken meanwhile.
const held = new Map<string, Promise<void>>();

async function withProcessLock<T>(
  path: string, { timeout_ms, doing }: { timeout_ms: number; doing: string },
  work: () => Promise<T>): Promise<T> {
  // For its owner alone. Opened only if it is created here: closing a file that is locked would
  // give up the lock of this process.
  await open(path, 'wx', 0o600).then((handle) => handle.close(), (error) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    const deadline_ms = performance.now() + timeout_ms;
    while (!locked(database)) {
      if (performance.now() > deadline_ms) {
        throw new Error(`another process has held ${path} for ${timeout_ms / 1000} s; it is`
          + ` ${doing}. Wait for it, or end it.`);
      }
      await delay(POLL_MS);
    }
    return await work();
  } finally {
    database.close();
  }
}

function locked(database: DatabaseSync): boolean {
  try {
    // With a journal on the disk there is no lock where the disk is full, and what is started could
    // not be stopped any more. Nothing is ever written, so that none is needed.
    database.exec('pragma journal_mode = memory; begin exclusive');
    return true;
  } catch (error) {
    // The lower byte is the primary code; SQLite adds details above it.
    if (((error as { errcode?: number }).errcode ?? 0) % 256 === SQLITE_BUSY) return false;
    throw error;
  }
}
