import type { Connection } from '../../store/connections.ts';
import { type ActionFailure, failure, lacks } from '../action/failure.ts';
import { needsReconnect } from '../action/missing.ts';
import type { ConnectionCredentials, Issued, RefusedTarget } from './connectionCredentials.ts';
import { NeedsReconnect } from './credentialStore.ts';
import { TokenRequestFailed } from './oauthClient.ts';
import { RefusedAlone, Unauthorized } from './unauthorized.ts';

/** What hands out the credentials of connections. */
export type CredentialSource = Pick<ConnectionCredentials, 'for' | 'refused'>;

/**
 * Makes a call with a connection's credentials, and once more with others if they are refused: the
 * integration has done nothing then. Throws ActionFailure: what is missing is `needs_reconnect` if
 * there are no others, `upstream_forbidden` if this call alone is refused, and the token endpoint's
 * failure is an `upstream_error`.
 */
export async function withCredentials<T>(
  credentials: CredentialSource, target: RefusedTarget, connection: Connection,
  call: (issued: Issued) => Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await renewedOnce(credentials, target, call,
      (error, issued) => refusedAlone(error, issued, connection), signal);
  } catch (error) {
    // It may pass, and says nothing of the connection.
    if (error instanceof TokenRequestFailed) throw failure(error.message);
    if (!(error instanceof NeedsReconnect)) throw error;
    throw lacks(needsReconnect({ ...connection, status_reason: error.reason }));
  }
}

/**
 * The same, for callers with words of their own: NeedsReconnect and TokenRequestFailed are thrown
 * as they are, and of a refusal that concerns this call alone what `ofAlone` makes of it. If others
 * are refused as well, that is an ActionFailure.
 */
export async function renewedOnce<T>(
  credentials: CredentialSource, target: RefusedTarget, call: (issued: Issued) => Promise<T>,
  ofAlone: (error: Unauthorized, issued: Issued) => Error, signal: AbortSignal): Promise<T> {
  let issued = await credentials.for(target, signal);
  for (let refusals = 1; ; refusals++) {
    try {
      return await call(issued);
    } catch (error) {
      if (!(error instanceof Unauthorized)) throw error;
      const refused = { ...target, asks_otherwise: error.otherwise !== null };
      issued = await credentials.refused(refused, issued, signal).catch((why: unknown) => {
        throw why instanceof RefusedAlone ? ofAlone(error, issued) : why;
      });
      if (refusals === 2) throw failure(error.message, detailsOf(error));
    }
  }
}

function refusedAlone(
  error: Unauthorized, { credentials }: Issued, { id, integration }: Connection): ActionFailure {
  const message = credentials.type !== 'none'
    ? `${error.message} ${
      error.otherwise ?? 'It accepts them elsewhere, and refuses this call alone.'}`
    : `${integration} asks for credentials for this call, and the connection ${id} has none. The`
      + ` operator of this service can give it some: \`gatehouse connections reconnect ${id}\`.`;
  return failure(message, { code: 'upstream_forbidden', ...detailsOf(error) });
}

function detailsOf({ details }: Unauthorized): { details?: object } {
  return details === null ? {} : { details };
}
