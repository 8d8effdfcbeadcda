/** Registers this service as a client at the authorization server of an MCP server (RFC 7591). */
import { registerClient } from '@modelcontextprotocol/client';
import { objectOf, parseJson, textOf } from '../../json.ts';
import { sanitizeText } from '../../sanitize.ts';
import type { OAuth2Client } from '../credentials/credentials.ts';
import { ERROR_CODE } from '../credentials/oauthClient.ts';
import type { Registered } from '../credentials/ownClients.ts';
import { SECRET_LIMIT_CHARS } from '../credentials/withoutSecrets.ts';
import { UpstreamUnreachable } from '../egress/unreachable.ts';
import { brief } from '../schema/brief.ts';
import {
  AuthorizationUnknown, CLIENT_AUTH_METHODS, inBounds, withoutNulls, type Asking,
  type ServerAuthorization,
} from './authorization.ts';
import { clientMetadata } from './clientMetadata.ts';

const REFUSAL_CHARS = 300;
/** As RFC 6749 has it, and no longer than one that an operator may give. */
const CLIENT_ID = /^[\x20-\x7e]{1,1000}$/;
/** What ends later, or at no time, does not end. */
const LAST_TIME_S = 8.64e12;

const REGISTERS = {
  late: 'has an authorization server that did not register a client in time',
  large: 'has an authorization server that answered the registration of a client with more than is'
    + ' read',
  unclear: 'has an authorization server that answered the registration of a client with something'
    + ' that could not be understood',
};

/** Throws EgressRefused, and AuthorizationUnknown in words for an operator. */
export async function registerAt(
  { metadata, client_auth }: ServerAuthorization,
  { redirect_uri, client_uri, scopes }: {
    redirect_uri: string; client_uri: string; scopes: readonly string[];
  }, asking: Asking): Promise<Registered> {
  // Servers made with the official Python package know both, and by HTTP Basic they refuse a client
  // whose id is not in the body, too. Sent twice, other servers refuse it.
  const wanted = metadata.token_endpoint_auth_methods_supported?.includes('client_secret_post')
    ? 'post' : client_auth;
  const [method] = Object.entries(CLIENT_AUTH_METHODS).find(([, one]) => one === wanted)!;
  return await inBounds(asking, REGISTERS, async (fetch) => {
    const made = await registerClient(metadata.issuer, {
      metadata, ...(scopes.length > 0 && { scope: scopes.join(' ') }),
      clientMetadata: {
        ...clientMetadata({ redirect_uri, client_uri }),
        token_endpoint_auth_method: method,
      },
      fetchFn: async (input, init) => {
        const response = await fetch(input, init);
        // A refusal is one, whatever can be read of it.
        if (!response.ok) throw refusalOf(response.status, await response.text().catch(() => ''));
        const text = await response.text();
        return new Response(withoutNulls(text) ?? text, response);
      },
    }).catch((error: unknown) => {
      throw error instanceof UpstreamUnreachable ? new AuthorizationUnknown(
        `has an authorization server that did not register a client: ${error.message}`) : error;
    });
    return { ...clientIn(made, wanted), scopes: [...scopes] };
  });
}

/** What the server says of the client that it has made, as far as it can be. */
function clientIn(
  made: Awaited<ReturnType<typeof registerClient>>, wanted: OAuth2Client['client_auth'],
): Omit<Registered, 'scopes'> {
  const { client_id, token_endpoint_auth_method: method = '', client_secret_expires_at: end_s = 0 }
    = made;
  if (!CLIENT_ID.test(client_id)) {
    throw new AuthorizationUnknown('has an authorization server that gives a client no usable id');
  }
  // Some give an empty one to a client that needs none.
  const client_secret = made.client_secret || null;
  if (client_secret !== null && client_secret.length > SECRET_LIMIT_CHARS) {
    throw new AuthorizationUnknown('has an authorization server that gives a client too long a'
      + ' secret');
  }
  const given = Object.hasOwn(CLIENT_AUTH_METHODS, method)
    ? CLIENT_AUTH_METHODS[method as keyof typeof CLIENT_AUTH_METHODS] : wanted;
  return {
    client_id, client_secret, client_auth: client_secret === null ? 'none' : given,
    expires_at_s: end_s > 0 && end_s <= LAST_TIME_S ? end_s : null,
  };
}

function refusalOf(status: number, body: string): AuthorizationUnknown {
  const { error, error_description: words } = objectOf(parseJson(body));
  const code = typeof error === 'string' && ERROR_CODE.test(error) ? ` ${error}` : '';
  // Keycloak says only here which of its policies has refused.
  const said = sanitizeText(brief(textOf(words) ?? '', REFUSAL_CHARS)).replace(/\.$/, '');
  return new AuthorizationUnknown(`has an authorization server that did not register a client (${
    status}${code}${said && `: ${said}`})`);
}
