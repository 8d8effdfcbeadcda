/** Checks of this machine: configuration, Node.js, files, and whether the service answers. */
import { access, constants, readFile, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { refusedCertificate } from '../certificates.ts';
import { unknownVariables, variablesSet, type Config, type Environment } from '../config.ts';
import { isObject, listOf, parseJson, textOf, type JsonObject } from '../json.ts';
import { originOf } from '../origin.ts';
import { shellWord } from '../shellWord.ts';
import { findCluster } from '../store/embedded/location.ts';
import {
  failed, ok, together, warning, type CheckAnswer, type CheckOutcome,
} from './report.ts';

const OLDEST_NODE = 24;
const ANSWER_MS = 2_000;
/** A service waits for its database for three seconds before it says that it is not ready. */
const READY_MS = 4_000;

/** What can be read of the configuration, and every variable that is wrong. */
export async function checkConfiguration(
  read: () => Config, environment: Environment | undefined): Promise<CheckAnswer<Config>> {
  let config: Config;
  try {
    config = read();
  } catch (error) {
    const lines = (error as Error).message.split('\n');
    return { outcome: failed(lines.length === 1 ? 'one setting is wrong'
      : `${lines.length} settings are wrong`, ...lines) };
  }
  const set = variablesSet(environment);
  const found = `Gatehouse ${config.version}, role ${config.role};`
    + ` ${set.length === 0 ? 'no variable is set' : `set: ${set.join(', ')}`}`;
  const unknown = unknownVariables(environment);
  const outcomes = [ok(found)];
  if (unknown.length > 0) {
    outcomes.push(warning(`no setting: ${unknown.join(', ')}`,
      'Correct the name, or unset it; `gatehouse serve --help` lists all settings.'));
  }
  if (config.trusted_proxies !== null && config.public_url === null) {
    outcomes.push(warning('a proxy, and no address of it',
      'Set GATEHOUSE_PUBLIC_URL to where browsers reach the proxy: without it the consents of'
      + ' accounts and the sign-in by an identity provider come back to HOST and PORT.'));
  }
  return { outcome: together(outcomes), gives: config };
}

export async function checkNode(): Promise<CheckOutcome> {
  const { version, platform, arch } = process;
  const found = `Node.js ${version}, ${platform} ${arch}`;
  return Number(/\d+/.exec(version)?.[0]) >= OLDEST_NODE ? ok(found)
    : failed(found,
      `Install Node.js ${OLDEST_NODE} or newer, or run \`npm ci\`, which brings one.`);
}

/** What credentials.json holds. */
export interface KeptProfile {
  file: string;
  base_url: string | null;
  api_key: string | null;
  admin_token: string | null;
  /** Why it cannot be used; null if it can, or is not there. */
  wrong: string | null;
  exists: boolean;
}

export async function readKept(data_dir: string): Promise<KeptProfile> {
  const file = join(data_dir, 'credentials.json');
  const none = {
    file, base_url: null, api_key: null, admin_token: null, wrong: null, exists: false,
  };
  try {
    const text = await readFile(file, 'utf8');
    if (text === '') return none; // as the command line has it
    const { base_url, api_key = null, admin_token = null } = JSON.parse(text);
    const isText = (value: unknown) => value === null || typeof value === 'string';
    const is_address = typeof base_url === 'string' && isAddress(base_url);
    const wrong = !is_address ? 'it names no service'
      : isText(api_key) && isText(admin_token) ? null : 'a key in it is no text';
    return { file, base_url: is_address ? base_url : null, api_key: textOf(api_key) ?? null,
      admin_token: textOf(admin_token) ?? null, wrong, exists: true };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return none;
    // A parser's message quotes what it read, which may be a key.
    return { ...none, exists: true, wrong: code === undefined ? 'it is not JSON' : message };
  }
}

interface Space {
  bavail: number;
  bsize: number;
}

/** The data directory and what is in it, with their permissions, and the room for the database. */
export async function checkDataDirectory(
  { data_dir, database_url }: Pick<Config, 'data_dir' | 'database_url'>, kept: KeptProfile,
  spaceOf: (folder: string) => Promise<Space> = statfs): Promise<CheckOutcome> {
  const found = await stat(data_dir).catch((error: NodeJS.ErrnoException) => error);
  if (found instanceof Error) {
    if (found.code === 'ENOENT') {
      return ok(`${data_dir} is not there${database_url === null
        ? '; the first start makes it' : ', and is not needed'}`);
    }
    return failed(`${data_dir} cannot be looked at: ${found.message}`,
      'Set GATEHOUSE_DATA_DIR to a folder of the user who starts the service.');
  }
  if (!found.isDirectory()) {
    return failed(`${data_dir} is no folder`, 'Set GATEHOUSE_DATA_DIR to a folder.');
  }
  const writable = await access(data_dir, constants.R_OK | constants.W_OK | constants.X_OK)
    .then(() => true, () => false);
  if (!writable) {
    return failed(`${data_dir} is not this user's to read and write`,
      'Call this as the user who starts the service, or set GATEHOUSE_DATA_DIR to another folder.');
  }
  if (kept.wrong !== null) {
    return failed(`${kept.file} cannot be used: ${kept.wrong}`, 'Restore it from a copy, or move it'
      + ' away and give the keys as GATEHOUSE_API_KEY and GATEHOUSE_ADMIN_TOKEN.');
  }
  const home_dir = database_url === null ? await embeddedHome(data_dir) : null;
  const notes = [
    (found.mode & 0o022) === 0 ? null
      : warning(`others may write ${data_dir}`, `chmod go-w ${shellWord(data_dir)}`),
    !kept.exists || !await isOpen(kept.file) ? null
      : warning(`others may read ${kept.file}, which holds keys`,
        `chmod 600 ${shellWord(kept.file)}`),
    home_dir === null ? null : checkSpace(home_dir, await spaceOf(home_dir)),
  ].filter((note) => note !== null);
  if (notes.length > 0) return together(notes);
  const fine = `${data_dir}${kept.exists ? ', with credentials.json' : ''}`;
  return ok(home_dir === null || home_dir === data_dir ? fine
    : `${fine}; its database is in ${home_dir}`);
}

/** Where the embedded database is, or will be. */
async function embeddedHome(data_dir: string): Promise<string> {
  const cluster_dir = await findCluster(data_dir);
  return cluster_dir === null ? data_dir : dirname(cluster_dir);
}

/** PostgreSQL writes ahead in files of 16 MiB, and stops where there is no room for another. */
const SPACE_FAILURE_MIB = 64;
/** Between two checkpoints it writes ahead as much. */
const SPACE_WARNING_MIB = 1_024;

/** What there is to say of the room for the embedded database; null if it is enough. */
export function checkSpace(
  folder: string, { bavail, bsize }: Space): CheckOutcome | null {
  const free_mib = Math.floor(bavail * bsize / 2 ** 20);
  const found = `${folder}: ${free_mib} MiB are free on its disk, where the embedded database is`;
  const advice = 'Make room there, or move the folder to a larger disk while the service is stopped'
    + ' (GATEHOUSE_DATA_DIR). Where the disk is full, nothing is stored, and the database stops.';
  return free_mib < SPACE_FAILURE_MIB ? failed(found, advice)
    : free_mib < SPACE_WARNING_MIB ? warning(found, advice) : null;
}

/** Whether others than its owner may read or write a file. */
export async function isOpen(file: string): Promise<boolean> {
  return ((await stat(file)).mode & 0o077) !== 0;
}

const REASONS: Record<string, string> = {
  database: 'The service does not reach its database: see the check of the database below, and that'
    + ' the service has the same DATABASE_URL as you.',
  schema: 'The service is newer than its database\'s schema. Start it anew: it migrates then.',
  lease: 'The worker cannot renew its lease: see its log, and the check of the database below.',
  integrations: 'It loads the integrations: a moment, but for the first start after an upgrade. If'
    + ' it stays, look into its log.',
  draining: 'The service is about to stop. If it should not, look who stops it.',
};

/** A Gatehouse that answers. */
export interface Answering {
  /** Without a slash at the end; behind a proxy it may have a path. */
  address: string;
  ready: boolean;
}

/** Whether the service answers, by its two pages for that; gives where, if it is Gatehouse. */
export async function checkService(
  config: Config, base_url: string | null): Promise<CheckAnswer<Answering>> {
  const address = serviceAddress(config, base_url);
  if (address === null) {
    return { outcome: failed(`${JSON.stringify(base_url)} is not the address of a service`,
      'Set GATEHOUSE_BASE_URL to an address such as http://127.0.0.1:3000/v1.') };
  }
  // The service itself answers this page by 200 as long as it lives, whatever else it lacks.
  const health = await ask(`${address}/healthz`);
  if (health instanceof Error && health.name === 'TimeoutError') {
    return { outcome: failed(`${address} does not answer in time`,
      'A service that hangs, or has more to do than it can: look into its log, and restart it.'
      + ' Or nothing comes through to there: check GATEHOUSE_BASE_URL, and firewalls.') };
  }
  const refused = health instanceof Error && refusedCertificate(address, health);
  if (refused) return { outcome: failed(refused.said, refused.advice) };
  if (health instanceof Error) {
    return { outcome: warning(`nothing answers at ${address} (${reasonOf(health)})`,
      'If it should run: start it with `gatehouse serve`. If it runs elsewhere: set'
      + ' GATEHOUSE_BASE_URL.') };
  }
  if (health.status === 503) {
    return { outcome: failed(
      `a proxy answers at ${address} (status 503), and has no node of the service that is ready`,
      'Ask a node itself, which says why: set GATEHOUSE_BASE_URL to its HOST and PORT (here'
      + ` ${originOf(config.host, config.port)}).`) };
  }
  if (health.status === 502 || health.status === 504) {
    return { outcome: failed(
      `a proxy answers at ${address} (status ${health.status}), and does not reach the service`,
      'See whether the service runs, and whether the proxy has its address (HOST and PORT, here'
      + ` ${originOf(config.host, config.port)}).`) };
  }
  if (health.status !== 200 || health.body?.status !== 'ok') {
    return { outcome: failed(
      `something else than Gatehouse answers at ${address} (status ${health.status})`,
      'Stop that, or take another port: `gatehouse serve --port 3001`. If Gatehouse is elsewhere:'
      + ' set GATEHOUSE_BASE_URL.') };
  }
  const ready = await ask(`${address}/readyz`, { limit_ms: READY_MS });
  if (ready instanceof Error) {
    return { gives: { address, ready: false }, outcome: failed(
      `it lives at ${address}, and does not say whether it is ready`,
      'Look into its log (LOG_LEVEL=debug tells more).') };
  }
  if (ready.status === 200) {
    return { gives: { address, ready: true }, outcome: ok(`answers at ${address}, and is ready`) };
  }
  const given = listOf(ready.body?.reasons).map(String);
  const why = given.join(', ') || `status ${ready.status}`;
  return { gives: { address, ready: false }, outcome: failed(
    `answers at ${address}, and is not ready: ${why}`,
    ...given.map((reason) => REASONS[reason] ?? 'Look into its log.')) };
}

/**
 * Where the service is: the given address without its `/v1`, and null if it is not valid; else that
 * which is configured here.
 */
function serviceAddress({ host, port }: Config, base_url: string | null): string | null {
  if (base_url === null) return originOf(host, port);
  if (!isAddress(base_url)) return null;
  const url = new URL(base_url);
  // Its pages are beside `/v1`, below whatever path a proxy has for them.
  return url.origin + url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '');
}

function isAddress(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '');
}

/** Gets a page, with a key if one is given. */
export async function ask(
  url: string, { key, limit_ms = ANSWER_MS }: { key?: string; limit_ms?: number } = {},
): Promise<{ status: number; body: JsonObject | null } | Error> {
  try {
    const response = await fetch(url, {
      redirect: 'manual', signal: AbortSignal.timeout(limit_ms),
      ...(key === undefined ? {} : { headers: { Authorization: `Bearer ${key}` } }),
    });
    const body = parseJson(await response.text());
    return { status: response.status, body: isObject(body) ? body : null };
  } catch (error) {
    return error as Error;
  }
}

/** The cause of an error of fetch says what happened. */
function reasonOf(error: Error): string {
  const { code, message } = (error.cause ?? error) as NodeJS.ErrnoException;
  return code ?? message;
}
