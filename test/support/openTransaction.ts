import type { Sql, Transaction } from '../../src/store/database.ts';

/** The longest that a file of tests may take. */
const LIMIT_MS = 600_000;

/**
 * Does `work` in a transaction that a slow machine does not end: it may take as long as its file,
 * and may be idle meanwhile.
 */
export async function openTransaction<T>(
  sql: Sql, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return await sql.begin(async (tx) => {
    await tx`set local idle_in_transaction_session_timeout = 0`;
    return await work(tx);
  }, { limit_ms: LIMIT_MS });
}

/**
 * Does `take` in such a transaction, and keeps what that has locked. Call what this answers to let
 * it go.
 */
export async function hold(
  sql: Sql, take: (tx: Transaction) => PromiseLike<unknown>): Promise<() => Promise<void>> {
  const taken = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const holding = openTransaction(sql, async (tx) => {
    await take(tx);
    taken.resolve();
    await released.promise;
  });
  await Promise.race([taken.promise, holding]);
  return async () => {
    released.resolve();
    await holding;
  };
}

/**
 * Has a transaction see the database as it is now, as a dump of it does, until what this answers is
 * called: no row that goes meanwhile is cleared away.
 */
export async function lookBack(sql: Sql): Promise<() => Promise<void>> {
  return await hold(sql, async (tx) => {
    await tx`set transaction isolation level repeatable read`;
    await tx`select`;
  });
}
