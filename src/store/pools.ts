/** The connections of one process, and what they are for. */
import { connect, type Sql } from './database.ts';

/** With fewer connections than that, what is asked for would have too few. */
const CONNECTIONS_TO_DIVIDE = 6;
const UPKEEP_CONNECTIONS = 2;
const END_MS = 2_000;

export interface Pools {
  sql: Sql;
  /**
   * For what must go on however much is asked for: whether the node is ready, claims, and the
   * handing back of runs. (The lease has one connection that is nobody else's.)
   */
  upkeep: Sql;
  load: Sql['load'];
  end(): Promise<unknown>;
}

/** So many connections in all, of which two are apart. `direct_url`: as for `connect`. */
export function openPools(url: string, direct_url: string, connections: number): Pools {
  const apart = connections < CONNECTIONS_TO_DIVIDE ? 0 : UPKEEP_CONNECTIONS;
  const sql = connect(url, { max: connections - apart, direct_url });
  const upkeep = apart === 0 ? sql : connect(url, { max: apart, direct_url });
  const all = [...new Set([sql, upkeep])];
  return {
    sql, upkeep,
    load: () => all.map((pool) => pool.load()).reduce((sum, { in_use, waiting }) =>
      ({ in_use: sum.in_use + in_use, waiting: sum.waiting + waiting })),
    end: () => Promise.all(all.map((pool) => pool.end({ timeout_ms: END_MS }))),
  };
}
