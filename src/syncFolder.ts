import { open } from 'node:fs/promises';

/** That a folder cannot be synced, as some shared ones. PostgreSQL passes over it, too. */
const CANNOT = ['EINVAL', 'EBADF', 'ENOTSUP'];

/** Has on disk which files a folder holds, and under which names. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync().catch((error: NodeJS.ErrnoException) => {
    if (!CANNOT.includes(error.code ?? '')) throw error;
  }).finally(() => folder.close());
}
