/** Reads the Authorization header; the services know whose the token is. */
import { GatehouseError } from '../errors.ts';

const SCHEME = /^bearer +/i;
// Printable ASCII of bounded length: other text is no token of ours, and never reaches a query.
const TOKEN = /^[\x21-\x7e]{1,512}$/;

/**
 * The token of `Authorization: Bearer <token>`. Throws `missing_api_key` if the header is absent or
 * of another scheme, `invalid_api_key` if what follows cannot be a token.
 */
export function bearerToken(authorization: string | undefined): string {
  const token = authorization?.startsWith('Bearer ') ? authorization.slice(7).trim()
    : SCHEME.test(authorization ?? '') ? authorization!.replace(SCHEME, '').trim() : '';
  if (token === '') {
    throw new GatehouseError('missing_api_key',
      'Send your api key in the header "Authorization: Bearer <API_KEY>".');
  }
  if (!TOKEN.test(token)) throw new GatehouseError('invalid_api_key', 'This key is not valid.');
  return token;
}
