/** `login`, `logout` and `profiles`: which service commands speak to, and as whom. */
import { InvalidArgumentError } from 'commander';
import { readClientEnvironment, type ClientEnvironment } from '../config.ts';
import { DEFAULT_BASE_URL, isSameOrigin } from '../origin.ts';
import { ApiError } from './answers.ts';
import { Client } from './client.ts';
import { group, localCommand } from './command.ts';
import { EXIT, Failure, refuseBoth } from './failure.ts';
import { argument, flag, toggle } from './inputs.ts';
import { printJson, printTable } from './output.ts';
import { normaliseBaseUrl, type Credential } from './profile.ts';
import {
  changeProfiles, profilesFile, readProfiles, type KeptCredentials,
} from './profileStore.ts';
import { readSecrets } from './secretInput.ts';
import type { Terminal } from './terminal.ts';

const USUAL_NAME = 'default';

const profileName = (text: string) => {
  if (/^[a-zA-Z0-9][\w.-]{0,63}$/.test(text)) return text;
  throw new InvalidArgumentError('It must be of letters, digits, ., _ and -, such as staging.');
};

export const addLoginCommand = localCommand('login', {
  summary: 'keep a key of a service in a profile, and use it',
  description: 'Keeps an api key or an admin token in a profile, once the service has taken it, and'
    + ' has commands use that profile. The key is typed at a prompt, or read from standard'
    + ' input; two, one to a line, if you have both. They are kept in a file that you alone can'
    + ' read.',
  inputs: {
    profile: flag('--profile <name>', `what the profile is called; ${USUAL_NAME} if left out`,
      profileName),
    base_url: flag('--base-url <url>', 'the service, such as https://gatehouse.example/v1'),
    workspace_id: flag('-w, --workspace <id>', "the workspace of an operator's commands"),
  },
  example: 'gatehouse login --profile staging --base-url https://gatehouse.example/v1',
  async run({ terminal }, { profile = USUAL_NAME, base_url: asked, workspace_id }) {
    const environment = readClientEnvironment();
    const file = profilesFile(environment);
    const before = readProfiles(file).byName.get(profile);
    const base_url = normaliseBaseUrl(
      asked ?? before?.base_url ?? environment.base_url ?? DEFAULT_BASE_URL);
    if (sentInClear(base_url)) {
      terminal.err(`${base_url} is not encrypted: whoever is on the way there reads the key.\n`);
    }
    const secrets = (await readSecrets([`Api key or admin token for ${base_url}`]))
      .split(/\s+/).filter(Boolean);
    if (secrets.length === 0) throw new Failure('There is no key. Nothing was kept.', EXIT.usage);
    requireOneOfEach(secrets);
    // Secrets of another service are not kept beside these: they would be sent to this one.
    const kept: KeptCredentials = before && isSameOrigin(before.base_url, base_url)
      ? { ...before, base_url }
      : { base_url, workspace_id: null, api_key: null, admin_token: null };
    if (workspace_id !== undefined) kept.workspace_id = workspace_id;
    await accept(kept, secrets);
    await changeProfiles(file, (profiles) => {
      profiles.byName.set(profile, joined(profiles.byName.get(profile), kept));
      profiles.current = profile;
    });
    const what = kept.workspace_id === null ? '' : `, workspace ${kept.workspace_id}`;
    terminal.err(`Signed in to ${base_url} as the profile ${profile}${what}. Commands use it from`
      + ' now on; `gatehouse profiles use` chooses another, `--profile` for one command.\n');
    warnOfEnvironment(terminal, environment, profile);
  },
});

