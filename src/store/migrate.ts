import { readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { buildConcurrently, concurrentIndexes } from './concurrentMigration.ts';
import { connect, type Sql, type Transaction } from './database.ts';
import {
  applyFunctions, behindOf, FUNCTIONS, readSqlFile, type RecordedFunction, type SqlFile,
  type StoredFunction,
} from './functions.ts';
import { MIGRATION_LOCK } from './locks.ts';
import { misplacedTables } from './misplacedTables.ts';
import { only } from './rows.ts';

export interface Migration extends SqlFile {
  version: number;
  name: string;
}

const FILE_NAME = /^(\d{4})-([a-z0-9-]+)\.sql$/;

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
    return { version: i + 1, name: name!, ...readSqlFile(new URL(file, directory)) };
  });
}

/** The migrations of this version of the program. */
export const MIGRATIONS: readonly Migration[] =
  readMigrations(new URL('./migrations/', import.meta.url));

/** The schema that this version of the program works with. */
export const LATEST_VERSION: number = MIGRATIONS.length;

/** What a database is made of. */
export interface Schema {
  migrations: readonly Migration[];
  functions: readonly StoredFunction[];
}

/**
 * Brings the database to the latest schema: forward only, one transaction per migration, the
 * functions in the last one, so that an interrupted transaction leaves nothing behind. Migrations
 * that build indexes beside writers have none (see concurrentMigration.ts), and go through
 * `direct_url` if `sql` leads through a pooler. Processes that start together wait for each other.
 * Answers the numbers of the migrations and the names of the functions that were applied now.
 *
 * Throws an Error that says what to do when the database has a newer schema than this program, when
 * a migration or function was changed after it had been applied, when the database's role may not
 * change the schema, or looks for it elsewhere; the transaction that failed has changed nothing.
 */
