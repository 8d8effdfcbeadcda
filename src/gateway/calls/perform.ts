import type { Caller } from '../../caller.ts';
import type { ActionDefinition, Integration, Performed, PerformRequest } from '../action/action.ts';
import { withCredentials, type CredentialSource } from '../credentials/withCredentials.ts';
import { withoutSecrets } from '../credentials/withoutSecrets.ts';

/**
 * Has an action performed with the credentials of its connection, whatever its protocol. No secret
 * of them is in what comes back. Throws as `ActionDefinition.perform` does.
 */
export async function perform(
  source: CredentialSource, definition: ActionDefinition, { egress_allow }: Integration,
  request: Omit<PerformRequest, 'credentials' | 'scrub'>, caller: Caller, signal: AbortSignal,
): Promise<Performed> {
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
