import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

/**
 * Where a file or folder is, or will be: what a symbolic link leads to, on whichever part of the
 * way, need not be there yet. Throws what the file system does, but for what is not there.
 */
export async function realPlaceOf(file: string): Promise<string> {
  const place = resolve(file);
  try {
    return await realpath(place);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    const folder = dirname(place);
    if (folder === place) return place;
    const within = await realPlaceOf(folder);
    const link = await readlink(place).catch(() => null);
    return link === null ? join(within, basename(place)) : await realPlaceOf(resolve(within, link));
  }
}
