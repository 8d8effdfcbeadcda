import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { embeddedState, startEmbedded, type EmbeddedDatabase } from './embedded.ts';

export interface DatabaseWish {
  config: Config;
  log: Log;
  onProgress?: ((message: string) => void) | undefined;
  /** Called before a new embedded database is made: what it throws keeps it from being made. */
  beforeMaking?: () => Promise<void>;
}

/**
 * The database of a configuration: that of DATABASE_URL, or the embedded one, which is started if
 * it does not run. Throws an Error that says what to do.
 */
export async function startDatabase(
  { config, log, onProgress = () => {}, beforeMaking }: DatabaseWish): Promise<EmbeddedDatabase> {
  const { data_dir, database_url: url } = config;
  if (url !== null) return { url, leads: async () => false, stop: async () => {} };
  const { state } = await embeddedState(data_dir);
  onProgress(state === 'running' ? `Using the embedded PostgreSQL that runs in ${data_dir}`
    : `Starting the embedded PostgreSQL in ${data_dir}`);
  return await startEmbedded({ data_dir, log, onProgress, beforeMaking });
}

/** Throws an Error if the database of this configuration would have to be made first. */
export async function requireDatabase(
  { database_url, data_dir }: Pick<Config, 'database_url' | 'data_dir'>): Promise<void> {
  if (database_url !== null || (await embeddedState(data_dir)).state !== 'absent') return;
  throw new Error(`There is no database in ${data_dir}. Set GATEHOUSE_DATA_DIR, or DATABASE_URL`
    + ' for a PostgreSQL of your own.');
}
