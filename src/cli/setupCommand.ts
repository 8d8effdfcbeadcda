import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Command } from 'commander';
import { readClientEnvironment, readConfig, type Config } from '../config.ts';
import { createLog } from '../log.ts';
import { originOf } from '../origin.ts';
import type { Act } from './act.ts';
import { EXIT, Failure } from './failure.ts';
import { credentialsFile } from './profile.ts';
import type { LoadService } from './serviceModule.ts';
import { processTerminal } from './terminal.ts';

interface SetupOptions {
  databaseUrl?: string;
  dataDir?: string;
  save?: boolean;
}

/** `setup`: for a PostgreSQL of one's own. */
export function addSetupCommand(program: Command, act: Act, load: LoadService): void {
  program.command('setup')
    .summary('prepare a PostgreSQL of your own')
    .description('Prepares the database of DATABASE_URL: migrates it and creates a workspace, an'
      + ' api key\nand an admin token, which are printed this once. The embedded database needs'
      + ' none of this.')
    .option('--database-url <url>', 'as DATABASE_URL')
    .option('--data-dir <folder>', 'as GATEHOUSE_DATA_DIR')
    .option('--save', 'also write credentials.json in the data directory, for this command')
    .addHelpText('after', '\nExample:\n'
      + '  DATABASE_URL=postgres://me:secret@db.example.com/gatehouse gatehouse setup --save')
    .action(act((options: SetupOptions) => setup(options, load)));
}

async function setup(options: SetupOptions, load: LoadService): Promise<number> {
  const config = configOf(options);
  const file = credentialsFile(config.data_dir);
  if (options.save && existsSync(file)) {
    throw new Failure(`${file} exists already, and is not overwritten. Move it away, or leave out`
      + ' --save.');
  }
  const log = createLog(config.log_level);
  const { setUp } = await load();
  const credentials = await setUp({ config, log }).catch((error: unknown) => {
    log.debug({ err: error }, 'setup failed');
    throw new Failure(`The database could not be prepared: ${(error as Error).message}`);
  });
  const terminal = processTerminal(readClientEnvironment());
  terminal.err('The database is ready. These are shown this once:\n');
  terminal.out(`workspace_id  ${credentials.workspace_id}\napi_key       ${credentials.api_key}\n`
    + `admin_token   ${credentials.admin_token}\n`);
  if (options.save) {
    await save(file, { base_url: `${originOf(config.host, config.port)}/v1`, ...credentials });
    terminal.err(`They are kept in ${file}.\n`);
  }
  return EXIT.ok;
}

function configOf({ databaseUrl, dataDir }: SetupOptions): Config {
  let config: Config;
  try {
    config = readConfig(undefined, { database_url: databaseUrl, data_dir: dataDir },
      { log_level: 'warn' });
  } catch (error) {
    throw new Failure((error as Error).message);
  }
  if (config.database_url !== null) return config;
  throw new Failure('Which database? Set DATABASE_URL or give --database-url. (The embedded'
    + ' database needs no setup: `gatehouse serve` prepares it.)', EXIT.usage);
}

/** Readable by its owner alone; never over a file that is there. */
async function save(file: string, profile: object): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, `${JSON.stringify(profile, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
}
