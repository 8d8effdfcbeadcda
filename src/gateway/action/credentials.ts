/** Ready to be applied to a request. */
export type Credentials =
  | { type: 'none' }
  | Bearer
  | ApiKey
  | Basic
  | { type: 'oauth2'; access_token: string };

export interface Bearer {
  type: 'bearer';
  token: string;
}

export interface ApiKey {
  type: 'api_key';
  in: 'header' | 'query' | 'cookie';
  name: string;
  value: string;
  /** Before the value, such as `Token` (a space is put between the two) or `key=`. */
  prefix?: string;
}

export interface Basic {
  type: 'basic';
  username: string;
  password: string;
}
