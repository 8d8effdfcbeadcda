/** What a workspace may store, and whether it has. */
import { Background } from '../coalesce.ts';
import type { Config } from '../config.ts';
import { storageFull } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Sql } from '../store/database.ts';
import { foldStorage, storageOf } from '../store/storage.ts';

type Limit = Pick<Config, 'workspace_storage_bytes'>;

/** Between two additions of what was stored; for so long a workspace may go beyond its limit. */
const FOLD_MS = 2_000;

/** The limit of a workspace that has `own` of its own, in bytes; null for none. */
export function storageLimit(
  { workspace_storage_bytes }: Limit, own: number | null | undefined): number | null {
  return own ?? (workspace_storage_bytes === 0 ? null : workspace_storage_bytes);
}

/** Throws storage_full if the workspace has stored all that it may. */
export async function checkStorage(sql: Sql, config: Limit, workspace_id: string): Promise<void> {
  const stored = await storageOf(sql, workspace_id);
  const limit = storageLimit(config, stored?.limit);
  if (stored && limit !== null && stored.bytes >= limit) throw storageFull(limit);
}

/** Adds up what was stored, now and then. */
export function keepAddingUp(sql: Sql, log: Log): Background {
  const adding = new Background(() => foldStorage(sql).catch((error: unknown) =>
    log.warn({ err: error }, 'what was stored could not be added up')), FOLD_MS);
  adding.open();
  return adding;
}
