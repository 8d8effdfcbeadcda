import { createHash, randomBytes } from 'node:crypto';
import type { ConnectionKey } from '../../store/connectionSecrets.ts';
import type { Sql } from '../../store/database.ts';
import { insertOAuthFlow, takeOAuthFlow } from '../../store/oauthFlows.ts';
import type { ConnectionCredentials } from '../secrets/connectionCredentials.ts';
import { DecryptionFailed, type Secrets } from '../secrets/secrets.ts';
import { authorize, exchangeCode, GrantRefused, TokenRequestFailed } from './oauthClient.ts';

/** How long a person may take with the other service. */
export const FLOW_LIFETIME_S = 600;
const TIMEOUT_MS = 10_000;
const STATE_BYTES = 32;
const ERROR_CODE = /^[A-Za-z0-9_.-]{1,64}$/;

/** An authorization that came to nothing; the message is for the person who tried. */
export class AuthorizationFailed extends Error {
  readonly reason: 'not_oauth' | 'unknown_state' | 'denied' | 'refused' | 'unreachable';

  constructor(reason: AuthorizationFailed['reason'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'AuthorizationFailed';
    this.reason = reason;
  }
}

export interface StartedFlow {
  /** Where to send the person's browser. */
  url: string;
  expires_at: string;
}

export interface OAuthFlowsOptions {
  sql: Sql;
  secrets: Secrets;
  credentials: ConnectionCredentials;
  timeout_ms?: number;
}

/** Authorizations by a person: to the other service with PKCE, and back with a code. */
export class OAuthFlows {
  readonly #options: OAuthFlowsOptions;

  constructor(options: OAuthFlowsOptions) {
    this.#options = options;
  }

  /**
   * Begins an authorization of a connection whose OAuth client is stored. `session` is what the
   * browser that comes back has to show again, such as its cookie; else somebody could have another
   * person's browser finish what they began, and have that person's account in their connection.
   */
  async start(
    key: ConnectionKey, { redirect_uri, session }: { redirect_uri: string; session: string | null },
  ): Promise<StartedFlow> {
    const { sql, secrets, credentials } = this.#options;
    const client = await credentials.oauthClient(key);
    if (client?.grant !== 'authorization_code' || client.authorize_url === null) {
      throw new AuthorizationFailed('not_oauth',
        'The connection is not of the kind that a person authorizes.');
    }
    const state = randomBytes(STATE_BYTES).toString('base64url');
    const { url, code_verifier } = await authorize(client, { redirect_uri, state });
    const state_sha256 = digest(state);
    const sealed = await secrets.seal(
      key.workspace_id, placeOf(key, state_sha256), { code_verifier, redirect_uri });
    const expires_at = await insertOAuthFlow(sql, {
      workspace_id: key.workspace_id, connection_id: key.connection_id, state_sha256,
      session_sha256: session === null ? null : digest(session), sealed,
      lifetime_s: FLOW_LIFETIME_S,
    });
    return { url, expires_at };
  }

  /**
   * Ends an authorization by the query that the browser came back with, and answers the connection,
   * which is connected then. Its state counts once, whatever comes of it. Throws
   * AuthorizationFailed; the connection stays as it was.
   */
  async finish(
    query: URLSearchParams, { session, fetchFor }: {
      session: string | null;
      fetchFor: (key: ConnectionKey) => Promise<typeof fetch>;
    }): Promise<ConnectionKey> {
    const flow = await this.#take(query, session);
    const key = { workspace_id: flow.workspace_id, connection_id: flow.connection_id };
    const error = query.get('error');
    const code = query.get('code');
    if (error !== null || code === null) {
      throw new AuthorizationFailed('denied', 'The other service did not authorize the connection'
        + ` (${error !== null && ERROR_CODE.test(error) ? error : 'no code came'}).`);
    }
    const client = await this.#options.credentials.oauthClient(key);
    if (client === null) throw unknownState();
    const reach = {
      fetch: await fetchFor(key), timeout_ms: this.#options.timeout_ms ?? TIMEOUT_MS,
    };
    const tokens = await exchangeCode(client, { ...flow.opened, code }, reach).catch(failed);
    await this.#options.credentials.authorized(key, tokens);
    return key;
  }

  async #take(query: URLSearchParams, session: string | null) {
    const states = query.getAll('state');
    if (states.length !== 1) throw unknownState();
    const state_sha256 = digest(states[0]!);
    const flow = await takeOAuthFlow(this.#options.sql, state_sha256);
    if (flow === undefined) throw unknownState();
    const expected = flow.session_sha256;
    const isSame = expected === null ? session === null
      : session !== null && expected.equals(digest(session));
    if (!isSame) throw unknownState();
    const { secrets } = this.#options;
    const opened = await secrets.open<{ code_verifier: string; redirect_uri: string }>(
      flow.workspace_id, placeOf(flow, state_sha256), flow.sealed)
      .catch((error: unknown) => {
        throw error instanceof DecryptionFailed ? unknownState() : error;
      });
    return { ...flow, opened };
  }
}

/** One answer for a state that never was, has expired, was used, or is of another session. */
function unknownState(): AuthorizationFailed {
  return new AuthorizationFailed('unknown_state', 'This authorization is not known, or no longer.'
    + ' It has to be begun again, and ended in the same browser within ten minutes.');
}

function failed(error: unknown): never {
  if (error instanceof GrantRefused) {
    throw new AuthorizationFailed('refused', 'The other service refused the code it had given.');
  }
  if (error instanceof TokenRequestFailed) {
    throw new AuthorizationFailed('unreachable', error.message, error.cause);
  }
  throw error;
}

function placeOf({ connection_id }: ConnectionKey, state_sha256: Buffer) {
  return { table: 'oauth_flows', connection_id, field: `flow:${state_sha256.toString('hex')}` };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
