/**
 * Parameters that the operator sets, for every call and whoever makes it: the version of an API, an
 * account's number in the path. Callers neither see nor set them.
 */
import type { Override } from './override.ts';

export interface SetParameter {
  place: 'header' | 'query' | 'path';
  name: string;
  value: string | number | boolean;
}

// OpenAPI says that the first three are no parameters. The others belong to the sender of the
// request, never to the caller.
export const NEVER_A_PARAMETER = ['accept', 'content-type', 'authorization', 'host', 'cookie',
  'content-length', 'connection', 'transfer-encoding', 'accept-encoding', 'proxy-authorization',
  'proxy-connection', 'keep-alive', 'upgrade', 'te', 'trailer', 'expect'];

/** Which one is meant: headers have names in any case, and the others are hidden alike. */
export function parameterKey(place: string, name: string): string {
  return `${place}.${name.toLowerCase()}`;
}

/** The names of those keys that are of one place. */
export function namesOfKeys(place: string, keys: Iterable<string>): string[] {
  return [...keys].filter((key) => key.startsWith(`${place}.`))
    .map((key) => key.slice(place.length + 1));
}

function placeAndName(key: string): Pick<SetParameter, 'place' | 'name'> | null {
  const [, place, name] = /^(header|query|path)\.(.+)$/s.exec(key) ?? [];
  return name === undefined ? null : { place: place as SetParameter['place'], name };
}

/** The parameters that are set; of several with one name the last. */
export function readSetParameters(
  set: NonNullable<Override['parameters']>): Map<string, SetParameter> {
  return new Map(Object.entries(set).flatMap(([key, value]) => {
    const named = placeAndName(key);
    return named === null ? [] : [[parameterKey(named.place, named.name), { ...named, value }]];
  }));
}

/** Why a parameter cannot be set so, in words that follow its key; null if it can be. */
export function whyNotSet(key: string, value: unknown): string | null {
  const named = placeAndName(key);
  const text = String(value);
  if (named === null) {
    return 'must be header, query or path, a dot, and the name: header.Notion-Version.';
  }
  const { place, name } = named;
  if (place === 'path') {
    return /^(?!\.{1,2}$)[^\s/\\?#%\0-\x1f\x7f]+$/.test(text) ? null
      : 'must be one segment of a path: not empty, and without slashes, blanks, ?, # and %.';
  }
  if (place === 'query') return null;
  const lower = name.toLowerCase();
  // With the same key for all of them, a service would take the second write for the first.
  if (lower === 'idempotency-key' || (lower !== 'accept' && NEVER_A_PARAMETER.includes(lower))) {
    return 'cannot be set: what authenticates is given as the credentials of a connection, and the'
      + ' rest belongs to the gateway.';
  }
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) return 'is no name of a header.';
  return /[^\t\x20-\x7e\x80-\xff]/.test(text)
    ? 'must hold only characters that a header may carry.' : null;
}
