import type { Credentials } from '../action/credentials.ts';

export interface Authenticated {
  url: URL;
  headers: Record<string, string>;
}

/**
 * The request with its credentials, which replace whatever is in their place, such as a parameter
 * of the same name. They hold nothing that a header cannot carry (see unsendable.ts).
 */
export function applyCredentials(
  request: Authenticated, credentials: Credentials): Authenticated {
  const first = withOne(request, credentials);
  return credentials.type === 'none' ? first : (credentials.also ?? []).reduce(withApiKey, first);
}

function withOne({ url, headers }: Authenticated, credentials: Credentials): Authenticated {
  const authorized = (value: string) => withHeader({ url, headers }, 'authorization', value);
  switch (credentials.type) {
    case 'none': return { url, headers };
    case 'bearer': return authorized(`Bearer ${credentials.token}`);
    case 'oauth2': return authorized(`Bearer ${credentials.access_token}`);
    case 'basic': {
      const pair = Buffer.from(`${credentials.username}:${credentials.password}`);
      return authorized(`Basic ${pair.toString('base64')}`);
    }
    case 'api_key': return withApiKey({ url, headers }, credentials);
  }
}

function withApiKey(
  { url, headers }: Authenticated, { in: place, name, value, prefix = '' }:
  Extract<Credentials, { type: 'api_key' }>): Authenticated {
  // `Token` and `Token ` mean the same; `key=` is written without a space.
  const text = `${prefix}${/\w$/.test(prefix) ? ' ' : ''}${value}`;
  if (place === 'header') return withHeader({ url, headers }, name.toLowerCase(), text);
  if (place === 'cookie') {
    const others = (headers.cookie ?? '').split(/;\s*/)
      .filter((pair) => pair !== '' && pair.split('=')[0] !== name);
    return withHeader({ url, headers }, 'cookie', [...others, `${name}=${text}`].join('; '));
  }
  const changed = new URL(url);
  const pairs = withoutNames(url.search.slice(1), (other) => other === name);
  changed.search = [...pairs, `${encodeURIComponent(name)}=${encodeURIComponent(text)}`].join('&');
  return { url: changed, headers };
}

function withHeader(request: Authenticated, name: string, value: string): Authenticated {
  return { url: request.url, headers: { ...request.headers, [name]: value } };
}

/**
 * The pairs of a query as they are written, except those whose name is `unwanted`. URLSearchParams
 * would rewrite all of them, spaces as `+` and commas as `%2C`.
 */
export function withoutNames(query: string, unwanted: (name: string) => boolean): string[] {
  return query.split('&').filter((pair) => pair !== '' && !unwanted(nameOf(pair)));
}

function nameOf(pair: string): string {
  const [name = ''] = pair.split('=');
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return name;
  }
}
