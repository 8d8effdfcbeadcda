/** The operator's master keys: where they come from, and whether they are those of the database. */
import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import type { Log } from '../../log.ts';
import type { Sql } from '../../store/database.ts';
import { sampleWorkspaceKeys, type WorkspaceKeyRow } from '../../store/workspaceKeys.ts';
import { syncFolder } from '../../syncFolder.ts';
import { KEY_BYTES } from './cipher.ts';
import { DataKeyUnavailable, HOW_TO_MAKE_ONE, unwrap, type MasterKeys } from './dataKeys.ts';

type KeySettings =
  Pick<Config, 'master_keys' | 'master_keys_file' | 'data_dir' | 'database_url'>;

const VARIABLE = 'GATEHOUSE_MASTER_KEYS';
const FILE_NAME = 'master.key';
/** Where it is not known whether anything is sealed with what the entry was. */
const HOW_TO_MEND = 'Restore it from its copy: secrets that are sealed with it are lost without it.'
  + ` If nothing is stored yet: ${HOW_TO_MAKE_ONE.replace(/^M/, 'm')}`;
const ID = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * The master keys, checked against the database. If none are configured and the database is the
 * embedded one, they are those of `master.key` in the data directory; the file is made if nothing
 * is sealed yet. `created_file` is the file that this start has made, else null: a person is told
 * of it. Throws an Error that says what to do if the keys are malformed, missing, or not those that
 * sealed the secrets of the database.
 */
export async function openMasterKeys(
  { config, sql, log }: { config: KeySettings; sql: Sql; log: Log },
): Promise<{ keys: MasterKeys; created_file: string | null }> {
  const samples = await sampleWorkspaceKeys(sql);
  let { keys, source } = await findMasterKeys(config, samples.length === 0 ? HOW_TO_MEND
    : `Restore it from its copy: the database holds secrets that are sealed with the master key`
      + ` ${names(samples)}, and without it they are lost.`);
  let created_file: string | null = null;
  if (keys.length === 0 && config.database_url === null) {
    if (await makeFile(source, config.data_dir, samples)) created_file = source;
    keys = parseMasterKeys(await readFile(source, 'utf8'), source);
  }
  checkMasterKeys(keys, source, samples);
  if (created_file !== null) {
    log.warn({ file: created_file }, 'a master key was made: keep a copy of this file apart'
      + ' from the database; without it the stored secrets of integrations are lost');
  }
  return { keys, created_file };
}

/** The configured master keys, whether or not they fit the database. */
export interface ConfiguredKeys {
  keys: MasterKeys;
  /** The variable, or the file. */
  source: string;
  /** The file that holds them; null if it is none. */
  file: string | null;
}

/**
 * The configured master keys, or none; makes no file, and looks at no database. Throws an Error
 * that says what to do, in the words of `mend`, if they are malformed.
 */
export async function findMasterKeys(
  config: KeySettings, mend = HOW_TO_MEND): Promise<ConfiguredKeys> {
  const { master_keys, master_keys_file: file, data_dir, database_url } = config;
  if (master_keys !== null && file !== null) {
    throw new Error(`Both ${VARIABLE} and ${VARIABLE}_FILE are set. Set one.`);
  }
  if (master_keys !== null) {
    return { keys: parseMasterKeys(master_keys, VARIABLE, mend), source: VARIABLE, file: null };
  }
  if (file === null && database_url !== null) return { keys: [], source: VARIABLE, file: null };
  const path = file ?? join(data_dir, FILE_NAME);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (file !== null) throw new Error(`${VARIABLE}_FILE cannot be read: ${error.message}`);
    if (error.code !== 'ENOENT') throw error;
    return null;
  });
  return text === null ? { keys: [], source: path, file: null }
    : { keys: parseMasterKeys(text, path, mend), source: path, file: path };
}

/** Tells keys apart, by their names, and gives none away: they are 32 random bytes. */
export function fingerprints(keys: MasterKeys): Record<string, string> {
  return Object.fromEntries(keys.map(({ id, key }) =>
    [id, createHmac('sha256', key).update('gatehouse master key').digest('hex').slice(0, 32)]));
}

