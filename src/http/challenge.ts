/** What a 401 asks for in WWW-Authenticate (RFC 6750). */
import type { ErrorCode } from '../errors.ts';

/** A credential that was missing is no error: its sender may not have known that one is needed. */
export function bearerChallenge(code: ErrorCode, parameters: readonly string[] = []): string {
  const all = code === 'invalid_api_key' ? [...parameters, 'error="invalid_token"'] : parameters;
  return ['Bearer', ...all.length > 0 ? [all.join(', ')] : []].join(' ');
}
