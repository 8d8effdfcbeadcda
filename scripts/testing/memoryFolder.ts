import { readFile, statfs } from 'node:fs/promises';
import { MEMORY_FOLDER } from '../leftovers.ts';

/** For the databases of the tests and their logs: seen were 1.5. */
const NEEDED_BYTES = 4 * 2 ** 30;

/**
 * A folder in memory for what tests write, where Linux has one with room; else null. A test begins
 * with a database of its own, 300 small files, which took 500 ms to make and to remove on a disk,
 * and takes 40 in memory: a fifth of the whole run. Containers have 64 MB there, and some may not
 * execute what lies there.
 */
export async function memoryFolder(): Promise<string | null> {
  const mounts = await readFile('/proc/mounts', 'utf8').catch(() => '');
  const [, options = ''] = /^\S+ \/dev\/shm tmpfs (\S+)/m.exec(mounts) ?? [];
  if (options === '' || options.split(',').some((one) => one === 'noexec' || one === 'ro')) {
    return null;
  }
  const { bavail, bsize } = await statfs(MEMORY_FOLDER);
  return Math.min(bavail * bsize, process.availableMemory()) >= NEEDED_BYTES
    ? MEMORY_FOLDER : null;
}
