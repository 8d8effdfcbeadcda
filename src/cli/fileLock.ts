/** Files of a person that several commands may change at once. */
import { mkdir, open, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from './failure.ts';
import { realPlaceOf } from './realPlace.ts';

/** A change takes milliseconds. Who has held the file so long was killed. */
const ABANDONED_MS = 5_000;
const PATIENCE_MS = 4 * ABANDONED_MS;
const LOOK_MS = 20;

/**
 * Has one process at a time read a file and replace it: without that, the later of two would undo
 * what the earlier has written. Throws Failure if the file's folder cannot be written, or another
 * process does not give the file back; and what `change` throws.
 */
export async function alone<T>(file: string, change: () => Promise<T>): Promise<T> {
  const lock = `${file}.lock`;
  await take(lock);
  try {
    return await change();
  } finally {
    await rm(lock, { force: true });
  }
}

async function take(lock: string): Promise<void> {
  const until_ms = performance.now() + PATIENCE_MS;
  const fail = ({ message }: Error) => {
    throw new Failure(`${lock} cannot be written: ${message}.`);
  };
  // A file in the place of the folder is told as EEXIST, too, and nobody holds that.
  await realPlaceOf(dirname(lock)).then((folder) => mkdir(folder, { recursive: true, mode: 0o700 }))
    .catch(fail);
  for (;;) {
    try {
      return await (await open(lock, 'wx', 0o600)).close();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') fail(error as Error);
    }
    const held = await stat(lock).catch(() => null);
    if (held !== null && Date.now() - held.mtimeMs > ABANDONED_MS) await rm(lock, { force: true });
    else if (performance.now() > until_ms) {
      throw new Failure(`Another command holds ${lock}. If none runs, remove it.`);
    } else await delay(LOOK_MS);
  }
}
