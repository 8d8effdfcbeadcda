/** OpenID Connect Discovery: where a server says where its endpoints are. */
import { deadline } from '../../deadline.ts';
import { GatehouseError } from '../../errors.ts';
import { isObject, parseJson, textOf } from '../../json.ts';
import { asRefusal } from './reachable.ts';

/** Where tokens are had, as far as it is known. */
export interface Endpoints {
  authorization_url: string | null;
  token_url: string | null;
  refresh_url: string | null;
  revoke_url?: string;
  userinfo_url?: string;
  /** What the server calls itself, and whether it does so when a browser comes back (RFC 9207). */
  issuer?: string;
  sends_issuer?: boolean;
  /** The server takes a secret in the body alone. */
  client_auth?: 'post';
}

const TIMEOUT_MS = 10_000;
const PARAM = '/credentials/token_url';

/** Throws `egress_refused`, or `upstream_error` if the endpoints cannot be had there. */
export async function discover(
  url: string, { fetch, signal }: { fetch: typeof globalThis.fetch; signal: AbortSignal },
): Promise<Endpoints> {
  const failed = (why: string, cause?: unknown) => new GatehouseError('upstream_error',
    `The endpoints of OpenID Connect could not be read at ${url}: ${why}. Give token_url and`
      + ' authorize_url.', { param: PARAM, cause });
  const clock = deadline(TIMEOUT_MS, signal);
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json' }, signal: clock.signal });
    const metadata = parseJson(await response.text());
    if (!response.ok) throw failed(`it answered ${response.status}`);
    if (!isObject(metadata)) throw failed('it answered something else than a JSON object');
    const methods = metadata.token_endpoint_auth_methods_supported;
    const inBodyAlone = Array.isArray(methods) && methods.includes('client_secret_post')
      && !methods.includes('client_secret_basic');
    return {
      issuer: textOf(metadata.issuer),
      sends_issuer: metadata.authorization_response_iss_parameter_supported === true,
      authorization_url: textOf(metadata.authorization_endpoint) ?? null,
      token_url: textOf(metadata.token_endpoint) ?? null, refresh_url: null,
      revoke_url: textOf(metadata.revocation_endpoint),
      userinfo_url: textOf(metadata.userinfo_endpoint),
      client_auth: inBodyAlone ? 'post' : undefined,
    };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof GatehouseError) throw error;
    const refusal = asRefusal(error, PARAM);
    if (refusal !== error) throw refusal;
    throw failed(clock.is_over ? 'it did not answer in time' : 'it could not be reached', error);
  } finally {
    clock.end();
  }
}
