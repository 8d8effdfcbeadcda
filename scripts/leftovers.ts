import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '../src/log.ts';
import { startEmbedded } from '../src/store/embedded.ts';

/**
 * Stops and removes the databases of runs that were killed: data directories in the system's
 * temporary folder, named after a prefix and the process that made them.
 */
export async function removeLeftovers(prefix: string): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = Number(new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1] ?? NaN);
    if (Number.isNaN(pid) || isAlive(pid)) continue;
    const data_dir = join(tmpdir(), name);
    try {
      await (await startEmbedded({ data_dir, log: createLog('silent') })).stop();
    } catch { /* it never got so far, or belongs to another user */ }
    await rm(data_dir, { recursive: true, force: true }).catch(() => {});
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
