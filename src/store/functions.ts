/** The functions of the database, one file each, and which of them a database has. */
import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { Log } from '../log.ts';
import type { Sql, Transaction } from './database.ts';
import { tableOf } from './rows.ts';

export interface SqlFile {
  sql: string;
  sha256: string;
}

/** Reads a file of SQL. Line endings do not count: a checkout may rewrite them. */
export function readSqlFile(file: URL): SqlFile {
  const sql = readFileSync(file, 'utf8').replaceAll('\r\n', '\n');
  return { sql, sha256: hash('sha256', sql, 'hex') };
}

/** The text of a function, with the triggers that call it. */
export interface StoredFunction extends SqlFile {
  name: string;
  /** Every change of the text raises it. A node never applies a revision over a higher one. */
  revision: number;
}

const REVISION = /^-- revision ([1-9]\d*)\n/;

/** Reads the functions of a folder. Throws if a file does not begin with its revision. */
export function readFunctions(directory: URL): StoredFunction[] {
  return readdirSync(directory).filter((file) => file.endsWith('.sql')).sort().map((file) => {
    const text = readSqlFile(new URL(file, directory));
    const [, revision] = REVISION.exec(text.sql) ?? [];
    if (revision === undefined) {
      throw new Error(`the function ${file} must begin with the line "-- revision N".`);
    }
    return { name: file.slice(0, -'.sql'.length), revision: Number(revision), ...text };
  });
}

/** The functions of this version of the program. */
export const FUNCTIONS: readonly StoredFunction[] =
  readFunctions(new URL('./functions/', import.meta.url));

/**
 * The functions that the database lacks or has in a lower revision, and those that it has in the
 * same revision with another text (`conflict`).
 */
export async function functionsBehind(
  sql: Sql | Transaction, functions: readonly StoredFunction[] = FUNCTIONS,
): Promise<(StoredFunction & { conflict: boolean })[]> {
  return behindOf(await sql<RecordedFunction[]>`
    select name, revision, sha256 from schema_functions`, functions);
}

/** A function as the database has it on record. */
export type RecordedFunction = Omit<StoredFunction, 'sql'>;

/** As `functionsBehind`, of a database that has these on record. */
export function behindOf(
  recorded: readonly RecordedFunction[], functions: readonly StoredFunction[],
): (StoredFunction & { conflict: boolean })[] {
  const known = new Map(recorded.map((row) => [row.name, row]));
  return functions.flatMap((file) => {
    const found = known.get(file.name);
    const holds = found && (found.revision > file.revision || found.sha256 === file.sha256);
    return holds ? [] : [{ ...file, conflict: found?.revision === file.revision }];
  });
}

/**
 * Applies the functions that are behind, in the caller's transaction; answers their names. The
 * caller holds the migrations' lock. Throws an Error that says what is wrong with a file.
 */
export async function applyFunctions(
  transaction: Transaction, functions: readonly StoredFunction[], log: Log | undefined,
): Promise<string[]> {
  const behind = await functionsBehind(transaction, functions);
  if (behind.length === 0) return [];
  for (const { name, revision, sql, conflict } of behind) {
    // Nobody knows then which of the two texts is the later one.
    if (conflict) {
      throw new Error(`revision ${revision} of the function ${name} has another text in the`
        + ` database than in ${name}.sql. Every change must raise the revision: raise it in the`
        + ' file. Nothing was changed.');
    }
    try {
      await transaction.unsafe(sql);
    } catch (error) {
      throw new Error(`the function ${name} (revision ${revision}) failed and was rolled back:`
        + ` ${(error as Error).message}`, { cause: error });
    }
    log?.debug({ function: name, revision }, 'function applied');
  }
  await record(transaction, behind);
  return behind.map(({ name }) => name);
}

async function record(
  transaction: Transaction, applied: readonly StoredFunction[]): Promise<void> {
  const names = applied.map(({ name }) => name);
  const [wrong] = await transaction<{ name: string; count: number }[]>`
    select name, count from unnest(${names}::text[]) name, lateral (
      select count(*) from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where p.proname = name and n.nspname = current_schema()) found
    where count <> 1`;
  if (wrong) {
    throw new Error(`with ${wrong.name}.sql there are ${wrong.count} functions of this name, and`
      + ' there must be one: when its parameters change, the file drops the former function first.'
      + ' Nothing was changed.');
  }
  await transaction`
    insert into schema_functions (name, revision, sha256)
    select * from ${tableOf(transaction, 'given', applied,
      { name: 'text', revision: 'int', sha256: 'text' })}
    on conflict (name) do update set revision = excluded.revision, sha256 = excluded.sha256,
      applied_at = now()`;
}
