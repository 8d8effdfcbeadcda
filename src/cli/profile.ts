import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientEnvironment } from '../config.ts';
import { parseJson } from '../json.ts';
import { DEFAULT_BASE_URL, isSameOrigin, mayTakeSecrets } from '../origin.ts';
import { shellWord } from '../shellWord.ts';
import { EXIT, Failure } from './failure.ts';
import {
  keptIn, profileNamed, profilesFile, readIfThere, type KeptCredentials,
} from './profileStore.ts';

/** What the command line says about the service; it wins over the environment. */
export interface ClientFlags {
  profile?: string;
  base_url?: string;
  api_key?: string;
  admin_token?: string;
}

/** Whose credential is sent: that of an application, or the operator's. */
export type Credential = 'api_key' | 'admin_token';

/** What a credential is called, and where it may be given. */
const PLACES: Record<Credential, { what: string; variable: string; flag: string }> = {
  api_key: { what: 'api key', variable: 'GATEHOUSE_API_KEY', flag: '--api-key' },
  admin_token: {
    what: 'admin token', variable: 'GATEHOUSE_ADMIN_TOKEN', flag: '--admin-token' },
};

/** Which service to speak to, and as whom. Its address has no slash at the end. */
export interface Profile extends KeptCredentials {
  /** The credentials file, which need not exist, or that of profiles. */
  file: string;
  /** The profile or the file that names the address, in words; null if none of them does. */
  address_from: string | null;
  /** The other service that the file's secrets are for, if they were left out for that. */
  withheld_for: string | null;
  /** Where the secrets come from that were left out, as only the file names the service. */
  withheld: { api_key?: string; admin_token?: string };
}

/**
 * Flags win over the environment, which wins over a profile; `credentials.json` counts where there
 * is no profile. A profile that a flag names wins over the environment as well. A secret is sent
 * where it was given for: those of a file to no other service than the one it names, and those of a
 * flag or the environment to no service that only a file of the current folder names. Throws
 * Failure for a wrong address, for a profile that is not there, and for a file that cannot be read.
 */
export function resolveProfile(flags: ClientFlags, surroundings: ClientEnvironment): Profile {
  const environment = flags.profile === undefined ? surroundings
    : { ...surroundings, base_url: null, workspace_id: null, api_key: null, admin_token: null };
  const named = profileNamed(flags.profile, environment);
  const file = named ? profilesFile(environment) : credentialsFile(environment.data_dir);
  const kept = named ? named.kept : readCredentials(file);
  const said = flags.base_url ?? environment.base_url;
  const asked = said ?? named?.kept.base_url ?? null;
  const address_from = said !== null || kept === null ? null
    : named ? `profile ${named.name}` : file;
  const base_url = normaliseBaseUrl(asked ?? kept?.base_url ?? DEFAULT_BASE_URL, address_from);
  const trusted = kept && isSameOrigin(kept.base_url, base_url) ? kept : null;
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
    workspace_id: environment.workspace_id ?? trusted?.workspace_id ?? null,
    api_key: secretOf('api_key'),
    admin_token: secretOf('admin_token'),
    file, address_from,
    withheld_for: kept && !trusted ? kept.base_url : null,
    withheld,
  };
}

/** Where a secret was given that is one besides the usual, and what goes without it. */
export interface SecretPlace {
  place: string;
  without: string;
}

/**
 * The secret to send. Throws Failure if there is none for this service, or it is none. `given`: if
 * the profile was resolved with a secret from elsewhere in place of its own.
 */
export function secretFor(profile: Profile, as: Credential, given?: SecretPlace): string {
  const { what, variable, flag } = PLACES[as];
  const value = profile[as];
  if (value !== null) {
    if (/^[\x21-\x7e]+$/.test(value)) return value;
    const place = given?.place ?? flag;
    throw new Failure(value === ''
      ? `The ${what} is empty. If ${place} has it from a variable, that is not set.`
      : `The ${what}${given ? ` of ${place}` : ''} holds characters that no ${what} has.`,
    EXIT.usage);
  }
  const { base_url, file, withheld_for, withheld } = profile;
  const usual = withheld[as];
  if (usual !== undefined) {
    const { place, without } = given ?? { place: usual, without: 'what the file holds counts' };
    const word = shellWord(base_url);
    throw new Failure(`The ${what} of ${place} is not sent to ${base_url}: only ${file} names`
      + ' that address, and whoever made this folder may have written it.\nIf you mean that'
      + ` service, say so: GATEHOUSE_BASE_URL=${word} or --base-url ${word}.`
      + ` Without ${place}, ${without}.`, EXIT.usage);
  }
  const instead = withheld_for === null ? `(${file} would be used too, and ${
    existsSync(file) ? 'holds none' : 'is not there'}.)`
    : `(What ${file} holds is for ${withheld_for}.)`;
  throw new Failure(`There is no ${what} for ${base_url}. Set ${variable} or give ${flag}, or keep`
    + ` one with \`gatehouse login\`.\n${instead}`, EXIT.usage);
}

export function credentialsFile(data_dir: string): string {
  return join(data_dir, 'credentials.json');
}

/**
 * Adds the version segment if the address ends before it. `from`: which file or profile it is of,
 * if nobody has given it. Throws Failure, also for what an address holds besides: it would never be
 * sent, and whoever has given it would not know.
 */
export function normaliseBaseUrl(given: string, from: string | null = null): string {
  const url = URL.parse(given);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new Failure(`${JSON.stringify(given)}${from === null ? '' : ` of ${from}`} is not the`
      + ` address of a service. It looks like ${DEFAULT_BASE_URL}.`, EXIT.usage);
  }
  const path = url.pathname.replace(/\/+$/, '');
  const base_url = `${url.origin}${path === '' ? '/v1' : path}`;
  // None of it is repeated: it may be a secret.
  const [what, why] = url.username || url.password
    ? ['a user or a password', 'The service takes keys and tokens alone.']
    : url.search || url.hash ? ['a ? or # with something behind it', 'It ends with its path.'] : [];
  if (what === undefined) return base_url;
  throw new Failure(`The address of the service has ${what}, which is not sent. ${why} Give`
    + ` ${base_url}.`, EXIT.usage);
}

function readCredentials(file: string): KeptCredentials | null {
  const text = readIfThere(file);
  if (text === null || text === '') return null; // `setup` may have been ended too soon
  const kept = keptIn(parseJson(text));
  if (kept !== null) return kept;
  throw new Failure(`${file} does not hold credentials: it is no JSON with a base_url. Restore it,`
    + ' or remove it and give the credentials as environment variables.', EXIT.usage);
}
