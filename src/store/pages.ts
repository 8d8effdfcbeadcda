import type { Sql } from './database.ts';
import type { Statement } from './driver/statement.ts';

/** One page of a list: keyset pagination by id, which is by creation. */
export interface Page {
  limit: number;
  order: 'asc' | 'desc';
  /** The last id (or other column that orders the list) of the page before. */
  after_id?: string | null;
}

/**
 * The end of a list's query: continues after `after_id`, in the page's order, with one row more
 * than the limit, which tells that there are more. The query has a where clause already. `column`:
 * what the list is ordered by, if that is not the id.
 */
export function keyset(sql: Sql, page: Page, column: Statement<unknown> = sql`id`) {
  const after = page.after_id ?? null;
  const rest = after === null ? sql``
    : page.order === 'asc' ? sql`and ${column} > ${after}` : sql`and ${column} < ${after}`;
  const order = page.order === 'asc' ? sql`order by ${column}` : sql`order by ${column} desc`;
  return sql`${rest} ${order} limit ${page.limit + 1}`;
}
