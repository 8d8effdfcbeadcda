import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject, parseJson } from '../json.ts';

const FILE = 'credentials.json';

/**
 * Writes credentials.json, the command-line client's profile, readable by its owner alone. It is on
 * disk when this resolves: where the database keeps hashes alone, nobody else knows what it holds.
 */
export async function writeProfile(data_dir: string, profile: object): Promise<void> {
  const path = join(data_dir, FILE);
  await mkdir(data_dir, { recursive: true, mode: 0o700 });
  // Beside, and renamed: whoever reads it finds one or the other as a whole. Several services may.
  const new_path = `${path}.${process.pid}.new`;
  const beside = await open(new_path, 'w', 0o600);
  try {
    await beside.writeFile(`${JSON.stringify(profile, null, 2)}\n`);
    await beside.sync();
  } finally {
    await beside.close();
  }
  await rename(new_path, path);
  const folder = await open(data_dir, 'r');
  await folder.sync().catch((error: NodeJS.ErrnoException) => {
    // Some shared folders cannot do that, and PostgreSQL passes over it, too.
    if (!['EINVAL', 'EBADF', 'ENOTSUP'].includes(error.code ?? '')) throw error;
  }).finally(() => folder.close());
}

/**
 * Renews the address in the kept profile, if `leads`: of a service that is started beside a living
 * one in the same data directory the file says nothing. Answers the file; null if it is not there,
 * or holds no profile.
 */
export async function renewProfile(
  data_dir: string, base_url: string, leads: boolean): Promise<string | null> {
  const path = join(data_dir, FILE);
  const kept = parseJson(await readFile(path, 'utf8').catch(() => ''));
  if (!isObject(kept)) return null;
  if (leads && kept.base_url !== base_url) await writeProfile(data_dir, { ...kept, base_url });
  return path;
}
