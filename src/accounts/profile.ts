import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FirstCredentials } from './accounts.ts';

/** The command-line client's profile, as credentials.json holds it. */
export interface FirstProfile extends FirstCredentials {
  base_url: string;
}

/**
 * Keeps the first credentials for the command line, or renews the address in the kept ones, if this
 * process `leads` those of the data directory: of one that is started beside a living one the file
 * says nothing. It is written beside and renamed, readable by its owner alone.
 */
export async function keepProfile(
  data_dir: string, base_url: string, made: FirstProfile | null, leads: () => Promise<boolean>,
): Promise<string> {
  const file = join(data_dir, 'credentials.json');
  if (!await leads() && made === null) return file;
  const kept: FirstProfile | null =
    made ?? await readFile(file, 'utf8').then(JSON.parse, () => null);
  if (kept && (made || kept.base_url !== base_url)) {
    await mkdir(data_dir, { recursive: true, mode: 0o700 });
    const text = `${JSON.stringify({ ...kept, base_url }, null, 2)}\n`;
    await writeFile(`${file}.new`, text, { mode: 0o600 });
    await rename(`${file}.new`, file);
  }
  return file;
}
