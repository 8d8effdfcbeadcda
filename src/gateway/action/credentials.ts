/** Ready to be applied to a request. */
export type Credentials =
  | { type: 'none' }
  | (BearerToken | ApiKey | Basic | OAuthToken) & WithKeys;

/**
 * What some APIs want together. Only one of the others can be sent, because all but api keys go to
 * the header `Authorization`.
 */
export interface WithKeys {
  /** Api keys that go with every request besides. */
  also?: readonly ApiKey[];
}

export interface BearerToken {
  type: 'bearer';
  token: string;
}

export interface OAuthToken {
  type: 'oauth2';
  access_token: string;
  /** What was asked for when it was authorized. Absent: what the server gives unasked. */
  scopes?: readonly string[];
}

export interface ApiKey {
  type: 'api_key';
  in: 'header' | 'query' | 'cookie';
  name: string;
  value: string;
  /** Before the value, such as `Token` (a space is put between the two) or `key=`. */
  prefix?: string;
}

/** Where a key goes. */
export type KeyPlace = Pick<ApiKey, 'in' | 'name'>;

/** Where all kinds of credentials go that are no api key. */
export const AUTHORIZATION: KeyPlace = { in: 'header', name: 'Authorization' };

/** A text that is the same for the same place: headers have names in any case. */
export function placeKey({ in: place, name }: KeyPlace): string {
  return `${place} ${place === 'header' ? name.toLowerCase() : name}`;
}

export interface Basic {
  type: 'basic';
  username: string;
  password: string;
}
