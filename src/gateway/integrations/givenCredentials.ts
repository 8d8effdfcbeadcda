/** Credentials as an operator gives them, completed by what the integration's document declares. */
import type { components } from '../../../generated/types.ts';
import { GatehouseError } from '../../errors.ts';
import type { IntegrationRow } from '../../store/integrations.ts';
import type { ApiKey } from '../action/credentials.ts';
import type { OAuth2Client, StoredCredentials } from '../credentials/credentials.ts';
import { discover, type Endpoints } from './discovery.ts';
import { requireReachable } from './reachable.ts';

type Schemas = components['schemas'];
export type GivenCredentials = Schemas['Credentials'];
type GivenOAuth = Extract<GivenCredentials, { type: 'oauth2' }>;
type GivenKey = Extract<GivenCredentials, { type: 'api_key' }>;
type Grant = OAuth2Client['grant'];
type Scheme = Schemas['SecurityScheme'];

/** An integration, and a fetch that goes where its requests may go. */
export interface Declaring {
  integration: IntegrationRow;
  fetch: typeof fetch;
  signal: AbortSignal;
}

const NO_ENDPOINTS: Endpoints = { authorization_url: null, token_url: null, refresh_url: null };
const GRANTS = ['authorization_code', 'client_credentials'] as const;
/** What somebody reads before they consent. Figma's actions that read need 18. */
const SCOPES_ASKED_LIMIT = 10;

/**
 * What is kept. Throws `invalid_request` for what neither the operator nor the document says,
 * `egress_refused` for an address that is not called, `upstream_error` if the endpoints of OpenID
 * Connect cannot be read.
 */
export async function completed(
  given: GivenCredentials, declaring: Declaring): Promise<StoredCredentials | { type: 'none' }> {
  if (given.type === 'api_key') return completedKey(given, declaring.integration);
  return given.type === 'oauth2' ? await completedClient(given, declaring) : given;
}

function completedKey(given: GivenKey, integration: IntegrationRow): ApiKey {
  const { in: place, name } = given;
  if (place !== undefined && name !== undefined) return { ...given, in: place, name };
  const declared = (integration.report.security_schemes ?? [])
    .flatMap(({ placement }) => placement ?? [])
    .filter((one) => (place ?? one.in) === one.in && (name ?? one.name) === one.name);
  // Two schemes may be two kinds of key that go to the same place, as those of Figma do.
  const [first, ...others] = new Map(declared.map((one) => [`${one.in} ${one.name}`, one]));
  const field = name === undefined ? 'name' : 'in';
  if (first === undefined) throw undeclared(field, integration);
  if (others.length === 0) return { ...given, ...first[1] };
  throw wrong(field, `Give ${field}: the document of ${integration.slug} declares several api`
    + ` keys (${[first, ...others].map(([key]) => key).join(', ')}).`);
}

async function completedClient(
  given: GivenOAuth, declaring: Declaring): Promise<StoredCredentials> {
  const { integration } = declaring;
  const { egress_allow } = integration;
  const scheme = schemeFor(given, integration);
  const grant = given.grant ?? (scheme && grantOf(scheme));
  if (grant === undefined) throw undeclared('grant', integration);
  const endpoints = await endpointsOf(given, grant, scheme, declaring);
  const token_url = given.token_url ?? endpoints.token_url;
  if (token_url === null) throw undeclared('token_url', integration);
  const authorize_url = given.authorize_url ?? endpoints.authorization_url;
  if (grant === 'authorization_code' && authorize_url === null) {
    throw undeclared('authorize_url', integration);
  }
  // Tokens of another server are not renewed where the document's are.
  const refresh_url = given.refresh_url
    ?? (given.token_url === undefined ? endpoints.refresh_url : null);
  for (const [field, url] of Object.entries({ token_url, authorize_url, refresh_url })) {
    if (url !== null) requireReachable(url, egress_allow, `/credentials/${field}`);
  }
  const client_secret = given.client_secret ?? null;
  return {
    type: 'oauth2', grant, client_id: given.client_id, client_secret, token_url, authorize_url,
    ...(refresh_url !== null && { refresh_url }),
    ...issuerOf(given, endpoints),
    client_auth: client_secret === null ? 'none'
      : given.client_auth ?? endpoints.client_auth ?? 'basic',
    scopes: given.scopes ?? (given.token_url === undefined ? scopesFor(scheme, integration) : []),
    access_token: given.access_token ?? null, refresh_token: given.refresh_token ?? null,
  };
}

