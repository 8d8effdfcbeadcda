import { GatehouseError } from '../../errors.ts';
import { checkUpstreamUrl, EgressRefused } from '../egress/egress.ts';

/** Throws `egress_refused` for an address, given as `param`, that the service does not call. */
export function requireReachable(
  url: string, egress_allow: readonly string[], param: string): void {
  try {
    checkUpstreamUrl(url, egress_allow);
  } catch (error) {
    throw asRefusal(error, param);
  }
}

/** The guard's refusal as the operator is told of it; any other error as it is. */
export function asRefusal(error: unknown, param: string): unknown {
  return error instanceof EgressRefused
    ? new GatehouseError('egress_refused', error.message, { param, cause: error }) : error;
}
