import { open } from 'node:fs/promises';

/** Has on disk which files a folder holds, and under which names. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}