export async function migrate(
  sql: Sql, log?: Log, schema: Schema = { migrations: MIGRATIONS, functions: FUNCTIONS },
  direct_url?: string): Promise<{ applied: number[]; functions: string[] }> {
  const applied: number[] = [];
  let pause = pauses(log);
  const fault = await misplacedTables(sql);
  if (fault) throw new Error(`${fault.found}. ${fault.advice}`);
  try {
    for (;;) {
      const step = await applyNext(sql, schema, applied, log);
      if (Array.isArray(step)) return { applied, functions: step };
      if (step === 'locked') {
        await pause();
        continue;
      }
      if (step !== 'applied' && await applyConcurrently(sql, step, direct_url, log)) {
        applied.push(step.version);
      }
      pause = pauses(log);
    }
  } catch (error) {
    const { code, cause } = error as { code?: string; cause?: { code?: string } };
    if (code !== INSUFFICIENT_PRIVILEGE && cause?.code !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new Error('The role of the database URL may not bring the database up to date'
      + ` (${(error as Error).message}). Connect as the role that owns the database and has set it`
      + ' up.', { cause: error });
  }
}

/** Whether the database has the schema and the functions of this program, or newer ones. */
export async function isUpToDate(sql: Sql): Promise<boolean> {
  try {
    // In one statement: who is asked whether it is ready must answer soon, also when it is busy.
    const row = await only(sql<{ version: number; functions: RecordedFunction[] }[]>`
      select (select coalesce(max(version), 0)::int from schema_migrations) as version,
        (select coalesce(json_agg(f), '[]')
          from (select name, revision, sha256 from schema_functions) f) as functions`);
    return row.version >= LATEST_VERSION && behindOf(row.functions, FUNCTIONS).length === 0;
  } catch (error) {
    if ((error as { code?: string }).code === UNDEFINED_TABLE) return false;
    throw error;
  }
}

/** The version of the database's schema; 0 if it has none. */
export async function schemaVersion(sql: Sql | Transaction): Promise<number> {
  const table = await only(sql<{ name: string | null }[]>`
    select to_regclass('schema_migrations')::text as name`);
  if (table.name === null) return 0;
  const { version } = await only(sql<{ version: number }[]>`
    select coalesce(max(version), 0)::int as version from schema_migrations`);
  return version;
}

/**
 * Says of a database from before the first release that nothing brings it up to date, and what to
 * do; null for all others.
 */
export async function unreleasedSchema(sql: Sql | Transaction): Promise<string | null> {
  if (await schemaVersion(sql) === 0) return null;
  return unreleased(await readHistory(sql), MIGRATIONS);
}

/** Throws an Error that says what to do, unless the schema is that of this program. */
export async function requireUpToDate(sql: Sql): Promise<void> {
  const stranger = await unreleasedSchema(sql);
  if (stranger) throw new Error(stranger);
  if (await schemaVersion(sql) === LATEST_VERSION) return;
  throw new Error('The database is of another version. Start `gatehouse serve` of this version'
    + ' first, which brings it up to date.');
}

const INSUFFICIENT_PRIVILEGE = '42501';
const UNDEFINED_TABLE = '42P01';
// Another node may be migrating, and a large table takes its time.
const MIGRATION_LIMIT_MS = 60 * 60 * 1_000;

const LOCK_PAUSE_MS = 100;

/**
 * Pauses between two tries to get the lock. The first says in the log that there is something to
 * wait for; one that comes later than a migration may take throws.
 */
function pauses(log: Log | undefined): () => Promise<void> {
  const until_ms = performance.now() + MIGRATION_LIMIT_MS;
  let is_told = false;
  return async () => {
    if (performance.now() > until_ms) {
      throw new Error('another process has kept this one from migrating the database for'
        + ` ${MIGRATION_LIMIT_MS / 60_000} minutes. Look in pg_stat_activity what it does or waits`
        + ' for, and then start this one again.');
    }
    if (!is_told) log?.info('another process migrates the database, and this one waits for it');
    is_told = true;
    await delay(LOCK_PAUSE_MS);
  };
}

/**
 * Applies the next migration in its own transaction. If no other follows, it applies the functions
 * too, and answers their names. If another process is at it, or the next one needs to be applied
 * without a transaction, it answers that. The lock belongs to the transaction, not to the session,
 * so that it also works through a pooler that hands out connections per transaction.
 */
async function applyNext(
  sql: Sql, { migrations, functions }: Schema, applied: number[], log: Log | undefined,
): Promise<'applied' | 'locked' | Migration | string[]> {
  return await sql.begin(async (transaction) => {
    await transaction`set local lock_timeout = 0`;
    // To wait for it would hold up who builds an index, and has it: see concurrentMigration.ts.
    const lock = await only(transaction<{ taken: boolean }[]>`
      select pg_try_advisory_xact_lock(${MIGRATION_LOCK}) as taken`);
    if (!lock.taken) return 'locked';
    await transaction`
      create table if not exists schema_migrations (
        version    integer primary key,
        name       text not null,
        sha256     text not null,
        applied_at timestamptz not null default now()
      )`;
    const history = await readHistory(transaction);
    checkHistory(history, migrations);
    const [next, ...later] = migrations.slice(history.length);
    if (next !== undefined) {
      if (concurrentIndexes(next.sql) !== null) return next;
      await apply(transaction, next, log);
      applied.push(next.version);
    }
    return later.length > 0 ? 'applied' : await applyFunctions(transaction, functions, log);
  }, { limit_ms: MIGRATION_LIMIT_MS }) as 'applied' | 'locked' | Migration | string[];
}

/** Answers false if another process has applied it meanwhile. */
async function applyConcurrently(
  sql: Sql, migration: Migration, direct_url: string | undefined, log: Log | undefined,
): Promise<boolean> {
  const started_ms = performance.now();
  const direct = direct_url === undefined ? sql : connect(direct_url, { max: 1 });
  try {
    return await buildConcurrently(direct, concurrentIndexes(migration.sql)!, {
      limit_ms: MIGRATION_LIMIT_MS, pause: pauses(log),
      isNext: async (one) => await schemaVersion(one) === migration.version - 1,
      record: (one) => record(one, migration, started_ms, log),
    });
  } catch (error) {
    throw new Error(`migration ${label(migration)} failed; what it has built stays, and the next`
      + ` start goes on: ${(error as Error).message}`, { cause: error });
  } finally {
    if (direct !== sql) await direct.end();
  }
}

async function apply(
  transaction: Transaction, migration: Migration, log: Log | undefined): Promise<void> {
  const started_ms = performance.now();
  try {
    await transaction.unsafe(migration.sql);
  } catch (error) {
    throw new Error(`migration ${label(migration)} failed and was rolled back:`
      + ` ${(error as Error).message}`, { cause: error });
  }
  await record(transaction, migration, started_ms, log);
}

async function record(
  one: Transaction, migration: Migration, started_ms: number, log: Log | undefined,
): Promise<void> {
  await one`
    insert into schema_migrations (version, name, sha256)
    values (${migration.version}, ${migration.name}, ${migration.sha256})`;
  log?.debug({ migration: label(migration), took_ms: Math.round(performance.now() - started_ms) },
    'migration applied');
}

type AppliedMigration = Pick<Migration, 'version' | 'name' | 'sha256'>;

async function readHistory(sql: Sql | Transaction): Promise<AppliedMigration[]> {
  return await sql<AppliedMigration[]>`
    select version, name, sha256 from schema_migrations order by version`;
}

function unreleased(
  history: readonly AppliedMigration[], migrations: readonly Migration[]): string | null {
  const stranger = history.find(({ name }, i) => migrations[i] && migrations[i].name !== name);
  return stranger ? `the database has the migration ${label(stranger)}, which is none of this`
    + ' version: it was made before the first release, and nothing brings it up to date. Begin with'
    + ' an empty database, by DATABASE_URL or GATEHOUSE_DATA_DIR.' : null;
}

function checkHistory(
  history: readonly AppliedMigration[], migrations: readonly Migration[]): void {
  const stranger = unreleased(history, migrations);
  if (stranger) throw new Error(`${stranger} Nothing was changed.`);
  const newest = history.at(-1)?.version ?? 0;
  if (newest > migrations.length) {
    throw new Error(`the database has schema ${newest}, and this version of gatehouse knows`
      + ` ${migrations.length}: a newer gatehouse has migrated it. Run that version or a later one,`
      + ' or restore a backup from before. Nothing was changed.');
  }
  for (const [i, row] of history.entries()) {
    const known = migrations[i]!;
    if (row.version === known.version && row.sha256 === known.sha256) continue;
    throw new Error(`migration ${label(row)} was applied to the database in another form than the`
      + ` file ${label(known)}.sql has now. If it was made before the first release, begin with an`
      + ' empty database, by DATABASE_URL or GATEHOUSE_DATA_DIR. Otherwise restore the file, which'
      + ' must never change, and put the change into a new one. Nothing was changed.');
  }
}

function label({ version, name }: { version: number; name: string }): string {
  return `${String(version).padStart(4, '0')}-${name}`;
}
