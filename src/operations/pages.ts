import { GatehouseError } from '../errors.ts';
import type { Page } from '../store/pages.ts';

/** The list a cursor is of. One cursor never fits another list, or another workspace. */
export type ListName =
  | 'sessions' | 'runs' | 'actions' | 'action_invocations' | 'workspaces' | 'api_keys'
  | 'integrations' | 'connections' | 'grants' | 'approvals' | 'audit_entries';

interface List<T> {
  object: 'list';
  data: T[];
  has_more: boolean;
  next_cursor: string | null;
}

/** The page that a list operation's query asks for. Throws invalid_cursor. */
export function pageOf(
  list: ListName, workspace_id: string | null,
  query: { limit: number; order: 'asc' | 'desc'; cursor?: string }): Page {
  return {
    limit: query.limit,
    order: query.order,
    after_id: query.cursor === undefined ? null : readCursor(list, workspace_id, query.cursor),
  };
}

/**
 * The envelope of a page. `rows` may hold one more than `limit`, which tells that there are more;
 * `keyOf` is the place of a row in the list.
 */
export function listOf<Row, T>(
  list: ListName, workspace_id: string | null, limit: number, rows: readonly Row[],
  keyOf: (row: Row) => string, present: (row: Row) => T): List<T> {
  const page = rows.slice(0, limit);
  const has_more = rows.length > limit;
  return {
    object: 'list',
    data: page.map(present),
    has_more,
    next_cursor: has_more ? writeCursor(list, workspace_id, keyOf(page.at(-1)!)) : null,
  };
}

function writeCursor(list: ListName, workspace_id: string | null, after: string): string {
  return Buffer.from(JSON.stringify([list, workspace_id, after])).toString('base64url');
}

/** The place a cursor stands for. Throws invalid_cursor for anything but our own, of this list. */
export function readCursor(list: ListName, workspace_id: string | null, cursor: string): string {
  try {
    const content: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const [of, owner, after] = content as unknown[];
    if (of === list && owner === workspace_id && typeof after === 'string'
      // Nor one that is made up: the database takes no U+0000.
      && !after.includes('\0') && writeCursor(list, workspace_id, after) === cursor) return after;
  } catch {
    // Not ours: said below.
  }
  throw invalidCursor();
}

/** The error for a cursor that is not of the list. */
export function invalidCursor(): GatehouseError {
  return new GatehouseError('invalid_cursor',
    'The cursor is not valid for this list. Use next_cursor of the page before as it is.',
    { param: 'cursor' });
}
