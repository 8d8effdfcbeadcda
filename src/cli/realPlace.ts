import { readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

/** As Linux has it. Links to what is not there may lead back to themselves: `a -> missing/../a`. */
const LINKS_FOLLOWED = 40;

/**
 * Where a file or folder is, or will be: what a symbolic link leads to, on whichever part of the
 * way, need not be there yet. `file` has no `..` behind a link. Throws what the file system does,
 * but for what is not there.
 */
export async function realPlaceOf(file: string, links_left = LINKS_FOLLOWED): Promise<string> {
  const place = resolve(file);
  try {
    return await realpath(place);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    const folder = dirname(place);
    if (folder === place) return place;
    const within = await realPlaceOf(folder, links_left);
    const link = await readlink(place).catch(() => null);
    if (link === null) return join(within, basename(place));
    if (links_left === 0) throw new Error(`too many symbolic links: ${place}`);
    return await realPlaceOf(resolve(within, link), links_left - 1);
  }
}
