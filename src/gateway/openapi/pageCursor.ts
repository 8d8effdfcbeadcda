import { isObject, parseJson, type JsonObject } from '../../json.ts';

/** How the request for another page differs from the first one. */
export interface PageChanges {
  /** Query parameters by name, as texts. */
  query: Record<string, string>;
  /** Fields of a JSON body. */
  body: Record<string, string | number>;
}

export const NO_CHANGES: PageChanges = { query: {}, body: {} };

/**
 * The cursor of a page, as callers get it: opaque, and good for one action only. It is neither
 * secret nor signed: a forged one says no more than its maker could say in the query, and
 * `isPageParameter` decides again which parameters count.
 */
export function wrapCursor(action: string, { query, body }: PageChanges): string {
  return Buffer.from(JSON.stringify([1, action, query, body])).toString('base64url');
}

/** Null if this is no cursor of the action. */
export function unwrapCursor(action: string, cursor: string): PageChanges | null {
  const parsed = parseJson(Buffer.from(cursor, 'base64url').toString());
  if (!Array.isArray(parsed)) return null;
  const [version, name, query, body]: unknown[] = parsed;
  if (version !== 1 || name !== action || !isObject(query) || !isObject(body)) return null;
  const isText = (value: unknown) => typeof value === 'string';
  const isPlain = (value: unknown) => isText(value) || typeof value === 'number';
  return Object.values(query).every(isText) && Object.values(body).every(isPlain)
    ? { query: query as Record<string, string>, body: body as JsonObject & PageChanges['body'] }
    : null;
}
