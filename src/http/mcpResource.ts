/**
 * `/mcp` as an OAuth 2.1 protected resource: where its clients have people sign in (RFC 9728, as
 * the MCP authorization specification asks for it).
 */
import { oidcScopes } from '../config.ts';
import { GatehouseError } from '../errors.ts';
import type { Services } from '../operations/services.ts';
import { bearerChallenge } from './challenge.ts';
import type { PageMaker } from './pages.ts';

export const MCP_PATH = '/mcp';
/** The resource's own path is appended (RFC 9728); some clients ask without it. */
const METADATA_PATH = '/.well-known/oauth-protected-resource';

type Owner = Pick<Services, 'accessTokens' | 'config' | 'publicUrl'>;

/** The scopes that clients ask the provider for, without `offline_access`: that is up to them. */
const scopesOf = ({ config }: Owner): string[] =>
  oidcScopes(config).filter((scope) => scope !== 'offline_access');

/** The pages by their paths; none without an identity provider. */
export function resourcePages(owner: Owner): Map<string, PageMaker> {
  const { accessTokens, config, publicUrl } = owner;
  if (accessTokens === null) return new Map();
  const page: PageMaker = async () => ({
    status: 200, type: 'application/json; charset=utf-8',
    content: JSON.stringify({
      resource: accessTokens.resource,
      // By its own name, which clients compare to the letter.
      authorization_servers: [await accessTokens.issuer().catch(() => config.oidc_issuer)],
      scopes_supported: scopesOf(owner),
      bearer_methods_supported: ['header'],
      resource_name: 'Gatehouse',
      resource_documentation: `${publicUrl()}/docs/guides/mcp`,
    }),
  });
  return new Map([[METADATA_PATH, page], [METADATA_PATH + MCP_PATH, page]]);
}

/** Says where to sign in, wherever a credential was missing or is not good (RFC 6750, 9728). */
export function challenging(error: unknown, owner: Owner): unknown {
  const { accessTokens, config, publicUrl } = owner;
  if (accessTokens === null || !(error instanceof GatehouseError)) return error;
  if (error.code !== 'missing_api_key' && error.code !== 'invalid_api_key') return error;
  const parameters = [
    `resource_metadata="${publicUrl()}${METADATA_PATH}${MCP_PATH}"`,
    `scope="${scopesOf(owner).join(' ')}"`,
  ];
  // Many clients show nobody more than these words.
  const said = error.code === 'missing_api_key' ? `${error.message} Or have your client sign you in`
    + ` at ${config.oidc_issuer}, as the header WWW-Authenticate says.` : error.message;
  return new GatehouseError(error.code, said,
    { cause: error, headers: { 'WWW-Authenticate': bearerChallenge(error.code, parameters) } });
}
