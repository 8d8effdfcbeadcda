/**
 * A lock of a folder, for one process at a time. Each time it is taken it gets the next number, and
 * the highest one counts and stays there, also when it was given back. A single file that is
 * removed would not do: between a look at what a killed process has left and its removal, or its
 * renaming, it may have become somebody else's.
 */
import { randomUUID } from 'node:crypto';
import {
  linkSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const LOOK_MS = 100;
const NUMBERED = /^\.building-(\d{1,15})$/;

/** Waits until no other process has it; one that died leaves it to the next. Answers its end. */
export async function lockFolder(folder: string): Promise<() => void> {
  for (;;) {
    const last = Math.max(0, ...numbersIn(folder));
    const next = last + 1;
    if (!(last > 0 && isHeld(pathOf(folder, last))) && place(pathOf(folder, next))) {
      const others = numbersIn(folder).filter((number) => number !== next);
      if (others.every((number) => number < next)) {
        for (const number of others) rmSync(pathOf(folder, number), { force: true });
        return () => truncateSync(pathOf(folder, next));
      }
      // Others have gone on meanwhile, and removed the one of this number.
      rmSync(pathOf(folder, next), { force: true });
    }
    await delay(LOOK_MS);
  }
}

const pathOf = (folder: string, number: number) => join(folder, `.building-${number}`);

function numbersIn(folder: string): number[] {
  return readdirSync(folder).flatMap((name) => NUMBERED.exec(name)?.[1] ?? []).map(Number);
}

/** Makes the file with what it says, in one step; whether there was none. */
function place(path: string): boolean {
  const own = `${path}-${randomUUID()}`;
  writeFileSync(own, String(process.pid));
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(own, { force: true });
  }
}

/** An empty one was given back. */
function isHeld(path: string): boolean {
  try {
    const pid = readFileSync(path, 'utf8');
    return pid !== '' && process.kill(Number(pid), 0);
  } catch (error) {
    // Otherwise it is another user's, or somebody has gone on meanwhile.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
