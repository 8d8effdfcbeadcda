/** Giving tokens back to the server that gave them, when a connection is removed (RFC 7009). */
import { deadline } from '../../deadline.ts';
import { isObject, parseJson, textOf } from '../../json.ts';
import type { OAuth2Client, OAuth2Tokens } from './credentials.ts';
import { revoke } from './oauthClient.ts';

/** What became of it, as the audit log has it. */
export interface Revocation {
  outcome: 'ok' | 'failed';
  details: { revoked: string[], reason?: string };
}

/** For all of it: who removes a connection waits. */
const LIMIT_MS = 6_000;
const KINDS = ['refresh_token', 'access_token'] as const;
const WELL_KNOWN = ['oauth-authorization-server', 'openid-configuration'] as const;

/**
 * Revokes the refresh token first: without it nobody gets another access token. Null: there is no
 * token. Never throws, whatever the server does.
 */
export async function revokeTokens(
  credentials: OAuth2Client & OAuth2Tokens, fetch: typeof globalThis.fetch,
): Promise<Revocation | null> {
  const kinds = KINDS.filter((kind) => credentials[kind] !== null);
  if (kinds.length === 0) return null;
  const revoked: string[] = [];
  const failed = (reason: string): Revocation => (
    { outcome: 'failed', details: { revoked, reason } });
  const limit = deadline(LIMIT_MS);
  const inTime: typeof fetch = (url, init) => fetch(url, { ...init, signal: limit.signal });
  try {
    const revoke_url = credentials.revoke_url ?? await endpointOf(credentials, inTime);
    if (revoke_url === undefined) {
      return failed('Its server does not say where tokens are revoked, and nobody has.');
    }
    for (const kind of kinds) {
      await revoke({ ...credentials, revoke_url }, { token: credentials[kind]!, kind },
        { fetch: inTime, timeout_ms: LIMIT_MS });
      revoked.push(kind);
    }
    return { outcome: 'ok', details: { revoked } };
  } catch {
    return failed(limit.is_over ? 'Its server did not answer in time.'
      : 'Its server did not revoke the token.');
  } finally {
    limit.end();
  }
}

/**
 * What the server that has given the tokens says of itself (RFC 8414, OpenID Connect Discovery).
 * Metadata of a server with another token endpoint says nothing of these tokens.
 */
async function endpointOf(
  { issuer, token_url }: OAuth2Client, fetch: typeof globalThis.fetch,
): Promise<string | undefined> {
  const server = new URL(issuer ?? new URL(token_url).origin);
  const path = server.pathname.replace(/\/+$/, '');
  for (const name of WELL_KNOWN) {
    const places = new Set([`/.well-known/${name}${path}`, `${path}/.well-known/${name}`]);
    for (const place of places) {
      const answer = await fetch(new URL(place, server), {
        headers: { accept: 'application/json' }, redirect: 'manual' });
      const metadata = parseJson(await answer.text());
      if (!answer.ok || !isObject(metadata) || metadata.token_endpoint !== token_url) continue;
      return textOf(metadata.revocation_endpoint);
    }
  }
  return undefined;
}
