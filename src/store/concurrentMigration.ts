/**
 * Migrations that build indexes while others write. Their file begins with the line
 * `-- concurrently`, and holds nothing but `create index concurrently if not exists …;`, and
 * `drop index concurrently if exists …;` for those that it replaces.
 */
import type { Sql, Transaction } from './database.ts';
import { MIGRATION_LOCK } from './locks.ts';
import { only } from './rows.ts';

const FIRST_LINE = '-- concurrently\n';
const CREATE_INDEX = /^create (?:unique )?index concurrently if not exists (\w+)\s+on /i;
const DROP_INDEX = /^drop index concurrently if exists (\w+)$/i;

/** The statements of a migration, by the names of their indexes; null if it is none of these. */
export function concurrentIndexes(sql: string): Map<string, string> | null {
  if (!sql.startsWith(FIRST_LINE)) return null;
  const text = sql.split('\n').filter((line) => !line.startsWith('--')).join('\n');
  const statements = text.split(/;\s*(?:\n|$)/).map((each) => each.trim()).filter(Boolean);
  return new Map(statements.map((statement) => {
    const [, name] = CREATE_INDEX.exec(statement) ?? DROP_INDEX.exec(statement) ?? [];
    if (name === undefined) {
      throw new Error('a migration that begins with "-- concurrently" may hold nothing but'
        + ' "create index concurrently if not exists" and "drop index concurrently if exists":'
        + ` ${statement}`);
    }
    return [name, statement];
  }));
}

/**
 * Builds the indexes, each outside a transaction, and then does `record` in the same session, which
 * holds the lock meanwhile; nothing at all if `isNext` says that another process was faster. What
 * an interrupted build has left behind is dropped and built again.
 *
 * A build waits for every transaction that was open when it began, and so must not wait for one
 * that waits for it: whoever wants the lock tries it again and again, with a `pause` between.
 */
export async function buildConcurrently(
  direct: Sql, indexes: Map<string, string>,
  options: {
    limit_ms: number; pause(): Promise<void>;
    isNext(one: Transaction): Promise<boolean>; record(one: Transaction): Promise<void>;
  }): Promise<boolean> {
  const { limit_ms, pause, isNext, record } = options;
  return await direct.together(async (one) => {
    const tried = () => only(one<{ taken: boolean }[]>`
      select pg_try_advisory_lock(${MIGRATION_LOCK}) as taken`);
    while (!(await tried()).taken) await pause();
    try {
      if (!await isNext(one)) return false;
      for (const [name, statement] of indexes) await build(one, name, statement);
      await record(one);
      return true;
    } finally {
      await one`select pg_advisory_unlock(${MIGRATION_LOCK})`;
    }
  }, { limit_ms });
}

async function build(one: Transaction, name: string, statement: string): Promise<void> {
  if (DROP_INDEX.test(statement)) {
    await one.unsafe(statement);
    return;
  }
  const [found] = await one<{ valid: boolean }[]>`
    select indisvalid as valid from pg_index where indexrelid = to_regclass(${name})`;
  if (found?.valid) return;
  if (found) await one.unsafe(`drop index concurrently ${name}`);
  await one.unsafe(statement);
}
