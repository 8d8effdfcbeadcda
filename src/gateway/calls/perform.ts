import type { Caller } from '../../caller.ts';
import type { ActionDefinition, Integration, Performed, PerformRequest } from '../action/action.ts';
import type { ConnectionCredentials } from '../credentials/connectionCredentials.ts';
import { withCredentials } from '../credentials/withCredentials.ts';
import { withoutSecrets } from '../credentials/withoutSecrets.ts';

/** What hands out the credentials of connections. */
export type CredentialSource = Pick<ConnectionCredentials, 'for' | 'refused'>;

/** A call of an action that exists: everything but the credentials. */
export interface Performance {
  definition: ActionDefinition;
  integration: Integration;
  request: Omit<PerformRequest, 'credentials' | 'scrub'>;
}

/**
 * Has an action performed with the credentials of its connection, whatever its protocol. No secret
 * of them is in what comes back. Throws as `ActionDefinition.perform` does.
 */
export async function perform(
  source: CredentialSource, { definition, integration, request }: Performance, caller: Caller,
  signal: AbortSignal): Promise<Performed> {
  const { egress_allow } = integration;
  const { connection } = request;
  if (egress_allow === undefined) {
    return await definition.perform(
      { ...request, credentials: { type: 'none' }, scrub: (value) => value }, caller, signal);
  }
  const target = {
    workspace_id: caller.workspace_id, connection_id: connection.id, egress_allow,
  };
  return await withCredentials(source, target, connection, ({ credentials, secrets }) =>
    withoutSecrets(secrets, (scrub) =>
      definition.perform({ ...request, credentials, scrub }, caller, signal)), signal);
}
