import { lookup as systemLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { within } from '../../deadline.ts';
import { GatehouseError } from '../../errors.ts';
import type { IntegrationRow } from '../../store/integrations.ts';
import { ownParametersIn } from '../credentials/authorizeUrl.ts';
import { checkPlain, checkUpstreamUrl, EgressRefused, hostOf, reachOf } from '../egress/egress.ts';
import { AnswerTooLarge } from '../egress/guardedFetch.ts';

/**
 * Throws `invalid_request` for an address of a consent page that says itself what each request
 * says, such as where the person is sent back to.
 */
export function requireAuthorizable(authorize_url: string): void {
  const planted = ownParametersIn(authorize_url);
  if (planted.length === 0) return;
  throw new GatehouseError('invalid_request', `${new URL(authorize_url).origin} is authorized at an`
    + ` address whose query has ${planted.join(', ')}: that is what this service says in each`
    + ' request. Give authorize_url without it.', { param: '/credentials/authorize_url' });
}

/** What a name leads to; tests lead it where they like. */
export type Resolve = (host: string) => Promise<readonly { address: string }[]>;

/** A name server may be slow; each call looks again. */
const LOOKUP_LIMIT_MS = 5_000;

/**
 * Throws `egress_refused` for an address, given as `param`, that the service does not call, and
 * `invalid_request` for what is none.
 */
export function requireReachable(
  url: string, egress_allow: readonly string[], param: string): void {
  if (!URL.canParse(url)) {
    throw noAddress(param, 'must be an address such as https://api.example/openapi.json');
  }
  try {
    checkUpstreamUrl(url, egress_allow);
  } catch (error) {
    throw asRefusal(error, param);
  }
}

/**
 * Throws `egress_refused` if the integration is called by plain http at a public address: the guard
 * would refuse each call with credentials. A name that leads nowhere now is left to it.
 */
export async function requireConfidential(
  integration: Pick<IntegrationRow, 'base_url' | 'mcp' | 'egress_allow' | 'insecure_http'>,
  resolve: Resolve = (host) => systemLookup(host, { all: true }),
): Promise<void> {
  const egress_allow = reachOf(integration);
  for (const url of [integration.base_url, integration.mcp?.url]) {
    const { protocol, hostname } = URL.parse(url ?? '') ?? {};
    if (protocol !== 'http:' || hostname === undefined) continue;
    const host = hostOf(hostname);
    const found = isIP(host) !== 0 ? [{ address: host }]
      : await within(LOOKUP_LIMIT_MS, resolve(host).catch(() => []), () => []);
    try {
      for (const { address } of found) checkPlain(address, egress_allow, host);
    } catch (error) {
      throw asRefusal(error, '/credentials');
    }
  }
}

/**
 * The origins that an integration may send its credentials to besides its own, each once. Throws
 * for what is none, and as `requireReachable` does.
 */
export function originsOf({ other_origins, egress_allow }: {
  other_origins: readonly string[]; egress_allow: readonly string[];
}): string[] {
  return [...new Set(other_origins.map((given, index) => {
    const param = `/other_origins/${index}`;
    requireReachable(given, egress_allow, param);
    const { origin, href } = new URL(given);
    if (href === `${origin}/`) return origin;
    throw noAddress(param, `must be an origin, without a path or anything behind it: ${origin}`);
  }))];
}

/** The refusal of what was given as an address, and leads to nothing. */
export function noAddress(param: string, message: string, cause?: unknown): GatehouseError {
  return new GatehouseError('invalid_request', `The body is not valid: ${param} ${message}.`,
    { param, details: [{ path: param, message }], cause });
}

/** The guard's refusal as the operator is told of it; any other error as it is. */
export function asRefusal(error: unknown, param: string): unknown {
  return error instanceof EgressRefused || error instanceof AnswerTooLarge
    ? new GatehouseError('egress_refused', error.message, { param, cause: error }) : error;
}
