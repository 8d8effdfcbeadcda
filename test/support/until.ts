import type { Sql } from '../../src/store/database.ts';

/** Asks until the answer is yes, as fast as the asking goes; the test's timeout bounds it. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!await condition()) await new Promise((resolve) => setImmediate(resolve));
}

/** Ids of one millisecond are in no order: what is made after this comes later in every list. */
export async function nextMillisecond(): Promise<void> {
  const now_ms = Date.now();
  await until(async () => Date.now() > now_ms);
}

/**
 * Holds a table, so that whatever wants to write to it waits. `work` gets what resolves once
 * somebody does; the table is free again when `work` is done.
 */
export async function whileTableIsHeld<T>(
  sql: Sql, table: string, work: (somebodyWaits: () => Promise<void>) => Promise<T>): Promise<T> {
  return await sql.begin(async (tx) => {
    await tx.unsafe(`lock table ${table} in exclusive mode`);
    return await work(() => until(async () => {
      const [row] = await sql`
        select 1 from pg_locks where relation = ${table}::regclass and not granted`;
      return row !== undefined;
    }));
  }) as T;
}
