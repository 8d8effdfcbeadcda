import { GatehouseError } from '../../errors.ts';
import { checkUpstreamUrl, EgressRefused } from '../egress/egress.ts';

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
  return error instanceof EgressRefused
    ? new GatehouseError('egress_refused', error.message, { param, cause: error }) : error;
}
