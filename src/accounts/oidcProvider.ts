/** What an identity provider says of itself (OpenID Connect Discovery 1.0). */
import {
  allowInsecureRequests, ClientSecretPost, Configuration, discovery, enableNonRepudiationChecks,
  None,
} from 'openid-client';
import { clientSecretBasic } from '../clientSecretBasic.ts';
import type { Config } from '../config.ts';
import { objectOf } from '../json.ts';
import { sanitizeText } from '../sanitize.ts';

const TIMEOUT_S = 10;
const SAID_CHARS = 300;

/** Its settings, to sign in by; throws what `whyUnknown` explains, after `limit_s` if need be. */
export async function askProvider(
  { oidc_issuer, oidc_client_id, oidc_client_secret }: Config, limit_s = TIMEOUT_S,
): Promise<Configuration> {
  const issuer = new URL(oidc_issuer!);
  // Allowed by the settings for this machine alone.
  const execute = issuer.protocol === 'http:' ? [allowInsecureRequests] : [];
  const found = await discovery(issuer, oidc_client_id!, {}, None(),
    { execute, timeout: limit_s });
  const server = found.serverMetadata();
  const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server;
  const settings = new Configuration(server, oidc_client_id!, {},
    oidc_client_secret === null ? None()
      : methods.includes('client_secret_basic') ? clientSecretBasic(oidc_client_secret)
        : ClientSecretPost(oidc_client_secret));
  for (const apply of [...execute, enableNonRepudiationChecks]) apply(settings);
  settings.timeout = TIMEOUT_S;
  return settings;
}

/** Why nothing is known of the provider; at most so many characters of its own words. */
export function whyUnknown({ message, cause }: Error): string {
  if (cause instanceof Response) {
    const type = cause.headers.get('content-type') ?? 'nothing';
    return `${cause.url} answered ${cause.status}${cause.ok ? ` with ${said(type)}` : ''}`;
  }
  const { body, expected } = objectOf(cause);
  const { issuer } = objectOf(body);
  if (typeof issuer === 'string' && typeof expected === 'string') {
    return `it calls itself ${said(issuer)}, and not ${expected}: GATEHOUSE_OIDC_ISSUER has to be`
      + ' exactly what it calls itself';
  }
  return cause instanceof Error && cause.message !== '' ? `${message}: ${cause.message}` : message;
}

function said(text: string): string {
  return sanitizeText(text.slice(0, SAID_CHARS));
}
