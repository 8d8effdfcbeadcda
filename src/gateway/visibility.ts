/**
 * The one place that says what a caller may see and do. Listing, search, description, suggestions
 * and calls all read its answer, so that no way of asking tells more than another.
 */
import type { Caller } from '../caller.ts';
import type { Connection } from '../store/connections.ts';
import type { ActionDefinition, ActionSource, Integration } from './action.ts';

/** Whether the action may be performed; permission is a matter apart from a usable connection. */
export type Decision = 'allow' | 'not_permitted';

/** An action with what the caller's workspace adds to it. */
export interface VisibleAction {
  definition: ActionDefinition;
  integration: Integration;
  decision: Decision;
  /** Connections that can be used now. */
  connected: Connection[];
  /** Connections that would be usable if someone reconnected them. */
  broken: Connection[];
}

/**
 * The actions that exist for the caller, by name. What is offered to the workspace exists even
 * while its integration is not connected, for a call must be able to report exactly that; lists and
 * searches show what `isListed`. `connections` are all those of the caller's workspace.
 */
export function visibleActions(
  caller: Caller, sources: readonly ActionSource[], connections: readonly Connection[],
): Map<string, VisibleAction> {
  const visible = new Map<string, VisibleAction>();
  for (const { integration, actions } of sources) {
    const own = connections.filter((connection) => connection.integration === integration.slug);
    const connected = own.filter(({ status }) => status === 'connected');
    const broken = own.filter(({ status }) => status === 'needs_reconnect');
    for (const definition of actions) {
      const decision = decide(caller, definition);
      visible.set(definition.name, { definition, integration, decision, connected, broken });
    }
  }
  return visible;
}

/** Lists, searches and suggestions hold actions of connected integrations alone. */
export function isListed(action: VisibleAction): boolean {
  return action.connected.length > 0;
}

/** With no grant that says otherwise, reading is allowed and the rest is not. */
function decide(_caller: Caller, definition: ActionDefinition): Decision {
  return definition.effect === 'read' ? 'allow' : 'not_permitted';
}
