/** Sessions and runs by a pair of their metadata, written `key=value`. */
import type { Scope } from '../caller.ts';
import type { Sql, Transaction } from './database.ts';
import type { Statement } from './driver/statement.ts';
import { idsFrom, some } from './rows.ts';

/** Rows of a workspace whose metadata has the pair, or has had it. */
export interface PairedRows {
  workspace_id: string;
  /** How their ids begin. */
  kind: 'run_' | 'ses_';
  pair: string;
}

/** So many rows are looked at one by one, whatever else is asked for: they take about 50 ms. */
const FEW = 10_000;

/** ` and metadata …` for what has this pair now; nothing without one. */
export function hasMetadata(sql: Sql | Transaction, pair: string | undefined) {
  if (pair === undefined) return sql``;
  const { key, value } = keyAndValue(pair);
  return sql`and metadata->>${key} = ${value}`;
}

/**
 * By which rows a list is read: those that have the pair, one by one. Null where no pair is asked
 * for; and where a filter is asked for as well and many rows have the pair. Then few of them may
 * fit the filter, and its own index leads to the rows, each of which is held against the pair.
 * `filters` are all that there are beside the pair.
 */
export async function findBy(
  sql: Sql | Transaction, { workspace_id, session_id }: Scope, kind: PairedRows['kind'],
  pair: string | undefined, filters: Readonly<Record<string, string | undefined>>,
): Promise<PairedRows | null> {
  if (pair === undefined) return null;
  const found = { workspace_id, kind, pair };
  const is_alone = session_id === null
    && Object.values(filters).every((one) => one === undefined);
  return is_alone || !await some(sql`${idsOf(sql, found)} offset ${FEW} limit 1`) ? found : null;
}

/**
 * The rows of `table` where `such` holds, for a query that goes on with `where` and orders by
 * `found_id`: they are looked at one by one in the order of their ids, until there are enough; of
 * the `newest` alone, if so many are given. Left to choose, the planner read a million rows for
 * twenty (1 s), or gave up an order (5 s).
 */
export function eachFound(
  sql: Sql | Transaction, found: PairedRows, table: Statement<unknown>, such: Statement<unknown>,
  newest?: number) {
  const few = newest === undefined ? sql`` : sql`order by id desc limit ${newest}`;
  return sql`(${idsOf(sql, found)} ${few}) found cross join lateral (
    select * from ${table} where ${such} and id = found_id offset 0) ${table}`;
}

function idsOf(sql: Sql | Transaction, { workspace_id, kind, pair }: PairedRows) {
  const { key, value } = keyAndValue(pair);
  return sql`
    select id as found_id from metadata_pairs where workspace_id = ${workspace_id}
      and key = ${key} and value = ${value} ${idsFrom(sql, kind)}`;
}

function keyAndValue(pair: string): { key: string; value: string } {
  const at = pair.indexOf('=');
  return { key: pair.slice(0, at), value: pair.slice(at + 1) };
}
