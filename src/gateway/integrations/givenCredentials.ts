/** Credentials as an operator gives them, completed by what the integration's document declares. */
import type { Schemas } from '../../../generated/types.ts';
import { GatehouseError } from '../../errors.ts';
import type { IntegrationRow } from '../../store/integrations.ts';
import {
  AUTHORIZATION, placeKey, type ApiKey, type KeyPlace,
} from '../action/credentials.ts';
import {
  applicable, type OAuth2Client, type StoredCredentials,
} from '../credentials/credentials.ts';
import { unsendableIn } from '../credentials/unsendable.ts';
import { discover, type Endpoints } from './discovery.ts';
import { likeBefore } from './likeBefore.ts';
import { requireAuthorizable, requireConfidential, requireReachable } from './reachable.ts';
import type { ServerClientOptions } from './serverClient.ts';

export type GivenCredentials = Schemas['Credentials'];
type GivenOAuth = Omit<Extract<GivenCredentials, { type: 'oauth2' }>, 'also'>;
type GivenKey = Schemas['FurtherKey'];
type GrantType = OAuth2Client['grant'];
type Scheme = Schemas['SecurityScheme'];

const NO_ENDPOINTS: Endpoints = { authorization_url: null, token_url: null, refresh_url: null };
const GRANTS = ['authorization_code', 'client_credentials'] as const;
/** What somebody reads before they consent. Figma's actions that read need 18. */
const SCOPES_ASKED_LIMIT = 10;

/**
 * What is kept. Throws `invalid_request` for what neither the operator nor the document says, and
 * if the document wants further keys with it; `egress_refused` for an address that is not called,
 * `upstream_error` if the endpoints of OpenID Connect or of an MCP server cannot be read.
 */
export async function completeCredentials(
  given: GivenCredentials, declaring: ServerClientOptions,
): Promise<StoredCredentials | { type: 'none' }> {
  if (given.type === 'none') return given;
  const { integration } = declaring;
  await requireConfidential(integration);
  const { also: further, ...one } = given;
  const like = likeBefore(one, declaring.kept);
  const first = like ?? (one.type === 'api_key' ? completedKey(one, integration)
    : one.type === 'oauth2' ? await completedClient(one, declaring) : one);
  const also = further === undefined && like !== null ? declaring.kept?.also ?? []
    : (further ?? []).map((key, index) => completedKey(key, integration, `also/${index}/`));
  requireOwnPlaces([first.type === 'api_key' ? first : AUTHORIZATION, ...also]);
  if (further === undefined && like === null) requireTogether(first, integration);
  const whole = also.length === 0 ? first : { ...first, also };
  requireSendable(whole);
  return whole;
}

function requireSendable(credentials: StoredCredentials): void {
  const sent = applicable(credentials);
  // Without a token yet, what goes with it can be wrong all the same.
  const unsendable = unsendableIn(sent
    ?? { type: 'bearer', token: '', ...(credentials.also && { also: credentials.also }) });
  if (unsendable) throw wrong(unsendable.field, `${unsendable.reason} Nothing was stored.`);
}

/** Two keys at one place: only one of them would be sent. */
function requireOwnPlaces(keys: readonly KeyPlace[]): void {
  const places = new Set<string>();
  for (const key of keys) {
    if (places.has(placeKey(key))) {
      throw wrong('also', `Two keys go to the same place (${key.in} ${key.name}). Give each its`
        + ' own: scheme, or in and name.');
    }
    places.add(placeKey(key));
  }
}

/** Throws if more actions of the document want further keys with what is given than do not. */
function requireTogether(first: StoredCredentials, { slug, report }: IntegrationRow): void {
  const schemes = new Map((report.security_schemes ?? []).map((one) => [one.name, one]));
  const isGiven = (name: string) => isOf(first, schemes.get(name));
  const alternatives = report.security_alternatives ?? [];
  const enough = alternatives.find((one) => one.schemes.length > 0 && one.schemes.every(isGiven));
  const wanting = alternatives.find((one) =>
    one.schemes.some(isGiven) && !one.schemes.every(isGiven));
  if (wanting === undefined || (enough?.actions ?? 0) >= wanting.actions) return;
  const missing = wanting.schemes.filter((name) => !isGiven(name)).map((name) => {
    const placement = schemes.get(name)?.placement;
    return placement === undefined ? name : `${name} (${placement.in} ${placement.name})`;
  });
  throw wrong('also', `Give also: ${wanting.actions} actions of ${slug} need`
    + ` ${missing.join(', ')} together with this. If the document is wrong about that,`
    + ' give an empty list.');
}

function isOf(given: StoredCredentials, scheme: Scheme | undefined): boolean {
  if (given.type === 'api_key') {
    return scheme?.placement !== undefined && placeKey(given) === placeKey(scheme.placement);
  }
  // A token that somebody has got by OAuth may be given as it is.
  const tokens = ['bearer', 'oauth2'];
  return given.type === scheme?.type
    || (tokens.includes(given.type) && tokens.includes(scheme?.type ?? ''));
}