/**
 * Reads `id:base64` entries, separated by commas or line breaks; a line that begins with # is a
 * comment. Throws an Error that says which entry is wrong, never what it holds, and `mend`.
 */
export function parseMasterKeys(text: string, source: string, mend = HOW_TO_MEND): MasterKeys {
  const entries = text.split('\n').filter((line) => !line.trimStart().startsWith('#'))
    .flatMap((line) => line.split(',')).map((entry) => entry.trim()).filter(Boolean);
  const keys = entries.map((entry, index) => {
    const wrong = (what: string) =>
      new Error(`${source}: entry ${index + 1} ${what}. ${mend}`);
    const colon = entry.indexOf(':');
    if (colon < 0) throw wrong('has no name; it must read name:key');
    const id = entry.slice(0, colon).trim();
    if (!ID.test(id)) throw wrong('has a name of other than 1 to 64 letters, digits, _ and -');
    const encoded = entry.slice(colon + 1).trim();
    const bytes = Buffer.from(encoded, 'base64');
    if (bytes.length !== KEY_BYTES || bytes.toString('base64').replace(/=*$/, '')
      !== encoded.replace(/=*$/, '')) {
      throw wrong(`is not ${KEY_BYTES} bytes in base64`);
    }
    return { id, key: createSecretKey(bytes) };
  });
  if (keys.length === 0) throw new Error(`${source} holds no master key. ${mend}`);
  if (new Set(keys.map(({ id }) => id)).size < keys.length) {
    throw new Error(`${source} names two master keys alike. Give each its own name.`);
  }
  return keys;
}

/**
 * Makes the file at once and whole, readable by its owner alone and written to disk before anything
 * is sealed with it. Answers false if another process was quicker. Throws an Error if the database
 * has secrets of a file that is gone.
 */
async function makeFile(
  path: string, directory: string, samples: readonly WorkspaceKeyRow[]): Promise<boolean> {
  if (samples.length > 0) {
    throw new Error(`${path} is missing, and the database holds secrets that are sealed with it`
      + ` (master key ${names(samples)}). Restore the file from its copy. Without it they are`
      + ' lost: connections have to be made anew in an empty data directory.');
  }
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const id = `local-${randomBytes(4).toString('hex')}`;
  const building = `${path}.new-${randomBytes(6).toString('hex')}`;
  const file = await open(building, 'wx', 0o600);
  try {
    await file.writeFile('# The master key of the secrets in this database.'
      + ' Keep a copy elsewhere: without it they are lost.\n'
      + `${id}:${randomBytes(KEY_BYTES).toString('base64')}\n`);
    await file.sync();
    await link(building, path);
    await syncFolder(directory);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await file.close();
    await unlink(building);
  }
}

/** Throws an Error if the keys do not open what is stored. */
function checkMasterKeys(
  keys: MasterKeys, source: string, samples: readonly WorkspaceKeyRow[]): void {
  const missing = samples.filter(({ master_key_id }) =>
    !keys.some(({ id }) => id === master_key_id));
  if (missing.length > 0) {
    const given = keys.length === 0 ? 'is not set'
      : `has ${keys.map(({ id }) => id).join(', ')} alone`;
    throw new Error(`The database holds secrets that are sealed with the master key`
      + ` ${names(missing)}, and ${source} ${given}. Add it again, after the one that is to seal.`);
  }
  for (const sample of samples) {
    try {
      unwrap(keys, sample);
    } catch (error) {
      if (!(error instanceof DataKeyUnavailable)) throw error;
      throw new Error(`The master key ${sample.master_key_id} of ${source} is not the one that the`
        + ' database\'s secrets are sealed with, though it has its name. Restore the right one.');
    }
  }
}

function names(rows: readonly WorkspaceKeyRow[]): string {
  return rows.map(({ master_key_id }) => master_key_id).join(', ');
}
