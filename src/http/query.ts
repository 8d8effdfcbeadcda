/** The request target: percent-encoding and the query string. */
import { GatehouseError } from '../errors.ts';

/** The path, and the query with its question mark, neither of them decoded. */
export function splitTarget(target: string): { pathname: string; search: string } {
  // A proxy may send the absolute form; only the path and query matter here.
  const below = target.charCodeAt(0) === 47 ? target
    : target.replace(/^https?:\/\/[^/?]*/i, '') || '/';
  const mark = below.indexOf('?');
  return mark === -1 ? { pathname: below, search: '' }
    : { pathname: below.slice(0, mark), search: below.slice(mark) };
}

/** Decodes one path segment or the like. Throws `invalid_request` for broken percent-encoding. */
export function decodeText(text: string, what: string): string {
  let decoded = text;
  if (text.includes('%')) {
    try {
      decoded = decodeURIComponent(text);
    } catch (cause) {
      throw new GatehouseError('invalid_request',
        `The ${what} is not valid percent-encoded UTF-8. Encode a literal % as %25.`, { cause });
    }
  }
  if (decoded.includes('\0')) {
    throw new GatehouseError('invalid_request', `The ${what} contains the character U+0000.`);
  }
  return decoded;
}

/**
 * The parameters of a query string (without its question mark) as texts. Throws `invalid_request`
 * for broken encoding, and for a parameter given twice, because either could be meant.
 */
export function parseQuery(search: string): Record<string, string> {
  // Without a prototype, so that `__proto__` is a name like any other, and is refused as unknown.
  const query: Record<string, string> = Object.create(null);
  if (search === '') return query;
  for (const pair of search.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const spaced = pair.includes('+') ? pair.replaceAll('+', ' ') : pair;
    const name = decodeText(equals === -1 ? spaced : spaced.slice(0, equals), 'query string');
    const value = equals === -1 ? '' : decodeText(spaced.slice(equals + 1), 'query string');
    if (query[name] !== undefined) {
      throw new GatehouseError('invalid_request',
        `The query parameter ${JSON.stringify(name)} is given more than once. Give it once.`,
        { param: name });
    }
    query[name] = value;
  }
  return query;
}