export const addLogoutCommand = localCommand('logout', {
  summary: 'forget a profile and its keys',
  description: 'Removes a profile with the keys in it, or all. The keys stay valid: `gatehouse keys'
    + ' revoke` ends one.',
  inputs: {
    profile: flag('--profile <name>', 'which; the one in use if left out'),
    all: toggle('--all', 'every profile'),
  },
  example: 'gatehouse logout --profile staging',
  async run({ terminal }, { profile, all }) {
    refuseBoth(['--profile', profile], ['--all', all]);
    const environment = readClientEnvironment();
    const file = profilesFile(environment);
    const names = await changeProfiles(file, (profiles) => {
      const name = profile ?? environment.profile ?? profiles.current;
      const chosen = all ? [...profiles.byName.keys()] : name === null ? [] : [name];
      if (chosen.length === 0) throw new Failure('There is no profile in use.', EXIT.usage);
      for (const one of chosen) if (!profiles.byName.delete(one)) throw unknown(one);
      if (!profiles.byName.has(profiles.current ?? '')) profiles.current = null;
      return chosen;
    });
    terminal.out(`Forgotten: ${names.join(', ')}.\n`);
  },
});

const list = localCommand('list', {
  summary: 'list profiles',
  description: 'Lists profiles, with the last characters of their keys.',
  inputs: { json: toggle('--json', 'print one JSON document, without the keys') },
  example: 'gatehouse profiles list',
  async run({ terminal }, { json }) {
    const environment = readClientEnvironment();
    const { current, byName } = readProfiles(profilesFile(environment));
    const data = [...byName].map(([name, { base_url, workspace_id, api_key, admin_token }]) => ({
      name, current: name === (environment.profile ?? current), base_url, workspace_id,
      api_key: hintOf(api_key), admin_token: hintOf(admin_token),
    }));
    if (json) return printJson(terminal, { object: 'list', data });
    printTable(terminal, data, {
      nothing: 'profiles; `gatehouse login` makes one',
      headings: ['', 'NAME', 'SERVICE', 'WORKSPACE', 'API KEY', 'ADMIN TOKEN'],
      row: (one) => [one.current ? '*' : '', one.name, one.base_url, one.workspace_id ?? '-',
        one.api_key ?? '-', one.admin_token ?? '-'],
    });
  },
});

const use = localCommand('use', {
  summary: 'choose the profile that commands use',
  description: 'Has commands use this profile, or, without a name, none: then credentials.json of'
    + ' the folder counts again.',
  inputs: { name: argument<string | undefined>('[name]', 'the profile') },
  example: 'gatehouse profiles use staging',
  async run({ terminal }, { name }) {
    const environment = readClientEnvironment();
    const file = profilesFile(environment);
    const base_url = await changeProfiles(file, (profiles) => {
      if (name !== undefined && !profiles.byName.has(name)) throw unknown(name);
      profiles.current = name ?? null;
      return profiles.byName.get(name ?? '')?.base_url;
    });
    terminal.out(name === undefined ? 'Commands use no profile.\n'
      : `Commands use ${name}: ${base_url}\n`);
    warnOfEnvironment(terminal, environment, name ?? null);
  },
});

export const addProfileCommands = group('profiles', {
  summary: 'list and choose profiles, which `login` makes',
  description: 'Lists and chooses profiles. `gatehouse login` makes one, `gatehouse logout` removes'
    + ' it.',
  example: 'gatehouse profiles list',
}, [list, use]);

/** What is kept of a service now, with what another `login` may have kept of it meanwhile. */
function joined(now: KeptCredentials | undefined, kept: KeptCredentials): KeptCredentials {
  if (now === undefined || !isSameOrigin(now.base_url, kept.base_url)) return kept;
  return {
    base_url: kept.base_url, workspace_id: kept.workspace_id ?? now.workspace_id,
    api_key: kept.api_key ?? now.api_key, admin_token: kept.admin_token ?? now.admin_token,
  };
}

/** What a secret may be, by how it begins: a token of the configuration begins as it likes. */
function kindsOf(secret: string): Credential[] {
  return secret.startsWith('gth_') ? ['api_key'] : secret.startsWith('gta_') ? ['admin_token']
    : ['api_key', 'admin_token'];
}