/** `within`: where in the credentials the key is. */
function completedKey(given: GivenKey, integration: IntegrationRow, within = ''): ApiKey {
  const { scheme, in: place, name, ...rest } = given;
  const key = { type: 'api_key' as const, ...rest };
  if (place !== undefined && name !== undefined) return { ...key, in: place, name };
  const schemes = integration.report.security_schemes ?? [];
  if (scheme !== undefined && !schemes.some((one) => one.name === scheme && one.placement)) {
    const names = schemes.filter(({ placement }) => placement).map((one) => one.name);
    throw wrong(`${within}scheme`, `The document of ${integration.slug} declares no api key that is`
      + ` called ${JSON.stringify(scheme)}. It declares: ${names.join(', ') || 'none'}.`);
  }
  const declared = schemes.filter((one) => (scheme ?? one.name) === one.name)
    .flatMap(({ name: called, placement }) => (placement ? [{ called, ...placement }] : []))
    .filter((one) => (place ?? one.in) === one.in && (name ?? one.name) === one.name);
  const alone = declared.filter(({ called }) => integration.report.security_alternatives
    ?.some((one) => one.schemes.length === 1 && one.schemes[0] === called));
  for (const choice of within === '' ? [alone, declared] : [declared]) {
    // Two schemes may be two kinds of key that go to the same place, as those of Figma do.
    const places = new Map(choice.map((one) => [`${one.in} ${one.name}`, one]));
    const [[, only] = []] = places;
    if (only && places.size === 1) return { ...key, in: only.in, name: only.name };
  }
  if (declared.length === 0) {
    throw undeclared(name === undefined ? 'name' : 'in', integration, within);
  }
  throw wrong(`${within}scheme`, `Give scheme: the document of ${integration.slug} declares several`
    + ` api keys: ${declared.map((one) => `${one.called} (${one.in} ${one.name})`).join(', ')}.`);
}

async function completedClient(
  given: GivenOAuth, declaring: ServerClientOptions): Promise<StoredCredentials> {
  const { integration } = declaring;
  if (given.token_url === undefined && integration.mcp?.url !== undefined) {
    const { serverClient } = await import('./serverClient.ts');
    return await serverClient(given, integration.mcp.url, declaring);
  }
  const { client_id, audience, resource } = given;
  if (client_id === undefined) throw undeclared('client_id', integration);
  const { egress_allow } = integration;
  const scheme = schemeFor(given, integration);
  const grant = given.grant ?? (scheme && grantOf(scheme));
  if (grant === undefined) throw undeclared('grant', integration);
  const endpoints = await endpointsOf(given, grant, scheme, declaring);
  const token_url = given.token_url ?? endpoints.token_url;
  if (token_url === null) throw undeclared('token_url', integration);
  const authorize_url = given.authorize_url ?? endpoints.authorization_url;
  if (grant === 'authorization_code') {
    if (authorize_url === null) throw undeclared('authorize_url', integration);
    requireAuthorizable(authorize_url);
  }
  // Tokens of another server are not renewed where the document's are.
  const refresh_url = given.refresh_url
    ?? (given.token_url === undefined ? endpoints.refresh_url : null) ?? undefined;
  const revoke_url = given.revoke_url
    ?? (given.token_url === undefined ? endpoints.revoke_url : undefined);
  const userinfo_url = given.token_url === undefined ? endpoints.userinfo_url : undefined;
  const urls = { token_url, authorize_url, refresh_url, revoke_url, userinfo_url };
  for (const [field, url] of Object.entries(urls)) {
    if (url != null) requireReachable(url, egress_allow, `/credentials/${field}`);
  }
  const client_secret = given.client_secret ?? null;
  return {
    type: 'oauth2', grant, client_id, client_secret, token_url, authorize_url, refresh_url,
    revoke_url, userinfo_url, ...issuerOf(given, endpoints), audience, resource,
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

function grantOf(scheme: Scheme): GrantType | undefined {
  return GRANTS.find((grant) => declares(scheme, grant));
}

/** With OpenID Connect both may be had; which of them a server has, its operator knows. */
function declares({ flows, openid_connect_url }: Scheme, grant: GrantType): boolean {
  return flows?.[grant] !== undefined || openid_connect_url !== undefined;
}

async function endpointsOf(
  given: GivenOAuth, grant: GrantType, scheme: Scheme | undefined, declaring: ServerClientOptions,
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

function undeclared(
  field: string, { slug, kind, report }: IntegrationRow, within = ''): GatehouseError {
  const why = kind === 'mcp' ? 'an MCP server has no document that declares it.'
    : `the document of ${slug} does not declare it.`;
  const old = kind === 'openapi' && report.security_schemes === undefined
    ? ' Or it does, and was imported before that was read:'
      + ` \`gatehouse integrations refresh ${slug}\` reads it anew.` : '';
  return wrong(`${within}${field}`, `Give ${field}: ${why}${old}`);
}

function wrong(field: string, message: string): GatehouseError {
  return new GatehouseError('invalid_request', message, { param: `/credentials/${field}` });
}
