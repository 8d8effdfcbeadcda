import type { Sql } from './database.ts';

/** One page of a list: keyset pagination by id, which is by creation. */
export interface Page {
  limit: number;
  order: 'asc' | 'desc';
  /** The last id of the page before. */
  after_id?: string | null;
}

/**
 * The end of a list's query: continues after `after_id`, in the page's order, with one row more
 * than the limit, which tells that there are more. The query has a where clause already.
 */
export function keyset(sql: Sql, page: Page) {
  const after = page.after_id ?? null;
  const rest = after === null ? sql``
    : page.order === 'asc' ? sql`and id > ${after}` : sql`and id < ${after}`;
  const order = page.order === 'asc' ? sql`order by id` : sql`order by id desc`;
  return sql`${rest} ${order} limit ${page.limit + 1}`;
}
