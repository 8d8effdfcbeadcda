import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientEnvironment } from '../config.ts';
import { textOf } from '../json.ts';
import { DEFAULT_BASE_URL, isSameOrigin, mayTakeSecrets } from '../origin.ts';
import { EXIT, Failure } from './failure.ts';

/** What the command line says about the service; it wins over the environment. */
export interface ClientFlags {
  base_url?: string;
  api_key?: string;
  admin_token?: string;
}

/** Whose credential is sent: that of an application, or the operator's. */
export type Credential = 'api_key' | 'admin_token';

/** What a credential is called, and where it may be given. */
export const PLACES: Record<Credential, { what: string; variable: string; flag: string }> = {
  api_key: { what: 'api key', variable: 'GATEHOUSE_API_KEY', flag: '--api-key' },
  admin_token: {
    what: 'admin token', variable: 'GATEHOUSE_ADMIN_TOKEN', flag: '--admin-token' },
};

/** Which service to speak to, and as whom. */
export interface Profile {
  /** It has the version segment, and no slash at the end. */
  base_url: string;
  workspace_id: string | null;
  api_key: string | null;
  admin_token: string | null;
  /** The credentials file, which need not exist. */
  file: string;
  /** The other service that the file's secrets are for, if they were left out for that. */
  withheld_for: string | null;
  /** Where the secrets come from that were left out, as only the file names the service. */
  withheld: { api_key?: string; admin_token?: string };
}

/**
 * Flags win over the environment, which wins over `credentials.json`. A secret is sent where it was
 * given for: those of the file to no other service than the one it names, and those of a flag or
 * the environment to no service that only a file of the current folder names. Throws Failure for a
 * wrong address and for a file that cannot be read.
 */
export function resolveProfile(flags: ClientFlags, environment: ClientEnvironment): Profile {
  const file = credentialsFile(environment.data_dir);
  const kept = readCredentials(file);
  const asked = flags.base_url ?? environment.base_url;
  const base_url = normaliseBaseUrl(asked ?? kept?.base_url ?? DEFAULT_BASE_URL);
  const trusted = kept && isSameOrigin(normaliseBaseUrl(kept.base_url), base_url) ? kept : null;
  const takes = asked !== null || kept === null
    || mayTakeSecrets(kept.base_url, environment.names_data_dir);
  const withheld: Profile['withheld'] = {};
  const secretOf = (name: Credential): string | null => {
    const given = flags[name] ?? environment[name];
    const own = trusted?.[name] ?? null;
    if (given === null || given === own || takes) return given ?? own;
    withheld[name] = flags[name] === undefined ? PLACES[name].variable : PLACES[name].flag;
    return null;
  };
  return {
    base_url,
    workspace_id: trusted?.workspace_id ?? null,
    api_key: secretOf('api_key'),
    admin_token: secretOf('admin_token'),
    file,
    withheld_for: kept && !trusted ? kept.base_url : null,
    withheld,
  };
}

export function credentialsFile(data_dir: string): string {
  return join(data_dir, 'credentials.json');
}

/** Adds the version segment if the address ends before it. Throws Failure. */
export function normaliseBaseUrl(given: string): string {
  const url = URL.parse(given);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new Failure(`${JSON.stringify(given)} is not the address of a service. It looks like`
      + ` ${DEFAULT_BASE_URL}.`, EXIT.usage);
  }
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.origin}${path === '' ? '/v1' : path}`;
}

function readCredentials(file: string): Omit<Profile, 'file' | 'withheld_for' | 'withheld'> | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new Failure(`The credentials cannot be read: ${message}.`, EXIT.usage);
  }
  try {
    const { base_url, workspace_id, api_key, admin_token } = JSON.parse(text);
    if (typeof base_url !== 'string') throw new Error('base_url is not a text');
    return {
      base_url, workspace_id: textOf(workspace_id) ?? null,
      api_key: textOf(api_key) ?? null, admin_token: textOf(admin_token) ?? null,
    };
  } catch (error) {
    throw new Failure(`${file} does not hold credentials (${(error as Error).message}). Restore`
      + ' it, or remove it and give the credentials as environment variables.', EXIT.usage);
  }
}
