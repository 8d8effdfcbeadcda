/** Actions that every workspace begins with; what its grants deny, its key may not see. */
import { Fault, Skip } from './expect.ts';
import type { Wire } from './wire.ts';

export const LIST_CONNECTIONS = 'gateway.connections.list';
export const GET_SESSION = 'gatehouse.sessions.get';

/** Throws Skip if the key may not see all of these. */
export async function need(wire: Wire, ...actions: string[]): Promise<void> {
  for (const action of actions) {
    const { data } = await wire.expect(200, 'listActions',
      { query: { integration: action.split('.')[0]!, limit: 100 } });
    if (data.some(({ name }) => name === action)) continue;
    const { status, body } = await wire.call('createActionInvocation', { body: { action } });
    if (status !== 404 || body.code !== 'unknown_action') {
      throw new Fault(`${action} is not listed, and calling it is answered ${String(status)}`);
    }
    throw new Skip(`the key may not see ${action}`);
  }
}
