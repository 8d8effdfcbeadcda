/** Profiles: services that a person has signed in to, by name, in a file of that person alone. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ClientEnvironment } from '../config.ts';
import { isObject, parseJson, textOf } from '../json.ts';
import { EXIT, Failure } from './failure.ts';
import { alone } from './fileLock.ts';
import { realPlaceOf } from './realPlace.ts';

/** What is kept of a service. */
export interface KeptCredentials {
  base_url: string;
  workspace_id: string | null;
  api_key: string | null;
  admin_token: string | null;
}

export interface Profiles {
  /** The one that counts if none is named. */
  current: string | null;
  byName: Map<string, KeptCredentials>;
}

/** The file of profiles. Throws Failure where nobody has a home. */
export function profilesFile({ config_dir }: Pick<ClientEnvironment, 'config_dir'>): string {
  if (config_dir !== null) return join(config_dir, 'profiles.json');
  throw new Failure('There is no place for profiles: neither HOME nor GATEHOUSE_CONFIG_DIR is'
    + ' set.', EXIT.usage);
}

/** Gives no profiles where there is no file. Throws Failure for one that holds something else. */
export function readProfiles(file: string): Profiles {
  const text = readIfThere(file);
  if (text === null) return { current: null, byName: new Map() };
  const content = parseJson(text);
  if (!isObject(content) || !isObject(content.profiles)) throw broken(file, 'it has no profiles');
  const byName = new Map(Object.entries(content.profiles).map(([name, value]) => {
    const kept = keptIn(value);
    if (kept === null) throw broken(file, `${JSON.stringify(name)} has no base_url`);
    return [name, kept];
  }));
  return { current: textOf(content.current) ?? null, byName };
}

/**
 * Reads the profiles, has `change` change them, and writes them, while no other command does. The
 * file is replaced as a whole, so that no reader sees half of it. Throws Failure.
 */
export async function changeProfiles<T>(
  file: string, change: (profiles: Profiles) => T): Promise<T> {
  return await alone(file, async () => {
    const profiles = readProfiles(file);
    const changed = change(profiles);
    const { current, byName } = profiles;
    const content = { current, profiles: Object.fromEntries(byName) };
    await replaceFile(file, `${JSON.stringify(content, null, 2)}\n`);
    return changed;
  });
}

/**
 * Writes a file that its owner alone can read; so are folders that are made for it. If it is a
 * symbolic link, the link stays and the file that it leads to is written: whoever keeps settings
 * elsewhere has made it.
 */
export async function replaceFile(file: string, text: string): Promise<void> {
  let made: string | null = null;
  try {
    const place = await realPlaceOf(file);
    await mkdir(dirname(place), { recursive: true, mode: 0o700 });
    made = `${place}.${randomUUID()}`;
    await writeFile(made, text, { mode: 0o600, flag: 'wx' });
    await rename(made, place);
  } catch (error) {
    if (made !== null) await rm(made, { force: true });
    throw new Failure(`${file} cannot be written: ${(error as Error).message}.`);
  }
}

/** The profile that flags, the environment or the file names. Throws Failure if it is not there. */
export function profileNamed(
  given: string | undefined, environment: ClientEnvironment,
): { name: string; kept: KeptCredentials } | null {
  const named = given ?? environment.profile;
  if (named === null && environment.config_dir === null) return null;
  const file = profilesFile(environment);
  const { current, byName } = readProfiles(file);
  const name = named ?? current;
  if (name === null) return null;
  const kept = byName.get(name);
  if (kept !== undefined) return { name, kept };
  throw new Failure(`There is no profile ${JSON.stringify(name)} in ${file}. \`gatehouse profiles`
    + ' list` shows those that there are; `gatehouse login --profile …` makes one.', EXIT.usage);
}

/** What a file keeps of a service; null if it is something else. */
export function keptIn(value: unknown): KeptCredentials | null {
  if (!isObject(value) || typeof value.base_url !== 'string') return null;
  const { base_url, workspace_id, api_key, admin_token } = value;
  return {
    base_url, workspace_id: textOf(workspace_id) ?? null,
    api_key: textOf(api_key) ?? null, admin_token: textOf(admin_token) ?? null,
  };
}

/** The text of a file; null if there is none. Throws Failure. */
export function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new Failure(`The credentials cannot be read: ${message}.`, EXIT.usage);
  }
}

function broken(file: string, why: string): Failure {
  return new Failure(`${file} does not hold profiles: ${why}. Restore or remove it.`, EXIT.usage);
}
