import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { Log } from '../log.ts';
import type { Sql, Transaction } from './database.ts';

export interface Migration {
  version: number;
  name: string;
  sql: string;
  sha256: string;
}

const FILE_NAME = /^(\d{4})-([a-z0-9-]+)\.sql$/;
// Any fixed number; whoever migrates a database holds it.
const MIGRATION_LOCK = 4_735_270_913;

/**
 * Reads the migrations of a folder, in order. Throws if a file is named otherwise than
 * NNNN-name.sql or if the numbers are not 1, 2, 3, …
 */
export function readMigrations(directory: URL): Migration[] {
  return readdirSync(directory).filter((name) => name.endsWith('.sql')).sort().map((file, i) => {
    const [, number, name] = FILE_NAME.exec(file) ?? [];
    if (Number(number) !== i + 1) {
      throw new Error(`the migration ${file} must be named`
        + ` ${String(i + 1).padStart(4, '0')}-name.sql: numbers follow each other without a gap.`);
    }
    const sql = readFileSync(new URL(file, directory), 'utf8');
    return { version: i + 1, name: name!, sql, sha256: digest(sql) };
  });
}

/** The migrations of this version of the program. */
export const MIGRATIONS: readonly Migration[] =
  readMigrations(new URL('./migrations/', import.meta.url));

/** The schema that this version of the program works with. */
export const LATEST_VERSION: number = MIGRATIONS.length;

/**
 * Brings the database to the latest schema: forward only, one transaction per file, so that an
 * interrupted one leaves nothing behind. Processes that start together wait for each other.
 * Answers the numbers that were applied now, and the version reached.
 *
 * Throws an Error that says what to do when the database has a newer schema than this program, or
 * when a migration was changed after it had been applied; nothing is changed then.
 */
export async function migrate(
  sql: Sql, log?: Log, migrations: readonly Migration[] = MIGRATIONS,
): Promise<{ applied: number[]; version: number }> {
  const applied: number[] = [];
  while (await applyNext(sql, migrations, applied, log)) { /* until there is none */ }
  return { applied, version: migrations.length };
}

/** The version of the database's schema; 0 if it has none. */
export async function schemaVersion(sql: Sql | Transaction): Promise<number> {
  const [table] = await sql<{ name: string | null }[]>`
    select to_regclass('schema_migrations')::text as name`;
  if (table!.name === null) return 0;
  const [row] = await sql<{ version: number }[]>`
    select coalesce(max(version), 0)::int as version from schema_migrations`;
  return row!.version;
}

// Another node may be migrating, and a large table takes its time.
const MIGRATION_LIMIT_MS = 60 * 60 * 1_000;

/**
 * Applies one migration in its own transaction. The lock belongs to the transaction, not to the
 * session, so that it also works through a pooler that hands out connections per transaction.
 */
async function applyNext(
  sql: Sql, migrations: readonly Migration[], applied: number[], log: Log | undefined,
): Promise<boolean> {
  return await sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(${MIGRATION_LOCK})`;
    await transaction`
      create table if not exists schema_migrations (
        version    integer primary key,
        name       text not null,
        sha256     text not null,
        applied_at timestamptz not null default now()
      )`;
    const done = await transaction<{ version: number; name: string; sha256: string }[]>`
      select version, name, sha256 from schema_migrations order by version`;
    checkHistory(done, migrations);
    const next = migrations[done.length];
    if (next === undefined) return false;
    const started_ms = Date.now();
    try {
      await transaction.unsafe(next.sql);
    } catch (error) {
      throw new Error(`migration ${label(next)} failed and was rolled back:`
        + ` ${(error as Error).message}`, { cause: error });
    }
    await transaction`
      insert into schema_migrations (version, name, sha256)
      values (${next.version}, ${next.name}, ${next.sha256})`;
    applied.push(next.version);
    log?.info({ migration: label(next), took_ms: Date.now() - started_ms }, 'migration applied');
    return true;
  }, { limit_ms: MIGRATION_LIMIT_MS });
}

function checkHistory(
  done: readonly { version: number; name: string; sha256: string }[],
  migrations: readonly Migration[],
): void {
  const newest = done.at(-1)?.version ?? 0;
  if (newest > migrations.length) {
    throw new Error(`the database has schema ${newest}, and this version of gatehouse knows`
      + ` ${migrations.length}: a newer gatehouse has migrated it. Run that version or a later one,`
      + ' or restore a backup from before. Nothing was changed.');
  }
  for (const [i, row] of done.entries()) {
    const known = migrations[i]!;
    if (row.version === known.version && row.sha256 === known.sha256) continue;
    throw new Error(`migration ${label(row)} was applied to the database in another form than the`
      + ` file ${label(known)}.sql has now. An applied migration must never change: restore the`
      + ' file, and put the change into a new one. Nothing was changed.');
  }
}

function label({ version, name }: { version: number; name: string }): string {
  return `${String(version).padStart(4, '0')}-${name}`;
}

/** Line endings do not count: a checkout may rewrite them. */
function digest(text: string): string {
  return createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex');
}