/** Throws Failure unless these can be an api key, an admin token, or one of each. */
function requireOneOfEach(secrets: readonly string[]): void {
  const [first, second] = secrets.map(kindsOf);
  const same = first?.length === 1 && second?.length === 1 && first[0] === second[0];
  if (secrets.length <= 2 && !same) return;
  const given = secrets.length > 2 ? `${secrets.length} were given`
    : `two ${first![0] === 'api_key' ? 'api keys' : 'admin tokens'} were given`;
  throw new Failure(`A profile keeps one api key and one admin token, and ${given}. Nothing was`
    + ' kept.', EXIT.usage);
}

/**
 * Puts secrets into a profile, each as what the service has taken it for: a single one perhaps as
 * both, as a mock does. Throws Failure if it does not take one.
 */
async function accept(kept: KeptCredentials, secrets: readonly string[]): Promise<void> {
  const taken: Credential[][] = [];
  for (const secret of secrets) taken.push(await takenAs(kept, secret));
  const [first, second] = taken;
  if (second === undefined) {
    for (const as of first!) kept[as] = secrets[0]!;
    return;
  }
  const other = (as: Credential) => as === 'api_key' ? 'admin_token' : 'api_key';
  const as = first!.find((one) => second.includes(other(one)));
  if (as === undefined) {
    throw new Failure(`A profile keeps one api key and one admin token, and both of these are`
      + ` ${first![0] === 'api_key' ? 'api keys' : 'admin tokens'}. Nothing was kept.`, EXIT.usage);
  }
  kept[as] = secrets[0]!;
  kept[other(as)] = secrets[1]!;
}

/** What the service takes a secret for. Throws Failure if that is nothing. */
async function takenAs(kept: KeptCredentials, secret: string): Promise<Credential[]> {
  const kinds = kindsOf(secret);
  const taken: Credential[] = [];
  for (const as of kinds) {
    try {
      await ask(kept, as, secret);
      taken.push(as);
    } catch (error) {
      const is_refused = error instanceof ApiError && error.code === 'invalid_api_key';
      if (!is_refused || kinds.length === 1) throw error;
    }
  }
  if (taken.length > 0) return taken;
  throw new Failure(`${kept.base_url} takes this neither as an api key (those begin with gth_) nor`
    + ' as an admin token (gta_, but for that of GATEHOUSE_ADMIN_TOKEN). Nothing was kept.');
}

/** Asks the service for something that such a secret opens. Throws Failure. */
async function ask(kept: KeptCredentials, as: Credential, secret: string): Promise<void> {
  const client = new Client({ ...kept, [as]: secret,
    file: '', address_from: null, withheld_for: null, withheld: {} }, { as });
  if (as === 'api_key') {
    await client.upTo('/sessions', {}, 1);
    return;
  }
  const { data } = await client.upTo('/admin/workspaces', {}, 2);
  // Where there is but one, every command means that.
  if (data.length === 1) kept.workspace_id ??= data[0]!.id;
}

/** Whoever has chosen a profile would not expect that commands go elsewhere. */
function warnOfEnvironment(
  { err }: Terminal, environment: ClientEnvironment, chosen: string | null): void {
  const { profile, base_url, api_key, admin_token } = environment;
  const winning = Object.entries({
    GATEHOUSE_PROFILE: profile !== chosen && profile, GATEHOUSE_BASE_URL: base_url,
    GATEHOUSE_API_KEY: api_key, GATEHOUSE_ADMIN_TOKEN: admin_token,
  }).filter(([, value]) => value).map(([variable]) => variable);
  if (winning.length === 0) return;
  err(`But the environment wins over that, here: unset ${winning.join(', ')}.\n`);
}

function sentInClear(base_url: string): boolean {
  const { protocol, hostname } = new URL(base_url);
  return protocol === 'http:' && !/^(localhost|\[::1\]|127(\.\d+){3})$/.test(hostname);
}

function hintOf(secret: string | null): string | null {
  return secret === null ? null : `…${secret.slice(-4)}`;
}

function unknown(name: string): Failure {
  return new Failure(`There is no profile ${JSON.stringify(name)}.`, EXIT.usage);
}
