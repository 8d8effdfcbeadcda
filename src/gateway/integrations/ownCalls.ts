/** Calls of the service's own, which find out about a connection: nobody's key is behind them. */
import type { ConnectionRow } from '../../store/connections.ts';
import type { ActionDefinition, Integration, Performed } from '../action/action.ts';
import { performAction } from '../calls/perform.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { VisibleAction } from '../catalogue/visibility.ts';
import type { CredentialSource } from '../credentials/withCredentials.ts';
import { Departure } from '../egress/departure.ts';

const NOBODY = { api_key_id: '', agent: null };

/** The actions of the connection's integration that exist for its workspace. */
export async function actionsBehind(
  { workspace_id, integration: slug }: ConnectionRow, catalogue: Pick<Catalogue, 'visible'>,
): Promise<VisibleAction[]> {
  const visible = await catalogue.visible({ ...NOBODY, workspace_id });
  return [...visible.values(slug)];
}

/** Calls an action that only reads and needs no input. No grants are asked; throws as a call. */
export async function callWithoutInput(
  credentials: CredentialSource, definition: ActionDefinition, integration: Integration,
  connection: ConnectionRow, signal: AbortSignal): Promise<Performed> {
  return await performAction(credentials, definition, integration, {
    input: {}, connection, invocation_id: null, idempotency_key: null,
    departure: new Departure(),
  }, { ...NOBODY, workspace_id: connection.workspace_id }, signal);
}
