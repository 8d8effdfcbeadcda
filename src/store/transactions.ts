import type { Sql, Transaction } from './database.ts';

/**
 * Gives a pool its transactions on connections of their own.
 *
 * postgres.js 3.4.9 sends BEGIN down a connection that other queries are using, and reserves the
 * connection only if the socket took the bytes at once and fewer than `max_pipeline` queries are
 * before it. If not, BEGIN fails, but the connection stays in a transaction that nobody ends, and
 * what others write there is acknowledged and lost. (Seen under load with `max_pipeline: 1`: runs
 * whose committed events were gone.) Here no more transactions run at once than there are
 * connections, so that each begins on an idle one; the other connections never see a BEGIN.
 */
export function withOwnTransactions(
  pool: Sql, max: number, open: (max: number) => Sql): Sql {
  let transactions: Sql | undefined;
  const gate = new Gate(max);
  const { end } = pool;
  return Object.assign(pool, {
    begin: <T>(work: (transaction: Transaction) => Promise<T>) => gate.pass(() => {
      transactions ??= open(max);
      return transactions.begin(work);
    }),
    end: async (options?: { timeout?: number }) => {
      await Promise.all([end(options), transactions?.end(options)]);
    },
  }) as Sql;
}

/** Lets so many through at once, the others in the order they came. */
class Gate {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(places: number) {
    this.#free = places;
  }

  async pass<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}
