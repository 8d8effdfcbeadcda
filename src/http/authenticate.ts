/** Who asks: by the Authorization header, or by the dashboard's cookie. */
import { DASHBOARD_ROLES, type Caller, type Operator } from '../caller.ts';
import { GatehouseError } from '../errors.ts';
import { LEAST_ROLE } from '../operations/roles.ts';
import type { Services } from '../operations/services.ts';
import type { DashboardCookie } from './dashboardCookie.ts';
import type { Exchange } from './exchange.ts';

const SCHEME = /^bearer +/i;
// Printable ASCII of bounded length: other text is no token of ours, and never reaches a query.
const TOKEN = /^[\x21-\x7e]+$/;
const TOKEN_CHARS = 512;

/**
 * The token of `Authorization: Bearer <token>`. Throws `missing_api_key` if the header is absent or
 * of another scheme, `invalid_api_key` if what follows cannot be a token.
 */
export function bearerToken(
  authorization: string | undefined, limit_chars = TOKEN_CHARS): string {
  const token = authorization?.startsWith('Bearer ') ? authorization.slice(7).trim()
    : SCHEME.test(authorization ?? '') ? authorization!.replace(SCHEME, '').trim() : '';
  if (token === '') {
    throw new GatehouseError('missing_api_key',
      'Send your api key in the header "Authorization: Bearer <API_KEY>".');
  }
  if (token.length > limit_chars || !TOKEN.test(token)) {
    throw new GatehouseError('invalid_api_key', 'This key is not valid.');
  }
  return token;
}

/** Who asks was found out so short a time ago that it still holds. */
const KNOWN_MS = 100;

/**
 * Whether who asks has to be found out again, by when that was: whoever sends a body slowly, or
 * waits for a turn, may have been revoked meanwhile.
 */
export function isDoubtful(since_ms: number): boolean {
  return performance.now() - since_ms > KNOWN_MS;
}

export interface Asker { caller: Caller | null; operator: Operator | null }

/**
 * Who asks for the operation of this exchange; throws what `bearerToken` throws, and
 * `invalid_api_key` for a credential that is not good. Authorization wins over the cookie.
 */
export async function askerOf(
  exchange: Exchange, services: Services, cookie: DashboardCookie, beforeLookup: () => void,
): Promise<Asker> {
  const { headers, route: { entry } } = exchange;
  if (headers.authorization === undefined) {
    const secret = cookie.secretOf(entry.method, headers);
    if (secret !== null) {
      const operator = await services.dashboard.authenticate(secret, beforeLookup);
      return { caller: null, operator };
    }
  }
  const token = bearerToken(headers.authorization);
  switch (entry.security) {
    case 'apiKey':
      return { caller: await services.authenticate(token, beforeLookup), operator: null };
    case 'adminToken': {
      const id = await services.authenticateAdmin(token, beforeLookup);
      return { caller: null, operator: { actor: { type: 'admin', id }, session: null } };
    }
    default:
      throw new GatehouseError('invalid_api_key', 'This is for who is signed in to the dashboard,'
        + ' by the cookie. No key and no token opens it.');
  }
}

/**
 * Holds somebody who is signed in to what their role allows, and finds as which caller they ask for
 * something of a workspace. Throws `not_permitted`, or `invalid_request` for the workspace.
 */
export async function dashboardCaller(
  { headers, route: { entry, operation_id } }: Exchange, operator: Operator, services: Services,
): Promise<Caller | null> {
  const least = LEAST_ROLE[operation_id];
  const { role } = operator.session!;
  if (DASHBOARD_ROLES.indexOf(role) < DASHBOARD_ROLES.indexOf(least)) {
    throw new GatehouseError('not_permitted', `This needs the role ${least}, and you are signed in`
      + ` as ${role}. An admin of this service can give you the role.`);
  }
  if (entry.security !== 'apiKey') return null;
  const workspace_id = headers['gatehouse-workspace'];
  if (typeof workspace_id !== 'string' || !/^\w{1,64}$/.test(workspace_id)) {
    throw new GatehouseError('invalid_request', 'Name the workspace, wsp_…, in the header'
      + ' Gatehouse-Workspace.', { param: 'gatehouse-workspace' });
  }
  return await services.authenticateDashboard(workspace_id, operator);
}
