/** Credentials that no request can carry, because they go into a header, which takes less. */
import type { Credentials } from '../action/credentials.ts';

export interface Unsendable {
  /** Where among the credentials it is, such as `also/0/value`. */
  field: string;
  /** A sentence for a person, which holds nothing of the secret. */
  reason: string;
}

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** The first thing that cannot be sent; null: all can. */
export function unsendableIn(credentials: Credentials): Unsendable | null {
  if (credentials.type === 'none') return null;
  const { also = [], ...first } = credentials;
  return inOne(first) ?? also.map((key, at) => inOne(key, `also/${at}/`))
    .find((found) => found !== null) ?? null;
}

function inOne(one: Exclude<Credentials, { type: 'none' }>, within = ''): Unsendable | null {
  switch (one.type) {
    case 'bearer': return inValue(`${within}token`, 'The token', one.token);
    case 'oauth2': return inValue(`${within}access_token`, 'The access token', one.access_token);
    // It is sent in base64.
    case 'basic': return null;
    case 'api_key':
      if (one.in === 'query') return null;
      if (one.in === 'header' && !HEADER_NAME.test(one.name)) {
        return { field: `${within}name`, reason: `${JSON.stringify(one.name)} cannot be the name of`
          + ' a header: that has letters, digits and hyphens.' };
      }
      return inValue(`${within}prefix`, 'The prefix', one.prefix ?? '')
        ?? inValue(`${within}value`, 'The key', one.value);
  }
}

function inValue(field: string, what: string, value: string): Unsendable | null {
  const fault = faultOf(value);
  return fault === null ? null : { field, reason: `${what} ${fault}, and no header can carry that.`
    + ' It may have been copied with something around it.' };
}

function faultOf(value: string): string | null {
  if (/[\r\n]$/.test(value)) return 'has a line break at its end';
  if (/[\r\n]/.test(value)) return 'has a line break in it';
  if (/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(value)) return 'has a control character in it';
  return /[^\t\x20-\xff]/.test(value)
    ? 'has a character in it that is neither ASCII nor Latin-1 (such as € or ”)' : null;
}
