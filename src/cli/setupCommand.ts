import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readConfig, type Config } from '../config.ts';
import { createLog } from '../log.ts';
import { originOf } from '../origin.ts';
import { localCommand, ON_DATABASE } from './command.ts';
import { EXIT, Failure } from './failure.ts';
import { flag, toggle } from './inputs.ts';
import { credentialsFile, normaliseBaseUrl } from './profile.ts';
import type { StartCredentials } from './serviceModule.ts';
import { onEndSignal } from './signals.ts';
import type { Terminal } from './terminal.ts';

/** The credentials are in the database for at most so long before this command has them. */
const HANDING_OVER_MS = 2_500;

export const addSetupCommand = localCommand('setup', {
  summary: 'prepare a PostgreSQL of your own',
  description: 'Prepares the database of DATABASE_URL: migrates it and creates a workspace, an api'
    + ' key and an admin token, which are printed this once: on a terminal. Elsewhere, where a log'
    + ' might keep them, they are written to credentials.json. The embedded database needs none of'
    + ' this.',
  inputs: {
    ...ON_DATABASE,
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
    const signalled = Promise.withResolvers<null>();
    let is_signalled = false;
    const release = onEndSignal(() => {
      is_signalled = true;
      signalled.resolve(null);
    });
    const kept = save || !terminal.interactive ? await newFile(file) : null;
    try {
      const log = createLog(config.log_level);
      const { setUp } = await load();
      const wait = terminal.wait('preparing the database');
      // What is made by then is nowhere else: it is waited for a moment, to be kept and shown.
      const interrupted = signalled.promise.then(() => delay(HANDING_OVER_MS, null));
      const credentials = await Promise.race([setUp({ config, log }), interrupted])
        .catch((error: unknown) => {
          log.debug({ err: error }, 'setup failed');
          throw new Failure(`The database could not be prepared: ${(error as Error).message}`);
        }).finally(() => wait.end());
      if (credentials === null) terminal.err('Interrupted. There are no credentials yet.\n');
      else {
        await kept?.write({ base_url, ...credentials }).catch((error: unknown) => {
          // The screen is the one place that is left for them.
          if (terminal.interactive) show(terminal, credentials, null);
          throw error;
        });
        show(terminal, credentials, kept && `kept in ${file}, for ${base_url}`);
      }
      return is_signalled ? EXIT.interrupted : EXIT.ok;
    } finally {
      await kept?.close();
      release();
    }
  },
});

function show(
  terminal: Terminal, { workspace_id, api_key, admin_token }: StartCredentials,
  kept: string | null): void {
  if (!terminal.interactive) {
    terminal.err(`The database is ready. An api key and an admin token are ${kept}.\n`);
    return;
  }
  terminal.err('The database is ready. These are shown this once:\n');
  terminal.out(`workspace_id  ${workspace_id}\napi_key       ${api_key}\n`
    + `admin_token   ${admin_token}\n`);
  if (kept !== null) terminal.err(`They are ${kept}.\n`);
}

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

/** More than credentials take. On a full disk, too, an empty file can be made. */
const ROOM_CHARACTERS = 4_096;

/** A file to be: nobody takes it for one before it has been written. */
interface NewFile {
  write(content: object): Promise<void>;
  /** Leaves nothing behind of one that was not written. */
  close(): Promise<void>;
}

/**
 * Begins a file that its owner alone can read, and never replaces one that holds something. It is
 * begun before there is something to keep, beside its place: credentials that could not be written
 * would be lost, and an empty file in the place would be taken for theirs. Throws Failure.
 */
async function newFile(file: string): Promise<NewFile> {
  if (await holdsSomething(file)) {
    throw new Failure(`${file} exists already, and is not overwritten. Move it away, or give`
      + ' another --data-dir.');
  }
  const begun = `${file}.${randomUUID()}`;
  let handle: FileHandle | undefined;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    handle = await open(begun, 'wx', 0o600);
    await handle.write(' '.repeat(ROOM_CHARACTERS));
  } catch (error) {
    if (handle) {
      await handle.close();
      await rm(begun, { force: true });
    }
    throw new Failure(`The credentials could not be kept: ${(error as Error).message}. Nothing was`
      + ' changed; give --data-dir a folder that can be written.');
  }
  let is_written = false;
  return {
    async write(content) {
      const text = `${JSON.stringify(content, null, 2)}\n`;
      await handle.write(text, 0);
      await handle.truncate(Buffer.byteLength(text));
      is_written = true;
      if (await holdsSomething(file)) {
        throw new Failure(`${file} is there meanwhile, and is not overwritten: the credentials are`
          + ` kept in ${begun}.`);
      }
      await rename(begun, file);
    },
    async close() {
      await handle.close();
      if (!is_written) await rm(begun, { force: true });
    },
  };
}

/** An empty file is what was left of a setup that was ended too soon. */
async function holdsSomething(file: string): Promise<boolean> {
  return await stat(file).then(({ size }) => size > 0, () => false);
}
