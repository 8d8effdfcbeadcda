import type { Connection } from '../../store/connections.ts';
import { ActionFailure } from '../action/action.ts';
import { needsReconnect } from '../action/missing.ts';
import type { ConnectionCredentials, ConnectionTarget, Issued } from './connectionCredentials.ts';
import { NeedsReconnect } from './credentialStore.ts';
import { TokenRequestFailed } from './oauthClient.ts';
import { Unauthorized } from './unauthorized.ts';

/**
 * Makes a call with a connection's credentials; once more with others if they are refused, for then
 * nothing has happened. Throws ActionFailure: with `needs_reconnect` if there are no others, with
 * `upstream_error` if the token endpoint does not give one. It counts as sent once it was, though
 * that was refused.
 */
export async function withCredentials<T>(
  credentials: ConnectionCredentials, target: ConnectionTarget, connection: Connection,
  call: (issued: Issued) => Promise<T>, signal: AbortSignal): Promise<T> {
  let sent = false;
  try {
    const issued = await credentials.for(target, signal);
    try {
      return await call(issued);
    } catch (error) {
      if (!(error instanceof Unauthorized)) throw error;
      sent = error.sent;
    }
    const others = await credentials.refused(target, issued, signal);
    try {
      return await call(others);
    } catch (error) {
      if (!(error instanceof Unauthorized)) throw error;
      sent ||= error.sent;
      await credentials.refused(target, others, signal);
      throw new ActionFailure(error.message, { sent });
    }
  } catch (error) {
    if (error instanceof ActionFailure) throw error.withSent(sent || error.sent);
    // It may pass, and says nothing of the connection.
    if (error instanceof TokenRequestFailed) throw new ActionFailure(error.message, { sent });
    if (!(error instanceof NeedsReconnect)) throw error;
    const gap = needsReconnect({ ...connection, status_reason: error.reason });
    throw new ActionFailure(gap.message, { missing: [gap], sent });
  }
}
