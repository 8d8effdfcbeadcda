/** The operations that only read: the pages of a list, and one thing by its id. */
import type { Caller } from '../caller.ts';
import { GatehouseError, notFound } from '../errors.ts';
import { jsonChars } from '../json.ts';
import { PAGE_BYTES, type Page, type SizedPage } from '../store/rows.ts';
import type { Services } from './services.ts';

/** The list that a cursor is of. A cursor fits no other list and no other workspace. */
export type ListName =
  | 'sessions' | 'runs' | 'actions' | 'action_invocations' | 'workspaces' | 'api_keys'
  | 'admin_tokens' | 'integrations' | 'connections' | 'grants' | 'approvals' | 'audit_entries'
  | 'messages' | 'dashboard_sessions';

/** What a place in a list looks like: an id, the name of an action, the number of an entry. */
const PLACE = /^[\w.-]{1,255}$/;

interface ListContext {
  caller: Caller | null;
  params: { query: { limit: number; order?: 'asc' | 'desc'; cursor?: string } };
  services: Services;
}

interface ListReply<T> {
  object: 'list';
  data: T[];
  has_more: boolean;
  next_cursor: string | null;
}

/**
 * An operation that answers a page of a list. `read` answers the rows of the page, and at least one
 * more if there are more, or it says itself whether there are; their ids are their places in the
 * list. Throws invalid_cursor.
 */
export function listOperation<C extends ListContext, Row extends { id: string }, T>(
  list: ListName,
  read: (context: C, page: Page) => Promise<readonly Row[] | SizedPage<Row>>,
  present: (row: Row) => T,
): (context: C) => Promise<{ status: 200; body: ListReply<T> }> {
  return async (context) => {
    const { caller, params: { query: { limit, order = 'asc', cursor } } } = context;
    const workspace_id = caller && caller.workspace_id;
    const after_id = cursor === undefined ? null : readCursor(list, workspace_id, cursor);
    const found = await read(context, { limit, order, after_id });
    const { rows, has_more: rest } = 'rows' in found ? found
      : { rows: found.slice(0, limit), has_more: found.length > limit };
    const data = withinChars(rows.map(present));
    const has_more = rest || data.length < rows.length;
    const next_cursor = has_more
      ? writeCursor(list, workspace_id, rows[data.length - 1]!.id) : null;
    return { status: 200, body: { object: 'list', data, has_more, next_cursor } };
  };
}

/** The first items, up to the one with which their JSON has about PAGE_BYTES characters. */
function withinChars<T>(items: T[]): T[] {
  let chars = 0;
  const last = items.findIndex((item) => (chars += jsonChars(item, PAGE_BYTES)) >= PAGE_BYTES);
  return last === -1 ? items : items.slice(0, last + 1);
}

/** An operation that answers one thing, by the id that is its only path parameter, or not_found. */
export function getOperation<C extends { params: { path: object } }, Row, T>(
  what: string, read: (context: C, id: string) => Promise<Row | undefined>,
  present: (row: Row) => T,
): (context: C) => Promise<{ status: 200; body: T }> {
  return async (context) => {
    const [id] = Object.values(context.params.path) as [string];
    const row = await read(context, id);
    if (!row) throw notFound(what, id);
    return { status: 200, body: present(row) };
  };
}

/**
 * A cursor is not signed: it only says behind which row a list goes on. Which rows a list has, the
 * caller and the request say with every page; so a made-up cursor shows nothing that a walk through
 * the list would not.
 */
export function writeCursor(list: ListName, workspace_id: string | null, after: string): string {
  return Buffer.from(JSON.stringify([list, workspace_id, after])).toString('base64url');
}

/** The place that a cursor stands for. Throws invalid_cursor unless it is our own of this list. */
function readCursor(list: ListName, workspace_id: string | null, cursor: string): string {
  try {
    const content: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const [of, owner, after] = content as unknown[];
    if (of === list && owner === workspace_id && typeof after === 'string' && PLACE.test(after)
      && writeCursor(list, workspace_id, after) === cursor) return after;
  } catch {
    // What cannot be read is not our own either.
  }
  throw invalidCursor();
}

/** The error for a cursor that is not of the list. */
export function invalidCursor(): GatehouseError {
  return new GatehouseError('invalid_cursor',
    'The cursor is not valid for this list. Use next_cursor of the page before as it is.',
    { param: 'cursor' });
}
