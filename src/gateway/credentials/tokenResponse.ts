/**
 * Brings answers of token endpoints into the form of RFC 6749. Real servers differ:
 * - GitHub answers errors with 200, has its own names for them, separates scopes by commas, and
 *   writes forms, not JSON, to clients that it does not know.
 * - Slack has `ok: false` with 200, `token_type: bot`, commas, and puts a person's token into
 *   `authed_user`.
 * - HubSpot, Strava, Facebook and Zoom have words of their own for a refresh token they refuse.
 * - Others leave `token_type` out, write `null` for missing values, quote `expires_in`, or answer
 *   201.
 */

import { isObject, objectOf, parseJson, type JsonObject } from '../../json.ts';
import { SECRET_LIMIT_CHARS } from './withoutSecrets.ts';

export interface TokenResponse {
  status: number;
  /** A JSON object as the RFC has it; null if the answer was none. */
  body: JsonObject | null;
  /** Apart from the rest: one that cannot be verified would fail the whole. */
  id_token?: string;
}

/** Names for a grant that is no longer valid: only the person who gave it can give another. */
const INVALID_GRANT = new Set([
  'bad_refresh_token', 'bad_verification_code', // GitHub
  'invalid_refresh_token', 'invalid_code', 'code_already_used', 'token_revoked', 'token_expired',
  'account_inactive', // Slack
  'interaction_required', 'consent_required', 'login_required', // Microsoft, OpenID Connect
]);
const INVALID_CLIENT = new Set([
  'incorrect_client_credentials', // GitHub
  'bad_client_secret', 'invalid_client_id', // Slack
]);
// Tokens that need proof of a key are of another protocol; all other types are bearer tokens.
const NOT_BEARER = /^(dpop|pop|mac)$/i;
const LONGEST_LIFETIME_S = 10 * 365 * 24 * 3_600;
/** As RFC 6749 writes one. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/;
const SCOPES_LIMIT = 1_000;

/** Reads an answer of a token endpoint; `asked`: for what it was asked, if that may matter. */
export function readTokenResponse(
  status: number, content_type: string | null, text: string, asked?: 'refresh_token',
): TokenResponse {
  const given = parse(content_type, text);
  if (given === null) return { status, body: null };
  const answered = withPersonsToken(given);
  if (typeof answered.token_type === 'string' && NOT_BEARER.test(answered.token_type)) {
    return { status: 400, body: { error: 'unsupported_token_type' } };
  }
  if ([answered.access_token, answered.refresh_token].some(isTooLong)) {
    return { status: 400, body: { error: 'token_too_long' } };
  }
  if (typeof answered.access_token === 'string' && answered.access_token !== '') {
    const { id_token } = answered;
    return { status: status >= 200 && status < 300 ? 200 : status, body: tokens(answered),
      ...(typeof id_token === 'string' && { id_token }) };
  }
  const error = asked === 'refresh_token' && refusesRefreshToken(answered) ? 'invalid_grant'
    : errorOf(answered);
  if (error === null) return { status, body: {} };
  // An error in the body counts whatever the status: 200, or 401 with a challenge.
  return { status: status < 500 ? 400 : status, body: { error } };
}

/** Those of the words that are scopes; of very many the first. */
export function scopesAmong(words: readonly string[]): string[] {
  return words.filter((word) => SCOPE.test(word)).slice(0, SCOPES_LIMIT);
}

/** Its forms, which are looked for in each answer, would hold up the process. */
function isTooLong(token: unknown): boolean {
  return typeof token === 'string' && token.length > SECRET_LIMIT_CHARS;
}

function parse(content_type: string | null, text: string): JsonObject | null {
  const value = parseJson(text);
  if (value !== undefined) return isObject(value) ? value : null;
  const looksLikeForm = /(^|&)(access_token|error)=/.test(text);
  return content_type?.includes('application/x-www-form-urlencoded') || looksLikeForm
    ? Object.fromEntries(new URLSearchParams(text)) : null;
}

function withPersonsToken(given: JsonObject): JsonObject {
  const { access_token, authed_user } = given;
  return access_token ? given : { ...given, ...objectOf(authed_user) };
}

/** The members that we use, in the form and of the types that the RFC has. */
function tokens(given: JsonObject): JsonObject {
  const { access_token, refresh_token, scope } = given;
  // Some send it as a text. Of an object Number would ask for its own `toString`.
  const { expires_in } = given;
  const lifetime_s = ['number', 'string'].includes(typeof expires_in) ? Number(expires_in) : 0;
  const scopes = scopesAmong((Array.isArray(scope) ? scope.join(' ')
    : typeof scope === 'string' ? scope : '').split(/[\s,]+/));
  return {
    access_token,
    token_type: 'bearer',
    ...(typeof refresh_token === 'string' && refresh_token !== '' && { refresh_token }),
    ...(lifetime_s > 0 && { expires_in: Math.min(lifetime_s, LONGEST_LIFETIME_S) }),
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
  };
}

function errorOf({ error, ok }: JsonObject): string | null {
  if (typeof error !== 'string' || error === '') return ok === false ? 'server_error' : null;
  if (INVALID_GRANT.has(error)) return 'invalid_grant';
  return INVALID_CLIENT.has(error) ? 'invalid_client' : error;
}

/**
 * Whether the answer to a refresh token says beyond doubt that it is this that is refused, in words
 * that may mean something else where a code or a client was sent.
 */
function refusesRefreshToken({ status, errors, error, reason }: JsonObject): boolean {
  if (status === 'BAD_REFRESH_TOKEN') return true; // HubSpot
  const { type, code } = objectOf(error);
  if (type === 'OAuthException' && code === 190) return true; // Facebook
  if (error === 'invalid_request' && reason === 'Invalid Token!') return true; // Zoom
  return Array.isArray(errors) && errors.map(objectOf).some((one) => // Strava
    one.resource === 'RefreshToken' && one.code === 'invalid');
}