/** What discovery said counts for the server that it was of, and not for one that is given. */
function issuerOf(
  { issuer, authorize_url }: GivenOAuth, endpoints: Endpoints,
): Pick<OAuth2Client, 'issuer' | 'sends_issuer'> {
  if (issuer !== undefined) return { issuer };
  if (authorize_url !== undefined || endpoints.issuer === undefined) return {};
  return { issuer: endpoints.issuer, sends_issuer: endpoints.sends_issuer === true };
}

/** The scheme that is named, else the first of the document that has the grant. */
function schemeFor(given: GivenOAuth, { slug, report }: IntegrationRow): Scheme | undefined {
  const schemes = (report.security_schemes ?? []).filter(({ type }) => type === 'oauth2');
  if (given.scheme !== undefined) {
    const named = schemes.find(({ name }) => name === given.scheme);
    if (named !== undefined) return named;
    const names = schemes.map(({ name }) => name).join(', ') || 'none';
    throw wrong('scheme', `The document of ${slug} declares no OAuth scheme that is called`
      + ` ${JSON.stringify(given.scheme)}. It declares: ${names}.`);
  }
  return (given.grant === undefined ? GRANTS : [given.grant])
    .map((grant) => schemes.find((scheme) => declares(scheme, grant)))
    .find((scheme) => scheme !== undefined);
}

function grantOf(scheme: Scheme): Grant | undefined {
  return GRANTS.find((grant) => declares(scheme, grant));
}

/** With OpenID Connect both may be had; which of them a server has, its operator knows. */
function declares({ flows, openid_connect_url }: Scheme, grant: Grant): boolean {
  return flows?.[grant] !== undefined || openid_connect_url !== undefined;
}

async function endpointsOf(
  given: GivenOAuth, grant: Grant, scheme: Scheme | undefined, declaring: Declaring,
): Promise<Endpoints> {
  const flow = scheme?.flows?.[grant];
  if (flow !== undefined) return flow;
  const isComplete = given.token_url !== undefined
    && (grant === 'client_credentials' || given.authorize_url !== undefined);
  if (isComplete || scheme?.openid_connect_url === undefined) return NO_ENDPOINTS;
  return await discover(scheme.openid_connect_url, declaring);
}

/**
 * What is asked for if the operator does not say: what the actions need that only read, for those
 * are all that agents may call without a grant. All scopes of the document would have somebody
 * consent to what no agent may do; none at all is refused by many servers, or gives a token that no
 * action takes. Large documents need too many for one consent, some of them for plans that the
 * account has not got: there somebody has to choose.
 */
function scopesFor(scheme: Scheme | undefined, { slug }: IntegrationRow): string[] {
  const { read = [] } = scheme?.required_scopes ?? {};
  if (read.length <= SCOPES_ASKED_LIMIT) return read;
  throw wrong('scopes', `Give scopes: the actions of ${slug} that only read need ${read.length},`
    + ` and more than ${SCOPES_ASKED_LIMIT} are not asked for unsaid: ${read.join(', ')}.`);
}

function undeclared(field: string, { slug, kind, report }: IntegrationRow): GatehouseError {
  const why = kind === 'mcp' ? 'an MCP server has no document that declares it.'
    : `the document of ${slug} does not declare it.`;
  const old = kind === 'openapi' && report.security_schemes === undefined
    ? ' Or it does, and was imported before that was read:'
      + ` \`gatehouse integrations refresh ${slug}\` reads it anew.` : '';
  return wrong(field, `Give ${field}: ${why}${old}`);
}

function wrong(field: string, message: string): GatehouseError {
  return new GatehouseError('invalid_request', message, { param: `/credentials/${field}` });
}
