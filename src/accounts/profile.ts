/** credentials.json, the command line's profile of the service of a data directory. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { isObject, parseJson, textOf, type JsonObject } from '../json.ts';
import type { Log } from '../log.ts';
import { findAdminToken } from '../store/adminTokens.ts';
import { findApiKey } from '../store/apiKeys.ts';
import type { Sql } from '../store/database.ts';
import { syncFolder } from '../syncFolder.ts';
import { hashToken } from './token.ts';

const FILE = 'credentials.json';

/**
 * Writes credentials.json, the command-line client's profile, readable by its owner alone. It is on
 * disk when this resolves: where the database keeps hashes alone, nobody else knows what it holds.
 */
async function writeProfile(data_dir: string, profile: object): Promise<void> {
  const path = join(data_dir, FILE);
  await mkdir(data_dir, { recursive: true, mode: 0o700 });
  // Beside, and renamed: whoever reads it finds one or the other as a whole. Several services may.
  const new_path = `${path}.${process.pid}.new`;
  await writeFile(new_path, `${JSON.stringify(profile, null, 2)}\n`, { mode: 0o600, flush: true });
  await rename(new_path, path);
  await syncFolder(data_dir);
}

/**
 * Throws an Error, which says how to go on, if a folder without a database holds a profile. It is
 * of a service that has its database elsewhere, as a rule, and DATABASE_URL was forgotten: a new,
 * empty service in its place would take the only copy of the keys, of which that database has the
 * hashes alone. (The alternative, to move the file aside and to go on, would leave a service that
 * nobody wanted, and commands that speak to it.)
 */
export async function requireNoProfile(data_dir: string): Promise<void> {
  const path = join(data_dir, FILE);
  if (await textIn(path) === '') return;
  throw new Error(`${path} holds the credentials of a service, and there is no embedded database in`
    + ' that folder: they are of a database elsewhere, or of one that is gone. None was made.\n'
    + 'If that is a PostgreSQL of your own, set DATABASE_URL. If it was an embedded one that is'
    + ` gone for good, or to begin with a new one, move ${path} away and start again, or give`
    + ' another folder as GATEHOUSE_DATA_DIR.');
}

/**
 * Keeps the first profile of a database. What the file held until then stays, under another name:
 * it is of another database, or of a start that was ended before its credentials counted.
 */
export async function keepFirstProfile(
  { config: { data_dir }, log }: { config: Pick<Config, 'data_dir'>; log: Log },
  profile: object): Promise<void> {
  const path = join(data_dir, FILE);
  if (await textIn(path) !== '') {
    const file = join(data_dir, `credentials.before-${Date.now()}.json`);
    await rename(path, file);
    log.warn(`${path} held credentials of another database, or of a start that was cut short. They`
      + ` are kept in ${file}; the first ones of this database take their place.`);
  }
  await writeProfile(data_dir, profile);
}

export interface KeptProfileFile {
  file: string;
  data_dir: string;
  content: JsonObject;
}

/**
 * The profile of a data directory, if the database knows its api key or its admin token; null if
 * there is none, or it is of another service.
 */
export async function profileOf(
  sql: Sql, { data_dir, admin_token }: Pick<Config, 'data_dir' | 'admin_token'>,
): Promise<KeptProfileFile | null> {
  const file = join(data_dir, FILE);
  const content = parseJson(await textIn(file).catch(() => ''));
  if (!isObject(content)) return null;
  const [key, token] = [textOf(content.api_key), textOf(content.admin_token)];
  const is_own = (token !== undefined && token === admin_token)
    || (key !== undefined && await findApiKey(sql, hashToken(key)) !== undefined)
    || (token !== undefined && await findAdminToken(sql, hashToken(token)) !== undefined);
  return is_own ? { file, data_dir, content } : null;
}

export async function renewProfile(
  { data_dir, content }: KeptProfileFile, base_url: string): Promise<void> {
  if (content.base_url !== base_url) await writeProfile(data_dir, { ...content, base_url });
}

/** Empty if the file is not there. */
async function textIn(file: string): Promise<string> {
  return await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
}
