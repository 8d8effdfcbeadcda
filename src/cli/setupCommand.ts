import { mkdir, open, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readConfig, type Config } from '../config.ts';
import { createLog } from '../log.ts';
import { originOf } from '../origin.ts';
import { localCommand } from './command.ts';
import { EXIT, Failure } from './failure.ts';
import { flag, toggle } from './inputs.ts';
import { credentialsFile, normaliseBaseUrl } from './profile.ts';

/** `setup`: for a PostgreSQL of one's own. */
export const addSetupCommand = localCommand('setup', {
  summary: 'prepare a PostgreSQL of your own',
  description: 'Prepares the database of DATABASE_URL: migrates it and creates a workspace, an api'
    + ' key and an admin token, which are printed this once: on a terminal. Elsewhere, where a log'
    + ' might keep them, they are written to credentials.json. The embedded database needs none of'
    + ' this.',
  inputs: {
    database_url: flag('--database-url <url>', 'as DATABASE_URL'),
    data_dir: flag('--data-dir <folder>', 'as GATEHOUSE_DATA_DIR'),
    base_url: flag('--base-url <url>',
      'where the service will be; else by GATEHOUSE_PUBLIC_URL, or HOST and PORT'),
    save: toggle('--save', 'also write credentials.json in the data directory, for this command'),
  },
  example: 'DATABASE_URL=postgres://me:secret@db.example.com/gatehouse gatehouse setup --save',
  async run({ load, terminal }, { save, base_url: given, ...settings }) {
    const config = readConfig(undefined, settings, { log_level: 'warn' });
    if (config.database_url === null) {
      throw new Failure('Which database? Set DATABASE_URL or give --database-url. (The embedded'
        + ' database needs no setup: `gatehouse serve` prepares it.)', EXIT.usage);
    }
    const file = credentialsFile(config.data_dir);
    const base_url = baseUrlOf(config, given);
    const kept = save || !terminal.interactive ? await newFile(file) : null;
    const log = createLog(config.log_level);
    const { setUp } = await load();
    const wait = terminal.wait('preparing the database');
    const credentials = await setUp({ config, log }).catch(async (error: unknown) => {
      if (kept) await Promise.all([kept.close(), rm(file)]);
      log.debug({ err: error }, 'setup failed');
      throw new Failure(`The database could not be prepared: ${(error as Error).message}`);
    }).finally(() => wait.end());
    const { workspace_id, api_key, admin_token } = credentials;
    if (kept) {
      const profile = { base_url, ...credentials };
      await kept.writeFile(`${JSON.stringify(profile, null, 2)}\n`);
      await kept.close();
    }
    if (terminal.interactive) {
      terminal.err('The database is ready. These are shown this once:\n');
      terminal.out(`workspace_id  ${workspace_id}\napi_key       ${api_key}\n`
        + `admin_token   ${admin_token}\n`);
      if (kept) terminal.err(`They are kept in ${file}, for ${base_url}.\n`);
    } else {
      terminal.err(`The database is ready. An api key and an admin token are kept in ${file},`
        + ` for ${base_url}.\n`);
    }
  },
});

/**
 * Where clients are to reach the service with these credentials, which they send nowhere else.
 * Throws Failure if nobody can know.
 */
function baseUrlOf({ host, port, public_url }: Config, given: string | undefined): string {
  if (given !== undefined) return normaliseBaseUrl(given);
  if (public_url !== null) return `${public_url.replace(/\/+$/, '')}/v1`;
  if (port !== 0) return `${originOf(host, port)}/v1`;
  throw new Failure('PORT is 0: the service will take any free port, which nobody knows yet. Give'
    + ' --base-url, or set PORT or GATEHOUSE_PUBLIC_URL.', EXIT.usage);
}

/**
 * Makes a file that its owner alone can read, and never replaces one. It is made before there is
 * something to keep: credentials that could not be written would be lost. Throws Failure.
 */
async function newFile(file: string): Promise<FileHandle> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    return await open(file, 'wx', 0o600);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Failure(code === 'EEXIST'
      ? `${file} exists already, and is not overwritten. Move it away, or give another --data-dir.`
      : `The credentials could not be kept: ${message}. Nothing was changed; give --data-dir a`
        + ' folder that can be written.');
  }
}
